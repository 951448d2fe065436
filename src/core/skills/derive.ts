import { digestOf } from '../base/digest.ts'
import { recordedRuns, runMarks, runVerdicts, signedSteps } from '../measure/recorded-runs.ts'
import { type SkillFinding, type SkillRefusal, skillFrom } from '../measure/skill.ts'
import { fieldOf, textsOf, type WireObject } from '../measure/wire-object.ts'
import type { ActorEvent } from '../model/events.ts'
import {
  JUDGED_FIELDS,
  judged,
  judgedDigest,
  originKey,
  SIGNATURE_KINDS,
  SKILL_PREFIX,
  type SkillDraft,
  type SkillOrigin,
  statusOf,
  stepsDigest,
  type TraceDerivedSkill,
} from '../model/skill-candidate.ts'
import type { ActorState } from '../model/state.ts'
import type { Viewer } from '../model/visibility.ts'

/** Why a supplied skill was not taken, beside what the records lack. */
export const SUPPLIED_REFUSALS = {
  differs_from_records: 'The records give another skill than the supplied one.',
  no_signature: 'The supplied skill names no signature in applies_when.',
} as const
type SkillReviewRefusal = SkillRefusal | keyof typeof SUPPLIED_REFUSALS

type DerivedSkill = Omit<SkillDraft, 'candidateId'>

/** One skill that was asked for and is not stored. */
export interface RefusedSkill {
  /** Null: it names none. */
  readonly origin: SkillOrigin | null
  readonly reason: SkillReviewRefusal
  /** Where a supplied skill differs from the records. */
  readonly differingFields: readonly string[]
}

interface Derivation {
  readonly derived: readonly DerivedSkill[]
  readonly refused: readonly RefusedSkill[]
}

/** What is asked to be derived: a signature alone, or a skill that somebody else says it gives. */
export interface SkillAsk {
  readonly origin: SkillOrigin | null
  readonly supplied: WireObject | null
}

/** The signature that a supplied skill names. */
export function originIn(supplied: WireObject, derivedFor: Viewer): SkillOrigin | null {
  for (const condition of textsOf(supplied, 'applies_when')) {
    for (const signatureKind of SIGNATURE_KINDS) {
      const prefix = `${signatureKind}:`
      const signature = condition.startsWith(prefix) ? condition.slice(prefix.length) : ''
      if (signature !== '') return { signatureKind, signature, derivedFor }
    }
  }
  return null
}

/** Skills that the records give now. A supplied one is compared and never taken over. */
export function derivedSkills(state: ActorState, asks: readonly SkillAsk[], nowMs: number): Derivation {
  const derived: DerivedSkill[] = []
  const refused: RefusedSkill[] = []
  for (const { origin, supplied } of asks) {
    if (origin === null) {
      refused.push({ origin, reason: 'no_signature', differingFields: [] })
      continue
    }
    // A report may hold one skill for each kernel that improved; they are judged by the same runs.
    if (derived.some((other) => originKey(other) === originKey(origin))) continue
    const finding = findingOf(state, origin, nowMs)
    if (finding.skill === null) {
      refused.push({ origin, reason: finding.refusal, differingFields: [] })
      continue
    }
    const differingFields = supplied === null ? [] : differences(supplied, finding.skill)
    if (differingFields.length > 0) refused.push({ origin, reason: 'differs_from_records', differingFields })
    else derived.push({ ...origin, skill: finding.skill, sourceMemoryIds: finding.sourceMemoryIds })
  }
  return { derived, refused }
}

/** What the recorded runs of a signature give now, whatever was measured. */
export function findingOf(
  state: ActorState,
  { signatureKind, signature, derivedFor }: SkillOrigin,
  nowMs: number,
): SkillFinding {
  const taskSignature = signatureKind === 'task_signature' ? signature : null
  const workflowSignature = signatureKind === 'workflow_signature' ? signature : null
  const steps = signedSteps(state, { taskSignature, workflowSignature })
  const marks = runMarks(state, new Set(steps.byRun.keys()), [])
  const { runs } = recordedRuns(state, steps, runVerdicts(marks), derivedFor, nowMs)
  const task = { taskId: null, runId: null, taskFamily: null, taskSignature, workflowSignature }
  return skillFrom({ task, score: null, isExportReady: false, evidenceIds: [] }, runs)
}

function differences(supplied: WireObject, skill: TraceDerivedSkill): readonly string[] {
  return JUDGED_FIELDS.filter(
    (field) => canonical(judged(fieldOf(supplied, field))) !== canonical(judged(skill[field])),
  )
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return digestOf([value ?? null])
  return digestOf(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

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
    // One that was promoted once stays for its procedure, which goes when its runs are erased.
    const pending = known.find(
      (other) => statusOf(other) === 'pending_review' && other.procedureId === undefined,
    )
    if (pending === undefined) insertedCount += 1
    else updatedCount += 1
    const draft: SkillDraft = { ...one, candidateId: pending?.candidateId ?? `${SKILL_PREFIX}${newId()}` }
    candidateIds.push(draft.candidateId)
    events.push({ type: 'skill_proposed', draft })
  }
  return { events, candidateIds, insertedCount, updatedCount }
}
