/**
 * Memories that recall found by text, best first, as parallel lists: of some hundred a guide shows a few dozen, and
 * only those become objects.
 */
export interface TextHits {
  /** Slots of the memories in their actor; -1: replaced since it was found. */
  readonly slots: ArrayLike<number>
  readonly scores: ArrayLike<number>
  /** Shares of the query's weight that the memories match, 0–1. */
  readonly coverage: ArrayLike<number>
  /** Terms of the query that they hold. */
  readonly matchedTerms: ArrayLike<number>
  /** HIT_EXACT, HIT_ABOVE_FLOOR. */
  readonly flags: ArrayLike<number>
}

/** It holds an exact identifier that the query names. */
export const HIT_EXACT = 1
/** On its own it shows that the memory is about what is asked. */
export const HIT_ABOVE_FLOOR = 2

/** How one of the hits was found. */
export interface TextHit {
  readonly isExact: boolean
  readonly isAboveFloor: boolean
}

/** The hit at a place. */
export function hitAt({ flags }: TextHits, at: number): TextHit {
  const bits = flags[at] ?? 0
  return { isExact: (bits & HIT_EXACT) !== 0, isAboveFloor: (bits & HIT_ABOVE_FLOOR) !== 0 }
}
