import type { Actor } from '../actor/actor.ts'
import type { RequestOf } from '../contract/operations.ts'
import { viewerOf } from '../core/guide/decision.ts'
import { withoutHandles } from '../core/guide/handles.ts'
import type { FeedbackCommand } from '../core/model/commands.ts'
import type { Consumer } from '../core/model/record.ts'
import { decideFeedback } from '../core/write/attribution.ts'
import { type ForgetEffect, feedbackEffectOf } from './lifecycle-wire.ts'
import {
  consumerOf,
  distinct,
  firstOf,
  namesLane,
  outcomeAudience,
  type Reading,
  sentConsumerOf,
} from './normalise/identity.ts'
import {
  type Call,
  envelopeOf,
  type Handler,
  namedExposure,
  type RuntimeParts,
  sourceMap,
  turnOnce,
  warningsOf,
} from './parts.ts'

/**
 * What a feedback request means: used_memory_ids, else memory_ids, else node_ids.
 * @param madeFor the consumer of the guide that it names
 */
export function feedbackCommand(
  request: RequestOf<'feedback'>,
  madeFor: Consumer = consumerOf(request),
): Reading<FeedbackCommand> {
  const lists = [request.used_memory_ids, request.memory_ids, request.node_ids]
  const command: FeedbackCommand = {
    viewpoint: consumerOf(request),
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
    ...(namesLane(request) ? { audience: outcomeAudience(request, madeFor) } : {}),
  }
  return { command, warnings: ambiguityOf(command) }
}

/** Of several guides of a run nobody can tell which one was meant. */
export function ambiguityOf({ guideTraceId, memoryIds, clientIds }: FeedbackCommand): readonly string[] {
  if (guideTraceId !== null || memoryIds.length + clientIds.length === 0) return []
  return [
    'without guide_trace_id the outcome is attributed to what this run or this consumer was shown by any guide: send the guide_trace_id of the guide',
  ]
}

/** Attributes an outcome to memory that a guide exposed. */
export const feedback: Handler<'feedback'> = async (parts, call) => {
  const { command, warnings } = feedbackCommand(call.request)
  const commandBy = (madeFor?: Consumer) => feedbackCommand(call.request, madeFor).command
  return parts.registry.use(call.tenantId, call.scope, (actor) =>
    attributed(parts, actor, commandBy, call, (effect) => ({
      ...envelopeOf('svc_feedback_result_v1', call),
      operation: 'activate',
      target: 'memory',
      run_id: command.runId,
      outcome: command.outcome,
      used_surface: command.usedSurface,
      guide_trace_id: command.guideTraceId,
      used_memory_ids: effect.memoryIds,
      forget_effect: effect.view,
      source_map: sourceMap('/v1/feedback', ['exposure_ledger', 'feedback_attribution', 'memory_lifecycle']),
      ...warningsOf([...warnings, ...effect.warnings]),
    })),
  )
}

/** The turn of feedback, shared with forget's `activate`. A guide's own consumer speaks for a request that names it. */
export async function attributed<Answer extends object>(
  parts: RuntimeParts,
  actor: Actor,
  commandBy: (madeFor?: Consumer) => FeedbackCommand,
  call: Call<RequestOf<'feedback'> | RequestOf<'forget'>>,
  replyOf: (effect: {
    readonly memoryIds: readonly string[]
    readonly view: ForgetEffect
    readonly warnings: readonly string[]
  }) => Answer,
): Promise<Answer> {
  const sent = sentConsumerOf(call.request, call.principal)
  const exposureNamed = await namedExposure(parts, actor, call.request.guide_trace_id ?? null, sent)
  return turnOnce(parts, actor, call, (state) => {
    const exposure = exposureNamed()
    const command = commandBy(exposure === null ? undefined : viewerOf({ exposure }))
    const { events, effect } = decideFeedback(state, withoutHandles(state, command, exposure), exposure)
    const view = feedbackEffectOf(command, effect, exposure)
    const { memoryIds, warnings } = effect
    return { events, reply: replyOf({ memoryIds, view, warnings }) }
  })
}
