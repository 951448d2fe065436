import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { isDisputeVerdict, isSkillVerdict } from '../contract/settle.ts'
import { assert } from '../core/base/assert.ts'
import type { Eyes } from '../core/measure/wire-object.ts'
import { decideSettleSkill, type SettleSkillCommand } from '../core/skills/settle.ts'
import { decideSettle } from '../core/write/settle.ts'
import { once } from './idempotency.ts'
import { firstOf } from './normalise/absence.ts'
import { consumerOf, isConsumerGiven } from './normalise/identity.ts'
import { type Call, envelopeOf, principalIdOf, type RuntimeParts, sourceMap } from './parts.ts'
import { skillView } from './skill-view.ts'

/** Decides a dispute between two memories, or about a skill candidate. */
export async function settle(
  parts: RuntimeParts,
  call: Call<RequestOf<'settle'>>,
): Promise<AnswerOf<'settle'>> {
  const { memory_ids: memoryIds, skill_id: candidateId, verdict, reason, actor } = call.request
  const eyes = isConsumerGiven(call.request) ? consumerOf(call.request) : null
  if (memoryIds == null) {
    assert(candidateId != null && isSkillVerdict(verdict), 'a request settles memories or a skill')
    return settleSkill(parts, call, { candidateId, verdict, reason, actorName: firstOf(actor) }, eyes)
  }
  assert(isDisputeVerdict(verdict), 'a verdict on memories is one on a dispute')
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

async function settleSkill(
  parts: RuntimeParts,
  call: Call<RequestOf<'settle'>>,
  command: SettleSkillCommand,
  eyes: Eyes,
): Promise<AnswerOf<'settle'>> {
  return parts.registry.use(call.tenantId, call.scope, (actor) =>
    actor.turn(
      once(parts.codec, call.operationKey, (state, nowMs) => {
        const newId = () => parts.entropy.uuid(nowMs)
        const { events, effect } = decideSettleSkill(state, command, eyes, nowMs, newId)
        const reply = {
          ...envelopeOf('svc_settle_result_v1', call),
          skill: skillView(state, effect.candidate, eyes, false, nowMs),
          verdict: command.verdict,
          previous_verdict: effect.previous,
          changed_memory_ids: effect.changedMemoryIds,
          source_map: sourceMap('/v1/operator/settle', ['run_records', 'skill_review', 'memory_lifecycle']),
        }
        return { events, reply }
      }),
      principalIdOf(call),
    ),
  )
}
