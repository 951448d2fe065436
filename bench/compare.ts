import { crc32 } from 'node:zlib'
import { quantile, tableText } from './measure.ts'
import type { Figure, SuiteResult } from './result.ts'
import { numberText } from './suite/text.ts'
import { mulberry32 } from './synthetic-text.ts'

/** One figure in two results. */
export interface Compared {
  readonly bench: string
  readonly name: string
  readonly unit: string
  readonly before: number
  readonly after: number
  /** After over before. */
  readonly ratio: number
  /** 95 % of the ratios that resampled rounds give; null when a side has one round only. */
  readonly interval: readonly [number, number] | null
  /** Above 1: worse, whichever way the figure is better. */
  readonly worsening: number
  /** Worse or better where the interval does not hold 1. */
  readonly change: 'worse' | 'better' | 'unclear'
}

export interface Comparison {
  /** What got worse most first. */
  readonly figures: readonly Compared[]
  /** Figures that one of the results alone has. */
  readonly onlyBefore: readonly string[]
  readonly onlyAfter: readonly string[]
  /** Why the two are not alike: another machine, Node, or quick beside full. */
  readonly cautions: readonly string[]
}

const RESAMPLES = 2_000
const TAIL = 0.025

/** Pairs the figures of two results by benchmark and name. The same results give the same comparison. */
export function compareResults(before: SuiteResult, after: SuiteResult): Comparison {
  const [old, young] = [byName(before), byName(after)]
  const figures = [...old].flatMap(([key, { bench, figure }]) => {
    const other = young.get(key)
    return other === undefined ? [] : [compared(bench, figure, other.figure)]
  })
  return {
    figures: figures.toSorted((a, b) => b.worsening - a.worsening),
    onlyBefore: [...old.keys()].filter((key) => !young.has(key)),
    onlyAfter: [...young.keys()].filter((key) => !old.has(key)),
    cautions: cautionsOf(before, after),
  }
}

function byName(result: SuiteResult): Map<string, { readonly bench: string; readonly figure: Figure }> {
  return new Map(
    result.results.flatMap(({ bench, figures }) =>
      figures.map((figure) => [`${bench}: ${figure.name}`, { bench, figure }] as const),
    ),
  )
}

function compared(bench: string, before: Figure, after: Figure): Compared {
  const ratio = ratioOf(before.median, after.median)
  const interval = intervalOf(before.rounds, after.rounds)
  const [low, high] = interval ?? [Number.NaN, Number.NaN]
  const isLower = before.better === 'lower'
  const isWorse = isLower ? low > 1 : high < 1
  const isBetter = isLower ? high < 1 : low > 1
  return {
    bench,
    name: before.name,
    unit: before.unit,
    before: before.median,
    after: after.median,
    ratio,
    interval,
    worsening: isLower ? ratio : ratioOf(after.median, before.median),
    change: isWorse ? 'worse' : isBetter ? 'better' : 'unclear',
  }
}

/** Two zeros are equal. */
function ratioOf(before: number, after: number): number {
  return before === after ? 1 : after / before
}

/**
 * A percentile bootstrap (Efron 1979) of the ratio of the medians over rounds. What is drawn of a side depends on its own
 * rounds alone, and the ends are ratios that were drawn: swapped, the interval is exactly the reciprocal one.
 */
function intervalOf(before: readonly number[], after: readonly number[]): readonly [number, number] | null {
  if (before.length < 2 || after.length < 2) return null
  const [ofBefore, ofAfter] = [drawnMedians(before), drawnMedians(after)]
  const ratios = ofBefore
    .map((median, at) => ratioOf(median, ofAfter[at] ?? Number.NaN))
    .sort((a, b) => a - b)
  const outside = Math.floor(RESAMPLES * TAIL)
  return [ratios[outside] ?? Number.NaN, ratios[RESAMPLES - 1 - outside] ?? Number.NaN]
}

function drawnMedians(rounds: readonly number[]): readonly number[] {
  const random = mulberry32(crc32(Buffer.from(new Float64Array(rounds).buffer)))
  const drawn = (): number => rounds[Math.floor(random() * rounds.length)] ?? Number.NaN
  return Array.from({ length: RESAMPLES }, () => quantile(rounds.map(drawn), 0.5))
}

function cautionsOf(before: SuiteResult, after: SuiteResult): readonly string[] {
  const machine = ({ machine: { cpu, cores, memoryBytes, platform } }: SuiteResult) =>
    `${cpu}, ${cores} cores, ${(memoryBytes / 1024 ** 3).toFixed(0)} GiB, ${platform}`
  const said = ([what, a, b]: readonly [string, string, string]) =>
    a === b ? [] : [`another ${what}: ${a} before, ${b} after`]
  const kind = ({ isQuick }: SuiteResult) => (isQuick ? 'quick' : 'full')
  return [
    ['machine', machine(before), machine(after)] as const,
    ['Node', before.node, after.node] as const,
    ['kind of run', kind(before), kind(after)] as const,
  ].flatMap(said)
}

export function compareText({ figures, onlyBefore, onlyAfter, cautions }: Comparison): string {
  const rows = figures.map(({ bench, name, unit, before, after, ratio, interval, change }) => [
    change === 'unclear' ? '' : change,
    ratio.toFixed(3),
    interval === null ? 'one round' : `${interval[0].toFixed(3)}..${interval[1].toFixed(3)}`,
    numberText(before),
    numberText(after),
    unit,
    `${bench}: ${name}`,
  ])
  return [
    ...cautions,
    ...(cautions.length === 0 ? [] : ['']),
    tableText([['', 'ratio', '95 % interval', 'before', 'after', 'unit', 'figure'], ...rows]),
    ...onlyBefore.map((name) => `only before: ${name}`),
    ...onlyAfter.map((name) => `only after: ${name}`),
  ].join('\n')
}
