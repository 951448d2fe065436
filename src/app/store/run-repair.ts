import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { createPacker } from '../../adapters/binary/msgpack.ts'
import { actorKeyHashOf, openActorFolders } from '../../adapters/files/actor-folders.ts'
import { MANIFEST_FILE, manifestText } from '../../adapters/files/manifest.ts'
import { quarantineIn, readWhole, replaceWhole } from '../../adapters/files/whole-file.ts'
import { copyHistory } from '../../adapters/history/format.ts'
import { rewriteNotes } from '../../adapters/history/note-log.ts'
import { type Expected, segmentPath } from '../../adapters/journal/format.ts'
import { FORMAT_FILE, formatText, raiseFormat, readStoreId } from '../../adapters/journal/layout.ts'
import { recordsInOrder, rewriteSegment } from '../../adapters/journal/rewriting.ts'
import { createLedgerFile, packExposures } from '../../adapters/ledger/format.ts'
import { createSnapshot } from '../../adapters/snapshot/format.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Clock } from '../../ports/system.ts'
import { positionOf } from './completeness.ts'
import { type ActorRepair, isKept, type RepairPlan } from './plan-repair.ts'
import type { Store } from './read-store.ts'

export interface RepairOptions {
  readonly clock: Clock
  readonly onDone: (what: string) => void
}

const FIRST: Expected = { batchSeq: 1, prevBatchCrc: 0, firstLsn: 1 }

/**
 * Carries out a plan. Every file that changes or goes lies in `quarantine/` before; what is not damaged is not touched.
 * Cut off anywhere, it can be repeated. Hold the lock of the folder.
 */
export async function runRepair(store: Store, plan: RepairPlan, options: RepairOptions): Promise<void> {
  const aside = asideOf(store, options)
  await store.files.mkdir(aside.folder)
  await store.files.fsyncDir(store.dir)
  if (plan.isFormatWritten) await writeFormat(store, aside)
  await raiseFormat(store.files, store.dir)
  // First: what of them is damaged is then a file by itself like any other.
  for (const path of plan.packs) {
    await store.files.unpack(path)
    await aside.move(path)
  }
  if (plan.rewriteFrom !== null) await rewriteJournal(store, plan, plan.rewriteFrom, aside, options)
  await mendLedger(store, plan, aside, options)
  for (const path of plan.snapshots) await aside.move(path)
  for (const actor of plan.actors.values()) await writeFromHistory(store, actor, options)
  for (const { path } of plan.historyAside) await aside.move(path)
  for (const file of plan.historyTrimmed) {
    await aside.copy(file.path)
    const untilOf = (keyHash: string) => plan.actors.get(store.keys.get(keyHash) ?? '')?.untilSeq ?? 0
    await copyHistory(store.files, file.path, ({ key, number }, record) =>
      number <= untilOf(key) ? record : null,
    )
  }
  for (const { path, notes } of plan.notes) {
    if (notes === 0) await aside.move(path)
    else {
      await aside.copy(path)
      await rewriteNotes(store.files, path)
    }
  }
  await writeManifestAgain(store, aside, options)
}

type Aside = ReturnType<typeof asideOf>

/** The quarantine of a store. Nothing in it is ever written over. */
function asideOf({ files, dir }: Store, { onDone }: RepairOptions) {
  const folder = quarantineIn(dir)

  async function freePath(name: string): Promise<string> {
    const path = join(folder, name)
    if ((await files.stat(path)) === null) return path
    throw new Error(`${path} is there already: move it to another place, then repeat the repair`)
  }

  return {
    folder,
    async move(path: string): Promise<void> {
      const name = basename(path)
      if ((await files.stat(path)) === null) return
      await files.rename(path, await freePath(name))
      await files.fsyncDir(folder)
      await files.fsyncDir(dirname(path))
      onDone(`moved ${path.slice(dir.length + 1)} to quarantine/${name}`)
    },
    async copy(path: string, name: string = basename(path)): Promise<void> {
      const bytes = await readWhole(files, path)
      if (bytes === null) return
      await replaceWhole(files, await freePath(name), bytes)
      onDone(`copied ${path.slice(dir.length + 1)} to quarantine/${name}`)
    },
  }
}

async function writeFormat(store: Store, aside: Aside): Promise<void> {
  const path = join(store.dir, FORMAT_FILE)
  await aside.copy(path, `${FORMAT_FILE}.${Date.now()}`)
  await replaceWhole(store.files, path, formatText(store.storeId ?? randomBytes(16).toString('hex')))
}

/** Last, when everything else is in its place: until then a start says no to what the repair has not given up yet. */
async function writeManifestAgain(
  { files, dir }: Store,
  aside: Aside,
  options: RepairOptions,
): Promise<void> {
  const path = join(dir, MANIFEST_FILE)
  await files.mkdir(join(dir, 'wal'))
  const storeId = await readStoreId(files, dir)
  if (storeId === null) throw new Error(`${join(dir, FORMAT_FILE)} is missing: repeat the repair`)
  const text = manifestText({ storeId, position: await positionOf(files, dir) })
  const known = await readWhole(files, path)
  if (known !== null && Buffer.compare(known, text) === 0) return
  await aside.copy(path, `${MANIFEST_FILE}.${options.clock.nowMs()}`)
  await replaceWhole(files, path, text)
}

/** First to last: whenever it is cut off, the old segments behind are still there and the journal still says damaged. */
async function rewriteJournal(
  store: Store,
  plan: RepairPlan,
  from: number,
  aside: Aside,
  { clock, onDone }: RepairOptions,
): Promise<void> {
  const folder = join(store.dir, 'wal')
  const nowMs = clock.nowMs()
  const segments = new Map(store.journal.segments.map((segment) => [segment.seq, segment]))
  const before = segments.get(from - 1)
  const header = before === undefined ? (segments.get(from)?.header ?? null) : null
  let next: Expected = header ?? before?.end?.expected ?? FIRST
  for (let seq = from; seq <= plan.rewriteTo; seq += 1) {
    const source = segments.get(seq) ?? null
    const records =
      source === null ? [] : recordsInOrder(source).filter((record) => isKept(plan.actors, record))
    const path = segmentPath(folder, seq)
    // The end of the name lets an erasure remove it, as every copy of a torn end.
    await aside.copy(path, `${basename(path)}.repair-${nowMs}.torn`)
    const storeId = store.storeId ?? ''
    next = await rewriteSegment(store.files, { folder, storeId, seq, source, records, start: next, nowMs })
    onDone(`wrote wal/${basename(path)} again with ${records.length} turns`)
  }
}

/** A new snapshot from history, when the damaged ones are out of its way. */
async function writeFromHistory(
  { files, dir, storeId }: Store,
  { key, keyHash, fromHistory }: ActorRepair,
  { onDone }: RepairOptions,
): Promise<void> {
  if (fromHistory === null) return
  const { folders } = await openActorFolders(files, join(dir, 'snap'))
  const folder = await folders.madeFolder(keyHash)
  await createSnapshot(files, folder, { actorKey: key, storeId, turnCrc: null }, fromHistory)
  onDone(`wrote a snapshot of ${key} at turn ${fromHistory.seq} from history`)
}

async function mendLedger(
  { dir, files, keys }: Store,
  plan: RepairPlan,
  aside: Aside,
  { onDone }: RepairOptions,
): Promise<void> {
  if (plan.ledger.length + plan.exposures.length === 0) return
  const { folders } = await openActorFolders(files, join(dir, 'ledger'))
  const packer = createPacker({ isTabular: false })
  // By itself: a merge with what is there would bring back the sets of lost turns.
  const write = async (key: string, fromSeq: number, records: readonly ExposureRecord[]): Promise<void> => {
    const range = { fromSeq, toSeq: Math.max(...records.map(({ seq }) => seq)) }
    const folder = await folders.madeFolder(actorKeyHashOf(key))
    await createLedgerFile(files, folder, key, range, await packExposures(packer, records))
  }
  for (const { ledger: damaged, kept } of plan.ledger) {
    const key = keys.get(damaged.file.actorKeyHash)
    if (key !== undefined && kept.length > 0) await write(key, damaged.file.fromSeq, kept)
    await aside.move(damaged.path)
  }
  for (const { key, records } of plan.exposures) {
    await write(key, Math.min(...records.map(({ seq }) => seq)) - 1, records)
    onDone(`wrote ${records.length} exposure sets of ${key} again from the journal`)
  }
}
