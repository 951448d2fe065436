import type { ObserveRequest } from '../contract/observe.ts'
import type { ObserveCommand } from '../domain/memory/commands.ts'
import type { ActorEvent } from '../domain/memory/events.ts'
import { decideObserve, type ObserveEffect } from '../domain/memory/observe.ts'
import { screen } from '../domain/screening/screen.ts'
import { once } from './idempotency.ts'
import { observeCommand } from './normalise/observe.ts'
import { type Call, envelopeOf, type RuntimeParts, sourceMap, warningsOf } from './parts.ts'
import { longTextsOf, screenerFor } from './screening.ts'

/** Records evidence; the answer names every memory it wrote or found again. */
export async function observe(parts: RuntimeParts, call: Call<ObserveRequest>): Promise<object> {
  const { command, warnings } = observeCommand(call.request)
  const longTexts = longTextsOf(command)
  const screener = longTexts.length === 0 ? screen : await screenerFor(parts, longTexts)
  return parts.registry.use(call.tenantId, call.scope, async (actor) => {
    if (!actor.isSimilarReady) await actor.similarReady()
    const isWanted = call.request.auto_embed !== false
    const reply = await actor.turn(
      once(parts.codec, call.operationKey, (state, nowMs) => {
        const { events, effect } = decideObserve(
          state,
          command,
          nowMs,
          () => parts.entropy.uuid(nowMs),
          screener,
          actor.similar,
        )
        actor.vectors?.unwanted(isWanted ? NONE : writtenIn(events))
        const embedding = actor.vectors === null ? null : isWanted && writtenIn(events).size > 0
        return { events, reply: bodyOf(call, command, effect, warnings, embedding) }
      }),
      call.onDecided,
    )
    if (actor.vectors !== null) await parts.registry.keepUnwanted(actor)
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
  call: Call<ObserveRequest>,
  command: ObserveCommand,
  effect: ObserveEffect,
  warnings: readonly string[],
  /** Whether anything will be embedded; null: there is no provider. */
  embedding: boolean | null,
): object {
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
            semantic_commit: 'committed',
            embedding: embedding ? 'scheduled' : 'not_requested',
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
