import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { type Embedded, type Place, startEmbedded } from '../harness/embedded.ts'
import { Scene } from '../harness/scene.ts'

const place: Place = { tenant_id: 'filter', scope: 'all' }
const erase = { ...place, reason: 'asked for', actor: 'olga' }
const suppress = { ...erase, operation: 'suppress', target: 'memory' }

/** So many notes of one run, some with a word more. */
async function write(service: Embedded, runId: string, count: number, word = ''): Promise<readonly string[]> {
  const ids: string[] = []
  for (let first = 0; first < count; first += 200) {
    const nodes = Array.from({ length: Math.min(200, count - first) }, (_, at) => ({
      id: `${runId}-${first + at}`,
      kind: 'event',
      text: `Reading ${first + at} of ${runId} ${word}`,
    }))
    ids.push(...(await service.ok('observe', { ...place, run_id: runId, nodes })).memory_ids)
  }
  return ids
}

async function listed(service: Embedded, filter: object): Promise<readonly string[]> {
  const { items } = await service.ok('searchMemories', { ...place, ...filter, limit: 200 })
  return items.filter(({ erased }) => erased === null).map(({ memory_id }) => memory_id)
}

describe('erase by filter', () => {
  test('a dry run tells what would go and changes nothing; the request itself takes just that away', async () => {
    const service = await startEmbedded()
    const gone = await write(service, 'run-a', 250)
    const kept = await write(service, 'run-b', 20)
    const before = await service.digest(place)
    const filter = { run_id: 'run-a' }
    const dry = await service.ok('erase', { ...erase, filter, dry_run: true, operation_id: 'dry' })
    expect(dry.filter_effect).toMatchObject({
      dry_run: true,
      matched_count: 250,
      changed_count: 0,
      more: false,
    })
    expect(dry.filter_effect?.memory_ids).toEqual(gone.toReversed().slice(0, 200))
    expect([dry.erased_memory_ids, dry.tombstones]).toEqual([[], []])
    expect(await service.digest(place)).toBe(before)
    const answer = await service.ok('erase', { ...erase, filter })
    expect(answer.filter_effect).toEqual({ ...dry.filter_effect, dry_run: false, changed_count: 250 })
    expect(answer.tombstones).toHaveLength(200)
    expect(answer.tombstones[0]).toMatchObject({ reason: 'asked for', actor: 'olga' })
    expect(await listed(service, {})).toEqual(kept.toReversed())
    const again = await service.ok('erase', { ...erase, filter })
    expect(again.filter_effect).toMatchObject({ matched_count: 0, changed_count: 0 })
  })

  test('the procedure that goes with its run is told before, and counted once', async () => {
    const service = await startEmbedded()
    const scene = new Scene(service, 'with a procedure')
    const { place, memoryId } = await scene.loop({ outcome: 'positive', verifier_status: 'passed' })
    const { candidates } = await service.ok('proposeSkills', { ...place, task_signature: 'fix:login' })
    const skill_id = candidates[0]?.candidate_id
    const settled = await service.ok('settle', { ...place, skill_id, verdict: 'promote', reason: 'good' })
    const gone = [memoryId, settled.changed_memory_ids[0]]
    const asked = { ...erase, ...place, filter: { run_id: 'run-1' } }
    const both = { ...asked, filter: { task_signature: 'fix:login' } }
    const found = (await service.ok('erase', { ...both, dry_run: true })).filter_effect
    expect(found?.memory_ids).toEqual(expect.arrayContaining(gone))
    expect(new Set(found?.memory_ids).size).toBe(found?.matched_count)
    const dry = (await service.ok('erase', { ...asked, dry_run: true })).filter_effect
    expect(dry).toMatchObject({ matched_count: 2, changed_count: 0, memory_ids: gone })
    const answer = await service.ok('erase', asked)
    expect(answer.erased_memory_ids).toEqual(gone)
    expect(answer.filter_effect).toEqual({ ...dry, dry_run: false, changed_count: 2 })
  })

  test('a repeat of one operation answers the same and does nothing, also after a restart', async () => {
    const service = await startEmbedded()
    await write(service, 'run-a', 30)
    const asked = { ...erase, filter: { run_id: 'run-a' }, operation_id: 'once' }
    const first = await service.ok('erase', asked)
    await write(service, 'run-a2', 5)
    await service.restart()
    const digest = await service.digest(place)
    expect((await service.ok('erase', asked)).filter_effect).toEqual(first.filter_effect)
    expect(await service.digest(place)).toBe(digest)
    const other = await service.refused('erase', { ...asked, filter: { run_id: 'run-a2' } })
    expect(other.error).toBe('operation_conflict')
  })

  test('of two at once under one operation id the second is carried out only where it is the same', async () => {
    const service = await startEmbedded()
    await write(service, 'run-a', 3)
    const kept = await write(service, 'run-b', 3)
    const asked = { ...erase, operation_id: 'at once', filter: { run_id: 'run-a' } }
    const [first, same, refusal] = await Promise.all([
      service.ok('erase', asked),
      service.ok('erase', asked),
      service.refused('erase', { ...asked, filter: { run_id: 'run-b' } }),
    ])
    expect(same.filter_effect).toEqual(first.filter_effect)
    expect(refusal.error).toBe('operation_conflict')
    const longer = { ...suppress, operation_id: 'longer', filter: { run_id: 'run-b' } }
    const named = { ...erase, operation_id: 'longer' }
    const [suppressed, ...refusals] = await Promise.all([
      service.ok('forget', longer),
      service.refused('observe', { ...named, input_text: 'Another.' }),
      service.refused('rehydrate', { ...named, memory_ids: kept }),
    ])
    expect(suppressed.filter_effect?.changed_count).toBe(3)
    expect(refusals.map(({ error }) => error)).toEqual(['operation_conflict', 'operation_conflict'])
    const suppressing = { ...suppress, ...asked, operation: 'suppress' }
    expect((await service.refused('forget', suppressing)).error).toBe('operation_conflict')
    expect(await listed(service, {})).toEqual(kept.toReversed())
  })

  test('free text, type, lane and owner choose as they do in the list', async () => {
    const service = await startEmbedded()
    await write(service, 'run-a', 3, 'with quondam in it')
    await write(service, 'run-b', 3)
    await service.ok('observe', { ...place, memory: { text: 'mine', owner_agent_id: 'ann' } })
    for (const filter of [{ text: 'QUONDAM' }, { memory_type: 'event' }, { owner_agent_id: 'ann' }]) {
      const expected = await listed(service, filter)
      const { filter_effect } = await service.ok('erase', { ...erase, filter, dry_run: true })
      expect(filter_effect?.memory_ids).toEqual(expected)
    }
  })

  test('others are served between its pieces, and each of these is a turn of a bounded size', async () => {
    const service = await startEmbedded()
    await write(service, 'run-a', 600)
    let isDone = false
    const erasing = service.ok('erase', { ...erase, filter: { run_id: 'run-a' } }).finally(() => {
      isDone = true
    })
    let served = 0
    while (!isDone) {
      await service.call('resolve', { ...place, uri: 'svc://filter/all/memory/x' })
      await turnOfTheLoop()
      served += 1
    }
    await erasing
    expect(served).toBeGreaterThan(6)
    const erased: number[] = []
    for await (const { payload } of service.history.read(actorKeyOf(place.tenant_id, place.scope), 1, 1000)) {
      for (const event of createCodec().decodeTurn(payload).events)
        if (event.type === 'memory_erased') erased.push(event.memoryIds.length)
    }
    expect(erased).toEqual(Array.from({ length: 12 }, () => 50))
  })
})

describe('suppress by filter', () => {
  test('what is suppressed for a shorter time is suppressed for longer, and nothing for shorter', async () => {
    const service = await startEmbedded()
    const [short = '', long = ''] = await write(service, 'run-a', 3)
    const at = (days: number): string => new Date(service.clock.nowMs() + days * 86_400_000).toISOString()
    await service.ok('forget', { ...suppress, memory_ids: [short], until: at(1) })
    await service.ok('forget', { ...suppress, memory_ids: [long], until: at(9) })
    const asked = { ...suppress, filter: { run_id: 'run-a' }, until: at(5) }
    expect((await service.ok('forget', asked)).filter_effect?.changed_count).toBe(2)
    expect((await service.ok('forget', asked)).filter_effect?.changed_count).toBe(0)
    service.clock.advance(6 * 86_400_000)
    expect(await listed(service, { lifecycle_state: 'suppressed' })).toEqual([long])
    const forGood = { ...suppress, filter: { run_id: 'run-a' } }
    expect((await service.ok('forget', forGood)).filter_effect?.changed_count).toBe(3)
    service.clock.advance(100 * 86_400_000)
    expect(await listed(service, { lifecycle_state: 'suppressed' })).toHaveLength(3)
  })

  test('it is undone by filter too, and both are steps of the audit', async () => {
    const service = await startEmbedded()
    const ids = await write(service, 'run-a', 120)
    const filter = { run_id: 'run-a' }
    const dry = await service.ok('forget', { ...suppress, filter, dry_run: true })
    expect(dry.forget_effect).toMatchObject({ changed_count: 0, affected_memory_ids: [] })
    expect(dry.filter_effect).toMatchObject({ matched_count: 120, changed_count: 0 })
    const done = await service.ok('forget', { ...suppress, filter })
    expect(done.filter_effect).toMatchObject({ matched_count: 120, changed_count: 120, more: false })
    expect(done.forget_effect).toMatchObject({ changed_count: 120, reversible: true })
    expect(await listed(service, { lifecycle_state: 'suppressed' })).toEqual(ids.toReversed())
    const repeat = await service.ok('forget', { ...suppress, filter })
    expect(repeat.filter_effect).toMatchObject({ matched_count: 0 })
    const back = await service.ok('forget', { ...suppress, operation: 'unsuppress', filter })
    expect(back.filter_effect).toMatchObject({ changed_count: 120 })
    expect(await listed(service, { lifecycle_state: 'suppressed' })).toEqual([])
    const { items } = await service.ok('listMemories', { ...place, memory_id: ids[0] })
    expect(items[0]?.detail?.changes.map(({ to }) => to)).toEqual(['suppressed', 'none'])
  })
})

test('a request that says too little or too much is refused and changes nothing', async () => {
  const service = await startEmbedded()
  const [id] = await write(service, 'run-a', 2)
  const digest = await service.digest(place)
  const filter = { run_id: 'run-a' }
  for (const [operation, body] of [
    ['erase', { ...erase, filter: {} }],
    ['erase', { ...erase, filter: { text_match: 'words' } }],
    ['erase', { ...erase, filter, memory_ids: [id] }],
    ['erase', { ...erase, memory_ids: [id], dry_run: true }],
    ['erase', { ...erase, filter: { run: 'run-a' } }],
    ['forget', { ...suppress, filter, operation: 'activate', run_id: 'r' }],
    ['forget', { ...suppress, filter, operation: 'rehydrate' }],
    ['forget', { ...suppress, filter, until: '2001-01-01T00:00:00Z' }],
    ['forget', { ...suppress, filter, guide_trace_id: 'guide_trace:1' }],
  ] as const) {
    expect([body, (await service.refused(operation, body)).error]).toEqual([body, 'invalid_request'])
  }
  expect((await service.refused('erase', erase)).error).toBe('reference_required')
  expect(await service.digest(place)).toBe(digest)
})
