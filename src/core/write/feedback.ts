import type {
  FeedbackOutcome,
  Standing,
  Surface,
  ToolStatus,
  UsedSurface,
  VerifierStatus,
} from '../base/closed-sets.ts'
import type { Cause } from '../model/lifecycle.ts'
import type { FeedbackMark, MemoryRecord } from '../model/record.ts'

/** Feedback that names more memories than this cannot tell which one was at fault: it is weak for each. */
export const STRONG_BLAME_MAX = 3

export interface OutcomeEvidence {
  readonly outcome: FeedbackOutcome
  readonly verifierStatus: VerifierStatus | null
  readonly toolStatus: ToolStatus | null
  readonly runtimeSignalRefs: readonly string[]
  readonly namedCount: number
}

/** A negative outcome with failure evidence, blaming few enough memories to mean each of them. */
export function isStrongNegative(evidence: OutcomeEvidence): boolean {
  if (evidence.outcome !== 'negative' || evidence.namedCount > STRONG_BLAME_MAX) return false
  return (
    evidence.verifierStatus === 'failed' ||
    evidence.toolStatus === 'failed' ||
    evidence.runtimeSignalRefs.length > 0
  )
}

/**
 * Whether a positive outcome may rehabilitate: the memory was shown for direct use, or the host asserts that it
 * used one it had inspected. No positive lifts a do_not_use or rehydrate exposure.
 */
export function isDirectPositive(
  outcome: FeedbackOutcome,
  usedSurface: UsedSurface,
  exposedOn: Surface,
): boolean {
  if (outcome !== 'positive') return false
  if (exposedOn === 'use_now') return usedSurface === 'use_now' || usedSurface === 'explicit_host_assertion'
  return exposedOn === 'inspect_before_use' && usedSurface === 'explicit_host_assertion'
}

/** Repeats of one memory, run and outcome count once. */
export function isRepeat(record: MemoryRecord, runId: string, outcome: FeedbackOutcome): boolean {
  return record.marks.some((mark) => mark.runId === runId && mark.outcome === outcome)
}

export interface StandingMove {
  readonly to: Standing
  readonly cause: Cause
  readonly reason: string
}

type NewMark = Omit<FeedbackMark, 'seq' | 'atMs'>

/** Where one new outcome moves the standing of a memory; null when it stays. Trust and suppression never move. */
export function standingAfter(record: MemoryRecord, mark: NewMark): StandingMove | null {
  if (mark.outcome === 'negative') return mark.strong ? afterStrong(record, mark) : afterWeak(record, mark)
  if (mark.outcome === 'positive' && mark.direct) return afterDirectPositive(record, mark)
  return null
}

function afterStrong(record: MemoryRecord, mark: NewMark): StandingMove | null {
  const { standing } = record.facets
  if (record.domain === 'execution' && standing !== 'failed' && hasUnansweredStrong(record, mark.runId)) {
    const reason = `a second run failed with it (${mark.runId}): ${mark.reason}`
    return { to: 'failed', cause: 'repeated_strong_negative', reason }
  }
  if (standing !== 'active' && standing !== 'demoted') return null
  return {
    to: 'contested',
    cause: 'strong_negative',
    reason: `run ${mark.runId} failed with it: ${mark.reason}`,
  }
}

function afterWeak(record: MemoryRecord, mark: NewMark): StandingMove | null {
  const { standing } = record.facets
  if (standing === 'active') {
    return {
      to: 'demoted',
      cause: 'weak_negative',
      reason: `run ${mark.runId} reported against it: ${mark.reason}`,
    }
  }
  if (standing !== 'demoted') return null
  // Whatever spoke against it before it came back to active is answered.
  const since = lastReturnSeq(record)
  const other = record.marks.some(
    (past) => past.outcome === 'negative' && !past.strong && past.runId !== mark.runId && past.seq > since,
  )
  if (!other) return null
  const reason = `a second run reported against it (${mark.runId}): ${mark.reason}`
  return { to: 'contested', cause: 'repeated_weak_negative', reason }
}

function afterDirectPositive(record: MemoryRecord, mark: NewMark): StandingMove | null {
  const { standing } = record.facets
  if (standing === 'demoted') {
    return {
      to: 'active',
      cause: 'direct_positive',
      reason: `run ${mark.runId} succeeded with it: ${mark.reason}`,
    }
  }
  if (standing !== 'contested' || mark.verifierStatus !== 'passed') return null
  const since = Math.max(lastNegativeSeq(record), lastContestedSeq(record))
  const earlier = record.marks.some(
    (past) => isVerified(past) && past.runId !== mark.runId && past.seq > since,
  )
  if (!earlier) return null
  return {
    to: 'active',
    cause: 'verified_positives',
    reason: `two verified runs succeeded with it, last ${mark.runId}`,
  }
}

/** A strong negative of another run that no verified positive has answered since. */
function hasUnansweredStrong(record: MemoryRecord, runId: string): boolean {
  let isUnanswered = false
  for (const past of record.marks) {
    if (past.outcome === 'negative' && past.strong && past.runId !== runId) isUnanswered = true
    else if (isVerified(past)) isUnanswered = false
  }
  return isUnanswered
}

function isVerified(mark: FeedbackMark): boolean {
  return mark.outcome === 'positive' && mark.direct && mark.verifierStatus === 'passed'
}

function lastNegativeSeq(record: MemoryRecord): number {
  return record.marks.findLast((mark) => mark.outcome === 'negative')?.seq ?? 0
}

function lastContestedSeq(record: MemoryRecord): number {
  return (
    record.changes.findLast((change) => change.facet === 'standing' && change.to === 'contested')?.seq ?? 0
  )
}

/** When the memory last came back to active: weak evidence from before is answered. */
function lastReturnSeq(record: MemoryRecord): number {
  return record.changes.findLast((change) => change.facet === 'standing' && change.to === 'active')?.seq ?? 0
}
