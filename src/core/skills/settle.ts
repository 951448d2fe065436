import { DomainError } from '../base/errors.ts'
import type { MemoryWrite } from '../model/commands.ts'
import type { ActorEvent } from '../model/events.ts'
import type { Audience, Consumer } from '../model/record.ts'
import { judged, judgedDigest, type SkillCandidate, type SkillDecision } from '../model/skill-candidate.ts'
import { settledSkill } from '../model/skill-state.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { canSee, isSeenByAllWhoSee, type Viewer } from '../model/visibility.ts'
import { type Decided, Decision } from '../write/decision.ts'
import { changedBy, suppressSettled, unsuppressSettled } from '../write/settle.ts'
import { PLAIN, writeMemory } from '../write/write-memory.ts'
import { findingOf } from './derive.ts'

interface ReviewCommand {
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
function knownCandidate(state: ActorState, candidateId: string, eyes: Viewer): SkillCandidate {
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
function assertCurrent(state: ActorState, candidate: SkillCandidate, nowMs: number): void {
  const finding = findingOf(state, candidate, nowMs)
  const isSame = finding.skill !== null && judgedDigest(finding.skill) === judgedDigest(candidate.skill)
  if (isSame) return
  throw new DomainError('skill_candidate_outdated', {
    candidate_id: candidate.candidateId,
    reason: finding.refusal ?? 'differs_from_records',
  })
}

export const SKILL_VERDICTS = ['promote', 'reject', 'reopen'] as const
export type SkillVerdict = (typeof SKILL_VERDICTS)[number]

const DECISIONS: Readonly<Record<SkillVerdict, SkillDecision | null>> = {
  promote: 'promoted',
  reject: 'rejected',
  reopen: null,
}

export interface SettleSkillCommand {
  readonly candidateId: string
  readonly verdict: SkillVerdict
  readonly reason: string
  readonly actorName: string | null
}

interface SettleSkillEffect {
  readonly candidate: SkillCandidate
  /** What was decided before; null: nothing. */
  readonly previous: SkillVerdict | null
  readonly changedMemoryIds: readonly string[]
}

/**
 * Decides about a skill candidate. Promoted, it is written as a procedure by an operator's word, derived from its runs; any
 * other verdict suppresses that procedure, and promoting again brings it back. The same verdict again changes nothing.
 * @param newId a UUID
 * @throws skill_candidate_not_found, skill_candidate_outdated
 */
export function decideSettleSkill(
  state: ActorState,
  command: SettleSkillCommand,
  eyes: Viewer,
  nowMs: number,
  newId: () => string,
): Decided<SettleSkillEffect> {
  const { candidateId, verdict, reason, actorName } = command
  const candidate = knownCandidate(state, candidateId, eyes)
  const decision = new Decision(state, nowMs, newId)
  const wanted = DECISIONS[verdict]
  const before = candidate.review?.decision ?? null
  const changed =
    wanted === 'promoted' ? promoted(decision, candidate) : withdrawn(decision, candidate, command)
  const previous = before === null ? null : before === 'promoted' ? 'promote' : 'reject'
  if (before === wanted && changed.length === 0)
    return { events: [], effect: { candidate, previous, changedMemoryIds: [] } }
  const procedureId = wanted === 'promoted' ? (changed[0] ?? candidate.procedureId) : candidate.procedureId
  const settled = {
    candidateId,
    sourceMemoryIds: candidate.sourceMemoryIds,
    decision: wanted,
    actorName,
    reason,
    procedureId: procedureId ?? null,
  }
  const after = settledSkill(candidate, settled, { atMs: nowMs, seq: state.seq + 1 })
  return {
    events: [...decision.events, { type: 'skill_settled', ...settled }],
    effect: { candidate: after, previous, changedMemoryIds: changedBy(decision, eyes) },
  }
}

/** The procedure in force; the memories that it takes to change for that. */
function promoted(decision: Decision, candidate: SkillCandidate): readonly string[] {
  const { state } = decision
  const known = candidate.procedureId === undefined ? undefined : liveRecord(state, candidate.procedureId)
  if (known !== undefined && candidate.review?.decision === 'promoted') return []
  assertCurrent(state, candidate, decision.nowMs)
  if (known !== undefined) {
    const isBack = unsuppressSettled(decision, known.memoryId, 'the skill is promoted again')
    return isBack ? [known.memoryId] : []
  }
  const { memoryId } = writeMemory(
    decision,
    procedureOf(decision, candidate),
    candidate.derivedFor ?? LOCAL,
    PLAIN,
  )
  decision.events.push({ type: 'authority_given', memoryIds: [memoryId], authority: 'operator' })
  return [memoryId]
}

function withdrawn(
  decision: Decision,
  { procedureId }: SkillCandidate,
  { reason, actorName }: SettleSkillCommand,
): readonly string[] {
  const known = procedureId === undefined ? undefined : liveRecord(decision.state, procedureId)
  if (known === undefined) return []
  const to = { reason, by: actorName, sinceMs: decision.nowMs, untilMs: null }
  return suppressSettled(decision, known.memoryId, to, null) ? [known.memoryId] : []
}

const LOCAL: Consumer = { agentId: '', teamId: null }

/** Whoever sees it sees what it is derived from: where not every team of its agent does, the team that it was derived for. */
function audienceOf({ state }: Decision, { derivedFor, sourceMemoryIds }: SkillCandidate): Audience {
  const shared: Audience = { lane: 'shared', ownerAgentId: null, ownerTeamId: derivedFor?.teamId ?? null }
  if (derivedFor === null) return shared
  const own: Audience = { lane: 'private', ownerAgentId: derivedFor.agentId, ownerTeamId: null }
  const isKnownTo = (audience: Audience): boolean =>
    sourceMemoryIds.every((id) => {
      const source = liveRecord(state, id)
      return source !== undefined && isSeenByAllWhoSee(source.audience, audience)
    })
  return derivedFor.teamId !== null && !isKnownTo(own) && isKnownTo(shared) ? shared : own
}

const CONFIDENCE = 0.9

function procedureOf(decision: Decision, candidate: SkillCandidate): MemoryWrite {
  const { skill, signatureKind, signature, sourceMemoryIds } = candidate
  const steps = linesOf(skill.procedure_steps)
  const not = linesOf(skill.does_not_apply_when)
  const text = [
    `${skill.skill_name}: ${steps.map((step, at) => `${at + 1}. ${step}`).join('; ')}.`,
    ...(not.length === 0 ? [] : [`It does not apply when: ${not.join('; ')}.`]),
  ].join(' ')
  return {
    clientId: null,
    domain: 'general',
    memoryType: 'procedure',
    kind: 'procedure',
    audience: audienceOf(decision, candidate),
    producerAgentId: null,
    producerTeamId: null,
    actorName: null,
    origin: 'agent',
    derivedFrom: sourceMemoryIds.map((id) => ({ id })),
    supersedes: [],
    runId: null,
    taskId: null,
    taskFamily: null,
    taskSignature: signatureKind === 'task_signature' ? signature : null,
    workflowSignature: signatureKind === 'workflow_signature' ? signature : null,
    content: {
      title: skill.skill_name,
      titleIsCallers: false,
      text,
      summary: null,
      outcome: null,
      outcomeRaw: null,
      confidence: CONFIDENCE,
      targetFiles: skill.target_files,
      acceptanceChecks: skill.acceptance_checks,
      workflowSteps: steps,
      tools: [],
      verifier: [],
      evidenceRefs: skill.evidence_refs,
      rawRef: null,
      nextAction: null,
      payload: null,
    },
    declared: [],
    validUntilMs: null,
    observedAtMs: null,
  }
}

/** Without the counts of runs that say so. */
function linesOf(lines: readonly string[]): readonly string[] {
  const plain = judged(lines)
  return Array.isArray(plain) ? plain.filter((line) => typeof line === 'string') : []
}
