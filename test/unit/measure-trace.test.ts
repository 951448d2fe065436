import { describe, expect, test } from 'vitest'
import { EffectReport, EvidenceAssessment } from '../../src/contract/effect-report.ts'
import type { RecordedEnd, RecordedFeedback, RecordedGuide } from '../../src/core/measure/evidence.ts'
import type { RuntimeRecords } from '../../src/core/measure/job.ts'
import { measure } from '../../src/core/measure/measure.ts'
import {
  AFTER,
  BEFORE,
  FAILED,
  HELD,
  LOST,
  NO_RECORDS,
  NOTHING,
  PASSED,
  response,
  SHOWN,
  TASK,
  TRACE,
  traceJob,
} from '../support/measure-samples.ts'

const run = (trace: object, records: RuntimeRecords = HELD, more = {}) => {
  const measurement = measure(traceJob(trace, { records, ...more }))
  EffectReport.parse(measurement.effect_report)
  EvidenceAssessment.parse(measurement.evidence_assessment)
  const { evidence_assessment: evidence, effect_report: effect } = measurement
  return { ...measurement, evidence, effect, direction: effect.history_impact.impact_direction }
}

const with_ = (
  guides: readonly RecordedGuide[],
  feedback: readonly RecordedFeedback[] = [PASSED],
  ends: readonly RecordedEnd[] = [LOST],
) => ({ ...NO_RECORDS, guides, feedback, ends })
const WON = { ...LOST, isSuccess: true }

describe('a product trace', () => {
  // before: nothing shown. guidance 0 · 0/1 · 0/1 · saved 1 - 4/5 = .2: .05; learning 0 · 0 · .65: .21667;
  //   forgetting: an empty baseline counts one item, none useful: 0 · 1 · .7: .56667;
  //   learning control: nothing blocked .55 · 1 · 1 · 1: .8875.
  // after: m1 to use, m9 as a warning, m1 credited. guidance 1 · 1/1 · 0/1 · 1: .75; learning 0 · 1 · .65: .55;
  //   forgetting: 1 of 2 items of use .5 · held back 1/1 · .7: .73333; learning control 1 · 1 · 1 · 1: 1.
  test('help: recorded guides and a verified positive outcome show it', () => {
    const seen = run({ ...TRACE, sufficient_evidence: true, evidence_ids: ['note-1'] })
    expect(
      seen.kernel_report.kernel_scores.map(({ baseline_score, score }) => [baseline_score, score]),
    ).toEqual([
      [0.05, 0.75],
      [0.217, 0.55],
      [0.567, 0.733],
      [0.888, 1],
    ])
    // .75833 - .43021 = .32813
    expect(seen.kernel_report).toMatchObject({ effect_delta: 0.328, status: 'warn' })
    expect(seen.direction).toBe('positive')
    expect(seen.evidence).toEqual({
      status: 'sufficient',
      provenance: 'runtime_verified',
      reasons: [],
      runtime_evidence_ids: [BEFORE.guideTraceId, AFTER.guideTraceId],
      artifact_mismatch: [],
      client_claims_ignored: { sufficient_evidence: true, evidence_id_count: 1 },
    })
    expect(seen.effect.comparison).toEqual({
      mode: 'observe_only_vs_active',
      baseline_run_id: null,
      guided_run_id: 'run-2',
      sufficient_evidence: true,
    })
    expect(seen.effect.quality).toMatchObject({ verifier_outcome: 'pass', negative_transfer_detected: false })
    // 'nothing' is 7 characters, 'use m1' 6: two tokens each
    expect(seen.effect.efficiency).toMatchObject({ repeated_discovery_delta: -4, token_delta: 0 })
    expect(seen.effect.evidence.evidence_ids).toEqual([BEFORE.guideTraceId, AFTER.guideTraceId, 'note-1'])
  })

  test('harm: a verified failure where the run of the guide before succeeded is negative', () => {
    const seen = run(TRACE, { ...HELD, ends: [WON], feedback: [FAILED] })
    expect(seen.evidence.status).toBe('sufficient')
    // guidance 0 · 1 · 0 · 1: the run failed where the one before it succeeded, whatever the kernel gained.
    expect(seen.kernel_report.kernel_scores[0]?.score).toBe(0.5)
    expect(seen.direction).toBe('negative')
    expect(seen.effect.quality.verifier_outcome).toBe('fail')
    expect(seen.effect.history_impact.explanation).toContain(
      'Only the guide after gave for direct use: m1 (clear). Only the guide after warned of: m9 (suppressed). ' +
        'The outcome was negative (verifier failed) and names m1.',
    )
  })

  test('a failure that the run before had as well is no harm, whatever it blames', () => {
    const other = { ...FAILED, memoryId: 'm77', guideTraceId: null }
    expect(run(TRACE, { ...HELD, feedback: [other] }).direction).toBe('neutral')
    const unseen = { ...FAILED, memoryId: null, guideTraceId: null }
    const seen = run(TRACE, { ...HELD, feedback: [unseen] })
    expect(seen.direction).toBe('neutral')
    expect(seen.effect.history_impact.explanation).toContain('names memory not shown here.')
    expect(seen.effect.learning_effect.demoted_memory_ids).toEqual([])
    const before = { ...FAILED, guideTraceId: BEFORE.guideTraceId, seq: 15 }
    expect(run(TRACE, { ...HELD, ends: [], feedback: [before, FAILED] }).direction).toBe('neutral')
  })

  test('a run without one to compare it with is consistent with help or harm, and shows neither', () => {
    for (const [outcome, word] of [
      [PASSED, 'help'],
      [FAILED, 'harm'],
    ] as const) {
      const seen = run(TRACE, { ...HELD, ends: [], feedback: [outcome] })
      expect(seen.evidence.reasons).toEqual(['baseline_outcome_missing'])
      expect(seen.direction).toBe('insufficient_evidence')
      expect(seen.effect.quality.negative_transfer_detected).toBe(false)
      expect(seen.effect.history_impact.explanation).toContain(
        `consistent with ${word}; one run cannot show it.`,
      )
    }
  })

  test('two runs that both succeeded show nothing, although the derived numbers differ', () => {
    const seen = run(TRACE, { ...HELD, ends: [WON] })
    expect(seen.kernel_report.effect_delta).toBeGreaterThan(0.05)
    expect(seen.direction).toBe('neutral')
    expect(seen.effect.training_candidates.map(({ label }) => label)).not.toContain('positive')
  })

  test('a run that recorded its failure failed, whatever feedback says', () => {
    const failed = { guideTraceId: AFTER.guideTraceId, isSuccess: false }
    expect(run(TRACE, { ...HELD, ends: [LOST, failed] }).direction).toBe('neutral')
    expect(run(TRACE, { ...HELD, ends: [WON, failed] }).direction).toBe('negative')
  })

  test('many paired tasks stand in for the run before, in both directions', () => {
    const outcomes = (isSuccess: boolean) =>
      Array.from({ length: 12 }, (_, task) => [
        { taskKey: `t${task}`, arm: 'guided' as const, isSuccess },
        { taskKey: `t${task}`, arm: 'without_memory' as const, isSuccess: !isSuccess },
      ]).flat()
    const seen = run(TRACE, { ...HELD, ends: [], outcomes: outcomes(true) })
    expect(seen.evidence.status).toBe('sufficient')
    expect(seen.direction).toBe('positive')
    expect(run(TRACE, { ...HELD, ends: [], outcomes: outcomes(false) }).direction).toBe('negative')
    const failed = { ...HELD, ends: [], feedback: [FAILED], outcomes: outcomes(true) }
    expect(run(TRACE, failed).direction).toBe('neutral')
  })

  test('a positive that names another guide of the run speaks for that one', () => {
    const elsewhere = { ...PASSED, guideTraceId: BEFORE.guideTraceId }
    expect(run(TRACE, { ...HELD, feedback: [elsewhere] }).evidence.reasons).toEqual([
      'outcome_feedback_missing',
    ])
  })

  test('harm: an outcome belongs to the guide that it names, also when both guides stand in one run', () => {
    const before = { ...BEFORE, exposed: SHOWN }
    const seen = run(
      { ...TRACE, before_guide: response(before, 'nothing') },
      with_([before, AFTER], [{ ...PASSED, guideTraceId: null, seq: 15 }, FAILED], []),
    )
    expect(seen.evidence.reasons).toEqual([])
    expect(seen.measurement_input).toMatchObject({ baseline: { success: true }, guided: { success: false } })
    expect(seen.direction).toBe('negative')
  })

  test('how a run ended is what the records say, not what the caller says', () => {
    const after = { ...TRACE.after_guide, success: true, workflowReused: true }
    const seen = run({ ...TRACE, after_guide: after }, { ...HELD, feedback: [FAILED] })
    expect(seen.measurement_input.guided.success).toBe(false)
    expect(seen.effect.quality.workflow_reuse_outcome).toBe('failure')
    const unheld = run({ ...TRACE, after_guide: after }, NO_RECORDS)
    expect(unheld.measurement_input.guided.success).toBe(true)
    expect(unheld.effect.quality.workflow_reuse_outcome).toBe('mixed')
  })

  test('a negative of the run counts whatever memory it names', () => {
    const other = { ...FAILED, memoryId: 'm77', guideTraceId: 'guide_trace:third' }
    expect(run(TRACE, { ...HELD, feedback: [PASSED, other] }).evidence.reasons).toEqual([
      'outcomes_contradict',
    ])
  })

  test('harm: a run that failed after one that succeeded without this guide is negative', () => {
    const before = { ...BEFORE, runId: 'run-1', exposed: SHOWN }
    const seen = run(
      { ...TRACE, before_guide: response(before, 'nothing') },
      with_(
        [before, AFTER],
        [{ ...PASSED, runId: 'run-1', guideTraceId: before.guideTraceId, seq: 15 }, FAILED],
        [],
      ),
      {
        task: { ...TASK, runId: null },
        comparison: {
          mode: null,
          baselineRunId: 'run-1',
          guidedRunId: 'run-2',
          sufficientEvidence: null,
        },
      },
    )
    expect(seen.evidence.reasons).toEqual([])
    expect(seen.direction).toBe('negative')
    expect(seen.effect.learning_effect.demoted_memory_ids).toEqual(['m1'])
  })

  test('a guide that this runtime does not hold is no error and no evidence', () => {
    const seen = run({ ...TRACE, sufficient_evidence: true }, NO_RECORDS)
    expect(seen.evidence).toMatchObject({
      status: 'insufficient',
      provenance: 'unverified_product_trace',
      reasons: ['before_guide_receipt_not_verified', 'after_guide_receipt_not_verified'],
    })
    expect(seen.direction).toBe('insufficient_evidence')
    expect(seen.effect.history_impact).toMatchObject({ changed_future_behavior: false, changed_fields: [] })
    expect(seen.effect.training_candidates.every(({ export_ready }) => !export_ready)).toBe(true)
  })

  test('an artifact that differs from the record is named and believed in nothing', () => {
    const forged = response({ ...AFTER, exposed: { ...SHOWN, use_now: ['m1', 'm2'] } }, 'use m1 and m2')
    const seen = run({ ...TRACE, after_guide: forged })
    expect(seen.evidence.artifact_mismatch).toEqual([
      { guide_trace_id: AFTER.guideTraceId, field: 'use_now_memory_ids' },
      { guide_trace_id: AFTER.guideTraceId, field: 'prompt_text' },
    ])
    expect(seen.evidence.provenance).toBe('unverified_product_trace')
    expect(seen.direction).toBe('insufficient_evidence')
  })

  test('two guides that gave the same memory differ in nothing, whatever became of it afterwards', () => {
    const before = { ...BEFORE, runId: 'run-1', exposed: SHOWN }
    const more = {
      task: { ...TASK, runId: null },
      comparison: { mode: null, baselineRunId: 'run-1', guidedRunId: 'run-2', sufficientEvidence: null },
    }
    const records = with_([before, AFTER])
    const seen = run({ ...TRACE, before_guide: response(before, 'nothing') }, records, more)
    // The first failed and the second did not, with the same memory: it is not what made the difference.
    expect(seen.measurement_input).toMatchObject({ baseline: { success: false }, guided: { success: true } })
    expect(seen.evidence.status).toBe('sufficient')
    expect(seen.direction).toBe('neutral')
  })

  test('the word of the caller for how the run before ended counts neither without the records nor against them', () => {
    const lost = { ...TRACE, baseline: { success: false, contextItems: 100, usefulContextItems: 1 } }
    const against = run(lost, { ...HELD, ends: [WON] })
    expect(against.evidence.reasons).toEqual(['numbers_not_supported_by_records'])
    expect(against.direction).toBe('insufficient_evidence')
    const without = run(lost, { ...HELD, ends: [] })
    expect(without.evidence.reasons).toEqual(['baseline_outcome_missing'])
    expect(without.direction).toBe('insufficient_evidence')
  })

  test.each<[string, RuntimeRecords, string]>([
    ['before_guide_receipt_not_verified', with_([AFTER]), 'unverified_product_trace'],
    ['guide_receipts_not_strictly_ordered', with_([{ ...BEFORE, seq: 25 }, AFTER]), 'runtime_verified'],
    ['guide_receipt_query_mismatch', with_([{ ...BEFORE, queryHash: 'other' }, AFTER]), 'runtime_verified'],
    [
      'guide_receipt_query_mismatch',
      with_([
        { ...BEFORE, queryHash: null },
        { ...AFTER, queryHash: null },
      ]),
      'runtime_verified',
    ],
    [
      'guide_receipt_consumer_mismatch',
      with_([{ ...BEFORE, consumerAgentId: 'b' }, AFTER]),
      'runtime_verified',
    ],
    ['guide_receipt_run_mismatch', with_([{ ...BEFORE, runId: 'run-7' }, AFTER]), 'runtime_verified'],
    ['outcome_feedback_missing', with_([BEFORE, AFTER], []), 'runtime_verified'],
    [
      'outcome_feedback_missing',
      with_([BEFORE, AFTER], [{ ...PASSED, outcome: 'neutral' }]),
      'runtime_verified',
    ],
    [
      'outcome_feedback_missing',
      with_([BEFORE, AFTER], [{ ...PASSED, isDirect: false }]),
      'runtime_verified',
    ],
    ['outcome_feedback_missing', with_([BEFORE, AFTER], [{ ...PASSED, seq: 19 }]), 'runtime_verified'],
    ['outcome_feedback_missing', with_([BEFORE, AFTER], [{ ...PASSED, memoryId: 'm5' }]), 'runtime_verified'],
    [
      'outcome_not_verified',
      with_([BEFORE, AFTER], [{ ...PASSED, verifierStatus: null }]),
      'runtime_verified',
    ],
    ['outcomes_contradict', with_([BEFORE, AFTER], [PASSED, FAILED]), 'runtime_verified'],
  ])('is insufficient for %s', (reason, records, provenance) => {
    const seen = run(TRACE, records)
    expect(seen.evidence.reasons).toContain(reason)
    expect(seen.evidence).toMatchObject({ status: 'insufficient', provenance })
    expect(seen.direction).toBe('insufficient_evidence')
  })

  test('guides of two runs are compared when the request names both, and the reason says so', () => {
    const before = { ...BEFORE, runId: 'run-7' }
    const unnamed = run(TRACE, with_([before, AFTER]))
    expect(unnamed.effect.history_impact.explanation).toContain('send comparison.baseline_run_id')
    const named = { mode: null, baselineRunId: 'run-7', guidedRunId: AFTER.runId, sufficientEvidence: null }
    const seen = run(TRACE, with_([before, AFTER]), { comparison: named })
    expect(seen.evidence.reasons).not.toContain('guide_receipt_run_mismatch')
  })

  test('is insufficient when the guide after gave nothing for direct use', () => {
    const after = { ...AFTER, exposed: { ...NOTHING, inspect_before_use: ['m1'] } }
    const seen = run({ ...TRACE, after_guide: response(after, 'use m1') }, with_([BEFORE, after]))
    expect(seen.evidence.reasons).toEqual(['after_guide_has_no_actionable_runtime_history'])
  })

  test('is insufficient when both guides are the same one', () => {
    const seen = run({ ...TRACE, before_guide: TRACE.after_guide })
    expect(seen.evidence.reasons).toContain('guide_receipts_must_be_distinct')
  })

  test('is insufficient with a baseline in words of the caller only', () => {
    const seen = run({ baseline: { label: 'without' }, after_guide: TRACE.after_guide })
    expect(seen.evidence).toMatchObject({ status: 'insufficient', provenance: 'runtime_verified' })
    expect(seen.evidence.reasons).toContain('before_guide_missing')
    expect(seen.measurement_input.baseline.label).toBe('without')
  })

  test('a trace id alone is enough where the runtime holds the guide', () => {
    const seen = run({
      before_guide: { guide_trace_id: BEFORE.guideTraceId },
      after_guide: { guide_trace_id: AFTER.guideTraceId },
    })
    expect(seen.evidence.status).toBe('sufficient')
    expect(seen.kernel_report.kernel_scores[0]).toMatchObject({ baseline_score: 0.05, score: 0.75 })
  })

  test('several recorded pairs that show harm outweigh one measured pair that shows help', () => {
    const outcomes = Array.from({ length: 12 }, (_, task) => [
      { taskKey: `t${task}`, arm: 'guided' as const, isSuccess: false },
      { taskKey: `t${task}`, arm: 'without_memory' as const, isSuccess: true },
    ]).flat()
    const seen = run(TRACE, { ...HELD, outcomes })
    expect(seen.direction).toBe('negative')
    expect(seen.effect.paired_outcomes).toMatchObject({ direction: 'negative', harm_rate: 1, help_rate: 0 })
    expect(seen.effect.history_impact.explanation).toContain(
      'Over 12 paired tasks the success rate changed by -1 (95 % from -1 to -1): 0 helped, 12 harmed.',
    )
    const few = run(TRACE, { ...HELD, outcomes: outcomes.slice(0, 4) })
    expect(few.direction).toBe('positive')
    expect(few.effect.history_impact.explanation).toContain(
      'Outcomes of 2 paired tasks are recorded; a comparison needs 10.',
    )
  })

  test('explicit numbers of baseline win over the guide before', () => {
    const seen = run({ ...TRACE, baseline: { repeated_discovery_steps: 5 } })
    expect(seen.measurement_input.baseline.continuity).toMatchObject({
      repeatedDiscoverySteps: 5,
      recoveredStateFacts: 0,
    })
    expect(seen.evidence.status).toBe('sufficient')
  })

  test('outcomes speak for and against memory, each on its list', () => {
    const seen = run(TRACE, {
      ...HELD,
      guides: [
        { ...BEFORE, exposed: { ...NOTHING, use_now: ['m3', 'm9'] } },
        { ...AFTER, exposed: { ...SHOWN, use_now: ['m1', 'm3', 'm8', 'm9'] } },
      ],
      feedback: [
        PASSED,
        { ...FAILED, memoryId: 'm2' },
        { ...FAILED, memoryId: 'm4', isStrong: false },
        { ...PASSED, memoryId: 'm5', outcome: 'neutral', isDirect: false },
        { ...PASSED, memoryId: 'm9', outcome: 'neutral', isDirect: false, guideTraceId: null },
      ],
      relationTargetIds: ['m6'],
    })
    expect(seen.effect.feedback_signal_summary).toEqual({
      present: true,
      source: 'memory_decision_audit',
      authority_mutation: false,
      positive_attributed_memory_ids: ['m1'],
      weak_counter_signal_memory_ids: ['m4'],
      strong_counter_signal_memory_ids: ['m2'],
      relation_counter_signal_memory_ids: ['m6'],
      contradiction_warning_memory_ids: [],
      repeated_unattributed_memory_ids: ['m3'],
      repeated_unattributed_without_positive_memory_ids: ['m3'],
      read_only_signal_memory_ids: ['m5', 'm9'],
      explanation: 'Outcomes speak for 1 and against 2 memories.',
    })
  })

  test('old memory and memory with newer neighbours are named, never moved', () => {
    const day = 86_400_000
    const memory = {
      memoryId: 'old',
      observedAtMs: 0,
      isActive: true,
      isAuthoritative: true,
      surface: 'use_now' as const,
      hasPositive: false,
      targetFiles: ['a.ts'],
      text: 'Token lifetime: an hour.',
    }
    const newer = { ...memory, observedAtMs: 90 * day, surface: null, text: 'The token lifetime is a day.' }
    const memories = [memory, { ...newer, memoryId: 'n1' }, { ...newer, memoryId: 'n2' }]
    const seen = run(TRACE, { ...HELD, memories }).effect
    expect(seen.confidence_decay_summary).toMatchObject({ threshold_days: 90, candidate_memory_ids: ['old'] })
    expect(seen.neighborhood_drift_summary.candidate_memory_ids).toEqual(['old'])
    // Six words in common are the same statement again.
    const text = 'alpha beta gamma delta epsilon zeta'
    const repeated = memories.map((row) => ({ ...row, text }))
    expect(run(TRACE, { ...HELD, memories: repeated }).effect.neighborhood_drift_summary.present).toBe(false)
    const confirmed = memories.map((row) => ({ ...row, hasPositive: true }))
    expect(run(TRACE, { ...HELD, memories: confirmed }).effect.confidence_decay_summary.present).toBe(false)
    const younger = memories.slice(0, 2).map((row) => ({ ...row, observedAtMs: row.observedAtMs - 1 }))
    expect(
      run(TRACE, { ...HELD, memories: [{ ...memory, observedAtMs: 0 }, ...younger.slice(1)] }).effect
        .confidence_decay_summary.present,
    ).toBe(false)
  })
})
