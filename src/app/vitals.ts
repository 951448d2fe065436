import type { Registry } from '../actor/registry.ts'
import type { ComputePool } from '../adapters/compute/pool.ts'
import type { Store } from '../ports/store.ts'
import type { Vitals } from '../ports/telemetry.ts'
import type { Config } from './config/options.ts'

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
