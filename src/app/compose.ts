import { resolve } from 'node:path'
import type { ExplanationBound } from '../../workers/archive.ts'
import type { Actor } from '../actor/actor.ts'
import { LiveTurns } from '../actor/live-turns.ts'
import { PastStates } from '../actor/recovery.ts'
import { Registry } from '../actor/registry.ts'
import { createCodec } from '../adapters/codec/codec.ts'
import { ComputePool } from '../adapters/compute/pool.ts'
import { clearPruned, readPruned } from '../adapters/erasure/marks.ts'
import { systemSchedule } from '../adapters/files/concurrency.ts'
import { type FreeSpace, openFreeSpace, UNWATCHED, watchFolder } from '../adapters/files/folder-watch.ts'
import { acquireLock, type Lock } from '../adapters/files/lock.ts'
import { fencedFiles, nodeFiles } from '../adapters/files/node-files.ts'
import { packageVersion } from '../adapters/files/package-file.ts'
import type { KeyPlace } from '../adapters/keys/key-folder.ts'
import { languages } from '../adapters/language/languages.ts'
import { MemoryData } from '../adapters/memory/data.ts'
import { openPackedFiles } from '../adapters/packs/packed-files.ts'
import type { PostgresReader } from '../adapters/postgres/reader.ts'
import type { PostgresStore } from '../adapters/postgres/store.ts'
import { lruResidency } from '../adapters/residency/lru-residency.ts'
import { SearchWorkspace } from '../core/search/workspace.ts'
import { Embedding } from '../embedding/embedding.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { History, Store } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { Semantic } from '../runtime/semantic.ts'
import { observed, Service, type ServiceParts } from '../runtime/service.ts'
import { type Config, IN_MEMORY, storeUrlOf } from './config/options.ts'
import { embedderOf } from './embedder.ts'
import { type Opened, released } from './opened.ts'
import { ReturningService } from './returning.ts'
import type { Composition, SystemPorts } from './serve.ts'
import { removeActors } from './store/remove-actors.ts'
import { type FileStore, openFileStore } from './stores/file-store.ts'
import { openMemoryStore } from './stores/memory-store.ts'
import { limitsOf, type OpenTelemetry, openTelemetry, vitalsOf } from './telemetry.ts'
import { retryErasures } from './upkeep.ts'

const MIB = 1024 * 1024
/** A return after a full disk needs room for the fresh segment, and for the one that is made ready behind it. */
const SEGMENTS_TO_RETURN = 2
/** A request for 32 texts may take so much longer than one for a query. */
const BATCH_PATIENCE = 10
/** A name is changed on a look that is no older: under it there may be another store by now. */
const NAME_LOOK_AGE_MAX_MS = 20
/** Loads that wait for a place, per place: more are answered 503. */
const WAITING_LOADS_PER_PLACE = 128

/** A composition whose actors can be looked at, for checks of what they hold. */
export interface Composed extends Composition {
  readonly runtime: Runtime
  readonly registry: Registry
  readonly history: History
  /** Resolves when erasures that an earlier process was cut off in are finished, or have failed again. */
  readonly erasuresResumed: Promise<void>
}

/**
 * Wires adapters, actors and runtime over one store. Whatever was opened is closed again when a later part refuses to
 * start. Rejects when the folder is locked, damaged, or of another format. `data`: what a store in memory goes on with.
 */
export async function compose(given: Config, ports: SystemPorts, data = new MemoryData()): Promise<Composed> {
  const telling = await openTelemetry(given, ports)
  try {
    const embedder = await embedderOf(given, ports)
    const system = { ...ports, embedder }
    // Vectors are kept under the name of their model.
    const config = embedder === null ? given : { ...given, embeddingsModel: embedder.model }
    const url = storeUrlOf(config)
    if (url !== null) return await composeShared(config, system, telling, url)
    return config.dataDir === IN_MEMORY
      ? await composeInMemory(config, system, telling, data)
      : await composeFolder(config, system, telling)
  } catch (error) {
    await telling.close()
    throw error
  }
}

/** One lock for all lives: the folder has one owner for as long as the process uses it. */
async function composeFolder(
  config: Config,
  system: Surroundings,
  telling: OpenTelemetry,
): Promise<Composed> {
  const dir = resolve(config.dataDir)
  const lock = await acquireLock(dir)
  try {
    const service = await startLives(config, system, telling, { dir, lock })
    return composed(service, () => service.life, telling)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function startLives(
  config: Config,
  system: Surroundings,
  { telemetry }: OpenTelemetry,
  { dir, lock }: { readonly dir: string; readonly lock: Lock },
) {
  const watch = watchFolder(lock)
  watch.onLost((error) =>
    system.log.error({ error }, 'the data folder is lost: nothing is acknowledged any more'),
  )
  const space = await openFreeSpace(nodeFiles, dir, config.lowSpaceBytes)
  const lasting = { space, folder: watch, startedAtMs: system.clock.nowMs(), telemetry }
  const open = (pruned: ReadonlySet<string>) =>
    openLife(config, system, lasting, pruned.size > 0, (opened, compute, boundsNow) => {
      const { files, fence } = fencedFiles(nodeFiles, () => watch.confirmed(NAME_LOOK_AGE_MAX_MS))
      opened.unshift(async () => fence())
      // Under its name there may be another store by now.
      watch.onLost(() => void fence())
      return openFileStore(config, { ...system, dir, files, watch, telemetry, compute, boundsNow, pruned })
    })
  return ReturningService.start({
    start: async () => {
      const pruned = await readPruned(nodeFiles, dir)
      if (pruned.size > 0) await finishPrune(await open(pruned), dir, pruned, system)
      return open(NOBODY)
    },
    space,
    folder: watch,
    neededBytes: SEGMENTS_TO_RETURN * config.segmentBytes + MIB,
    schedule: systemSchedule,
    release: () => lock.release(),
    log: system.log,
  })
}

/** Nobody is gone but for a prune that is to be finished. */
const NOBODY: ReadonlySet<string> = new Set()

/** Finishes a prune that was decided and then cut off, or not yet begun, in a life of its own. */
async function finishPrune(
  { runtime, registry, store }: Life & { readonly store: FileStore },
  dir: string,
  pruned: ReadonlySet<string>,
  { log }: SystemPorts,
): Promise<void> {
  try {
    await store.freeTurns((key) => registry.snapshot(key))
  } finally {
    await runtime.close()
  }
  await removeActors(await openPackedFiles({ dir, files: nodeFiles, log }), dir, pruned)
  await clearPruned(nodeFiles, dir)
  log.info({ scopes: pruned.size }, 'pruned scopes are off the disk')
}

/** Around a store that has no folder of its own: memory has room until the process has none, and a database says itself. */
function withoutFolder({ clock }: SystemPorts, { telemetry }: OpenTelemetry): Lasting {
  const space = { isShort: () => false, hasRoom: () => true }
  return { space, folder: UNWATCHED, startedAtMs: clock.nowMs(), telemetry }
}

/** Nothing is locked, watched or written: the store is gone with the process, and so no answer says that it is durable. */
async function composeInMemory(
  config: Config,
  system: Surroundings,
  telling: OpenTelemetry,
  data: MemoryData,
): Promise<Composed> {
  system.log.info({}, 'the store is in memory: nothing is kept when the process ends')
  const lasting = withoutFolder(system, telling)
  const life = await openLife({ ...config, durability: 'none' }, system, lasting, false, async () =>
    openMemoryStore(config, system.clock, data),
  )
  return composed(life.runtime, () => life, telling)
}

/** Nothing is locked, and nothing lies on the disk of the node: who may write says the database. */
async function composeShared(
  config: Config,
  system: Surroundings,
  telling: OpenTelemetry,
  url: string,
): Promise<Composed> {
  const { telemetry } = telling
  const { openSharedStore, storeKeys } = await import('./stores/postgres-store.ts')
  const lasting = withoutFolder(system, telling)
  const life = await openLife<PostgresStore>(config, system, lasting, false, async () =>
    openSharedStore(config, url, { ...system, telemetry }),
  )
  return composed(life.runtime, () => life, telling, storeKeys(life.store.database))
}

/** The service over a database that it only looks at: it reads as any service does, and refuses every write. */
export async function composeView(
  given: Config,
  ports: SystemPorts,
  url: string,
): Promise<{ readonly runtime: Runtime; readonly view: PostgresReader; close(): Promise<void> }> {
  const config = { ...given, embeddingsUrl: null, metrics: false }
  const system = { ...ports, embedder: null }
  const telling = await openTelemetry(config, ports)
  const { telemetry } = telling
  const { openSharedView } = await import('./stores/postgres-store.ts')
  const view = await openSharedView(config, url, { ...ports, telemetry })
  const lasting = withoutFolder(ports, telling)
  const { runtime } = await openLife(config, system, lasting, false, async () => view.store)
  return {
    runtime,
    view,
    async close() {
      await runtime.close()
      await telling.close()
    },
  }
}

/** What a process uses of the service, whatever its store is. */
function composed(
  service: Runtime,
  lifeNow: () => Life,
  telling: OpenTelemetry,
  keys: KeyPlace | null = null,
): Composed {
  const { telemetry, metrics } = telling
  metrics?.follow(() => vitalsOf(lifeNow(), service.readiness().reasons))
  return {
    runtime: observed(service, telemetry),
    telemetry,
    metrics,
    keys,
    get registry() {
      return lifeNow().registry
    },
    get history() {
      return lifeNow().store.history
    },
    get erasuresResumed() {
      return lifeNow().erasuresResumed
    },
    get cluster() {
      return lifeNow().store.cluster
    },
    async close() {
      try {
        await service.close()
      } finally {
        await telling.close()
      }
    },
  }
}

/** The world around all lives of the service. */
interface Surroundings extends SystemPorts {
  /** Null: recall is by words alone. */
  readonly embedder: Embedder | null
}

/** What outlives a life of the service. */
interface Lasting extends Pick<ServiceParts, 'folder' | 'startedAtMs'> {
  readonly space: Pick<FreeSpace, 'isShort' | 'hasRoom'>
  readonly telemetry: Telemetry
}

/** The service over one opening of the store. */
interface Life extends Pick<Composed, 'runtime' | 'registry' | 'erasuresResumed'> {
  readonly store: Store
  readonly compute: ComputePool
}

/** Opens the store of one life. What it pushes on `opened` is closed behind it. */
type OpenStore<S extends Store> = (
  opened: Opened,
  compute: ComputePool,
  boundsNow: () => readonly ExplanationBound[],
) => Promise<S>

async function openLife<S extends Store>(
  given: Config,
  around: Surroundings,
  lasting: Lasting,
  isForPrune: boolean,
  openStore: OpenStore<S>,
): Promise<Life & { readonly store: S }> {
  const config = isForPrune ? { ...given, embeddingsUrl: null } : given
  const system = isForPrune ? { ...around, embedder: null } : around
  const opened: Opened = []
  const release = () => released(opened)
  try {
    const { telemetry } = lasting
    const compute = new ComputePool({ threads: config.workers, log: system.log, telemetry })
    opened.push(() => compute.close())
    // The journal may archive a segment before the registry is there: then no bound is known yet.
    const late: { registry: Registry | null } = { registry: null }
    const store = await openStore(opened, compute, () => late.registry?.explanationBounds() ?? [])
    opened.push(() => store.close())
    const { runtime, registry } = await wire(config, system, lasting, { compute, store, release })
    late.registry = registry
    // A life that only finishes a prune loads none of its actors.
    if (isForPrune) return { runtime, registry, store, compute, erasuresResumed: Promise.resolve() }
    const mayTry = () =>
      lasting.folder.lost === null &&
      !store.journal.health().isFull &&
      store.cluster?.isStoreReachable() !== false &&
      lasting.space.hasRoom(MIB)
    const stop = retryErasures(registry, { mayTry, schedule: systemSchedule })
    opened.push(async () => stop())
    return { runtime, registry, store, compute, erasuresResumed: registry.resumeErasures() }
  } catch (error) {
    // The first error is the one to tell.
    await release().catch(() => undefined)
    throw error
  }
}

async function wire(
  config: Config,
  system: Surroundings,
  lasting: Lasting,
  parts: {
    readonly compute: ComputePool
    readonly store: Store
    readonly release: () => Promise<void>
  },
): Promise<{ readonly runtime: Runtime; readonly registry: Registry }> {
  const { store } = parts
  const { cluster } = store
  const codec = createCodec(cluster === null ? {} : { readByAll: () => cluster.readByAll() })
  const { embedder } = system
  const timeoutMs = config.embeddingsTimeoutMs
  const { vectorStore } = store
  const embedding =
    embedder === null || vectorStore === null
      ? null
      : new Embedding({
          ...system,
          embedder,
          store: vectorStore,
          timeoutMs: timeoutMs * BATCH_PATIENCE,
          delay: systemSchedule,
        })
  const search = new SearchWorkspace(languages)
  const liveTurns = new LiveTurns()
  const registry = await Registry.over({
    ...config,
    ...store,
    ...system,
    telemetry: lasting.telemetry,
    liveTurns,
    codec,
    search,
    embedding,
    residency: lruResidency<Actor>({
      countMax: config.residentActorsMax,
      weightBytesMax: config.residentBytesMax,
    }),
    waitingLoadsMax: config.concurrentLoadsMax * WAITING_LOADS_PER_PLACE,
    snapshotBytesMin: config.snapshotMinBytes,
  })
  const runtime = new Service({
    ...system,
    ...lasting,
    ...store,
    ...parts,
    registry,
    liveTurns,
    codec,
    past: new PastStates({ ...store, codec }),
    durability: config.durability,
    inlineRankNs: config.inlineRankMaxNs,
    embedder,
    semantic: embedder === null ? null : new Semantic({ ...system, embedder, timeoutMs }),
    holdOut: { percent: config.holdoutPercent, actorKeys: config.holdoutScopes },
    version: packageVersion(),
    workerThreads: config.workers,
    // Draining the edge takes the first half of the deadline; sealing the journal needs a moment at the end.
    closeDeadlineMs: Math.ceil(config.shutdownDeadlineMs * 0.4),
    limits: limitsOf(config),
  })
  return { runtime, registry }
}
