import type { SharedRequest } from '../../contract/shared-request.ts'
import { firstOf } from './absence.ts'

/** Which run and task something belongs to. Only what the caller said: none of it is ever derived. */
export interface TaskIdentity {
  readonly runId: string | null
  readonly taskId: string | null
  readonly taskFamily: string | null
  readonly taskSignature: string | null
  readonly workflowSignature: string | null
}

type Said = string | null | undefined
interface WireTask {
  readonly run_id?: Said
  readonly task_id?: Said
  readonly task_family?: Said
  readonly task_signature?: Said
  readonly workflow_signature?: Said
}

/** The identity that the request itself names; `context` stands in for what is missing at the top level. */
export function taskOf(request: SharedRequest): TaskIdentity {
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
export function ownTask(own: WireTask, request: TaskIdentity): TaskIdentity {
  return {
    runId: firstOf(own.run_id, request.runId),
    taskId: firstOf(own.task_id, request.taskId),
    taskFamily: firstOf(own.task_family, request.taskFamily),
    taskSignature: firstOf(own.task_signature, request.taskSignature),
    workflowSignature: firstOf(own.workflow_signature, request.workflowSignature),
  }
}
