import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { ErrorCode } from '../../core/base/errors.ts'
import type { ActorEvent } from '../../core/model/events.ts'
import { SURFACE_RULES } from '../../core/policy/admission.ts'
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
  VITAL_GAUGES,
} from './metric-table.ts'

const MS_PER_S = 1000

/** The numbers of one runtime, in a registry of their own: two in a process do not meet. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #table: MetricTable
  readonly #requests: HistogramCells
  readonly #phases: HistogramCells
  readonly #journalWrites: HistogramCells
  readonly #journalGroups: HistogramCells
  readonly #errors: CounterCells
  readonly #surfaced: CounterCells
  readonly #findings: CounterCells
  readonly #feedback: CounterCells
  readonly #disputes: CounterCells
  readonly #workerFailures: CounterCells
  readonly #hooks: CounterCells

  constructor(names: Names) {
    const table = metricTable(names)
    const registry = this.#registry
    this.#table = table
    this.#requests = new HistogramCells(registry, table.requests)
    this.#phases = new HistogramCells(registry, table.phases)
    this.#journalWrites = new HistogramCells(registry, table.journalWrites)
    this.#journalGroups = new HistogramCells(registry, table.journalGroups)
    this.#errors = new CounterCells(registry, table.errors)
    // A rule has one surface: the two labels go together.
    const ofRules = SURFACE_RULES.map(({ id, surface }) => ({ rule: id, surface }))
    this.#surfaced = new CounterCells(registry, table.surfaced, ofRules)
    this.#findings = new CounterCells(registry, table.findings)
    this.#feedback = new CounterCells(registry, table.feedback)
    this.#disputes = new CounterCells(registry, table.disputes)
    this.#workerFailures = new CounterCells(registry, table.workerFailures)
    this.#hooks = new CounterCells(registry, table.hooks)
  }

  request(operation: string, outcome: OutcomeClass, tookMs: number): void {
    this.#requests.observe(tookMs / MS_PER_S, operation, outcome)
  }

  phase(phase: Phase, tookMs: number): void {
    this.#phases.observe(tookMs / MS_PER_S, phase)
  }

  error(code: ErrorCode): void {
    this.#errors.add(code)
  }

  journalWrote(records: number, tookMs: number): void {
    this.#journalWrites.observe(tookMs / MS_PER_S)
    this.#journalGroups.observe(records)
  }

  workerFailed(kind: ComputeFailureKind): void {
    this.#workerFailures.add(kind)
  }

  hookEnded(host: HookHost, outcome: HookOutcome): void {
    this.#hooks.add(host, outcome)
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
            this.#surfaced.add(event.words[event.rules[at] ?? 0] ?? '')
          }
          break
        case 'memory_written':
          for (const kind of event.draft.findings) this.#findings.add(kind)
          break
        case 'memory_revised':
          for (const kind of event.findings) this.#findings.add(kind)
          break
        case 'run_feedback_recorded':
          this.#feedback.add(event.outcome)
          break
        case 'dispute_found':
          this.#disputes.add(this.#disputes.has(event.kind) ? event.kind : CLAIMED)
          break
        default:
          break
      }
    }
  }

  /** Reads the numbers of now from there, whenever somebody asks. Call it once. */
  follow(vitalsNow: () => Vitals): void {
    const { notReady } = this.#table
    const registers = [this.#registry]
    // One reading for all gauges of a scrape: the registry collects them in the order in which they were made.
    let vitals = vitalsNow()
    new Gauge({
      ...headOf(notReady),
      labelNames: ['reason'],
      registers,
      collect() {
        vitals = vitalsNow()
        for (const reason of notReady.labels.reason) {
          this.set({ reason }, vitals.notReady.includes(reason) ? 1 : 0)
        }
      },
    })
    for (const key of vitalNames()) {
      new Gauge({
        ...headOf(VITAL_GAUGES[key]),
        registers,
        collect() {
          this.set(vitals[key])
        },
      })
    }
    this.#followShards(() => vitals)
  }

  #followShards(vitalsNow: () => Vitals): void {
    const { shardChanges, hotShard, hotShardRequests } = this.#table
    const registers = [this.#registry]
    new Counter({
      ...headOf(shardChanges),
      labelNames: ['change'],
      registers,
      collect() {
        this.reset()
        const changes = vitalsNow().shardChanges
        for (const change of shardChanges.labels.change) this.inc({ change }, changes[change])
      },
    })
    const byRank = (
      row: typeof hotShard | typeof hotShardRequests,
      of: (hot: HotShard) => number,
      none: number,
    ) =>
      new Gauge({
        ...headOf(row),
        labelNames: ['rank'],
        registers,
        collect() {
          const { hotShards } = vitalsNow()
          for (const [at, rank] of row.labels.rank.entries()) {
            const hot = hotShards[at]
            this.set({ rank }, hot === undefined ? none : of(hot))
          }
        },
      })
    byRank(hotShard, ({ shard }) => shard, -1)
    byRank(hotShardRequests, ({ perSecond }) => perSecond, 0)
  }

  /** Counts what the request log drops. Call it once. */
  followLog(droppedNow: () => number): void {
    new Counter({
      ...headOf(this.#table.requestLogDropped),
      registers: [this.#registry],
      collect() {
        this.reset()
        this.inc(droppedNow())
      },
    })
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
}

function headOf({ name, help }: MetricRow) {
  return { name, help }
}

type VitalName = keyof typeof VITAL_GAUGES

function vitalNames(): readonly VitalName[] {
  const isName = (key: string): key is VitalName => Object.hasOwn(VITAL_GAUGES, key)
  return Object.keys(VITAL_GAUGES).filter(isName)
}
