import { assert } from '../base/assert.ts'
import type { ActorEvent, Turn } from './events.ts'
import { SKILLS_MAX, type SkillCandidate, statusOf } from './skill-candidate.ts'
import type { ActorState } from './state.ts'

// What events do to skill candidates; called by `evolve` only.

type EventOf<Type extends ActorEvent['type']> = ActorEvent & { type: Type }
type Skills = Pick<ActorState, 'skills'>

/** Pending candidates make room for newer ones before reviewed ones do. */
export function proposeSkill({ skills }: Skills, { draft }: EventOf<'skill_proposed'>, turn: Turn): void {
  skills.delete(draft.candidateId)
  if (skills.size >= SKILLS_MAX) {
    const known = [...skills.values()]
    const leaving = known.find((candidate) => statusOf(candidate) === 'pending_review') ?? known[0]
    if (leaving !== undefined) skills.delete(leaving.candidateId)
  }
  skills.set(draft.candidateId, { ...draft, proposedAtMs: turn.atMs, seq: turn.seq, review: null })
}

export function reviewSkill({ skills }: Skills, event: EventOf<'skill_reviewed'>, turn: Turn): void {
  const { candidateId, decision, reviewerId, reason } = event
  const candidate = skills.get(candidateId)
  assert(candidate !== undefined && candidate.review === null, `skill ${candidateId} waits for a review`)
  const { atMs, seq } = turn
  skills.set(candidateId, { ...candidate, review: { decision, reviewerId, reason, atMs, seq } })
}

export function settleSkill({ skills }: Skills, event: EventOf<'skill_settled'>, turn: Turn): void {
  const candidate = skills.get(event.candidateId)
  assert(candidate !== undefined, `skill ${event.candidateId} is not in the state`)
  skills.set(event.candidateId, settledSkill(candidate, event, turn))
}

/** The candidate as a verdict leaves it. */
export function settledSkill(
  candidate: SkillCandidate,
  { decision, actorName, reason, procedureId }: Omit<EventOf<'skill_settled'>, 'type'>,
  { atMs, seq }: Pick<Turn, 'atMs' | 'seq'>,
): SkillCandidate {
  const review = decision === null ? null : { decision, reviewerId: actorName ?? '', reason, atMs, seq }
  return { ...candidate, review, ...(procedureId === null ? {} : { procedureId }) }
}
