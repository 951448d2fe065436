import { type BySurface, bySurface } from '../base/by-surface.ts'
import { SURFACES } from '../base/closed-sets.ts'
import type { GuideStory } from '../guide/story.ts'
import { readLifecycleResult } from '../measure/guide-snapshot.ts'
import {
  fieldOf,
  isObject,
  objectsOf,
  partOf,
  textOf,
  textsOf,
  type WireObject,
} from '../measure/wire-object.ts'
import type { MemoryOutcome } from './outcomes.ts'

/** What one object that a caller hands back says about a guide. Believed only where there is no record. */
export interface Artifact {
  /** The field that it came in. */
  readonly name: string
  readonly guideTraceId: string | null
  readonly runId: string | null
  /** Ids by surface; null: it names none. */
  readonly exposed: BySurface<readonly string[]> | null
  /** Hash of the prompt text that it carries; null: it carries none. */
  readonly promptHash: string | null
  readonly outcome: string | null
  readonly usedMemoryIds: readonly string[] | null
}

/** One place where an artifact says something else than the record. */
export interface ArtifactMismatch {
  readonly artifact: string
  readonly field: string
  readonly guide_trace_id: string
}

/**
 * Reads what a caller supplied: a whole guide response, an agent context, a receipt, a decision trace, an operator
 * snapshot, an admission record or a feedback response.
 * @param hashOf the hash that the records use for prompt texts
 */
export function readArtifact(
  name: string,
  value: WireObject,
  hashOf: (promptText: string) => string,
): Artifact {
  const shown = shownPart(value)
  const promptText = textOf(shown, 'prompt_text')
  const lifecycle = readLifecycleResult(value)
  const attribution = partOf(partOf(value, 'forget_effect'), 'attribution')
  const told = [value, partOf(value, 'feedback_effect'), attribution, partOf(value, 'feedback_attribution')]
  return {
    name,
    guideTraceId:
      textOf(value, 'guide_trace_id') ?? textOf(shown, 'guide_trace_id') ?? lifecycle.guideTraceId,
    runId: lifecycle.runId ?? textOf(partOf(value, 'task'), 'run_id'),
    exposed: exposedIn(value, shown),
    promptHash: promptText === null ? null : hashOf(promptText),
    outcome: firstText(told, 'outcome'),
    usedMemoryIds: firstList(told, ['used_memory_ids', 'attributed_memory_ids', 'memory_ids']),
  }
}

/** Where an artifact of this guide contradicts the record; empty for one that names another guide. */
export function mismatchesOf(
  artifact: Artifact,
  story: GuideStory,
  outcomes: readonly MemoryOutcome[],
): readonly ArtifactMismatch[] {
  const { exposure, decision } = story
  if (artifact.guideTraceId !== null && artifact.guideTraceId !== exposure.guideTraceId) return []
  const fields: string[] = []
  const { exposed } = artifact
  if (exposed !== null) {
    for (const surface of SURFACES) {
      const recorded = exposure.memoryIds.filter((_id, at) => exposure.surfaces[at] === surface)
      if (!isSameSet(exposed[surface], recorded)) fields.push(`${surface}_memory_ids`)
    }
  }
  if (artifact.promptHash !== null && decision !== null && artifact.promptHash !== decision.promptHash) {
    fields.push('prompt_text')
  }
  const isOtherRun =
    artifact.runId !== null &&
    artifact.runId !== exposure.runId &&
    !outcomes.some(({ mark }) => mark.runId === artifact.runId)
  if (isOtherRun) fields.push('run_id')
  if (artifact.outcome !== null && !outcomes.some(({ mark }) => mark.outcome === artifact.outcome)) {
    fields.push('outcome')
  }
  const unknown = artifact.usedMemoryIds?.some((id) => !outcomes.some((one) => one.memoryId === id)) ?? false
  if (artifact.outcome !== null && unknown) fields.push('used_memory_ids')
  return fields.map((field) => ({
    artifact: artifact.name,
    field,
    guide_trace_id: exposure.guideTraceId,
  }))
}

/** The part that holds the lists: an agent context, a receipt, the guide trace of a snapshot, or the object itself. */
function shownPart(value: WireObject): WireObject {
  for (const name of ['agent_context', 'memory_use_receipt', 'guide_trace']) {
    const part = fieldOf(value, name)
    if (isObject(part)) return part
  }
  return value
}

function exposedIn(value: WireObject, shown: WireObject): Artifact['exposed'] {
  const decisions = objectsOf(value, 'memory_decisions')
  const entries = decisions.length > 0 ? decisions : objectsOf(value, 'entries')
  if (entries.length > 0) {
    const found = bySurface((): string[] => [])
    for (const row of entries) {
      const on = textOf(row, 'agent_surface') ?? textOf(row, 'prompt_surface')
      const surface = SURFACES.find((each) => each === on)
      const id = textOf(row, 'memory_id')
      if (surface !== undefined && id !== null) found[surface].push(id)
    }
    return found
  }
  if (!SURFACES.some((surface) => Array.isArray(fieldOf(shown, `${surface}_memory_ids`)))) return null
  return bySurface((surface) => textsOf(shown, `${surface}_memory_ids`))
}

function firstText(parts: readonly WireObject[], name: string): string | null {
  for (const part of parts) {
    const text = textOf(part, name)
    if (text !== null) return text
  }
  return null
}

function firstList(parts: readonly WireObject[], names: readonly string[]): readonly string[] | null {
  for (const part of parts) {
    for (const name of names) if (Array.isArray(fieldOf(part, name))) return textsOf(part, name)
  }
  return null
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  // What comes back is mostly what went out, in its order.
  if (one.length === other.length && one.every((id, at) => id === other[at])) return true
  const ids = new Set(one)
  return ids.size === new Set(other).size && other.every((id) => ids.has(id))
}
