import type { WireMemory } from '../../contract/memory-input.ts'
import type { ObserveRequest } from '../../contract/observe.ts'
import { DomainError, invalidRequest } from '../../domain/errors.ts'
import { LOCAL_AGENT } from '../../domain/governance/visibility.ts'
import type { EdgeInput, MemoryInput, ObserveCommand } from '../../domain/memory/commands.ts'
import type { Consumer } from '../../domain/memory/record.ts'
import { orNull } from './absence.ts'
import { audienceOf, type Lanes, lanesOf, warnOfOverruled } from './audience.ts'
import { claimInput } from './claim.ts'
import { executionInput, executionSays } from './execution.ts'
import { handoffInput } from './handoff.ts'
import { agentIdOf, teamIdOf } from './identity.ts'
import { hasWords, memoryInput, ownText } from './memory.ts'
import { referenceOf } from './references.ts'
import { CONFIDENCE_DEFAULT, type WriteContext, writeContextOf } from './write-context.ts'

/**
 * What an observe request means.
 * @throws DomainError `observe_requires_memory_or_handoff` when there is nothing to write; `invalid_request` when
 * one part of the request says nothing.
 */
export function observeCommand(request: ObserveRequest): {
  readonly command: ObserveCommand
  readonly warnings: readonly string[]
} {
  const context = writeContextOf(request)
  const { warnings } = context
  // What the request says of itself counts before what its memory says: `memory` was once merged under it.
  const lanes = lanesOf(request, request.memory)
  if (request.memory) warnOfOverruled(request, request.memory, warnings)
  const memories = [...mainMemories(context, lanes), ...nodeMemories(context, lanes)]
  const claims = request.claims ?? []
  const edges = request.edges ?? []
  if (memories.length + claims.length + edges.length === 0 && !request.handoff) {
    throw new DomainError('observe_requires_memory_or_handoff')
  }
  const command: ObserveCommand = {
    viewpoint: writerOf(request, lanes),
    memories,
    edges: edges.map(edgeInput),
    handoff: request.handoff ? handoffInput(request.handoff, context) : null,
    claims: claims.map(claimInput),
    claimAudience: audienceOf(lanes, 'claims', claims.length > 0 ? warnings : []),
    claimProducerAgentId: lanes.producerAgentId ?? context.producerAgentId,
    claimOrigin: request.origin ?? request.memory?.origin ?? 'agent',
    runId: context.task.runId,
    taskSignature: context.task.taskSignature,
    actorName: context.actorName,
  }
  return { command, warnings: [...new Set(warnings)] }
}

/** Whose eyes resolve references: the consumer, else who wrote it, else whose lane it is. */
function writerOf(request: ObserveRequest, lanes: Lanes): Consumer {
  const agentId =
    agentIdOf(request) ?? lanes.producerAgentId ?? request.execution?.agent_id ?? lanes.ownerAgentId
  const teamId = teamIdOf(request) ?? request.execution?.team_id ?? lanes.ownerTeamId
  return { agentId: agentId ?? LOCAL_AGENT, teamId }
}

/** The memory of the request and its step. Each text is used once: input_text belongs to one of them. */
function mainMemories(context: WriteContext, lanes: Lanes): readonly MemoryInput[] {
  const { request } = context
  const { memory, execution } = request
  const inputText = orNull(request.input_text)
  const isOwnMemory = memory ? standsAlone(memory, inputText) : false
  const written: MemoryInput[] = []
  let textOfStep = inputText
  if (isOwnMemory || (!execution && inputText !== null)) {
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
  if (textOfStep === null && !executionSays(execution)) throw nothingSaid(request)
  return [...written, executionInput(execution, lanes, textOfStep, context)]
}

/** A step without words beside something else is a mistake in one part; alone it is a request to write nothing. */
function nothingSaid(request: ObserveRequest): DomainError {
  const others = [request.memory, request.handoff, request.nodes, request.edges, request.claims]
  if (others.every((part) => part === undefined || part === null)) {
    return new DomainError('observe_requires_memory_or_handoff')
  }
  return invalidRequest([
    { path: 'execution', message: 'execution: Send title, summary or outcome, or input_text.' },
  ])
}

const NO_MEMORY_OF_ITS_OWN: ReadonlySet<string> = new Set([
  'memory_lane',
  'owner_agent_id',
  'owner_team_id',
  'producer_agent_id',
  'nodes',
])

/** False for an object that only names lane and owners (or only holds nodes): it describes what lies beside it. */
function standsAlone(memory: WireMemory, inputText: string | null): boolean {
  if (hasWords(memory)) return true
  if (inputText === null) return false
  return Object.entries(memory).some(
    ([key, value]) => value !== undefined && value !== null && !NO_MEMORY_OF_ITS_OWN.has(key),
  )
}

function nodeMemories(context: WriteContext, lanes: Lanes): readonly MemoryInput[] {
  const { request } = context
  const top = lanesOf(request)
  return [
    ...(request.memory?.nodes ?? []).map((node, index) => {
      return nodeMemory(node, `memory.nodes.${index}`, lanes, context)
    }),
    ...(request.nodes ?? []).map((node, index) => nodeMemory(node, `nodes.${index}`, top, context)),
  ]
}

function nodeMemory(node: WireMemory, place: string, around: Lanes, context: WriteContext): MemoryInput {
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

function edgeInput(edge: NonNullable<ObserveRequest['edges']>[number]): EdgeInput {
  return {
    type: edge.type,
    src: referenceOf(edge.src),
    dst: referenceOf(edge.dst),
    confidence: edge.confidence ?? CONFIDENCE_DEFAULT,
  }
}
