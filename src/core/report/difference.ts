import type { Surface } from '../base/closed-sets.ts'

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
  const kept = keptInOrder(
    now.flatMap(({ memoryId }) => {
      const place = placesBefore.get(memoryId)
      return place === undefined ? [] : [{ memoryId, position: place.position }]
    }),
  )
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

/** Ids of a longest run of rising positions. Quadratic: a guide shows at most 200. */
function keptInOrder(
  list: readonly { readonly memoryId: string; readonly position: number }[],
): ReadonlySet<string> {
  const lengths: number[] = []
  const previous: number[] = []
  let best = -1
  for (const [at, { position }] of list.entries()) {
    let length = 1
    let before = -1
    for (let earlier = 0; earlier < at; earlier++) {
      const reached = (lengths[earlier] ?? 0) + 1
      if ((list[earlier]?.position ?? position) < position && reached > length) {
        length = reached
        before = earlier
      }
    }
    lengths.push(length)
    previous.push(before)
    if (length > (lengths[best] ?? 0)) best = at
  }
  const kept = new Set<string>()
  for (let at = best; at !== -1; at = previous[at] ?? -1) kept.add(list[at]?.memoryId ?? '')
  return kept
}
