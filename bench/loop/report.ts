import process from 'node:process'
import { histogramOf } from '../histogram.ts'
import { quantile, type Spread, spreadOf, spreadText, tableText } from '../measure.ts'
import type { Percentiles } from '../result.ts'
import type { Vitals } from '../suite/vitals.ts'

export interface LoopOptions {
  readonly memories: number
  readonly rounds: number
  readonly opsPerRound: number
  /** Requests of each kind before the first round. */
  readonly warmOps: number
}

/** Microseconds: spread of the medians of the rounds. */
export interface LoopReport {
  readonly bench: 'loop'
  readonly node: string
  readonly memories: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly warmOps: number
  readonly guideAnswerBytes: number
  readonly guideUs: Spread
  readonly guideEchoUs: Spread
  /** Inside this process, without durability. */
  readonly embeddedUs: Spread
  /** The same after a pause of `PAUSE_MS`: a thread that waited finds its caches full of something else. */
  readonly embeddedPausedUs: Spread
  readonly rankingUs: Spread
  readonly flushUs: Spread
  readonly observeUs: Spread
  readonly observeEchoUs: Spread
  /** Guide over echo, ranking and flush. */
  readonly guideRatio: Ratio
  /** 99th percentile of all guides over three times that of the echo and once that of the flush. */
  readonly guideTailRatio: number
  /** Observe over echo and flush. */
  readonly observeRatio: Ratio
  /** Of all requests of all rounds, µs. */
  readonly distributions: Readonly<Record<keyof Samples, Distribution>>
  /** Of the service during the rounds; its requests are guides and observes. */
  readonly vitals: Vitals
  readonly requests: number
}

export interface Distribution {
  readonly percentiles: Percentiles
  readonly cdf: readonly [number, number][]
}

/** Above or below a goal only when both are: a disk that is busy for others makes the flush long and the ratio small. */
export interface Ratio {
  /** Of sums within a round. */
  readonly rounds: Spread
  /** At the 5th percentile of all requests: what an undisturbed machine comes near to. */
  readonly undisturbed: number
}

/** How long the thread waits before each guide of `embeddedPaused`. */
export const PAUSE_MS = 1
const UNDISTURBED_SHARE = 0.05
export const GUIDE_GOAL = 1.5
export const GUIDE_TAIL_GOAL = 1
export const OBSERVE_GOAL = 1.6
export const EMBEDDED_GOAL_US = 300

export type Samples = Record<
  'guide' | 'guideEcho' | 'embedded' | 'embeddedPaused' | 'ranking' | 'flush' | 'observe' | 'observeEcho',
  number[]
>

export function reportOf(
  options: LoopOptions,
  scope: { readonly memories: number; readonly guideAnswerBytes: number },
  rounds: readonly Samples[],
  vitals: Vitals,
): LoopReport {
  const p50s = (name: keyof Samples) => spreadOf(rounds.map((round) => quantile(round[name], 0.5)))
  return {
    bench: 'loop',
    node: process.version,
    ...options,
    memories: scope.memories,
    guideAnswerBytes: scope.guideAnswerBytes,
    guideUs: p50s('guide'),
    guideEchoUs: p50s('guideEcho'),
    embeddedUs: p50s('embedded'),
    embeddedPausedUs: p50s('embeddedPaused'),
    rankingUs: p50s('ranking'),
    flushUs: p50s('flush'),
    observeUs: p50s('observe'),
    observeEchoUs: p50s('observeEcho'),
    guideRatio: ratioOf(rounds, 'guide', ['guideEcho', 'ranking', 'flush']),
    guideTailRatio: tailRatioOf(rounds),
    observeRatio: ratioOf(rounds, 'observe', ['observeEcho', 'flush']),
    distributions: distributionsOf(rounds),
    vitals,
    requests: rounds.reduce((sum, { guide, observe }) => sum + guide.length + observe.length, 0),
  }
}

function distributionsOf(rounds: readonly Samples[]): LoopReport['distributions'] {
  const of = (name: keyof Samples): Distribution => {
    const histogram = histogramOf(rounds.flatMap((round) => round[name]))
    return { percentiles: histogram.percentiles(), cdf: histogram.cdf() }
  }
  return {
    guide: of('guide'),
    guideEcho: of('guideEcho'),
    embedded: of('embedded'),
    embeddedPaused: of('embeddedPaused'),
    ranking: of('ranking'),
    flush: of('flush'),
    observe: of('observe'),
    observeEcho: of('observeEcho'),
  }
}

function tailRatioOf(rounds: readonly Samples[]): number {
  const p99 = (name: keyof Samples) =>
    quantile(
      rounds.flatMap((round) => round[name]),
      0.99,
    )
  return p99('guide') / (3 * p99('guideEcho') + p99('flush'))
}

function ratioOf(rounds: readonly Samples[], whole: keyof Samples, parts: readonly (keyof Samples)[]): Ratio {
  const at = (share: number, samplesOf: (name: keyof Samples) => readonly number[]) =>
    quantile(samplesOf(whole), share) / parts.reduce((sum, part) => sum + quantile(samplesOf(part), share), 0)
  return {
    rounds: spreadOf(rounds.map((round) => at(0.5, (name) => round[name]))),
    undisturbed: at(UNDISTURBED_SHARE, (name) => rounds.flatMap((round) => round[name])),
  }
}

export function textOf(report: LoopReport): string {
  const us = (spread: Spread) => spreadText(spread, 0)
  const goal = ({ rounds, undisturbed }: Ratio, most: number) => {
    const isMet = Math.max(rounds.median, undisturbed) <= most
    return `${spreadText(rounds, 2)}, undisturbed ${undisturbed.toFixed(2)}; goal ${most.toFixed(1)} ${isMet ? 'met' : 'missed'}`
  }
  return [
    `loop: ${report.memories} memories in the scope, one client, p50 in µs of ${report.rounds} rounds of`,
    `${report.opsPerRound} (median [spread]), guide answers of ${report.guideAnswerBytes} bytes, Node ${report.node}`,
    tableText([
      ['guide', us(report.guideUs)],
      ['  echo of that size', us(report.guideEchoUs)],
      ['  embedded, without durability', embeddedText(report)],
      [`  the same, each ${PAUSE_MS} ms after the one before`, us(report.embeddedPausedUs)],
      ['  bare ranking', us(report.rankingUs)],
      ['  bare flush', us(report.flushUs)],
      ['durable observe', us(report.observeUs)],
      ['  echo of that size', us(report.observeEchoUs)],
      ['guide / (echo + ranking + flush)', goal(report.guideRatio, GUIDE_GOAL)],
      ['guide / (3 echo + flush), p99', tailText(report)],
      ['observe / (echo + flush)', goal(report.observeRatio, OBSERVE_GOAL)],
    ]),
  ].join('\n')
}

function tailText({ guideTailRatio }: LoopReport): string {
  const isMet = guideTailRatio <= GUIDE_TAIL_GOAL
  return `${guideTailRatio.toFixed(2)}; goal ${GUIDE_TAIL_GOAL.toFixed(1)} ${isMet ? 'met' : 'missed'}`
}

function embeddedText({ embeddedUs }: LoopReport): string {
  const isMet = embeddedUs.median <= EMBEDDED_GOAL_US
  return `${spreadText(embeddedUs, 0)}; goal ${EMBEDDED_GOAL_US} ${isMet ? 'met' : 'missed'}`
}
