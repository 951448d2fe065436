import { nodeFiles } from '../../adapters/files/node-files.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { Store } from '../../ports/store.ts'
import type { StoreReader } from '../../ports/store-reader.ts'
import { factsOf } from '../store/actor-facts.ts'
import type { ArchivedActor } from './archive-reader.ts'
import {
  archivedActors,
  checkedArchive,
  type ImportOptions,
  type ImportReport,
  otherState,
  type RefusedActor,
} from './import-archive.ts'

/**
 * Puts the actors of an archive into a store, as one node of those that serve from it: no actor that is there is touched. The whole archive is
 * checked before anything is written. Cut off anywhere, it can be repeated. Rejects with ArchiveError; then nothing was written.
 */
export async function importIntoStore(
  store: Store,
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
    const reason = await put(store, actor).catch(messageOf)
    if (reason === null) written.push(key)
    else refused.push({ key, reason })
  }
  return { sourceStoreId: archive.storeId, written, skipped, refused, manifest: archive.manifest }
}

/** The ledger before the snapshot, as a service does it: an actor that has its snapshot has everything. Null: it is there. */
async function put(
  { ownership, journal, snapshots, ledger }: Store,
  { key, image, exposures }: ArchivedActor,
): Promise<string | null> {
  const grant = await ownership.acquire(key)
  try {
    // Nobody else writes it from here on.
    const headSeq = Math.max(journal.headOf(key), snapshots.coveredSeqOf(key))
    if (headSeq > 0) return otherState(headSeq, image.seq)
    const fromSeq = exposures.reduce((least, { seq }) => Math.min(least, seq), image.seq + 1) - 1
    if (exposures.length > 0) await ledger.append(grant, key, fromSeq, image.seq, exposures)
    await snapshots.put(grant, key, image)
    return null
  } finally {
    ownership.release(grant, key)
  }
}
