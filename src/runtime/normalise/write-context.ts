import type { RequestOf } from '../../contract/operations.ts'
import type { Origin } from '../../core/base/closed-sets.ts'
import type { TaskRef } from '../../core/model/task-ref.ts'
import { firstOf } from './absence.ts'
import { agentIdOf, taskOf, teamIdOf } from './identity.ts'

/** Confidence of whatever does not state its own. */
export const CONFIDENCE_DEFAULT = 0.75

/** What an observe request says about everything in it. */
export interface WriteContext {
  readonly request: RequestOf<'observe'>
  readonly task: TaskRef
  readonly origin: Origin
  /** Who wrote it when its part of the request does not say; never its owner. */
  readonly producerAgentId: string | null
  readonly producerTeamId: string | null
  readonly actorName: string | null
  /** Collects sentences about what was ignored or read differently. */
  readonly warnings: string[]
}

export function writeContextOf(request: RequestOf<'observe'>): WriteContext {
  return {
    request,
    task: taskOf(request),
    origin: request.origin ?? 'agent',
    producerAgentId: agentIdOf(request),
    producerTeamId: teamIdOf(request),
    actorName: firstOf(request.actor),
    warnings: [],
  }
}
