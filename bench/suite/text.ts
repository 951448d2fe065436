import { tableText } from '../measure.ts'
import type { BenchResult, Figure, SuiteResult } from '../result.ts'

/** Four significant digits at least, every digit before the point. */
export function numberText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1_000 || value === 0) return value.toFixed(0)
  return value.toFixed(Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size)))))
}

export function goalText({ goal }: Figure): string {
  if (goal === null) return ''
  return `at ${goal.bound} ${numberText(goal.value)}: ${goal.verdict}`
}

export function benchText({ bench, settings, figures, notes, tookMs }: BenchResult): string {
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

export const PERCENTILES = ['p50', 'p95', 'p99', 'p99.9'] as const

export function percentileCells({ percentiles }: Figure): readonly string[] {
  if (percentiles === null) return PERCENTILES.map(() => '')
  const { p50, p95, p99, p999 } = percentiles
  return [p50, p95, p99, p999].map(numberText)
}

export function surroundingsText({ machine, node, commit, isQuick }: SuiteResult): string {
  const gib = (machine.memoryBytes / 1024 ** 3).toFixed(0)
  return `${machine.cpu}, ${machine.cores} cores, ${gib} GiB, ${machine.platform}; Node ${node}; commit ${commit ?? 'unknown'}${isQuick ? '; quick' : ''}`
}
