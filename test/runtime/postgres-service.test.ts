import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Base, borrowedBase } from '../harness/postgres-store.ts'
import { answerOf, execute, refusalOf } from '../harness/reply.ts'
import { countingEntropy, manualClock, memoryLog } from '../harness/system.ts'

const WORD = 'heliotropism'

function serviceOver(base: Base, dataDir: string, nodeUrl: string) {
  const { config } = readConfig({ dataDir, nodeUrl }, { MEMGOV_STORE: base.url })
  return compose(config, { clock: manualClock(), entropy: countingEntropy(), log: memoryLog().log })
}

test('a service on PostgreSQL writes nothing on its own disk, and another node goes on where it ended', async () => {
  const base = await borrowedBase()
  const dir = join(dataFolder(), 'none')
  const one = await serviceOver(base, dir, 'http://one:1')
  const observe = { input_text: `Plants turn by ${WORD}.` }
  const written = answerOf(await execute(one.runtime, 'observe', observe))
  const guide = answerOf(await execute(one.runtime, 'guide', { query_text: WORD }))
  const memoryId = written.memory_ids[0] ?? ''
  expect(JSON.stringify(guide)).toContain(memoryId)
  const two = await serviceOver(base, dir, 'http://two:2')
  const elsewhere = refusalOf(await execute(two.runtime, 'guide', { query_text: WORD }))
  expect(elsewhere).toMatchObject({ error: 'not_owner', details: { owner: 'http://one:1' } })
  expect(one.runtime.health()).toMatchObject({
    runtime: { mode: 'cluster' },
    storage: { backend: 'postgres' },
    cluster: { url: 'http://one:1', lease_valid: true, shards_held: 1, store_reachable: true },
  })
  await one.close()
  two.cluster?.doubt('http://one:1')
  const again = answerOf(await execute(two.runtime, 'guide', { query_text: WORD }))
  expect(JSON.stringify(again)).toContain(memoryId)
  const traces = {
    guide_trace_id: guide.guide_trace_id,
    run_id: 'r',
    outcome: 'neutral',
    reason: 'seen',
    used_surface: 'use_now',
  } as const
  answerOf(await execute(two.runtime, 'feedback', traces))
  const erased = answerOf(
    await execute(two.runtime, 'erase', { memory_ids: written.memory_ids, reason: 'asked for' }),
  )
  expect(Date.parse(erased.purged.copies_until ?? '')).toBe(
    Date.parse(erased.tombstones[0]?.erased_at ?? '') + 7 * 24 * 3_600_000,
  )
  await two.close()
  expect(existsSync(dir)).toBe(false)
})
