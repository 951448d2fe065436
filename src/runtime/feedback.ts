import type { Actor } from '../actor/actor.ts'
import type { RequestOf } from '../contract/operations.ts'
import { withoutHandles } from '../core/guide/handles.ts'
import type { FeedbackCommand } from '../core/model/commands.ts'
import { decideFeedback } from '../core/write/attribution.ts'
import { type ForgetEffect, feedbackEffectOf } from './lifecycle-wire.ts'
import { feedbackCommand } from './normalise/feedback.ts'
import { sentConsumerOf } from './normalise/identity.ts'
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

/** Attributes an outcome to memory that a guide exposed. */
export const feedback: Handler<'feedback'> = async (parts, call) => {
  const { command, warnings } = feedbackCommand(call.request)
  return parts.registry.use(call.tenantId, call.scope, (actor) =>
    attributed(parts, actor, command, call, (effect) => ({
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
  command: FeedbackCommand,
  call: Call<RequestOf<'feedback'> | RequestOf<'forget'>>,
  replyOf: (effect: {
    readonly memoryIds: readonly string[]
    readonly view: ForgetEffect
    readonly warnings: readonly string[]
  }) => Answer,
): Promise<Answer> {
  const exposureNamed = await namedExposure(parts, actor, command.guideTraceId, sentConsumerOf(call.request))
  return turnOnce(parts, actor, call, (state) => {
    const exposure = exposureNamed()
    const { events, effect } = decideFeedback(state, withoutHandles(state, command, exposure), exposure)
    const view = feedbackEffectOf(command, effect, exposure)
    const { memoryIds, warnings } = effect
    return { events, reply: replyOf({ memoryIds, view, warnings }) }
  })
}
