import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { compose } from '../../src/app/compose.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { SERVING_ROLE } from '../harness/postgres.ts'
import { type Base, borrowedBase, returnBase } from '../harness/postgres-store.ts'
import { answerOf, execute } from '../harness/reply.ts'
import { countingEntropy, manualClock, memoryLog } from '../harness/system.ts'

let base: Base

beforeAll(async () => {
  base = await borrowedBase()
})

afterAll(() => returnBase(base))

function node() {
  const { config } = readConfig({}, { MEMGOV_STORE: base.url, MEMGOV_LEASE_MS: '2000' })
  return compose(config, { clock: manualClock(), entropy: countingEntropy(), log: memoryLog().log })
}

test('scopes are counted as long as they are stored, also when their node loses them', async () => {
  const composed = await node()
  const { runtime, registry, cluster } = composed
  const scopes = ['a', 'b', 'c']
  for (const scope of scopes) answerOf(await execute(runtime, 'observe', { scope, input_text: 'a fact' }))
  const lived = cluster?.nodeId
  await base.sql("update memgov.node set expires = '-infinity'")
  await vi.waitFor(() => expect(cluster?.nodeId).not.toBe(lived), { timeout: 10_000 })
  // Another node may have written to them, or erased there: nothing of them is shown.
  const { items } = answerOf(await execute(runtime, 'listActors', {}))
  expect(items).toHaveLength(3)
  for (const item of items) expect(item).toMatchObject({ resident: false, memory_count: null })
  for (const scope of scopes) answerOf(await execute(runtime, 'guide', { scope, query_text: 'fact' }))
  expect(registry.knownCount()).toBe(3)

  await base.sql(`revoke insert on memgov.turn from ${SERVING_ROLE}`)
  for (const input_text of ['one', 'two', 'three']) {
    const reply = await execute(runtime, 'observe', { scope: 'd', input_text })
    expect(reply.refusal?.error).toBe('storage_unavailable')
  }
  await base.sql(`grant insert on memgov.turn to ${SERVING_ROLE}`)
  // The one that could not be stored leaves memory when somebody asks for it.
  await execute(runtime, 'operatorSnapshot', { scope: 'd' })
  expect(registry.knownCount()).toBe(3)
  await composed.close()
})
