import { SURFACES } from '../base/closed-sets.ts'
import type { GuideStory } from '../guide/story.ts'
import {
  amountOf,
  fieldOf,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../measure/wire-object.ts'
import { type ActorState, MARKS_MAX } from '../model/state.ts'
import { type Artifact, type ArtifactMismatch, mismatchesOf, readArtifact } from './artifact.ts'
import { erasedSince } from './erased-guide.ts'
import { type MemoryOutcome, outcomesOf } from './outcomes.ts'
import type { Supplied } from './recorder-artifacts.ts'
import { isFullSince } from './replay-effect.ts'

/** Rows of artifacts compared one by one at most. */
const ROWS_MAX = 400

/**
 * Where a supplied object says something else than the record of a guide: ids, surfaces and their order, rule of each
 * memory, prompt, posture, files, run, outcome. What the record cannot tell any more is not compared.
 * @param hashOf the hash that the records use for prompt texts
 */
export function recordMismatches(
  { name, value }: Supplied,
  story: GuideStory,
  state: Pick<ActorState, 'memories' | 'erasures'>,
  hashOf: (promptText: string) => string,
): readonly ArtifactMismatch[] {
  const { exposure } = story
  if (isOfCandidates(value)) return []
  const read = readArtifact(name, value, hashOf)
  const artifact = { ...read, outcome: read.outcome ?? textOf(value, 'feedback_outcome') }
  const { guideTraceId } = artifact
  if (guideTraceId !== null && guideTraceId !== exposure.guideTraceId) {
    return [{ artifact: name, field: 'guide_trace_id', guide_trace_id: exposure.guideTraceId }]
  }
  const told = isTold(artifact, story, state) ? artifact : { ...artifact, runId: null, outcome: null }
  const contradicted = mismatchesOf(told, story, knownOutcomes(state, artifact, story))
  const fields = new Set([
    ...contradicted.map(({ field }) => field).filter((field) => isSaid(value, field)),
    ...shownFields(value, story, erasedSince(story, state).length === 0),
    ...(isOtherRule(value, story) ? ['rule_id'] : []),
  ])
  return [...fields].map((field) => ({ artifact: name, field, guide_trace_id: exposure.guideTraceId }))
}

/** A list of a surface that is not there says nothing; rows name the surfaces of all. */
function isSaid(value: WireObject, field: string): boolean {
  if (!SURFACES.some((surface) => field === `${surface}_memory_ids`)) return true
  const parts = [
    value,
    ...['agent_context', 'memory_use_receipt', 'guide_trace'].map((n) => partOf(value, n)),
  ]
  return (
    ['memory_decisions', 'entries'].some((name) => objectsOf(value, name).length > 0) ||
    parts.some((part) => Array.isArray(fieldOf(part, field)))
  )
}

/** A record of candidates that another backend supplied is about no guide. */
function isOfCandidates(value: WireObject): boolean {
  return textOf(value, 'source') === 'external_candidate_admission'
}

/** Whether outcomes can be compared: an outcome that names no memory leaves no mark, and old marks are dropped. */
function isTold(artifact: Artifact, { exposure }: GuideStory, state: Pick<ActorState, 'memories'>): boolean {
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
  state: Pick<ActorState, 'memories'>,
  { runId, usedMemoryIds }: Artifact,
  { exposure }: GuideStory,
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
  { exposure, decision }: GuideStory,
  areFilesKept: boolean,
): readonly string[] {
  const fields: string[] = []
  const feedback = partOf(partOf(value, 'forget_effect'), 'guide_trace')
  const lists = [value, partOf(value, 'guide_trace'), feedback]
  for (const list of lists) {
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
  if (hasFiles && !isSameList(textsOf(value, 'target_files'), decision.targetFiles))
    fields.push('target_files')
  return fields
}

/** An agent context or a receipt: it lists what was shown by surface. */
function isShown(value: WireObject): boolean {
  return Array.isArray(fieldOf(value, 'use_now_memory_ids'))
}

/** A row that names another rule for a memory than the one that decided. */
function isOtherRule(value: WireObject, { decision }: GuideStory): boolean {
  if (decision === null) return false
  const ruleOf = new Map(decision.printed.map(({ memoryId, ruleId }) => [memoryId, ruleId]))
  const rows = ['decision_summaries', 'memory_decisions', 'entries'].flatMap((name) => objectsOf(value, name))
  return rows.slice(0, ROWS_MAX).some((row) => {
    const known = ruleOf.get(textOf(row, 'memory_id') ?? '')
    const told = textOf(row, 'rule_id')
    return known !== undefined && told !== null && told !== known
  })
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at])
}
