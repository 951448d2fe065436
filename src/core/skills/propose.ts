import type { ActorEvent } from '../model/events.ts'
import {
  judgedDigest,
  originKey,
  SKILL_PREFIX,
  type SkillDraft,
  statusOf,
  stepsDigest,
} from '../model/skill-candidate.ts'
import type { ActorState } from '../model/state.ts'
import type { DerivedSkill } from './derive.ts'

/**
 * Stores derived skills for review. One that says the same is stored once, whatever became of it; so is one with the steps
 * of a rejected one; a pending one of the same runs is replaced; beside a reviewed one a new one is stored. Of every derived
 * skill the id is told, those that were known included.
 * @param newId a UUID
 */
export function decideProposals(
  state: Pick<ActorState, 'skills'>,
  derived: readonly DerivedSkill[],
  newId: () => string,
) {
  const events: ActorEvent[] = []
  const candidateIds: string[] = []
  let insertedCount = 0
  let updatedCount = 0
  for (const one of derived) {
    const known = [...state.skills.values()].filter((other) => originKey(other) === originKey(one))
    const same = known.find(
      (other) =>
        judgedDigest(other.skill) === judgedDigest(one.skill) ||
        (statusOf(other) === 'rejected' && stepsDigest(other.skill) === stepsDigest(one.skill)),
    )
    if (same !== undefined) {
      candidateIds.push(same.candidateId)
      continue
    }
    const pending = known.find((other) => statusOf(other) === 'pending_review')
    if (pending === undefined) insertedCount += 1
    else updatedCount += 1
    const draft: SkillDraft = { ...one, candidateId: pending?.candidateId ?? `${SKILL_PREFIX}${newId()}` }
    candidateIds.push(draft.candidateId)
    events.push({ type: 'skill_proposed', draft })
  }
  return { events, candidateIds, insertedCount, updatedCount }
}
