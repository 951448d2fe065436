import type { WireMemory } from '../../contract/memory-input.ts'
import { HANDOFF_KEYS, HANDOFF_PAYLOAD, type WireClaim, type WireHandoff } from '../../contract/observe.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { DomainError, invalidRequest } from '../../core/base/errors.ts'
import type {
  ClaimInput,
  EdgeInput,
  HandoffInput,
  MemoryWrite,
  ObserveCommand,
} from '../../core/model/commands.ts'
import type { Principal } from '../../core/model/principal.ts'
import type { Consumer, Content } from '../../core/model/record.ts'
import { LOCAL_AGENT } from '../../core/model/visibility.ts'
import {
  agentIdOf,
  audienceOf,
  CONFIDENCE_DEFAULT,
  distinct,
  firstOf,
  type Lanes,
  lanesOf,
  ownTask,
  type Reading,
  teamIdOf,
  type WriteContext,
  warnOfOverruled,
  writeContextOf,
} from './identity.ts'
import {
  coldPayload,
  executionInput,
  executionSays,
  hasWords,
  jsonOf,
  memoryInput,
  ownText,
  referenceOf,
  type StepPlace,
  unlistedFields,
} from './memory.ts'

const PLACE = 'handoff'

/** A handoff; its own lane and owners count before those of the request. */
export function handoffInput(handoff: WireHandoff, context: WriteContext): HandoffInput {
  const lanes = lanesOf(handoff, context.request)
  const kind = firstOf(handoff.handoff_kind) ?? defaultKind(handoff)
  return {
    memory: {
      clientId: handoff.client_id ?? null,
      domain: 'execution',
      memoryType: 'execution_memory',
      kind,
      audience: audienceOf(lanes, PLACE, context),
      producerAgentId: lanes.producerAgentId ?? context.producerAgentId,
      producerTeamId: context.producerTeamId,
      actorName: firstOf(handoff.actor) ?? context.actorName,
      origin: context.origin,
      derivedFrom: [],
      supersedes: [],
      ...ownTask(handoff, context.task),
      content: handoffContent(handoff, context.warnings),
      declared: [],
      validUntilMs: null,
      observedAtMs: null,
    },
    facts: {
      anchor: firstOf(handoff.anchor),
      handoffKind: kind,
      targetAgentId: firstOf(handoff.target_agent_id, handoff.target_agent),
      targetTeamId: firstOf(handoff.target_team_id, handoff.target_team),
      targetRole: firstOf(handoff.target_role),
      handoffText: firstOf(handoff.handoff_text),
      nextAction: firstOf(handoff.next_action),
      risk: firstOf(handoff.risk),
    },
  }
}

/** A patch is about a file; a handoff without one is about a task. */
function defaultKind(handoff: WireHandoff): string {
  return firstOf(handoff.file_path) === null ? 'task_handoff' : 'patch_handoff'
}

function handoffContent(handoff: WireHandoff, warnings: string[]): Omit<Content, 'fullTextChars'> {
  const title = firstOf(handoff.title)
  return {
    title,
    titleIsCallers: title !== null,
    text: distinct([handoff.summary, handoff.handoff_text, handoff.next_action]).join('\n'),
    summary: firstOf(handoff.summary),
    outcome: null,
    outcomeRaw: null,
    confidence: handoff.confidence ?? CONFIDENCE_DEFAULT,
    targetFiles: distinct(handoff.target_files, [handoff.file_path]),
    acceptanceChecks: distinct(handoff.acceptance_checks),
    workflowSteps: [],
    tools: [],
    verifier: [],
    evidenceRefs: [],
    rawRef: null,
    nextAction: firstOf(handoff.next_action),
    payload: coldPayload(null, {
      ...Object.fromEntries(HANDOFF_PAYLOAD.map((key) => [key, handoff[key]])),
      ...unlistedFields(handoff, HANDOFF_KEYS, PLACE, warnings),
    }),
  }
}

const WARNINGS_MAX = 32

/**
 * What an observe request means.
 * @param stepPlace what warnings call the step of the run
 * @throws DomainError `observe_requires_memory_or_handoff` when there is nothing to write; `invalid_request` when
 * one part of the request says nothing.
 */
export function observeCommand(
  request: RequestOf<'observe'>,
  principal: Principal | null = null,
  stepPlace: StepPlace = 'execution',
): Reading<ObserveCommand> {
  const context = writeContextOf(request, principal)
  const { warnings } = context
  // What the request says of itself counts before what its memory says: `memory` was once merged under it.
  const lanes = lanesOf(request, request.memory)
  if (request.memory) warnOfOverruled(request, request.memory, warnings)
  const memories = [...mainMemories(context, lanes, stepPlace), ...nodeMemories(context, lanes)]
  const claims = request.claims ?? []
  const edges = request.edges ?? []
  const changes = request.workspace_changes ?? []
  const said = memories.length + claims.length + edges.length + changes.length
  if (said === 0 && !request.handoff) {
    throw new DomainError('observe_requires_memory_or_handoff')
  }
  const origin = request.origin ?? request.memory?.origin ?? 'agent'
  const command: ObserveCommand = {
    viewpoint: writerOf(request, lanes),
    principal,
    memories,
    edges: edges.map(edgeInput),
    handoff: request.handoff ? handoffInput(request.handoff, context) : null,
    claims: claims.map(claimInput),
    claimAudience: audienceOf(lanes, 'claims', claims.length > 0 ? context : { ...context, warnings: [] }),
    ...(changes.length === 0 ? {} : { files: { changes, origin } }),
    claimProducerAgentId: lanes.producerAgentId ?? context.producerAgentId,
    claimOrigin: origin,
    runId: context.task.runId,
    taskSignature: context.task.taskSignature,
    actorName: context.actorName,
  }
  return { command, warnings: named(warnings) }
}

/** The same sentence once, and not more of them than a reader can use. */
function named(warnings: readonly string[]): readonly string[] {
  const sentences = [...new Set(warnings)]
  const further = sentences.length - WARNINGS_MAX
  return further > 0
    ? [...sentences.slice(0, WARNINGS_MAX), `there are ${further} further warnings`]
    : sentences
}

/** Whose eyes resolve references: the consumer, else who wrote it, else whose lane it is. */
function writerOf(request: RequestOf<'observe'>, lanes: Lanes): Consumer {
  const agentId =
    agentIdOf(request) ?? lanes.producerAgentId ?? request.execution?.agent_id ?? lanes.ownerAgentId
  const teamId = teamIdOf(request) ?? request.execution?.team_id ?? lanes.ownerTeamId
  return { agentId: agentId ?? LOCAL_AGENT, teamId }
}

/** The memory of the request and its step. Each text is used once: input_text belongs to one of them. */
function mainMemories(context: WriteContext, lanes: Lanes, stepPlace: StepPlace): readonly MemoryWrite[] {
  const { request } = context
  const { memory, execution } = request
  const inputText = firstOf(request.input_text)
  const written: MemoryWrite[] = []
  let textOfStep = inputText
  if (memory ? standsAlone(memory, inputText, request) : !execution && inputText !== null) {
    const isTextMine = !memory || ownText(memory) === null
    const setting = {
      place: 'memory',
      lanes,
      inputText: isTextMine ? inputText : null,
      requestKind: request.memory_kind ?? null,
    }
    written.push(memoryInput(memory ?? {}, setting, context))
    if (isTextMine) textOfStep = null
  }
  if (!execution) return written
  if (textOfStep === null && !executionSays(execution)) {
    throw nothingSaid(request, 'execution', 'Send title, summary or outcome, or input_text.')
  }
  return [...written, executionInput(execution, lanes, textOfStep, context, stepPlace)]
}

const AROUND_MEMORY: ReadonlySet<string> = new Set([
  'memory_lane',
  'owner_agent_id',
  'owner_team_id',
  'producer_agent_id',
  'nodes',
])

/** Whether `memory` is a memory of its own; naming only lane and owners, it describes what lies beside it. */
function standsAlone(memory: WireMemory, inputText: string | null, request: RequestOf<'observe'>): boolean {
  if (hasWords(memory)) return true
  const isAround = Object.entries(memory).every(
    ([key, value]) => value === undefined || value === null || AROUND_MEMORY.has(key),
  )
  if (isAround) return inputText !== null && !request.execution
  if (inputText !== null) return true
  throw nothingSaid(request, 'memory', 'Send text, title or summary, or input_text.')
}

/** A part without words beside something else is a mistake in that part; alone it is a request to write nothing. */
function nothingSaid(request: RequestOf<'observe'>, path: string, sentence: string): DomainError {
  const parts = [
    request.memory,
    request.execution,
    request.handoff,
    request.nodes,
    request.edges,
    request.claims,
  ]
  const given = parts.filter((part) => part !== undefined && part !== null)
  return given.length > 1
    ? invalidRequest([{ path, message: `${path}: ${sentence}` }])
    : new DomainError('observe_requires_memory_or_handoff')
}

function nodeMemories(context: WriteContext, lanes: Lanes): readonly MemoryWrite[] {
  const { request } = context
  const inside = request.memory?.nodes ?? []
  const beside = request.nodes ?? []
  if (inside.length + beside.length === 0) return []
  const top = lanesOf(request)
  return [
    ...inside.map((node, index) => nodeMemory(node, `memory.nodes.${index}`, lanes, context)),
    ...beside.map((node, index) => nodeMemory(node, `nodes.${index}`, top, context)),
  ]
}

function nodeMemory(node: WireMemory, place: string, around: Lanes, context: WriteContext): MemoryWrite {
  if (!hasWords(node)) {
    throw invalidRequest([{ path: place, message: `${place}: Send text, title or summary.` }])
  }
  const own = lanesOf(node)
  const lanes: Lanes = {
    lane: own.lane ?? around.lane,
    ownerAgentId: own.ownerAgentId ?? around.ownerAgentId,
    ownerTeamId: own.ownerTeamId ?? around.ownerTeamId,
    producerAgentId: own.producerAgentId ?? around.producerAgentId,
  }
  return memoryInput(node, { place, lanes, inputText: null, requestKind: null }, context)
}

function edgeInput(edge: NonNullable<RequestOf<'observe'>['edges']>[number]): EdgeInput {
  return {
    type: edge.type,
    src: referenceOf(edge.src),
    dst: referenceOf(edge.dst),
    confidence: edge.confidence ?? CONFIDENCE_DEFAULT,
  }
}

/** One claim of the ledger, with the defaults of the contract. */
function claimInput(claim: WireClaim): ClaimInput {
  return {
    clientId: claim.client_id ?? null,
    subjectKey: claim.subject_key,
    predicate: claim.predicate,
    value: jsonOf(claim.value),
    valueText: firstOf(claim.value_text),
    slotKey: firstOf(claim.slot_key),
    claimKind: claim.claim_kind ?? 'ordinary_fact',
    conflictPolicy: claim.conflict_policy ?? 'manual_or_inspect',
    authority: claim.authority ?? 'advisory',
    confidence: claim.confidence ?? CONFIDENCE_DEFAULT,
    validFromMs: claim.valid_from ?? null,
    evidenceRefs: distinct(claim.evidence_refs),
    sourceMemoryId: claim.source_memory_id ?? null,
    metadata: jsonOf(claim.metadata),
  }
}
