import { join } from 'node:path'
import { listActorFolders } from '../../adapters/files/actor-folders.ts'
import {
  MANIFEST_FILE,
  type Manifest,
  readManifest,
  type StorePosition,
} from '../../adapters/files/manifest.ts'
import { DamagedFileError, damageOf, type FileDamage } from '../../adapters/files/whole-file.ts'
import { readStoreId } from '../../adapters/journal/layout.ts'
import { endOf, wholeJournal } from '../../adapters/journal/survey.ts'
import { type LedgerListing, listLedger } from '../../adapters/ledger/format.ts'
import { parseSnapshotName } from '../../adapters/snapshot/format.ts'
import { StartError } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'

/** A part of a store that lacks something which the manifest, or another part, says was there. */
export interface Lack {
  readonly part: keyof StorePosition
  readonly folder: string
  readonly what: string
}

/** The folder is not the whole store. Nothing was changed in the parts that are there. */
export class StoreIncompleteError extends Error {
  override readonly name = 'StoreIncompleteError'
  readonly lacks: readonly Lack[]

  constructor(dir: string, lacks: readonly Lack[]) {
    const whats = lacks.map(({ what }) => what).join('; ')
    const folders = lacks.map(({ folder }) => `${folder}/`).join(' and ')
    super(
      `the data folder ${dir} is not whole: ${whats}. Put back the newest ${folders} of this store; or memgov repair --data-dir ${dir} --dry-run says what is lost, and with --yes goes on without it`,
    )
    this.lacks = lacks
  }
}

export function journalLacks(known: StorePosition, found: StorePosition['journal']): readonly Lack[] {
  const { segment, turns } = known.journal
  if (found.segment >= segment && found.turns >= turns) return []
  const has = found.segment === 0 ? 'wal/ holds no journal' : `wal/ ends at ${placeOf(found)}`
  return [
    { part: 'journal', folder: 'wal', what: `${has}, the store had come to ${placeOf({ segment, turns })}` },
  ]
}

export function derivedLacks(
  known: StorePosition,
  found: Pick<StorePosition, 'snapshots' | 'ledger'>,
): readonly Lack[] {
  const { actors, turns } = known.snapshots
  const lacks: Lack[] = []
  if (found.snapshots.actors < actors || found.snapshots.turns < turns) {
    const what = `snap/ holds ${found.snapshots.turns} turns of ${found.snapshots.actors} actors, the store had snapshots of ${turns} turns of ${actors} actors, in snap/ and packs/`
    lacks.push({ part: 'snapshots', folder: 'snap', what })
  }
  if (known.ledger.isUsed && !found.ledger.isUsed) {
    const what = 'ledger/ holds no exposure set, the store had some'
    lacks.push({ part: 'ledger', folder: 'ledger', what })
  }
  return lacks
}

/** How far the snapshots of a folder reach, by their names. */
export function extentOf(
  snapshots: readonly { readonly actorKeyHash: string; readonly seq: number }[],
): StorePosition['snapshots'] {
  const newest = new Map<string, number>()
  for (const { actorKeyHash, seq } of snapshots) {
    newest.set(actorKeyHash, Math.max(seq, newest.get(actorKeyHash) ?? 0))
  }
  return { actors: newest.size, turns: [...newest.values()].reduce((sum, seq) => sum + seq, 0) }
}

/** What snapshots and the ledger of a folder hold, by the names of their files; `isCounted` leaves some of them out. */
export async function derivedPosition(
  files: Files,
  dir: string,
  isCounted: (name: string) => boolean = () => true,
): Promise<Pick<StorePosition, 'snapshots' | 'ledger'>> {
  const snapshots = await listActorFolders(files, join(dir, 'snap'), parseSnapshotName)
  const ledger = await listLedger(files, dir)
  const found = ledger.found.filter(({ name }) => isCounted(name))
  return {
    snapshots: extentOf(snapshots.found.flatMap(({ name, named }) => (isCounted(name) ? [named] : []))),
    ledger: { isUsed: isLedgerUsed({ ...ledger, found }) },
  }
}

/** Whether a ledger holds exposure sets, or has held some that retention removed. */
export function isLedgerUsed({ found, removedUntilMs }: LedgerListing): boolean {
  return found.length > 0 || removedUntilMs > 0
}

/** Where a store is that nobody uses and that a start would take. Rejects with the damage otherwise. */
export async function positionOf(files: Files, dir: string): Promise<StorePosition> {
  const journal = endOf(await wholeJournal(files, dir, await readStoreId(files, dir)))
  return { journal, ...(await derivedPosition(files, dir)) }
}

/** Without a manifest: whatever has snapshots has had a folder for its journal. */
export async function lacksWithoutManifest(files: Files, dir: string): Promise<readonly Lack[]> {
  if ((await files.stat(join(dir, 'wal'))) !== null) return []
  if ((await listActorFolders(files, join(dir, 'snap'), parseSnapshotName)).found.length === 0) return []
  return [{ part: 'journal', folder: 'wal', what: 'the folder wal/ is missing beside snapshots' }]
}

/**
 * What the folder says of how far its store had come; null for a store from before there were manifests, or a new one.
 * Rejects with an Error that says what to do when that cannot be read, or is of another store.
 */
export async function knownPosition(
  files: Files,
  dir: string,
  storeId: string | null,
): Promise<StorePosition | null> {
  const manifest = await readManifest(files, dir).catch((error: unknown) => {
    if (!(error instanceof DamagedFileError)) throw error
    throw new StartError(
      'store_damaged',
      `${join(dir, MANIFEST_FILE)}: ${error.message}; memgov repair writes it again`,
    )
  })
  if (manifest === null) {
    const lacks = await lacksWithoutManifest(files, dir)
    if (lacks.length > 0) throw new StoreIncompleteError(dir, lacks)
    return null
  }
  const stranger = strangerOf(manifest, storeId)
  if (stranger !== null)
    throw new StartError(
      'store_damaged',
      `${join(dir, MANIFEST_FILE)}: ${stranger}; put back that of this store`,
    )
  return manifest.position
}

function strangerOf(manifest: Manifest, storeId: string | null): string | null {
  return storeId === null || manifest.storeId === storeId ? null : 'the manifest belongs to another store'
}

/** Null, and told, where it cannot be read or is of another store. */
export async function surveyManifest(
  files: Files,
  dir: string,
  storeId: string | null,
): Promise<{ readonly manifest: Manifest | null; readonly damage: FileDamage | null }> {
  const path = join(dir, MANIFEST_FILE)
  try {
    const manifest = await readManifest(files, dir)
    const what = manifest === null ? null : strangerOf(manifest, storeId)
    if (what === null) return { manifest, damage: null }
    return { manifest: null, damage: { kind: 'foreign', path, offset: null, what } }
  } catch (error) {
    return { manifest: null, damage: damageOf(error, path) }
  }
}

function placeOf({ segment, turns }: StorePosition['journal']): string {
  return `turn ${turns} in segment ${segment}`
}
