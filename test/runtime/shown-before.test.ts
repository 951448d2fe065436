import { afterEach, expect, test } from 'vitest'
import { GuidePromptResponse } from '../../src/contract/guide.ts'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const place = { tenant_id: 'acme', scope: 'web' }
const asked = {
  ...place,
  query_text: 'run the suite',
  view: 'prompt',
  omit_shown_in: 'session',
  lines: 'brief',
}

test('P9, P10: a session is told each line once, also after a restart; a finish names the lines of all its guides', async () => {
  const real = await startEmbedded({})
  const kept = async (body: object) => (await real.ok('observe', { ...place, ...body })).memory_ids[0] ?? ''
  const usable = await kept({ input_text: 'Run the suite with pnpm test.' })
  const candidate = await kept({ input_text: 'The suite needs a running cache.', origin: 'document' })
  const context = { requestId: 'test', operationId: null }
  const ask = async (more: object = {}) =>
    GuidePromptResponse.parse(await real.runtime.execute('guide', { ...asked, ...more }, context))
  const first = await ask()
  expect(first.agent_context.handles).toEqual({
    m1: { memory_id: usable, surface: 'use_now' },
    m2: { memory_id: candidate, surface: 'inspect_before_use' },
  })
  expect(first.agent_context.prompt_text).toContain('Run the suite with pnpm test.')
  expect(first.agent_context.prompt_text).toMatch(/^\[m2\] fact \(\d{4}-\d\d-\d\d\): not yet confirmed/mu)
  expect(first.agent_context.prompt_text).not.toContain('cache')
  const rule = await kept({ input_text: 'The suite runs on port 4000.' })
  await real.restart()
  const second = await ask()
  expect(second.agent_context.handles).toEqual({ m3: { memory_id: rule, surface: 'use_now' } })
  await real.restart()
  const detail = await real.ok('listGuides', { ...place, guide_trace_id: second.guide_trace_id })
  expect(JSON.stringify(detail)).toContain('"reproduced":true')
  const named = { ...place, guide_trace_id: second.guide_trace_id, run_id: 'session-1' }
  const finished = await real.ok('finish', {
    ...named,
    outcome: 'succeeded',
    used_memory_ids: ['m1', 'm3', 'm2'],
  })
  expect(finished.run_id).toBe('session-1')
  const evidence = Object.fromEntries(finished.evidence.map(({ memory_id, surface }) => [memory_id, surface]))
  expect(evidence).toEqual({ [usable]: 'use_now', [candidate]: 'inspect_before_use', [rule]: 'use_now' })
  const refused = await real.refused('finish', {
    ...named,
    run_id: 'x',
    outcome: 'succeeded',
    used_memory_ids: ['m9'],
  })
  expect(refused.error).toBe('guide_trace_used_memory_not_exposed')
  const looked = await real.ok('rehydrate', {
    ...place,
    guide_trace_id: second.guide_trace_id,
    reason: 'look',
    memory_ids: ['m1'],
  })
  expect(looked.result.memories.map(({ memory_id }) => memory_id)).toEqual([usable])
  const whole = await ask({ restart: true })
  expect(Object.keys(whole.agent_context.handles)).toEqual(['m4', 'm5', 'm6', 'm7'])
  const recorded = {
    ...place,
    guide_trace_id: second.guide_trace_id,
    replay_source: 'journal',
    include_now: true,
  }
  await real.ok('flightRecorder', recorded)
})

test('what may be used now reads the same in a brief guide: it is not printed again in a whole one', async () => {
  const real = await startEmbedded({})
  await real.ok('observe', { ...place, input_text: 'Run the suite with pnpm test.' })
  const named = { ...asked, run_id: 'session', view: undefined, handles: true }
  expect((await real.ok('guide', named)).agent_context.use_now).toHaveLength(1)
  const whole = await real.ok('guide', { ...named, lines: undefined })
  expect(whole.agent_context.use_now).toEqual([])
})

test('a restart without omit_shown_in is said to do nothing', async () => {
  const real = await startEmbedded({})
  const answer = await real.ok('guide', { ...place, query_text: 'x', restart: true })
  expect(answer.warnings).toEqual([expect.stringContaining('omit_shown_in')])
})

test('P10: an erased guide of another run leaves no handle that means two memories', async () => {
  const real = await startEmbedded({})
  for (const hall of ['A', 'B'])
    await real.ok('observe', { ...place, input_text: `The pump is in hall ${hall}.` })
  const ask = { ...place, query_text: 'pump hall', handles: true, omit_shown_in: 'session' }
  const first = await real.ok('guide', ask)
  const other = await real.ok('guide', { ...place, query_text: 'pump', run_id: 'other' })
  await real.ok('erase', { ...place, reason: 'asked for', guide_trace_ids: [other.guide_trace_id] })
  await real.ok('observe', { ...place, input_text: 'The new pump is in hall C.' })
  const second = await real.ok('guide', ask)
  const handlesIn = (answer: typeof first) => answer.agent_context.prompt_text.match(/^\[m\d+\]/gmu) ?? []
  const both = [...handlesIn(first), ...handlesIn(second)]
  expect(both).toHaveLength(5)
  expect(new Set(both).size).toBe(5)
  const fresh = await real.ok('guide', { ...ask, omit_shown_in: 'later' })
  expect(handlesIn(fresh)).toContain('[m1]')
})

test('P10: nor does the erasure of the run itself, or a guide with ids behind an erasure', async () => {
  const real = await startEmbedded({})
  const say = (hall: string) => real.ok('observe', { ...place, input_text: `The pump is in hall ${hall}.` })
  const ask = { ...place, query_text: 'pump hall', handles: true, omit_shown_in: 'session' }
  const handlesNow = async (): Promise<readonly string[]> => {
    const { agent_context } = await real.ok('guide', { ...ask, restart: true })
    return agent_context.prompt_text.match(/^\[m\d+\]/gmu) ?? []
  }
  await say('A')
  const first = await handlesNow()
  await real.ok('erase', { ...place, reason: 'asked for', run_ids: [ask.omit_shown_in] })
  await say('B')
  const second = await handlesNow()
  const other = await real.ok('guide', { ...place, query_text: 'pump', run_id: 'other' })
  await real.ok('erase', { ...place, reason: 'asked for', guide_trace_ids: [other.guide_trace_id] })
  await say('C')
  await real.ok('guide', { ...ask, handles: false })
  const third = await handlesNow()
  const all = [...first, ...second, ...third]
  expect(all).toHaveLength(6)
  expect(new Set(all).size).toBe(6)
})

test('P9: what is weak does not move up into the places of lines that the run was shown', async () => {
  const real = await startEmbedded({})
  const text = (n: number) => `The pump number ${n} of row ${n * 7} is painted green.`
  const nodes = Array.from({ length: 40 }, (_, n) => ({ text: text(n) }))
  await real.ok('observe', { ...place, nodes })
  await real.ok('observe', { ...place, input_text: 'The pump valve in the hall is closed at night.' })
  const ask = { ...place, query_text: 'pump valve hall', limit: 8, handles: true, omit_shown_in: 'session' }
  const printedBy = async () =>
    (await real.ok('guide', ask)).agent_context.prompt_text.match(/^\[m\d+\]/gmu)?.length ?? 0
  expect([await printedBy(), await printedBy(), await printedBy()]).toEqual([8, 0, 0])
})
