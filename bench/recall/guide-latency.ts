import { jsonClient } from '../json-client.ts'
import { quantile, timesUs } from '../measure.ts'
import { requestsOf, seedScope } from '../seeded-scope.ts'
import { startService } from '../service-process.ts'
import { withFolder } from '../suite/folder.ts'

export interface GuideLatency {
  readonly p50Us: number
  readonly p99Us: number
}

const WARM_GUIDES = 1_000
const GUIDES = 2_000
/** Loading a large scope at the first guide is not what is measured. */
const SHUTDOWN_FLAGS = ['--shutdown-deadline-ms', '60000']

/** Guides over HTTP, one after the other, each answered when its exposure is on disk; in a scope of so many memories. */
export function guideLatency(memories: number): Promise<GuideLatency> {
  return withFolder('guides', async (dataDir) => {
    const finish = await seedScope(dataDir, memories)
    await finish()
    const service = await startService({ dataDir, flags: SHUTDOWN_FLAGS })
    const client = jsonClient(service.url)
    try {
      const { guide } = requestsOf(2)
      const bodies = Array.from({ length: WARM_GUIDES + GUIDES }, () => JSON.stringify(guide()))
      const times = await timesUs(bodies, (body) => client.answer('/v1/guide', body))
      const counted = times.slice(WARM_GUIDES)
      return { p50Us: quantile(counted, 0.5), p99Us: quantile(counted, 0.99) }
    } finally {
      await client.close()
      await service.kill()
    }
  })
}
