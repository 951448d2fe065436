import { OMITTED_REASONS, type OmittedReason, type Surface } from '../base/closed-sets.ts'
import { longestRise } from '../base/collections.ts'
import type { GuideDecision } from '../guide/decision.ts'
import type { Consumer, FacetChange, MemoryRecord } from '../model/record.ts'
import { sourcesOf } from '../model/references.ts'
import { type ActorState, CHANGES_MAX, REVISIONS_MAX } from '../model/state.ts'
import { isWrittenAfter, seenCause } from './memory-state.ts'
import { type GuideNow, isFullSince } from './replay.ts'
import { seenRecord } from './viewer.ts'

export const CHANGES = ['same', 'moved', 'order_changed', 'no_longer_shown', 'newly_shown'] as const
export type Change = (typeof CHANGES)[number]

/** What a list of shown memory says of one: its place is its position. */
export interface Listed {
  readonly memoryId: string
  readonly surface: Surface
}

export interface Place {
  /** 0 is the best. */
  readonly position: number
  readonly surface: Surface
}

/** How one memory stands in two lists. Null: it is not in that list. */
export interface Difference {
  readonly memoryId: string
  readonly change: Change
  /** True: it stands before or behind another memory of both lists than it did. */
  readonly isReordered: boolean
  readonly before: Place | null
  readonly now: Place | null
}

/**
 * Every memory of either list, those of the first in its order, then the new ones in theirs. Complete: the list of now
 * is what `now` says, position by position. As few as possible count as reordered.
 */
export function differencesOf(before: readonly Listed[], now: readonly Listed[]): readonly Difference[] {
  const placesBefore = placesOf(before)
  const placesNow = placesOf(now)
  const shared = now.flatMap(({ memoryId }) => {
    const place = placesBefore.get(memoryId)
    return place === undefined ? [] : [{ memoryId, position: place.position }]
  })
  const rise = longestRise(shared.map(({ position }) => position))
  const kept = new Set(shared.filter((_, at) => rise.has(at)).map(({ memoryId }) => memoryId))
  const ids = [...new Set([...before, ...now].map(({ memoryId }) => memoryId))]
  return ids.map((memoryId) => {
    const past = placesBefore.get(memoryId) ?? null
    const present = placesNow.get(memoryId) ?? null
    const isReordered = past !== null && present !== null && !kept.has(memoryId)
    return { memoryId, change: changeOf(past, present, isReordered), isReordered, before: past, now: present }
  })
}

function changeOf(before: Place | null, now: Place | null, isReordered: boolean): Change {
  if (before === null) return 'newly_shown'
  if (now === null) return 'no_longer_shown'
  if (before.surface !== now.surface) return 'moved'
  return isReordered ? 'order_changed' : 'same'
}

function placesOf(list: readonly Listed[]): ReadonlyMap<string, Place> {
  return new Map(list.map(({ memoryId, surface }, position) => [memoryId, { position, surface }]))
}

/** What happened to a memory, or to one that it was derived from, between a guide and now. */
export type Happening =
  | { readonly kind: 'written_after'; readonly atMs: number; readonly seq: number }
  | { readonly kind: 'revised'; readonly atMs: number; readonly seq: number; readonly revision: number }
  | ({ readonly kind: 'facet_changed' } & FacetChange)
  | { readonly kind: 'derived_from_added'; readonly seq: number; readonly byMemoryId: string | null }
  | { readonly kind: 'erased'; readonly atMs: number; readonly seq: number }
  | { readonly kind: 'suppression_ended'; readonly atMs: number }
  | { readonly kind: 'expired'; readonly atMs: number }

/** Why the same query shows it elsewhere, no longer or only now, beside what happened to it. */
export const LIST_CAUSES = [
  ...OMITTED_REASONS,
  'fits_budget',
  'hold_out_ended',
  'stands_alone',
  'shown_again',
  'outranked',
  'not_recalled',
  'recalled',
  'rank_changed',
  'match_regraded',
  'disputed',
  'dispute_ended',
  'file_gone',
  'file_found',
] as const
export type ListCause = (typeof LIST_CAUSES)[number]

export interface Explained extends Difference {
  readonly causes: readonly (Happening & { readonly sourceMemoryId: string | null })[]
  readonly listCauses: readonly ListCause[]
  /** True: a memory keeps its last 64 changes and revisions, and older ones since the guide are gone. */
  readonly isCut: boolean
}

/** The two moments that are compared, and who compares them. */
export interface Span {
  readonly state: Pick<ActorState, 'memories' | 'relationsBySource' | 'erasures'>
  readonly viewer: Consumer
  readonly fromSeq: number
  readonly fromMs: number
  readonly toMs: number
}

/** Explains a difference by what the records hold. One without a difference needs no cause. */
export function explained(difference: Difference, span: Span, then: GuideDecision, now: GuideNow): Explained {
  const none = { ...difference, causes: [], listCauses: [], isCut: false }
  if (difference.change === 'same') return none
  const record = span.state.memories.get(difference.memoryId)
  if (record === undefined) return { ...none, listCauses: ['not_recalled'] }
  const erasure = erasureOf(record, span)
  if (erasure !== null) return { ...none, causes: [{ ...erasure, sourceMemoryId: null }] }
  const lineage = lineageOf(record, span)
  const causes = lineage.flatMap((source) => {
    const sourceMemoryId = source === record ? null : source.memoryId
    return happenings(source, span, sourceMemoryId !== null).map((one) => ({ ...one, sourceMemoryId }))
  })
  return {
    ...difference,
    causes,
    listCauses: listCausesOf(difference, then, now, isWrittenAfter(record, span.fromSeq)),
    isCut: lineage.some((source) => isCutSince(source, span.fromSeq)),
  }
}

/** Why a memory is shown now that was left out then. */
const ENDED = {
  budget: 'fits_budget',
  hold_out: 'hold_out_ended',
  folded: 'stands_alone',
  successor: 'stands_alone',
  same_text: 'stands_alone',
  not_related: 'stands_alone',
  shown_before: 'shown_again',
} as const satisfies Record<OmittedReason, ListCause>

function listCausesOf(
  { memoryId, change, isReordered }: Difference,
  then: GuideDecision,
  now: GuideNow,
  isNew: boolean,
): readonly ListCause[] {
  if (change === 'no_longer_shown') {
    const omitted = now.decision.omitted.find((row) => row.memoryId === memoryId)
    return [omitted?.omitted ?? (now.candidateIds.has(memoryId) ? 'outranked' : 'not_recalled')]
  }
  if (change === 'newly_shown') {
    const omitted = then.omitted.find((row) => row.memoryId === memoryId)
    if (omitted !== undefined) return [ENDED[omitted.omitted]]
    return isNew ? [] : ['recalled']
  }
  const causes: ListCause[] = isReordered ? ['rank_changed'] : []
  if (change !== 'moved') return causes
  const before = codesIn(then, memoryId)
  const after = codesIn(now.decision, memoryId)
  for (const [code, begun, ended] of OUTSIDE_CODES) {
    const isHeld = after.includes(code)
    if (isHeld === before.includes(code)) continue
    if (isHeld) causes.push(begun)
    else if (after.includes('clear') || begun === ended) causes.push(ended)
  }
  return causes
}

/**
 * Reason codes that come and go without a change of the memory, and what is said of either: a match is weak beside
 * better ones, and in a scope that is no longer small. One may go because another rule decides now: that is no end of it.
 */
const OUTSIDE_CODES = [
  ['weak_match', 'match_regraded', 'match_regraded'],
  ['said_anew', 'match_regraded', 'match_regraded'],
  ['disputed_by', 'disputed', 'dispute_ended'],
  ['file_gone', 'file_gone', 'file_found'],
] as const

function codesIn({ printed }: GuideDecision, memoryId: string): readonly string[] {
  const row = printed.find((each) => each.memoryId === memoryId)
  return row?.reasonCodes.map((code) => code.split(':', 1)[0] ?? code) ?? []
}

/** Everything since the guide that a gate or a ranking reads; of a source only what moves trust. */
function happenings(record: MemoryRecord, span: Span, isSource: boolean): readonly Happening[] {
  const found: Happening[] = []
  const { fromSeq, fromMs, toMs } = span
  if (isWrittenAfter(record, fromSeq)) {
    const first = record.revisions[0] ?? { atMs: record.updatedAtMs, seq: record.seq }
    found.push({ kind: 'written_after', atMs: first.atMs, seq: first.seq })
  }
  const { revision, updatedAtMs: atMs, seq } = record
  for (const one of [...record.revisions, { revision, atMs, seq }]) {
    if (one.revision === 1 || one.seq <= fromSeq) continue
    found.push({ kind: 'revised', atMs: one.atMs, seq: one.seq, revision: one.revision })
  }
  for (const change of record.changes) {
    if (change.seq <= fromSeq || (isSource && change.facet !== 'trust')) continue
    found.push({ kind: 'facet_changed', ...change, byMemoryId: seenCause(span, change) })
  }
  for (const relation of span.state.relationsBySource.get(record.memoryId) ?? []) {
    if (relation.seq <= fromSeq || relation.type !== 'derived_from' || !relation.effective) continue
    // A source that the viewer cannot see takes the trust too; that there is one is all that they learn.
    const byMemoryId = seenRecord(span, relation.dstId)?.memoryId ?? null
    found.push({ kind: 'derived_from_added', seq: relation.seq, byMemoryId })
  }
  const erasure = erasureOf(record, span)
  if (erasure !== null) found.push(erasure)
  if (isSource) return found
  const passed = (untilMs: number | null): untilMs is number =>
    untilMs !== null && untilMs > fromMs && untilMs <= toMs
  const untilMs = record.facets.suppression?.untilMs ?? null
  if (passed(untilMs)) found.push({ kind: 'suppression_ended', atMs: untilMs })
  const { validUntilMs, validity } = record.facets
  if (validity === 'live' && passed(validUntilMs)) found.push({ kind: 'expired', atMs: validUntilMs })
  return found
}

function erasureOf({ memoryId }: MemoryRecord, { state, fromSeq }: Span): Happening | null {
  const erasure = state.erasures.get(memoryId)
  if (erasure === undefined || erasure.seq <= fromSeq) return null
  return { kind: 'erased', atMs: erasure.atMs, seq: erasure.seq }
}

/** True: what the memory was at the turn, or what changed right after it, is kept no longer. */
export function isCutSince({ changes, revisions }: MemoryRecord, fromSeq: number): boolean {
  return isFullSince(changes, CHANGES_MAX, fromSeq) || isFullSince(revisions, REVISIONS_MAX, fromSeq)
}

/** The memory and what it was derived from, as far as the viewer sees: its trust is never more than theirs. */
function lineageOf(record: MemoryRecord, span: Span): readonly MemoryRecord[] {
  const found = new Set([record])
  for (const each of found) {
    for (const id of sourcesOf(span.state, each)) {
      const source = seenRecord(span, id)
      if (source !== null) found.add(source)
      if (found.size >= LINEAGE_MAX) return [...found]
    }
  }
  return [...found]
}

const LINEAGE_MAX = 64
