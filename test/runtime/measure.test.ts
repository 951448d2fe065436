import { describe, expect, test } from 'vitest'
import { MARKS_MAX } from '../../src/core/model/state.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { Scene } from '../harness/scene.ts'

const real = await startEmbedded({ config: { durability: 'none' } })
let scopes = 0
const scene = (more: object = {}) => new Scene(real, `measure ${(scopes += 1)}`, more)
const HELP = { outcome: 'positive', verifier_status: 'passed' }
const HARM = { outcome: 'negative', verifier_status: 'failed' }

describe('a loop of guides and feedback is measured from the own records', () => {
  test('help: a verified positive outcome of the guide after shows it, with memory and reason', async () => {
    const { place, before, after, memoryId, feedback } = await scene().loop(HELP)
    const answer = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: before, after_guide: after, feedback_result: feedback },
    })
    expect(answer.evidence_assessment).toMatchObject({ status: 'sufficient', provenance: 'runtime_verified' })
    expect(answer.evidence_assessment.runtime_evidence_ids).toEqual([
      before.guide_trace_id,
      after.guide_trace_id,
    ])
    const { history_impact: impact, feedback_signal_summary: signals } = answer.effect_report
    expect(impact.impact_direction).toBe('positive')
    expect(impact.explanation).toContain(`Only the guide after gave for direct use: ${memoryId} (clear).`)
    expect(impact.explanation).toContain(`The outcome was positive (verifier passed) and names ${memoryId}.`)
    expect(signals.positive_attributed_memory_ids).toEqual([memoryId])
    expect(answer.effect_report.task.task_signature).toBe('fix:login')
  })

  test('the feedback answer is found as forget_result with operation activate, as clients send it', async () => {
    const { place, before, after, feedback } = await scene().loop(HELP)
    expect(feedback).toMatchObject({ operation: 'activate', guide_trace_id: after.guide_trace_id })
    const trace = { before_guide: before, after_guide: after, forget_result: feedback }
    const body = { ...place, task: { run_id: 'run-2' }, product_trace: { ...trace, evidence_ids: ['note'] } }
    const asForget = await real.ok('measure', body)
    expect(asForget.warnings).toBeUndefined()
    expect(asForget.effect_report.history_impact.impact_direction).toBe('positive')
    // Outcome and ids come from the records: without the answer the measurement is the same.
    const { forget_result: _unsaid, ...without } = trace
    const silent = await real.ok('measure', {
      ...body,
      product_trace: { ...without, evidence_ids: ['note'] },
    })
    const { memory_decision_trace: told, memory_decision_audit: audit, ...rest } = asForget
    expect(silent).toMatchObject(rest)
    // The trace of the guide tells what was supplied, and the audit is of that trace.
    expect(told).toMatchObject({
      guide_trace_id: after.guide_trace_id,
      replay_source: 'runtime_record',
      artifact_mismatch: [],
      input: { forget_result_present: true },
    })
    expect(audit).toMatchObject({ agent_prompt_included: false, runtime_mutation: false })
  })

  test('guides asked for with view prompt are measured like whole ones: their answers list nothing', async () => {
    const { place, before, after } = await scene().loop(HELP)
    const viewed = ({ guide_trace_id, agent_context: { prompt_text } }: typeof after) => ({
      contract_version: 'svc_guide_prompt_v1',
      guide_trace_id,
      agent_context: { prompt_text, handles: {} },
    })
    const product_trace = { before_guide: viewed(before), after_guide: viewed(after) }
    const { evidence_assessment, effect_report } = await real.ok('measure', { ...place, product_trace })
    expect(evidence_assessment).toMatchObject({ status: 'sufficient', artifact_mismatch: [] })
    expect(effect_report.history_impact.impact_direction).toBe('positive')
    // What is there is compared.
    const other = { ...viewed(after), agent_context: { prompt_text: 'forged' } }
    const forged = await real.ok('measure', {
      ...place,
      product_trace: { ...product_trace, after_guide: other },
    })
    expect(forged.evidence_assessment.artifact_mismatch).toEqual([
      { guide_trace_id: after.guide_trace_id, field: 'prompt_text' },
    ])
  })

  test('a feedback answer without feedback is no outcome', async () => {
    const { place, before, after } = await scene().loop(null)
    const forged = { operation: 'activate', outcome: 'positive', guide_trace_id: after.guide_trace_id }
    const answer = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: before, after_guide: after, feedback_result: forged },
    })
    expect(answer.evidence_assessment.reasons).toContain('outcome_feedback_missing')
    expect(answer.effect_report.history_impact.impact_direction).toBe('insufficient_evidence')
  })

  test('one run shows nothing, however well it ended', async () => {
    const { place, before, after } = await scene().loop(HELP, {}, null)
    const answer = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: before, after_guide: after },
    })
    expect(answer.evidence_assessment.reasons).toEqual(['baseline_outcome_missing'])
    const { impact_direction, explanation } = answer.effect_report.history_impact
    expect(impact_direction).toBe('insufficient_evidence')
    expect(explanation).toContain('consistent with help; one run cannot show it.')
  })

  test('harm: a verified failure where the run had succeeded without what the guide after gave', async () => {
    const { place, before, after, memoryId } = await scene().loop(HARM, {}, 'succeeded')
    const answer = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: before, after_guide: after },
    })
    expect(answer.effect_report.history_impact.impact_direction).toBe('negative')
    expect(answer.effect_report.quality).toMatchObject({
      verifier_outcome: 'fail',
      negative_transfer_detected: true,
    })
    expect(answer.effect_report.feedback_signal_summary.strong_counter_signal_memory_ids).toEqual([memoryId])
  })

  test('a failure that a proven memory is forgiven has demoted nothing; the next one has', async () => {
    const { place, before, after, memoryId } = await scene().loop(HELP)
    const said = { ...place, reason: 'as it ended', used_surface: 'use_now', used_memory_ids: [memoryId] }
    const demotedBy = async (run_id: string, told: object): Promise<readonly string[]> => {
      const asked = { ...place, query_text: 'Why does the login test fail?', consumer_agent_id: 'worker-1' }
      const guide = await real.ok('guide', { ...asked, run_id, task_signature: 'fix:login' })
      await real.ok('feedback', { ...said, ...told, run_id, guide_trace_id: guide.guide_trace_id })
      const product_trace = { before_guide: before, after_guide: guide }
      const { effect_report: report } = await real.ok('measure', { ...place, product_trace })
      return report.learning_effect.demoted_memory_ids
    }
    expect(after.agent_context.use_now_memory_ids).toContain(memoryId)
    for (const run of ['run-3', 'run-4']) expect(await demotedBy(run, HELP)).toEqual([])
    expect(await demotedBy('run-5', HARM)).toEqual([])
    expect(await demotedBy('run-6', HARM)).toEqual([memoryId])
  })

  test('a negative of the run counts, whatever memory of whatever guide of the run it names', async () => {
    const { place, before, after, other } = await scene({ run_id: 'run-2' }).loop(HELP)
    const later = await real.ok('guide', { ...place, query_text: 'anything else?', run_id: 'run-2' })
    await real.ok('feedback', {
      ...place,
      ...HARM,
      reason: 'it broke the build',
      run_id: 'run-2',
      used_surface: 'use_now',
      guide_trace_id: later.guide_trace_id,
      used_memory_ids: [other],
    })
    const answer = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: before, after_guide: after },
    })
    expect(answer.evidence_assessment.reasons).toEqual(['outcomes_contradict'])
  })

  test('trace ids alone are enough where the guides are held', async () => {
    const { place, before, after } = await scene().loop(HELP)
    const named = ({ guide_trace_id }: { readonly guide_trace_id: string }) => ({ guide_trace_id })
    const answer = await real.ok('measure', {
      ...place,
      product_trace: { before_guide: named(before), after_guide: named(after) },
    })
    expect(answer.effect_report.history_impact.impact_direction).toBe('positive')
  })

  test('the same before and after a restart, when the guides lie in the ledger', async () => {
    const { place, before, after, feedback } = await scene().loop(HELP)
    const body = {
      ...place,
      product_trace: { before_guide: before, after_guide: after, feedback_result: feedback },
    }
    const answer = await real.ok('measure', body)
    await real.restart()
    expect(await real.ok('measure', body)).toEqual(answer)
  })

  test('a guide of another consumer is not found by a consumer, and neither is that of another scope', async () => {
    const { place, before, after } = await scene().loop(HELP)
    const trace = { product_trace: { before_guide: before, after_guide: after } }
    const stranger = await real.ok('measure', { ...place, consumer_agent_id: 'somebody-else', ...trace })
    const elsewhere = await real.ok('measure', { ...place, scope: 'elsewhere', ...trace })
    for (const answer of [stranger, elsewhere]) {
      expect(answer.evidence_assessment).toMatchObject({
        status: 'insufficient',
        provenance: 'unverified_product_trace',
        runtime_evidence_ids: [],
      })
      expect(answer.effect_report.feedback_signal_summary.present).toBe(false)
    }
    const own = await real.ok('measure', { ...place, consumer_agent_id: 'worker-1', ...trace })
    expect(own.evidence_assessment.status).toBe('sufficient')
  })
})

describe('several runs are compared', () => {
  const observed = async (place: object, run_id: string, task_id: string, outcome: string) =>
    real.ok('observe', {
      ...place,
      execution: { run_id, task_id, task_signature: 'port:parser', title: `Run ${run_id}`, outcome },
    })
  const compared = async (place: object, more: object = { task: { task_signature: 'port:parser' } }) => {
    const answer = await real.ok('measure', { ...place, baseline: {}, guided: {}, ...more })
    // Empty observations claim nothing; the comparison stands beside them.
    expect(answer.effect_report.history_impact.impact_direction).toBe('insufficient_evidence')
    // Without a guide there is no trace to tell.
    expect(answer).not.toHaveProperty('memory_decision_trace')
    return answer.effect_report.paired_outcomes
  }
  const place = () => ({ tenant_id: 'measure', scope: `pairs ${(scopes += 1)}` })

  async function runs(where: object, tasks: number, guidedOutcome: (task: number) => string): Promise<void> {
    for (let task = 0; task < tasks; task += 1) {
      await observed(where, `plain-${task}`, `T-${task}`, 'failed')
      const run_id = `guided-${task}`
      await real.ok('guide', { ...where, query_text: 'the parser rule', run_id })
      await observed(where, run_id, `T-${task}`, guidedOutcome(task))
    }
  }

  test('runs that had memory against runs without it, with interval, sizes, help and harm apart', async () => {
    const where = place()
    await real.ok('observe', { ...where, input_text: 'The parser rule: keep offsets in code units.' })
    await runs(where, 12, (task) => (task < 9 ? 'succeeded' : 'failed'))
    const paired = await compared(where)
    // 9 of 12 tasks won, none lost: .75.
    expect(paired).toMatchObject({
      direction: 'positive',
      pair_count: 12,
      guided_run_count: 12,
      without_memory_run_count: 12,
      guided_success_rate: 0.75,
      without_memory_success_rate: 0,
      difference: 0.75,
      help_rate: 0.75,
      harm_rate: 0,
    })
    expect(paired?.interval?.low).toBeGreaterThan(0)
    expect(await compared(where, {})).toEqual(paired)
    expect(await compared(where, { task: { task_signature: 'another' } })).toBeNull()
    await real.restart()
    expect(await compared(where)).toEqual(paired)
  })

  test('nine paired tasks claim nothing', async () => {
    const where = place()
    await real.ok('observe', { ...where, input_text: 'The parser rule: keep offsets in code units.' })
    await runs(where, 9, () => 'succeeded')
    expect(await compared(where)).toMatchObject({
      direction: 'insufficient_evidence',
      pair_count: 9,
      interval: null,
    })
  })

  test('a run that was shown nothing for direct use is in neither arm', async () => {
    const where = place()
    await runs(where, 3, () => 'failed')
    expect(await compared(where)).toMatchObject({
      pair_count: 0,
      guided_run_count: 0,
      unpaired_run_count: 3,
    })
  })

  test('feedback against a run counts as its failure, also where it recorded a success', async () => {
    const where = place()
    const { memory_ids } = await real.ok('observe', { ...where, input_text: 'The parser rule: count bytes.' })
    await runs(where, 10, () => 'succeeded')
    for (let task = 0; task < 10; task += 1) {
      await real.ok('feedback', {
        ...where,
        reason: 'the hidden tests failed',
        run_id: `guided-${task}`,
        outcome: 'negative',
        used_surface: 'use_now',
        used_memory_ids: memory_ids,
      })
    }
    expect(await compared(where)).toMatchObject({ pair_count: 10, guided_success_rate: 0, difference: 0 })
  })

  test('guides that name no run may belong to any run of their agent: it is no run without memory', async () => {
    const where = place()
    await real.ok('guide', { ...where, query_text: 'the parser rule' })
    await observed(where, 'plain-1', 'T-1', 'failed')
    expect(await compared(where)).toBeNull()
  })

  test('a guide that a clock set back puts behind guides that were measured may still be that of a run', async () => {
    const where = place()
    await real.ok('observe', { ...where, input_text: 'The parser rule: keep offsets in code units.' })
    await real.ok('guide', { ...where, query_text: 'the parser rule', run_id: 'guided-1' })
    await observed(where, 'guided-1', 'T-1', 'succeeded')
    // The guide lies in the ledger then.
    await real.restart()
    const alone = await compared(where)
    real.clock.advance(-3_600_000)
    await real.ok('guide', { ...where, query_text: 'the parser rule' })
    await observed(where, 'run-2', 'T-1', 'failed')
    expect(await compared(where)).toEqual(alone)
    real.clock.advance(2 * 3_600_000)
    await real.ok('guide', { ...where, query_text: 'the parser rule', run_id: 'guided-3' })
    expect(await compared(where)).toEqual(alone)
  })

  test('a run of which feedback may be forgotten, as its memory has too much that is newer, is in neither arm', async () => {
    const where = place()
    const { memory_ids } = await real.ok('observe', { ...where, input_text: 'The parser rule: count bytes.' })
    await runs(where, 10, () => 'succeeded')
    const told = (run_id: string, outcome: string) =>
      real.ok('feedback', {
        ...where,
        reason: 'the hidden tests say so',
        run_id,
        outcome,
        used_surface: 'use_now',
        used_memory_ids: memory_ids,
      })
    for (let task = 0; task < 10; task += 1) await told(`guided-${task}`, 'negative')
    for (let at = 11; at < MARKS_MAX; at += 1) await told(`later-${at}`, 'neutral')
    expect(await compared(where)).toMatchObject({ pair_count: 10, guided_success_rate: 0 })
    for (let at = 0; at < 11; at += 1) await told(`latest-${at}`, 'neutral')
    expect(await compared(where)).toMatchObject({ direction: 'insufficient_evidence', pair_count: 0 })
  })

  test('held-out runs are runs without memory', async () => {
    await real.restart({ durability: 'none', holdoutPercent: 100 })
    const where = place()
    await real.ok('observe', { ...where, input_text: 'The parser rule: keep offsets in code units.' })
    await runs(where, 2, () => 'succeeded')
    expect(await compared(where)).toMatchObject({
      guided_run_count: 0,
      without_memory_run_count: 0,
      unpaired_run_count: 4,
    })
    await real.restart({ durability: 'none' })
  })
})
