import { isObject } from '../base/collections.ts'
import type { TaskRef } from '../model/record.ts'
import { effectReport } from './effect-report.ts'
import {
  assessEvidence,
  type EvidenceAssessment,
  type RecordedEnd,
  type RecordedFeedback,
  type RecordedGuide,
} from './evidence.ts'
import { feedbackSignals } from './feedback-signals.ts'
import {
  type GuideSnapshot,
  type LifecycleResult,
  readGuideSnapshot,
  readLifecycleResult,
} from './guide-snapshot.ts'
import {
  type Direction,
  type ImpactDirection,
  kernelReport,
  outcomeDirection,
  statedDirection,
  type Thresholds,
} from './kernel-report.ts'
import { confidenceDecay, type MemoryFacts, neighborhoodDrift, surfaceChanges } from './memory-drift.ts'
import { METRIC_NAMES } from './metrics.ts'
import { metricOf, type Observation, readObservation, wireObservation } from './observation.ts'
import { type OutcomeRun, type PairedOutcomes, pairedOutcomes, randomOf } from './paired-outcomes.ts'
import type { RunFacts } from './recorded-runs.ts'
import { type Sides, sidesOf } from './sides.ts'
import { trainingCandidates } from './training-candidates.ts'
import { fieldOf, flagOf, objectOf, partOf, textsOf, type WireObject } from './wire-object.ts'

export const COMPARISON_MODES = [
  'baseline_vs_guided',
  'observe_only_vs_active',
  'single_run_history_impact',
] as const
export type ComparisonMode = (typeof COMPARISON_MODES)[number]

/** One measurement as plain data, so that any thread can do it. */
export interface MeasureJob {
  readonly task: TaskRef
  readonly thresholds: Thresholds
  readonly comparison: {
    /** Null: the mode that fits the input. */
    readonly mode: ComparisonMode | null
    readonly baselineRunId: string | null
    readonly guidedRunId: string | null
    /** What the caller claims; only its doubt counts. */
    readonly sufficientEvidence: boolean | null
  }
  readonly input: ManualPair | ProductTrace
  readonly evidenceIds: readonly string[]
  readonly records: RuntimeRecords
  /** Of the resampling; the same seed gives the same answer. */
  readonly seed: number
}

export interface ManualPair {
  readonly source: 'manual_observations'
  readonly baseline: Observation
  readonly guided: Observation
}

export interface ProductTrace {
  readonly source: 'product_trace'
  /** Numbers that win over those of the guide before. */
  readonly baseline: Observation | null
  readonly before: GuideSnapshot | null
  readonly after: GuideSnapshot
  readonly lifecycle: readonly LifecycleResult[]
}

/** What the runtime itself holds; everything else of a job is the caller's word. */
export interface RuntimeRecords {
  /** Of the guides that the trace names, those that the actor holds. */
  readonly guides: readonly RecordedGuide[]
  readonly feedback: readonly RecordedFeedback[]
  /** How the runs of the guides ended, by their own word. */
  readonly ends: readonly RecordedEnd[]
  readonly runs: readonly RunFacts[]
  /** Of skills that an operator rejected, their `stepsDigest`. */
  readonly rejectedSteps: readonly string[]
  readonly memories: readonly MemoryFacts[]
  readonly relationTargetIds: readonly string[]
  readonly outcomes: readonly OutcomeRun[]
}

/**
 * Reads a validated measure request, and says what was ignored of it. A product trace counts before a manual pair, and what
 * `comparison` claims before what the trace does.
 * @param hashOf the hash that the records use for prompt texts
 */
export function readMeasureInput(request: WireObject, hashOf: (promptText: string) => string) {
  const trace = fieldOf(request, 'product_trace')
  const claimed = flagOf(partOf(request, 'comparison'), 'sufficient_evidence')
  const ownIds = textsOf(request, 'evidence_ids')
  if (!isObject(trace)) {
    const baseline = readObservation(partOf(request, 'baseline'), 'baseline')
    const guided = readObservation(partOf(request, 'guided'), 'guided')
    return {
      input: {
        source: 'manual_observations' as const,
        baseline: baseline.observation,
        guided: guided.observation,
      },
      sufficientEvidence: claimed,
      evidenceIds: ownIds,
      warnings: [...baseline.warnings, ...guided.warnings],
    }
  }
  const { input, warnings } = readTrace(trace, hashOf)
  const unread = ['baseline', 'guided'].filter((name) => isObject(fieldOf(request, name)))
  return {
    input,
    sufficientEvidence: claimed ?? flagOf(trace, 'sufficient_evidence'),
    evidenceIds: [...new Set([...ownIds, ...textsOf(trace, 'evidence_ids')])],
    warnings: [...warnings, ...unread.map((name) => `${name} was ignored: product_trace is measured`)],
  }
}

function readTrace(trace: WireObject, hashOf: (promptText: string) => string) {
  const said = fieldOf(trace, 'baseline')
  const baseline = isObject(said) ? readObservation(said, 'product_trace.baseline') : null
  const before = fieldOf(trace, 'before_guide')
  const input: ProductTrace = {
    source: 'product_trace',
    baseline: baseline?.observation ?? null,
    before: isObject(before) ? readGuideSnapshot(before, hashOf) : null,
    after: readGuideSnapshot(objectOf(fieldOf(trace, 'after_guide')), hashOf),
    lifecycle: ['feedback_result', 'forget_result'].flatMap((name) => {
      const result = fieldOf(trace, name)
      return isObject(result) ? [readLifecycleResult(result)] : []
    }),
  }
  return { input, warnings: baseline?.warnings ?? [] }
}

export type Measurement = ReturnType<typeof measure>

/** Scores, assesses and reports. Pure: the same job gives the same measurement. */
export function measure(job: MeasureJob) {
  const { input, task, comparison, records, thresholds } = job
  const sides = sidesOf(job)
  const report = kernelReport(sides.baseline, sides.guided, thresholds)
  const shown =
    input.source === 'manual_observations'
      ? statedDirection(report, sides.baseline, sides.guided)
      : tracedDirection(sides)
  const mode = comparison.mode ?? defaultMode(input)
  const paired = records.outcomes.length === 0 ? null : pairedOutcomes(records.outcomes, randomOf(job.seed))
  const evidence = evidenceOf(job, sides, paired, mode)
  const direction = impactOf(shown, sides, evidence, paired)
  const candidates = trainingCandidates({
    report,
    isSufficient: evidence.status === 'sufficient',
    isHelp: direction === 'positive',
    task,
    runs: records.runs,
    rejectedSteps: records.rejectedSteps,
    evidenceIds: evidence.runtime_evidence_ids,
  })
  const signals = feedbackSignals({
    guides: records.guides,
    feedback: records.feedback,
    relationTargetIds: records.relationTargetIds,
    contradictionIds: sides.after?.packets?.contradictionIds ?? [],
  })
  return {
    measurement_input: {
      source: input.source,
      baseline: wireObservation(sides.baseline),
      guided: wireObservation(sides.guided),
    },
    effect_report: effectReport({
      ...sides,
      task,
      mode,
      baselineRunId: comparison.baselineRunId ?? sides.baseline.runId,
      guidedRunId: comparison.guidedRunId ?? sides.guided.runId ?? task.runId,
      direction,
      evidence,
      report,
      changes: sides.records === null ? [] : surfaceChanges(sides.records.before, sides.records.after),
      signals,
      drift: neighborhoodDrift(records.memories),
      decay: confidenceDecay(records.memories),
      paired,
      candidates,
      runs: records.runs,
      evidenceIds: job.evidenceIds,
    }),
    evidence_assessment: evidence,
    kernel_report: report,
  }
}

/** A success is put down to memory only where it is credited to some that the run before was not given. */
function tracedDirection({ baseline, guided, isNewMemoryCredited }: Sides): Direction | null {
  const direction = outcomeDirection(baseline.isSuccess, guided.isSuccess)
  return direction === 'positive' && !isNewMemoryCredited ? 'neutral' : direction
}

function evidenceOf(
  job: MeasureJob,
  sides: Sides,
  paired: PairedOutcomes | null,
  mode: ComparisonMode,
): EvidenceAssessment {
  const { input, comparison, records } = job
  const { baseline, guided, ends } = sides
  const isTrace = input.source === 'product_trace'
  const isEndKnown = baseline.isSuccess !== null && guided.isSuccess !== null
  return assessEvidence({
    source: input.source,
    before: isTrace ? input.before : null,
    after: isTrace ? input.after : null,
    guides: records.guides,
    feedback: records.feedback,
    taskRunId: job.task.runId,
    baselineRunId: comparison.baselineRunId,
    guidedRunId: comparison.guidedRunId,
    isSingleRun: mode === 'single_run_history_impact',
    isComparable:
      isEndKnown ||
      METRIC_NAMES.some((name) => metricOf(baseline, name) !== null && metricOf(guided, name) !== null),
    hasRecordedBaseline: ends.baseline !== null || isDecided(paired),
    // Where the records do not tell an end there is nothing to contradict; that is a reason of its own.
    isSupportedByRecords: ends.baseline === null || ends.baseline === baseline.isSuccess,
    claims: {
      sufficientEvidence: comparison.sufficientEvidence,
      evidenceIdCount: job.evidenceIds.length,
    },
  })
}

function isDecided(paired: PairedOutcomes | null): boolean {
  return paired !== null && paired.direction !== 'insufficient_evidence'
}

/**
 * A manual pair gets its direction on the caller's word, unless there is nothing to compare. Several recorded pairs weigh
 * beside one measured pair: harm that either shows is harm, and help by many does not make up for this run's failure.
 */
function impactOf(
  shown: Direction | null,
  { guided }: Sides,
  evidence: EvidenceAssessment,
  paired: PairedOutcomes | null,
): ImpactDirection {
  const isBelieved =
    evidence.provenance === 'manual_unverified'
      ? evidence.reasons.every((reason) => reason === 'manual_observations_are_not_export_evidence')
      : evidence.status === 'sufficient'
  if (!isBelieved) return 'insufficient_evidence'
  const directions = [shown, paired?.direction]
  if (directions.includes('negative')) return 'negative'
  return directions.includes('positive') && guided.isSuccess !== false ? 'positive' : 'neutral'
}

function defaultMode(input: MeasureJob['input']): ComparisonMode {
  return input.source === 'product_trace' ? 'observe_only_vs_active' : 'baseline_vs_guided'
}
