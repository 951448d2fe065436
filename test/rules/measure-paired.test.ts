import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHANGED_PAIRS_MIN,
  type OutcomeRun,
  PAIRS_MIN,
  pairedOutcomes,
  randomOf,
} from '../../src/core/measure/paired-outcomes.ts'
import { proving } from '../support/prove.ts'

const prove = proving(60)

const pair = (task: number, guided: boolean, without: boolean): readonly OutcomeRun[] => [
  { taskKey: `t${task}`, arm: 'guided', isSuccess: guided },
  { taskKey: `t${task}`, arm: 'without_memory', isSuccess: without },
]
const pairs = (outcomes: readonly (readonly [boolean, boolean])[]): readonly OutcomeRun[] =>
  outcomes.flatMap(([guided, without], task) => pair(task, guided, without))
const repeat = (count: number, outcome: readonly [boolean, boolean]) =>
  Array.from({ length: count }, () => outcome)

const anyRuns: fc.Arbitrary<readonly OutcomeRun[]> = fc.array(
  fc.record({
    taskKey: fc.integer({ min: 0, max: 14 }).map((task) => `t${task}`),
    arm: fc.constantFrom('guided' as const, 'without_memory' as const),
    isSuccess: fc.boolean(),
  }),
  { maxLength: 80 },
)
const swapped = (runs: readonly OutcomeRun[]): readonly OutcomeRun[] =>
  runs.map((run) => ({ ...run, arm: run.arm === 'guided' ? 'without_memory' : 'guided' }))

describe('paired outcomes', () => {
  test('M14: help and harm are counted apart, and their difference is the difference', () => {
    // 20 tasks: 9 only with memory, 1 only without, 10 alike (7 both, 3 neither).
    const seen = pairedOutcomes(
      pairs([
        ...repeat(9, [true, false]),
        [false, true],
        ...repeat(7, [true, true]),
        ...repeat(3, [false, false]),
      ]),
      randomOf(7),
    )
    expect(seen).toMatchObject({
      pair_count: 20,
      guided_run_count: 20,
      without_memory_run_count: 20,
      unpaired_run_count: 0,
      // 16 of 20, 8 of 20
      guided_success_rate: 0.8,
      without_memory_success_rate: 0.4,
      // 9/20 - 1/20
      difference: 0.4,
      help_rate: 0.45,
      harm_rate: 0.05,
      helped_pair_count: 9,
      harmed_pair_count: 1,
      direction: 'positive',
    })
    expect(seen.interval?.low).toBeGreaterThan(0)
    expect(seen.interval?.high).toBeLessThan(0.7)
  })

  test('a task counts once however many runs it has, with its rates', () => {
    // t0: 2 of 4 with memory, 0 of 1 without: .5; t1: 1 of 1 and 1 of 2: .5
    const seen = pairedOutcomes(
      [
        ...[true, true, false, false].map((isSuccess) => ({
          taskKey: 't0',
          arm: 'guided' as const,
          isSuccess,
        })),
        { taskKey: 't0', arm: 'without_memory', isSuccess: false },
        { taskKey: 't1', arm: 'guided', isSuccess: true },
        { taskKey: 't1', arm: 'without_memory', isSuccess: true },
        { taskKey: 't1', arm: 'without_memory', isSuccess: false },
        { taskKey: 't2', arm: 'guided', isSuccess: true },
      ],
      randomOf(1),
    )
    expect(seen).toMatchObject({
      pair_count: 2,
      difference: 0.5,
      guided_run_count: 5,
      without_memory_run_count: 3,
      unpaired_run_count: 1,
    })
  })

  test('M14: below the minimum nothing is claimed, at the minimum it may be', () => {
    const few = pairedOutcomes(pairs(repeat(PAIRS_MIN - 1, [true, false])), randomOf(1))
    expect(few).toMatchObject({ direction: 'insufficient_evidence', interval: null, difference: 1 })
    const enough = pairedOutcomes(pairs(repeat(PAIRS_MIN, [true, false])), randomOf(1))
    expect(enough).toMatchObject({ direction: 'positive', interval: { low: 1, high: 1 } })
    expect(pairedOutcomes([], randomOf(1))).toMatchObject({
      pair_count: 0,
      difference: null,
      help_rate: null,
    })
  })

  test('a few tasks that changed show nothing, although their interval lies above 0', () => {
    const outcomes = (changed: number) =>
      pairs([...repeat(changed, [true, false]), ...repeat(10 - changed, [true, true])])
    const five = pairedOutcomes(outcomes(CHANGED_PAIRS_MIN - 1), randomOf(1))
    expect(five.interval?.low).toBeGreaterThan(0)
    expect(five.direction).toBe('neutral')
    expect(pairedOutcomes(outcomes(CHANGED_PAIRS_MIN), randomOf(1)).direction).toBe('positive')
  })

  test('one lucky task among many shows nothing', () => {
    const seen = pairedOutcomes(pairs([[true, false], ...repeat(14, [true, true])]), randomOf(3))
    expect(seen.direction).toBe('neutral')
    expect(seen.interval?.low).toBe(0)
  })

  test('the interval covers the difference it was drawn from in about 95 of 100 samples', () => {
    // 40 pairs each, memory wins with .5 and loses with .2: the true difference is .3.
    const random = randomOf(11)
    const samples = 200
    let covered = 0
    for (let sample = 0; sample < samples; sample += 1) {
      const outcomes = Array.from({ length: 40 }, (): readonly [boolean, boolean] => {
        const draw = random()
        if (draw < 0.5) return [true, false]
        return draw < 0.7 ? [false, true] : [true, true]
      })
      const { interval } = pairedOutcomes(pairs(outcomes), random)
      if (interval !== null && interval.low <= 0.3 && interval.high >= 0.3) covered += 1
    }
    expect(covered / samples).toBeGreaterThan(0.89)
    expect(covered / samples).toBeLessThanOrEqual(1)
  })

  test('M14: swapping the arms turns every number round', () => {
    prove(anyRuns, fc.nat(), (runs, seed) => {
      const one = pairedOutcomes(runs, randomOf(seed))
      const other = pairedOutcomes(swapped(runs), randomOf(seed))
      expect(other.difference).toBe(one.difference === null ? null : 0 - one.difference)
      expect([other.help_rate, other.harm_rate]).toEqual([one.harm_rate, one.help_rate])
      expect(other.interval).toEqual(
        one.interval === null ? null : { low: 0 - one.interval.high, high: 0 - one.interval.low },
      )
      const turned = { positive: 'negative', negative: 'positive' } as Record<string, string>
      expect(other.direction).toBe(turned[one.direction] ?? one.direction)
    })
  })

  test('rates stay shares, the interval is in order, and the order of the runs does not matter to the counts', () => {
    prove(anyRuns, fc.nat(), (runs, seed) => {
      const seen = pairedOutcomes(runs, randomOf(seed))
      for (const rate of [seen.guided_success_rate, seen.help_rate, seen.harm_rate]) {
        expect(rate ?? 0).toBeGreaterThanOrEqual(0)
        expect(rate ?? 0).toBeLessThanOrEqual(1)
      }
      if (seen.interval !== null) expect(seen.interval.low).toBeLessThanOrEqual(seen.interval.high)
      expect(seen.guided_run_count + seen.without_memory_run_count + seen.unpaired_run_count).toBe(
        runs.length,
      )
      const { interval: _, direction: __, ...counts } = pairedOutcomes(runs.toReversed(), randomOf(seed))
      expect(seen).toMatchObject(counts)
    })
  })
})
