import { afterEach, describe, expect, test } from 'vitest'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'
import { observe, paged, place } from '../harness/paged.ts'

afterEach(closeEmbedded)

const HOUR_MS = 3_600_000

describe('rules', () => {
  test('each rule is counted as often as guides say that it decided, by hour and in all, also after a restart', async () => {
    const real = await startEmbedded()
    await observe(real, 'the pump runs at night', { origin: 'user' })
    await observe(real, 'the pump is said to be blue', { origin: 'document' })
    await observe(real, 'the pump was seen at noon', { kind: 'event' })
    const expected = new Map<string, number>()
    for (let at = 0; at < 5; at += 1) {
      const asked = {
        ...place,
        query_text: 'when does the pump run',
        context_char_budget: at === 2 ? 300 : 4000,
      }
      const { guide_trace_id } = await real.ok('guide', asked)
      const { items } = await real.ok('listGuides', { ...place, guide_trace_id })
      for (const { rule_id } of items[0]?.detail?.memories ?? []) {
        expected.set(rule_id ?? '', (expected.get(rule_id ?? '') ?? 0) + 1)
      }
      real.clock.advance(HOUR_MS)
    }
    for (const isRestarted of [false, true]) {
      if (isRestarted) await real.restart()
      const { items } = await real.ok('countRules', place)
      expect(
        new Map(items.filter(({ count }) => count > 0).map((item) => [item.rule_id, item.count])),
      ).toEqual(expected)
      const used = items.find(({ rule_id }) => rule_id === 'S10')
      expect(used).toMatchObject({ surface: 'use_now', reason_code: 'clear', count: 5 })
      expect(used?.hours).toHaveLength(5)
      expect(used?.hours[0]).toEqual({ from: '2026-01-31T12:00:00.000Z', count: 1 })
    }
    const all = (await real.ok('countRules', place)).items
    expect(await paged(real, 'countRules', { ...place, limit: 3 })).toEqual(all)
    expect((await real.ok('countRules', { ...place, rule_id: 'S5' })).items).toHaveLength(1)
  })

  test('what runs reported is counted for the rule that admitted the memory, where it is asked for', async () => {
    const real = await startEmbedded()
    await observe(real, 'the pump runs at night')
    await observe(real, 'a page says that the pump runs by day', { origin: 'document' })
    const asked = { ...place, query_text: 'when does the pump run', run_id: 'run-1' }
    const { guide_trace_id, agent_context } = await real.ok('guide', asked)
    const [used_memory_ids, doubted] = [
      agent_context.use_now_memory_ids,
      agent_context.inspect_before_use_memory_ids,
    ]
    expect([used_memory_ids, doubted].map((ids) => ids.length)).toEqual([1, 1])
    const told = { ...place, guide_trace_id, outcome: 'positive', reason: 'it ran', run_id: 'run-1' }
    await real.ok('feedback', { ...told, used_memory_ids, used_surface: 'use_now' })
    const { items } = await real.ok('countRules', { ...place, outcomes: true })
    const none = { positive: 0, negative: 0, neutral: 0 }
    expect(items.find(({ rule_id }) => rule_id === 'S10')?.outcomes).toEqual({ ...none, positive: 1 })
    expect(items.find(({ rule_id }) => rule_id === 'S5')?.outcomes).toEqual(none)
    // A report that names the run alone is one report, however many guides the run had.
    await real.ok('guide', asked)
    const { guide_trace_id: _none, ...ofRun } = { ...told, outcome: 'neutral' }
    await real.ok('feedback', { ...ofRun, used_memory_ids, used_surface: 'use_now' })
    const again = (await real.ok('countRules', { ...place, outcomes: true })).items
    expect(again.find(({ rule_id }) => rule_id === 'S10')?.outcomes?.neutral).toBe(1)
    expect((await real.ok('countRules', place)).items.every(({ outcomes }) => outcomes === undefined)).toBe(
      true,
    )
  })

  test('nothing but a guide changes the counts', async () => {
    const real = await startEmbedded()
    const id = await observe(real, 'the pump runs at night')
    const asked = { ...place, query_text: 'when does the pump run', run_id: 'run-1' }
    const { guide_trace_id } = await real.ok('guide', asked)
    const before = (await real.ok('countRules', place)).items
    await real.ok('listGuides', { ...place, guide_trace_id })
    await real.ok('flightRecorder', { ...place, replay_source: 'journal', guide_trace_id })
    await real.ok('forget', {
      ...place,
      operation: 'suppress',
      target: 'memory',
      reason: 'x',
      memory_ids: [id],
    })
    expect((await real.ok('countRules', place)).items).toEqual(before)
  })
})

describe('effect', () => {
  /** A task whose run without memory failed and whose run with memory succeeded. */
  async function pair(real: Embedded, task_id: string): Promise<void> {
    const run = (run_id: string, outcome: string, agent_id: string) =>
      real.ok('observe', {
        ...place,
        execution: { run_id, task_id, task_signature: 'fix', summary: `fixed ${task_id}`, outcome, agent_id },
      })
    await run(`alone-${task_id}`, 'failed', 'solo')
    await real.ok('guide', {
      ...place,
      query_text: 'how does the pump run',
      run_id: `guided-${task_id}`,
      task_signature: 'fix',
      consumer_agent_id: 'worker',
    })
    await run(`guided-${task_id}`, 'succeeded', 'worker')
  }

  test('shares and counts are shown from the first run on, a verdict from ten pairs on', async () => {
    const real = await startEmbedded()
    await observe(real, 'the pump runs at night', { origin: 'user' })
    await real.ok('observe', { ...place, execution: { run_id: 'x', task_signature: 'idle', summary: 'did' } })
    for (let at = 0; at < 9; at += 1) await pair(real, `t${at}`)
    const few = await real.ok('compareEffect', place)
    expect(few.items).toMatchObject([
      {
        task_signature: 'fix',
        with_memory: { runs: 9, succeeded: 9, share: 1, interval: { low: 0.701, high: 1 } },
        without_memory: { runs: 9, succeeded: 0, share: 0, interval: { low: 0, high: 0.299 } },
        pairs: { count: 9, needed: 10, interval: null },
        verdict: 'not_enough_evidence',
        runs_cut: false,
      },
    ])
    await pair(real, 't9')
    const enough = await real.ok('compareEffect', { ...place, task_signature: 'fix' })
    expect(enough.items[0]).toMatchObject({ pairs: { count: 10, difference: 1 }, verdict: 'positive' })
    // The same as measure says of the task.
    const { effect_report } = await real.ok('measure', {
      ...place,
      baseline: {},
      guided: {},
      task_signature: 'fix',
    })
    expect(effect_report.paired_outcomes).toMatchObject({ pair_count: 10, direction: 'positive' })
    expect((await real.ok('compareEffect', { ...place, task_signature: 'none' })).items).toEqual([])
  })

  test('ends are told by hour, the newest 168 of them, and all in the totals', async () => {
    const real = await startEmbedded()
    await observe(real, 'the pump runs at night', { origin: 'user' })
    await pair(real, 'first')
    const first = (await real.ok('compareEffect', place)).items[0]
    expect(first?.hours).toEqual([
      {
        from: '2026-01-31T12:00:00.000Z',
        with_memory: { runs: 1, succeeded: 1 },
        without_memory: { runs: 1, succeeded: 0 },
      },
    ])
    real.clock.advance(167 * HOUR_MS)
    await pair(real, 'second')
    expect((await real.ok('compareEffect', place)).items[0]?.hours).toHaveLength(2)
    real.clock.advance(HOUR_MS)
    await pair(real, 'third')
    const last = (await real.ok('compareEffect', place)).items[0]
    expect(last?.hours.map(({ from }) => from)).toEqual([
      '2026-02-07T11:00:00.000Z',
      '2026-02-07T12:00:00.000Z',
    ])
    expect(last?.with_memory.runs).toBe(3)
  })

  test('a run whose step is revised to its end has ended then', async () => {
    const real = await startEmbedded()
    const step = { client_id: 'step', run_id: 'run-1', task_signature: 'fix', title: 'Fix' }
    await real.ok('observe', { ...place, execution: { ...step, summary: 'begun', outcome: 'unknown' } })
    real.clock.advance(5 * HOUR_MS)
    await real.ok('observe', { ...place, execution: { ...step, summary: 'fixed', outcome: 'succeeded' } })
    const { items } = await real.ok('compareEffect', place)
    expect(items[0]?.hours.map(({ from }) => from)).toEqual(['2026-01-31T17:00:00.000Z'])
  })

  test.each([
    ['a run', 'guided-t0'],
    ['a guide of a run', 'guided-t0'],
    ['a guide without a run', null],
  ])(
    'once %s is erased, its run is neither one with memory nor one without, also after a restart',
    async (what, run_id) => {
      const real = await startEmbedded()
      await observe(real, 'the pump runs at night', { origin: 'user' })
      await pair(real, 'before')
      real.clock.advance(HOUR_MS)
      const asked = { ...place, query_text: 'how does the pump run', task_signature: 'fix', run_id }
      const { guide_trace_id: id } = await real.ok('guide', asked)
      await real.ok('finish', { ...place, guide_trace_id: id, outcome: 'succeeded', summary: 'fixed it' })
      const counted = { with_memory: { runs: run_id === null ? 1 : 2 }, without_memory: { runs: 1 } }
      expect((await real.ok('compareEffect', place)).items).toMatchObject([counted])
      const named = what === 'a run' ? { run_ids: [run_id] } : { guide_trace_ids: [id] }
      await real.ok('erase', { ...place, reason: 'asked for', ...named })
      for (const isRestarted of [false, true]) {
        if (isRestarted) await real.restart()
        const { items } = await real.ok('compareEffect', place)
        expect(items).toMatchObject([{ with_memory: { runs: 1 }, without_memory: { runs: 1, succeeded: 0 } }])
      }
    },
  )

  test('tasks are listed page by page in the order of their signatures', async () => {
    const real = await startEmbedded()
    for (const task of ['c', 'a', 'b', 'd']) {
      const execution = { run_id: `run-${task}`, task_signature: task, summary: 'did', outcome: 'succeeded' }
      await real.ok('observe', { ...place, execution })
    }
    const listed = await paged(real, 'compareEffect', { ...place, limit: 1 })
    expect(listed.map(({ task_signature }) => task_signature)).toEqual(['a', 'b', 'c', 'd'])
  })
})
