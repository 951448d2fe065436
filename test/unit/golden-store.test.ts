import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { dataFolder, removeDataFolders } from '../harness/data-folder.ts'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

interface GoldenStore {
  /** Of each actor, when the store was made. */
  readonly digests: Readonly<Record<string, string>>
  /** Feedback on a guide that only the ledger knows. */
  readonly feedback: object
  /** Compressed with gzip, in base64. */
  readonly files: Readonly<Record<string, string>>
}

// A data folder of format 1 as a crash left it, written by the first release that had every kind of file. It stays as it
// is: whoever changes what is written makes a golden store of the next format beside it, and an upcaster.
const GOLDEN: GoldenStore = JSON.parse(
  readFileSync(new URL('../fixtures/store-v1.json', import.meta.url), 'utf8'),
)

afterAll(async () => {
  await closeEmbedded()
  removeDataFolders()
})

function unpacked(): string {
  const dir = dataFolder()
  for (const [name, content] of Object.entries(GOLDEN.files)) {
    mkdirSync(join(dir, dirname(name)), { recursive: true })
    writeFileSync(join(dir, name), gunzipSync(Buffer.from(content, 'base64')))
  }
  return dir
}

test('a store of format 1 has a file of every kind, and verifies deeply', async () => {
  for (const kind of ['.wal', '.snap', '.led', '.hist', '.log', '.idx']) {
    expect(
      Object.keys(GOLDEN.files).filter((name) => name.endsWith(kind)),
      kind,
    ).not.toEqual([])
  }
  const options = { isDeep: true, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: 0 }
  const { problems, chain } = await verifyStore(unpacked(), { ...options, chain: { pinnedHead: null } })
  expect(problems).toEqual([])
  expect(chain).not.toBeNull()
})

test('a store of format 1 gives the states that it was made of, and goes on', async () => {
  const service = await startEmbedded({ dir: unpacked(), config: { journalChain: 'sha256' } })
  for (const scope of ['one', 'two']) {
    const place = { tenant_id: 'golden', scope }
    expect(await service.digest(place)).toBe(GOLDEN.digests[actorKeyOf(place.tenant_id, scope)])
    const { result } = await service.ok('rehydrate', { ...place, reason: 'look', client_ids: ['fact-7'] })
    expect(JSON.stringify(result)).toContain(`Round 7: the valve of ${scope} is opened`)
    const { agent_context } = await service.ok('guide', { ...place, query_text: 'start the pump' })
    expect(agent_context.memory_ids).not.toEqual([])
  }
  await service.ok('feedback', GOLDEN.feedback)
  expect(service.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})
