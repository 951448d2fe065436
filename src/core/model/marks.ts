import type { CounterChange, Counters } from './record.ts'

export const NO_COUNTS: Counters = {
  positive: 0,
  negativeWeak: 0,
  negativeStrong: 0,
  neutral: 0,
  observedPositive: 0,
}

export function counted(counters: Counters, counts: CounterChange): Counters {
  return {
    positive: counters.positive + (counts.positive ?? 0),
    negativeWeak: counters.negativeWeak + (counts.negativeWeak ?? 0),
    negativeStrong: counters.negativeStrong + (counts.negativeStrong ?? 0),
    neutral: counters.neutral + (counts.neutral ?? 0),
    observedPositive: counters.observedPositive + (counts.observedPositive ?? 0),
  }
}

/** With one more entry, and without the oldest above `max`. */
export function appended<T>(list: readonly T[], entry: T, max: number): readonly T[] {
  return list.length < max ? [...list, entry] : [...list.slice(list.length - max + 1), entry]
}
