import type { Files } from '../../ports/files.ts'
import { type Bytes, bytesOver } from '../binary/little-endian.ts'
import { ShortWriteError } from '../files/whole-file.ts'

/**
 * How the journal writes: it fills the staging area, then has a part of it written and flushed. One call at a time.
 * A call that rejects says nothing about what reached the disk.
 */
export interface JournalIo {
  /** A staging area of at least `bytes`, with unknown content. Do not touch it while a call is under way. */
  reserve(bytes: number): Bytes
  /** Writes the first `bytes` of the staging area at `position`; 0 writes nothing. Then flushes, if asked to. */
  write(fd: number, position: number, bytes: number, flush: boolean): Promise<void>
  /** Releases what the io holds. Idempotent. */
  close(): Promise<void>
}

const SMALLEST_STAGING = 64 * 1024

/** A staging area that grows to what was asked for. */
export function createStaging(): (bytes: number) => Bytes {
  let staging = bytesOver(new Uint8Array(SMALLEST_STAGING))
  return (bytes) => {
    if (staging.bytes.length < bytes) {
      staging = bytesOver(new Uint8Array(Math.max(bytes, staging.bytes.length * 2)))
    }
    return staging
  }
}

/** Writes through the file port in this thread; the thread pool does the work. For tests, and for the compactor. */
export function createInlineIo(files: Files): JournalIo {
  const reserve = createStaging()
  return {
    reserve,
    async write(fd, position, bytes, flush) {
      if (bytes > 0) {
        const written = await files.pwrite(fd, reserve(bytes).bytes.subarray(0, bytes), position)
        if (written !== bytes) throw new ShortWriteError(`short write: ${written} of ${bytes} bytes`)
      }
      if (flush) await files.fdatasync(fd)
    },
    async close() {},
  }
}
