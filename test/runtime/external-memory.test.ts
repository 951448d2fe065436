import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeEmbedded, type Embedded, isOnFiles, startEmbedded } from '../harness/embedded.ts'
import { paged } from '../harness/paged.ts'
import { foundIn } from '../harness/secrets.ts'

const place = { tenant_id: 'external', scope: 'store' }
const ELSEWHERE = { tenant_id: 'external', scope: 'elsewhere' }
const BACKEND = 'their-store'

let service: Embedded
beforeEach(async () => {
  service = await startEmbedded({ config: { residentActorsMax: 1 } })
})
afterEach(closeEmbedded)

/** What another store offers, as trusted as a source can say. */
function offered(id: string, more: object = {}) {
  return {
    external_memory_id: id,
    source_backend: BACKEND,
    text: `Step of ${id}: run the ${id} script before the release.`,
    lifecycle_hint: 'current',
    authority: { source_trust: 'trusted', evidence_requirement: 'none' },
    ...more,
  }
}

async function governed(ids: readonly string[], more: object = {}) {
  const answer = await service.ok('govern', {
    ...place,
    query_text: 'release',
    candidates: ids.map((id) => offered(id)),
    include_records: true,
    ...more,
  })
  return {
    traceId: answer.guide_trace_id ?? '',
    usable: answer.agent_context.use_now_memory_ids,
    answer,
    codesOf: (id: string) =>
      answer.memory_admission_records?.find(({ memory_id }) => memory_id === id)?.reason_codes ?? [],
  }
}

const failed = { outcome: 'failed', verifier_status: 'failed' }
const passed = { outcome: 'succeeded', verifier_status: 'passed' }

async function ended(traceId: string, run: string, used: readonly string[], how: object, more: object = {}) {
  const body = { ...place, guide_trace_id: traceId, run_id: run, used_memory_ids: used, ...how, ...more }
  return service.ok('finish', body)
}

async function evict(): Promise<void> {
  await service.ok('observe', { ...ELSEWHERE, input_text: 'another scope comes into memory' })
  await service.digest(ELSEWHERE)
}

test('the trace of a recorded govern resolves to what it showed, which has no URIs here', async () => {
  const { traceId } = await governed(['a', 'b'], { record: true })
  const uri = `svc://external/store/guide/${encodeURIComponent(traceId)}`
  const { node, resolve_summary } = await service.ok('resolve', { ...place, uri, include_slots: true })
  expect(node.text_summary).toBe('2 memories exposed')
  expect(node.slots).toMatchObject({ memory_ids: ['a', 'b'], surfaces: ['use_now', 'use_now'] })
  expect(resolve_summary.related_uris).toEqual([])
})

const BAD = ['bad-1', 'bad-2']
const GOOD = ['good-1', 'good-2', 'good-3', 'good-4', 'good-5', 'good-6']

/** Thirty tasks: each works by what govern lets it use of four candidates, and fails when one of them is bad. */
async function thirtyTasks(): Promise<number> {
  let failures = 0
  for (let task = 0; task < 30; task += 1) {
    const bad = BAD[task % BAD.length] ?? ''
    const good = [0, 1, 2].map((step) => GOOD[(task + step) % GOOD.length] ?? '')
    const run = `task-${task}`
    const { traceId, usable } = await governed([bad, ...good], { record: true, run_id: run })
    const harmful = usable.filter((id) => BAD.includes(id))
    if (harmful.length > 0) {
      failures += 1
      await ended(traceId, run, harmful, failed)
    } else await ended(traceId, run, usable, passed)
  }
  return failures
}

describe('what came of memory that another store holds', () => {
  test('of thirty tasks only the first with each bad memory fails; what harmed leaves use_now, the good stays', async () => {
    expect(await thirtyTasks()).toBe(BAD.length)
    const asked = [...BAD, ...GOOD]
    const { usable, codesOf, answer } = await governed(asked)
    expect(usable).toEqual(GOOD)
    for (const id of BAD) expect(codesOf(id)).toContain('runtime_history:contested')
    const told = (reply: object) => JSON.stringify(reply)
    await service.restart()
    expect(told((await governed(asked)).answer)).toBe(told(answer))
    await evict()
    expect(told((await governed(asked)).answer)).toBe(told(answer))
    const external_ids = [{ source_backend: BACKEND, external_memory_id: 'bad-1' }]
    const before = await service.digest(place)
    const tried = await service.ok('erase', { ...place, reason: 'asked for', external_ids, dry_run: true })
    expect(tried.external_effect).toEqual({
      erased_count: 1,
      already_erased_count: 0,
      held_count: 1,
      dry_run: true,
    })
    expect(await service.digest(place)).toBe(before)
    const mixed = { ...place, reason: 'asked for', external_ids, run_ids: ['a'], dry_run: true }
    expect((await service.call('erase', mixed)).refusal?.error).toBe('invalid_request')
    const erased = await service.ok('erase', { ...place, reason: 'asked for', external_ids })
    expect(erased.external_effect).toEqual({ erased_count: 1, already_erased_count: 0, held_count: 1 })
    const after = await governed(asked)
    expect(after.usable).toEqual(['bad-1', ...GOOD])
    expect(after.codesOf('bad-2')).toContain('runtime_history:contested')
    await service.restart()
    expect(told((await governed(asked)).answer)).toBe(told(after.answer))
    const again = await service.ok('erase', { ...place, reason: 'asked for', external_ids })
    expect(again.external_effect).toEqual({ erased_count: 0, already_erased_count: 1, held_count: 0 })
  })

  test('KL6: without record nothing is kept: the state is the same, and no trace is answered', async () => {
    await thirtyTasks()
    const before = await service.digest(place)
    const { answer } = await governed([...BAD, ...GOOD])
    expect(answer).not.toHaveProperty('guide_trace_id')
    expect(answer.memory_use_receipt.guide_trace_id).toBeNull()
    expect(await service.digest(place)).toBe(before)
  })

  test('KL15: without the trace of a govern request that recorded it an external id is refused, and nothing changes', async () => {
    const { traceId } = await governed(['one'], { record: true, run_id: 'r' })
    const { guide_trace_id } = await service.ok('guide', { ...place, query_text: 'release', run_id: 'r' })
    const before = await service.digest(place)
    const body = { ...place, reason: 'x', run_id: 'r', outcome: 'negative', used_surface: 'use_now' }
    for (const named of [
      { used_memory_ids: ['one'] },
      { used_memory_ids: ['one'], guide_trace_id },
      { used_memory_ids: ['other'], guide_trace_id: traceId },
      { used_memory_ids: ['one', 'other'], guide_trace_id: traceId },
    ]) {
      expect((await service.refused('feedback', { ...body, ...named })).error).toBe(
        'guide_trace_used_memory_not_exposed',
      )
    }
    expect(await service.digest(place)).toBe(before)
  })

  test('KL14: a memory of the scope with the same id hears nothing of it, and speaks for itself alone', async () => {
    const { memory_ids } = await service.ok('observe', { ...place, input_text: 'The blue door is locked.' })
    const [id = ''] = memory_ids
    const read = async () =>
      JSON.stringify((await service.ok('listMemories', { ...place, memory_id: id })).items)
    const before = await read()
    const { traceId } = await governed([id], { record: true, run_id: 'r' })
    const answer = await ended(traceId, 'r', [id], failed)
    expect(answer.forget_effect).toMatchObject({
      affected_client_ids: [],
      external_states: [
        { source_backend: BACKEND, external_memory_id: id, before: 'active', after: 'contested' },
      ],
    })
    expect(await read()).toBe(before)
    expect((await governed([id])).codesOf(id)).toContain('runtime_history:contested')
    const candidates = [offered(id, { source_backend: 'a-third-store' })]
    const elsewhere = await service.ok('govern', { ...place, query_text: 'release', candidates })
    expect(elsewhere.agent_context.use_now_memory_ids).toEqual([id])
  })

  test('KL17: what is said in a private lane counts for its owner alone', async () => {
    const ann = { consumer_agent_id: 'ann' }
    const bob = { consumer_agent_id: 'bob' }
    const own = await governed(['one'], { ...ann, record: true, memory_lane: 'private' })
    await ended(own.traceId, 'r', ['one'], failed)
    expect((await governed(['one'], ann)).usable).toEqual([])
    expect((await governed(['one'], bob)).usable).toEqual(['one'])
    const shared = await governed(['two'], { ...bob, record: true })
    const said = { used_memory_ids: ['two'], guide_trace_id: shared.traceId, memory_lane: 'private' }
    const body = { ...place, ...bob, ...said, run_id: 's', reason: 'x', outcome: 'negative' }
    await service.ok('feedback', { ...body, used_surface: 'use_now', tool_status: 'failed' })
    expect((await governed(['two'], bob)).usable).toEqual([])
    expect((await governed(['two'], ann)).usable).toEqual(['two'])
  })

  test('KL17: a private outcome that names no consumer is of the consumer of its guide', async () => {
    const bob = { consumer_agent_id: 'bob' }
    const { traceId } = await governed(['one'], { ...bob, record: true })
    const said = { used_memory_ids: ['one'], guide_trace_id: traceId, memory_lane: 'private' }
    const failure = { run_id: 's', reason: 'x', outcome: 'negative', tool_status: 'failed' }
    await service.ok('feedback', { ...place, ...said, ...failure, used_surface: 'use_now' })
    expect((await governed(['one'], bob)).usable).toEqual([])
    expect((await governed(['one'])).usable).toEqual(['one'])
  })

  test('an execution memory with which two runs failed is do_not_use; two verified passes lift a contested one', async () => {
    const work = { metadata: { domain: 'execution' } }
    const ask = (more: object) => ({ candidates: [offered('work', work)], ...more })
    for (const run of ['a', 'b']) {
      const { traceId } = await governed([], ask({ record: true, run_id: run }))
      await ended(traceId, run, ['work'], failed)
    }
    const { answer, codesOf } = await governed([], ask({}))
    expect(answer.agent_context.do_not_use_memory_ids).toEqual(['work'])
    expect(codesOf('work')).toContain('runtime_history:failed')
    const first = await governed(['fact'], { record: true, run_id: 'c' })
    await ended(first.traceId, 'c', ['fact'], failed)
    for (const run of ['d', 'e']) {
      const { traceId } = await governed(['fact'], { record: true, run_id: run })
      await ended(traceId, run, ['fact'], passed)
    }
    expect((await governed(['fact'])).usable).toEqual(['fact'])
  })

  test('a positive about what was shown to be inspected is only observed, and the answer says what to send', async () => {
    const candidates = [offered('doubted', { authority: {} })]
    const { traceId } = await governed([], { candidates, record: true })
    const body = { ...place, reason: 'x', run_id: 'r', outcome: 'positive', used_surface: 'use_now' }
    const answer = await service.ok('feedback', {
      ...body,
      guide_trace_id: traceId,
      used_memory_ids: ['doubted'],
    })
    expect(answer.warnings?.join()).toContain('explicit_host_assertion')
  })

  test('one operation id gives one trace, also after a restart', async () => {
    const body = { record: true, operation_id: 'once' }
    const { answer } = await governed(['one'], body)
    expect(JSON.stringify((await governed(['one'], body)).answer)).toBe(JSON.stringify(answer))
    await service.restart()
    expect((await governed(['one'], body)).traceId).toBe(answer.guide_trace_id)
    const other = { ...place, query_text: 'other', candidates: [offered('one')], ...body }
    expect((await service.refused('govern', other)).error).toBe('operation_conflict')
  })

  test('one operation id gives one trace, also when its repeat comes before the answer', async () => {
    const body = { record: true, run_id: 'r', operation_id: 'twice' }
    const [one, other] = await Promise.all([governed(['one'], body), governed(['one'], body)])
    expect(other.traceId).toBe(one.traceId)
    const { items } = await service.ok('listExternal', place)
    expect(items.map((item) => item.governed_count)).toEqual([1])
  })

  test('operators read what is known, which request recorded it, and what it touched; a text is nowhere', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const { traceId } = await governed(ids, { record: true, run_id: 'r' })
    await ended(traceId, 'r', ['c'], { ...failed, reason: 'the script is gone' })
    const listed = await paged(service, 'listExternal', { ...place, limit: 2 })
    expect(listed.map((item) => item.external_memory_id)).toEqual(ids)
    expect(listed[2]).toMatchObject({
      source_backend: BACKEND,
      standing: 'contested',
      surface: 'use_now',
      governed_count: 1,
      opinions: [
        {
          memory_lane: 'shared',
          counters: { negative_strong: 1 },
          changes: [{ from: 'active', to: 'contested', cause: 'strong_negative' }],
          outcomes: [{ run_id: 'r', guide_trace_id: traceId, reason: 'the script is gone' }],
        },
      ],
    })
    const contested = await service.ok('listExternal', { ...place, standing: 'contested' })
    expect(contested.items.map((item) => item.external_memory_id)).toEqual(['c'])
    const guides = await service.ok('listGuides', { ...place, memory_id: 'c' })
    expect(guides.items).toMatchObject([{ guide_trace_id: traceId, shown: { use_now: 5 } }])
    expect(guides.items[0]?.external?.[2]).toEqual({
      source_backend: BACKEND,
      external_memory_id: 'c',
      surface: 'use_now',
      standing: 'contested',
    })
    const { blast_radius } = await service.ok('blastRadius', { ...place, external_memory_id: 'c' })
    expect(blast_radius).toMatchObject({
      memories: [],
      external_memories: [{ external_memory_id: 'c', standing: 'contested' }],
      guides: { count: 1, entries: [{ guide_trace_id: traceId, exposed: [{ memory_id: 'c' }] }] },
      runs: { count: 1, entries: [{ run_id: 'r', ended: 'failed' }] },
      dry_run: { differing_count: 0 },
    })
    const { items: ofAnn } = await service.ok('listExternal', { ...place, agent_id: 'ann' })
    expect(ofAnn).toMatchObject([{ external_memory_id: 'c', governed_count: null, governed_at: null }])
    const recorder = { ...place, guide_trace_id: traceId, replay_source: 'journal' }
    const { agent_flight_recorder } = await service.ok('flightRecorder', recorder)
    expect(agent_flight_recorder.govern_decisions).toMatchObject([
      { guide_trace_id: traceId, candidates: ids.map((id) => ({ external_memory_id: id })) },
    ])
    const told = JSON.stringify([listed, guides, blast_radius, agent_flight_recorder])
    expect(told).not.toContain('before the release')
  })

  test('every report of a recorded govern request tells what it showed and what came of it', async () => {
    const stored = await service.ok('observe', {
      ...place,
      input_text: 'Bob alone knows of the vault',
      memory: { kind: 'fact', title: 'Vault of Bob', owner_agent_id: 'bob' },
    })
    // A memory that alice does not see; to her it is a candidate like any other.
    const [hidden = ''] = stored.memory_ids
    const held = offered(hidden, { lifecycle_hint: 'suppressed' })
    const { traceId, answer } = await governed([], {
      candidates: [offered('a'), offered('b'), held],
      record: true,
      run_id: 'r',
      consumer_agent_id: 'alice',
    })
    const said = await service.ok('feedback', {
      ...place,
      guide_trace_id: traceId,
      run_id: 'r',
      used_memory_ids: ['a'],
      outcome: 'negative',
      used_surface: 'use_now',
      reason: 'the script is gone',
    })
    await service.restart()
    const lists = {
      exposed_memory_ids: ['a', 'b', hidden],
      use_now_memory_ids: ['a', 'b'],
      do_not_use_memory_ids: [hidden],
    }
    const product_trace = { after_guide: answer, feedback_result: said }
    const recorder = await service.ok('flightRecorder', { ...place, product_trace })
    expect(recorder.agent_flight_recorder).toMatchObject({
      record_source: 'runtime',
      explanation: 'recorded',
      agent_view: lists,
      blocked_or_suppressed: [{ memory_id: hidden, rule_id: 'K1', title: null }],
      attribution: {
        outcome: 'negative',
        contradicted_memory_ids: ['a'],
        unattributed_memory_ids: ['b', hidden],
      },
      effects: { facet_changes: [{ memory_id: 'a', to: 'demoted' }], unnamed_outcomes: [] },
      artifact_mismatch: [],
    })
    const { operator_snapshot } = await service.ok('operatorSnapshot', { ...place, guide_trace_id: traceId })
    expect(operator_snapshot.guide_trace).toMatchObject({
      ...lists,
      attributed_memory_ids: ['a'],
      feedback_outcome: 'negative',
    })
    const { memory_decision_trace } = await service.ok('decisionTrace', { ...place, product_trace })
    expect(memory_decision_trace).toMatchObject({
      artifact_mismatch: [],
      artifact_unverified: [{ field: 'prompt_text' }],
      feedback_attribution: { outcome: 'negative', attributed_memory_ids: ['a'] },
      context_decision: { memory_ids: ['a', 'b', hidden] },
    })
    expect(JSON.stringify([recorder, operator_snapshot])).not.toContain('Vault')
  })

  test.skipIf(!isOnFiles)('KL16: nothing of an erased one is left in any file', async () => {
    const kept = 'kept-by-everyone'
    const gone = 'quondam-identifier'
    const body = { record: true, run_id: 'r', operation_id: 'o' }
    const { traceId } = await governed([gone, kept], body)
    await ended(traceId, 'r', [gone], { ...failed, reason: `because of ${gone}` })
    await governed([gone, kept])
    await service.restart()
    expect(foundIn(service.dir, [gone]).join()).toContain(gone)
    const external_ids = [{ source_backend: BACKEND, external_memory_id: gone }]
    await service.ok('erase', { ...place, reason: 'asked for', external_ids })
    await service.restart()
    expect(foundIn(service.dir, [gone])).toEqual([])
    expect(foundIn(service.dir, [kept])).not.toEqual([])
    const used = await service.ok('feedback', {
      ...place,
      guide_trace_id: traceId,
      run_id: 's',
      used_memory_ids: [kept],
      outcome: 'positive',
      used_surface: 'use_now',
      reason: 'it helped',
    })
    expect(used.used_memory_ids).toEqual([kept])
  })
})

test('KL14: a candidate with the id of a memory that its consumer does not see tells nothing of that memory', async () => {
  const own = { memory_lane: 'private', owner_agent_id: 'ann' }
  const { memory_ids } = await service.ok('observe', { ...place, ...own, input_text: 'Ann keeps a key.' })
  const [id = ''] = memory_ids
  const { traceId: guide_trace_id } = await governed([id], { record: true, consumer_agent_id: 'bob' })
  const asked = { ...place, consumer_agent_id: 'bob', guide_trace_id }
  const told = async () => {
    const { memory_decision_trace: trace } = await service.ok('decisionTrace', asked)
    const replayed = { ...asked, replay_source: 'journal', include_now: false }
    const { agent_flight_recorder: replay } = await service.ok('flightRecorder', replayed)
    const { operator_snapshot: snapshot } = await service.ok('operatorSnapshot', asked)
    return [trace, replay.summary, replay.erased_memories, snapshot.guide_trace.erased_memories]
  }
  const before = await told()
  const meant = { ...place, reason: 'gone', memory_ids: [id] }
  await service.ok('forget', { ...meant, operation: 'suppress', target: 'memory' })
  expect(await told()).toEqual(before)
  await service.ok('erase', meant)
  expect(await told()).toEqual(before)
})
