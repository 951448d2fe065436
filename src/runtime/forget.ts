import type { Actor } from '../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { invalidRequest } from '../core/base/errors.ts'
import { withHandleAdvice, withoutHandles } from '../core/guide/handles.ts'
import type { FeedbackCommand, LifecycleCommand } from '../core/model/commands.ts'
import type { Consumer } from '../core/model/record.ts'
import { LOCAL_AGENT } from '../core/model/visibility.ts'
import { decideLifecycle, isOperatorActivation } from '../core/write/forget.ts'
import { attributed } from './feedback.ts'
import { once } from './idempotency.ts'
import { lifecycleEffectOf } from './lifecycle-wire.ts'
import { sentConsumerOf } from './normalise/identity.ts'
import { forgetCommand } from './normalise/lifecycle.ts'
import {
  type Call,
  envelopeOf,
  namedExposure,
  principalIdOf,
  type RuntimeParts,
  sourceMap,
  warningsOf,
} from './parts.ts'
import { rehydratedResult } from './rehydrate.ts'

const CONTRACT = 'svc_forget_result_v1'

/** Suppresses, restores, activates or rehydrates memory with an audit reason. Operators see the whole actor. */
export async function forget(
  parts: RuntimeParts,
  call: Call<RequestOf<'forget'>>,
): Promise<AnswerOf<'forget'>> {
  const { command, warnings } = forgetCommand(call.request, call.principal)
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    if (command.operation === 'activate' && !isOperatorActivation(command)) {
      return activatedByFeedback(parts, actor, call, command)
    }
    const exposureNamed = await namedExposure(
      parts,
      actor,
      command.guideTraceId,
      sentConsumerOf(call.request),
    )
    return actor.turn(
      once(parts.codec, call.operationKey, (state, nowMs) => {
        const exposure = exposureNamed()
        const eyes: Consumer | null =
          exposure === null
            ? command.viewpoint
            : { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
        const { events, effect } = decideLifecycle(
          state,
          withoutHandles(state, command, exposure),
          eyes,
          nowMs,
        )
        const isRehydrate = command.operation === 'rehydrate'
        const reply = {
          ...envelopeOf(CONTRACT, call),
          operation: command.operation,
          target: command.target,
          forget_effect: lifecycleEffectOf(command, effect, nowMs),
          ...(isRehydrate ? { result: rehydratedResult(state, command, effect, exposure, eyes, nowMs) } : {}),
          source_map: sourceMap('/v1/forget', ['memory_lifecycle']),
          ...warningsOf(withHandleAdvice(warnings, effect.missing, command.guideTraceId)),
        }
        return { events, reply }
      }),
      principalIdOf(call),
    )
  })
}

/** Without an operator's assertion, `activate` is feedback and follows its rules. */
async function activatedByFeedback(
  parts: RuntimeParts,
  actor: Actor,
  call: Call<RequestOf<'forget'>>,
  command: LifecycleCommand,
): Promise<AnswerOf<'forget'>> {
  return attributed(parts, actor, feedbackOf(command), call, (effect) => ({
    ...envelopeOf(CONTRACT, call),
    operation: 'activate',
    target: command.target,
    forget_effect: effect.view,
    source_map: sourceMap('/v1/forget', ['feedback_attribution', 'memory_lifecycle']),
  }))
}

const ACTIVATION_HINT =
  'An operator activation sends outcome positive, used_surface explicit_host_assertion and actor, without guide_trace_id; otherwise activate is feedback and needs this field.'

function feedbackOf(command: LifecycleCommand): FeedbackCommand {
  const { runId, outcome, usedSurface } = command
  const issues = Object.entries({ run_id: runId, outcome, used_surface: usedSurface })
    .filter(([, value]) => value === null)
    .map(([path]) => ({ path, message: ACTIVATION_HINT }))
  if (runId === null || outcome === null || usedSurface === null) throw invalidRequest(issues)
  return {
    viewpoint: command.viewpoint ?? { agentId: LOCAL_AGENT, teamId: null },
    consumerGiven: command.viewpoint !== null,
    runId,
    outcome,
    usedSurface,
    guideTraceId: command.guideTraceId,
    memoryIds: [...command.memoryIds, ...command.anchors],
    clientIds: command.clientIds,
    reason: command.reason,
    actorName: command.actorName,
    verifierStatus: command.verifierStatus,
    toolStatus: command.toolStatus,
    runtimeSignalRefs: command.runtimeSignalRefs,
  }
}
