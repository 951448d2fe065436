import { DEFAULT_SCOPE, DEFAULT_TENANT, type SharedRequest } from '../../contract/fields.ts'
import type { WireLanes } from '../../contract/memory-input.ts'
import type { RequestOf } from '../../contract/operations.ts'
import type { Lane } from '../../core/base/closed-sets.ts'
import type { Audience, Consumer } from '../../core/model/record.ts'
import type { TaskRef } from '../../core/model/task-ref.ts'
import { LOCAL_AGENT, type Viewer } from '../../core/model/visibility.ts'

/** Null, undefined and empty text all mean that a caller said nothing. */
export function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === '' ? null : text
}

/** The first text that says something. */
export function firstOf(...texts: readonly (string | null | undefined)[]): string | null {
  for (const text of texts) {
    if (text !== undefined && text !== null && text !== '') return text
  }
  return null
}

/** Every list in order, without empty items and repetitions. */
export function distinct(
  ...lists: readonly (readonly (string | null | undefined)[] | null | undefined)[]
): readonly string[] {
  const found = new Set<string>()
  for (const list of lists) {
    for (const item of list ?? []) if (item !== undefined && item !== null && item !== '') found.add(item)
  }
  return [...found]
}

/** A list without its empty items, repetitions kept: steps may repeat. */
export function filledItems(...lists: readonly (readonly string[] | null | undefined)[]): readonly string[] {
  return (lists.find((list) => (list ?? []).length > 0) ?? []).filter((item) => item !== '')
}

/** What a request means, and sentences about what of it was ignored or read differently. */
export interface Reading<Command> {
  readonly command: Command
  readonly warnings: readonly string[]
}

type Identified = Pick<SharedRequest, 'tenant_id' | 'scope' | 'operation_id'>
type Consuming = Pick<SharedRequest, 'consumer_agent_id' | 'agent_id' | 'consumer_team_id' | 'team_id'>

/** Which actor a request belongs to, and its operation id; null: it is not idempotent. */
export function identityOf(request: Identified) {
  return {
    tenantId: request.tenant_id ?? DEFAULT_TENANT,
    scope: request.scope ?? DEFAULT_SCOPE,
    operationId: request.operation_id ?? null,
  }
}

export function agentIdOf(request: Consuming): string | null {
  return request.consumer_agent_id ?? request.agent_id ?? null
}

export function teamIdOf(request: Consuming): string | null {
  return request.consumer_team_id ?? request.team_id ?? null
}

/** The consumer fields that a request really sent; null: left out. */
export interface SentConsumer {
  readonly agentId: string | null
  readonly teamId: string | null
}

/** A request that sends none. */
export const NOBODY_SENT: SentConsumer = { agentId: null, teamId: null }

export function sentConsumerOf(request: Consuming): SentConsumer {
  return { agentId: agentIdOf(request), teamId: teamIdOf(request) }
}

export function isConsumerGiven(request: Consuming): boolean {
  return agentIdOf(request) !== null || teamIdOf(request) !== null
}

/** Who reads for a request. Null: it names nobody, and is an operator's, who sees everything. */
export function viewerIn(request: Consuming): Viewer {
  return isConsumerGiven(request) ? consumerOf(request) : null
}

export function consumerOf(request: Consuming): Consumer {
  return { agentId: agentIdOf(request) ?? LOCAL_AGENT, teamId: teamIdOf(request) }
}

type WireTask = Pick<
  SharedRequest,
  'run_id' | 'task_id' | 'task_family' | 'task_signature' | 'workflow_signature'
>

/** The work that the request itself names, none of it derived; `context` stands in for what is missing at the top level. */
export function taskOf(request: SharedRequest): TaskRef {
  const context = request.context ?? {}
  return {
    runId: firstOf(request.run_id),
    taskId: firstOf(request.task_id, context.task_id),
    taskFamily: firstOf(request.task_family, context.task_family),
    taskSignature: firstOf(request.task_signature, context.task_signature),
    workflowSignature: firstOf(request.workflow_signature, context.workflow_signature),
  }
}

/** What one part of a request says of itself, completed by what the request says. */
export function ownTask(own: WireTask, request: TaskRef): TaskRef {
  return {
    runId: firstOf(own.run_id, request.runId),
    taskId: firstOf(own.task_id, request.taskId),
    taskFamily: firstOf(own.task_family, request.taskFamily),
    taskSignature: firstOf(own.task_signature, request.taskSignature),
    workflowSignature: firstOf(own.workflow_signature, request.workflowSignature),
  }
}

/** Confidence of whatever does not state its own. */
export const CONFIDENCE_DEFAULT = 0.75

export type WriteContext = ReturnType<typeof writeContextOf>

/** What an observe request says about everything in it. */
export function writeContextOf(request: RequestOf<'observe'>) {
  /** Sentences about what was ignored or read differently. */
  const warnings: string[] = []
  return {
    request,
    task: taskOf(request),
    origin: request.origin ?? ('agent' as const),
    /** Who wrote it when its part of the request does not say; never its owner. */
    producerAgentId: agentIdOf(request),
    producerTeamId: teamIdOf(request),
    actorName: firstOf(request.actor),
    warnings,
  }
}

export type Lanes = Readonly<ReturnType<typeof lanesOf>>

/** Lane, owners and producer as said, before any default: each from the first part of the request that names it. */
export function lanesOf(...parts: readonly (WireLanes | null | undefined)[]) {
  const first = <Key extends keyof WireLanes>(key: Key): WireLanes[Key] | null => {
    for (const part of parts) {
      const value = part?.[key] ?? null
      if (value !== null) return value
    }
    return null
  }
  return {
    lane: first('memory_lane') ?? null,
    ownerAgentId: first('owner_agent_id') ?? null,
    ownerTeamId: first('owner_team_id') ?? null,
    producerAgentId: first('producer_agent_id') ?? null,
  }
}

/**
 * Who may see it. Default lane: private when an owner agent is named and no team, else shared. A private lane
 * without owner belongs to `local-agent`, which is who asks when a request names nobody: nobody else ever sees it.
 */
export function audienceOf(lanes: Lanes, place: string, warnings: string[]): Audience {
  const { lane, ownerAgentId, ownerTeamId } = lanes
  if (lane === 'private' && ownerAgentId === null && ownerTeamId === null) {
    warnings.push(
      `${place} is private without owner_agent_id or owner_team_id: it belongs to ${LOCAL_AGENT}, who asks when no consumer is named`,
    )
    return { lane, ownerAgentId: LOCAL_AGENT, ownerTeamId }
  }
  const byDefault: Lane = ownerAgentId !== null && ownerTeamId === null ? 'private' : 'shared'
  return { lane: lane ?? byDefault, ownerAgentId, ownerTeamId }
}

/** Whose later govern requests the outcomes count for. What is private without an owner is the consumer's. */
export function outcomeAudience(said: WireLanes, consumer: Consumer): Audience {
  const lanes = lanesOf(said)
  const isUnowned = lanes.ownerAgentId === null && lanes.ownerTeamId === null
  const owned = lanes.lane === 'private' && isUnowned ? { ...lanes, ownerAgentId: consumer.agentId } : lanes
  return audienceOf(owned, 'record', [])
}

/** True when a request says anything of lanes or owners. */
export function namesLane({ memory_lane, owner_agent_id, owner_team_id }: WireLanes): boolean {
  return [memory_lane, owner_agent_id, owner_team_id].some((said) => (said ?? null) !== null)
}

const COMPARED = ['memory_lane', 'owner_agent_id', 'owner_team_id', 'producer_agent_id'] as const

/** Names the fields of `memory` that the top level overrules. */
export function warnOfOverruled(top: WireLanes, memory: WireLanes, warnings: string[]): void {
  for (const key of COMPARED) {
    const [said, inside] = [top[key] ?? null, memory[key] ?? null]
    if (said !== null && inside !== null && said !== inside) {
      warnings.push(`memory.${key} differs from ${key}: the one at the top level counts`)
    }
  }
}
