import type { ImpactDirection } from './kernel-report.ts'
import { meanOf, rounded } from './metrics.ts'

/** Fewer pairs than this show nothing. */
export const PAIRS_MIN = 10
/** Fewer tasks than this with another outcome are chance: 6 of 6 one way is the first that a sign test sees at 5 %. */
export const CHANGED_PAIRS_MIN = 6
const RESAMPLES = 2000
/** Left out at each end of the resampled differences: what remains is a 95 % interval. */
const TAIL_SHARE = 0.025

/** One finished run of a task. */
export interface OutcomeRun {
  /** What the runs of one task share, for example its task signature and input. */
  readonly taskKey: string
  /** Whether memory was given, or withheld or absent. */
  readonly arm: 'guided' | 'without_memory'
  readonly isSuccess: boolean
}

export type PairedOutcomes = ReturnType<typeof pairedOutcomes>

/**
 * The difference that memory made over several tasks, each with runs in both arms.
 * @param random from 0 up to 1, 1 excluded; the same numbers give the same interval
 */
export function pairedOutcomes(runs: readonly OutcomeRun[], random: () => number) {
  const { pairs, counts } = pairsOf(runs)
  const differences = pairs.map(({ guided, without }) => guided - without)
  const isEnough = pairs.length >= PAIRS_MIN
  const interval = isEnough ? intervalOf(differences, random) : null
  const helped = differences.filter((difference) => difference > 0).length
  const harmed = differences.filter((difference) => difference < 0).length
  const meanOrNull = (values: readonly number[]) => (values.length === 0 ? null : rounded(meanOf(values)))
  return {
    direction: directionOf(interval, helped + harmed),
    // Tasks with runs in both arms: the unit of everything below. Without a pair rates are null.
    pair_count: pairs.length,
    pairs_min: PAIRS_MIN,
    ...counts,
    guided_success_rate: meanOrNull(pairs.map(({ guided }) => guided)),
    without_memory_success_rate: meanOrNull(pairs.map(({ without }) => without)),
    difference: meanOrNull(differences),
    interval,
    // What memory won, and what it lost, each for itself: the difference is the one less the other.
    help_rate: meanOrNull(differences.map((difference) => Math.max(difference, 0))),
    harm_rate: meanOrNull(differences.map((difference) => Math.max(-difference, 0))),
    helped_pair_count: helped,
    harmed_pair_count: harmed,
  }
}

/** A generator of numbers from 0 up to 1 (mulberry32, public domain): one seed, one sequence. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function pairsOf(runs: readonly OutcomeRun[]) {
  const tasks = new Map<string, { guided: number[]; without: number[] }>()
  for (const { taskKey, arm, isSuccess } of runs) {
    const task = tasks.get(taskKey) ?? { guided: [], without: [] }
    tasks.set(taskKey, task)
    const side = arm === 'guided' ? task.guided : task.without
    side.push(isSuccess ? 1 : 0)
  }
  const paired = [...tasks.values()].filter(({ guided, without }) => guided.length > 0 && without.length > 0)
  const guidedRuns = paired.reduce((sum, { guided }) => sum + guided.length, 0)
  const withoutRuns = paired.reduce((sum, { without }) => sum + without.length, 0)
  const pairs = paired.map(({ guided, without }) => ({
    guided: meanOf(guided),
    without: meanOf(without),
  }))
  const counts = {
    guided_run_count: guidedRuns,
    without_memory_run_count: withoutRuns,
    // Of tasks that have runs in one arm only; they are left out.
    unpaired_run_count: runs.length - guidedRuns - withoutRuns,
  }
  return { pairs, counts }
}

/** Percentile bootstrap over pairs: what varies between tasks is what the interval shows. */
function intervalOf(differences: readonly number[], random: () => number) {
  const means: number[] = []
  for (let sample = 0; sample < RESAMPLES; sample += 1) {
    let sum = 0
    for (let draw = 0; draw < differences.length; draw += 1) {
      sum += differences[Math.floor(random() * differences.length)] ?? 0
    }
    means.push(sum / differences.length)
  }
  means.sort((a, b) => a - b)
  const cut = Math.floor(RESAMPLES * TAIL_SHARE)
  return { low: rounded(means[cut] ?? 0), high: rounded(means[RESAMPLES - 1 - cut] ?? 0) }
}

function directionOf(interval: ReturnType<typeof intervalOf> | null, changedPairs: number): ImpactDirection {
  if (interval === null) return 'insufficient_evidence'
  if (changedPairs < CHANGED_PAIRS_MIN) return 'neutral'
  if (interval.low > 0) return 'positive'
  return interval.high < 0 ? 'negative' : 'neutral'
}
