import type { RequestOf } from '../../contract/operations.ts'
import type { FeedbackCommand } from '../../core/model/commands.ts'
import { distinct, firstOf } from './absence.ts'
import { consumerOf, isConsumerGiven, namesLane, outcomeAudience, type Reading } from './identity.ts'

/** What a feedback request means: used_memory_ids, else memory_ids, else node_ids. */
export function feedbackCommand(request: RequestOf<'feedback'>): Reading<FeedbackCommand> {
  const lists = [request.used_memory_ids, request.memory_ids, request.node_ids]
  const command: FeedbackCommand = {
    viewpoint: consumerOf(request),
    consumerGiven: isConsumerGiven(request),
    runId: request.run_id,
    outcome: request.outcome,
    usedSurface: request.used_surface,
    guideTraceId: request.guide_trace_id ?? null,
    memoryIds: distinct(lists.find((list) => (list ?? []).length > 0)),
    clientIds: distinct(request.client_ids),
    reason: request.reason,
    actorName: firstOf(request.actor),
    verifierStatus: request.verifier_status ?? null,
    toolStatus: request.tool_status ?? null,
    runtimeSignalRefs: distinct(request.runtime_signal_refs),
    ...(namesLane(request) ? { audience: outcomeAudience(request, consumerOf(request)) } : {}),
  }
  return { command, warnings: warningsOf(command) }
}

/** Of several guides of a run nobody can tell which one was meant. */
function warningsOf({ guideTraceId, memoryIds, clientIds }: FeedbackCommand): readonly string[] {
  if (guideTraceId !== null || memoryIds.length + clientIds.length === 0) return []
  return [
    'without guide_trace_id the outcome is attributed to what this run or this consumer was shown by any guide: send the guide_trace_id of the guide',
  ]
}
