import { type MetricRow, metricTable } from '../adapters/telemetry/metric-table.ts'
import { METRIC_NAMES } from '../app/telemetry.ts'
import { alignedTable } from './aligned-table.ts'

/** Labels with more words than that are not listed: the page or table that has them is known. */
const LISTED_MAX = 12

/** Every metric of the service, in one table. */
export function metricsPage(): string {
  const metrics: readonly MetricRow[] = Object.values(metricTable(METRIC_NAMES))
  const rows = metrics.map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    Object.entries(labels).map(labelText).join('; '),
    help,
  ])
  const [{ bounds = [] } = { bounds: [] }] = metrics.filter(({ type }) => type === 'histogram')
  return [
    '<!-- Generated from the table of metrics by `npm run docs`. Change the table, not this page. -->',
    '',
    '# Metrics',
    '',
    'How to get them: [operators](operators.md#metrics). No label ever says an id, a tenant, a scope or a text: every word of every label is in a closed set.',
    '',
    alignedTable(['Name', 'Type', 'Labels', 'Meaning'], rows),
    '',
    `Buckets of durations end at ${bounds.join(', ')} seconds. A histogram has no sample before its first value.`,
    '',
    'A service (not an embedded runtime) also has the numbers of its process, as prom-client names them: `process_*` for processor time, memory and file',
    'descriptors, `nodejs_gc_duration_seconds`, `nodejs_heap_*`, and `nodejs_eventloop_lag_*_seconds` for the delay of its event loop since the last scrape.',
    '',
  ].join('\n')
}

function labelText([label, words]: readonly [string, readonly string[]]): string {
  const known = [...new Set(words)]
  return known.length > LISTED_MAX
    ? `\`${label}\` (${known.length} words)`
    : `\`${label}\`: ${known.join(', ')}`
}
