import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import type { ObserveCommand } from '../core/model/commands.ts'
import type { ActorEvent } from '../core/model/events.ts'
import { screen } from '../core/screening/screen.ts'
import {
  type DecidedObserve,
  decideObserve,
  type ObserveEffect,
  observeSteps,
} from '../core/write/observe.ts'
import { observeCommand } from './normalise/observe.ts'
import {
  type Call,
  envelopeOf,
  type Handler,
  sourceMap,
  turnInSlicesOnce,
  turnOnce,
  warningsOf,
} from './parts.ts'
import { isLarge, screenerFor, screenJobsOf } from './screening.ts'

type Said = ReturnType<typeof observeCommand>

/** Records evidence; the answer names every memory it wrote or found again. */
export const observe: Handler<'observe'> = async (parts, call) => {
  const said = observeCommand(call.request, call.principal)
  const { command } = said
  // The turn of a large request is taken in slices.
  const screener = isLarge(command) ? await screenerFor(parts, screenJobsOf(command)) : null
  const isWanted = call.request.auto_embed !== false
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    const { similar, vectors } = actor
    const newIdAt = (nowMs: number) => () => parts.entropy.uuid(nowMs)
    const answered = ({ events, effect }: DecidedObserve) => {
      vectors?.unwanted(isWanted ? NONE : writtenIn(events))
      const embedding = vectors === null ? null : isWanted && writtenIn(events).size > 0
      return { events, reply: bodyOf(call, said, effect, embedding) }
    }
    if (!actor.isSimilarReady) await actor.similarReady()
    const reply = await (screener === null
      ? turnOnce(parts, actor, call, (state, nowMs) =>
          answered(decideObserve(state, command, nowMs, newIdAt(nowMs), screen, similar)),
        )
      : turnInSlicesOnce(parts, actor, call, function* (state, nowMs) {
          return answered(yield* observeSteps(state, command, nowMs, newIdAt(nowMs), screener, similar))
        }))
    if (vectors !== null) await parts.registry.keepUnwanted(actor)
    return reply
  })
}

const NONE: ReadonlySet<string> = new Set()

/** Memories that have a new text. */
function writtenIn(events: readonly ActorEvent[]): ReadonlySet<string> {
  const ids = events.flatMap((event) => {
    if (event.type === 'memory_written') return [event.draft.memoryId]
    return event.type === 'memory_revised' ? [event.memoryId] : []
  })
  return new Set(ids)
}

function bodyOf(
  call: Call<RequestOf<'observe'>>,
  { command, warnings }: Said,
  effect: ObserveEffect,
  /** Whether anything will be embedded; null: there is no provider. */
  embedding: boolean | null,
): AnswerOf<'observe'> {
  const { contract_version, tenant_id, scope } = envelopeOf('svc_observe_result_v1', call)
  const body = {
    contract_version,
    tenant_id,
    scope,
    observed: {
      memory_written: effect.isMemoryWritten,
      handoff_stored: effect.handoffId !== null,
      general_memory_count: effect.generalCount,
      execution_memory_count: effect.executionCount,
      claim_count: effect.claimCount,
      echo_count: effect.echoCount,
    },
    memory_ids: effect.memoryIds,
    client_id_map: effect.clientIds,
    handoff_id: effect.handoffId,
    claim_ids: effect.claimIds,
  }
  const projections =
    embedding === null
      ? {}
      : {
          post_commit_projections: {
            semantic_commit: 'committed' as const,
            embedding: embedding ? ('scheduled' as const) : ('not_requested' as const),
          },
        }
  const source_map = sourceMap('/v1/observe', surfacesOf(command))
  return Object.assign(body, projections, { source_map }, warningsOf([...warnings, ...effect.warnings]))
}

function surfacesOf(command: ObserveCommand): readonly string[] {
  const used: string[] = []
  if (command.memories.length > 0) used.push('memory_write')
  if (command.handoff !== null) used.push('handoff_store')
  if (command.claims.length > 0) used.push('claim_ledger_write')
  if (command.edges.length > 0) used.push('relation_write')
  return used
}
