import type { FolderWatch } from '../../adapters/files/folder-watch.ts'
import { ManifestKeeper, type StorePosition } from '../../adapters/files/manifest.ts'
import { openJournal } from '../../adapters/journal/file-journal.ts'
import type { BeforeUnlink } from '../../adapters/journal/retention.ts'
import type { FileLedger } from '../../adapters/ledger/ledger.ts'
import type { FileSnapshotStore } from '../../adapters/snapshot/store.ts'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Config } from '../config/options.ts'
import type { Opened } from '../opened.ts'
import { derivedLacks, journalLacks, StoreIncompleteError } from '../store/completeness.ts'

/** The journal of a store that lacks nothing of what its manifest tells, and the manifest that goes on from there. */
export async function openWhole(
  { durability, intervalMs, segmentBytes, padTo, journalChain }: Config,
  parts: {
    readonly dir: string
    readonly files: Files
    readonly log: Log
    readonly watch: FolderWatch
    readonly telemetry: Pick<Telemetry, 'journalWrote'>
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
  const manifest = await ManifestKeeper.start({ files, dir, log, storeId, positionNow })
  opened.push(async () => {
    await journal.close()
    if (watch.lost === null) await manifest.close()
  })
  return { journal, manifest }
}
