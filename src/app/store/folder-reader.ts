import { actorKeyHashOf } from '../../adapters/files/actor-folders.ts'
import { storedNotes, turnsInHistory } from '../../adapters/history/survey.ts'
import { readSpan, spanOf } from '../../adapters/journal/record-index.ts'
import { surveyLedger } from '../../adapters/ledger/survey.ts'
import { readSnapshot } from '../../adapters/snapshot/format.ts'
import { modelHashOf, readVectors, vectorPathOf } from '../../adapters/vectors/store.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { AuditNote } from '../../ports/history.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import type { StoredSizes, StoreReader } from '../../ports/store-reader.ts'
import type { VectorRow } from '../../ports/vectors.ts'
import { headSeqOf } from './plan-repair.ts'
import {
  fileDamages,
  type ReadStoreOptions,
  readStore,
  type Store,
  type StoredActor,
  storeDamages,
} from './read-store.ts'

/** The folder cannot be read as a whole; the message says what to do. */
export class UnreadableFolder extends Error {
  override readonly name = 'UnreadableFolder'
}

/**
 * A data folder that nobody uses, as it lies on disk: hold its lock. Changes nothing.
 * @param model whose vectors are read; null: none, and only which memories want none
 * @throws UnreadableFolder when a part of it is damaged
 */
export async function openFolderReader(
  dir: string,
  model: string | null,
  onFile?: ReadStoreOptions['onFile'],
): Promise<StoreReader> {
  const store = await readStore(dir, { onFile })
  return new FolderReader(store, requireWhole(store), model)
}

/** The id of a store of which every part can be read. */
function requireWhole(store: Store): string {
  const { dir } = store
  const [damage] = [...storeDamages(store), ...fileDamages(store)]
  if (damage !== undefined) {
    throw new UnreadableFolder(
      `${damage.path}: ${damage.what}; memgov verify says what it concerns, memgov repair --dry-run what can be kept`,
    )
  }
  if (store.pruned.size > 0)
    throw new UnreadableFolder(`a prune of ${dir} was cut off; start the service once to finish it`)
  if (store.storeId === null) throw new UnreadableFolder(`${dir} holds no store: there is no FORMAT.json`)
  return store.storeId
}

/** Where turns of an actor lie: in a segment of the journal, or in a file of history. */
interface Piece {
  readonly firstSeq: number
  readonly lastSeq: number
  read(fromSeq: number, toSeq: number): AsyncIterable<JournalRecord>
}

class FolderReader implements StoreReader {
  readonly place: string
  readonly storeId: string
  readonly #store: Store
  readonly #model: string | null
  #notes: Promise<ReadonlyMap<string, readonly AuditNote[]>> | null = null

  constructor(store: Store, storeId: string, model: string | null) {
    this.place = `the folder ${store.dir}`
    this.storeId = storeId
    this.#store = store
    this.#model = model
  }

  async *actors(): AsyncGenerator<string> {
    // Of an actor of which only history is left nothing can be known.
    for (const { key, snapshots, held } of this.#store.actors.values())
      if (snapshots.length + held.length > 0) yield key
  }

  async headOf(actorKey: string): Promise<number> {
    return headSeqOf(this.#actor(actorKey))
  }

  async snapshot(actorKey: string) {
    const newest = this.#actor(actorKey).snapshots.at(-1)
    if (newest === undefined) return null
    const { image } = await readSnapshot(this.#store.files, newest.path)
    return { seq: image.seq, image }
  }

  async *turns(actorKey: string, fromSeq: number): AsyncGenerator<JournalRecord> {
    for (const { piece, from, to } of lastWithoutGap(this.#piecesOf(actorKey))) {
      if (to >= fromSeq) yield* piece.read(Math.max(from, fromSeq), to)
    }
  }

  async *exposures(actorKey: string): AsyncGenerator<ExposureRecord> {
    const found = new Map<string, ExposureRecord>()
    for (const { path, file } of this.#actor(actorKey).ledger) {
      const { records, damage } = await surveyLedger(this.#store.files, path, file)
      if (damage !== null) throw new UnreadableFolder(`${path}: ${damage.what}; memgov repair mends it`)
      for (const record of records) found.set(record.guideTraceId, record)
    }
    yield* [...found.values()].sort((a, b) => (a.guideTraceId < b.guideTraceId ? 1 : -1))
  }

  /** Notes of all actors lie in the same files: they are read once. */
  async notes(actorKey: string): Promise<readonly AuditNote[]> {
    this.#notes ??= storedNotes(this.#store.files, this.#store.history.notes)
    return (await this.#notes).get(actorKey) ?? []
  }

  async vectors(actorKey: string): Promise<readonly VectorRow[]> {
    const path = vectorPathOf(this.#store.dir, actorKeyHashOf(actorKey))
    if ((await this.#store.files.stat(path)) === null) return []
    const wanted = this.#model === null ? null : modelHashOf(this.#model)
    const newest = new Map<string, VectorRow>()
    await readVectors(this.#store.files, path, actorKey, (row, modelHash) => {
      if (row.vector === null || modelHash === wanted) newest.set(row.memoryId, row)
    })
    return [...newest.values()]
  }

  async isErasing(actorKey: string): Promise<boolean> {
    return this.#store.erasures.keys.includes(actorKey)
  }

  async sizes(): Promise<StoredSizes> {
    const { history, snapshots, ledger } = this.#store
    const runs = [...this.#store.actors.values()].flatMap(({ entry }) => entry?.runs ?? [])
    const archived = history.files.flatMap((file) => file.runs)
    return {
      turns:
        sum(runs.map(({ sizes }) => sizes.length)) +
        sum(archived.map(({ firstSeq, lastSeq }) => lastSeq - firstSeq + 1)),
      bytes: {
        turns: sum(runs.map(({ sizes }) => sum(sizes))) + sum(archived.map(({ bytes }) => bytes)),
        snapshots: sum(snapshots.snapshots.map(({ bytes }) => bytes)),
        exposures: sum(ledger.files.map(({ file }) => file.bytes)),
        notes: sum(history.notes.map(({ bytes }) => bytes)),
        vectors: await this.#vectorBytes(),
      },
    }
  }

  async close(): Promise<void> {}

  async #vectorBytes(): Promise<number> {
    let bytes = 0
    for (const { keyHash } of this.#store.actors.values())
      bytes += (await this.#store.files.stat(vectorPathOf(this.#store.dir, keyHash)))?.bytes ?? 0
    return bytes
  }

  #actor(actorKey: string): StoredActor {
    const actor = this.#store.actors.get(actorKey)
    if (actor === undefined) throw new Error(`${this.place} has no actor ${actorKey}`)
    return actor
  }

  #piecesOf(actorKey: string): readonly Piece[] {
    const { files } = this.#store
    const { entry, archived, keyHash } = this.#actor(actorKey)
    const inHistory = archived.flatMap(({ file }): readonly Piece[] =>
      file.runs
        .filter((run) => run.keyHash === keyHash)
        .map(({ firstSeq, lastSeq }) => ({
          firstSeq,
          lastSeq,
          async *read(fromSeq, toSeq) {
            for (const { seq, payload } of await turnsInHistory(files, file, keyHash))
              if (seq >= fromSeq && seq <= toSeq) yield { actorKey, actorSeq: seq, payload }
          },
        })),
    )
    const inJournal = (entry?.runs ?? []).map(
      (run): Piece => ({
        firstSeq: run.firstSeq,
        lastSeq: run.firstSeq + run.offsets.length - 1,
        read: (fromSeq, toSeq) => readSpan(files, spanOf(run, fromSeq, toSeq)),
      }),
    )
    return [...inHistory, ...inJournal]
  }
}

/** From the end back to the first gap; what lies in two pieces is read from the later one. */
function lastWithoutGap(pieces: readonly Piece[]) {
  const parts: { readonly piece: Piece; readonly from: number; readonly to: number }[] = []
  let to = Math.max(0, ...pieces.map(({ lastSeq }) => lastSeq))
  while (to > 0) {
    const at = to
    const piece = pieces.findLast(({ firstSeq, lastSeq }) => firstSeq <= at && at <= lastSeq)
    if (piece === undefined) break
    parts.unshift({ piece, from: piece.firstSeq, to })
    to = piece.firstSeq - 1
  }
  return parts
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
