import { dirname, join } from 'node:path'
import { actorKeyHashOf } from '../../adapters/files/actor-folders.ts'
import { writeManifest } from '../../adapters/files/manifest.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { LOCAL_GRANT } from '../../adapters/files/store-parts.ts'
import { moveToQuarantine } from '../../adapters/files/whole-file.ts'
import { openLayout } from '../../adapters/journal/layout.ts'
import { openRemovalMark } from '../../adapters/ledger/format.ts'
import { KEPT_FOREVER, openExposureLedger } from '../../adapters/ledger/ledger.ts'
import { openSnapshotStore } from '../../adapters/snapshot/store.ts'
import { openVectorStore } from '../../adapters/vectors/store.ts'
import { messageOf } from '../../core/base/errors.ts'
import { stateHash } from '../../core/model/state-image.ts'
import type { Files } from '../../ports/files.ts'
import type { Grant, Store as OpenStore, VectorStore } from '../../ports/store.ts'
import type { StoreReader } from '../../ports/store-reader.ts'
import type { Clock, Log } from '../../ports/system.ts'
import { factsOf } from '../store/actor-facts.ts'
import { rebuildActor } from '../store/actor-states.ts'
import { positionOf } from '../store/completeness.ts'
import { faultOf, readStore, type Store, storeDamages } from '../store/read-store.ts'
import { ArchiveError, type ManifestLine } from './archive-lines.ts'
import { type ArchivedActor, archiveParts } from './archive-reader.ts'

export interface ImportOptions {
  readonly files?: Files
  readonly clock: Clock
  readonly log: Log
  readonly onActor?: ((actorKey: string) => void) | undefined
}

/** An actor that is there already, as something else, or that another node keeps from being written. */
interface RefusedActor {
  readonly key: string
  /** With what to do. */
  readonly reason: string
}

export interface ImportReport {
  /** Of the store that the archive was made of. */
  readonly sourceStoreId: string
  readonly written: readonly string[]
  /** Actors that were there already, with the same state. */
  readonly skipped: readonly string[]
  readonly refused: readonly RefusedActor[]
  readonly manifest: ManifestLine
}

const ELSEWHERE = 'import into another store, or export it from here first'

export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/** What is left to tell of an archive that was read to its end. */
type CheckedArchive = Awaited<ReturnType<typeof checkedArchive>>

/**
 * Puts the actors of an archive into a data folder, which may be new. The whole archive is checked before anything is
 * written. Cut off anywhere, it can be repeated: an actor is there as a whole or not at all. Hold the lock of the folder.
 * Rejects with ArchiveError or ImportRefused; then nothing was written.
 */
export async function importArchive(
  dir: string,
  path: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const { files = nodeFiles } = options
  const archive = await checkedArchive(files, path, options)
  const store = await readStore(dir, { files })
  const [damage] = storeDamages(store)
  if (damage !== undefined) throw new ImportRefused(faultOf(damage))
  if (store.pruned.size > 0) {
    throw new ImportRefused('a prune of this store was cut off; start the service once to finish it')
  }
  const { fresh, skipped, refused } = await sorted(store, archive)
  if (fresh.size > 0) await write(store, path, archive, fresh, options)
  return {
    sourceStoreId: archive.storeId,
    written: [...fresh],
    skipped,
    refused,
    manifest: archive.manifest,
  }
}

/** The whole of it is read and checked. @throws ArchiveError */
async function checkedArchive(files: Files, path: string, { onActor }: Pick<ImportOptions, 'onActor'>) {
  const actors = new Map<string, { seq: number; digest: string }>()
  const facts = { storeId: '', removedUntilMs: 0 }
  for await (const part of archiveParts(files, path)) {
    if (part.kind === 'head') {
      facts.storeId = part.head.store_id
      facts.removedUntilMs = part.head.exposures_removed_until_ms
    } else if (part.kind === 'actor') {
      const { key, image } = part.actor
      onActor?.(key)
      actors.set(key, { seq: image.seq, digest: image.stateHash })
    } else {
      return { ...facts, actors, manifest: part.manifest }
    }
  }
  throw new ArchiveError(path, 1, 'the archive has no manifest')
}

async function sorted(store: Store, archive: CheckedArchive) {
  const fresh = new Set<string>()
  const skipped: string[] = []
  const refused: RefusedActor[] = []
  for (const [key, { seq, digest }] of archive.actors) {
    const actor = store.actors.get(key)
    if (actor === undefined) {
      fresh.add(key)
      continue
    }
    const { state, damages } = await rebuildActor(store.files, actor)
    const damage = damages[0]
    if (damage !== undefined)
      refused.push({ key, reason: `it is there, damaged: ${damage.what}; ${ELSEWHERE}` })
    else if (state.seq === seq && stateHash(state) === digest) skipped.push(key)
    else refused.push({ key, reason: otherState(state.seq, seq) })
  }
  return { fresh, skipped, refused }
}

function otherState(seq: number, archived: number): string {
  return `it is there at turn ${seq} with another state; the archive has turn ${archived}; ${ELSEWHERE}`
}

/** The actors of an archive that was checked. @throws ArchiveError when it is not what it was */
async function* archivedActors(
  files: Files,
  path: string,
  archive: CheckedArchive,
): AsyncGenerator<ArchivedActor> {
  for await (const part of archiveParts(files, path)) {
    if (part.kind !== 'actor') continue
    const { key, image, line } = part.actor
    if (archive.actors.get(key)?.digest !== image.stateHash)
      throw new ArchiveError(path, line, 'the archive was changed while it was read', 'import again')
    yield part.actor
  }
}

async function write(
  store: Store,
  path: string,
  archive: CheckedArchive,
  fresh: ReadonlySet<string>,
  { clock, log, onActor }: ImportOptions,
): Promise<void> {
  const { dir, files } = store
  const storeId = await openLayout(files, dir)
  await setAside(store, archive, fresh, log)
  const snapshots = await openSnapshotStore({ dir, files, log, clock })
  snapshots.ofStore(storeId)
  // Retention is for the service.
  const ledger = await openExposureLedger({ dir, files, log, clock, ...KEPT_FOREVER })
  const root = join(dir, 'ledger')
  const mark = await openRemovalMark(files, root, await files.readdir(root))
  await mark.raise(archive.removedUntilMs)
  let vectorStore: VectorStore | null = null
  for await (const actor of archivedActors(files, path, archive)) {
    if (!fresh.has(actor.key)) continue
    onActor?.(actor.key)
    // Under a model without a name: which memory must not be embedded is kept where no model is configured too.
    if (actor.notEmbedded.length > 0) vectorStore ??= await openVectorStore({ dir, files, log, model: '' })
    await put({ ledger, snapshots, vectorStore }, LOCAL_GRANT, actor)
  }
  await writeManifest(files, dir, { storeId, position: await positionOf(files, dir) })
}

/** Ledger files of an actor that is not there are what an import of another archive, cut off, has left. */
async function setAside(
  { dir, files, ledger }: Store,
  archive: CheckedArchive,
  fresh: ReadonlySet<string>,
  log: Log,
): Promise<void> {
  const hashes = new Set([...archive.actors.keys()].filter((key) => fresh.has(key)).map(actorKeyHashOf))
  for (const { path, named: file } of ledger.found) {
    if (hashes.has(file.actorKeyHash))
      await moveToQuarantine({ dir, files, log }, dirname(path), file.name, 'its actor is not there')
  }
}

/** The snapshot comes last, as a service does it: an actor that has its snapshot has everything. */
async function put(
  { ledger, snapshots, vectorStore }: Pick<OpenStore, 'ledger' | 'snapshots' | 'vectorStore'>,
  grant: Grant,
  { key, image, exposures, notEmbedded }: ArchivedActor,
): Promise<void> {
  const fromSeq = exposures.reduce((least, { seq }) => Math.min(least, seq), image.seq + 1) - 1
  if (exposures.length > 0) await ledger.append(grant, key, fromSeq, image.seq, exposures)
  if (notEmbedded.length > 0) {
    const rows = notEmbedded.map((of) => ({ ...of, vector: null }))
    await vectorStore?.append(grant, key, rows)
  }
  await snapshots.put(grant, key, image)
}

/**
 * Puts the actors of an archive into a store, as one node of those that serve from it: no actor that is there is touched. The whole archive is
 * checked before anything is written. Cut off anywhere, it can be repeated. Rejects with ArchiveError; then nothing was written.
 */
export async function importIntoStore(
  store: OpenStore,
  reader: StoreReader,
  path: string,
  { onActor }: Pick<ImportOptions, 'onActor'>,
): Promise<ImportReport> {
  const archive = await checkedArchive(nodeFiles, path, { onActor })
  const written: string[] = []
  const skipped: string[] = []
  const refused: RefusedActor[] = []
  for await (const actor of archivedActors(nodeFiles, path, archive)) {
    const { key, image } = actor
    onActor?.(key)
    if ((await reader.headOf(key)) > 0) {
      const { state, stateHash } = await factsOf(reader, key)
      if (state.seq === image.seq && stateHash === image.stateHash) skipped.push(key)
      else refused.push({ key, reason: otherState(state.seq, image.seq) })
      continue
    }
    const reason = await putOwned(store, actor).catch(
      (error: unknown) => `${messageOf(error)}; stop the nodes that serve from here, then import again`,
    )
    if (reason === null) written.push(key)
    else refused.push({ key, reason })
  }
  return { sourceStoreId: archive.storeId, written, skipped, refused, manifest: archive.manifest }
}

/** Null: it is there. */
async function putOwned(store: OpenStore, actor: ArchivedActor): Promise<string | null> {
  const { ownership, journal, snapshots } = store
  const { key, image } = actor
  const grant = await ownership.acquire(key)
  try {
    // Nobody else writes it from here on.
    const headSeq = Math.max(journal.headOf(key), snapshots.coveredSeqOf(key))
    if (headSeq > 0) return otherState(headSeq, image.seq)
    await put(store, grant, actor)
    return null
  } finally {
    ownership.release(grant, key)
  }
}
