import type { Actor } from '../actor/actor.ts'
import type { GuideRequest } from '../contract/guide.ts'
import type { GuideCommand } from '../domain/guide/command.ts'
import { compileGuide, type Recalled } from '../domain/guide/compile.ts'
import { GUIDE_TRACE_PREFIX } from '../domain/ids.ts'
import type { ActorState } from '../domain/memory/state.ts'
import type { Query } from '../domain/recall/query.ts'
import { rank } from '../domain/recall/rank.ts'
import { estimateCostNs, RANK_LIMIT_MAX } from '../domain/recall/rank-job.ts'
import { once } from './idempotency.ts'
import { isoOf } from './iso-time.ts'
import { guideCommand } from './normalise/guide.ts'
import { type Call, envelopeOf, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'

/** Compiles governed context and records what it exposed. */
export async function guide(parts: RuntimeParts, call: Call<GuideRequest>): Promise<object> {
  const { command, warnings } = guideCommand(call.request)
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const query = actor.recall.query(command.queryText)
    const ranked = await rankedElsewhere(parts, actor, command, query)
    return actor.turn(
      once(
        parts.codec,
        call.operationKey,
        (state, nowMs) => {
          const recalled = ranked ?? rankedHere(actor, state, command, query)
          const guideTraceId = `${GUIDE_TRACE_PREFIX}${parts.entropy.uuid(nowMs)}`
          const { events, body } = compileGuide(state, command, recalled, nowMs, guideTraceId, isoOf)
          return { events, reply: replyOf(call, command, body, warnings) }
        },
        withoutPackets,
      ),
    )
  })
}

/** A large ranking runs in the pool while the actor serves others; null when it is small enough to run in the turn. */
async function rankedElsewhere(
  parts: RuntimeParts,
  actor: Actor,
  command: GuideCommand,
  query: Query,
): Promise<Recalled | null> {
  const job = actor.recall.job(actor.state, query, command.consumer, RANK_LIMIT_MAX)
  if (estimateCostNs(job) <= parts.inlineRankNs) return null
  const result = await parts.compute.rank(job)
  return { hits: actor.recall.hitsOf(result), identifiers: [...query.identifiers, ...command.identifiers] }
}

function rankedHere(actor: Actor, state: ActorState, command: GuideCommand, query: Query): Recalled {
  const job = actor.recall.job(state, query, command.consumer, RANK_LIMIT_MAX)
  return { hits: actor.recall.hitsOf(rank(job)), identifiers: [...query.identifiers, ...command.identifiers] }
}

function replyOf(
  call: Call<GuideRequest>,
  command: GuideCommand,
  body: object,
  warnings: readonly string[],
): object {
  const used = ['lexical_recall', 'admission', 'agent_context_compiler', 'exposure_ledger']
  if (command.fullPower) used.push('structured_execution_recall')
  const omitted = ['semantic_recall', ...(command.includePackets ? [] : ['memory_packet', 'guide_packet'])]
  return {
    ...envelopeOf('svc_guide_result_v1', call),
    ...body,
    source_map: sourceMap('/v1/guide', used, omitted),
    ...warningsOf(warnings),
  }
}

/** Packets are for debugging and large: a repeated request gets its answer without them. */
function withoutPackets(reply: object): object {
  return Object.fromEntries(
    Object.entries(reply).filter(([field]) => field !== 'memory_packet' && field !== 'guide_packet'),
  )
}
