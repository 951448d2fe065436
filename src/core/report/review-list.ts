import type { LifecycleState } from '../base/closed-sets.ts'
import { type DisputeSide, disputesOf } from '../model/dispute.ts'
import { type Cause, lifecycleStateAt } from '../model/lifecycle.ts'
import type { MemoryRecord } from '../model/record.ts'
import { canSee } from '../model/visibility.ts'
import type { ReportView } from './viewer.ts'

/** Why something waits for a person. */
export const REVIEW_KINDS = ['dispute', 'contested', 'incident', 'demoted', 'candidate', 'skill'] as const
export type ReviewKind = (typeof REVIEW_KINDS)[number]

/** A memory that waits for a person. */
export type WaitingMemory =
  | {
      readonly kind: 'dispute'
      /** The one that was written later. */
      readonly record: MemoryRecord
      readonly other: MemoryRecord
      /** As the later one has it. */
      readonly side: DisputeSide
    }
  | { readonly kind: OwnKind; readonly record: MemoryRecord }

/** Kinds of one memory alone. */
type OwnKind = Exclude<ReviewKind, 'dispute' | 'skill'>

interface OwnReason {
  readonly kind: OwnKind
  readonly holds: (record: MemoryRecord, state: LifecycleState) => boolean
}

/** Each memory waits once: for the first reason that holds, or for the one that is asked for. */
const OWN_REASONS: readonly OwnReason[] = [
  { kind: 'contested', holds: (_record, state) => state === 'contested' },
  { kind: 'incident', holds: (record, state) => state === 'failed' && isByReports(record) },
  {
    kind: 'candidate',
    holds: ({ findings }, state) =>
      state === 'candidate' || (findings.length > 0 && (state === 'active' || state === 'demoted')),
  },
  { kind: 'demoted', holds: (record, state) => state === 'demoted' && isByReports(record) },
]

/** Whether runs brought a memory to its standing. What its writer declared is no exception. */
function isByReports({ changes }: MemoryRecord): boolean {
  const last = changes.findLast(({ facet }) => facet === 'standing')
  return last !== undefined && last.cause !== DECLARED
}

const DECLARED: Cause = 'declared'

/** Which of the things that wait is told first. */
export const REVIEW_ORDERS = ['newest', 'oldest'] as const
export type ReviewOrder = (typeof REVIEW_ORDERS)[number]

/** The slot of a walk that is at its end. */
export const WALKED = -1

/** Where a walk over memories goes on. */
export interface ReviewWalk {
  readonly order: ReviewOrder
  slot: number
  /** Of what waits because of this memory, places below it are told: a count would skip what follows one that was settled. */
  told: number
  /** Memories that may still be looked at before others are served. */
  allowance: number
}

/** Goes on with a walk until `wanted` are found, the allowance is used up, or nothing is left. */
export function waitingOn(
  view: ReportView,
  kind: ReviewKind | null,
  walk: ReviewWalk,
  wanted: number,
): readonly WaitingMemory[] {
  const found: WaitingMemory[] = []
  while (walk.slot !== WALKED && walk.allowance > 0 && found.length < wanted) {
    walk.allowance -= 1
    const record = view.state.records[walk.slot]
    const waiting = record === undefined ? NOTHING : waitingFor(view, record, kind)
    const rest = waiting.filter((each) => placeOf(each) >= walk.told)
    const told = rest.slice(0, wanted - found.length)
    found.push(...told)
    const last = told.at(-1)
    if (last !== undefined && told.length < rest.length) {
      walk.told = placeOf(last) + 1
      break
    }
    walk.slot = slotAfter(view, walk)
    walk.told = 0
  }
  return found
}

/** A dispute has that of its other memory, which was written before; what waits for the memory alone comes last. */
function placeOf(waiting: WaitingMemory): number {
  return waiting.kind === 'dispute' ? waiting.other.slot : waiting.record.slot
}

function slotAfter({ state }: ReportView, { order, slot }: ReviewWalk): number {
  if (order === 'newest') return slot - 1
  return slot + 1 < state.records.length ? slot + 1 : WALKED
}

const NOTHING: readonly WaitingMemory[] = []

/** A dispute is told with the memory that was written later, so that it is met once. */
function waitingFor(
  view: ReportView,
  record: MemoryRecord,
  kind: ReviewKind | null,
): readonly WaitingMemory[] {
  const { state, viewer, nowMs } = view
  const lifecycle = lifecycleStateAt(record.facets, nowMs)
  // Nearly every memory: lists go through all of them.
  if (lifecycle === 'active' && record.findings.length === 0 && state.disputes.size === 0) return NOTHING
  if (!canSee(viewer, record) || state.erasures.has(record.memoryId)) return NOTHING
  const waiting: WaitingMemory[] = []
  if (kind === null || kind === 'dispute') {
    for (const side of disputesOf(state, record, nowMs, viewer)) {
      const other = state.memories.get(side.memoryId)
      if (other !== undefined && other.slot < record.slot)
        waiting.push({ kind: 'dispute', record, other, side })
    }
  }
  const own = OWN_REASONS.find(
    (reason) => (kind === null || kind === reason.kind) && reason.holds(record, lifecycle),
  )
  if (own !== undefined) waiting.push({ kind: own.kind, record })
  return waiting.sort((a, b) => placeOf(a) - placeOf(b))
}
