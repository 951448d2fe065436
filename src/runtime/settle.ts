import type { Actor, Decide } from '../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { isDisputeVerdict, isSkillVerdict } from '../contract/operator-operations.ts'
import { assert } from '../core/base/assert.ts'
import type { Consumer } from '../core/model/record.ts'
import { resolveReferences } from '../core/model/references.ts'
import type { ActorState } from '../core/model/state.ts'
import { decideSettleSkill, type SettleSkillCommand } from '../core/skills/settle.ts'
import { decideSettle, type SettleCommand } from '../core/write/settle.ts'
import { approvalCheck, inOneStep, tried } from './forget.ts'
import { firstOf, viewerIn } from './normalise/identity.ts'
import { type Call, envelopeOf, type Handler, type RuntimeParts, sourceMap, turnOnce } from './parts.ts'
import { skillView } from './skills.ts'

type Answer = AnswerOf<'settle'>

/** Decides a dispute between two memories, or about a skill candidate. */
export const settle: Handler<'settle'> = async (parts, call) => {
  const { dry_run: isDry } = call.request
  const decideIn = decisionFor(parts, call)
  if (isDry === true) return tried(parts, call, async (actor) => inOneStep(await decideIn(actor)))
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const decide = await decideIn(actor)
    return turnOnce(parts, actor, call, decide)
  })
}

function decisionFor(
  parts: RuntimeParts,
  call: Call<RequestOf<'settle'>>,
): (actor: Actor) => Promise<Decide<Answer>> {
  const { memory_ids: memoryIds, skill_id: candidateId, verdict, reason, actor } = call.request
  const eyes = viewerIn(call.request)
  const actorName = firstOf(actor)
  if (memoryIds == null) {
    assert(candidateId != null && isSkillVerdict(verdict), 'a request settles memories or a skill')
    return (inActor) => skillDecision(parts, call, inActor, { candidateId, verdict, reason, actorName }, eyes)
  }
  assert(isDisputeVerdict(verdict), 'a verdict on memories is one on a dispute')
  return (inActor) => disputeDecision(parts, call, inActor, { memoryIds, verdict, reason, actorName }, eyes)
}

async function disputeDecision(
  parts: RuntimeParts,
  call: Call<RequestOf<'settle'>>,
  actor: Actor,
  command: SettleCommand,
  eyes: Consumer | null,
): Promise<Decide<Answer>> {
  const check = await approvalCheck(parts, actor, call, (state) => standingIn(state, command, eyes))
  return (state, nowMs) => {
    check(state)
    const { events, effect } = decideSettle(state, command, eyes, nowMs)
    const reply = {
      ...envelopeOf('svc_settle_result_v1', call),
      memory_ids: command.memoryIds,
      verdict: command.verdict,
      previous_verdict: effect.previous,
      changed_memory_ids: effect.changedMemoryIds,
      source_map: sourceMap('/v1/operator/settle', ['disputes', 'memory_lifecycle']),
    }
    return { events, reply }
  }
}

/** What stands by this verdict, or may stand again, and so is approved by it. */
function standingIn(
  state: ActorState,
  { memoryIds, verdict }: SettleCommand,
  eyes: Consumer | null,
): readonly string[] {
  const [a, b] = memoryIds
  const named = { a: [a], b: [b], both: [a, b], neither: [], reopen: [a, b] }[verdict]
  const { records } = resolveReferences(state, { memoryIds: named, clientIds: [], anchors: [] }, eyes)
  return records.map(({ memoryId }) => memoryId)
}

async function skillDecision(
  parts: RuntimeParts,
  call: Call<RequestOf<'settle'>>,
  actor: Actor,
  command: SettleSkillCommand,
  eyes: Consumer | null,
): Promise<Decide<Answer>> {
  const { candidateId, verdict } = command
  const check = await approvalCheck(parts, actor, call, (state) =>
    verdict === 'promote' ? (state.skills.get(candidateId)?.sourceMemoryIds ?? []) : [],
  )
  return (state, nowMs) => {
    check(state)
    const newId = () => parts.entropy.uuid(nowMs)
    const { events, effect } = decideSettleSkill(state, command, eyes, nowMs, newId)
    const reply = {
      ...envelopeOf('svc_settle_result_v1', call),
      skill: skillView(state, effect.candidate, eyes, false, nowMs),
      verdict,
      previous_verdict: effect.previous,
      changed_memory_ids: effect.changedMemoryIds,
      source_map: sourceMap('/v1/operator/settle', ['run_records', 'skill_review', 'memory_lifecycle']),
    }
    return { events, reply }
  }
}
