import type { Surface } from '../closed-sets.ts'

interface Surfaced {
  readonly surface: Surface
}

/**
 * The first `limit` of ranked candidates, at most half of them warnings unless there is nothing else to show.
 * Keeps the order; a larger limit never takes a non-warning away. Takes no more from `ranked` than it must see.
 */
export function selectWithin<T extends Surfaced>(ranked: Iterable<T>, limit: number): readonly T[] {
  const warningsMax = Math.floor(limit / 2)
  const seen: T[] = []
  const chosen = new Set<T>()
  let warnings = 0
  for (const entry of ranked) {
    if (chosen.size === limit) break
    seen.push(entry)
    if (entry.surface === 'do_not_use') {
      if (warnings === warningsMax) continue
      warnings += 1
    }
    chosen.add(entry)
  }
  for (const entry of seen) {
    if (chosen.size === limit) break
    chosen.add(entry)
  }
  return seen.filter((entry) => chosen.has(entry))
}
