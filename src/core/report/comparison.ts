import { SURFACES } from '../base/closed-sets.ts'
import { isObject, isSameList } from '../base/collections.ts'
import type { StoredGuide } from '../guide/decision.ts'
import {
  amountOf,
  fieldOf,
  isSameSet,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../measure/wire-object.ts'
import type { MemoryRecord } from '../model/record.ts'
import { type ActorState, CHANGES_MAX, MARKS_MAX } from '../model/state.ts'
import { isFeedback, judgeFeedback, type ReportHistory, saidIn } from './feedback-report.ts'
import { erasedSince, type MemoryOutcome, outcomesOf } from './guide-record.ts'
import { isFullSince } from './replay.ts'
import { tellsOfGuide } from './supplied-guide.ts'
import { type Artifact, readArtifact, type Supplied } from './supplied-objects.ts'
import { ROWS_MAX } from './viewer.ts'

// Supplied objects against the record of a guide. The record counts, whatever is supplied.

/** Rows of an artifact compared one by one at most. */
const ROWS_COMPARED_MAX = 400

type Memories = Pick<ActorState, 'memories' | 'external'>
type Place = Pick<ActorState, 'tenantId' | 'scope'>

/** One place where an artifact says something else than the record. */
export interface ArtifactMismatch {
  readonly artifact: string
  readonly field: string
  readonly guideTraceId: string
}

export interface Comparison {
  readonly mismatches: readonly ArtifactMismatch[]
  /** What of supplied artifacts the record can neither confirm nor deny. */
  readonly unverified: readonly Pick<ArtifactMismatch, 'artifact' | 'field'>[]
}

const AGREED: Comparison = { mismatches: [], unverified: [] }

/** One row for each field, in order of first mention. */
export function mismatches(
  artifact: string,
  fields: Iterable<string>,
  { exposure }: Pick<StoredGuide, 'exposure'>,
): readonly ArtifactMismatch[] {
  return [...new Set(fields)].map((field) => ({ artifact, field, guideTraceId: exposure.guideTraceId }))
}

/** Fields in which an artifact of this guide contradicts the record; none for one that names another guide. */
function contradictedFields(
  artifact: Artifact,
  { exposure, decision }: StoredGuide,
  outcomes: readonly MemoryOutcome[],
): readonly string[] {
  const { guideTraceId, exposed, promptHash, runId, outcome, usedMemoryIds } = artifact
  if (guideTraceId !== null && guideTraceId !== exposure.guideTraceId) return []
  const fields: string[] = []
  for (const surface of exposed === null ? [] : SURFACES) {
    const recorded = exposure.memoryIds.filter((_id, at) => exposure.surfaces[at] === surface)
    if (!isSameSet(exposed?.[surface] ?? [], recorded)) fields.push(`${surface}_memory_ids`)
  }
  if (promptHash !== null && decision !== null && promptHash !== decision.promptHash) {
    fields.push('prompt_text')
  }
  const isOtherRun = runId !== null && runId !== exposure.runId
  if (isOtherRun && !outcomes.some(({ mark }) => mark.runId === runId)) fields.push('run_id')
  if (outcome === null) return fields
  if (!outcomes.some(({ mark }) => mark.outcome === outcome)) fields.push('outcome')
  const isUnknown = usedMemoryIds?.some((id) => !outcomes.some((one) => one.memoryId === id)) ?? false
  return isUnknown ? [...fields, 'used_memory_ids'] : fields
}

/** For a decision trace: a guide response, whole or in part, against the record of the guide that it is said to be. */
export function compareGuide(
  name: string,
  value: WireObject,
  guide: StoredGuide,
  place: Place,
  hashOf: (text: string) => string,
): Comparison {
  const receipt = fieldOf(value, 'memory_use_receipt')
  const context = fieldOf(value, 'agent_context')
  const parts: (readonly [string, WireObject])[] = [[name, value]]
  if (isObject(receipt)) {
    if (isObject(context)) parts.push([`${name}.memory_use_receipt`, receipt])
    const rows = objectsOf(receipt, 'decision_summaries')
    if (rows.length > 0) {
      parts.push([`${name}.memory_use_receipt.decision_summaries`, { memory_decisions: rows }])
    }
  }
  const isUnread =
    guide.decision === null && typeof fieldOf(partOf(value, 'agent_context'), 'prompt_text') === 'string'
  return {
    mismatches: parts.flatMap(([artifact, part]) =>
      mismatches(artifact, partFields(artifact, part, guide, place, hashOf), guide),
    ),
    unverified: isUnread ? [{ artifact: name, field: 'prompt_text' }] : [],
  }
}

function partFields(
  artifact: string,
  part: WireObject,
  guide: StoredGuide,
  place: Place,
  hashOf: (text: string) => string,
): readonly string[] {
  const { exposure, decision } = guide
  const read = { ...readArtifact(artifact, part, hashOf), outcome: null, usedMemoryIds: null }
  // What is said to be this guide and names another one is a difference, too.
  const isOther = read.guideTraceId !== null && read.guideTraceId !== exposure.guideTraceId
  const fields: string[] = isOther ? ['guide_trace_id'] : []
  fields.push(...contradictedFields({ ...read, guideTraceId: null }, guide, []))
  for (const [name, recorded] of [
    ['tenant_id', place.tenantId],
    ['scope', place.scope],
    ['consumer_agent_id', exposure.consumerAgentId],
    ['consumer_team_id', exposure.consumerTeamId],
  ] as const) {
    const said = textOf(part, name)
    if (said !== null && said !== recorded) fields.push(name)
  }
  for (const [object, name] of [
    [part, 'exposed_memory_ids'],
    [partOf(part, 'agent_context'), 'memory_ids'],
  ] as const) {
    if (!Array.isArray(fieldOf(object, name))) continue
    if (!isSameList(textsOf(object, name), exposure.memoryIds)) fields.push(name)
  }
  const chars = amountOf(part, 'prompt_char_count')
  if (chars !== null && decision !== null && chars !== decision.promptChars) fields.push('prompt_char_count')
  return fields
}

/** For a decision trace: a feedback or lifecycle response against what was recorded of the guide and of its memory. */
export function compareAnswer(
  { name, value }: Supplied,
  guide: StoredGuide,
  outcomes: readonly MemoryOutcome[],
  history: ReportHistory | null,
  memories: ActorState['memories'],
): Comparison {
  const differs = (field: string): Comparison => ({
    mismatches: mismatches(name, [field], guide),
    unverified: [],
  })
  if (!isFeedback(value)) {
    return isUnrecordedSuppression(value, memories) ? differs('affected_memory_ids') : AGREED
  }
  const verdict = judgeFeedback(saidIn(value), guide.exposure, outcomes, history, memories)
  if (verdict.status === 'differs') return differs(verdict.field)
  if (verdict.status === 'agrees') return AGREED
  return { mismatches: [], unverified: [{ artifact: name, field: 'outcome' }] }
}

/** Every suppression leaves a change on its memory, as long as the memory keeps its changes. */
function isUnrecordedSuppression(value: WireObject, memories: ActorState['memories']): boolean {
  const effect = partOf(value, 'forget_effect')
  if ((textOf(value, 'operation') ?? textOf(effect, 'action')) !== 'suppress') return false
  return textsOf(effect, 'affected_memory_ids').some((id) => !mayHaveBeenSuppressed(memories.get(id)))
}

function mayHaveBeenSuppressed(record: MemoryRecord | undefined): boolean {
  if (record === undefined) return false
  return (
    record.changes.length >= CHANGES_MAX ||
    record.changes.some((change) => change.facet === 'suppression' && change.to === 'suppressed')
  )
}

/**
 * For an operator snapshot: an object of the guide in focus is compared with the record; every other one is listed as
 * supplied.
 */
export function compareObject(
  artifact: Artifact,
  value: WireObject,
  guide: StoredGuide | null,
  outcomes: readonly MemoryOutcome[],
) {
  const { guideTraceId, exposed } = artifact
  const isOfFocus =
    guide !== null &&
    tellsOfGuide(artifact) &&
    (guideTraceId === null || guideTraceId === guide.exposure.guideTraceId)
  const found = isOfFocus
    ? mismatches(artifact.name, contradictedFields(artifact, guide, outcomes), guide)
    : []
  const ids =
    exposed === null
      ? objectsOf(value, 'live_claims').flatMap((row) => textOf(row, 'memory_id') ?? [])
      : SURFACES.flatMap((surface) => exposed[surface])
  return {
    artifact,
    status: !isOfFocus ? 'as_supplied' : found.length === 0 ? 'agrees' : 'differs',
    mismatches: found,
    // Those of a guide, or of the live claims of a ledger.
    memoryIds: [...new Set(ids)].slice(0, ROWS_MAX),
  } as const
}

/**
 * For the flight recorder: where an object says something else than the record of a guide: ids, surfaces and their
 * order, rule of each memory, prompt, posture, files, run, outcome. What the record cannot tell any more is not
 * compared.
 * @param hashOf the hash that the records use for prompt texts
 */
export function recordMismatches(
  { name, value }: Supplied,
  guide: StoredGuide,
  state: Memories & Pick<ActorState, 'erasures'>,
  hashOf: (promptText: string) => string,
): readonly ArtifactMismatch[] {
  // A record of candidates that another backend supplied is about no guide.
  if (textOf(value, 'source') === 'external_candidate_admission') return []
  const read = readArtifact(name, value, hashOf)
  const artifact = { ...read, outcome: read.outcome ?? textOf(value, 'feedback_outcome') }
  const { guideTraceId } = artifact
  if (guideTraceId !== null && guideTraceId !== guide.exposure.guideTraceId) {
    return mismatches(name, ['guide_trace_id'], guide)
  }
  const told = isTold(artifact, guide, state) ? artifact : { ...artifact, runId: null, outcome: null }
  const contradicted = contradictedFields(told, guide, knownOutcomes(state, artifact, guide))
  const fields = [
    ...contradicted.filter((field) => isSaid(value, field)),
    ...shownFields(value, guide, erasedSince(guide, state).length === 0),
    ...(isOtherRule(value, guide) ? ['rule_id'] : []),
  ]
  return mismatches(name, fields, guide)
}

/** A list of a surface that is not there says nothing; rows name the surfaces of all. */
function isSaid(value: WireObject, field: string): boolean {
  if (!SURFACES.some((surface) => field === `${surface}_memory_ids`)) return true
  const names = ['agent_context', 'memory_use_receipt', 'guide_trace']
  const parts = [value, ...names.map((name) => partOf(value, name))]
  return (
    ['memory_decisions', 'entries'].some((name) => objectsOf(value, name).length > 0) ||
    parts.some((part) => Array.isArray(fieldOf(part, field)))
  )
}

/** Whether outcomes can be compared: an outcome that names no memory leaves no mark, and old marks are dropped. */
function isTold(artifact: Artifact, { exposure }: StoredGuide, state: Memories): boolean {
  const ids = artifact.usedMemoryIds ?? []
  if (artifact.outcome === 'neutral' && ids.length === 0) return false
  return ![...exposure.memoryIds, ...ids].some((id) =>
    isFullSince(state.memories.get(id)?.marks ?? [], MARKS_MAX, exposure.seq),
  )
}

/**
 * A memory, run and outcome are recorded once, under the guide that was named first; so outcomes of the artifact's own
 * run count under whatever guide they stand.
 */
function knownOutcomes(
  state: Memories,
  { runId, usedMemoryIds }: Artifact,
  { exposure }: StoredGuide,
): readonly MemoryOutcome[] {
  const known = [...outcomesOf(state, exposure)]
  for (const memoryId of new Set([...exposure.memoryIds, ...(usedMemoryIds ?? [])])) {
    const record = state.memories.get(memoryId)
    for (const mark of [...(record?.marks ?? []), ...(record?.assertions ?? [])]) {
      if (mark.runId === (runId ?? exposure.runId)) known.push({ memoryId, mark })
    }
  }
  return known
}

/**
 * Fields that say what was shown, where they are there at all.
 * @param areFilesKept false: they went with an erased memory
 */
function shownFields(
  value: WireObject,
  { exposure, decision }: StoredGuide,
  areFilesKept: boolean,
): readonly string[] {
  const fields: string[] = []
  const feedback = partOf(partOf(value, 'forget_effect'), 'guide_trace')
  for (const list of [value, partOf(value, 'guide_trace'), feedback]) {
    for (const name of ['memory_ids', 'exposed_memory_ids']) {
      // A feedback answer names what was used under `memory_ids`, in an order of its own.
      if (!Array.isArray(fieldOf(list, name)) || (name === 'memory_ids' && !isShown(list))) continue
      if (!isSameList(textsOf(list, name), exposure.memoryIds)) fields.push('exposed_memory_ids')
    }
  }
  if (decision === null || !isShown(value)) return fields
  const posture = textOf(value, 'recommended_posture')
  if (posture !== null && posture !== decision.posture) fields.push('recommended_posture')
  const authority = textOf(value, 'authority')
  if (authority !== null && authority !== decision.authority) fields.push('authority')
  const chars = amountOf(value, 'prompt_char_count')
  if (chars !== null && chars !== decision.promptChars) fields.push('prompt_char_count')
  const hasFiles = areFilesKept && Array.isArray(fieldOf(value, 'target_files'))
  if (hasFiles && !isSameList(textsOf(value, 'target_files'), decision.targetFiles)) {
    fields.push('target_files')
  }
  return fields
}

/** An agent context or a receipt: it lists what was shown by surface. */
function isShown(value: WireObject): boolean {
  return Array.isArray(fieldOf(value, 'use_now_memory_ids'))
}

/** A row that names another rule for a memory than the one that decided. */
function isOtherRule(value: WireObject, { decision }: StoredGuide): boolean {
  if (decision === null) return false
  const ruleOf = new Map(decision.printed.map(({ memoryId, ruleId }) => [memoryId, ruleId]))
  const rows = ['decision_summaries', 'memory_decisions', 'entries'].flatMap((name) => objectsOf(value, name))
  return rows.slice(0, ROWS_COMPARED_MAX).some((row) => {
    const known = ruleOf.get(textOf(row, 'memory_id') ?? '')
    const told = textOf(row, 'rule_id')
    return known !== undefined && told !== null && told !== known
  })
}
