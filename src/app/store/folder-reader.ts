import { basename, join } from 'node:path'
import { silentLog } from '../../adapters/files/null-ports.ts'
import { Archive, type RecentRecords, readThrough } from '../../adapters/history/archive.ts'
import { storedNotes } from '../../adapters/history/survey.ts'
import { lastSeqOf, readSpan, spanOf } from '../../adapters/journal/record-index.ts'
import { surveyLedger } from '../../adapters/ledger/format.ts'
import { readSnapshot } from '../../adapters/snapshot/format.ts'
import { storedRows, vectorPathOf } from '../../adapters/vectors/store.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { StoredSizes, StoreReader } from '../../ports/store-reader.ts'
import { headSeqOf } from './plan-repair.ts'
import {
  faultOf,
  fileDamages,
  type ReadStoreOptions,
  readStore,
  type Store,
  type StoredActor,
  storeDamages,
} from './read-store.ts'
import { sum } from './scope-usage.ts'

/**
 * A data folder that nobody uses, as it lies on disk: hold its lock. Changes nothing.
 * @param model whose vectors are read; null: none, and only which memories want none
 * @throws an Error that says what to do when a part of it is damaged
 */
export async function openFolderReader(
  dir: string,
  model: string | null,
  onFile?: ReadStoreOptions['onFile'],
): Promise<StoreReader> {
  const store = await readStore(dir, { onFile })
  const storeId = requireWhole(store)
  const archive = new Archive({ dir, files: store.files, log: silentLog }, join(dir, 'hist'))
  await archive.open(store.history.files.map(({ path }) => basename(path)))
  return readerOver(store, storeId, model, archive)
}

/** The id of a store of which every part can be read. */
function requireWhole(store: Store): string {
  const { dir } = store
  const [damage] = [...storeDamages(store), ...fileDamages(store)]
  if (damage !== undefined) throw new Error(faultOf(damage))
  if (store.pruned.size > 0)
    throw new Error(`a prune of ${dir} was cut off; start the service once to finish it`)
  if (store.storeId === null) throw new Error(`${dir} holds no store: there is no FORMAT.json`)
  return store.storeId
}

function readerOver(store: Store, storeId: string, model: string | null, archive: Archive): StoreReader {
  const { dir, files, actors } = store
  const place = `the folder ${dir}`
  const recent = recentOf(store)
  let storedOnce: ReturnType<typeof storedNotes> | null = null
  const actorOf = (actorKey: string): StoredActor => {
    const actor = actors.get(actorKey)
    if (actor === undefined) throw new Error(`${place} has no actor ${actorKey}`)
    return actor
  }
  return {
    place,
    storeId,
    async *actors() {
      // Of an actor of which only history is left nothing can be known.
      for (const { key, snapshots, held } of actors.values())
        if (snapshots.length + held.length > 0) yield key
    },
    headOf: async (actorKey) => headSeqOf(actorOf(actorKey)),
    async snapshot(actorKey) {
      const newest = actorOf(actorKey).snapshots.at(-1)
      if (newest === undefined) return null
      const { image } = await readSnapshot(files, newest.path)
      return { seq: image.seq, image }
    },
    turns: (key, fromSeq) => readThrough([recent, archive], key, fromSeq, Number.MAX_SAFE_INTEGER),
    async *exposures(actorKey) {
      const found = new Map<string, ExposureRecord>()
      for (const { path, named: file } of actorOf(actorKey).ledger) {
        const { records, damage } = await surveyLedger(files, path, file)
        if (damage !== null) throw new Error(`${path}: ${damage.what}; memgov repair mends it`)
        for (const record of records) found.set(record.guideTraceId, record)
      }
      yield* [...found.values()].sort((a, b) => (a.guideTraceId < b.guideTraceId ? 1 : -1))
    },
    async notes(actorKey) {
      // Notes of all actors lie in the same files.
      storedOnce ??= storedNotes(files, store.history.notes)
      return (await storedOnce).get(actorKey) ?? []
    },
    vectors: (actorKey) => storedRows(files, dir, actorKey, model),
    isErasing: async (actorKey) => store.erasures.keys.includes(actorKey),
    sizes: () => sizesOf(store),
    close: async () => undefined,
  }
}

async function sizesOf({ dir, files, actors, history, snapshots, ledger }: Store): Promise<StoredSizes> {
  const runs = [...actors.values()].flatMap(({ entry }) => entry?.runs ?? [])
  const archived = history.files.flatMap((file) => file.runs)
  let vectors = 0
  for (const { keyHash } of actors.values())
    vectors += (await files.stat(vectorPathOf(dir, keyHash)))?.bytes ?? 0
  return {
    turns:
      sum(runs.map(({ sizes }) => sizes.length)) +
      sum(archived.map(({ firstSeq, lastSeq }) => lastSeq - firstSeq + 1)),
    bytes: {
      turns: sum(runs.map(({ sizes }) => sum(sizes))) + sum(archived.map(({ bytes }) => bytes)),
      snapshots: sum(snapshots.snapshots.map(({ bytes }) => bytes)),
      exposures: sum(ledger.found.map(({ named }) => named.bytes)),
      notes: sum(history.notes.map(({ bytes }) => bytes)),
      vectors,
    },
  }
}

/** What the journal has, as far as it goes without a gap. */
function recentOf({ files, actors }: Store): RecentRecords {
  return {
    heldSeqs: (actorKey) => actors.get(actorKey)?.held ?? [],
    async *read(actorKey, fromSeq) {
      let next = fromSeq
      for (const run of actors.get(actorKey)?.entry?.runs ?? []) {
        if (lastSeqOf(run) < next) continue
        if (run.firstSeq > next) return
        yield* readSpan(files, spanOf(run, next, lastSeqOf(run)))
        next = lastSeqOf(run) + 1
      }
    },
  }
}
