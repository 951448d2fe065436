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

type ExternalFilter = Asked<{
  readonly source_backend: string
  readonly external_memory_id: string
  readonly standing: Standing
}>

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
  const { source_backend, external_memory_id, standing } = filter
  return (
    isAsked(source_backend, memory.sourceBackend) &&
    isAsked(external_memory_id, memory.externalId) &&
    (standing == null || standingFor(memory, viewer) === standing)
  )
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

/** Which memories a list holds, in wire names; what is not asked for may be anything. */
export interface MemoryFilter extends Asked<FilterFields> {
  /** All of them have to stand in the texts of the memory, in lower case; empty: whatever it says. */
  readonly texts: readonly string[]
}

interface FilterFields {
  readonly surface: Surface
  readonly lifecycle_state: LifecycleState
  readonly memory_type: MemoryType
  readonly kind: string
  readonly origin: Origin
  readonly memory_lane: Lane
  readonly owner_agent_id: string
  readonly owner_team_id: string
  readonly run_id: string
  readonly task_signature: string
  readonly workflow_signature: string
  readonly file: string
  readonly created_from: number
  readonly created_to: number
  readonly observed_from: number
  readonly observed_to: number
}

type Asked<Fields> = { readonly [Name in keyof Fields]?: Wanted<Fields[Name]> }
type Wanted<Value> = Value | null | undefined

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
    isAsked(filter.memory_type, record.memoryType) &&
    isAsked(filter.kind, record.kind) &&
    isAsked(filter.origin, record.origin) &&
    isAsked(filter.memory_lane, record.audience.lane) &&
    isAsked(filter.owner_agent_id, record.audience.ownerAgentId) &&
    isAsked(filter.owner_team_id, record.audience.ownerTeamId) &&
    isAsked(filter.run_id, record.runId) &&
    isAsked(filter.task_signature, record.taskSignature) &&
    isAsked(filter.workflow_signature, record.workflowSignature) &&
    (filter.file == null || record.content.targetFiles.includes(filter.file)) &&
    isWithin(record.createdAtMs, filter.created_from, filter.created_to) &&
    isWithin(record.observedAtMs, filter.observed_from, filter.observed_to)
  )
}

function isAsked(wanted: Wanted<string>, found: string | null): boolean {
  return wanted == null || wanted === found
}

function isWithin(atMs: number, fromMs: Wanted<number>, beforeMs: Wanted<number>): boolean {
  return (fromMs == null || atMs >= fromMs) && (beforeMs == null || atMs < beforeMs)
}

/** The memory, if the filters hold that take longer. */
function fitting(
  view: ReportView,
  record: MemoryRecord,
  filter: MemoryFilter,
  walk: MemoryWalk,
): ListedMemory | null {
  const { lifecycle_state, surface, texts } = filter
  if (lifecycle_state != null && lifecycle_state !== lifecycleStateAt(record.facets, view.nowMs)) return null
  if (texts.length > 0) {
    const said = saidIn(record)
    walk.allowance -= Math.ceil(said.length / UNIT_CHARS)
    if (!texts.every((text) => said.includes(text))) return null
  }
  walk.allowance -= ADMISSION_UNITS
  const listed = listedMemory(view, record)
  return surface == null || listed.admission.surface === surface ? listed : null
}

/** Title, whole text and summary, in lower case. */
function saidIn({ content }: MemoryRecord): string {
  const { title, summary } = content
  return [title ?? '', wholeTextOf(content), summary ?? ''].join('\n').toLowerCase()
}
