import type { TaskRef } from '../model/task-ref.ts'
import type { ComparisonMode } from './effect-report.ts'
import type { RecordedEnd, RecordedFeedback, RecordedGuide } from './evidence.ts'
import type { GuideSnapshot, LifecycleResult } from './guide-snapshot.ts'
import type { Thresholds } from './kernel-report.ts'
import type { MemoryFacts } from './memory-drift.ts'
import type { Observation } from './observation.ts'
import type { OutcomeRun } from './paired-outcomes.ts'
import type { RunFacts } from './recorded-runs.ts'

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
