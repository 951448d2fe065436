import { digestOf } from '../base/digest.ts'
import type { Consumer } from './record.ts'

/** What a review decides. */
export const SKILL_DECISIONS = ['promoted', 'rejected'] as const
export type SkillDecision = (typeof SKILL_DECISIONS)[number]

export const SKILL_STATUSES = ['pending_review', ...SKILL_DECISIONS] as const
export type SkillStatus = (typeof SKILL_STATUSES)[number]

export const SIGNATURE_KINDS = ['task_signature', 'workflow_signature'] as const
export type SignatureKind = (typeof SIGNATURE_KINDS)[number]

/** How far it has come; `candidate_only`: recorded runs give it, nothing was measured. */
export const PROMOTION_STATUSES = ['promotion_ready', 'needs_feedback_attribution', 'candidate_only'] as const

export const EXPORT_POLICY = {
  agent_prompt_included: false,
  runtime_mutation: false,
  required_gate: 'admission_and_promotion_gate',
} as const

/** A procedure that records support, for review. It changes nothing and no agent sees it. */
export interface TraceDerivedSkill {
  readonly contract_version: 'svc_trace_derived_skill_candidate_v1'
  readonly skill_name: string
  readonly applies_when: readonly string[]
  readonly does_not_apply_when: readonly string[]
  readonly procedure_steps: readonly string[]
  readonly acceptance_checks: readonly string[]
  readonly authority_state: 'candidate'
  readonly export_policy: typeof EXPORT_POLICY
  readonly source_trace_ids: readonly string[]
  readonly source_signal_ids: readonly string[]
  readonly target_files: readonly string[]
  readonly failure_counterexamples: readonly string[]
  readonly evidence_refs: readonly string[]
  readonly promotion_status: (typeof PROMOTION_STATUSES)[number]
}

/** Prefix of the ids of skill candidates. */
export const SKILL_PREFIX = 'skill:'
/** Candidates that an actor keeps; the oldest that nobody reviewed go first. */
export const SKILLS_MAX = 1000

/** Which recorded runs a skill is derived from. */
export interface SkillOrigin {
  readonly signatureKind: SignatureKind
  readonly signature: string
  /** With whose eyes the records were read; null: shared memory only. */
  readonly derivedFor: Consumer | null
}

/** A skill as it is proposed for review. */
export interface SkillDraft extends SkillOrigin {
  readonly candidateId: string
  readonly skill: TraceDerivedSkill
  /** Memory whose text stands in the skill. */
  readonly sourceMemoryIds: readonly string[]
}

export interface SkillReview {
  readonly decision: SkillDecision
  readonly reviewerId: string
  readonly reason: string
  readonly atMs: number
  readonly seq: number
}

/**
 * A procedure that recorded runs support, with its review. It is no memory: no guide shows it, and a review marks
 * it and nothing else. An operator who settles it as promoted has it written as a procedure.
 */
export interface SkillCandidate extends SkillDraft {
  readonly proposedAtMs: number
  readonly seq: number
  /** Null: nobody has reviewed it. */
  readonly review: SkillReview | null
  /** The memory that an operator's promotion wrote. Absent: none was ever written. */
  readonly procedureId?: string
}

export function statusOf({ review }: SkillCandidate): SkillStatus {
  return review?.decision ?? 'pending_review'
}

/** Equal for candidates of the same runs and eyes. */
export function originKey({ signatureKind, signature, derivedFor }: SkillOrigin): string {
  return JSON.stringify([signatureKind, signature, derivedFor?.agentId ?? null, derivedFor?.teamId ?? null])
}

/** What a reviewer judges. The rest of a skill says where it comes from and changes with every further run. */
export const JUDGED_FIELDS = [
  'skill_name',
  'procedure_steps',
  'does_not_apply_when',
  'acceptance_checks',
  'target_files',
  'evidence_refs',
  'authority_state',
  'export_policy',
] as const satisfies readonly (keyof TraceDerivedSkill)[]

/** Equal for skills that say the same to a reviewer. */
export function judgedDigest(skill: TraceDerivedSkill): string {
  return digestOf(JUDGED_FIELDS.map((field) => judged(skill[field])))
}

/** Equal for skills of the same runs that have the same steps: an operator who rejected one need not see the other. */
export function stepsDigest({ applies_when, procedure_steps }: TraceDerivedSkill): string {
  const signature = applies_when.find((line) => SIGNATURE_KINDS.some((kind) => line.startsWith(`${kind}:`)))
  return digestOf([signature ?? null, judged(procedure_steps)])
}

/** A line of a skill with how many of the runs hold it. */
export function supported(line: string, support: number, runCount: number): string {
  return `${line} (${support} of ${runCount})`
}

const SUPPORT = / \(\d+ of \d+\)(?= or |$)/gu

/** A field without the counts of runs: they change with every further run that says the same. */
export function judged(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((line) => (typeof line === 'string' ? line.replace(SUPPORT, '') : line))
}

/** What history keeps of a skill that held text of an erased memory. */
export const ERASED_SKILL: TraceDerivedSkill = {
  contract_version: 'svc_trace_derived_skill_candidate_v1',
  skill_name: '',
  applies_when: [],
  does_not_apply_when: [],
  procedure_steps: [],
  acceptance_checks: [],
  authority_state: 'candidate',
  export_policy: EXPORT_POLICY,
  source_trace_ids: [],
  source_signal_ids: [],
  target_files: [],
  failure_counterexamples: [],
  evidence_refs: [],
  promotion_status: 'candidate_only',
}
