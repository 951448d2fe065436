import { SKILL_REFUSALS } from '../core/measure/skill.ts'
import { skillMarkdown } from '../core/measure/skill-file.ts'
import { isSuppressed } from '../core/model/lifecycle.ts'
import { type SkillCandidate, type SkillOrigin, statusOf } from '../core/model/skill-candidate.ts'
import type { ActorState } from '../core/model/state.ts'
import { canRead, type Viewer } from '../core/model/visibility.ts'
import { type RefusedSkill, SUPPLIED_REFUSALS } from '../core/skills/derive.ts'
import { isoOf } from './iso-time.ts'

/** A candidate as an operator reads it. Text of memory that these eyes do not read, or that is suppressed, is left out. */
export function skillView(
  state: ActorState,
  candidate: SkillCandidate,
  eyes: Viewer,
  includeMarkdown: boolean,
  nowMs: number,
) {
  const { review, skill } = candidate
  const isWithheld = candidate.sourceMemoryIds.some((id) => {
    const record = state.memories.get(id)
    return record === undefined || isSuppressed(record.facets, nowMs) || !canRead(eyes, record)
  })
  return {
    candidate_id: candidate.candidateId,
    candidate_type: 'trace_derived_skill' as const,
    status: statusOf(candidate),
    ...signatures(candidate),
    source_memory_ids: candidate.sourceMemoryIds,
    proposed_at: isoOf(candidate.proposedAtMs),
    review:
      review === null
        ? null
        : {
            decision: review.decision,
            reviewer_id: review.reviewerId,
            reason: review.reason,
            reviewed_at: isoOf(review.atMs),
          },
    ...(candidate.procedureId === undefined ? {} : { procedure_id: candidate.procedureId }),
    trace_derived_skill: isWithheld ? null : skill,
    text_withheld: isWithheld,
    ...(includeMarkdown && !isWithheld ? { markdown: skillMarkdown(skill, reviewNote(candidate)) } : {}),
  }
}

const REFUSAL_SENTENCES: Readonly<Record<RefusedSkill['reason'], string>> = {
  ...SKILL_REFUSALS,
  ...SUPPLIED_REFUSALS,
}

export function refusedView({ origin, reason, differingFields }: RefusedSkill) {
  return {
    ...signatures(origin),
    reason,
    message: REFUSAL_SENTENCES[reason],
    differing_fields: differingFields,
  }
}

function signatures(origin: SkillOrigin | null) {
  const of = (kind: SkillOrigin['signatureKind']): string | null =>
    origin?.signatureKind === kind ? origin.signature : null
  return { task_signature: of('task_signature'), workflow_signature: of('workflow_signature') }
}

function reviewNote({ review }: SkillCandidate): string {
  if (review === null) return 'Candidate, not reviewed.'
  return `${review.decision === 'promoted' ? 'Promoted' : 'Rejected'} by ${review.reviewerId}.`
}
