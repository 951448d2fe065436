import { metricTable } from '../adapters/telemetry/metric-table.ts'
import { METRIC_NAMES } from '../app/telemetry.ts'

// `deploy/grafana-dashboard.json`, as Grafana imports it (dashboard schema 39: rows of 24 columns, a panel has a title, a
// place and queries in PromQL). Metric names come from the table, so that none can be asked for that is not there.

interface Panel {
  readonly title: string
  readonly unit: string
  /** PromQL, with what stands in the legend. */
  readonly queries: readonly (readonly [expression: string, legend: string])[]
}

const COLUMNS = 24
const PANELS_A_ROW = 3
const PANEL_HEIGHT = 8
const SCHEMA_VERSION = 39

export function grafanaDashboard(): string {
  const panels = ROWS.flatMap(({ title, panels: inside }, rowAt) => [
    { type: 'row', title, collapsed: false, panels: [], gridPos: place(rowAt, 0, COLUMNS, 1) },
    ...inside.map((panel, at) => panelJson(panel, rowAt, at)),
  ])
  const dashboard = {
    uid: 'memgov',
    title: 'memgov',
    tags: ['memgov'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
        {
          name: 'instance',
          type: 'query',
          datasource: DATASOURCE,
          query: `label_values(${nameOf('residentActors')}, instance)`,
          includeAll: true,
          multi: true,
          refresh: 2,
          label: 'Instance',
        },
      ],
    },
    panels: panels.map((panel, at) => ({ id: at + 1, ...panel })),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }
const HERE = 'instance=~"$instance"'

type Name = keyof ReturnType<typeof metricTable>

function nameOf(metric: Name): string {
  return metricTable(METRIC_NAMES)[metric].name
}

/** Per second, over five minutes. */
function rate(metric: Name, by: string, suffix = '', also = ''): string {
  return `sum by (${by}) (rate(${nameOf(metric)}${suffix}{${HERE}${also}}[5m]))`
}

function quantile(share: number, metric: Name, by: string, also = ''): string {
  return `histogram_quantile(${share}, ${rate(metric, `${by}, le`, '_bucket', also)})`
}

function now(metric: Name): string {
  return `${nameOf(metric)}{${HERE}}`
}

function panel(title: string, unit: string, ...queries: Panel['queries']): Panel {
  return { title, unit, queries }
}

function inShares(query: (share: number) => Panel['queries'][number]): Panel['queries'] {
  return [0.5, 0.99].map(query)
}

const ROWS: readonly { readonly title: string; readonly panels: readonly Panel[] }[] = [
  {
    title: 'Traffic',
    panels: [
      panel('Requests by operation', 'reqps', [rate('requests', 'operation', '_count'), '{{operation}}']),
      panel('Refusals by code', 'reqps', [rate('errors', 'code'), '{{code}}']),
      panel('Not ready', 'short', [now('notReady'), '{{reason}}']),
    ],
  },
  {
    title: 'Time',
    panels: [
      panel(
        'guide and observe, half and 99 of 100 requests',
        's',
        ...inShares((share) => [
          quantile(share, 'requests', 'operation', ',operation=~"guide|observe"'),
          `{{operation}} ${share}`,
        ]),
      ),
      panel('Phases, 99 of 100', 's', [quantile(0.99, 'phases', 'phase'), '{{phase}}']),
      panel(
        'Journal write with its flush',
        's',
        ...inShares((share) => [quantile(share, 'journalWrites', 'instance'), String(share)]),
      ),
    ],
  },
  {
    title: 'Governance',
    panels: [
      panel('Lines of guides by surface', 'cps', [rate('surfaced', 'surface'), '{{surface}}']),
      panel('Lines of guides by rule', 'cps', [rate('surfaced', 'rule'), '{{rule}}']),
      panel('Feedback', 'cps', [rate('feedback', 'outcome'), '{{outcome}}']),
      panel('Findings of screening', 'cps', [rate('findings', 'finding'), '{{finding}}']),
      panel('Disputes found', 'cps', [rate('disputes', 'kind'), '{{kind}}']),
    ],
  },
  {
    title: 'Store and memory',
    panels: [
      panel('Actors', 'short', [now('knownActors'), 'known'], [now('residentActors'), 'in memory']),
      panel('Memory of actors', 'bytes', [now('residentBytes'), '{{instance}}']),
      panel(
        'Waiting',
        'short',
        [now('requestsInside'), 'requests'],
        [now('deepestMailbox'), 'in the deepest mailbox'],
        [now('waitingLoads'), 'loads'],
        [now('workerTasks'), 'tasks'],
        [now('upkeepTasks'), 'upkeep'],
      ),
      panel('Journal segments', 'short', [now('journalSegments'), '{{instance}}']),
      panel(
        'Nodes of a shared store',
        'short',
        [now('shardsHeld'), '{{instance}} shards'],
        [now('shardsLeaving'), '{{instance}} shards that are to move'],
        [now('leaseValid'), '{{instance}} lease'],
        [now('storeReachable'), '{{instance}} store'],
      ),
      panel('Bytes that wait for the disk', 'bytes', [now('journalQueuedBytes'), '{{instance}}']),
      panel('Event loop, longest delay of 99 of 100 turns', 's', [
        `nodejs_eventloop_lag_p99_seconds{${HERE}}`,
        '{{instance}}',
      ]),
    ],
  },
]

function panelJson({ title, unit, queries }: Panel, rowAt: number, at: number) {
  return {
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    gridPos: place(rowAt, at, COLUMNS / PANELS_A_ROW, PANEL_HEIGHT),
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([expr, legendFormat], target) => ({
      refId: String.fromCodePoint('A'.charCodeAt(0) + target),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  }
}

/** A row has its title and below it lines of panels. */
function place(rowAt: number, at: number, w: number, h: number) {
  const lines = ROWS.slice(0, rowAt).reduce(
    (sum, { panels }) => sum + Math.ceil(panels.length / PANELS_A_ROW),
    0,
  )
  const y = rowAt + lines * PANEL_HEIGHT
  if (h === 1) return { x: 0, y, w, h }
  return { x: (at % PANELS_A_ROW) * w, y: y + 1 + Math.floor(at / PANELS_A_ROW) * PANEL_HEIGHT, w, h }
}
