import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jsonClient } from '../json-client.ts'
import { quantile } from '../measure.ts'
import { requestsOf, seedScope } from '../seeded-scope.ts'
import { startService } from '../service-process.ts'

export interface GuideLatency {
  readonly memories: number
  readonly guides: number
  readonly p50Us: number
  readonly p99Us: number
}

const WARM_GUIDES = 1_000
const GUIDES = 2_000
/** Loading a large scope at the first guide is not what is measured. */
const SHUTDOWN_FLAGS = ['--shutdown-deadline-ms', '60000']

/** Guides over HTTP, one after the other, each answered when its exposure is on disk; in a scope of so many memories. */
export async function guideLatency(memories: number): Promise<GuideLatency> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-guides-'))
  const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const dataDir = join(folder, 'data')
    const finish = await seedScope(dataDir, memories)
    await finish()
    const service = await startService({ dataDir, flags: SHUTDOWN_FLAGS })
    closing.push(() => service.kill())
    const client = jsonClient(service.url)
    closing.push(() => client.close())
    const { guide } = requestsOf(2)
    const timesUs: number[] = []
    for (let asked = 0; asked < WARM_GUIDES + GUIDES; asked += 1) {
      const bodyText = JSON.stringify(guide())
      const startedAt = performance.now()
      const { status, text } = await client.post('/v1/guide', bodyText)
      if (asked >= WARM_GUIDES) timesUs.push((performance.now() - startedAt) * 1_000)
      if (status !== 200) throw new Error(`a guide was answered ${status}: ${text.slice(0, 300)}`)
    }
    return { memories, guides: GUIDES, p50Us: quantile(timesUs, 0.5), p99Us: quantile(timesUs, 0.99) }
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}
