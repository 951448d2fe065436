import { describe, expect, test } from 'vitest'
import { EffectReport, EvidenceAssessment, KernelReport } from '../../src/contract/effect-report.ts'
import { DEFAULT_THRESHOLDS } from '../../src/core/measure/kernel-report.ts'
import { measure } from '../../src/core/measure/measure.ts'
import { GOOD, manualJob, POOR } from '../support/measure-samples.ts'

// Every number below is worked out by hand, part by part. The parts of a kernel have equal weight, and so have the
// kernels.
//
// POOR continuity        guidance 0 · recovered 2/8 = .25 · carried 1/4 = .25 · saved 1 - 4/5 = .2    .7  / 4 = .175
//      learning          reuse 0 · promotion 0 · no demotion .65                                      .65 / 3 = .21667
//      forgetting        precision 8/20 = .4 · held back 1/(1+3) = .25 · no rehydration .7            1.35/ 3 = .45
//      learning_control  nothing blocked .55 · requires evidence 1 · not visible 0 · none applied 1   2.55/ 4 = .6375
//      over all          (.175 + .21667 + .45 + .6375) / 4 = 1.47917 / 4 = .36979
//
// GOOD continuity        1 · 8/8 = 1 · 4/4 = 1 · saved 1                                                    1
//      learning          stable reuse 1 · promotion 1 · no demotion .65                               2.65/ 3 = .88333
//      forgetting        precision 9/10 = .9 · held back 4/4 = 1 · on demand 1                        2.9 / 3 = .96667
//      learning_control  1 · 1 · 1 · 1                                                                      1
//      over all          (1 + .88333 + .96667 + 1) / 4 = 3.85 / 4 = .9625

const run = (baseline: object, guided: object, more = {}) => {
  const measurement = measure(manualJob(baseline, guided, more))
  EffectReport.parse(measurement.effect_report)
  EvidenceAssessment.parse(measurement.evidence_assessment)
  KernelReport.parse(measurement.kernel_report)
  const { kernel_report: report, effect_report: effect } = measurement
  return {
    ...measurement,
    report,
    effect,
    direction: effect.history_impact.impact_direction,
    scores: report.kernel_scores.map(({ score }) => score),
    deltas: report.kernel_scores.map(({ delta }) => delta),
    statuses: report.kernel_scores.map(({ status }) => status),
    regressions: report.kernel_scores.flatMap(({ regressions }) => regressions),
  }
}

describe('manual pairs, worked out by hand', () => {
  test('help: every kernel gains, all pass, the pair passes and is positive', () => {
    const seen = run(POOR, GOOD)
    expect(seen.scores).toEqual([1, 0.883, 0.967, 1])
    // 1 - .175 · .88333 - .21667 · .96667 - .45 · 1 - .6375, the last rounded up from .3625
    expect(seen.deltas).toEqual([0.825, 0.667, 0.517, 0.363])
    // .9625 rounds to .963; .9625 - .36979 = .59271
    expect(seen.report).toMatchObject({
      status: 'pass',
      baseline_score: 0.37,
      guided_score: 0.963,
      effect_delta: 0.593,
    })
    expect(seen.direction).toBe('positive')
    expect(seen.report.proof_summary).toEqual({
      improved_kernel_count: 4,
      regressed_kernel_count: 0,
      failed_kernel_count: 0,
      // 0 - 4
      repeated_discovery_delta: -4,
      continuity_guidance_improved: true,
      workflow_reuse_improved: true,
      // .9 - .4
      context_precision_delta: 0.5,
      // 0 - 3
      stale_memory_delta: -3,
      weak_authority_blocked: true,
    })
    expect(seen.effect.efficiency).toEqual({
      repeated_discovery_delta: -4,
      // (8 + 4) - (2 + 1)
      useful_continuity_delta: 9,
      token_delta: null,
      // 10 - 20
      context_size_delta: -10,
      recovery_step_delta: null,
    })
    expect(seen.effect.quality.recovered_fact_accuracy).toBe('positive')
    expect(seen.effect.history_impact.changed_fields).toContain('repeated_discovery_steps')
    expect(seen.effect.history_impact.explanation).toBe(
      'The guided run scored 0.963, the baseline 0.37 (+0.593). Better: continuity +0.825, learning +0.667, ' +
        'forgetting +0.517, learning_control +0.363. Worse: nothing. ' +
        'This is consistent with help; one run cannot show it. ' +
        'Both observations are the word of the caller and were not verified.',
    )
  })

  test('harm: the same pair the other way round is negative and fails', () => {
    const seen = run(GOOD, POOR)
    expect(seen.deltas).toEqual([-0.825, -0.667, -0.517, -0.363])
    expect(seen.report).toMatchObject({ status: 'fail', guided_score: 0.37, effect_delta: -0.593 })
    expect(seen.direction).toBe('negative')
    expect(seen.effect.quality).toMatchObject({
      // 2/8 and 1/4 are both below .7
      recovered_fact_accuracy: 'negative',
      negative_transfer_detected: true,
    })
    expect(seen.regressions).toEqual([
      'continuity_guidance_wrong',
      'repeated_discovery_too_high',
      'recovered_state_fact_gap',
      'kernel_score_regressed',
      'workflow_not_reused',
      'kernel_score_regressed',
      'stale_memory_reached_context',
      'context_precision_low',
      'kernel_score_regressed',
      'blocked_authority_not_visible',
      'kernel_score_regressed',
    ])
  })

  test('neutral: two equal observations change nothing, and no gain is no pass', () => {
    const seen = run(GOOD, GOOD)
    expect(seen.deltas).toEqual([0, 0, 0, 0])
    // All four kernels pass and .963 >= .7, but 0 < .1; .963 >= .55 and 0 >= 0 is worth a warning.
    expect(seen.report).toMatchObject({ status: 'warn', effect_delta: 0 })
    expect(seen.direction).toBe('neutral')
    expect(seen.effect.history_impact).toMatchObject({ changed_future_behavior: false, changed_fields: [] })
    expect(seen.effect.training_candidates).toEqual([])
  })

  test('thin: two labels are nothing to compare', () => {
    const seen = run({ label: 'without' }, { label: 'with' })
    expect(seen.direction).toBe('insufficient_evidence')
    expect(seen.evidence_assessment.reasons).toContain('no_shared_metrics')
    expect(seen.effect.history_impact.changed_fields).toEqual([])
    expect(seen.effect.quality.recovered_fact_accuracy).toBe('unknown')
    // continuity 0 · 0/1 · 0/1 · 1 = .25; learning .21667; forgetting 1 · 1 · .7 = .9; control .55 · 0 · 0 · 1 = .3875
    expect(seen.scores).toEqual([0.25, 0.217, 0.9, 0.388])
  })

  test('mixed: one kernel that lost makes an otherwise better run negative', () => {
    // Learning loses its reuse: 0 · 1 · .65 = 1.65 / 3 = .55 against .88333; continuity gains .825.
    const worse = { ...GOOD, workflowReused: false, stableWorkflowReused: false }
    const better = { ...POOR, workflowReused: true, stableWorkflowReused: true, trustedPromotions: 1 }
    const seen = run(better, worse)
    expect(seen.deltas).toEqual([0.825, -0.333, 0.517, 0.363])
    // (.825 - .33333 + .51667 + .3625) / 4 = 1.37083 / 4 = .34271
    expect(seen.report).toMatchObject({ effect_delta: 0.343, status: 'warn' })
    expect(seen.direction).toBe('negative')
  })

  test('continuity regresses alone', () => {
    // 1 · 4/8 = .5 · 1 · saved 1 - 3/5 = .4: 2.9 / 4 = .725, .275 less; over all .06875 less.
    const seen = run(GOOD, { ...GOOD, recoveredStateFacts: 4, repeatedDiscoverySteps: 3 })
    expect(seen.deltas).toEqual([-0.275, 0, 0, 0])
    expect(seen.report).toMatchObject({ effect_delta: -0.069, status: 'warn' })
    expect(seen.regressions).toEqual([
      'repeated_discovery_too_high',
      'recovered_state_fact_gap',
      'kernel_score_regressed',
    ])
    expect(seen.direction).toBe('negative')
  })

  test('two repeated steps are not too many yet', () => {
    expect(run(GOOD, { ...GOOD, repeatedDiscoverySteps: 2 }).regressions).toEqual(['kernel_score_regressed'])
  })

  test('learning regresses alone', () => {
    // Reuse that is not stable .75 · only provisional .55 · .65: 1.95 / 3 = .65; .88333 - .65 = .23333 less.
    const seen = run(GOOD, {
      ...GOOD,
      stableWorkflowReused: false,
      trustedPromotions: 0,
      provisionalMemoriesWritten: 2,
    })
    expect(seen.scores[1]).toBe(0.65)
    expect(seen.deltas).toEqual([0, -0.233, 0, 0])
    expect(seen.statuses[1]).toBe('warn')
    expect(seen.regressions).toEqual(['kernel_score_regressed'])
    expect(seen.direction).toBe('negative')
  })

  test('forgetting regresses alone', () => {
    // Precision 5/10 = .5 · held back 4/(4+4) = .5 · fetched without need 0: 1 / 3 = .33333, .63333 less.
    const seen = run(GOOD, {
      ...GOOD,
      usefulContextItems: 5,
      staleMemorySurfaced: 4,
      unnecessaryRehydrations: 1,
    })
    expect(seen.scores[2]).toBe(0.333)
    expect(seen.deltas).toEqual([0, 0, -0.633, 0])
    // .333 is below .45
    expect(seen.report.status).toBe('fail')
    expect(seen.regressions).toEqual([
      'stale_memory_reached_context',
      'unnecessary_rehydration',
      'context_precision_low',
      'kernel_score_regressed',
    ])
  })

  test('learning control regresses alone', () => {
    // Nothing blocked .55 · 0 · 0 · 1: 1.55 / 4 = .3875, rounded .388; .6125 less, rounded .613.
    const seen = run(GOOD, {
      ...GOOD,
      weakEvidenceBlocked: 0,
      authorityRequiresEvidence: false,
      blockedAuthorityVisible: false,
    })
    expect(seen.scores[3]).toBe(0.388)
    expect(seen.deltas).toEqual([0, 0, 0, -0.613])
    expect(seen.regressions).toEqual([
      'authority_does_not_require_evidence',
      'blocked_authority_not_visible',
      'kernel_score_regressed',
    ])
  })

  test('weak evidence that was promoted fails learning whatever it scores', () => {
    // 1 · 0 · 1 (demotions): 2 / 3 = .667 would be a warning.
    const seen = run(POOR, { ...GOOD, weakEvidencePromoted: 1, counterEvidenceDemotions: 1 })
    expect([seen.scores[1], seen.statuses[1]]).toEqual([0.667, 'fail'])
    expect(seen.report.status).toBe('fail')
    expect(seen.regressions).toContain('weak_evidence_promoted')
    expect(seen.report.next_actions).toEqual(['Take back what was promoted without enough evidence.'])
  })

  test('unverified authority that was applied fails learning control whatever it scores', () => {
    // 1 · 1 · 1 · 0: 3 / 4 = .75 would pass.
    const seen = run(POOR, { ...GOOD, unverifiedAuthorityApplied: 1 })
    expect([seen.scores[3], seen.statuses[3]]).toEqual([0.75, 'fail'])
    expect(seen.report.status).toBe('fail')
  })

  test('a gain of exactly 0.05 is no gain yet', () => {
    // One repeated step less is .2 of a part: .05 of the kernel and .0125 over all.
    const seen = run({ ...GOOD, repeatedDiscoverySteps: 1 }, GOOD)
    expect(seen.deltas).toEqual([0.05, 0, 0, 0])
    expect(seen.report.proof_summary.improved_kernel_count).toBe(0)
    expect(seen.direction).toBe('neutral')
    const loss = run(GOOD, { ...GOOD, repeatedDiscoverySteps: 1 })
    expect(loss.deltas).toEqual([-0.05, 0, 0, 0])
    expect(loss.direction).toBe('neutral')
  })

  test('one kernel that gained a little is no gain over all', () => {
    // Two repeated steps less: .1 of the kernel, .025 over all.
    const seen = run({ ...GOOD, repeatedDiscoverySteps: 2 }, GOOD)
    expect(seen.report).toMatchObject({ effect_delta: 0.025 })
    expect(seen.report.proof_summary.improved_kernel_count).toBe(1)
    expect(seen.direction).toBe('neutral')
  })

  test('thresholds of the caller decide on a pass, not on the direction', () => {
    const stricter = run(POOR, GOOD, { thresholds: { ...DEFAULT_THRESHOLDS, minEffectDelta: 0.6 } })
    expect(stricter.report.status).toBe('warn')
    expect(stricter.direction).toBe('positive')
    const exact = run(POOR, GOOD, { thresholds: { minEffectDelta: 0.593, minGuidedScore: 0.963 } })
    expect(exact.report.status).toBe('pass')
    const higher = run(POOR, GOOD, { thresholds: { ...DEFAULT_THRESHOLDS, minGuidedScore: 0.97 } })
    expect(higher.report.status).toBe('warn')
  })

  test('better kernels do not make up for a run that failed', () => {
    expect(run(POOR, { ...GOOD, success: false }).direction).toBe('neutral')
    expect(run({ ...POOR, success: true }, { ...GOOD, outcome: 'failed' }).direction).toBe('negative')
    const helped = run({ ...POOR, task_success: false }, { ...GOOD, outcome: 'succeeded' })
    expect(helped.direction).toBe('positive')
    expect(helped.effect.history_impact.explanation).toContain('Memory helped.')
  })

  test('where both ends are told they decide, but for a kernel that lost', () => {
    expect(run({ ...POOR, success: true }, { ...GOOD, success: true }).direction).toBe('neutral')
    expect(run({ success: false }, { success: true }).direction).toBe('positive')
    expect(run({ success: true }, { success: false }).direction).toBe('negative')
    expect(run({ ...GOOD, success: false }, { ...POOR, success: true }).direction).toBe('negative')
  })

  test('the doubt of the caller counts, its confidence does not', () => {
    const claim = (sufficientEvidence: boolean) =>
      run(POOR, GOOD, {
        comparison: { mode: null, baselineRunId: null, guidedRunId: null, sufficientEvidence },
      })
    expect(claim(false).direction).toBe('insufficient_evidence')
    const sure = claim(true)
    expect(sure.direction).toBe('positive')
    expect(sure.evidence_assessment).toMatchObject({
      status: 'insufficient',
      provenance: 'manual_unverified',
      client_claims_ignored: { sufficient_evidence: true, evidence_id_count: 0 },
    })
    expect(sure.effect.training_candidates.map(({ label }) => label)).toEqual(
      Array.from({ length: 4 }, () => 'insufficient_evidence'),
    )
  })

  test('a single run is compared with nothing', () => {
    const seen = run(POOR, GOOD, {
      comparison: {
        mode: 'single_run_history_impact',
        baselineRunId: null,
        guidedRunId: null,
        sufficientEvidence: true,
      },
    })
    expect(seen.direction).toBe('insufficient_evidence')
    expect(seen.evidence_assessment.reasons).toContain('single_run_has_no_baseline')
  })

  test('a reuse is a success only where the run is known to have succeeded', () => {
    const reuse = (success?: boolean) => run(POOR, { ...GOOD, success }).effect.quality.workflow_reuse_outcome
    expect([reuse(true), reuse(false), reuse()]).toEqual(['success', 'failure', 'mixed'])
    expect(run(POOR, POOR).effect.quality.workflow_reuse_outcome).toBe('not_used')
  })
})
