/** A timer of more ends at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1

/** Of anything else, such as NaN, a timer ends at once as well. */
export function isTimeLimit(ms: unknown): boolean {
  return typeof ms === 'number' && ms > 0
}

/** What to give instead. */
export const TIME_LIMIT = 'give milliseconds above 0.'
