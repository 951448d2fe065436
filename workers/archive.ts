import { join } from 'node:path'
import { createCodec } from '../src/adapters/codec/codec.ts'
import { actorKeyHashOf } from '../src/adapters/files/actor-folders.ts'
import { FileWindow } from '../src/adapters/files/file-window.ts'
import { nodeFiles } from '../src/adapters/files/node-files.ts'
import { createNamed, DamagedFileError } from '../src/adapters/files/whole-file.ts'
import {
  historyNameOf,
  type RewritePayload,
  rewriteHistory,
  verifyHistory,
  writeHistory,
} from '../src/adapters/history/format.ts'
import type { ArchiveOutcome, ArchivePlace } from '../src/adapters/history/history.ts'
import { JournalCorruptError } from '../src/adapters/journal/format.ts'
import { completeHeader, scanSealedSegment } from '../src/adapters/journal/scan.ts'
import { unexplainedTurn } from '../src/core/model/erasure.ts'
import type { Files } from '../src/ports/files.ts'
import { yieldProcessor } from './background-thread.ts'

/** Explanations of an actor's guides before a turn are not archived. */
export interface ExplanationBound {
  readonly actorKey: string
  readonly keptFromSeq: number
}

export interface ArchiveJob {
  readonly segmentPath: string
  readonly flushedEnd: number
  readonly place: ArchivePlace
  readonly bounds: readonly ExplanationBound[]
}

/**
 * A journal segment in, its history file out: the same records, those of an actor side by side; of actors with too many
 * guides the oldest are kept without their explanations.
 */
export default function archiveTask(job: ArchiveJob): Promise<ArchiveOutcome> {
  yieldProcessor()
  return archiveSegment(nodeFiles, job)
}

/** Rejects with the file system's error. One call at a time for a folder. */
export async function archiveSegment(files: Files, job: ArchiveJob): Promise<ArchiveOutcome> {
  const window = await FileWindow.open(files, job.segmentPath)
  try {
    if (!(await isArchived(files, window, job.place))) await writeFrom(files, window, job)
    return { kind: 'archived' }
  } catch (error) {
    if (error instanceof DamagedFileError) return { kind: 'file_damaged', damage: error.message }
    if (error instanceof JournalCorruptError) return { kind: 'segment_damaged', damage: error.message }
    throw error
  } finally {
    await window.close()
  }
}

/** True when the file of exactly this segment is there, whole and durable: a crash came before the unlink. */
async function isArchived(files: Files, window: FileWindow, place: ArchivePlace): Promise<boolean> {
  const path = join(place.folder, historyNameOf(place.segmentSeq))
  if ((await files.stat(path)) === null) return false
  const facts = await verifyHistory(files, path)
  const { salt } = await completeHeader(window, place.segmentSeq)
  if (facts.salt !== salt || facts.segmentSeq !== place.segmentSeq) {
    throw new DamagedFileError('the content is of another segment')
  }
  // Its name is visible, but may not be durable: the last process may have ended before its own flush.
  await files.fsyncDir(place.folder)
  return true
}

async function writeFrom(files: Files, window: FileWindow, job: ArchiveJob): Promise<void> {
  const { flushedEnd, place, bounds } = job
  const { folder, segmentSeq, archivedAtMs } = place
  const { salt, runs } = await scanSealedSegment(window, segmentSeq, flushedEnd)
  const name = historyNameOf(segmentSeq)
  const sources = runs.map(({ actor, ...run }) => ({ ...run, keyHash: actorKeyHashOf(actor.key) }))
  await createNamed(files, join(folder, name), (file) =>
    writeHistory(file, { segmentSeq, salt, archivedAtMs }, sources, async (offset, bytes) => {
      const at = await window.load(offset, bytes)
      if (at === null) throw new JournalCorruptError(window.path, offset, 'the file became shorter')
      return window.loaded.bytes.subarray(at, at + bytes)
    }),
  )
  for (const { actorKey, keptFromSeq } of bounds) {
    const isBeyond = runs.some((run) => run.actor.key === actorKey && run.firstSeq < keptFromSeq)
    if (isBeyond) await rewriteHistory(files, folder, name, actorKey, unexplainedBefore(keptFromSeq))
  }
}

function unexplainedBefore(keptFromSeq: number): RewritePayload {
  const codec = createCodec()
  return (payload) => {
    const turn = codec.decodeTurn(payload)
    const kept = turn.seq < keptFromSeq ? unexplainedTurn(turn) : turn
    return kept === turn ? null : codec.encodeTurn(kept)
  }
}
