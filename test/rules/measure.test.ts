import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assessEvidence, type EvidenceInput } from '../../src/core/measure/evidence.ts'
import { isImproved, kernelReport, statedDirection } from '../../src/core/measure/kernel-report.ts'
import { measure } from '../../src/core/measure/measure.ts'
import { METRIC_NAMES, snakeName } from '../../src/core/measure/metrics.ts'
import { GROUPS, RUN_FIELDS, readObservation } from '../../src/core/measure/observation.ts'
import { enough, scaled } from '../harness/scale.ts'
import {
  AFTER,
  anyObservation,
  BEFORE,
  FAILED,
  GOOD,
  HELD,
  LOST,
  manualJob,
  NO_RECORDS,
  NOTHING,
  PASSED,
  POOR,
  RUN,
  response,
  SHOWN,
  TRACE,
  traceJob,
} from '../support/measure-samples.ts'

const RUNS = scaled(300)
const check = <Values extends [unknown, ...unknown[]]>(property: fc.IProperty<Values>): void =>
  fc.assert(property, { numRuns: RUNS })

const exposed = fc.constantFrom(
  NOTHING,
  SHOWN,
  { ...SHOWN, use_now: ['m1', 'm2'] },
  { ...NOTHING, inspect_before_use: ['m1'] },
)
const guide = fc
  .record({
    isAfter: fc.boolean(),
    seq: fc.integer({ min: 1, max: 40 }),
    runId: fc.constantFrom(null, 'run-1', 'run-2'),
    queryHash: fc.constantFrom(null, 'q', 'r'),
    exposed,
  })
  .map(({ isAfter, ...more }) => ({ ...(isAfter ? AFTER : BEFORE), ...more }))
const row = fc.record({
  memoryId: fc.constantFrom('m1', 'm2', 'm9'),
  runId: fc.constantFrom('run-1', 'run-2'),
  guideTraceId: fc.constantFrom(null, AFTER.guideTraceId, BEFORE.guideTraceId),
  seq: fc.integer({ min: 1, max: 60 }),
  outcome: fc.constantFrom('positive' as const, 'negative' as const, 'neutral' as const),
  isDirect: fc.boolean(),
  isStrong: fc.boolean(),
  isLowering: fc.boolean(),
  verifierStatus: fc.constantFrom(null, 'passed' as const, 'failed' as const, 'not_run' as const),
})
// Half of the records are the ones that suffice, some of them changed: otherwise hardly any would suffice.
const records = fc.oneof(
  fc.constant(HELD),
  fc.constant({ ...HELD, feedback: [FAILED] }),
  fc.constant({ ...HELD, ends: [{ ...LOST, isSuccess: true }] }),
  fc
    .record({
      guides: fc.oneof(fc.constant([BEFORE, AFTER]), fc.array(guide, { maxLength: 3 })),
      feedback: fc.oneof(fc.constant([PASSED]), fc.array(row, { maxLength: 5 })),
      ends: fc.subarray([LOST, { guideTraceId: AFTER.guideTraceId, isSuccess: true }]),
    })
    .map((some) => ({ ...NO_RECORDS, ...some })),
)

/** Observations with a word on how the run ended, or without. */
const anyEnded = fc
  .tuple(anyObservation, fc.constantFrom(null, true, false))
  .map(([one, isSuccess]) => ({ ...one, isSuccess }))

/** As many tasks with runs in both arms as it takes to say something, or too few. */
const outcomes = fc
  .record({ tasks: fc.constantFrom(0, 4, 12), isGuidedBetter: fc.boolean() })
  .map(({ tasks, isGuidedBetter }) =>
    Array.from({ length: tasks }, (_, task) => [
      { taskKey: `t${task}`, arm: 'guided' as const, isSuccess: isGuidedBetter },
      { taskKey: `t${task}`, arm: 'without_memory' as const, isSuccess: !isGuidedBetter },
    ]).flat(),
  )

const claim = fc.record({
  sufficientEvidence: fc.constantFrom(null, true),
  evidenceIds: fc.array(fc.string(), { maxLength: 4 }),
  isBaselineClaimed: fc.boolean(),
  contextItems: fc.nat(50),
  repeatedDiscoverySteps: fc.nat(20),
})

describe('measure', () => {
  test('M1: every score, part and delta stays within its bounds', () => {
    check(
      fc.property(anyObservation, anyObservation, (baseline, guided) => {
        const report = kernelReport(baseline, guided)
        const shares = report.kernel_scores.flatMap((kernel) => [
          kernel.score,
          kernel.baseline_score,
          ...Object.values(kernel.metrics),
        ])
        for (const share of [report.baseline_score, report.guided_score, ...shares]) {
          expect(share).toBeGreaterThanOrEqual(0)
          expect(share).toBeLessThanOrEqual(1)
        }
        for (const { delta } of report.kernel_scores) expect(Math.abs(delta)).toBeLessThanOrEqual(1)
        expect(Math.abs(report.effect_delta)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('M2: swapping baseline and guided turns every delta round', () => {
    check(
      fc.property(anyObservation, anyObservation, (baseline, guided) => {
        const one = kernelReport(baseline, guided)
        const other = kernelReport(guided, baseline)
        expect(other.effect_delta).toBe(0 - one.effect_delta)
        expect(other.kernel_scores.map(({ delta }) => delta)).toEqual(
          one.kernel_scores.map(({ delta }) => 0 - delta),
        )
      }),
    )
  })

  test('M2: positive one way is negative the other way, and nothing is positive both ways', () => {
    check(
      fc.property(anyEnded, anyEnded, (baseline, guided) => {
        const there = statedDirection(kernelReport(baseline, guided), baseline, guided)
        const back = statedDirection(kernelReport(guided, baseline), guided, baseline)
        if (there === 'positive') expect(back).toBe('negative')
        if (back === 'positive') expect(there).toBe('negative')
      }),
    )
  })

  // Harm is seen sooner than help: a loss comes back as a gain when nothing gained beside it and it is large enough.
  test('M3: negative one way is positive the other way when no kernel gained and the loss over all is seen', () => {
    check(
      fc.property(anyObservation, anyObservation, (baseline, guided) => {
        const loss = kernelReport(baseline, guided)
        fc.pre(loss.effect_delta < -0.05 && !loss.kernel_scores.some(isImproved))
        fc.pre(loss.kernel_scores.some(({ delta }) => delta < -0.05))
        expect(statedDirection(loss, baseline, guided)).toBe('negative')
        expect(statedDirection(kernelReport(guided, baseline), guided, baseline)).toBe('positive')
      }),
    )
  })

  test('M4: an observation is never better than itself', () => {
    check(
      fc.property(anyObservation, (one) => {
        expect(kernelReport(one, one).effect_delta).toBe(0)
        expect(statedDirection(kernelReport(one, one), one, one)).toBe('neutral')
      }),
    )
  })

  test('M5: unknown fields change nothing but the warnings', () => {
    const known = new Set<string>([
      ...METRIC_NAMES,
      ...METRIC_NAMES.map(snakeName),
      ...Object.values(RUN_FIELDS).flat(),
      ...Object.values(GROUPS).flat(),
    ])
    check(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (noise) => {
        const unknown = Object.fromEntries(Object.entries(noise).filter(([name]) => !known.has(name)))
        const plain = readObservation(GOOD, 'guided')
        const noisy = readObservation({ ...unknown, ...GOOD }, 'guided')
        expect(noisy.observation).toEqual(plain.observation)
        expect(noisy.warnings).toHaveLength(Math.min(Object.keys(unknown).length, 21))
        expect(measure(manualJob(POOR, { ...unknown, ...GOOD }))).toEqual(measure(manualJob(POOR, GOOD)))
      }),
    )
  })

  test('M6: no claim of the caller makes evidence sufficient, gives a direction or a skill', () => {
    let sufficient = 0
    check(
      fc.property(records, claim, (held, claimed) => {
        const base = { ...held, runs: [RUN] }
        const plain = measure(traceJob(TRACE, { records: base }))
        const { isBaselineClaimed, evidenceIds, contextItems, repeatedDiscoverySteps } = claimed
        const baseline = { contextItems, repeatedDiscoverySteps, success: false }
        const trace = { ...TRACE, evidence_ids: evidenceIds, ...(isBaselineClaimed ? { baseline } : {}) }
        const comparison = {
          mode: null,
          baselineRunId: null,
          guidedRunId: null,
          sufficientEvidence: claimed.sufficientEvidence,
        }
        const loud = measure(traceJob(trace, { records: base, comparison }))
        if (plain.evidence_assessment.status === 'sufficient') sufficient += 1
        else {
          expect(loud.evidence_assessment.status).toBe('insufficient')
          expect(loud.effect_report.history_impact.impact_direction).toBe('insufficient_evidence')
          expect(loud.effect_report.history_impact.changed_fields).toEqual([])
          const skills = loud.effect_report.training_candidates.filter((one) => one.trace_derived_skill)
          expect(skills).toEqual([])
        }
        expect(loud.evidence_assessment.client_claims_ignored.sufficient_evidence).toBe(
          claimed.sufficientEvidence,
        )
        const said = loud.effect_report.history_impact.impact_direction
        expect(['insufficient_evidence', plain.effect_report.history_impact.impact_direction]).toContain(said)
      }),
    )
    expect(sufficient).toBeGreaterThanOrEqual(enough(100))
  })

  test('M7: a manual pair is never sufficient, never ready for export and never a skill', () => {
    check(
      fc.property(anyObservation, anyObservation, records, (baseline, guided, held) => {
        const job = manualJob({}, {}, { records: { ...held, runs: [RUN, { ...RUN, runId: 'run-3' }] } })
        const { evidence_assessment: evidence, effect_report: effect } = measure({
          ...job,
          input: { source: 'manual_observations', baseline, guided },
        })
        expect(evidence).toMatchObject({ status: 'insufficient', provenance: 'manual_unverified' })
        for (const candidate of effect.training_candidates) {
          expect(candidate).toMatchObject({ label: 'insufficient_evidence', export_ready: false })
          expect(candidate.candidate_type).not.toBe('trace_derived_skill')
        }
      }),
    )
  })

  test('M8: more of the same evidence never turns sufficient into insufficient', () => {
    const again = fc.record({
      memoryId: fc.constantFrom('m1', 'm2', 'm9', 'm99'),
      runId: fc.constantFrom('run-2', 'run-8'),
      guideTraceId: fc.constantFrom(null, AFTER.guideTraceId, 'guide_trace:other'),
      seq: fc.integer({ min: 21, max: 90 }),
      isDirect: fc.boolean(),
      isStrong: fc.boolean(),
      isLowering: fc.boolean(),
      verifierStatus: fc.constantFrom(null, 'passed' as const, 'not_run' as const),
    })
    check(
      fc.property(
        fc.constantFrom(PASSED, FAILED),
        fc.array(again, { maxLength: 6 }),
        fc.array(guide, { maxLength: 2 }),
        (first, rows, more) => {
          const same = rows.map((one) => ({ ...one, outcome: first.outcome }))
          const other = more.map((one, at) => ({ ...one, guideTraceId: `guide_trace:other${at}` }))
          const less = measure(traceJob(TRACE, { records: { ...HELD, feedback: [first] } }))
          const grown = measure(
            traceJob(TRACE, {
              records: { ...HELD, guides: [...HELD.guides, ...other], feedback: [first, ...same] },
            }),
          )
          expect(less.evidence_assessment.status).toBe('sufficient')
          expect(grown.evidence_assessment.status).toBe('sufficient')
        },
      ),
    )
  })

  test('M9: a forged id, surface or prompt always ends the verification', () => {
    check(
      fc.property(exposed, fc.string(), (shown, prompt) => {
        const isSame = JSON.stringify(shown) === JSON.stringify(SHOWN) && prompt === 'use m1'
        fc.pre(!isSame)
        const forged = response({ ...AFTER, exposed: shown }, prompt === '' ? 'empty' : prompt)
        const seen = measure(traceJob({ ...TRACE, after_guide: forged }, { records: HELD }))
        expect(seen.evidence_assessment).toMatchObject({
          status: 'insufficient',
          provenance: 'unverified_product_trace',
        })
        expect(seen.evidence_assessment.artifact_mismatch.length).toBeGreaterThan(0)
      }),
    )
  })

  test('M10: a recorded failure of the guided run is never reported as help', () => {
    check(
      fc.property(records, (held) => {
        const seen = measure(traceJob(TRACE, { records: held }))
        const after = held.guides.find(({ guideTraceId }) => guideTraceId === AFTER.guideTraceId)
        const isFailure = held.feedback.some(
          (one) =>
            one.outcome === 'negative' &&
            one.seq > (after?.seq ?? 0) &&
            (one.guideTraceId === AFTER.guideTraceId || one.runId === after?.runId),
        )
        if (isFailure) expect(seen.effect_report.history_impact.impact_direction).not.toBe('positive')
      }),
    )
  })

  test('M20: a trace shows help only against a recorded failure without it, or by many paired tasks', () => {
    const explicit = fc.record({ repeatedDiscoverySteps: fc.nat(9), contextItems: fc.nat(30) })
    const seen = { positive: 0, negative: 0, neutral: 0, insufficient_evidence: 0 }
    check(
      fc.property(records, outcomes, explicit, explicit, (held, runs, baseline, guided) => {
        const trace = {
          before_guide: { ...TRACE.before_guide, ...baseline },
          after_guide: { ...TRACE.after_guide, ...guided, success: true },
          baseline: { success: false },
        }
        const { effect_report: effect } = measure(traceJob(trace, { records: { ...held, outcomes: runs } }))
        const { impact_direction: direction } = effect.history_impact
        const paired = effect.paired_outcomes?.direction ?? 'insufficient_evidence'
        const isLostBefore =
          held.ends.some((end) => end.guideTraceId === BEFORE.guideTraceId && !end.isSuccess) ||
          held.feedback.some((one) => one.outcome === 'negative')
        if (direction === 'positive') expect(isLostBefore || paired === 'positive').toBe(true)
        const isBaselineKnown = held.ends.some((end) => end.guideTraceId === BEFORE.guideTraceId)
        const afterSeq = Math.max(...[AFTER, ...held.guides].map(({ seq }) => seq))
        const isToldOfBefore = held.feedback.some(
          ({ seq, guideTraceId }) => seq < afterSeq || guideTraceId === BEFORE.guideTraceId,
        )
        if (!isBaselineKnown && !isToldOfBefore && paired === 'insufficient_evidence')
          expect(direction).toBe('insufficient_evidence')
        seen[direction] += 1
      }),
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(enough(1))
  })

  test('M11: an assessment is sufficient exactly when it names no reason', () => {
    const input = fc.record<EvidenceInput>({
      source: fc.constantFrom('manual_observations', 'product_trace'),
      before: fc.constantFrom(null, { guideTraceId: BEFORE.guideTraceId, exposed: null, promptHash: null }),
      after: fc.constantFrom(null, { guideTraceId: AFTER.guideTraceId, exposed: SHOWN, promptHash: null }),
      guides: fc.constantFrom([], [BEFORE, AFTER], [AFTER]),
      feedback: fc.constantFrom([], [PASSED], [FAILED], [PASSED, FAILED]),
      taskRunId: fc.constantFrom(null, 'run-2', 'run-9'),
      baselineRunId: fc.constant(null),
      guidedRunId: fc.constantFrom(null, 'run-2'),
      isSingleRun: fc.boolean(),
      isComparable: fc.boolean(),
      hasRecordedBaseline: fc.boolean(),
      isSupportedByRecords: fc.boolean(),
      claims: fc.record({
        sufficientEvidence: fc.constantFrom(null, true, false),
        evidenceIdCount: fc.nat(5),
      }),
    })
    check(
      fc.property(input, (facts) => {
        const seen = assessEvidence(facts)
        expect(seen.status === 'sufficient').toBe(seen.reasons.length === 0)
        if (facts.source === 'manual_observations') expect(seen.provenance).toBe('manual_unverified')
      }),
    )
  })
})
