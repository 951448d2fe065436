import process from 'node:process'
import { tableText } from '../measure.ts'
import type { Figure, Outcome } from '../result.ts'

/** Four significant digits at least, every digit before the point. */
export function numberText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1_000 || value === 0) return value.toFixed(0)
  return value.toFixed(Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size)))))
}

const PERCENTILES = ['p50', 'p95', 'p99', 'p99.9']

export function outcomeText(bench: string, tookMs: number, { settings, figures, notes }: Outcome): string {
  const parts = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  const hasPercentiles = figures.some(({ percentiles }) => percentiles !== null)
  const title = `${bench}: ${(tookMs / 1_000).toFixed(1)} s${parts.length === 0 ? '' : `; ${parts.join(', ')}`}`
  const rows = figures.map((figure) => [
    figure.name,
    figure.unit,
    `${numberText(figure.median)} [${numberText(figure.least)}..${numberText(figure.greatest)}]`,
    ...(hasPercentiles ? percentileCells(figure) : []),
    goalText(figure),
  ])
  const head = ['', '', 'median [least..greatest]', ...(hasPercentiles ? PERCENTILES : []), '']
  return [title, tableText([head, ...rows]), ...notes.map((note) => `  ${note}`)].join('\n')
}

function goalText({ goal }: Figure): string {
  return goal === null ? '' : `at ${goal.bound} ${numberText(goal.value)}: ${goal.verdict}`
}

function percentileCells({ percentiles }: Figure): readonly string[] {
  if (percentiles === null) return PERCENTILES.map(() => '')
  const { p50, p95, p99, p999 } = percentiles
  return [p50, p95, p99, p999].map(numberText)
}

/** Prints what a benchmark found: a table, JSON with `--json`. */
export function printOutcome(bench: string, outcome: Outcome): void {
  const isJson = process.argv.includes('--json')
  const text = isJson ? JSON.stringify(outcome) : outcomeText(bench, performance.now(), outcome)
  process.stdout.write(`${text}\n`)
}
