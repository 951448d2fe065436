import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { type MetricRow, metricTable } from '../../src/adapters/telemetry/metric-table.ts'
import { METRIC_NAMES } from '../../src/app/telemetry.ts'
import { grafanaDashboard } from '../../src/docs/dashboard.ts'
import { metricsPage } from '../../src/docs/pages.ts'

const METRICS: readonly MetricRow[] = Object.values(metricTable(METRIC_NAMES))
const RULES = readFileSync(new URL('../../deploy/prometheus-rules.yaml', import.meta.url), 'utf8')
const QUERIES: readonly string[] = JSON.parse(grafanaDashboard()).panels.flatMap(
  ({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr),
)
// Of a dashboard the instance is chosen by whoever looks.
const USED = [
  ...[RULES, ...QUERIES]
    .join('\n')
    .replaceAll(/,?instance=~"\$instance",?/g, '')
    .matchAll(/\b((?:memgov|nodejs|process)_\w+)(?:\{([^}]*)\})?/g),
]

function samplesOf({ name, type }: MetricRow): readonly string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name]
}

describe('the alerts and the dashboard that come with the package', () => {
  test('ask for samples that the service has', () => {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    const known = [...METRICS.flatMap(samplesOf), ...registry.getMetricsAsArray().map(({ name }) => name)]
    expect(USED.length).toBeGreaterThan(7)
    for (const [, name = ''] of USED) expect(known).toContain(name)
  })

  test('select labels and words that these samples may have', () => {
    const selected = USED.flatMap(([, name = '', list = '']) =>
      [...list.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', words = '']) => ({ name, label, words })),
    )
    expect(selected.length).toBeGreaterThan(3)
    for (const { name, label, words } of selected) {
      const row = METRICS.find((metric) => samplesOf(metric).includes(name))
      for (const word of words.split('|')) expect(row?.labels[label], `${name} ${label}`).toContain(word)
    }
  })
})

describe('the table of metrics', () => {
  test('names are of memgov, each once; counters end with total, histograms have bounds that grow', () => {
    const names = METRICS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, type, bounds } of METRICS) {
      expect(name).toMatch(/^memgov_[a-z_]+$/)
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
      const isGrowing = bounds?.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? 0)) ?? false
      expect(isGrowing, name).toBe(type === 'histogram')
    }
  })

  test('every metric is on the page for operators with all that it counts', () => {
    const page = metricsPage()
    for (const { name, help } of METRICS) {
      expect(page).toContain(`\`${name}\``)
      expect(page).toContain(help)
    }
  })
})
