import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isOnFiles, startEmbedded } from '../harness/embedded.ts'
import { useRecorderScope } from '../harness/recorder-scope.ts'

const HOUR_MS = 3_600_000
const recorder = useRecorderScope()
const { write, ask, replay, journal } = recorder

async function differenceOf(guide: { readonly guide_trace_id: string }, memoryId: string) {
  const { differences } = await journal(guide)
  const row = differences.find((each) => each.memory_id === memoryId)
  return { change: row?.change, causes: row?.causes.map(({ kind }) => kind), row }
}

async function suppress(memoryId: string, body: object = {}): Promise<void> {
  const request = {
    operation: 'suppress',
    target: 'memory',
    reason: 'wrong',
    memory_ids: [memoryId],
    ...body,
  }
  await recorder.embedded.ok('forget', { ...recorder.place, ...request })
  recorder.embedded.clock.advance(1000)
}

const until = (afterMs: number): string => new Date(recorder.embedded.clock.nowMs() + afterMs).toISOString()

describe('a difference is explained by what happened', () => {
  test('suppressed since, with the reason of the operator', async () => {
    const id = await write('Releases are tagged by hand.')
    const guide = await ask()
    await suppress(id)
    const { change, row } = await differenceOf(guide, id)
    expect(change).toBe('moved')
    expect(row?.causes).toMatchObject([
      {
        kind: 'facet_changed',
        facet: 'suppression',
        from: 'none',
        to: 'suppressed',
        reason: 'wrong',
        seq: 3,
      },
    ])
  })

  test('a suppression that ended, and a validity that ended, by the clock', async () => {
    const calm = await write('Releases are tagged by hand.')
    const short = await write('Releases are tagged on Mondays.', {
      memory: { valid_until: until(2 * HOUR_MS) },
    })
    await suppress(calm, { until: until(HOUR_MS) })
    const guide = await ask()
    recorder.embedded.clock.advance(3 * HOUR_MS)
    expect(await differenceOf(guide, calm)).toMatchObject({ change: 'moved', causes: ['suppression_ended'] })
    expect(await differenceOf(guide, short)).toMatchObject({ change: 'moved', causes: ['expired'] })
  })

  test('written and revised since, and a source that lost its trust', async () => {
    const named = await write('Releases are tagged by hand.', { memory: { client_id: 'tags' } })
    const guide = await ask()
    const later = await write('Releases are tagged twice.')
    await write('Releases are tagged by the failed pipeline.', {
      memory: { client_id: 'tags', confidence: 0.2 },
    })
    expect(await differenceOf(guide, later)).toMatchObject({
      change: 'newly_shown',
      causes: ['written_after'],
    })
    const revised = await differenceOf(guide, named)
    expect(revised.change).toBe('moved')
    expect(revised.row?.causes[0]).toMatchObject({ kind: 'revised', revision: 2 })
  })

  test('trusted since at its source', async () => {
    const source = await write('Builds run at night on two machines.', { memory: { origin: 'document' } })
    const derived = await write('Therefore releases are tagged in the morning.')
    const before = await ask()
    const edge = { type: 'derived_from', src: { id: derived }, dst: { id: source } }
    await recorder.embedded.ok('observe', { ...recorder.place, edges: [edge] })
    const guide = await ask()
    expect(await differenceOf(before, derived)).toMatchObject({
      change: 'moved',
      causes: ['derived_from_added'],
    })
    await recorder.embedded.ok('forget', {
      ...recorder.place,
      operation: 'activate',
      target: 'memory',
      reason: 'read by an operator',
      actor: 'operator',
      used_surface: 'explicit_host_assertion',
      outcome: 'positive',
      run_id: 'review',
      memory_ids: [source],
    })
    const { change, row } = await differenceOf(guide, derived)
    expect(change).toBe('moved')
    expect(row?.causes).toMatchObject([
      { kind: 'facet_changed', facet: 'trust', source_memory_id: source, from: 'candidate', to: 'trusted' },
    ])
  })

  test('disputed since, and the dispute over; a file that is gone, and found again', async () => {
    const { embedded, place } = recorder
    const user = { memory: { origin: 'user', target_files: ['src/release.ts'] } }
    const older = await write('The release branch is called stable.', user)
    const guide = await ask()
    const newer = await write('The release branch is called main.', user)
    expect(await differenceOf(guide, older)).toMatchObject({ change: 'moved', causes: ['disputed'] })
    const disputed = await ask()
    await suppress(newer)
    expect(await differenceOf(disputed, older)).toMatchObject({ change: 'moved', causes: ['dispute_ended'] })
    const file = (digest: string | null) =>
      embedded.ok('observe', {
        ...place,
        input_text: `The digest is ${digest}.`,
        memory: { kind: 'event', origin: 'user' },
        workspace_changes: [{ path: 'src/release.ts', digest }],
      })
    await file(null)
    expect(await differenceOf(guide, older)).toMatchObject({ change: 'moved', causes: ['file_gone'] })
    const gone = await ask()
    await file('a1')
    expect(await differenceOf(gone, older)).toMatchObject({ change: 'moved', causes: ['file_found'] })
  })

  test('outranked by the limit, and no longer recalled when the scope is no longer small', async () => {
    const far = await write('Lunch is at noon.')
    const near = await write('Releases are tagged by hand.')
    const small = await ask()
    const tight = await ask({ limit: 1 })
    for (let at = 0; at < 14; at++) await write(`Releases are tagged by robot number ${at}, tagged again.`)
    expect(await differenceOf(small, far)).toMatchObject({
      change: 'no_longer_shown',
      causes: ['not_recalled'],
    })
    expect(tight.agent_context.memory_ids).toEqual([near])
    expect(await differenceOf(tight, near)).toMatchObject({
      change: 'no_longer_shown',
      causes: ['outranked'],
    })
  })

  test('cut off by the budget', async () => {
    const long = await write(`Releases are tagged by hand. ${'It takes long. '.repeat(20)}`)
    const guide = await ask({ context_char_budget: 1200 })
    expect(guide.agent_context.memory_ids).toEqual([long])
    for (let at = 0; at < 5; at++)
      await write(`How releases are tagged: releases tagged ${at}. ${'Quickly. '.repeat(30)}`)
    const { now } = await journal(guide)
    const cut = now?.omitted.find((row) => row.memory_id === long)
    expect(cut?.omitted).toBe('budget')
    expect(await differenceOf(guide, long)).toMatchObject({ change: 'no_longer_shown', causes: ['budget'] })
  })
})

describe('a moment', () => {
  test('of a run is its newest guide, with a bounded list of the others', async () => {
    await write('Releases are tagged by hand.')
    const guides = []
    for (let at = 0; at < 21; at++) guides.push((await ask({ run_id: 'run-1' })).guide_trace_id)
    expect((await replay({ replay_source: 'journal', run_id: 'run-1' })).guides_cut).toBe(false)
    for (let at = 0; at < 2; at++) guides.push((await ask({ run_id: 'run-1' })).guide_trace_id)
    await ask({ run_id: 'run-2' })
    const report = await replay({ replay_source: 'journal', run_id: 'run-1' })
    expect(report.guide_trace_id).toBe(guides.at(-1))
    expect(report.other_guides.map((row) => row.guide_trace_id)).toEqual(guides.slice(2, -1).toReversed())
    expect(report.guides_cut).toBe(true)
  })

  test('before the first guide, and of an unknown run, is refused', async () => {
    await ask({ run_id: 'run-1' })
    const early = { replay_source: 'journal', decision_time: '2020-01-01T00:00:00Z' }
    expect(await recorder.embedded.refused('flightRecorder', { ...recorder.place, ...early })).toMatchObject({
      status: 400,
      error: 'guide_trace_not_found',
      details: { decision_time: '2020-01-01T00:00:00.000Z' },
    })
    const none = { replay_source: 'journal', run_id: 'run-9' }
    const refusal = await recorder.embedded.refused('flightRecorder', { ...recorder.place, ...none })
    expect(refusal.details).toEqual({ run_id: 'run-9' })
  })

  test('that was erased makes no other moment expired', async () => {
    const { guide_trace_id } = await ask()
    const erased = { guide_trace_ids: [guide_trace_id], reason: 'asked to' }
    const decision_time = until(0)
    await recorder.embedded.ok('erase', { ...recorder.place, ...erased })
    for (const consumer of [{}, { consumer_agent_id: 'bob' }]) {
      const body = { ...recorder.place, ...consumer, replay_source: 'journal', decision_time }
      expect((await recorder.embedded.refused('flightRecorder', body)).details).toEqual({ decision_time })
    }
  })

  test('that is kept no longer is refused as expired, by guide, run and time', async () => {
    const old = await startEmbedded({ config: { exposureRetentionDays: 1 } })
    const where = { tenant_id: 'recorder', scope: 'old' }
    const query = { ...where, query_text: 'anything', run_id: 'run-1' }
    const { guide_trace_id } = await old.ok('guide', query)
    const asks = [{ guide_trace_id }, { run_id: 'run-1' }, { decision_time: '2026-02-01T00:00:00Z' }]
    const expectExpired = async () => {
      await old.ok('guide', { ...query, run_id: 'run-2' })
      for (const ask of asks) {
        const refusal = await old.refused('flightRecorder', { ...where, replay_source: 'journal', ...ask })
        expect(refusal).toMatchObject({ error: 'guide_trace_not_found', details: { expired: true } })
      }
    }
    old.clock.advance(40 * 24 * HOUR_MS)
    // While it still stands in memory, and once it does not.
    await expectExpired()
    await old.restart()
    await expectExpired()
    // With an artifact it is replayed as supplied.
    const body = { ...where, guide_trace_id, agent_context: { do_not_use_memory_ids: ['m1'] } }
    const { agent_flight_recorder: report } = await old.ok('flightRecorder', body)
    expect(report).toMatchObject({
      record_source: 'supplied',
      blocked_or_suppressed: [
        { memory_id: 'm1', lifecycle_state: 'unknown', reason_codes: ['agent_context_do_not_use'] },
      ],
    })
  })
})

describe.skipIf(!isOnFiles)('after the journal was compacted', () => {
  test('a replay is what it was, also from history files alone', async () => {
    const small = { segmentBytes: 65_536, snapshotMinBytes: 16_384, residentActorsMax: 1 }
    const old = await startEmbedded({ config: small })
    const where = { tenant_id: 'recorder', scope: 'compacted' }
    const { memory_ids: ids } = await old.ok('observe', {
      ...where,
      input_text: 'Releases are tagged by hand.',
    })
    const query = { ...where, query_text: 'how are releases tagged', run_id: 'run-1' }
    const { guide_trace_id } = await old.ok('guide', query)
    await old.ok('guide', query)
    const body = { ...where, replay_source: 'journal', guide_trace_id, include_now: false }
    const { agent_flight_recorder: live } = await old.ok('flightRecorder', body)
    expect(live).toMatchObject({ explanation: 'recorded', now: null, effects: { later_guides: [{}] } })
    const before = readdirSync(join(old.dir, 'hist')).length
    for (let round = 0; round < 4; round++) {
      const texts = Array.from(
        { length: 120 },
        (_, at) => `Fact ${round}.${at}: ${'nothing of note. '.repeat(20)}`,
      )
      await Promise.all(texts.map((input_text) => old.ok('observe', { ...where, input_text })))
      // The other actor drives this one out, which makes a snapshot.
      await old.digest({ ...where, scope: 'other' })
      await old.restart()
    }
    expect(readdirSync(join(old.dir, 'hist')).length).toBeGreaterThan(before)
    const { agent_flight_recorder: later } = await old.ok('flightRecorder', body)
    expect({ ...later, effects: { ...later.effects, cut: false }, claims: [] }).toEqual({
      ...live,
      claims: [],
    })
    const now = await old.ok('flightRecorder', { ...body, include_now: true })
    expect(now.agent_flight_recorder.now?.exposed_memory_ids).toEqual(ids)
  })
})

describe('after an erasure', () => {
  test('ids and surfaces of then are still told, and neither title nor reason of what is gone', async () => {
    const id = await write('Releases are tagged by xyzzy.', { memory: { title: 'Tagging by xyzzy' } })
    await suppress(id, { reason: 'xyzzy left' })
    const guide = await ask()
    const body = { ...recorder.place, reason: 'asked for', memory_ids: [id], actor: 'operator' }
    await recorder.embedded.ok('erase', body)
    const report = await journal(guide)
    expect(report.agent_view).toMatchObject({ exposed_memory_ids: [id], do_not_use_memory_ids: [id] })
    expect(report.differences).toMatchObject([{ change: 'no_longer_shown', causes: [{ kind: 'erased' }] }])
    expect(JSON.stringify(report)).not.toContain('xyzzy')
  })
})

describe('titles', () => {
  test('of blocked memory are those that a caller gave before the guide, and no derived ones', async () => {
    const titled = { memory: { client_id: 'tags', title: 'Tagging' } }
    const given = await write('Releases are tagged by hand.', titled)
    const derived = await write('Releases are signed by hand as well.')
    await suppress(given)
    await suppress(derived)
    const guide = await ask()
    await write('Releases are tagged by a pipeline.', { memory: { client_id: 'tags', title: 'New tagging' } })
    const { blocked_or_suppressed: blocked } = await journal(guide)
    const titleOf = new Map(blocked.map((row) => [row.memory_id, row.title]))
    expect([titleOf.get(given), titleOf.get(derived)]).toEqual(['Tagging', null])
  })
})
