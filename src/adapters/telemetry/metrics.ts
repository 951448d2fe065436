import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ErrorCode } from '../../core/base/errors.ts'
import type { ActorEvent } from '../../core/model/events.ts'
import type { HotShard } from '../../ports/cluster.ts'
import type { ComputeFailureKind } from '../../ports/compute.ts'
import type { HookHost, HookOutcome, OutcomeClass, Phase, Vitals } from '../../ports/telemetry.ts'
import { CounterCells, HistogramCells } from './cells.ts'
import {
  CLAIMED,
  type MetricRow,
  type MetricTable,
  metricTable,
  type Names,
  SURFACE_OF_RULE,
  VITAL_GAUGES,
} from './metric-table.ts'

const MS_PER_S = 1000

/** The numbers of one runtime, in a registry of their own: two in a process do not meet. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #table: MetricTable
  readonly #cells: ReturnType<typeof countedIn>

  constructor(names: Names) {
    this.#table = metricTable(names)
    this.#cells = countedIn(this.#registry, this.#table)
  }

  request(operation: string, outcome: OutcomeClass, tookMs: number): void {
    this.#cells.requests.observe(tookMs / MS_PER_S, operation, outcome)
  }

  phase(phase: Phase, tookMs: number): void {
    this.#cells.phases.observe(tookMs / MS_PER_S, phase)
  }

  error(code: ErrorCode): void {
    this.#cells.errors.add(code)
  }

  journalWrote(records: number, tookMs: number): void {
    this.#cells.journalWrites.observe(tookMs / MS_PER_S)
    this.#cells.journalGroups.observe(records)
  }

  workerFailed(kind: ComputeFailureKind): void {
    this.#cells.workerFailures.add(kind)
  }

  hookEnded(host: HookHost, outcome: HookOutcome): void {
    this.#cells.hooks.add(host, outcome)
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
            this.#cells.surfaced.add(event.words[event.rules[at] ?? 0] ?? '')
          }
          break
        case 'memory_written':
          for (const kind of event.draft.findings) this.#cells.findings.add(kind)
          break
        case 'memory_revised':
          for (const kind of event.findings) this.#cells.findings.add(kind)
          break
        case 'run_feedback_recorded':
          this.#cells.feedback.add(event.outcome)
          break
        case 'dispute_found':
          this.#cells.disputes.add(this.#cells.disputes.has(event.kind) ? event.kind : CLAIMED)
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

  /** Of `text`. */
  get contentType(): string {
    return this.#registry.contentType
  }

  /** Every number in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  /** A gauge that is read when somebody asks. */
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
    requests: new HistogramCells(registry, table.requests),
    phases: new HistogramCells(registry, table.phases),
    journalWrites: new HistogramCells(registry, table.journalWrites),
    journalGroups: new HistogramCells(registry, table.journalGroups),
    errors: new CounterCells(registry, table.errors),
    surfaced: new CounterCells(registry, table.surfaced, SURFACE_OF_RULE),
    findings: new CounterCells(registry, table.findings),
    feedback: new CounterCells(registry, table.feedback),
    disputes: new CounterCells(registry, table.disputes),
    workerFailures: new CounterCells(registry, table.workerFailures),
    hooks: new CounterCells(registry, table.hooks),
  }
}

type VitalName = keyof typeof VITAL_GAUGES

function vitalNames(): readonly VitalName[] {
  const isName = (key: string): key is VitalName => Object.hasOwn(VITAL_GAUGES, key)
  return Object.keys(VITAL_GAUGES).filter(isName)
}
