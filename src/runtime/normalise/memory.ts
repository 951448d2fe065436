import { MEMORY_KEYS, type WireMemory } from '../../contract/memory-input.ts'
import type { MemoryWrite } from '../../core/model/commands.ts'
import type { Content } from '../../core/model/record.ts'
import { isLog } from '../../core/text/log-line.ts'
import { distinct, filledItems, firstOf } from './absence.ts'
import { audienceOf, type Lanes } from './audience.ts'
import { ownTask } from './identity.ts'
import { coldPayload, unlistedFields } from './payload.ts'
import { referencesOf } from './references.ts'
import { declaredLifecycles, memoryTypeOf, outcomeOf } from './words.ts'
import { CONFIDENCE_DEFAULT, type WriteContext } from './write-context.ts'

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
    audience: audienceOf(lanes, place, warnings),
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
