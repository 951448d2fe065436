import type { RequestOf } from '../../contract/operations.ts'
import { firstOf } from './absence.ts'
import { agentIdOf, taskOf, teamIdOf } from './identity.ts'

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
