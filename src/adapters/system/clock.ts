import type { Clock } from '../../ports/clock.ts'

/** The wall clock of the machine. */
export function systemClock(): Clock {
  return { nowMs: () => Date.now() }
}
