import type { RequestOf } from '../../contract/operations.ts'
import { DEFAULT_SCOPE, DEFAULT_TENANT, type SharedRequest } from '../../contract/shared-request.ts'
import type { Consumer } from '../../core/model/record.ts'
import type { TaskRef } from '../../core/model/task-ref.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import { LOCAL_AGENT } from '../../core/model/visibility.ts'
import { firstOf } from './absence.ts'

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
