import type { Actor } from '../actor/actor.ts'
import { FILTERED_LISTED_MAX } from '../contract/by-filter.ts'
import { namesExternal, namesGuides } from '../contract/erase.ts'
import { isSent } from '../contract/fields.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { namesMemory } from '../contract/rehydrate.ts'
import { DomainError } from '../core/base/errors.ts'
import { refText } from '../core/external/recorded-candidates.ts'
import type { Erasure } from '../core/model/record.ts'
import type { ActorState } from '../core/model/state.ts'
import {
  decideErase,
  decideEraseExternal,
  type EraseCommand,
  type EraseEffect,
  type EraseExternalCommand,
  type EraseExternalEffect,
} from '../core/write/erase.ts'
import type { Removed } from '../ports/removal.ts'
import { actByFilter, type ByFilter } from './by-filter.ts'
import { eventsOf, type NamedGuides, namedGuides } from './erased-guides.ts'
import { onceBehind, onceInSteps } from './idempotency.ts'
import { isoOf } from './iso-time.ts'
import { eraseCommand } from './normalise/lifecycle.ts'
import { filterOf } from './normalise/memory-filter.ts'
import { type Call, envelopeOf, principalIdOf, type RuntimeParts, sourceMap } from './parts.ts'

/**
 * Erases memory and answers when nothing of it is on disk. A repeat, also under the same operation id, finishes what an
 * earlier request could not; so does the next start. Other requests of the actor go on meanwhile.
 * @throws memory_not_found, anchor_not_found, erase_incomplete
 */
export async function erase(parts: RuntimeParts, call: Call<RequestOf<'erase'>>): Promise<AnswerOf<'erase'>> {
  const command = eraseCommand(call.request)
  const byFilter = filteredErase(parts, call, command)
  if (call.request.dry_run === true) {
    const tried = isSent(call.request.filter) ? byFilter : externalTried(parts, call, command)
    return parts.registry.look(call.tenantId, call.scope, async (actor) => ({
      ...(await tried(actor)),
      purged: { snapshots: 0, journal_segments: 0, history_files: 0 },
    }))
  }
  const work = async (actor: Actor): Promise<AnswerOf<'erase'>> => {
    const reply = isSent(call.request.filter)
      ? await byFilter(actor)
      : await byReferences(parts, call, command, actor)
    return { ...reply, purged: purgedRow(await parts.registry.purge(actor)) }
  }
  return parts.registry.use(call.tenantId, call.scope, (actor) =>
    parts.registry.erasing(actor, () => work(actor)),
  )
}

function purgedRow({ snapshots, journalSegments, historyFiles, copiesUntilMs }: Removed) {
  return {
    snapshots,
    journal_segments: journalSegments,
    history_files: historyFiles,
    ...(copiesUntilMs === undefined ? {} : { copies_until: isoOf(copiesUntilMs) }),
  }
}

type Recorded = Omit<AnswerOf<'erase'>, 'purged'>

async function byReferences(
  parts: RuntimeParts,
  call: Call<RequestOf<'erase'>>,
  command: EraseCommand,
  actor: Actor,
): Promise<Recorded> {
  const guides = namesGuides(call.request) ? await guidesNamed(parts, call, command, actor) : null
  return actor.turnInSlices(
    onceInSteps(parts.codec, call.operationKey, function* (state, nowMs) {
      // The words of what is erased are read once more.
      yield
      const named = guides === null ? null : guides()
      const external = namesExternal(call.request) ? externalErased(parts, call, command, state) : null
      const isOther = (named !== null || external !== null) && !namesMemory(call.request)
      const { events, effect } = isOther ? NOTHING : decideErase(state, command, nowMs)
      const reply = {
        ...recorded(call, effect),
        ...(named === null ? {} : { guide_effect: named.effect }),
        ...(external === null ? {} : { external_effect: externalEffect(external.effect) }),
      }
      return { events: [...events, ...eventsOf(named), ...(external?.events ?? [])], reply }
    }),
    principalIdOf(call),
  )
}

function externalErased(
  { codec }: Pick<RuntimeParts, 'codec'>,
  { request }: Call<RequestOf<'erase'>>,
  command: EraseCommand,
  state: ActorState,
) {
  return decideEraseExternal(state, externalCommand(request, command), (key, reference) =>
    codec.keyedHash(key, refText(reference)),
  )
}

/** What an erasure of external memory would find. */
function externalTried(parts: RuntimeParts, call: Call<RequestOf<'erase'>>, command: EraseCommand) {
  return (actor: Actor): Promise<Recorded> =>
    actor.turn((state) => {
      const found = externalEffect(externalErased(parts, call, command, state).effect)
      const reply = {
        ...recorded(call, NOTHING.effect),
        external_effect: { ...found, dry_run: true as const },
      }
      return { events: [], reply }
    })
}

function externalCommand(
  { external_ids }: RequestOf<'erase'>,
  { reason, actorName }: EraseCommand,
): EraseExternalCommand {
  const references = (external_ids ?? []).map(({ source_backend, external_memory_id }) => ({
    sourceBackend: source_backend,
    externalId: external_memory_id,
  }))
  return { references, reason, actorName }
}

function externalEffect({ erasedCount, alreadyErasedCount, heldCount }: EraseExternalEffect) {
  return { erased_count: erasedCount, already_erased_count: alreadyErasedCount, held_count: heldCount }
}

const NOTHING = {
  events: [],
  effect: { erasedMemoryIds: [], alreadyErasedMemoryIds: [], missing: [], tombstones: [] },
}

/** A refusal is handed on, not thrown: a repeat gets its stored answer. */
async function guidesNamed(
  parts: RuntimeParts,
  { request }: Call<RequestOf<'erase'>>,
  { viewpoint, reason, actorName }: EraseCommand,
  actor: Actor,
): Promise<() => NamedGuides> {
  try {
    const named = await namedGuides(parts, actor, request, { viewer: viewpoint, reason, actorName })
    return () => named
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return () => {
      throw error
    }
  }
}

function recorded(call: Call<RequestOf<'erase'>>, effect: EraseEffect): Recorded {
  return {
    ...envelopeOf('svc_erase_result_v1', call),
    agent_prompt_included: false,
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
}

/** Erases what a filter finds, piece by piece. */
function filteredErase(parts: RuntimeParts, call: Call<RequestOf<'erase'>>, command: EraseCommand) {
  return async (actor: Actor): Promise<Recorded> => {
    const { filter, dry_run: dryRun } = call.request
    const tombstones: Omit<Erasure, 'seq'>[] = []
    const asked: ByFilter = {
      filter: filterOf(filter ?? {}),
      viewer: command.viewpoint,
      isDryRun: dryRun ?? false,
      isDue: (state, { memoryId }) => !state.erasures.has(memoryId),
      act(state, memoryIds, nowMs) {
        const { events, effect } = decideErase(state, { ...command, memoryIds }, nowMs)
        tombstones.push(...effect.tombstones.slice(0, FILTERED_LISTED_MAX - tombstones.length))
        return { events, reply: effect.erasedMemoryIds.length }
      },
    }
    const run = async (): Promise<Recorded> => {
      const filtered = await actByFilter(actor, asked, principalIdOf(call))
      const erasedMemoryIds = tombstones.map(({ memoryId }) => memoryId)
      const effect = { erasedMemoryIds, alreadyErasedMemoryIds: [], missing: [], tombstones }
      return { ...recorded(call, effect), filter_effect: filtered }
    }
    return asked.isDryRun
      ? run()
      : onceBehind(parts.codec, call.operationKey, actor, principalIdOf(call), run)
  }
}
