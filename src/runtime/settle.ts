import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { decideSettle } from '../core/write/settle.ts'
import { once } from './idempotency.ts'
import { firstOf } from './normalise/absence.ts'
import { consumerOf, isConsumerGiven } from './normalise/identity.ts'
import { type Call, envelopeOf, principalIdOf, type RuntimeParts, sourceMap } from './parts.ts'

/** Decides a dispute between two memories. */
export async function settle(
  parts: RuntimeParts,
  call: Call<RequestOf<'settle'>>,
): Promise<AnswerOf<'settle'>> {
  const { memory_ids: memoryIds, verdict, reason, actor } = call.request
  const eyes = isConsumerGiven(call.request) ? consumerOf(call.request) : null
  const command = { memoryIds, verdict, reason, actorName: firstOf(actor) }
  return parts.registry.use(call.tenantId, call.scope, (actorOfScope) =>
    actorOfScope.turn(
      once(parts.codec, call.operationKey, (state, nowMs) => {
        const { events, effect } = decideSettle(state, command, eyes, nowMs)
        const reply = {
          ...envelopeOf('svc_settle_result_v1', call),
          memory_ids: memoryIds,
          verdict,
          previous_verdict: effect.previous,
          changed_memory_ids: effect.changedMemoryIds,
          source_map: sourceMap('/v1/operator/settle', ['disputes', 'memory_lifecycle']),
        }
        return { events, reply }
      }),
      principalIdOf(call),
    ),
  )
}
