import { endianness } from 'node:os'
import process from 'node:process'
import type { ArchiveJob, ExplanationBound } from '../../../workers/archive.ts'
import type { CompactJob, CompactResult } from '../../../workers/compact.ts'
import type { RedactJob } from '../../../workers/redact.ts'
import { createCodec } from '../../adapters/codec/codec.ts'
import type { ComputePool } from '../../adapters/compute/pool.ts'
import { openErasureMarks } from '../../adapters/erasure/marks.ts'
import { fencedStore } from '../../adapters/fence/fenced-store.ts'
import { requireArrived } from '../../adapters/files/arrival.ts'
import { type FolderWatch, isDiskFull } from '../../adapters/files/folder-watch.ts'
import { keepManifest, type ManifestKeeper, type StorePosition } from '../../adapters/files/manifest.ts'
import { packageVersion } from '../../adapters/files/package-file.ts'
import { isLocalGrant, LOCAL_GRANT, LOCAL_OWNERSHIP, turnsKnown } from '../../adapters/files/store-parts.ts'
import type { DataFolder } from '../../adapters/files/whole-file.ts'
import {
  type ArchiveOutcome,
  type FileHistory,
  openHistory,
  type RedactOutcome,
} from '../../adapters/history/history.ts'
import { type FileJournal, openJournal } from '../../adapters/journal/file-journal.ts'
import { readStoreId } from '../../adapters/journal/layout.ts'
import type { BeforeUnlink } from '../../adapters/journal/retention.ts'
import { type FileLedger, openExposureLedger } from '../../adapters/ledger/ledger.ts'
import { openPackedFiles } from '../../adapters/packs/packed-files.ts'
import { type IndexMaker, openRecallImages } from '../../adapters/recall/store.ts'
import { type FileSnapshotStore, openSnapshotStore } from '../../adapters/snapshot/store.ts'
import { openVectorStore } from '../../adapters/vectors/store.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import { noteWithoutErased } from '../../core/external/govern-record.ts'
import type { Redaction } from '../../core/model/erasure.ts'
import type { Compaction, Directory, Journal, SnapshotStore, Store } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { type Config, retentionOf, vectorModelOf } from '../config/options.ts'
import { type Opened, released } from '../opened.ts'
import { derivedLacks, journalLacks, knownPosition, StoreIncompleteError } from '../store/completeness.ts'
import { fileRemoval } from './file-removal.ts'

const codec = createCodec()

interface FileStoreParts extends DataFolder {
  readonly watch: FolderWatch
  readonly compute: Pick<ComputePool, 'runLong'>
  readonly clock: Clock
  readonly telemetry: Pick<Telemetry, 'journalWrote'>
  /** Actors that are gone but for what is on disk: no segment waits for them. */
  readonly pruned: ReadonlySet<string>
  /** Asked for each segment that is archived. */
  readonly boundsNow: () => readonly ExplanationBound[]
  /** Whether a store that is on its way into the folder is opened by what brings it; false unless given. */
  readonly isArriving?: boolean
}

export interface FileStore extends Store {
  readonly manifest: Pick<ManifestKeeper, 'look'>
  /** Has every turn of those that are gone go out of the journal. `snapshot` makes one of another actor. */
  freeTurns(snapshot: (actorKey: string) => Promise<void>): Promise<void>
}

/** Opens the folder, whose lock is held. What was opened is closed again when a later part refuses. */
export async function openFileStore(config: Config, parts: FileStoreParts): Promise<FileStore> {
  const opened: Opened = []
  const close = () => released(opened)
  try {
    return fencedStore({ ...(await openParts(config, parts, opened)), close }, isLocalGrant)
  } catch (error) {
    // The first error is the one to tell.
    await close().catch(() => undefined)
    throw error
  }
}

/** Everything over the data folder, in the order in which each part needs the ones before. */
async function openParts(
  config: Config,
  { boundsNow, compute, pruned, isArriving = false, ...given }: FileStoreParts,
  opened: Opened,
): Promise<Omit<FileStore, 'close'>> {
  const { dir } = given
  // First of all: in a folder of a later format nothing is touched.
  const storeId = await readStoreId(given.files, dir)
  if (!isArriving) await requireArrived(given.files, dir)
  const files = await openPackedFiles(given)
  opened.push(() => files.stop())
  const storage = { ...given, files }
  const known = await knownPosition(files, dir, storeId)
  const snapshots = await openSnapshotStore(storage)
  const recallImages = await openRecallImages({ ...storage, maker: indexMaker() })
  const erasureMarks = await openErasureMarks(storage)
  const { exposureRetentionMs, historyRetentionMs } = retentionOf(config)
  const ledger = await openExposureLedger({
    ...storage,
    retentionMs: exposureRetentionMs,
    budgetBytes: config.exposureBudgetBytes,
  })
  const vectorStore = await openVectorStore({ ...storage, model: vectorModelOf(config) })
  const past = await openHistory({
    ...storage,
    retentionMs: historyRetentionMs,
    budgetBytes: config.historyBudgetBytes,
  })
  opened.push(() => past.close())
  const beforeUnlink = poolArchiving(past, compute, boundsNow)
  const { journal, manifest } = await openWhole(
    config,
    { ...storage, known, snapshots, ledger, beforeUnlink },
    opened,
  )
  snapshots.ofStore(journal.storeId, (key, seq) => journal.turnCrcOf(key, seq))
  tellCovered(journal, snapshots, pruned)
  const history = past.over({
    heldSeqs: (actorKey) => journal.heldSeqs(actorKey),
    read: (actorKey, fromSeq) => journal.read(LOCAL_GRANT, actorKey, fromSeq),
  })
  files.start()
  const removal = fileRemoval({
    journal,
    snapshots,
    recallImages,
    ledger,
    redactHistory: poolRedaction(past, compute),
  })
  return {
    backend: 'journal',
    ownership: LOCAL_OWNERSHIP,
    directory: fileDirectory(journal, snapshots),
    journal,
    segments: journal,
    cluster: null,
    snapshots,
    recallImages,
    ledger,
    history,
    erasureMarks,
    removal,
    freeTurns: (snapshot) => removal.freeTurns(LOCAL_GRANT, pruned, { snapshot }),
    vectorStore,
    compaction: poolCompaction(journal, snapshots, compute, (path) => files.packOf(path) !== null),
    isDiskFull: (error) => isDiskFull(error) || (error instanceof Error && isDiskFull(error.cause)),
    manifest,
  }
}

/** Tells the journal which turns snapshots hold. No segment waits for one who is gone. */
function tellCovered(
  journal: Pick<Journal, 'covered' | 'headOf'>,
  snapshots: Pick<FileSnapshotStore, 'actorKeys' | 'seqsOf'>,
  pruned: ReadonlySet<string>,
): void {
  for (const key of snapshots.actorKeys()) {
    for (const seq of snapshots.seqsOf(key)) journal.covered(LOCAL_GRANT, key, seq)
  }
  for (const key of pruned) {
    for (let mark = 0; mark < 2; mark += 1) journal.covered(LOCAL_GRANT, key, journal.headOf(key))
  }
}

export function fileDirectory(
  journal: Pick<Journal, 'headOf'> & { actorKeys(): Iterable<string> },
  snapshots: Pick<SnapshotStore, 'coveredSeqOf' | 'bytesOf'>,
): Directory {
  return {
    async *actors() {
      yield* journal.actorKeys()
    },
    turnsOf: turnsKnown(journal, snapshots),
  }
}

/** The journal of a store that lacks nothing of what its manifest tells, and the manifest that goes on from there. */
async function openWhole(
  { durability, intervalMs, segmentBytes, padTo, journalChain }: Config,
  parts: Pick<FileStoreParts, 'dir' | 'files' | 'log' | 'watch' | 'telemetry'> & {
    readonly known: StorePosition | null
    readonly snapshots: Pick<FileSnapshotStore, 'extent'>
    readonly ledger: Pick<FileLedger, 'isUsed'>
    readonly beforeUnlink: BeforeUnlink
  },
  opened: Opened,
) {
  const { dir, files, log, watch, telemetry, known, snapshots, ledger, beforeUnlink } = parts
  const extent = () => ({ snapshots: snapshots.extent(), ledger: { isUsed: ledger.isUsed() } })
  const journal = await openJournal({
    dir,
    log,
    files,
    watch,
    durability,
    intervalMs,
    segmentBytes,
    padTo,
    isChained: journalChain !== 'off',
    beforeUnlink,
    onWritten: (records, tookMs) => telemetry.journalWrote(records, tookMs),
    onFound: (found) => {
      if (known === null) return
      const lacks = [...journalLacks(known, found), ...derivedLacks(known, extent())]
      if (lacks.length > 0) throw new StoreIncompleteError(dir, lacks)
    },
  })
  opened.push(() => journal.close())
  const { storeId } = journal
  const positionNow = () => ({ journal: journal.durable(), ...extent() })
  const manifest = await keepManifest({ files, dir, log, storeId, positionNow })
  opened.push(async () => {
    await journal.close()
    if (watch.lost === null) await manifest.close()
  })
  return { journal, manifest }
}

/** Another release may read words in another way; so may another Unicode, by which texts are folded and split. */
export function indexMaker(): IndexMaker {
  const unicode = process.versions['unicode'] ?? 'none'
  return { builtBy: `memgov ${packageVersion()}, Unicode ${unicode}`, byteOrder: endianness() }
}

/**
 * Archiving in the worker pool, from file to file. While the pool is full or closing the segment has to stay.
 * @param boundsNow asked for each segment
 */
function poolArchiving(
  history: FileHistory,
  pool: Pick<ComputePool, 'runLong'>,
  boundsNow: () => readonly ExplanationBound[],
): BeforeUnlink {
  return ({ seq, path, flushedEnd }) =>
    history.keep(seq, (place) => {
      const job: ArchiveJob = { segmentPath: path, flushedEnd, place, bounds: boundsNow() }
      return pool.runLong<ArchiveOutcome>('archive', job)
    })
}

/** Redaction in the worker pool, from file to file. While the pool is full or closing it rejects. */
function poolRedaction(
  history: FileHistory,
  pool: Pick<ComputePool, 'runLong'>,
): (actorKey: string, redaction: Redaction) => Promise<number> {
  return async (actorKey, redaction) => {
    const turns = await history.redact(actorKey, (place) => {
      const job: RedactJob = { place, actorKey, redaction }
      return pool.runLong<RedactOutcome>('redact', job)
    })
    // Notes name memory of other stores, and say nothing else that an erasure takes.
    if (redaction.external.length === 0) return turns
    return turns + (await history.redactNotes(actorKey, (note) => noteWithoutErased(note, redaction, codec)))
  }
}

/**
 * Compaction in the worker pool, from the files of journal and snapshot store.
 * @param isPacked whether a file does not lie by itself: a snapshot that is so small has no large actor yet
 */
function poolCompaction(
  journal: Pick<FileJournal, 'positionsOf'>,
  snapshots: FileSnapshotStore,
  pool: Pick<ComputePool, 'runLong'>,
  isPacked: (path: string) => boolean,
): Compaction {
  return {
    compact: (_grant, actorKey, toSeq) =>
      snapshots.adopt(actorKey, async ({ folder, storeId, basePath, baseSeq }) => {
        if (basePath !== null && isPacked(basePath)) return null
        const positions = journal.positionsOf(actorKey, baseSeq + 1, toSeq)
        if (positions.length === 0) return null
        const actor = { actorKey, ...partsOfActorKey(actorKey) }
        const job: CompactJob = { ...actor, storeId, folder, basePath, positions }
        return pool.runLong<CompactResult>('compact', job)
      }),
  }
}
