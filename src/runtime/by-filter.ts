import type { Actor, Decided } from '../actor/actor.ts'
import { yieldToLoop } from '../actor/yield-to-loop.ts'
import { FILTERED_LISTED_MAX, FILTERED_MAX } from '../contract/by-filter.ts'
import type { AnswerOf } from '../contract/operations.ts'
import type { MemoryRecord } from '../core/model/record.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Viewer } from '../core/model/visibility.ts'
import { listedOn, type MemoryFilter, type MemoryWalk } from '../core/report/memory-list.ts'

/** What one turn may spend on looking, in units of looking at one memory, and how many memories it may act on. */
const SLICE_UNITS = 2_000
const SLICE_MEMORIES = 50

/** Memories to act on, and what is done with each piece of them. */
export interface ByFilter {
  readonly filter: MemoryFilter
  readonly viewer: Viewer
  readonly isDryRun: boolean
  /** False for what is already as it is asked for. */
  readonly isDue: (state: ActorState, record: MemoryRecord, nowMs: number) => boolean
  /** The reply is how many of them changed. */
  readonly act: (state: ActorState, memoryIds: readonly string[], nowMs: number) => Decided<number>
}

export type FilteredEffect = NonNullable<AnswerOf<'forget'>['filter_effect']>

/**
 * Acts on what a filter finds, the newest first, in turns of their own: others are served between them, and what they
 * write is not met. Cut off, it has done what it has done: a repeat finds the rest.
 */
export async function actByFilter(
  actor: Actor,
  asked: ByFilter,
  principalId: string | null,
): Promise<FilteredEffect> {
  const { isDryRun } = asked
  const matchedIds: string[] = []
  let matchedCount = 0
  let changedCount = 0
  let walk: MemoryWalk | null = null
  do {
    if (walk !== null) await yieldToLoop()
    const piece: Piece = await nextPiece(actor, asked, walk, FILTERED_MAX + 1 - matchedCount, principalId)
    walk = piece.walk
    matchedCount += piece.memoryIds.length
    changedCount += piece.changedCount
    matchedIds.push(...piece.memoryIds.slice(0, FILTERED_LISTED_MAX - matchedIds.length))
  } while (walk.slot >= 0 && matchedCount <= FILTERED_MAX)
  return {
    dry_run: isDryRun,
    matched_count: Math.min(matchedCount, FILTERED_MAX),
    changed_count: changedCount,
    memory_ids: matchedIds,
    more: matchedCount > FILTERED_MAX,
  }
}

interface Piece {
  readonly walk: MemoryWalk
  readonly memoryIds: readonly string[]
  readonly changedCount: number
}

/** @param left one more than may still be acted on: the last one only tells that there are more */
function nextPiece(
  actor: Actor,
  { filter, viewer, isDryRun, isDue, act }: ByFilter,
  before: MemoryWalk | null,
  left: number,
  principalId: string | null,
): Promise<Piece> {
  return actor.turnInSlices(function* (state, nowMs) {
    yield
    const walk = { slot: before?.slot ?? state.records.length - 1, allowance: SLICE_UNITS }
    const found = listedOn({ state, viewer, nowMs }, filter, walk, Math.min(SLICE_MEMORIES, left))
    const due = found.filter(({ record }) => isDue(state, record, nowMs))
    const memoryIds = due.map(({ record }) => record.memoryId)
    const acted = due.length === left ? memoryIds.slice(0, -1) : memoryIds
    if (isDryRun || acted.length === 0) return { events: [], reply: { walk, memoryIds, changedCount: 0 } }
    yield
    const { events, reply: changedCount } = act(state, acted, nowMs)
    return { events, reply: { walk, memoryIds, changedCount } }
  }, principalId)
}
