import fc from 'fast-check'
import { expect, test } from 'vitest'
import { successShare } from '../../src/core/measure/metrics.ts'
import { COUNTED_HOURS, RuleCounts } from '../../src/core/model/rule-counts.ts'
import { prove } from '../support/prove.ts'

const HOUR_MS = 3_600_000
const RULES = ['S10', 'S1', 'S5']
const decision = fc.record({
  hour: fc.integer({ min: 0, max: 3 * COUNTED_HOURS }),
  rules: fc.array(fc.nat({ max: 2 }), { maxLength: 9 }),
})

/** Every decision, added up in the plainest form. */
function totalsOf(decisions: readonly { readonly rules: readonly number[] }[]): object {
  const totals: Record<string, number> = {}
  for (const { rules } of decisions) {
    for (const place of rules) totals[RULES[place] ?? ''] = (totals[RULES[place] ?? ''] ?? 0) + 1
  }
  return totals
}

test('counts of the newest hours are kept apart, all others added up, and none is lost', () => {
  prove(fc.array(decision, { maxLength: 60 }), (decisions) => {
    let counts = new RuleCounts()
    for (const [at, { hour, rules }] of decisions.entries()) {
      counts.add(hour * HOUR_MS + at, { words: RULES, rules })
      // A snapshot and a load in between change nothing.
      if (at % 7 === 3) counts = RuleCounts.from(counts.rows())
    }
    const rows = counts.rows()
    const told = rows.flatMap(([, rules, numbers]) =>
      rules.map((rule, at) => ({ rules: Array<number>(numbers[at] ?? 0).fill(RULES.indexOf(rule)) })),
    )
    expect(totalsOf(told)).toEqual(totalsOf(decisions))
    const hours = rows.flatMap(([hour]) => hour ?? [])
    expect(hours).toEqual([...new Set(hours)].sort((a, b) => a - b))
    const newest = hours.at(-1) ?? 0
    expect(hours.filter((hour) => hour <= newest - COUNTED_HOURS)).toEqual([])
    const apart = decisions.filter(({ hour, rules }) => hour === newest && rules.length > 0)
    const last = rows.find(([hour]) => hour === newest)
    expect(last?.[2].reduce((sum, count) => sum + count, 0) ?? 0).toBe(
      apart.reduce((sum, { rules }) => sum + rules.length, 0),
    )
  })
})

test('a success share lies in its interval, which closes in with runs', () => {
  prove(fc.nat({ max: 200 }), fc.nat({ max: 200 }), (a, b) => {
    const [succeeded, runs] = [Math.min(a, b), Math.max(a, b)]
    const { share, interval } = successShare(succeeded, runs)
    if (share === null || interval === null) return runs === 0
    const wider = successShare(succeeded, runs).interval
    const closer = successShare(succeeded * 10, runs * 10).interval
    if (wider === null || closer === null) return false
    const width = ({ low, high }: { low: number; high: number }) => high - low
    return interval.low <= share && share <= interval.high && width(closer) < width(wider)
  })
  expect(successShare(0, 0)).toEqual({ runs: 0, succeeded: 0, share: null, interval: null })
})
