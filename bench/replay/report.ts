import { quantile, tableText } from '../measure.ts'
import type { Outcome } from './session.ts'
import type { Share, Tally } from './tally.ts'

export interface ReplayReport {
  readonly bench: 'replay'
  readonly node: string
  readonly file: string
  readonly isAsExpected: boolean
  readonly tally: Tally
  readonly observeMs: Latency
  readonly guideMs: Latency
}

interface Latency {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

const BROKEN_SHOWN = 20

export function reportOf(file: string, node: string, outcome: Outcome): ReplayReport {
  return {
    bench: 'replay',
    node,
    file,
    isAsExpected: outcome.tally.broken.length === 0,
    tally: outcome.tally,
    observeMs: latencyOf(outcome.observeMs),
    guideMs: latencyOf(outcome.guideMs),
  }
}

/** The report as a person reads it. */
export function reportText(report: ReplayReport): string {
  const { guides, failedInUseNow, failedInDoNotUse, succeededInUseNow, foreignInUseNow, broken } =
    report.tally
  const rows = [
    ['', 'seen', 'expected'],
    ['guides', String(guides), ''],
    ['failed runs in use_now', String(failedInUseNow), '0'],
    ['failed runs in do_not_use', shareText(failedInDoNotUse), 'all'],
    ['succeeded runs in use_now', shareText(succeededInUseNow), 'all'],
    ["other tasks' runs in use_now", String(foreignInUseNow), '0'],
    ['observe p50 / p99', latencyText(report.observeMs), ''],
    ['guide p50 / p99', latencyText(report.guideMs), ''],
  ]
  const more = broken.length - BROKEN_SHOWN
  return [
    tableText(rows),
    ...(report.isAsExpected ? [] : ['', `Broken expectations: ${broken.length}`]),
    ...broken.slice(0, BROKEN_SHOWN),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n')
}

function latencyOf(timesMs: readonly number[]): Latency {
  return {
    count: timesMs.length,
    p50: rounded(quantile(timesMs, 0.5)),
    p99: rounded(quantile(timesMs, 0.99)),
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}

function shareText({ count, of }: Share): string {
  return `${count} of ${of}`
}

function latencyText({ count, p50, p99 }: Latency): string {
  return count === 0 ? 'none' : `${p50.toFixed(2)} / ${p99.toFixed(2)} ms (${count})`
}
