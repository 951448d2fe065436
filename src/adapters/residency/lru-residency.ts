import { LRUCache } from 'lru-cache'
import type { Residency } from '../../ports/residency.ts'

export interface ResidencyBounds {
  readonly countMax: number
  readonly weightBytesMax: number
}

interface Entry<Value> {
  readonly value: Value
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
  let totalBytes = 0

  function put(key: string, value: Value, weightBytes: number): void {
    totalBytes += weightBytes - (entries.peek(key)?.weightBytes ?? 0)
    entries.set(key, { value, weightBytes })
  }

  return {
    get: (key) => entries.get(key)?.value,
    peek: (key) => entries.peek(key)?.value,
    set: put,
    touch(key, weightBytes) {
      const entry = entries.get(key)
      if (entry === undefined) return false
      if (weightBytes !== undefined) {
        totalBytes += weightBytes - entry.weightBytes
        entry.weightBytes = weightBytes
      }
      return true
    },
    delete(key) {
      totalBytes -= entries.peek(key)?.weightBytes ?? 0
      return entries.delete(key)
    },
    overflow(isPinned = () => false) {
      let count = entries.size
      let weightBytes = totalBytes
      if (count <= bounds.countMax && weightBytes <= bounds.weightBytesMax) return []
      const leaving: string[] = []
      for (const key of entries.rkeys()) {
        if (count <= bounds.countMax && weightBytes <= bounds.weightBytesMax) break
        if (isPinned(key)) continue
        leaving.push(key)
        count -= 1
        weightBytes -= entries.peek(key)?.weightBytes ?? 0
      }
      return leaving
    },
    keys: () => entries.rkeys(),
    count: () => entries.size,
    weightBytes: () => totalBytes,
  }
}
