import type { Actor } from '../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { viewerOf } from '../core/guide/stored-guide.ts'
import { type SkillCandidate, type SkillDecision, statusOf } from '../core/model/skill-candidate.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Viewer } from '../core/model/visibility.ts'
import { derivedSkills } from '../core/skills/derive.ts'
import { decideProposals } from '../core/skills/propose.ts'
import { decideReview, isCandidateKnownTo } from '../core/skills/review.ts'
import { approvalCheck } from './four-eyes.ts'
import { once } from './idempotency.ts'
import { consumerOf, isConsumerGiven, NOBODY_SENT } from './normalise/identity.ts'
import { listCommand, proposeCommand } from './normalise/skills.ts'
import { type Call, envelopeOf, principalIdOf, type RuntimeParts, sourceMap } from './parts.ts'
import { heldGuide } from './reports/guide-records.ts'
import { refusedView, skillView } from './skill-view.ts'

const CONTRACT = 'svc_trace_derived_skill_review_result_v1'
const ROUTE = '/v1/skills/candidates'
const SAFETY = {
  agent_prompt_included: false,
  runtime_mutation: false,
  authority_mutation: false,
  required_gate: 'admission_and_promotion_gate',
} as const

/** Stores the skills that recorded runs give, for review. No memory changes. */
export async function proposeSkills(
  parts: RuntimeParts,
  call: Call<RequestOf<'proposeSkills'>>,
): Promise<AnswerOf<'proposeSkills'>> {
  const command = proposeCommand(call.request)
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const eyes = command.eyes ?? (await measuredEyes(parts, actor, command.guideTraceIds))
    const asks = command.asksFor(eyes)
    return actor.turn(
      once(parts.codec, call.operationKey, (state, nowMs) => {
        const { derived, refused } = derivedSkills(state, asks, nowMs)
        const proposals = decideProposals(state, derived, () => parts.entropy.uuid(nowMs))
        const fresh = new Map<string, SkillCandidate>()
        for (const event of proposals.events) {
          if (event.type !== 'skill_proposed') continue
          const { draft } = event
          fresh.set(draft.candidateId, { ...draft, proposedAtMs: nowMs, seq: state.seq + 1, review: null })
        }
        const candidates = proposals.candidateIds.flatMap(
          (candidateId) => fresh.get(candidateId) ?? state.skills.get(candidateId) ?? [],
        )
        const reply = {
          ...envelopeOf(CONTRACT, call),
          ...listed(state, candidates, eyes, command.includeMarkdown, nowMs),
          inserted_count: proposals.insertedCount,
          updated_count: proposals.updatedCount,
          refused: refused.map(refusedView),
          source_map: sourceMap(ROUTE, ['run_records', 'skill_review']),
        }
        return { events: proposals.events, reply }
      }),
      principalIdOf(call),
    )
  })
}

/** Lists candidates, the newest first. */
export async function listSkills(
  parts: RuntimeParts,
  request: RequestOf<'listSkills'>,
): Promise<AnswerOf<'listSkills'>> {
  const command = listCommand(request)
  const { eyes, status, limit, includeMarkdown } = command
  return parts.registry.use(command.tenantId, command.scope, (actor) =>
    actor.turn((state, nowMs) => {
      const candidates = [...state.skills.values()]
        .toReversed()
        .filter((candidate) => status === 'all' || statusOf(candidate) === status)
        .filter((candidate) => isCandidateKnownTo(state, candidate, eyes))
        .slice(0, limit)
      const reply = {
        ...envelopeOf(CONTRACT, command),
        ...listed(state, candidates, eyes, includeMarkdown, nowMs),
        source_map: sourceMap(ROUTE, ['skill_review']),
      }
      return { events: [], reply }
    }),
  )
}

/** Marks a candidate as promoted or rejected, and changes nothing else. */
export async function reviewSkill(
  parts: RuntimeParts,
  call: Call<RequestOf<'promoteSkill'>>,
  decision: SkillDecision,
): Promise<AnswerOf<'promoteSkill' | 'rejectSkill'>> {
  const { request } = call
  const eyes = isConsumerGiven(request) ? consumerOf(request) : null
  const command = {
    candidateId: request.candidate_id,
    decision,
    reviewerId: request.reviewer_id,
    reason: request.reason,
    eyes,
  }
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const check = await approvalCheck(parts, actor, call, ({ skills }) =>
      decision === 'promoted' ? (skills.get(request.candidate_id)?.sourceMemoryIds ?? []) : [],
    )
    return actor.turn(
      once(parts.codec, call.operationKey, (state, nowMs) => {
        check(state)
        const { events, candidate } = decideReview(state, command, nowMs)
        const route = `${ROUTE}/:candidate_id/${decision === 'promoted' ? 'promote' : 'reject'}`
        const reply = {
          ...envelopeOf(CONTRACT, call),
          ...listed(state, [candidate], eyes, request.include_markdown ?? false, nowMs),
          source_map: sourceMap(route, ['run_records', 'skill_review']),
        }
        return { events, reply }
      }),
      principalIdOf(call),
    )
  })
}

/** A measurement read the records with the eyes of its guide's consumer: so does whoever hands in its report. */
async function measuredEyes(
  parts: RuntimeParts,
  actor: Actor,
  guideTraceIds: readonly string[],
): Promise<Viewer> {
  for (const id of guideTraceIds.toReversed()) {
    const guide = await heldGuide(parts, actor, id, NOBODY_SENT)
    if (guide !== null) return viewerOf(guide)
  }
  return null
}

function listed(
  state: ActorState,
  candidates: readonly SkillCandidate[],
  eyes: Viewer,
  includeMarkdown: boolean,
  nowMs: number,
) {
  return {
    candidates: candidates.map((candidate) => skillView(state, candidate, eyes, includeMarkdown, nowMs)),
    candidate_count: candidates.length,
    safety: SAFETY,
  }
}
