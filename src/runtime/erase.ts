import type { Actor } from '../actor/actor.ts'
import { isSent } from '../contract/fields.ts'
import { FILTERED_LISTED_MAX, FILTERED_MAX, namesExternal, namesGuides } from '../contract/forget.ts'
import type { AnswerOf, RequestOf } from '../contract/operations.ts'
import { namesMemory } from '../contract/rehydrate.ts'
import { DomainError } from '../core/base/errors.ts'
import { refText } from '../core/external/govern-record.ts'
import { isMadeFor } from '../core/guide/decision.ts'
import { guideErasureKey } from '../core/model/erasure.ts'
import type { Erasure } from '../core/model/record.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Viewer } from '../core/model/visibility.ts'
import { maskSecrets } from '../core/screening/secrets.ts'
import {
  decideErase,
  decideEraseExternal,
  decideEraseGuides,
  type EraseCommand,
  type EraseEffect,
  type EraseExternalEffect,
  proceduresFrom,
} from '../core/write/erase.ts'
import type { Removed } from '../ports/store.ts'
import { newExternalKey } from './govern.ts'
import { actByFilter, type ByFilter } from './lifecycle-wire.ts'
import { distinct } from './normalise/identity.ts'
import { eraseCommand } from './normalise/lifecycle.ts'
import { filterOf } from './operator/list-memories.ts'
import {
  type Call,
  envelopeOf,
  type Handler,
  handedOn,
  heldExposure,
  isoOf,
  onceBehind,
  principalIdOf,
  type RuntimeParts,
  sourceMap,
  turnInSlicesOnce,
  unknownGuide,
} from './parts.ts'
import { heldNewestFirst } from './reports/guide-records.ts'

/**
 * Erases memory and answers when nothing of it is on disk. A repeat, also under the same operation id, finishes what an
 * earlier request could not; so does the next start. Other requests of the actor go on meanwhile.
 * @throws memory_not_found, anchor_not_found, erase_incomplete
 */
export const erase: Handler<'erase'> = async (parts, call) => {
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

type EraseCall = Call<RequestOf<'erase'>>
type Recorded = Omit<AnswerOf<'erase'>, 'purged'>

async function byReferences(
  parts: RuntimeParts,
  call: EraseCall,
  command: EraseCommand,
  actor: Actor,
): Promise<Recorded> {
  const guides = namesGuides(call.request)
    ? await handedOn(namedGuides(parts, actor, call.request, command))
    : null
  return turnInSlicesOnce(parts, actor, call, function* (state, nowMs) {
    // The words of what is erased are read once more.
    yield
    const named = guides?.() ?? null
    const external = namesExternal(call.request) ? externalErased(parts, call, command, state) : null
    const isOther = (named !== null || external !== null) && !namesMemory(call.request)
    const { events, effect } = isOther ? NOTHING : decideErase(state, command, nowMs)
    const reply = {
      ...recorded(call, effect),
      ...(named === null ? {} : { guide_effect: named.effect }),
      ...(external === null ? {} : { external_effect: externalEffect(external.effect) }),
    }
    const guideEvents = named === null ? [] : decideEraseGuides(named.command)
    return { events: [...events, ...guideEvents, ...(external?.events ?? [])], reply }
  })
}

function externalErased(
  parts: RuntimeParts,
  { request }: EraseCall,
  { reason, actorName }: EraseCommand,
  state: ActorState,
) {
  const references = (request.external_ids ?? []).map(({ source_backend, external_memory_id }) => ({
    sourceBackend: source_backend,
    externalId: external_memory_id,
  }))
  const refOf = (key: string, reference: (typeof references)[number]) =>
    parts.codec.keyedHash(key, refText(reference))
  return decideEraseExternal(state, { references, reason, actorName }, refOf, () => newExternalKey(parts))
}

/** What an erasure of external memory would find. */
function externalTried(parts: RuntimeParts, call: EraseCall, command: EraseCommand) {
  return (actor: Actor): Promise<Recorded> =>
    actor.read((state) => ({
      ...recorded(call, NOTHING.effect),
      external_effect: {
        ...externalEffect(externalErased(parts, call, command, state).effect),
        dry_run: true as const,
      },
    }))
}

function externalEffect({ erasedCount, alreadyErasedCount, heldCount }: EraseExternalEffect) {
  return { erased_count: erasedCount, already_erased_count: alreadyErasedCount, held_count: heldCount }
}

const NOTHING = {
  events: [],
  effect: { erasedMemoryIds: [], alreadyErasedMemoryIds: [], missing: [], tombstones: [] },
}

function recorded(call: EraseCall, effect: EraseEffect): Recorded {
  return {
    ...envelopeOf('svc_erase_result_v1', call),
    agent_prompt_included: false,
    erased_memory_ids: effect.erasedMemoryIds,
    already_erased_memory_ids: effect.alreadyErasedMemoryIds,
    missing_memory_ids: effect.missing,
    tombstones: effect.tombstones.map(({ memoryId, atMs, reason, by }) => ({
      memory_id: memoryId,
      erased_at: isoOf(atMs),
      reason: maskSecrets(reason),
      actor: by,
    })),
    source_map: sourceMap('/v1/memory/erase', ['memory_erasure']),
  }
}

/** Erases what a filter finds, piece by piece. */
function filteredErase(parts: RuntimeParts, call: EraseCall, command: EraseCommand) {
  return async (actor: Actor): Promise<Recorded> => {
    const { filter, dry_run: dryRun } = call.request
    const tombstones: Omit<Erasure, 'seq'>[] = []
    const asked: ByFilter = {
      filter: filterOf(filter ?? {}),
      viewer: command.viewpoint,
      isDryRun: dryRun ?? false,
      isDue: (state, { memoryId }) => !state.erasures.has(memoryId),
      alsoDue: proceduresFrom,
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

// Guides that an erasure names, by trace or by run. They are looked up before the turn: most lie in the ledger.

/**
 * What a request to erase guides means.
 * @throws guide_trace_not_found when nothing that it names was ever there
 */
async function namedGuides(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  request: RequestOf<'erase'>,
  { viewpoint: viewer, reason, actorName }: EraseCommand,
) {
  const already: string[] = []
  const missing: string[] = []
  const found = new Set<string>()
  for (const id of distinct(request.guide_trace_ids)) {
    const state = await stateOfGuide(parts, actor, id, viewer)
    if (state === 'there') found.add(id)
    else (state === 'erased' ? already : missing).push(id)
  }
  const ofRuns = await guidesOfRuns(parts, actor, new Set(distinct(request.run_ids)), viewer)
  for (const [runId, guideTraceIds] of ofRuns) {
    if (guideTraceIds.length > 0) for (const id of guideTraceIds) found.add(id)
    else (isErasedRun(actor.state, runId, viewer) ? already : missing).push(runId)
  }
  if (found.size + already.length === 0) throw new DomainError('guide_trace_not_found', { missing })
  const guideTraceIds = [...found]
  const runIds = [...ofRuns].flatMap(([runId, guides]) => (guides.length > 0 ? [runId] : []))
  return {
    command: { guideTraceIds, runIds, madeFor: viewer, reason, actorName },
    effect: {
      erased_guide_count: guideTraceIds.length,
      erased_guide_trace_ids: guideTraceIds.slice(0, FILTERED_LISTED_MAX),
      erased_run_ids: runIds,
      already_erased: already,
      missing,
    },
  }
}

/** Of one that the ledger keeps no longer history may still tell: an operator takes that away, too. */
async function stateOfGuide(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  guideTraceId: string,
  viewer: Viewer,
): Promise<'there' | 'erased' | 'missing'> {
  const held = await heldExposure(parts, actor, guideTraceId)
  if (held !== null) return isMadeFor(held, viewer) ? 'there' : 'missing'
  if (viewer !== null) return 'missing'
  const { details } = unknownGuide(parts, actor, guideTraceId)
  if (details['erased'] === true) return 'erased'
  return details['expired'] === true ? 'there' : 'missing'
}

/** Guides of each run; of more than the bound the oldest are not named one by one, and go with their run. */
async function guidesOfRuns(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  runIds: ReadonlySet<string>,
  viewer: Viewer,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ofRuns = new Map<string, string[]>([...runIds].map((runId) => [runId, []]))
  if (runIds.size === 0) return ofRuns
  let count = 0
  for await (const shown of heldNewestFirst(parts, actor)) {
    const guides = shown.runId === null ? undefined : ofRuns.get(shown.runId)
    if (guides === undefined || !isMadeFor(shown, viewer)) continue
    if (count < FILTERED_MAX || guides.length === 0) guides.push(shown.guideTraceId)
    count += 1
  }
  return ofRuns
}

function isErasedRun({ erasedGuides }: ActorState, id: string, madeFor: Viewer): boolean {
  return erasedGuides.has(guideErasureKey({ kind: 'run', id, madeFor }))
}
