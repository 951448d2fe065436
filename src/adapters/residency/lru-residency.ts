import type { Residency } from '../../ports/residency.ts'

export interface ResidencyBounds {
  readonly countMax: number
  readonly weightBytesMax: number
}

interface Entry<Value> {
  value: Value
  weightBytes: number
}

/** Keeps order of use and weights; what has to leave it only says. */
export function lruResidency<Value>(bounds: ResidencyBounds): Residency<Value> {
  /** What was used last is last. */
  const entries = new Map<string, Entry<Value>>()
  /** What was held without being used, in the order in which it came. */
  const cold = new Map<string, Entry<Value>>()
  let totalBytes = 0

  const entryOf = (key: string): Entry<Value> | undefined => cold.get(key) ?? entries.get(key)

  function move(key: string, entry: Entry<Value>): void {
    cold.delete(key)
    entries.delete(key)
    entries.set(key, entry)
  }

  function used(key: string): Entry<Value> | undefined {
    const entry = entryOf(key)
    if (entry !== undefined) move(key, entry)
    return entry
  }

  function* coldestFirst(): Generator<string> {
    yield* cold.keys()
    yield* entries.keys()
  }

  return {
    get: (key) => used(key)?.value,
    peek: (key) => entryOf(key)?.value,
    set(key, value, weightBytes) {
      totalBytes += weightBytes - (entryOf(key)?.weightBytes ?? 0)
      move(key, { value, weightBytes })
    },
    setColdest(key, value, weightBytes) {
      totalBytes += weightBytes - (entryOf(key)?.weightBytes ?? 0)
      const held = entries.get(key)
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
