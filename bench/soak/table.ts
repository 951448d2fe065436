import process from 'node:process'
import type { Acknowledged } from '../../test/harness/crash-rounds.ts'

export type Totals = { -readonly [name in keyof Acknowledged]: number }

export function zeroTotals(): Totals {
  return {
    requests: 0,
    writes: 0,
    guides: 0,
    feedbacks: 0,
    suppressions: 0,
    erasures: 0,
    unknown: 0,
  }
}

export function addTo(totals: Totals, round: Acknowledged): void {
  totals.requests += round.requests
  totals.writes += round.writes
  totals.guides += round.guides
  totals.feedbacks += round.feedbacks
  totals.suppressions += round.suppressions
  totals.erasures += round.erasures
  totals.unknown += round.unknown
}

export type Row = readonly [name: string, value: string]

export function rowsOf(totals: Totals): readonly Row[] {
  return [
    ['requests with an operation id', String(totals.requests)],
    ['of them without an answer, repeated after the start', String(totals.unknown)],
    ['acknowledged observes, both memories there', String(totals.writes)],
    ['acknowledged guides, all take feedback', String(totals.guides)],
    ['acknowledged feedbacks, all counted', String(totals.feedbacks)],
    ['acknowledged suppressions, all in force', String(totals.suppressions)],
    ['acknowledged erasures, none came back', String(totals.erasures)],
  ]
}

export function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value.padStart(10)}`).join('\n')
}

/** One line that replaces itself, on a terminal only; null removes it. */
export function progress(line: string | null): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line ?? ''}`)
}
