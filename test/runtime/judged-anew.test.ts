import { expect, test } from 'vitest'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { type Embedded, isOnFiles, startEmbedded } from '../harness/embedded.ts'
import { NEWER, OLDER, UNRELATED } from '../support/statements.ts'

const place = { tenant_id: 'older', scope: 'build' }

async function say(service: Embedded, text: string): Promise<string> {
  const { memory_ids } = await service.ok('observe', { ...place, input_text: text })
  return memory_ids[0] ?? ''
}

/** Writes what an earlier build would have written. */
async function contest(service: Embedded, memoryId: string, byMemoryId: string): Promise<void> {
  const reason = `${byMemoryId} corrects it`
  const event: ActorEvent = {
    type: 'standing_changed',
    memoryId,
    to: 'contested',
    cause: 'corrected',
    reason,
    byMemoryId,
  }
  await service.registry.use(place.tenant_id, place.scope, (actor) =>
    actor.turn(() => ({ events: [event], reply: null })),
  )
}

const seqOf = (service: Embedded): Promise<number> =>
  service.registry.use(place.tenant_id, place.scope, async (actor) => actor.state.seq)

test('C14: the first load judges anew what words alone had contested, exactly once, also after restarts', async () => {
  const service = await startEmbedded()
  const older = await say(service, OLDER)
  const newer = await say(service, NEWER)
  const other = await say(service, UNRELATED)
  await contest(service, older, newer)
  await contest(service, other, newer)
  const before = await seqOf(service)
  await service.restart()
  const { agent_context: context, memory_use_receipt: receipt } = await service.ok('guide', {
    ...place,
    query_text: 'What is the timeout of the gateway and the port of the database?',
  })
  expect(context.use_now_memory_ids).toEqual(expect.arrayContaining([newer, other]))
  expect(context.inspect_before_use_memory_ids).toEqual([older])
  expect(receipt.decision_summaries).toContainEqual(
    expect.objectContaining({ memory_id: older, rule_id: 'S12', reason_codes: [`disputed_by:${newer}`] }),
  )
  expect(context.memory_ids.indexOf(newer)).toBeLessThan(context.memory_ids.indexOf(older))
  // One turn judged, one guided.
  expect(await seqOf(service)).toBe(before + 2)
  await service.restart()
  await service.restart()
  expect(await seqOf(service)).toBe(before + 2)
  const { result } = await service.ok('rehydrate', {
    ...place,
    reason: 'look',
    memory_ids: [older, newer, other],
  })
  expect(result.memories.map(({ disputes }) => disputes)).toEqual([
    [{ memory_id: newer, kind: 'number', yields: true }],
    [{ memory_id: older, kind: 'number', yields: false }],
    [],
  ])
  const { node } = await service.ok('resolve', { uri: `svc://older/build/memory/${newer}` })
  expect(node.disputes).toEqual([{ memory_id: older, kind: 'number', yields: false }])
  await service.close()
  const options = { isDeep: true, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: 0 }
  const { problems } = await verifyStore(service.dir, options)
  expect(problems).toEqual([])
})

test.skipIf(!isOnFiles)('C14: a journal of an earlier build shows offline what it says', async () => {
  const service = await startEmbedded()
  const [older, newer] = [await say(service, OLDER), await say(service, NEWER)]
  await contest(service, older, newer)
  await service.close()
  const standings: string[] = []
  const options = { isDeep: true, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: 0 }
  await verifyStore(service.dir, {
    ...options,
    onState: (_key, state) => standings.push(state.memories.get(older)?.facets.standing ?? ''),
  })
  expect(standings).toEqual(['contested'])
})
