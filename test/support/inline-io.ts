import { bytesOver } from '../../src/adapters/binary/bytes.ts'
import { writeAll } from '../../src/adapters/files/whole-file.ts'
import type { JournalIo } from '../../src/adapters/journal/journal-io.ts'
import type { Files } from '../../src/ports/files.ts'

/** Writes for a journal through the file port, in this thread. */
export function createInlineIo(files: Files): JournalIo {
  let staging = bytesOver(new Uint8Array(0))
  return {
    reserve(bytes) {
      if (staging.bytes.length < bytes) staging = bytesOver(new Uint8Array(bytes))
      return staging
    },
    async write(fd, position, bytes, flush) {
      if (bytes > 0) await writeAll(files, fd, staging.bytes.subarray(0, bytes), position)
      if (flush) await files.fdatasync(fd)
    },
    async close() {},
  }
}
