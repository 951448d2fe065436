import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Actor } from '../actor/actor.ts'
import { Registry } from '../actor/registry.ts'
import { createCodec } from '../adapters/codec/codec.ts'
import { createComputePool } from '../adapters/compute/pool.ts'
import { createEmbedder } from '../adapters/embedder/http-embedder.ts'
import { openErasureMarks } from '../adapters/erasure/marks.ts'
import { fencedFiles } from '../adapters/files/fenced-files.ts'
import { type FreeSpace, openFreeSpace } from '../adapters/files/free-space.ts'
import { acquireLock } from '../adapters/files/lock.ts'
import { nodeFiles } from '../adapters/files/node-files.ts'
import { systemSchedule } from '../adapters/files/schedule.ts'
import { openHistory } from '../adapters/history/history.ts'
import { openJournal } from '../adapters/journal/open-journal.ts'
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
import { Semantic } from '../runtime/semantic.ts'
import { createService } from '../runtime/service.ts'
import { type ExplanationBound, poolArchiving } from './archiving.ts'
import { poolCompaction } from './compaction.ts'
import type { Config } from './config/options.ts'
import { packageVersion } from './config/version.ts'
import { indexMaker } from './index-maker.ts'
import { poolRedaction } from './redacting.ts'
import { type Life, ReturningService } from './returning.ts'
import type { Composition, SystemPorts } from './serve.ts'
import { warmUp } from './warm-up.ts'

/** The local files are one shard that nobody else can own: the folder's lock says so. */
const LOCAL_GRANT: Grant = { shard: 0, epoch: 1 }
const MIB = 1024 * 1024
/** A return after a full disk needs room for the fresh segment, and for the one that is made ready behind it. */
const SEGMENTS_TO_RETURN = 2
const DAY_MS = 24 * 3_600_000
/** A request for 32 texts may take so much longer than one for a query. */
const BATCH_PATIENCE = 10
/** Loads that wait for a place, per place: more are answered 503. */
const WAITING_LOADS_PER_PLACE = 128

/** A composition whose actors can be looked at, for checks of what they hold. */
export interface Composed extends Composition {
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
  const space = await openFreeSpace(nodeFiles, dir, config.lowSpaceBytes)
  const startedAtMs = system.clock.nowMs()
  const service = await ReturningService.start({
    start: () => openLife(config, system, dir, { space, startedAtMs }),
    space,
    neededBytes: SEGMENTS_TO_RETURN * config.segmentBytes + MIB,
    schedule: systemSchedule,
    log: system.log,
  })
  const coolDown = warmUp()
  return {
    runtime: service,
    get registry() {
      return service.life.registry
    },
    get history() {
      return service.life.history
    },
    get erasuresResumed() {
      return service.life.erasuresResumed
    },
    close: () => {
      coolDown()
      return service.close()
    },
  }
}

/** What outlives a life of the service. */
interface Lasting {
  readonly space: FreeSpace
  readonly startedAtMs: number
}

interface ComposedLife extends Life, Pick<Composed, 'registry' | 'history' | 'erasuresResumed'> {}

async function openLife(
  config: Config,
  system: SystemPorts,
  dir: string,
  lasting: Lasting,
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
    return await wire(config, system, dir, lasting, opened, release)
  } catch (error) {
    await release()
    throw error
  }
}

async function wire(
  config: Config,
  system: SystemPorts,
  dir: string,
  lasting: Lasting,
  opened: (() => Promise<void>)[],
  release: () => Promise<void>,
): Promise<ComposedLife> {
  // The journal may archive a segment before the registry is there: then no bound is known yet.
  const late: { registry: Registry | null } = { registry: null }
  const { journal, snapshots, recallImages, ledger, history, redaction, erasureMarks, compute, vectorStore } =
    await openStores(config, system, dir, opened, () => late.registry?.explanationBounds() ?? [])
  const codec = createCodec()
  const embedder = embedderOf(config, system)
  const timeoutMs = config.embeddingsTimeoutMs
  const registry = new Registry({
    journal,
    snapshots,
    recallImages,
    ledger,
    codec,
    clock: system.clock,
    log: system.log,
    grant: LOCAL_GRANT,
    search: new SearchWorkspace(languages),
    redaction,
    embedding: embedder === null ? null : { embedder, timeoutMs: timeoutMs * BATCH_PATIENCE },
    vectorStore,
    erasureMarks,
    residency: lruResidency<Actor>({
      countMax: config.residentActorsMax,
      weightBytesMax: config.residentBytesMax,
    }),
    mailboxDepthMax: config.mailboxDepthMax,
    concurrentLoadsMax: config.concurrentLoadsMax,
    waitingLoadsMax: config.concurrentLoadsMax * WAITING_LOADS_PER_PLACE,
    snapshotBytesMin: config.snapshotMinBytes,
    compaction: poolCompaction(journal, snapshots, compute),
    workerMemoriesMin: config.workerMemoriesMin,
  })
  late.registry = registry
  const runtime = createService({
    ...system,
    ...lasting,
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
  const erasuresResumed = registry.resumeErasures()
  return { runtime, registry, history, journal, erasuresResumed }
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
  dir: string,
  opened: (() => Promise<void>)[],
  boundsNow: () => readonly ExplanationBound[],
) {
  const lock = await acquireLock(dir)
  opened.push(() => lock.release())
  const { files, fence } = fencedFiles(nodeFiles)
  opened.push(fence)
  const storage = { dir, files, log, clock }
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
  const compute = createComputePool({ threads: config.workers })
  opened.push(() => compute.close())
  const past = await openHistory({
    ...storage,
    retentionMs: config.historyRetentionDays * DAY_MS,
    budgetBytes: config.historyBudgetBytes,
  })
  opened.push(() => past.close())
  const { durability, intervalMs, segmentBytes, padTo } = config
  const beforeUnlink = poolArchiving(past, compute, boundsNow)
  const isChained = config.journalChain !== 'off'
  const journal = await openJournal({
    dir,
    log,
    durability,
    intervalMs,
    segmentBytes,
    padTo,
    isChained,
    beforeUnlink,
  })
  opened.push(() => journal.close())
  for (const key of snapshots.actorKeys()) {
    for (const seq of snapshots.seqsOf(key)) journal.covered(LOCAL_GRANT, key, seq)
  }
  const history = past.over({
    heldSeqs: (actorKey) => journal.heldSeqs(actorKey),
    read: (actorKey, fromSeq) => journal.read(LOCAL_GRANT, actorKey, fromSeq),
  })
  const redaction = poolRedaction(past, compute)
  return { journal, snapshots, recallImages, ledger, history, redaction, erasureMarks, compute, vectorStore }
}

function limitsOf(config: Config): Readonly<Record<string, number>> {
  return {
    body_bytes: config.bodyLimitBytes,
    connections: config.connectionsMax,
    mailbox_depth: config.mailboxDepthMax,
    resident_actors: config.residentActorsMax,
    resident_bytes: config.residentBytesMax,
  }
}
