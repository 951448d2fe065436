import { type Direction, directionOf, type ImpactDirection } from './direction.ts'
import { type ComparisonMode, type EffectReport, effectReport } from './effect-report.ts'
import {
  assessEvidence,
  type EvidenceAssessment,
  feedbackOf,
  outcomeOf,
  type RecordedFeedback,
  type RecordedGuide,
} from './evidence.ts'
import { feedbackSignals } from './feedback-signals.ts'
import { type GuideSnapshot, type LifecycleResult, snapshotOfRecord } from './guide-snapshot.ts'
import { type KernelReport, kernelReport, type Thresholds } from './kernel-report.ts'
import { confidenceDecay, type MemoryFacts, neighborhoodDrift } from './memory-drift.ts'
import { METRIC_NAMES } from './metrics.ts'
import { metricOf, NO_OBSERVATION, type Observation, overlaid, wireObservation } from './observation.ts'
import { type OutcomeRun, type PairedOutcomes, pairedOutcomes, randomOf } from './paired-outcomes.ts'
import { observationOf } from './projection.ts'
import type { RunFacts } from './run-facts.ts'
import type { TaskRef } from './task-ref.ts'
import { trainingCandidates } from './training-candidates.ts'

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
  readonly runs: readonly RunFacts[]
  readonly memories: readonly MemoryFacts[]
  readonly relationTargetIds: readonly string[]
  readonly outcomes: readonly OutcomeRun[]
}

export interface Measurement {
  readonly measurement_input: {
    readonly source: MeasureJob['input']['source']
    readonly baseline: ReturnType<typeof wireObservation>
    readonly guided: ReturnType<typeof wireObservation>
  }
  readonly effect_report: EffectReport
  readonly evidence_assessment: EvidenceAssessment
  readonly kernel_report: KernelReport
}

/** Scores, assesses and reports. Pure: the same job gives the same measurement. */
export function measure(job: MeasureJob): Measurement {
  const { input, task, comparison, records, thresholds } = job
  const sides = sidesOf(job)
  const report = kernelReport(sides.baseline, sides.guided, thresholds)
  const shown = directionOf(report, sides.baseline, sides.guided)
  const mode = comparison.mode ?? defaultMode(input)
  const evidence = evidenceOf(job, sides, shown, mode)
  const paired = records.outcomes.length === 0 ? null : pairedOutcomes(records.outcomes, randomOf(job.seed))
  const direction = impactOf(shown, evidence, paired)
  const candidates = trainingCandidates({
    report,
    isSufficient: evidence.status === 'sufficient',
    isHelp: direction === 'positive',
    task,
    runs: records.runs,
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
      task,
      mode,
      baselineRunId: comparison.baselineRunId ?? sides.baseline.runId,
      guidedRunId: comparison.guidedRunId ?? sides.guided.runId ?? task.runId,
      direction,
      evidence,
      report,
      baseline: sides.baseline,
      guided: sides.guided,
      before: sides.before,
      after: sides.after,
      lifecycle: sides.lifecycle,
      feedback: sides.feedback,
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

/** Both observations of a job, as the caller's artifacts give them and as the records alone do. */
interface Sides {
  readonly baseline: Observation
  readonly guided: Observation
  /** Null: the records do not hold both guides. */
  readonly recorded: { readonly baseline: Observation; readonly guided: Observation } | null
  readonly before: GuideSnapshot | null
  readonly after: GuideSnapshot | null
  readonly lifecycle: readonly LifecycleResult[]
  /** Outcomes of the guide after. */
  readonly feedback: readonly RecordedFeedback[]
}

function sidesOf({ input, records }: MeasureJob): Sides {
  if (input.source === 'manual_observations') {
    const { baseline, guided } = input
    return { baseline, guided, recorded: null, before: null, after: null, lifecycle: [], feedback: [] }
  }
  const before = input.before === null ? null : held(input.before, records)
  const after = held(input.after, records)
  const usePackets = after.snapshot.packets !== null && (before === null || before.snapshot.packets !== null)
  const view = { usePackets, lifecycle: input.lifecycle }
  const projectedBefore = before === null ? NO_OBSERVATION : sideOf(before, 'baseline', view, before.snapshot)
  return {
    baseline: input.baseline === null ? projectedBefore : overlaid(input.baseline, projectedBefore),
    guided: sideOf(after, 'guided', view, after.snapshot),
    recorded: recordedSides(before, after),
    before: before?.snapshot ?? null,
    after: after.snapshot,
    lifecycle: input.lifecycle,
    feedback: after.feedback,
  }
}

/** A supplied guide, the record of it if there is one, and the outcomes of that record. */
interface HeldGuide {
  readonly snapshot: GuideSnapshot
  readonly record: RecordedGuide | null
  readonly feedback: readonly RecordedFeedback[]
}

function held(snapshot: GuideSnapshot, { guides, feedback }: RuntimeRecords): HeldGuide {
  const record = guides.find(({ guideTraceId }) => guideTraceId === snapshot.guideTraceId) ?? null
  if (record === null) return { snapshot, record, feedback: [] }
  const own = feedbackOf(record, feedback)
  if (snapshot.exposed !== null) return { snapshot, record, feedback: own }
  const { guideTraceId, exposed } = record
  const filled = { ...snapshotOfRecord(guideTraceId, exposed), explicit: snapshot.explicit }
  return { snapshot: filled, record, feedback: own }
}

function sideOf(
  { feedback }: HeldGuide,
  side: 'baseline' | 'guided',
  view: { readonly usePackets: boolean; readonly lifecycle: readonly LifecycleResult[] },
  snapshot: GuideSnapshot,
): Observation {
  const idsOf = (holds: (row: RecordedFeedback) => boolean): number =>
    new Set(feedback.filter(holds).map(({ memoryId }) => memoryId)).size
  return observationOf(snapshot, {
    side,
    usePackets: view.usePackets,
    outcome: outcomeOf(feedback),
    promotedCount: idsOf((row) => row.outcome === 'positive' && row.isDirect),
    demotedCount: idsOf((row) => row.outcome === 'negative'),
    lifecycle: side === 'guided' ? view.lifecycle : [],
  })
}

function recordedSides(before: HeldGuide | null, after: HeldGuide): Sides['recorded'] {
  if (before?.record == null || after.record === null) return null
  const view = { usePackets: false, lifecycle: [] }
  const alone = ({ guideTraceId, exposed }: RecordedGuide) => snapshotOfRecord(guideTraceId, exposed)
  return {
    baseline: sideOf(before, 'baseline', view, alone(before.record)),
    guided: sideOf(after, 'guided', view, alone(after.record)),
  }
}

function evidenceOf(
  job: MeasureJob,
  sides: Sides,
  shown: Direction,
  mode: ComparisonMode,
): EvidenceAssessment {
  const { input, comparison, records } = job
  const isTrace = input.source === 'product_trace'
  const { recorded } = sides
  const supported =
    recorded === null
      ? null
      : directionOf(
          kernelReport(recorded.baseline, recorded.guided),
          recorded.baseline,
          recorded.guided,
        )
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
    hasSharedMetrics: METRIC_NAMES.some(
      (name) => metricOf(sides.baseline, name) !== null && metricOf(sides.guided, name) !== null,
    ),
    // Without both records there is nothing to contradict; that is a reason of its own.
    isSupportedByRecords: supported === null || supported === shown,
    claims: {
      sufficientEvidence: comparison.sufficientEvidence,
      evidenceIdCount: job.evidenceIds.length,
    },
  })
}

/** A manual pair gets its direction on the caller's word, unless there is nothing to compare. */
function impactOf(
  shown: Direction,
  evidence: EvidenceAssessment,
  paired: PairedOutcomes | null,
): ImpactDirection {
  const isBelieved =
    evidence.provenance === 'manual_unverified'
      ? evidence.reasons.every((reason) => reason === 'manual_observations_are_not_export_evidence')
      : evidence.status === 'sufficient'
  if (!isBelieved) return 'insufficient_evidence'
  // Several recorded pairs weigh more than one measured pair.
  return shown === 'positive' && paired?.direction === 'negative' ? 'negative' : shown
}

function defaultMode(input: MeasureJob['input']): ComparisonMode {
  return input.source === 'product_trace' ? 'observe_only_vs_active' : 'baseline_vs_guided'
}
