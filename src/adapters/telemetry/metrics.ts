import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ActorEvent } from '../../core/model/events.ts'
import type { HotShard } from '../../ports/cluster.ts'
import type { Vitals } from '../../ports/telemetry.ts'
import {
  CLAIMED,
  type MetricRow,
  type MetricTable,
  metricTable,
  type Names,
  SURFACE_OF_RULE,
  VITAL_GAUGES,
} from './metric-table.ts'

// Counts stand in typed arrays, a cell for each set of labels that a metric may have. prom-client reads them when
// somebody asks: its own counters and histograms take a microsecond or more for each event and allocate.

type Labels = Readonly<Record<string, string>>

/** Every set of labels of a metric, in an order that the caller knows: the last label changes first. */
export function cellsOf(row: MetricRow): readonly Labels[] {
  let cells: readonly Labels[] = [{}]
  for (const [label, values] of Object.entries(row.labels)) {
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [label]: value })))
  }
  return cells
}

/**
 * Tells the cell by the words of the labels. -1 for a word that its label has not. Without a second word the first one tells the cell,
 * without any there is one only.
 */
function cellByWords({ labels }: MetricRow): (first?: string, second?: string) => number {
  const [rows, columns] = Object.values(labels).map((words) => new Map(words.map((word, at) => [word, at])))
  return (first, second) => {
    if (first === undefined) return 0
    const row = rows?.get(first) ?? -1
    if (second === undefined || columns === undefined || row < 0) return row
    const column = columns.get(second)
    return column === undefined ? -1 : row * columns.size + column
  }
}

function counterCells(registry: Registry, row: MetricRow, cells: readonly Labels[] = cellsOf(row)) {
  const cellOf = cellByWords(row)
  const counts = new Float64Array(cells.length)
  new Counter({
    ...headOf(row),
    registers: [registry],
    collect() {
      this.reset()
      for (const [at, cell] of cells.entries()) this.inc(cell, counts[at] ?? 0)
    },
  })
  return {
    has: (word: string): boolean => cellOf(word) >= 0,
    /** Without effect for a word that the metric has not. */
    add(first: string, second?: string): void {
      const cell = cellOf(first, second)
      if (cell >= 0) counts[cell] = (counts[cell] ?? 0) + 1
    },
  }
}

function histogramCells(registry: Registry, row: MetricRow & { readonly bounds: readonly number[] }) {
  const { name, help, bounds } = row
  const cellOf = cellByWords(row)
  const cells = cellsOf(row)
  /** The buckets of a cell, the unbounded one last, then those of the next cell. */
  const counts = new Float64Array(cells.length * (bounds.length + 1))
  const sums = new Float64Array(cells.length)
  const histogram = new Histogram({ ...headOf(row), buckets: [...bounds], registers: [registry] })
  /** A cell without values is left out: there are many of them. */
  const samples = () =>
    cells.flatMap((labels, cell) => {
      let count = 0
      const buckets = [...bounds, '+Inf'].map((le, bucket) => {
        count += counts[cell * (bounds.length + 1) + bucket] ?? 0
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count }
      })
      if (count === 0) return []
      const sum = { metricName: `${name}_sum`, labels, value: sums[cell] ?? 0 }
      return [...buckets, sum, { metricName: `${name}_count`, labels, value: count }]
    })
  // The registry prints what the metric gives: here the samples of these cells.
  const read = async () => ({ name, help, type: 'histogram', values: samples() })
  Object.assign(histogram, { get: read, getForPromString: read })
  /** Without effect for a word that the metric has not. */
  return (value: number, first?: string, second?: string): void => {
    const cell = cellOf(first, second)
    if (cell < 0) return
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1
    const at = cell * (bounds.length + 1) + bucket
    counts[at] = (counts[at] ?? 0) + 1
    sums[cell] = (sums[cell] ?? 0) + value
  }
}

/** The numbers of one runtime, in a registry of their own: two in a process do not meet. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #table: MetricTable
  readonly counted: ReturnType<typeof countedIn>

  constructor(names: Names) {
    this.#table = metricTable(names)
    this.counted = countedIn(this.#registry, this.#table)
  }

  committed(events: readonly ActorEvent[]): void {
    let shown = 0
    for (const event of events) {
      switch (event.type) {
        case 'exposed':
          shown = event.memoryIds.length
          break
        case 'guide_decided':
          // Its columns begin with the memories that were shown.
          for (let at = 0; at < shown; at += 1) {
            this.counted.surfaced.add(event.words[event.rules[at] ?? 0] ?? '')
          }
          break
        case 'memory_written':
          for (const kind of event.draft.findings) this.counted.findings.add(kind)
          break
        case 'memory_revised':
          for (const kind of event.findings) this.counted.findings.add(kind)
          break
        case 'run_feedback_recorded':
          this.counted.feedback.add(event.outcome)
          break
        case 'dispute_found':
          this.counted.disputes.add(this.counted.disputes.has(event.kind) ? event.kind : CLAIMED)
          break
        default:
          break
      }
    }
  }

  /** Reads the numbers of now from there, whenever somebody asks. Call it once. */
  follow(vitalsNow: () => Vitals): void {
    const { notReady, shardChanges, hotShard, hotShardRequests } = this.#table
    // One reading for all gauges of a scrape: the registry collects them in the order in which they were made.
    let vitals = vitalsNow()
    this.#gauge(notReady, (gauge) => {
      vitals = vitalsNow()
      for (const reason of notReady.labels.reason) {
        gauge.set({ reason }, vitals.notReady.includes(reason) ? 1 : 0)
      }
    })
    for (const key of vitalNames()) this.#gauge(VITAL_GAUGES[key], (gauge) => gauge.set(vitals[key]))
    this.#counter(shardChanges, (counter) => {
      for (const change of shardChanges.labels.change) counter.inc({ change }, vitals.shardChanges[change])
    })
    const byRank = (row: typeof hotShard, of: (hot: HotShard) => number, none: number): void =>
      this.#gauge(row, (gauge) => {
        for (const [at, rank] of row.labels.rank.entries()) {
          const hot = vitals.hotShards[at]
          gauge.set({ rank }, hot === undefined ? none : of(hot))
        }
      })
    byRank(hotShard, ({ shard }) => shard, -1)
    byRank(hotShardRequests, ({ perSecond }) => perSecond, 0)
  }

  /** Counts what the request log drops. Call it once. */
  followLog(droppedNow: () => number): void {
    this.#counter(this.#table.requestLogDropped, (counter) => counter.inc(droppedNow()))
  }

  /** Processor, memory, collections, file descriptors and the delay of the event loop, once for each process. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #gauge(row: MetricRow, read: (gauge: Gauge) => void): void {
    new Gauge({
      ...headOf(row),
      registers: [this.#registry],
      collect() {
        read(this)
      },
    })
  }

  /** The same of a number that grows: it is told from the beginning each time. */
  #counter(row: MetricRow, read: (counter: Counter) => void): void {
    new Counter({
      ...headOf(row),
      registers: [this.#registry],
      collect() {
        this.reset()
        read(this)
      },
    })
  }
}

function headOf({ name, help, labels }: MetricRow) {
  return { name, help, labelNames: Object.keys(labels) }
}

/** What is counted here as it happens, each metric in cells of its own. */
function countedIn(registry: Registry, table: MetricTable) {
  return {
    requests: histogramCells(registry, table.requests),
    phases: histogramCells(registry, table.phases),
    journalWrites: histogramCells(registry, table.journalWrites),
    journalGroups: histogramCells(registry, table.journalGroups),
    errors: counterCells(registry, table.errors),
    surfaced: counterCells(registry, table.surfaced, SURFACE_OF_RULE),
    findings: counterCells(registry, table.findings),
    feedback: counterCells(registry, table.feedback),
    disputes: counterCells(registry, table.disputes),
    workerFailures: counterCells(registry, table.workerFailures),
    hooks: counterCells(registry, table.hooks),
  }
}

type VitalName = keyof typeof VITAL_GAUGES

function vitalNames(): readonly VitalName[] {
  const isName = (key: string): key is VitalName => Object.hasOwn(VITAL_GAUGES, key)
  return Object.keys(VITAL_GAUGES).filter(isName)
}
