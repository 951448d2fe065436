import { isObject } from '../base/collections.ts'
import type { TaskRef } from '../model/record.ts'
import type { RecordedEnd, RecordedFeedback, RecordedGuide } from './evidence.ts'
import {
  type GuideSnapshot,
  type LifecycleResult,
  readGuideSnapshot,
  readLifecycleResult,
} from './guide-snapshot.ts'
import type { Thresholds } from './kernel-report.ts'
import type { MemoryFacts } from './memory-drift.ts'
import { type Observation, readObservation } from './observation.ts'
import type { OutcomeRun } from './paired-outcomes.ts'
import type { RunFacts } from './recorded-runs.ts'
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
