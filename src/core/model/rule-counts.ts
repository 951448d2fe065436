/** Hours of which the counts are kept apart; older ones are added up. */
export const COUNTED_HOURS = 168
const HOUR_MS = 3_600_000

/** Decisions of one hour since the epoch, or, as null, of all hours that are kept apart no longer: rules by id, and how often. */
export type RuleCountRow = readonly [hour: number | null, rules: readonly string[], counts: readonly number[]]

/** What a guide decided: places in `words`, one for each memory. */
interface DecidedRules {
  readonly words: readonly string[]
  readonly rules: readonly number[]
}

type Counts = Map<string, number>

/** How often each surface rule decided about a memory in a guide. Bounded: so many hours, and the rules that there are. */
export class RuleCounts {
  readonly #hours = new Map<number, Counts>()
  readonly #older: Counts = new Map()
  #newestHour = Number.NEGATIVE_INFINITY

  /** The counts that gave the rows. */
  static from(rows: readonly RuleCountRow[]): RuleCounts {
    const counts = new RuleCounts()
    for (const [hour, rules, numbers] of rows) {
      const of = counts.#ofHour(hour)
      for (const [at, rule] of rules.entries()) of.set(rule, numbers[at] ?? 0)
    }
    return counts
  }

  add(atMs: number, { words, rules }: DecidedRules): void {
    if (rules.length === 0) return
    const of = this.#ofHour(hourOf(atMs))
    // Memories of a rule mostly stand beside each other: one look for all of them.
    let from = 0
    for (let at = 1; at <= rules.length; at += 1) {
      const place = rules[from] ?? -1
      if (at < rules.length && rules[at] === place) continue
      const rule = words[place] ?? ''
      of.set(rule, (of.get(rule) ?? 0) + at - from)
      from = at
    }
  }

  /** In the order of hours, those that were added up first. */
  rows(): readonly RuleCountRow[] {
    const hours = [...this.#hours].sort(([a], [b]) => a - b)
    const rows = hours.map(([hour, counts]) => rowOf(hour, counts))
    return this.#older.size === 0 ? rows : [rowOf(null, this.#older), ...rows]
  }

  /** A clock that was set back far counts for the hours that are added up. */
  #ofHour(hour: number | null): Counts {
    if (hour === null || hour <= this.#newestHour - COUNTED_HOURS) return this.#older
    const known = this.#hours.get(hour)
    if (known !== undefined) return known
    const made: Counts = new Map()
    this.#hours.set(hour, made)
    if (hour > this.#newestHour) this.#beginHour(hour)
    return made
  }

  #beginHour(hour: number): void {
    this.#newestHour = hour
    for (const [old, counts] of this.#hours) {
      if (old > hour - COUNTED_HOURS) continue
      for (const [rule, count] of counts) this.#older.set(rule, (this.#older.get(rule) ?? 0) + count)
      this.#hours.delete(old)
    }
  }
}

function rowOf(hour: number | null, counts: Counts): RuleCountRow {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return [hour, sorted.map(([rule]) => rule), sorted.map(([, count]) => count)]
}

/** The hour since the epoch that a time lies in. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS)
}

/** The beginning of an hour of a row, in milliseconds since the epoch. */
export function hourMsOf(hour: number): number {
  return hour * HOUR_MS
}
