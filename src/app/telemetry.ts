import type { Registry } from '../actor/registry.ts'
import type { ComputePool } from '../adapters/compute/pool.ts'
import { silentTelemetry } from '../adapters/files/null-ports.ts'
import { packageVersion } from '../adapters/files/package-file.ts'
import { openLineSink } from '../adapters/system/line-sink.ts'
import { createRequestLog, LiveTelemetry, openSpans, PlaceNames } from '../adapters/telemetry/live.ts'
import type { Metrics } from '../adapters/telemetry/metrics.ts'
import { NOT_READY_REASONS } from '../contract/health.ts'
import { OPERATIONS } from '../contract/operations.ts'
import type { Store } from '../ports/store.ts'
import type { Telemetry, Vitals } from '../ports/telemetry.ts'
import type { Config } from './config/options.ts'
import type { SystemPorts } from './serve.ts'

/** The parts of a life that have numbers. */
interface Measured {
  readonly registry: Pick<Registry, 'vitals'>
  readonly store: Pick<Store, 'journal' | 'segments' | 'cluster'>
  readonly compute: Pick<ComputePool, 'threads' | 'waiting' | 'waitingUpkeep'>
}

const NO_CHANGES = { taken: 0, moved: 0, idle: 0, lost: 0 }

/** The numbers of now, for metrics. */
export function vitalsOf({ registry, store, compute }: Measured, notReady: readonly string[]): Vitals {
  const { queuedBytes, writingMs } = store.journal.health()
  const { cluster } = store
  return {
    ...registry.vitals(),
    journalQueuedBytes: queuedBytes,
    journalSegments: store.segments?.segmentCount() ?? 0,
    journalWritingS: writingMs / 1000,
    nodesAlive: cluster?.nodesAlive() ?? 0,
    shardsHeld: cluster?.shardsHeld() ?? 0,
    shardsLeaving: cluster?.shardsLeaving() ?? 0,
    hotShards: cluster?.hotShards() ?? [],
    shardChanges: cluster?.shardChanges() ?? NO_CHANGES,
    leaseValid: cluster?.isLeaseValid() === false ? 0 : 1,
    storeReachable: cluster?.isStoreReachable() === false ? 0 : 1,
    workerThreads: compute.threads(),
    workerTasks: compute.waiting(),
    upkeepTasks: compute.waitingUpkeep(),
    notReady,
  }
}

/** Bounds in force, for health. */
export function limitsOf(config: Config): Readonly<Record<string, number>> {
  return {
    body_bytes: config.bodyLimitBytes,
    connections: config.connectionsMax,
    mailbox_depth: config.mailboxDepthMax,
    scopes: config.scopesMax,
    scopes_per_tenant: config.scopesPerTenantMax,
    resident_actors: config.residentActorsMax,
    resident_bytes: config.residentBytesMax,
  }
}

/** The lists of the contract that metrics have labels for. Health, readiness and documents are no work: they are not counted. */
export const METRIC_NAMES = {
  operations: Object.values(OPERATIONS).flatMap(({ name, path }) => (path.startsWith('/v1/') ? [name] : [])),
  notReadyReasons: NOT_READY_REASONS,
}

export type OpenTelemetry = Awaited<ReturnType<typeof openTelemetry>>

/** Whoever listens to the service, by its options; nobody, by default. Rejects when the request log cannot be opened. */
export async function openTelemetry(config: Config, { clock, log }: SystemPorts) {
  const places = new PlaceNames(config.requestLogKey)
  const spans = await openSpans(packageVersion(), places)
  const metrics = config.metrics || config.metricsPort !== null ? await openMetrics() : null
  const { requestLog: target, requestLogSlowMs: slowMs } = config
  const sink = target === null ? null : await openLineSink(target, log)
  const requestLog = sink === null ? null : createRequestLog({ sink, clock, places, slowMs })
  const isSilent = metrics === null && requestLog === null && spans === null
  const telemetry: Telemetry = isSilent ? silentTelemetry : new LiveTelemetry({ metrics, requestLog, spans })
  metrics?.followLog(() => requestLog?.dropped ?? 0)
  /** `metrics` null: not asked for. `close` writes what the request log still has, and never rejects. */
  return { telemetry, metrics, close: async () => requestLog?.close() }
}

/** The package is loaded by those who want numbers only. */
async function openMetrics(): Promise<Metrics> {
  const module = await import('../adapters/telemetry/metrics.ts')
  return new module.Metrics(METRIC_NAMES)
}
