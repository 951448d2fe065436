import { endianness } from 'node:os'
import type { Actor } from '../../src/actor/actor.ts'
import { LiveTurns } from '../../src/actor/live-turns.ts'
import { PastStates } from '../../src/actor/recovery.ts'
import { Registry } from '../../src/actor/registry.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { openErasureMarks } from '../../src/adapters/erasure/marks.ts'
import { isDiskFull, UNWATCHED } from '../../src/adapters/files/folder-watch.ts'
import { keepManifest } from '../../src/adapters/files/manifest.ts'
import { silentTelemetry } from '../../src/adapters/files/null-ports.ts'
import { LOCAL_OWNERSHIP } from '../../src/adapters/files/store-parts.ts'
import { openExposureLedger } from '../../src/adapters/ledger/ledger.ts'
import { openPackedFiles } from '../../src/adapters/packs/packed-files.ts'
import { openRecallImages } from '../../src/adapters/recall/store.ts'
import { lruResidency } from '../../src/adapters/residency/lru-residency.ts'
import { openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { type Opened, released } from '../../src/app/opened.ts'
import { fileRemoval } from '../../src/app/stores/file-removal.ts'
import { fileDirectory } from '../../src/app/stores/file-store.ts'
import type { Compute, ComputeFailure } from '../../src/ports/compute.ts'
import type { Files } from '../../src/ports/files.ts'
import type { Journal, SnapshotStore } from '../../src/ports/store.ts'
import type { Entropy } from '../../src/ports/system.ts'
import type { Runtime } from '../../src/runtime/runtime.ts'
import { Service } from '../../src/runtime/service.ts'
import { redactFile } from '../../workers/redact.ts'
import { type ManualClock, RETENTION } from '../harness/system.ts'
import { createInlineIo } from '../support/inline-io.ts'
import { search } from '../support/search.ts'
import { startLife } from './history-life.ts'
import { DIR, GRANT, ManualTimers, silentLog } from './journal-life.ts'
import type { Process } from './simulated-disk.ts'

/** A mistake put between the service and what it stands on, to see whether a suite notices. */
export interface Fault {
  /** What all writing goes through. */
  readonly files?: (files: Files) => Files
  readonly journal?: (journal: Journal) => Journal
  readonly snapshots?: (snapshots: SnapshotStore) => SnapshotStore
}

export interface SimulatedService {
  readonly runtime: Runtime
  readonly store: { readonly journal: Journal; readonly manifest: { look(): Promise<void> } }
  readonly registry: Pick<Registry, 'resumeErasures' | 'snapshotFailures'>
  /** Runs `read` in a turn of the actor: it sees what an answer would show, and waits as an answer would. */
  list(tenantId: string, scope: string): Promise<readonly string[]>
  readonly timers: ManualTimers
}

export interface SimulatedOptions {
  readonly clock: ManualClock
  readonly entropy: Entropy
  readonly fault: Fault
  /** Whether the oldest files go into packs. Default: there are too few for that. */
  readonly isPacking?: boolean
  /** Default: there is always room. */
  readonly isSpaceShort?: () => boolean
}

const MAKER = { builtBy: 'simulated', byteOrder: endianness() }

class NoPoolError extends Error implements ComputeFailure {
  readonly computeFailure = 'failed'
}

const refuse = (): Promise<never> => Promise.reject(new NoPoolError('there is no pool here'))

/** Every task fails, so that the serving thread does it: a simulated disk is seen by one thread only. */
const NO_POOL: Compute = {
  rank: refuse,
  knn: refuse,
  score: refuse,
  screen: refuse,
  examine: refuse,
  compare: refuse,
  waiting: () => 0,
  waitingUpkeep: () => 0,
  close: async () => undefined,
}

/**
 * The whole service on a simulated disk, wired as the application does, with what workers do inline. Two actors have
 * room, segments are small and few files may lie by themselves, so that loads, evictions, snapshots, packs, new segments and archives
 * meet every history.
 */
export async function startSimulated(process: Process, options: SimulatedOptions): Promise<SimulatedService> {
  const opened: Opened = []
  try {
    return await startOn(process, options, opened)
  } catch (error) {
    await released(opened).catch(() => undefined)
    throw error
  }
}

async function startOn(
  process: Process,
  { clock, entropy, fault, ...options }: SimulatedOptions,
  opened: Opened,
): Promise<SimulatedService> {
  const files = await openPackedFiles({
    dir: DIR,
    files: fault.files?.(process.files) ?? process.files,
    log: silentLog,
    looseMax: options.isPacking === true ? 3 : 1000,
    packBytes: 8192,
  })
  opened.push(() => files.stop())
  const faulty: Process = { ...process, files }
  const storage = { dir: DIR, files, log: silentLog, clock }
  const timers = new ManualTimers()
  const codec = createCodec()
  const realSnapshots = await openSnapshotStore(storage)
  const ledger = await openExposureLedger({ ...storage, ...RETENTION })
  const life = await startLife(faulty, timers, {
    journal: { io: createInlineIo(files), nowMs: () => clock.nowMs(), maxSegments: 2 },
  })
  const { journal: realJournal, history, past } = life
  opened.push(() => past.close())
  const { storeId } = realJournal
  const positionNow = () => ({
    journal: realJournal.durable(),
    snapshots: realSnapshots.extent(),
    ledger: { isUsed: ledger.isUsed() },
  })
  opened.push(() => realJournal.close())
  const manifest = await keepManifest({ dir: DIR, files, log: silentLog, storeId, positionNow })
  opened.push(async () => {
    await realJournal.close()
    await manifest.close()
  })
  realSnapshots.ofStore(storeId, (key, seq) => realJournal.turnCrcOf(key, seq))
  const journal = fault.journal?.(realJournal) ?? realJournal
  const snapshots = fault.snapshots?.(realSnapshots) ?? realSnapshots
  for (const key of realSnapshots.actorKeys()) {
    for (const seq of realSnapshots.seqsOf(key)) journal.covered(GRANT, key, seq)
  }
  const recallImages = await openRecallImages({ dir: DIR, files, log: silentLog, maker: MAKER })
  files.start()
  const liveTurns = new LiveTurns()
  const registry = await Registry.over({
    liveTurns,
    journal,
    segments: realJournal,
    snapshots,
    ledger,
    codec,
    clock,
    telemetry: silentTelemetry,
    log: silentLog,
    ownership: LOCAL_OWNERSHIP,
    directory: fileDirectory(realJournal, snapshots),
    search,
    removal: fileRemoval({
      journal: realJournal,
      snapshots: realSnapshots,
      recallImages,
      ledger,
      redactHistory: (actorKey, redaction) =>
        past.redact(actorKey, (place) => redactFile(files, { place, actorKey, redaction })),
    }),
    recallImages,
    embedding: null,
    vectorStore: null,
    erasureMarks: await openErasureMarks({ dir: DIR, files, log: silentLog }),
    residency: lruResidency<Actor>({ countMax: 2, weightBytesMax: 2 ** 30 }),
    isDiskFull,
    mailboxDepthMax: 8,
    scopesMax: 100,
    scopesPerTenantMax: 100,
    concurrentLoadsMax: 2,
    waitingLoadsMax: 16,
    snapshotBytesMin: 4096,
    compaction: { compact: async () => null },
    // A few memories are many: their indexes are stored.
    workerMemoriesMin: 3,
  })
  const runtime = new Service({
    cluster: null,
    liveTurns,
    registry,
    clock,
    entropy,
    log: silentLog,
    codec,
    compute: NO_POOL,
    ledger,
    history,
    past: new PastStates({ snapshots, history, codec }),
    journal,
    snapshots,
    durability: 'sync',
    backend: 'journal',
    folder: UNWATCHED,
    space: { isShort: options.isSpaceShort ?? (() => false) },
    startedAtMs: 0,
    inlineRankNs: Number.MAX_SAFE_INTEGER,
    embedder: null,
    semantic: null,
    holdOut: { percent: 0, actorKeys: [] },
    version: 'simulated',
    workerThreads: 0,
    closeDeadlineMs: 60_000,
    limits: {},
    release: () => released(opened),
  })
  return {
    runtime,
    store: { journal, manifest },
    registry,
    timers,
    list: (tenantId, scope) =>
      registry.use(tenantId, scope, (actor) =>
        actor.turn(({ memories }) => ({
          events: [],
          reply: [...memories.values()].flatMap(({ clientId }) => clientId ?? []),
        })),
      ),
  }
}
