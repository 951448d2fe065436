import type { Outcome } from '../base/closed-sets.ts'

/** One recorded run, from real records only. */
export interface RunFacts {
  readonly runId: string
  /** Journal order of its last step. */
  readonly seq: number
  readonly taskId: string | null
  readonly taskFamily: string | null
  readonly taskSignature: string | null
  readonly workflowSignature: string | null
  readonly outcome: Outcome
  /** In the order of recording. */
  readonly steps: readonly RunStep[]
  readonly hasPassedVerifier: boolean
  /** A positive outcome was credited to memory that was given for direct use. */
  readonly hasDirectPositive: boolean
  readonly hasNegative: boolean
}

export interface RunStep {
  readonly memoryId: string
  readonly summary: string | null
  readonly workflowSteps: readonly string[]
  readonly acceptanceChecks: readonly string[]
  readonly targetFiles: readonly string[]
  readonly evidenceRefs: readonly string[]
  /** It failed or was blocked itself, however its run ended: what not to do. */
  readonly isFailed: boolean
  /** False: suppressed, superseded, contested, or screening found something. Its text is used for nothing. */
  readonly isUsable: boolean
}

/** A run whose steps may be followed: it succeeded, and no negative outcome speaks against it. */
export function isExemplary(run: RunFacts): boolean {
  return run.outcome === 'succeeded' && !run.hasNegative
}

/** A run that shows what not to do. */
export function isCounterExample(run: RunFacts): boolean {
  return run.outcome === 'failed' || run.outcome === 'blocked' || run.hasNegative
}
