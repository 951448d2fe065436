import { assert } from '../base/assert.ts'
import type { MemoryRecord } from './record.ts'
import { type ActorState, audienceClassOf, takeKeys } from './state.ts'

/**
 * Takes erased memories out of every lookup but that of their client ids. Costs at most one pass over the lists that they
 * are in, which may be of a million others.
 */
export function unlinkRecords(state: ActorState, records: readonly MemoryRecord[]): void {
  const lists = new Set([state.handoffs, state.claims, state.standingMemories])
  for (const record of records) {
    takeKeys(state, record, null)
    const group = audienceClassOf(state, record.audience)
    state.runLines.leave(group.number, record.slot)
    state.columns.remove(record.slot)
    lists.add(group.memoryIds)
  }
  for (const list of lists) takeOut(state, list, records)
}

/** Takes those of the records out of a list that are in it; the order of the rest stays. */
function takeOut(state: ActorState, list: string[], records: readonly MemoryRecord[]): void {
  const places = records.map((record) => placeOf(state, list, record)).filter((place) => place >= 0)
  const [first] = places.sort((a, b) => a - b)
  if (first === undefined) return
  let to = first
  for (let from = first, taken = 0; from < list.length; from += 1) {
    if (from === places[taken]) {
      taken += 1
      continue
    }
    const kept = list[from]
    assert(kept !== undefined, 'a list of memories has no holes')
    list[to] = kept
    to += 1
  }
  list.length = to
}

/** Where a memory is in a list, which is in the order of slots; -1: nowhere. */
function placeOf(state: ActorState, list: readonly string[], { memoryId, slot }: MemoryRecord): number {
  let low = 0
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >>> 1
    if (slotOf(state, list[middle]) < slot) low = middle + 1
    else high = middle
  }
  return list[low] === memoryId ? low : -1
}

function slotOf(state: ActorState, memoryId: string | undefined): number {
  return state.memories.get(memoryId ?? '')?.slot ?? -1
}
