import type { Lane, LifecycleState, MemoryType, Origin, Standing, Surface } from '../base/closed-sets.ts'
import { type ExternalMemory, opinionsFor, standingFor } from '../model/external-memory.ts'
import { lifecycleStateAt } from '../model/lifecycle.ts'
import { wholeTextOf } from '../model/memory-fields.ts'
import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { canSee, type Viewer } from '../model/visibility.ts'
import { type Admission, admissionIn } from '../policy/admission.ts'
import type { ReportView } from './viewer.ts'

/** By which a list of external memory goes on: its backend, then its id. */
export type ExternalPlace = readonly [sourceBackend: string, externalId: string]

export interface ExternalFilter {
  readonly sourceBackend: string | null
  readonly externalId: string | null
  readonly standing: Standing | null
}

/**
 * The next ones in the order of their names, and whether there are more. What is governed meanwhile changes no place.
 * One pass over all of them: of a hundred thousand it takes some milliseconds.
 */
export function externalPage(
  { external }: Pick<ActorState, 'external'>,
  filter: ExternalFilter,
  viewer: Viewer,
  after: ExternalPlace | null,
  limit: number,
): { readonly items: readonly ExternalMemory[]; readonly hasMore: boolean } {
  const first: ExternalMemory[] = []
  for (const memory of external.all()) {
    if (after !== null && compare(placeOf(memory), after) <= 0) continue
    if (!isAskedFor(memory, filter, viewer) || !isKnownTo(memory, viewer)) continue
    const last = first.at(-1)
    if (first.length > limit && last !== undefined && compare(placeOf(memory), placeOf(last)) > 0) continue
    first.splice(positionIn(first, memory), 0, memory)
    if (first.length > limit + 1) first.pop()
  }
  return { items: first.slice(0, limit), hasMore: first.length > limit }
}

export function placeOf({ sourceBackend, externalId }: ExternalMemory): ExternalPlace {
  return [sourceBackend, externalId]
}

/** A consumer is told of those that a lane of its own speaks of: the others are what somebody asked. */
function isKnownTo(memory: ExternalMemory, viewer: Viewer): boolean {
  return viewer === null || opinionsFor(memory, viewer).length > 0
}

function isAskedFor(memory: ExternalMemory, filter: ExternalFilter, viewer: Viewer): boolean {
  const { sourceBackend, externalId, standing } = filter
  if (sourceBackend !== null && memory.sourceBackend !== sourceBackend) return false
  if (externalId !== null && memory.externalId !== externalId) return false
  return standing === null || standingFor(memory, viewer) === standing
}

function positionIn(sorted: readonly ExternalMemory[], memory: ExternalMemory): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const other = sorted[middle]
    if (other !== undefined && compare(placeOf(other), placeOf(memory)) < 0) from = middle + 1
    else to = middle
  }
  return from
}

function compare([backend, id]: ExternalPlace, [otherBackend, otherId]: ExternalPlace): number {
  if (backend !== otherBackend) return backend < otherBackend ? -1 : 1
  return id === otherId ? 0 : id < otherId ? -1 : 1
}

/** Which memories a list holds; null: whatever it is. */
export interface MemoryFilter {
  readonly surface: Surface | null
  readonly lifecycleState: LifecycleState | null
  readonly memoryType: MemoryType | null
  readonly kind: string | null
  readonly origin: Origin | null
  readonly lane: Lane | null
  readonly ownerAgentId: string | null
  readonly ownerTeamId: string | null
  readonly runId: string | null
  readonly taskSignature: string | null
  readonly workflowSignature: string | null
  readonly file: string | null
  readonly createdFromMs: number | null
  readonly createdBeforeMs: number | null
  readonly observedFromMs: number | null
  readonly observedBeforeMs: number | null
  /** All of them have to stand in the texts of the memory, in lower case; empty: whatever it says. */
  readonly texts: readonly string[]
}

export interface ListedMemory {
  readonly record: MemoryRecord
  readonly admission: Admission
  readonly lifecycleState: LifecycleState
}

/** A list from the newest memory to the oldest. What is written meanwhile has a higher slot and is not met any more. */
export interface MemoryWalk {
  /** Slot of the memory that is looked at next; below 0: the list is at its end. */
  slot: number
  /** What may still be spent before others are served, in units of looking at one memory. */
  allowance: number
}

/** What costs more than to look at a memory, in units of that: its surface, and so many characters of its texts. */
const ADMISSION_UNITS = 8
const UNIT_CHARS = 128

/** Goes on with a walk until `wanted` memories are found, the allowance is used up, or nothing is left. */
export function listedOn(
  view: ReportView,
  filter: MemoryFilter,
  walk: MemoryWalk,
  wanted: number,
): readonly ListedMemory[] {
  const found: ListedMemory[] = []
  const { records } = view.state
  while (walk.slot >= 0 && walk.allowance > 0 && found.length < wanted) {
    const record = records[walk.slot]
    walk.slot -= 1
    walk.allowance -= 1
    if (record === undefined || !canSee(view.viewer, record) || !fits(record, filter)) continue
    const listed = fitting(view, record, filter, walk)
    if (listed !== null) found.push(listed)
  }
  return found
}

/** A memory as lists show it. */
export function listedMemory(view: ReportView, record: MemoryRecord): ListedMemory {
  const { state, viewer, nowMs } = view
  return {
    record,
    admission: admissionIn(state, record, { nowMs, askedSignature: null, consumer: viewer }),
    lifecycleState: lifecycleStateAt(record.facets, nowMs),
  }
}

/** What is read at once, by fields of the record alone. */
function fits(record: MemoryRecord, filter: MemoryFilter): boolean {
  return (
    isOrAny(filter.memoryType, record.memoryType) &&
    isOrAny(filter.kind, record.kind) &&
    isOrAny(filter.origin, record.origin) &&
    isOrAny(filter.lane, record.audience.lane) &&
    isOrAny(filter.ownerAgentId, record.audience.ownerAgentId) &&
    isOrAny(filter.ownerTeamId, record.audience.ownerTeamId) &&
    isOrAny(filter.runId, record.runId) &&
    isOrAny(filter.taskSignature, record.taskSignature) &&
    isOrAny(filter.workflowSignature, record.workflowSignature) &&
    (filter.file === null || record.content.targetFiles.includes(filter.file)) &&
    isWithin(record.createdAtMs, filter.createdFromMs, filter.createdBeforeMs) &&
    isWithin(record.observedAtMs, filter.observedFromMs, filter.observedBeforeMs)
  )
}

function isOrAny(wanted: string | null, found: string | null): boolean {
  return wanted === null || wanted === found
}

function isWithin(atMs: number, fromMs: number | null, beforeMs: number | null): boolean {
  return (fromMs === null || atMs >= fromMs) && (beforeMs === null || atMs < beforeMs)
}

/** The memory, if the filters hold that take longer. */
function fitting(
  view: ReportView,
  record: MemoryRecord,
  filter: MemoryFilter,
  walk: MemoryWalk,
): ListedMemory | null {
  const { lifecycleState, surface, texts } = filter
  // What is left of an erased memory is in no state and on no surface.
  const isAskedHow = lifecycleState !== null || surface !== null
  if (isAskedHow && view.state.erasures.has(record.memoryId)) return null
  if (lifecycleState !== null && lifecycleState !== lifecycleStateAt(record.facets, view.nowMs)) return null
  if (texts.length > 0) {
    const said = saidIn(record)
    walk.allowance -= Math.ceil(said.length / UNIT_CHARS)
    if (!texts.every((text) => said.includes(text))) return null
  }
  walk.allowance -= ADMISSION_UNITS
  const listed = listedMemory(view, record)
  return surface === null || listed.admission.surface === surface ? listed : null
}

/** Title, whole text and summary, in lower case. */
function saidIn({ content }: MemoryRecord): string {
  const { title, summary } = content
  return [title ?? '', wholeTextOf(content), summary ?? ''].join('\n').toLowerCase()
}
