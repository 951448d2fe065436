import { basename, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/system.ts'
import { FileWindow } from '../files/file-window.ts'
import { quarantineIn, replaceWhole, withFile, writeAll } from '../files/whole-file.ts'
import { linkOver, SEGMENT_HEADER_BYTES } from './format.ts'
import type { Chain, DurablePosition } from './group-commit-writer.ts'
import type { SurveyedSegment } from './scan-past-corruption.ts'
import { endOf, wholeJournal } from './survey.ts'

/** Told where the journal ends: at segment 0, turn 0 when there is none. */
export type OnFound = (position: DurablePosition) => void

/** Ends the name of a copy of what was cut off. */
export const TORN_SUFFIX = '.torn'

/** Batches are written again in pieces of this size. */
const REWRITE_BYTES = 1024 * 1024

const FIRST: Chain = { batchSeq: 1, durableSeq: 0, prevBatchCrc: 0, firstLsn: 1, link: null }

/** A segment in use: one without a header was prepared ahead. */
type Used = SurveyedSegment & { readonly [Part in 'header' | 'end']: NonNullable<SurveyedSegment[Part]> }

/**
 * Reads the journal of a data folder and makes what it found durable. A torn end is copied to quarantine, unused files
 * are removed. Changes nothing when it refuses.
 * Rejects with JournalCorruptError, NewerFileError, or the error of a read that failed.
 */
export async function recover(
  files: Files,
  dir: string,
  storeId: string,
  { log, onFound }: { readonly log: Log; readonly onFound: OnFound | null },
) {
  const chained: { link: string | null } = { link: null }
  const journal = await wholeJournal(files, dir, storeId, (header, bytes, isLast) => {
    const link = isLast ? (chained.link ?? header?.link ?? null) : null
    if (link !== null) chained.link = linkOver(link, bytes)
  })
  const { index, segments } = journal
  const used = segments.filter((each): each is Used => each.header !== null && each.end !== null)
  for (const { places, end } of used) places.flushedEnd = end.offset
  onFound?.(endOf(journal))
  const last = used.at(-1)
  if (last !== undefined) await settleTornEnd(files, dir, last, log)
  const unused = segments.filter(({ header }) => header === null)
  for (const path of [...journal.drafts, ...unused.map((each) => each.path)]) await files.unlink(path)
  await files.fsyncDir(join(dir, 'wal'))
  if (last === undefined)
    return { index, segments: [], chain: FIRST, freshSeq: segments[0]?.seq ?? 1, tornEnds: [] }
  const { expected } = last.end
  const isLastKept = last.end.offset > SEGMENT_HEADER_BYTES
  const kept = isLastKept ? used : used.slice(0, -1)
  return {
    index,
    /** Oldest first, as far as their batches are whole. All of it is durable. */
    segments: kept.map(({ places }) => places),
    chain: { ...expected, durableSeq: expected.batchSeq - 1, link: chained.link ?? last.header.link },
    /** It may be that of an old one without a batch, which it replaces. */
    freshSeq: isLastKept ? last.seq + 1 : last.seq,
    /** Segment files with more in them than whole batches. */
    tornEnds: kept.flatMap(({ path, bytes, end }) => (bytes > end.offset ? [{ path, end: end.offset }] : [])),
  }
}

/**
 * Cuts off what lies behind the last whole batch. Only after the fresh segment is durable: its header says where
 * the journal goes on, so that a file shorter than it was made and without a successor is known to be damaged.
 */
export async function trimTornEnds(
  files: Files,
  tornEnds: readonly { readonly path: string; readonly end: number }[],
): Promise<void> {
  for (const { path, end } of tornEnds) {
    await withFile(files, path, 'write', async (fd) => {
      await files.truncate(fd, end)
      await files.fsync(fd)
    })
  }
}

/** Keeps a copy of what was torn and makes the last segment durable. */
async function settleTornEnd(files: Files, dir: string, last: Used, log: Log): Promise<void> {
  const { path, end, tornBytes: bytes } = last
  const window = await FileWindow.open(files, path)
  try {
    if (bytes > 0) {
      const name = `${basename(path)}.${end.offset}${TORN_SUFFIX}`
      await replaceWhole(files, join(quarantineIn(dir), name), await pieceOf(window, end.offset, bytes))
      log.warn(
        { file: path, offset: end.offset, bytes, reason: end.reason },
        'torn end of the journal cut off',
      )
    }
    await makeDurable(files, window, last)
  } finally {
    await window.close()
  }
}

/**
 * What a killed process wrote may be in the page cache only, and after a flush that failed the system takes it for
 * clean: a further flush would do nothing. So batches that nothing proves are written again, then flushed; from here
 * on they count as durable.
 */
function makeDurable(files: Files, window: FileWindow, { end }: Used): Promise<void> {
  return withFile(files, window.path, 'write', async (fd) => {
    // A short write may have left the last batch whole but for its padding.
    const to = Math.min(end.offset, window.size)
    for (let from = end.unprovenFrom; from < to; from += REWRITE_BYTES) {
      await writeAll(files, fd, await pieceOf(window, from, Math.min(REWRITE_BYTES, to - from)), from)
    }
    await files.fsync(fd)
  })
}

async function pieceOf(window: FileWindow, offset: number, bytes: number): Promise<Uint8Array> {
  const at = await window.load(offset, bytes)
  if (at === null) throw new Error(`${window.path} became shorter while it was read`)
  return window.loaded.bytes.subarray(at, at + bytes)
}
