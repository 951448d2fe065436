import {
  AVAILABILITIES,
  LANES,
  LIFECYCLE_STATES,
  type LifecycleState,
  MEMORY_DOMAINS,
  MEMORY_TYPES,
  STANDINGS,
  TRUSTS,
  VALIDITIES,
} from '../base/closed-sets.ts'
import { isSuppressed, lifecycleStateAt, validityAt } from '../model/lifecycle.ts'
import type { Counters, FacetChange, Facets, MemoryRecord } from '../model/record.ts'
import { ENTRIES_MAX, type ReportView, seenRecord, shownTitle } from './operator-snapshot-view.ts'

const CHANGES_SHOWN_MAX = 50

/** A memory with the state that reports call it by at the moment of the report. */
export interface StatedMemory {
  readonly record: MemoryRecord
  readonly lifecycleState: LifecycleState
}

export function stated(view: ReportView, records: readonly MemoryRecord[]): readonly StatedMemory[] {
  return records.map((record) => ({
    record,
    lifecycleState: lifecycleStateAt(record.facets, view.nowMs),
  }))
}

/** True when nothing has taken the memory out of use for good or for now. */
export function isInForce({ lifecycleState }: StatedMemory): boolean {
  return !['suppressed', 'failed', 'superseded', 'expired'].includes(lifecycleState)
}

/** How many memories there are of each kind. Every group adds up to `total`. */
export function memoryCounts(view: ReportView, memories: readonly StatedMemory[]) {
  const { nowMs } = view
  const byRecord = (words: readonly string[], wordOf: (record: MemoryRecord) => string) =>
    tally(
      words,
      memories.map(({ record }) => wordOf(record)),
    )
  const byFacet = (words: readonly string[], wordOf: (facets: Facets) => string) =>
    byRecord(words, (record) => wordOf(record.facets))
  return {
    total: memories.length,
    erased: memories.filter(({ record }) => view.state.erasures.has(record.memoryId)).length,
    by_domain: byRecord(MEMORY_DOMAINS, (record) => record.domain),
    by_type: byRecord(MEMORY_TYPES, (record) => record.memoryType),
    by_lane: byRecord(LANES, (record) => record.audience.lane),
    by_lifecycle_state: tally(
      LIFECYCLE_STATES,
      memories.map(({ lifecycleState }) => lifecycleState),
    ),
    by_facet: {
      trust: byFacet(TRUSTS, (facets) => facets.trust),
      standing: byFacet(STANDINGS, (facets) => facets.standing),
      validity: byFacet(VALIDITIES, (facets) => validityAt(facets, nowMs)),
      availability: byFacet(AVAILABILITIES, (facets) => facets.availability),
      suppression: byFacet(['none', 'suppressed'], (facets) =>
        isSuppressed(facets, nowMs) ? 'suppressed' : 'none',
      ),
    },
  }
}

function tally(words: readonly string[], found: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map(words.map((word) => [word, 0]))
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** What happened to the memories since they were written: outcomes counted together, and the last facet changes. */
export function lifecycleHistory(view: ReportView, memories: readonly StatedMemory[]) {
  const sum = (read: (counters: Counters) => number) =>
    memories.reduce((total, { record }) => total + read(record.counters), 0)
  const countIn = (...states: readonly LifecycleState[]) =>
    memories.filter(({ lifecycleState }) => states.includes(lifecycleState)).length
  const changes = memories
    .flatMap(({ record }) => record.changes.map((change) => ({ record, change })))
    .sort((a, b) => b.change.seq - a.change.seq)
  return {
    controlled_memory_count: memories.filter(({ record }) => record.changes.some(isByOperator)).length,
    blocked_or_suppressed_count: countIn('suppressed', 'failed'),
    stale_memory_count: countIn('superseded', 'expired'),
    outcomes: {
      positive: sum((counters) => counters.positive),
      negative_weak: sum((counters) => counters.negativeWeak),
      negative_strong: sum((counters) => counters.negativeStrong),
      neutral: sum((counters) => counters.neutral),
      observed_positive: sum((counters) => counters.observedPositive),
    },
    change_count: changes.length,
    recent_changes: changes.slice(0, CHANGES_SHOWN_MAX).map(({ record, change }) => ({
      memory_id: record.memoryId,
      title: shownTitle(view, record),
      facet: change.facet,
      from: change.from,
      to: change.to,
      cause: change.cause,
      by_memory_id: seenCause(view, change),
      at: view.isoTime(change.atMs),
    })),
  }
}

function isByOperator(change: FacetChange): boolean {
  return change.cause.startsWith('operator_')
}

/** The memory that caused a change, if these eyes know it. */
function seenCause(view: ReportView, { byMemoryId }: FacetChange): string | null {
  return byMemoryId === null || seenRecord(view, byMemoryId) === null ? null : byMemoryId
}

/** Memories that something went wrong with: those held back now, the latest first, and those that hurt most. */
export function incidents(view: ReportView, memories: readonly StatedMemory[]) {
  return {
    contested: heldBack(view, memories, 'contested'),
    failed: heldBack(view, memories, 'failed'),
    suppressed: heldBack(view, memories, 'suppressed'),
    most_hurting: mostHurting(view, memories),
  }
}

function heldBack(
  view: ReportView,
  memories: readonly StatedMemory[],
  state: 'contested' | 'failed' | 'suppressed',
) {
  const found = memories
    .filter(({ lifecycleState }) => lifecycleState === state)
    .map(({ record }) => ({ record, change: record.changes.findLast(({ to }) => to === state) ?? null }))
    .sort((a, b) => (b.change?.seq ?? b.record.seq) - (a.change?.seq ?? a.record.seq))
  return {
    count: found.length,
    entries: found.slice(0, ENTRIES_MAX).map(({ record, change }) => ({
      memory_id: record.memoryId,
      title: shownTitle(view, record),
      cause: change?.cause ?? null,
      by_memory_id: change === null ? null : seenCause(view, change),
      since: view.isoTime(change?.atMs ?? record.createdAtMs),
    })),
  }
}

/** Credit is what outcomes said of a memory: a positive counts one, a negative one against it, a strong one two. */
function mostHurting(view: ReportView, memories: readonly StatedMemory[]) {
  return memories
    .map((memory) => ({ ...memory, credit: creditOf(memory.record.counters) }))
    .filter(({ credit }) => credit < 0)
    .sort((a, b) => a.credit - b.credit || b.record.ordinal - a.record.ordinal)
    .slice(0, ENTRIES_MAX)
    .map(({ record, lifecycleState, credit }) => ({
      memory_id: record.memoryId,
      title: shownTitle(view, record),
      lifecycle_state: lifecycleState,
      credit,
      positive: record.counters.positive,
      negative_weak: record.counters.negativeWeak,
      negative_strong: record.counters.negativeStrong,
    }))
}

function creditOf({ positive, negativeWeak, negativeStrong }: Counters): number {
  return positive - negativeWeak - 2 * negativeStrong
}
