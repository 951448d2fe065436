import { join, relative } from 'node:path'
import { listErasureMarks, readPruned } from '../../adapters/erasure/marks.ts'
import { actorKeyHashOf } from '../../adapters/files/actor-folders.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { type DamageKind, damageOf, type FileDamage } from '../../adapters/files/whole-file.ts'
import {
  type HistorySurvey,
  type OnHistoryRecord,
  type SurveyedHistory,
  surveyHistory,
} from '../../adapters/history/survey.ts'
import { JournalCorruptError } from '../../adapters/journal/format.ts'
import { FORMAT_FILE, hasData, readFormat } from '../../adapters/journal/layout.ts'
import { type ActorEntry, heldRanges, type SeqRange, turnCrcOf } from '../../adapters/journal/record-index.ts'
import type { OnSegmentBatch } from '../../adapters/journal/scan-past-corruption.ts'
import { endOf, type JournalSurvey, surveyJournal } from '../../adapters/journal/survey.ts'
import { type LedgerListing, listLedger } from '../../adapters/ledger/format.ts'
import { surveyPacks } from '../../adapters/packs/format.ts'
import { readPackedFiles } from '../../adapters/packs/packed-files.ts'
import {
  type SnapshotSurvey,
  type SurveyedSnapshot,
  surveySnapshots,
} from '../../adapters/snapshot/format.ts'
import { grouped } from '../../core/base/collections.ts'
import type { Files } from '../../ports/files.ts'
import {
  derivedLacks,
  extentOf,
  isLedgerUsed,
  journalLacks,
  lacksWithoutManifest,
  surveyManifest,
} from './completeness.ts'

/** What a store holds of one actor. */
export interface StoredActor {
  /** `tenant/scope` */
  readonly key: string
  readonly keyHash: string
  /** All of them, oldest first; a damaged one says so. */
  readonly snapshots: readonly SurveyedSnapshot[]
  /** Turns in the journal, oldest first; what is between two ranges is not there. */
  readonly held: readonly SeqRange[]
  readonly entry: ActorEntry | null
  /** Files of history with turns of it, oldest first. */
  readonly archived: readonly ArchivedTurns[]
  readonly ledger: LedgerListing['found']
}

export interface ArchivedTurns {
  readonly file: SurveyedHistory
  readonly lastSeq: number
}

/** A data folder as it lies on disk, read once. Damage is part of it. */
export type Store = Awaited<ReturnType<typeof readStore>>

export interface ReadStoreOptions {
  /** Default: the file system of this machine. */
  readonly files?: Files
  /** Told of each file before it is read. */
  readonly onFile?: ((path: string) => void) | undefined
  readonly onBatch?: OnSegmentBatch | undefined
  readonly onHistoryRecord?: OnHistoryRecord | undefined
}

/**
 * Reads a data folder: every segment, snapshot and history file with its checksums, the ledger by its names. Changes
 * nothing and goes on behind damage. Hold its lock, or nobody else may write meanwhile. Rejects only with errors of
 * the file system that concern a folder.
 */
export async function readStore(dir: string, options: ReadStoreOptions = {}) {
  const { files: disk = nodeFiles, onFile, onBatch, onHistoryRecord } = options
  const packs = await surveyPacks(disk, dir, onFile)
  const files = await readPackedFiles(dir, disk)
  const format = await surveyFormat(files, dir)
  const { journal, otherName } = await readJournal(files, dir, format.storeId, { onFile, onBatch })
  const { manifest, damage: manifestDamage } = await surveyManifest(files, dir, journal.storeId)
  const named = journal.storeId ?? manifest?.storeId ?? null
  const snapshots = await surveySnapshots(
    files,
    dir,
    { storeId: named, turnCrcOf: (key, seq) => turnCrcOf(files, journal.index.get(key), seq) },
    onFile,
  )
  const ledger = await listLedger(files, dir)
  const history = await surveyHistory(files, dir, { onFile, onRecord: onHistoryRecord })
  const erasures = await listErasureMarks(files, dir)
  const pruned = await readPruned(files, dir)
  const keys = keysOf(journal, snapshots, history)
  const position = manifest?.position ?? null
  const extent = { snapshots: extentOf(snapshots.snapshots), ledger: { isUsed: isLedgerUsed(ledger) } }
  const lacks =
    position === null
      ? await lacksWithoutManifest(files, dir)
      : [...journalLacks(position, endOf(journal)), ...derivedLacks(position, extent)]
  return {
    dir,
    /** Behind names as files have them that lie by themselves. */
    files,
    packs,
    /** Null when neither FORMAT.json, nor a segment, nor MANIFEST.json, nor a snapshot tells it. */
    storeId: named ?? snapshots.snapshots.find(({ storeId }) => storeId !== null)?.storeId ?? null,
    /** Null when FORMAT.json does not tell it. */
    formatVersion: format.version,
    /** What is wrong with FORMAT.json; null when it is well, or there is no journal either. */
    formatDamage: format.damage ?? otherName,
    /** What is wrong with MANIFEST.json; null when it is well, or there is none. */
    manifestDamage,
    /** Parts of it that are older than the manifest says, or not there. */
    lacks,
    journal,
    snapshots,
    ledger,
    history,
    /** Actors of which an erasure is not finished. */
    erasures,
    /** Actors that are gone although something of them is still on disk: the next start takes it off. */
    pruned,
    /** Every actor that the store holds a turn or a snapshot of, by key; also one of which only history is left. */
    actors: actorsOf({ journal, snapshots, ledger, history }, keys, pruned),
    /** Keys by the hash that names files. */
    keys,
  }
}

/** What is wrong with a store as a whole, in the order in which it is told. */
export function storeDamages({
  dir,
  formatDamage,
  manifestDamage,
  journal,
  lacks,
}: Store): readonly FileDamage[] {
  const lacking = lacks.map(
    ({ folder, what }) => ({ kind: 'missing', path: join(dir, folder), offset: null, what }) as const,
  )
  return [formatDamage ?? [], manifestDamage ?? [], journal.damages, lacking].flat()
}

/** What a command says that needs the whole store. */
export function faultOf({ kind, path, what }: FileDamage): string {
  const next = 'memgov verify says what it concerns, memgov repair --dry-run what can be kept'
  return `${path}: ${what}; ${kind === 'newer' ? NEWER : next}`
}

export function fileDamages({ snapshots, history }: Store): readonly FileDamage[] {
  const files = [...snapshots.snapshots, ...history.files, ...history.notes]
  return files.flatMap(({ damage }) => damage ?? [])
}

async function surveyFormat(
  files: Files,
  dir: string,
): Promise<{
  readonly storeId: string | null
  readonly version: number | null
  readonly damage: FileDamage | null
}> {
  const path = join(dir, FORMAT_FILE)
  const nothing = { storeId: null, version: null }
  try {
    const format = await readFormat(files, dir)
    if (format !== null) return { storeId: format.storeId, version: format.formatVersion, damage: null }
  } catch (error) {
    const damage = damageOf(error, path, JournalCorruptError)
    const isTold = error instanceof JournalCorruptError
    return { ...nothing, damage: isTold ? { ...damage, offset: 0, what: error.reason } : damage }
  }
  const isMissing = await hasData(files, dir)
  const what = 'the file is missing beside data'
  return { ...nothing, damage: isMissing ? { kind: 'missing', path, offset: 0, what } : null }
}

/** Where every segment names one store and FORMAT.json another, the one file is wrong and not the many. */
async function readJournal(
  files: Files,
  dir: string,
  storeId: string | null,
  options: Parameters<typeof surveyJournal>[3],
): Promise<{ readonly journal: JournalSurvey; readonly otherName: FileDamage | null }> {
  const journal = await surveyJournal(files, dir, storeId, options)
  const named = new Set(journal.segments.flatMap(({ header }) => header?.storeId ?? []))
  const [only] = named
  if (storeId === null || only === undefined || named.size > 1 || only === storeId) {
    return { journal, otherName: null }
  }
  const what = `the file names the store ${storeId}, and every segment is of ${only}`
  const otherName = { kind: 'damaged', path: join(dir, FORMAT_FILE), offset: 0, what } as const
  return { journal: await surveyJournal(files, dir, only, options), otherName }
}

function keysOf(
  journal: JournalSurvey,
  snapshots: SnapshotSurvey,
  history: HistorySurvey,
): ReadonlyMap<string, string> {
  const found = [
    ...journal.index.keys(),
    ...snapshots.snapshots.flatMap(({ actorKey }) => actorKey ?? []),
    ...history.files.flatMap(({ runs }) => runs.map(({ actorKey }) => actorKey)),
  ]
  return new Map(found.map((key) => [actorKeyHashOf(key), key]))
}

function actorsOf(
  found: {
    readonly journal: JournalSurvey
    readonly snapshots: SnapshotSurvey
    readonly ledger: LedgerListing
    readonly history: HistorySurvey
  },
  keys: ReadonlyMap<string, string>,
  pruned: ReadonlySet<string>,
): ReadonlyMap<string, StoredActor> {
  const { journal } = found
  const snapshots = grouped(found.snapshots.snapshots, ({ actorKeyHash }) => actorKeyHash)
  const ledger = grouped(found.ledger.found, ({ named }) => named.actorKeyHash)
  const archived = grouped(found.history.files.flatMap(archivedIn), ({ keyHash }) => keyHash)
  const actors = new Map<string, StoredActor>()
  for (const [keyHash, key] of [...keys].toSorted(([, a], [, b]) => (a < b ? -1 : 1))) {
    if (pruned.has(key)) continue
    const entry = journal.index.get(key)
    actors.set(key, {
      key,
      keyHash,
      snapshots: snapshots.get(keyHash) ?? [],
      entry,
      held: entry === null ? [] : heldRanges(entry),
      archived: archived.get(keyHash) ?? [],
      ledger: ledger.get(keyHash) ?? [],
    })
  }
  return actors
}

function archivedIn(file: SurveyedHistory): readonly (ArchivedTurns & { readonly keyHash: string })[] {
  const lastSeqs = new Map(file.runs.map(({ keyHash, lastSeq }) => [keyHash, lastSeq]))
  return [...lastSeqs].map(([keyHash, lastSeq]) => ({ keyHash, file, lastSeq }))
}

/** Turns of one actor that a problem concerns; null when it is not known which. */
export interface ConcernedActor {
  /** `tenant/scope` */
  readonly key: string
  readonly turns: { readonly fromSeq: number; readonly toSeq: number } | null
}

/** One thing that is wrong with a store, as an operator reads it. */
export interface Problem extends Pick<FileDamage, 'kind' | 'offset' | 'what'> {
  /** Inside the data folder. */
  readonly file: string
  /** Empty: nobody can tell, or it concerns the store. */
  readonly actors: readonly ConcernedActor[]
  readonly action: string
}

const NEWER = 'use the version of memgov that wrote it, or a later one; the file is not damaged'
const MENDED = 'memgov repair --dry-run says what can be kept; a backup of before may hold more'

/** What to do about damage, by the part of a store that a file belongs to. */
const ACTIONS = {
  format: 'memgov repair writes it again from the journal segments',
  manifest: 'memgov repair writes it again; whether newer parts are missing nobody can tell then',
  lack: 'put back the newest folder of this store; memgov repair goes on without it, when told so with --yes',
  journal: MENDED,
  snapshot: `memgov repair sets it aside; an older snapshot and the journal take its place, where they can`,
  pack: 'memgov repair sets it aside and keeps its whole files; what is not whole in it is told as the file that it is',
  ledger: 'memgov repair sets it aside and keeps its whole records; feedback on the other guides is refused',
  history: 'memgov repair sets it aside; no state depends on it, reads of history begin later',
  notes: 'memgov repair sets it aside and keeps its whole notes; no state depends on it',
  chain: 'find out who wrote to the folder; put back a backup whose chain holds the pinned head',
} as const

/** A problem with the words that say what to do about it. */
export function problemOf(
  store: Pick<Store, 'dir' | 'files'>,
  part: keyof typeof ACTIONS,
  damage: FileDamage,
  actors: readonly ConcernedActor[] = [],
): Problem {
  const { kind, offset, path } = damage
  const pack = store.files.packOf(path)
  const what = pack === null ? damage.what : `${damage.what} (in ${relative(store.dir, pack)})`
  return { file: relative(store.dir, path), offset, kind, what, actors, action: actionFor(part, kind) }
}

function actionFor(part: keyof typeof ACTIONS, kind: DamageKind): string {
  switch (kind) {
    case 'newer':
      return NEWER
    case 'foreign':
      return `put back the file of this store, or take it out of the folder; else ${ACTIONS[part]}`
    case 'unreadable':
      return 'look at the disk and the rights of the file, then try again; nothing is known of its content'
    case 'missing':
    case 'damaged':
      return ACTIONS[part]
  }
}
