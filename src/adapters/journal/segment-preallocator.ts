import { dirname } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/system.ts'
import { writeAll } from '../files/whole-file.ts'
import {
  encodeSegmentHeader,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
  segmentPath,
  ZERO_PIECE_BYTES,
} from './format.ts'

/** A file of zeros, durable under its name and open for writing. */
export interface PreparedSegment {
  readonly seq: number
  readonly fd: number
  readonly bytes: number
}

class StoppedError extends Error {
  override readonly name = 'StoppedError'
}

const ZEROS = new Uint8Array(ZERO_PIECE_BYTES)

/**
 * Makes a segment file: zeros under a temporary name, flushed piece by piece, renamed, folder flushed. An append then
 * changes no metadata and cannot meet a full disk. `header` is written too when given. A file of that name is
 * replaced. Rejects with StoppedError when `isStopped` turned true on the way.
 */
export async function prepareSegment(
  files: Files,
  folder: string,
  seq: number,
  bytes: number,
  header: Omit<SegmentHeader, 'version'> | null,
  isStopped: () => boolean = () => false,
): Promise<PreparedSegment> {
  const path = segmentPath(folder, seq)
  const temporary = `${path}.tmp`
  const fd = await files.open(temporary, 'replace')
  try {
    for (let at = 0; at < bytes; at += ZERO_PIECE_BYTES) {
      if (isStopped()) throw new StoppedError('the journal is closing')
      // One flush of all would hold the disk, and with it every commit, for the time of a whole segment.
      if (at > 0) await files.fdatasync(fd)
      await writeAll(files, fd, ZEROS.subarray(0, Math.min(ZERO_PIECE_BYTES, bytes - at)), at)
    }
    if (header !== null) {
      const block = new Uint8Array(SEGMENT_HEADER_BYTES)
      encodeSegmentHeader(block, header)
      await writeAll(files, fd, block, 0)
    }
    await files.fsync(fd)
    await files.rename(temporary, path)
    await files.fsyncDir(dirname(path))
    return { seq, fd, bytes }
  } catch (error) {
    // A full disk must get its space back; what fails here is left to the next start.
    await files.close(fd).catch(() => undefined)
    await files.unlink(temporary).catch(() => undefined)
    throw error
  }
}

export type SegmentPreallocator = ReturnType<typeof segmentPreallocator>

/** Makes the next segment while the one before it is written. */
export function segmentPreallocator(files: Files, folder: string, segmentBytes: number, log: Log) {
  /** Resolves with null when it could not be made. */
  let next: Promise<PreparedSegment | null> | null = null
  let isPreparing = false
  let isStopped = false

  const make = (seq: number): Promise<PreparedSegment> =>
    prepareSegment(files, folder, seq, segmentBytes, null, () => isStopped)

  async function prepare(seq: number): Promise<PreparedSegment | null> {
    isPreparing = true
    try {
      return await make(seq)
    } catch (error) {
      if (!(error instanceof StoppedError))
        log.warn({ error }, 'preparing the next journal segment failed; tried again when it is needed')
      return null
    } finally {
      isPreparing = false
    }
  }

  /** Starts in the background, once per segment. A failure is logged and met again by `take`. */
  function begin(seq: number): void {
    if (!isStopped) next ??= prepare(seq)
  }

  async function taken(): Promise<PreparedSegment | null> {
    const segment = await next
    next = null
    return segment
  }

  function halt(): void {
    isStopped = true
  }

  return {
    /** True while the next segment is on its way: the active one may then grow a little beyond its end. */
    get isPreparing() {
      return isPreparing
    },
    begin,
    /** The next segment; waits for it, or tries again what failed in the background. Rejects when it fails again. */
    async take(seq: number): Promise<PreparedSegment> {
      begin(seq)
      return (await taken()) ?? make(seq)
    },
    halt,
    /** Halts, waits for the piece under way and lets go of the file. An unused segment is removed unless kept. */
    async stop(keepUnused: boolean): Promise<void> {
      halt()
      const unused = await taken()
      if (unused === null) return
      await files.close(unused.fd)
      if (!keepUnused) await files.unlink(segmentPath(folder, unused.seq))
    },
  }
}
