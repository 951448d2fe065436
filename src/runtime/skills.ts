import type { Actor } from '../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { SKILLS_LISTED } from '../contract/skills.ts'
import { isObject } from '../core/base/collections.ts'
import { GUIDE_TRACE_PREFIX } from '../core/base/ids.ts'
import { viewerOf } from '../core/guide/decision.ts'
import { SKILL_REFUSALS } from '../core/measure/skill.ts'
import { skillMarkdown } from '../core/measure/training-candidates.ts'
import { fieldOf, objectsOf, partOf, textsOf, type WireObject } from '../core/measure/wire-object.ts'
import { isSuppressed } from '../core/model/lifecycle.ts'
import {
  SIGNATURE_KINDS,
  type SkillCandidate,
  type SkillDecision,
  type SkillOrigin,
  statusOf,
} from '../core/model/skill-candidate.ts'
import type { ActorState } from '../core/model/state.ts'
import { canRead, type Viewer } from '../core/model/visibility.ts'
import {
  decideProposals,
  derivedSkills,
  originIn,
  type RefusedSkill,
  type SkillAsk,
  SUPPLIED_REFUSALS,
} from '../core/skills/derive.ts'
import { decideReview, isCandidateKnownTo } from '../core/skills/settle.ts'
import { approvalCheck } from './forget.ts'
import { identityOf, NOBODY_SENT, taskOf, viewerIn } from './normalise/identity.ts'
import {
  type Call,
  envelopeOf,
  type Handler,
  isoOf,
  type RuntimeParts,
  sourceMap,
  turnOnce,
} from './parts.ts'
import { orNotFound, storedGuide } from './reports/guide-records.ts'

const CONTRACT = 'svc_trace_derived_skill_review_result_v1'
const ROUTE = '/v1/skills/candidates'
const SAFETY = {
  agent_prompt_included: false,
  runtime_mutation: false,
  authority_mutation: false,
  required_gate: 'admission_and_promotion_gate',
} as const

/** Stores the skills that recorded runs give, for review. No memory changes. */
export const proposeSkills: Handler<'proposeSkills'> = async (parts, call) => {
  const command = proposeCommand(call.request)
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const eyes = command.eyes ?? (await measuredEyes(parts, actor, command.guideTraceIds))
    const asks = command.asksFor(eyes)
    return turnOnce(parts, actor, call, (state, nowMs) => {
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
    })
  })
}

/** Lists candidates, the newest first. */
export const listSkills: Handler<'listSkills'> = async (parts, { request }) => {
  const command = listCommand(request)
  const { eyes, status, limit, includeMarkdown } = command
  return parts.registry.use(command.tenantId, command.scope, (actor) =>
    actor.read((state, nowMs) => {
      const candidates = [...state.skills.values()]
        .toReversed()
        .filter((candidate) => status === 'all' || statusOf(candidate) === status)
        .filter((candidate) => isCandidateKnownTo(state, candidate, eyes))
        .slice(0, limit)
      return {
        ...envelopeOf(CONTRACT, command),
        ...listed(state, candidates, eyes, includeMarkdown, nowMs),
        source_map: sourceMap(ROUTE, ['skill_review']),
      }
    }),
  )
}

export const promoteSkill: Handler<'promoteSkill'> = (parts, call) => reviewSkill(parts, call, 'promoted')
export const rejectSkill: Handler<'rejectSkill'> = (parts, call) => reviewSkill(parts, call, 'rejected')

/** Marks a candidate as promoted or rejected, and changes nothing else. */
async function reviewSkill(
  parts: RuntimeParts,
  call: Call<RequestOf<'promoteSkill'>>,
  decision: SkillDecision,
): Promise<AnswerOf<'promoteSkill' | 'rejectSkill'>> {
  const { request } = call
  const eyes = viewerIn(request)
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
    return turnOnce(parts, actor, call, (state, nowMs) => {
      check(state)
      const { events, candidate } = decideReview(state, command, nowMs)
      const route = `${ROUTE}/:candidate_id/${decision === 'promoted' ? 'promote' : 'reject'}`
      const reply = {
        ...envelopeOf(CONTRACT, call),
        ...listed(state, [candidate], eyes, request.include_markdown ?? false, nowMs),
        source_map: sourceMap(route, ['run_records', 'skill_review']),
      }
      return { events, reply }
    })
  })
}

/** A measurement read the records with the eyes of its guide's consumer: so does whoever hands in its report. */
async function measuredEyes(
  parts: RuntimeParts,
  actor: Actor,
  guideTraceIds: readonly string[],
): Promise<Viewer> {
  for (const id of guideTraceIds.toReversed()) {
    const guide = await orNotFound(storedGuide(parts, actor, id, NOBODY_SENT))
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

/** Skills of a supplied report that are looked at; a report of ours holds one for each kernel at most. */
const SUPPLIED_MAX = 4
/** Guides of a supplied report that are looked up for the consumer who was measured. */
const GUIDES_MAX = 4

/** A supplied report counts before the signatures that the request itself names. */
export function proposeCommand(request: RequestOf<'proposeSkills'>) {
  const report = suppliedReport(request)
  return {
    /** Null: an operator, unless a guide of the supplied report names its consumer. */
    eyes: viewerIn(request),
    guideTraceIds: report === null ? [] : guidesOf(report),
    /** What is asked for, once it is known with whose eyes. */
    asksFor: (eyes: Viewer) => (report === null ? namedAsks(request, eyes) : suppliedAsks(report, eyes)),
    includeMarkdown: request.include_markdown ?? false,
  }
}

export function listCommand(request: RequestOf<'listSkills'>) {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    eyes: viewerIn(request),
    status: request.status ?? 'pending_review',
    limit: request.limit ?? SKILLS_LISTED,
    includeMarkdown: request.include_markdown ?? false,
  }
}

function suppliedReport(request: RequestOf<'proposeSkills'>): WireObject | null {
  if (isObject(request.effect_report)) return request.effect_report
  return isObject(request.measure_result) ? partOf(request.measure_result, 'effect_report') : null
}

function guidesOf(report: WireObject): readonly string[] {
  return textsOf(partOf(report, 'evidence'), 'evidence_ids')
    .filter((id) => id.startsWith(GUIDE_TRACE_PREFIX))
    .slice(0, GUIDES_MAX)
}

function suppliedAsks(report: WireObject, derivedFor: Viewer): readonly SkillAsk[] {
  return objectsOf(report, 'training_candidates')
    .flatMap((candidate) => {
      const supplied = fieldOf(candidate, 'trace_derived_skill')
      return isObject(supplied) ? [{ origin: originIn(supplied, derivedFor), supplied }] : []
    })
    .slice(0, SUPPLIED_MAX)
}

function namedAsks(request: RequestOf<'proposeSkills'>, derivedFor: Viewer): readonly SkillAsk[] {
  const { taskSignature, workflowSignature } = taskOf(request)
  const named = { task_signature: taskSignature, workflow_signature: workflowSignature }
  return SIGNATURE_KINDS.flatMap((signatureKind) => {
    const signature = named[signatureKind]
    return signature === null ? [] : [{ origin: { signatureKind, signature, derivedFor }, supplied: null }]
  })
}

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

function refusedView({ origin, reason, differingFields }: RefusedSkill) {
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
