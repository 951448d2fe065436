import type { Surface } from '../base/closed-sets.ts'

interface Surfaced {
  readonly surface: Surface
}

/** Whether what is ranked behind these could not be among the first `limit`: see `selectWithin`. */
export function fillsLimit(ranked: readonly Surfaced[], limit: number): boolean {
  const warnings = ranked.filter(({ surface }) => surface === 'do_not_use').length
  return ranked.length - warnings + Math.min(warnings, Math.floor(limit / 2)) >= limit
}

/**
 * The first `limit` of ranked candidates, at most half of them warnings unless there is nothing else to show.
 * Keeps the order; a larger limit never takes a non-warning away. Takes no more from `ranked` than it must see.
 */
export function selectWithin<T extends Surfaced>(ranked: Iterable<T>, limit: number): readonly T[] {
  const warningsMax = Math.floor(limit / 2)
  const seen: T[] = []
  let passedOver = 0
  let warnings = 0
  for (const entry of ranked) {
    if (seen.length - passedOver === limit) break
    seen.push(entry)
    if (entry.surface !== 'do_not_use') continue
    if (warnings === warningsMax) passedOver += 1
    else warnings += 1
  }
  // The first warnings are chosen; of those passed over as many as there is room for.
  let left = warnings + limit - (seen.length - passedOver)
  return seen.filter((entry) => {
    if (entry.surface !== 'do_not_use') return true
    left -= 1
    return left >= 0
  })
}
