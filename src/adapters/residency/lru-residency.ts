import { LRUCache } from 'lru-cache'
import type { Residency } from '../../ports/residency.ts'

export interface ResidencyBounds {
  readonly countMax: number
  readonly weightBytesMax: number
}

interface Entry<Value> {
  value: Value
  weightBytes: number
}

/** Keeps order of use and weights in an lru-cache that is never allowed to evict by itself. */
export function lruResidency<Value>(bounds: ResidencyBounds): Residency<Value> {
  // lru-cache insists on a bound of its own; this one cannot be reached. It also refuses a size of 0, so that
  // weights are summed here and every entry counts as 1 there.
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: () => 1,
  })
  /** What was held without being used, in the order in which it came. */
  const cold = new Map<string, Entry<Value>>()
  let totalBytes = 0

  const entryOf = (key: string): Entry<Value> | undefined => cold.get(key) ?? entries.peek(key)

  function used(key: string): Entry<Value> | undefined {
    const entry = cold.get(key)
    if (entry === undefined) return entries.get(key)
    cold.delete(key)
    entries.set(key, entry)
    return entry
  }

  function* coldestFirst(): Generator<string> {
    yield* cold.keys()
    yield* entries.rkeys()
  }

  return {
    get: (key) => used(key)?.value,
    peek: (key) => entryOf(key)?.value,
    set(key, value, weightBytes) {
      totalBytes += weightBytes - (entryOf(key)?.weightBytes ?? 0)
      cold.delete(key)
      entries.set(key, { value, weightBytes })
    },
    setColdest(key, value, weightBytes) {
      totalBytes += weightBytes - (entryOf(key)?.weightBytes ?? 0)
      const held = entries.peek(key)
      if (held === undefined) cold.set(key, { value, weightBytes })
      else Object.assign(held, { value, weightBytes })
    },
    touch(key, weightBytes) {
      const entry = used(key)
      if (entry === undefined) return false
      totalBytes += (weightBytes ?? entry.weightBytes) - entry.weightBytes
      entry.weightBytes = weightBytes ?? entry.weightBytes
      return true
    },
    delete(key) {
      totalBytes -= entryOf(key)?.weightBytes ?? 0
      return cold.delete(key) || entries.delete(key)
    },
    overflow(isPinned = () => false) {
      let count = cold.size + entries.size
      let weightBytes = totalBytes
      if (count <= bounds.countMax && weightBytes <= bounds.weightBytesMax) return []
      const leaving: string[] = []
      for (const key of coldestFirst()) {
        if (count <= bounds.countMax && weightBytes <= bounds.weightBytesMax) break
        if (isPinned(key)) continue
        leaving.push(key)
        count -= 1
        weightBytes -= entryOf(key)?.weightBytes ?? 0
      }
      return leaving
    },
    keys: coldestFirst,
    count: () => cold.size + entries.size,
    weightBytes: () => totalBytes,
  }
}
