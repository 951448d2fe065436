import {
  MEMORY_KEYS,
  type WireMemory,
  type WireReference,
  type WireReferences,
} from '../../contract/memory-input.ts'
import type { WireExecution } from '../../contract/observe.ts'
import { meaning, UNKNOWN_NAMED_MAX } from '../../contract/parse.ts'
import { nearName, shortened } from '../../contract/unknown-fields.ts'
import { isObject } from '../../core/base/collections.ts'
import { OUR_ID } from '../../core/base/ids.ts'
import type { MemoryRef, MemoryWrite } from '../../core/model/commands.ts'
import type { Content, Json, JsonObject } from '../../core/model/record.ts'
import { isLog } from '../../core/screening/screen.ts'
import {
  audienceOf,
  CONFIDENCE_DEFAULT,
  declaredLifecycles,
  distinct,
  filledItems,
  firstOf,
  type Lanes,
  memoryTypeOf,
  outcomeOf,
  ownTask,
  verifiersOf,
  type WriteContext,
} from './identity.ts'

/// <reference lib="es2024.string" />

/** The words that a memory brings itself, from the strongest: its text in any of the older names. */
export function ownText(memory: WireMemory): string | null {
  return firstOf(memory.text, memory.content, memory.input_text)
}

export function hasWords(memory: WireMemory): boolean {
  return firstOf(ownText(memory), memory.summary, memory.text_summary, memory.title) !== null
}

export interface MemorySetting {
  /** Path of the memory in the request, for warnings. */
  readonly place: string
  readonly lanes: Lanes
  /** The text of the request, when this is its memory. */
  readonly inputText: string | null
  /** The request's `memory_kind`, when this is its memory. */
  readonly requestKind: string | null
}

/** One ordinary memory, from `memory`, a node or bare input_text. */
export function memoryInput(memory: WireMemory, setting: MemorySetting, context: WriteContext): MemoryWrite {
  const { place, lanes } = setting
  const { warnings } = context
  const kinds = [memory.kind, memory.type, memory.memory_kind, setting.requestKind]
  const kind = firstOf(...kinds)
  // What a program wrote down happened once; nobody has said that it holds.
  const isUntoldEvent = kind === null && isLog(firstOf(ownText(memory), setting.inputText) ?? '')
  const memoryType = isUntoldEvent ? 'event' : memoryTypeOf(kinds, place, warnings)
  const task = ownTask(memory, context.task)
  // Field by field: behind a spread the engine adds each by a slow path.
  return {
    clientId: memory.client_id ?? null,
    domain: memoryType === 'execution_memory' ? 'execution' : 'general',
    memoryType,
    kind,
    audience: audienceOf(lanes, place, context),
    producerAgentId: lanes.producerAgentId ?? context.producerAgentId,
    producerTeamId: context.producerTeamId,
    actorName: context.actorName,
    origin: memory.origin ?? context.origin,
    derivedFrom: referencesOf(memory.derived_from),
    supersedes: referencesOf(memory.supersedes),
    runId: task.runId,
    taskId: task.taskId,
    taskFamily: task.taskFamily,
    taskSignature: task.taskSignature,
    workflowSignature: task.workflowSignature,
    content: memoryContent(memory, setting, memoryType === 'execution_memory', warnings),
    declared: declaredLifecycles(memory, place, warnings),
    validUntilMs: memory.valid_until ?? null,
    observedAtMs: memory.observed_at ?? null,
  }
}

function memoryContent(
  memory: WireMemory,
  setting: MemorySetting,
  isExecution: boolean,
  warnings: string[],
): Omit<Content, 'fullTextChars'> {
  const summary = firstOf(memory.summary, memory.text_summary)
  const title = firstOf(memory.title)
  const rawRef = firstOf(memory.raw_ref)
  const said = isExecution ? outcomeOf(memory.outcome, setting.place, warnings) : null
  // A title beside a pointer only labels what the pointer leads to: such a memory has no text of its own.
  const isPointer =
    rawRef !== null || firstOf(memory.evidence_ref) !== null || (memory.payload ?? null) !== null
  return {
    title,
    titleIsCallers: title !== null,
    text: firstOf(ownText(memory), setting.inputText, summary, isPointer ? null : title) ?? '',
    summary,
    outcome: said?.outcome ?? null,
    outcomeRaw: said?.outcomeRaw ?? null,
    confidence: memory.confidence ?? CONFIDENCE_DEFAULT,
    targetFiles: distinct(memory.target_files),
    acceptanceChecks: distinct(memory.acceptance_checks),
    workflowSteps: filledItems(memory.workflow_steps),
    tools: distinct(memory.tools, memory.tool_set),
    verifier: [],
    evidenceRefs: distinct([memory.evidence_ref], memory.evidence_refs),
    rawRef,
    nextAction: firstOf(memory.next_action),
    payload: coldPayload(memory.payload, {
      slots: memory.slots,
      metadata: memory.metadata,
      type: memory.type,
      memory_kind: memory.memory_kind,
      tier: memory.tier,
      salience: memory.salience,
      importance: memory.importance,
      outcome: isExecution ? null : memory.outcome,
      ...unlistedFields(memory, MEMORY_KEYS, setting.place, warnings),
    }),
  }
}

/** Plain text that looks like an id of ours is one; any other text is a client id. */
export function referenceOf(reference: WireReference): MemoryRef {
  if (typeof reference === 'string') {
    return OUR_ID.test(reference) ? { id: reference } : { clientId: reference }
  }
  const { id, client_id: clientId } = reference
  return typeof id === 'string' ? { id } : { clientId: clientId ?? '' }
}

export function referencesOf(references: WireReferences | null | undefined): readonly MemoryRef[] {
  if (references === undefined || references === null) return []
  return (typeof references === 'string' ? [references] : references).map(referenceOf)
}

/**
 * A deep copy as plain JSON, so that state never shares an object with a caller. Half surrogate pairs become
 * U+FFFD, because they would not survive the journal; what is not JSON becomes null or is left out.
 */
export function jsonOf(value: unknown): Json {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed()
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'object':
      if (value === null) return null
      return Array.isArray(value) ? value.map(jsonOf) : jsonObjectOf(value)
    default:
      return null
  }
}

function jsonObjectOf(value: object): JsonObject {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  // fromEntries defines its keys, so that `__proto__` is an ordinary one.
  return Object.fromEntries(members.map(([key, member]) => [key.toWellFormed(), jsonOf(member)]))
}

/**
 * The cold content of a memory: the caller's `payload` at the top, every other field that has no place in the
 * record beside it under its own name. Null when there is nothing.
 */
export function coldPayload(payload: unknown, others: Readonly<Record<string, unknown>>): JsonObject | null {
  const kept: [key: string, value: unknown][] = []
  for (const key of Object.keys(others)) {
    const value = others[key] ?? null
    if (value !== null) kept.push([key, value])
  }
  const isAlone = payload === undefined || payload === null
  if (isAlone && kept.length === 0) return null
  const rest = jsonObjectOf(Object.fromEntries(kept))
  if (isAlone) return rest
  const own = jsonOf(payload)
  const canMerge = isObject(own) && Object.keys(own).every((key) => !Object.hasOwn(rest, key))
  return canMerge ? { ...own, ...rest } : { ...rest, payload: own }
}

/** The fields of a free object that its schema does not name; each is worth a warning, because it may be a typo. */
export function unlistedFields(
  object: Readonly<Record<string, unknown>>,
  listed: ReadonlySet<string>,
  place: string,
  warnings: string[],
): Readonly<Record<string, unknown>> {
  const unlisted = Object.entries(object).filter(([key]) => !listed.has(key))
  // A request has hundreds of nodes, and each name is compared with all that are listed.
  const named = Math.max(0, UNKNOWN_NAMED_MAX - warnings.length)
  for (const [key] of unlisted.slice(0, named)) {
    const hint = meaning(nearName(key, listed))
    warnings.push(`field ${place}.${shortened(key)} is not known and was kept as payload${hint}`)
  }
  const more = unlisted.length - named
  if (more > 0) warnings.push(`${more} further fields of ${place} are not known and were kept as payload`)
  return Object.fromEntries(unlisted)
}

/** Where a step of a run is told: the object of observe, or the body of finish. */
export type StepPlace = 'execution' | 'finish'

/** True when the step says something without input_text. */
export function executionSays(execution: WireExecution): boolean {
  return firstOf(execution.title, execution.summary, execution.outcome) !== null
}

/** One step of a run. `inputText` is its text, unless it belongs to a memory beside it; `place` is what warnings call it. */
export function executionInput(
  execution: WireExecution,
  lanes: Lanes,
  inputText: string | null,
  context: WriteContext,
  place: StepPlace,
): MemoryWrite {
  const task = ownTask(execution, context.task)
  const content = executionContent(execution, inputText, place, context.warnings)
  warnOfMuteRun(content, place, context.warnings)
  return {
    clientId: execution.client_id ?? null,
    domain: 'execution',
    memoryType: 'execution_memory',
    kind: null,
    audience: audienceOf(lanes, place, context),
    producerAgentId: execution.agent_id ?? lanes.producerAgentId ?? context.producerAgentId,
    producerTeamId: execution.team_id ?? context.producerTeamId,
    actorName: context.actorName,
    origin: context.origin,
    derivedFrom: [],
    supersedes: referencesOf(execution.supersedes),
    runId: task.runId,
    taskId: task.taskId,
    taskFamily: task.taskFamily,
    taskSignature: task.taskSignature,
    workflowSignature: task.workflowSignature,
    content,
    declared: declaredLifecycles({ slots: execution.slots }, place, context.warnings),
    validUntilMs: null,
    observedAtMs: execution.observed_at ?? null,
  }
}

/** Of a failed run no text is shown to a later reader, but title, summary, files and checks are. */
function warnOfMuteRun(content: Omit<Content, 'fullTextChars'>, place: string, warnings: string[]): void {
  const { outcome, title, summary, text, targetFiles, acceptanceChecks, rawRef, evidenceRefs } = content
  if (title !== null || summary !== null || targetFiles.length + acceptanceChecks.length > 0) return
  const isFailure = outcome === 'failed' || outcome === 'blocked'
  if (!isFailure && (text !== '' || rawRef !== null || evidenceRefs.length > 0)) return
  const ended = outcome === 'unknown' || outcome === null ? 'ended' : outcome
  const was = outcome === 'blocked' || outcome === 'interrupted' ? 'was ' : ''
  warnings.push(
    `${place} says that a run ${was}${ended} and nothing that a later reader may be shown: send ${place}.title or ${place}.summary, target_files or acceptance_checks`,
  )
}

function executionContent(
  execution: WireExecution,
  inputText: string | null,
  place: string,
  warnings: string[],
): Omit<Content, 'fullTextChars'> {
  const title = firstOf(execution.title)
  const summary = firstOf(execution.summary)
  const rawRef = firstOf(execution.raw_ref)
  const steps = filledItems(execution.workflow_steps, execution.steps)
  const hints = distinct([execution.continuation_hint, execution.resume_hint, execution.reuse_hint])
  const isPointer = rawRef !== null || firstOf(execution.evidence_ref) !== null
  const fallback = isPointer ? null : firstOf(title, steps.join('\n'), hints[0])
  const { outcome, outcomeRaw } = outcomeOf(execution.outcome, place, warnings)
  return {
    title,
    titleIsCallers: title !== null,
    text: firstOf(inputText, summary, fallback) ?? '',
    summary,
    outcome,
    outcomeRaw,
    confidence: execution.confidence ?? CONFIDENCE_DEFAULT,
    targetFiles: distinct(execution.target_files, execution.files),
    acceptanceChecks: distinct(execution.acceptance_checks),
    workflowSteps: steps,
    tools: distinct(execution.tools, execution.tool_set),
    verifier: verifiersOf(execution.verifier, place, warnings),
    evidenceRefs: distinct([execution.evidence_ref], execution.evidence_refs),
    rawRef,
    nextAction: hints[0] ?? null,
    payload: coldPayload(null, {
      slots: execution.slots,
      verification: execution.verification,
      verifier: typeof execution.verifier === 'string' ? null : execution.verifier,
      evidence: execution.evidence,
      artifacts: execution.artifacts,
      salience: execution.salience,
      importance: execution.importance,
      further_hints: hints.length > 1 ? hints.slice(1) : null,
    }),
  }
}
