import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Actor } from '../actor/actor.ts'
import { Registry } from '../actor/registry.ts'
import { createCodec } from '../adapters/codec/codec.ts'
import { type ComputePool, createComputePool } from '../adapters/compute/pool.ts'
import { createEmbedder } from '../adapters/embedder/http-embedder.ts'
import { openErasureMarks } from '../adapters/erasure/marks.ts'
import { clearPruned, readPruned } from '../adapters/erasure/prune-list.ts'
import { fencedFiles } from '../adapters/files/fenced-files.ts'
import { type FolderWatch, watchFolder } from '../adapters/files/folder-watch.ts'
import { type FreeSpace, isDiskFull, openFreeSpace } from '../adapters/files/free-space.ts'
import { acquireLock, type Lock } from '../adapters/files/lock.ts'
import { nodeFiles } from '../adapters/files/node-files.ts'
import { systemSchedule } from '../adapters/files/schedule.ts'
import { openHistory } from '../adapters/history/history.ts'
import { readStoreId } from '../adapters/journal/layout.ts'
import { languages } from '../adapters/language/languages.ts'
import { openExposureLedger } from '../adapters/ledger/ledger.ts'
import { openRecallImages } from '../adapters/recall/store.ts'
import { lruResidency } from '../adapters/residency/lru-residency.ts'
import { openSnapshotStore } from '../adapters/snapshot/store.ts'
import { openVectorStore } from '../adapters/vectors/store.ts'
import { SearchWorkspace } from '../core/search/workspace.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { History } from '../ports/history.ts'
import type { Grant } from '../ports/journal.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { observed } from '../runtime/observed.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { Semantic } from '../runtime/semantic.ts'
import { createService } from '../runtime/service.ts'
import { type ExplanationBound, poolArchiving } from './archiving.ts'
import { poolCompaction } from './compaction.ts'
import type { Config } from './config/options.ts'
import { packageVersion } from './config/version.ts'
import { indexMaker } from './index-maker.ts'
import { openWhole } from './open-journal.ts'
import { poolRedaction } from './redacting.ts'
import { type Life, ReturningService } from './returning.ts'
import type { Composition, SystemPorts } from './serve.ts'
import { knownPosition } from './store/completeness.ts'
import { removeActors } from './store/remove-actors.ts'
import { type OpenTelemetry, openTelemetry } from './telemetry.ts'
import { limitsOf, vitalsOf } from './vitals.ts'
import { warmUp } from './warm-up.ts'

/** The local files are one shard that nobody else can own: the folder's lock says so. */
const LOCAL_GRANT: Grant = { shard: 0, epoch: 1 }
const MIB = 1024 * 1024
/** A return after a full disk needs room for the fresh segment, and for the one that is made ready behind it. */
const SEGMENTS_TO_RETURN = 2
const DAY_MS = 24 * 3_600_000
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
 * Wires adapters, actors and runtime over one data folder. Whatever was opened is closed again when a later part
 * refuses to start. Rejects when the folder is locked, damaged, or of another format.
 */
export async function compose(config: Config, system: SystemPorts): Promise<Composed> {
  const dir = resolve(config.dataDir)
  await mkdir(dir, { recursive: true })
  const telling = await openTelemetry(config, system)
  try {
    const lock = await acquireLock(dir)
    try {
      return await composeLocked(config, system, telling, dir, lock)
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    await telling.close()
    throw error
  }
}

/** One lock for all lives: the folder has one owner for as long as the process uses it. */
async function composeLocked(
  config: Config,
  system: SystemPorts,
  telling: OpenTelemetry,
  dir: string,
  lock: Lock,
): Promise<Composed> {
  const { telemetry, metrics } = telling
  const watch = watchFolder(lock)
  watch.onLost((error) =>
    system.log.error({ error }, 'the data folder is lost: nothing is acknowledged any more'),
  )
  const space = await openFreeSpace(nodeFiles, dir, config.lowSpaceBytes)
  const startedAtMs = system.clock.nowMs()
  const service = await ReturningService.start({
    start: () => openLife(config, system, dir, { space, watch, startedAtMs, telemetry }),
    space,
    folder: watch,
    neededBytes: SEGMENTS_TO_RETURN * config.segmentBytes + MIB,
    schedule: systemSchedule,
    release: () => lock.release(),
    log: system.log,
  })
  metrics?.follow(() => vitalsOf(service.life, service.readiness().reasons))
  const coolDown = warmUp()
  return {
    runtime: observed(service, telemetry),
    telemetry,
    metrics,
    get registry() {
      return service.life.registry
    },
    get history() {
      return service.life.history
    },
    get erasuresResumed() {
      return service.life.erasuresResumed
    },
    async close() {
      coolDown()
      try {
        await service.close()
      } finally {
        await telling.close()
      }
    },
  }
}

/** What outlives a life of the service. */
interface Lasting {
  readonly space: FreeSpace
  readonly watch: FolderWatch
  readonly startedAtMs: number
  readonly telemetry: Telemetry
}

interface ComposedLife
  extends Omit<Life, 'registry'>,
    Pick<Composed, 'registry' | 'history' | 'erasuresResumed'> {
  readonly compute: ComputePool
}

/** Nobody is gone but for a prune that is to be finished. */
const NOBODY: ReadonlySet<string> = new Set()

/** Opens the store; before, a prune is finished that was decided and then cut off, or not yet begun. */
async function openLife(
  config: Config,
  system: SystemPorts,
  dir: string,
  lasting: Lasting,
): Promise<ComposedLife> {
  const pruned = await readPruned(nodeFiles, dir)
  if (pruned.size === 0) return openOnce(config, system, dir, lasting, NOBODY)
  const life = await openOnce({ ...config, embeddingsUrl: null }, system, dir, lasting, pruned)
  try {
    await life.registry.freeTurns(pruned)
  } finally {
    await life.runtime.close()
  }
  await removeActors(nodeFiles, dir, pruned)
  await clearPruned(nodeFiles, dir)
  system.log.info({ scopes: pruned.size }, 'pruned scopes are off the disk')
  return openOnce(config, system, dir, lasting, NOBODY)
}

async function openOnce(
  config: Config,
  system: SystemPorts,
  dir: string,
  lasting: Lasting,
  pruned: ReadonlySet<string>,
): Promise<ComposedLife> {
  const opened: (() => Promise<void>)[] = []
  const release = async () => {
    const failures: unknown[] = []
    for (const close of opened.splice(0).toReversed()) {
      await close().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed')
  }
  try {
    return await wire(config, system, dir, { ...lasting, pruned }, opened, release)
  } catch (error) {
    await release()
    throw error
  }
}

async function wire(
  config: Config,
  system: SystemPorts,
  dir: string,
  lasting: Lasting & { readonly pruned: ReadonlySet<string> },
  opened: (() => Promise<void>)[],
  release: () => Promise<void>,
): Promise<ComposedLife> {
  // The journal may archive a segment before the registry is there: then no bound is known yet.
  const late: { registry: Registry | null } = { registry: null }
  const boundsNow = () => late.registry?.explanationBounds() ?? []
  const { telemetry } = lasting
  const stores = await openStores(config, system, { ...lasting, dir }, opened, boundsNow)
  const { journal, snapshots, ledger, history, compute, manifest, ...others } = stores
  const codec = createCodec()
  const embedder = embedderOf(config, system)
  const timeoutMs = config.embeddingsTimeoutMs
  const registry = new Registry({
    ...others,
    journal,
    snapshots,
    ledger,
    codec,
    clock: system.clock,
    telemetry,
    log: system.log,
    grant: LOCAL_GRANT,
    search: new SearchWorkspace(languages),
    embedding: embedder === null ? null : { embedder, timeoutMs: timeoutMs * BATCH_PATIENCE },
    residency: lruResidency<Actor>({
      countMax: config.residentActorsMax,
      weightBytesMax: config.residentBytesMax,
    }),
    isDiskFull: (error) => isDiskFull(error) || (error instanceof Error && isDiskFull(error.cause)),
    mailboxDepthMax: config.mailboxDepthMax,
    scopesMax: config.scopesMax,
    scopesPerTenantMax: config.scopesPerTenantMax,
    concurrentLoadsMax: config.concurrentLoadsMax,
    waitingLoadsMax: config.concurrentLoadsMax * WAITING_LOADS_PER_PLACE,
    snapshotBytesMin: config.snapshotMinBytes,
    compaction: poolCompaction(journal, snapshots, compute),
    workerMemoriesMin: config.workerMemoriesMin,
  })
  late.registry = registry
  const runtime = createService({
    ...system,
    space: lasting.space,
    folder: lasting.watch,
    startedAtMs: lasting.startedAtMs,
    registry,
    codec,
    compute,
    ledger,
    history,
    journal,
    snapshots,
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
    release,
  })
  // A life that only finishes a prune loads none of its actors.
  const erasuresResumed = lasting.pruned.size === 0 ? registry.resumeErasures() : Promise.resolve()
  return { runtime, registry, history, journal, compute, manifest, erasuresResumed }
}

/** Null: recall is by words alone. */
function embedderOf(config: Config, { clock }: SystemPorts): Embedder | null {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: key, embeddingsDimensions } = config
  if (url === null) return null
  return createEmbedder({ url, model, key, dimensions: embeddingsDimensions, clock })
}

/** Everything over the data folder, in the order in which each part needs the ones before. */
async function openStores(
  config: Config,
  { clock, log }: SystemPorts,
  {
    dir,
    watch,
    telemetry,
    pruned,
  }: {
    readonly dir: string
    readonly watch: FolderWatch
    readonly telemetry: Telemetry
    readonly pruned: ReadonlySet<string>
  },
  opened: (() => Promise<void>)[],
  boundsNow: () => readonly ExplanationBound[],
) {
  const { files, fence } = fencedFiles(nodeFiles, () => watch.confirmed(NAME_LOOK_AGE_MAX_MS))
  opened.push(fence)
  // Under its name there may be another store by now.
  watch.onLost(() => void fence())
  const storage = { dir, files, log, clock }
  const known = await knownPosition(files, dir, await readStoreId(files, dir))
  const snapshots = await openSnapshotStore(storage)
  const recallImages = await openRecallImages({ ...storage, maker: indexMaker() })
  const erasureMarks = await openErasureMarks(storage)
  const ledger = await openExposureLedger({
    ...storage,
    retentionMs: config.exposureRetentionDays * DAY_MS,
    budgetBytes: config.exposureBudgetBytes,
  })
  const model = config.embeddingsUrl === null ? null : config.embeddingsModel
  const vectorStore = await openVectorStore({ ...storage, model })
  const compute = createComputePool({ threads: config.workers, log, telemetry })
  opened.push(() => compute.close())
  const past = await openHistory({
    ...storage,
    retentionMs: config.historyRetentionDays * DAY_MS,
    budgetBytes: config.historyBudgetBytes,
  })
  opened.push(() => past.close())
  const beforeUnlink = poolArchiving(past, compute, boundsNow)
  const whole = { ...storage, watch, telemetry, known, snapshots, ledger, beforeUnlink }
  const { journal, manifest } = await openWhole(config, whole, opened)
  for (const key of snapshots.actorKeys()) {
    for (const seq of snapshots.seqsOf(key)) journal.covered(LOCAL_GRANT, key, seq)
  }
  // No segment waits for one who is gone.
  for (const key of pruned) {
    for (let mark = 0; mark < 2; mark += 1) journal.covered(LOCAL_GRANT, key, journal.headOf(key))
  }
  const history = past.over({
    heldSeqs: (actorKey) => journal.heldSeqs(actorKey),
    read: (actorKey, fromSeq) => journal.read(LOCAL_GRANT, actorKey, fromSeq),
  })
  const redaction = poolRedaction(past, compute)
  return {
    journal,
    snapshots,
    recallImages,
    ledger,
    history,
    redaction,
    erasureMarks,
    compute,
    vectorStore,
    manifest,
  }
}
