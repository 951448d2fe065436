import { DomainError } from '../base/errors.ts'
import type { ActorEvent } from '../model/events.ts'
import type { Consumer, Erasure, MemoryRecord } from '../model/record.ts'
import { type References, resolveReferences } from '../model/references.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { canSee } from '../model/visibility.ts'
import { type Decided, Decision } from './decision.ts'

export interface EraseCommand extends References {
  readonly reason: string
  /** Null: an operator without consumer fields sees the whole actor. */
  readonly viewpoint: Consumer | null
  readonly actorName: string | null
}

export interface EraseEffect {
  readonly erasedMemoryIds: readonly string[]
  /** Erased by an earlier request: named again, nothing was written. */
  readonly alreadyErasedMemoryIds: readonly string[]
  /** As the caller named them: unknown and invisible ones alike. */
  readonly missing: readonly string[]
  /** Of both, in the order of the request. */
  readonly tombstones: readonly Omit<Erasure, 'seq'>[]
}

/**
 * Takes the content of memories away for good, and procedures that were promoted from them. An anchor means every
 * handoff of that name, so that a repeat means the same ones.
 * @throws reference_required, memory_not_found, anchor_not_found
 */
export function decideErase(state: ActorState, command: EraseCommand, nowMs: number): Decided<EraseEffect> {
  const { records: named, missing } = resolved(state, command)
  const records = [...named, ...proceduresFrom(state, new Set(named.map(({ memoryId }) => memoryId)))]
  const fresh = records.filter(({ memoryId }) => !state.erasures.has(memoryId))
  const { reason, actorName } = command
  const memoryIds = fresh.map(({ memoryId }) => memoryId)
  const effect: EraseEffect = {
    erasedMemoryIds: memoryIds,
    alreadyErasedMemoryIds: records.flatMap(({ memoryId }) =>
      state.erasures.has(memoryId) ? [memoryId] : [],
    ),
    missing,
    tombstones: records.map(
      ({ memoryId }) => state.erasures.get(memoryId) ?? { memoryId, reason, by: actorName, atMs: nowMs },
    ),
  }
  if (memoryIds.length === 0) return { events: [], effect }
  const decision = new Decision(state, nowMs, () => '')
  decision.endVerdictsOn(memoryIds, 'what the verdict was about is erased')
  decision.events.push({ type: 'memory_erased', memoryIds, reason, actorName })
  return { events: decision.events, effect }
}

/** What was written from the steps of a run, when its skill was promoted, says what the run said and goes with it. */
export function proceduresFrom(state: ActorState, runs: ReadonlySet<string>): readonly MemoryRecord[] {
  return [...state.skills.values()].flatMap(({ procedureId, sourceMemoryIds }) => {
    if (procedureId === undefined || runs.has(procedureId)) return []
    return sourceMemoryIds.some((id) => runs.has(id)) ? (liveRecord(state, procedureId) ?? []) : []
  })
}

function resolved(state: ActorState, command: EraseCommand) {
  const named = command.memoryIds.length + command.clientIds.length
  if (named + command.anchors.length === 0) throw new DomainError('reference_required')
  const direct = resolveReferences(state, { ...command, anchors: [] }, command.viewpoint)
  const records = new Set<MemoryRecord>(direct.records)
  const missing = [...direct.missing]
  for (const anchor of command.anchors) {
    const found = ofAnchor(state, anchor, command.viewpoint)
    if (found.length === 0) missing.push(anchor)
    for (const record of found) records.add(record)
  }
  if (records.size === 0) {
    throw new DomainError(named === 0 ? 'anchor_not_found' : 'memory_not_found', {
      missing_memory_ids: missing,
    })
  }
  return { records: [...records], missing }
}

/** A memory by its id, or every handoff with that anchor, erased ones included. */
function ofAnchor(state: ActorState, anchor: string, eyes: Consumer | null): readonly MemoryRecord[] {
  const references: References = { memoryIds: [anchor], clientIds: [], anchors: [] }
  const direct = resolveReferences(state, references, eyes).records
  if (direct.length > 0) return direct
  return [...state.handoffs, ...state.erasures.keys()]
    .flatMap((memoryId) => state.memories.get(memoryId) ?? [])
    .filter((record) => record.handoff?.anchor === anchor && canSee(eyes, record))
}

export interface EraseExternalCommand {
  readonly references: readonly { readonly sourceBackend: string; readonly externalId: string }[]
  readonly reason: string
  readonly actorName: string | null
}

export interface EraseExternalEffect {
  readonly erasedCount: number
  readonly alreadyErasedCount: number
  /** Of the erased ones those that the state still knew. */
  readonly heldCount: number
}

/**
 * Takes away everything that is known of memories of other stores, for every lane. What the state has let go to make room
 * may still be in the journal, and audit notes name what was not recorded, so that a name it does not know is erased like any other.
 * @param refOf hash of a name under the key of the actor
 * @param newKey for an actor that has none, because it has recorded nothing
 */
export function decideEraseExternal(
  { external }: Pick<ActorState, 'external'>,
  { references, reason, actorName }: EraseExternalCommand,
  refOf: (key: string, reference: EraseExternalCommand['references'][number]) => string,
  newKey: () => string,
): Decided<EraseExternalEffect> {
  const key = external.key ?? newKey()
  const refs = new Set<string>()
  let alreadyErasedCount = 0
  let heldCount = 0
  for (const reference of references) {
    const ref = refOf(key, reference)
    if (refs.has(ref)) continue
    refs.add(ref)
    if (external.get(reference.sourceBackend, reference.externalId) !== undefined) heldCount += 1
    else if (external.erasures.has(ref)) alreadyErasedCount += 1
  }
  const event: ActorEvent = { type: 'external_erased', refs: [...refs], reason, actorName }
  return {
    events: external.key === null ? [{ type: 'external_keyed', key }, event] : [event],
    effect: { erasedCount: refs.size - alreadyErasedCount, alreadyErasedCount, heldCount },
  }
}

export interface EraseGuidesCommand {
  /** Guides that are there. */
  readonly guideTraceIds: readonly string[]
  /** Runs that have guides: what is erased is all that they had until now. */
  readonly runIds: readonly string[]
  /** Null: whomever they were made for. */
  readonly madeFor: Consumer | null
  readonly reason: string
  readonly actorName: string | null
}

/** Takes away what guides asked, showed and weighed. Counters and what feedback said of memory stay. */
export function decideEraseGuides(command: EraseGuidesCommand): readonly ActorEvent[] {
  if (command.guideTraceIds.length + command.runIds.length === 0) return []
  return [{ type: 'guides_erased', ...command }]
}
