import type { Actor } from '../actor/actor.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { decideErase } from '../core/write/erase.ts'
import { onceInSteps } from './idempotency.ts'
import { isoOf } from './iso-time.ts'
import { eraseCommand } from './normalise/lifecycle.ts'
import { type Call, envelopeOf, principalIdOf, type RuntimeParts, sourceMap } from './parts.ts'

/**
 * Erases memory and answers when nothing of it is on disk. A repeat, also under the same operation id, finishes what an
 * earlier request could not; so does the next start. Other requests of the actor go on meanwhile.
 * @throws memory_not_found, anchor_not_found, erase_incomplete
 */
export async function erase(parts: RuntimeParts, call: Call<RequestOf<'erase'>>): Promise<AnswerOf<'erase'>> {
  const command = eraseCommand(call.request)
  const work = async (actor: Actor): Promise<AnswerOf<'erase'>> => {
    // The words of what is erased are read once more.
    const reply = await actor.turnInSlices(
      onceInSteps(parts.codec, call.operationKey, function* (state, nowMs) {
        yield
        const { events, effect } = decideErase(state, command, nowMs)
        const reply = {
          ...envelopeOf('svc_erase_result_v1', call),
          agent_prompt_included: false as const,
          erased_memory_ids: effect.erasedMemoryIds,
          already_erased_memory_ids: effect.alreadyErasedMemoryIds,
          missing_memory_ids: effect.missing,
          tombstones: effect.tombstones.map(({ memoryId, atMs, reason, by }) => ({
            memory_id: memoryId,
            erased_at: isoOf(atMs),
            reason,
            actor: by,
          })),
          source_map: sourceMap('/v1/memory/erase', ['memory_erasure']),
        }
        return { events, reply }
      }),
      principalIdOf(call),
    )
    const { snapshots, journalSegments, historyFiles } = await parts.registry.purge(actor)
    const purged = { snapshots, journal_segments: journalSegments, history_files: historyFiles }
    return { ...reply, purged }
  }
  return parts.registry.use(call.tenantId, call.scope, (actor) =>
    parts.registry.erasing(actor, () => work(actor)),
  )
}
