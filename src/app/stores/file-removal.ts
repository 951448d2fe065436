import { forEachConcurrently } from '../../adapters/files/concurrency.ts'
import type { FileJournal } from '../../adapters/journal/file-journal.ts'
import type { FileLedger } from '../../adapters/ledger/ledger.ts'
import type { FileSnapshotStore } from '../../adapters/snapshot/store.ts'
import { assert } from '../../core/base/assert.ts'
import { type Redaction, redactor } from '../../core/model/erasure.ts'
import type { Grant, RecallImages, RemovalHelp, Removed } from '../../ports/store.ts'

interface FileRemovalParts {
  readonly journal: FileJournal
  readonly snapshots: FileSnapshotStore
  readonly recallImages: RecallImages
  readonly ledger: Pick<FileLedger, 'rewrite'>
  /**
   * Rewrites every history file in which turns of the actor say what they may not any more, and removes damaged ones that were
   * set aside. Resolves with the number of files changed or removed when that is durable. Doing it again changes nothing.
   */
  readonly redactHistory: (actorKey: string, redaction: Redaction) => Promise<number>
}

/** Actors that are snapshot at the same time to free the segments that an erased memory is in. */
const COVERED_AT_ONCE = 8

/**
 * Removal from files: old snapshots, the stored index, exposure sets, then the journal segments of the time before, in which other actors
 * may have turns too, then what history says.
 */
export function fileRemoval({ journal, snapshots, recallImages, ledger, redactHistory }: FileRemovalParts) {
  async function freeJournal(
    grant: Grant,
    actorKey: string,
    seq: number,
    help: RemovalHelp,
  ): Promise<number> {
    let holders = journal.pinnedWith(actorKey, seq)
    if (holders === null) {
      await journal.rotate()
      holders = journal.pinnedWith(actorKey, seq)
    }
    assert(holders !== null, 'a fresh segment holds no earlier turn')
    await forEachConcurrently(holders, COVERED_AT_ONCE, (key) => cover(grant, key, journal.headOf(key), help))
    return journal.release(actorKey, seq)
  }

  /**
   * Has a snapshot cover every turn up to `seq`, of which the journal may then let go: one that was read back whole stands
   * for the second one, which only guards against damage. One that is damaged by then is made again.
   */
  async function cover(
    grant: Grant,
    actorKey: string,
    seq: number,
    help: Pick<RemovalHelp, 'snapshot'>,
  ): Promise<void> {
    let whole = snapshots.coveredSeqOf(actorKey) < seq ? 0 : await snapshots.wholeSeqOf(actorKey)
    if (whole < seq) {
      await help.snapshot(actorKey)
      whole = await snapshots.wholeSeqOf(actorKey)
    }
    if (whole < seq) throw new Error(`the snapshot of ${actorKey} cannot be read back`)
    for (let mark = 0; mark < 2; mark += 1) journal.covered(grant, actorKey, whole)
  }

  return {
    async erase(grant: Grant, actorKey: string, redaction: Redaction, help: RemovalHelp): Promise<Removed> {
      const { untilSeq } = redaction
      help.began('snapshots')
      await cover(grant, actorKey, untilSeq, help)
      const dropped = await snapshots.dropBefore(actorKey, untilSeq)
      help.began('index')
      await recallImages.dropBefore(grant, actorKey, untilSeq)
      help.began('ledger')
      const left = redactor(redaction)
      if (redaction.guides.length + redaction.external.length > 0)
        await ledger.rewrite(actorKey, (shown) => left.exposure(shown))
      help.began('journal')
      const segments = await freeJournal(grant, actorKey, untilSeq, help)
      help.began('history')
      const files = await redactHistory(actorKey, redaction)
      return { snapshots: dropped, journalSegments: segments, historyFiles: files }
    },
    /**
     * Has every turn of actors that are gone go out of the journal, into history. Call it on a journal that was just opened,
     * which has them in complete segments only.
     */
    async freeTurns(
      grant: Grant,
      actorKeys: ReadonlySet<string>,
      help: Pick<RemovalHelp, 'snapshot'>,
    ): Promise<void> {
      const held = (): string | undefined => [...actorKeys].find((key) => journal.headOf(key) > 0)
      if (held() === undefined) return
      const others = [...journal.actorKeys()].filter((key) => !actorKeys.has(key) && journal.headOf(key) > 0)
      await forEachConcurrently(others, COVERED_AT_ONCE, (key) =>
        cover(grant, key, journal.headOf(key), help),
      )
      // The oldest segments go first: every one that is free, whoever is asked for.
      for (let key = held(); key !== undefined; key = held()) await journal.release(key, journal.headOf(key))
    },
  }
}
