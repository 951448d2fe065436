import { effectReport } from './effect-report.ts'
import { assessEvidence, type EvidenceAssessment } from './evidence.ts'
import { feedbackSignals } from './feedback-signals.ts'
import type { ComparisonMode, MeasureJob } from './job.ts'
import {
  type Direction,
  type ImpactDirection,
  kernelReport,
  outcomeDirection,
  statedDirection,
} from './kernel-report.ts'
import { confidenceDecay, neighborhoodDrift, surfaceChanges } from './memory-drift.ts'
import { METRIC_NAMES } from './metrics.ts'
import { metricOf, wireObservation } from './observation.ts'
import { type PairedOutcomes, pairedOutcomes, randomOf } from './paired-outcomes.ts'
import { type Sides, sidesOf } from './sides.ts'
import { trainingCandidates } from './training-candidates.ts'

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
  const usual = input.source === 'product_trace' ? 'observe_only_vs_active' : 'baseline_vs_guided'
  const mode = comparison.mode ?? usual
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
    hasRecordedBaseline:
      ends.baseline !== null || (paired !== null && paired.direction !== 'insufficient_evidence'),
    // Where the records do not tell an end there is nothing to contradict; that is a reason of its own.
    isSupportedByRecords: ends.baseline === null || ends.baseline === baseline.isSuccess,
    claims: {
      sufficientEvidence: comparison.sufficientEvidence,
      evidenceIdCount: job.evidenceIds.length,
    },
  })
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
