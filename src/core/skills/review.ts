import { DomainError } from '../base/errors.ts'
import type { ActorEvent } from '../model/events.ts'
import { judgedDigest, type SkillCandidate, type SkillDecision } from '../model/skill-candidate.ts'
import type { ActorState } from '../model/state.ts'
import { canSee, type Viewer } from '../model/visibility.ts'
import { findingOf } from './derive.ts'

export interface ReviewCommand {
  readonly candidateId: string
  readonly decision: SkillDecision
  readonly reviewerId: string
  readonly reason: string
  readonly eyes: Viewer
}

/**
 * Marks a candidate. The same review again changes nothing; another one is refused, and so is promoting what the
 * records do not give any more.
 * @throws skill_candidate_not_found, skill_candidate_already_reviewed, skill_candidate_outdated
 */
export function decideReview(
  state: ActorState,
  command: ReviewCommand,
  nowMs: number,
): { readonly events: readonly ActorEvent[]; readonly candidate: SkillCandidate } {
  const { candidateId, decision, reviewerId, reason } = command
  const candidate = knownCandidate(state, candidateId, command.eyes)
  const { review } = candidate
  if (review !== null) {
    const isSame =
      review.decision === decision && review.reviewerId === reviewerId && review.reason === reason
    if (isSame) return { events: [], candidate }
    const details = { candidate_id: candidateId, status: review.decision, reviewer_id: review.reviewerId }
    throw new DomainError('skill_candidate_already_reviewed', details)
  }
  if (decision === 'promoted') assertCurrent(state, candidate, nowMs)
  return {
    events: [
      {
        type: 'skill_reviewed',
        candidateId,
        sourceMemoryIds: candidate.sourceMemoryIds,
        decision,
        reviewerId,
        reason,
      },
    ],
    candidate: {
      ...candidate,
      review: { decision, reviewerId, reason, atMs: nowMs, seq: state.seq + 1 },
    },
  }
}

/** @throws skill_candidate_not_found */
export function knownCandidate(state: ActorState, candidateId: string, eyes: Viewer): SkillCandidate {
  const candidate = state.skills.get(candidateId)
  if (candidate !== undefined && isCandidateKnownTo(state, candidate, eyes)) return candidate
  throw new DomainError('skill_candidate_not_found', { candidate_id: candidateId })
}

/** A consumer knows of candidates whose sources it sees, all of them; an operator of every one. */
export function isCandidateKnownTo(
  state: Pick<ActorState, 'memories'>,
  { sourceMemoryIds }: SkillCandidate,
  eyes: Viewer,
): boolean {
  if (eyes === null) return true
  return sourceMemoryIds.every((id) => {
    const record = state.memories.get(id)
    return record !== undefined && canSee(eyes, record)
  })
}

/** @throws skill_candidate_outdated */
export function assertCurrent(state: ActorState, candidate: SkillCandidate, nowMs: number): void {
  const finding = findingOf(state, candidate, nowMs)
  const isSame = finding.skill !== null && judgedDigest(finding.skill) === judgedDigest(candidate.skill)
  if (isSame) return
  throw new DomainError('skill_candidate_outdated', {
    candidate_id: candidate.candidateId,
    reason: finding.refusal ?? 'differs_from_records',
  })
}
