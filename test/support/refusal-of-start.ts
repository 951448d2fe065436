import { silentLog } from '../../src/adapters/files/null-ports.ts'
import { JournalCorruptError } from '../../src/adapters/journal/format.ts'
import { openLayout } from '../../src/adapters/journal/layout.ts'
import { recover } from '../../src/adapters/journal/recovery.ts'
import type { Files } from '../../src/ports/files.ts'

/** A descriptor of nothing: what is opened for writing goes nowhere. */
const NOWHERE = -1

/** The same files for a rehearsal: what is read comes from them, what is written is counted as done and forgotten. */
function writelessFiles(files: Files): Files {
  const done = async (): Promise<void> => undefined
  return {
    ...files,
    open: async (path, mode) => (mode === 'read' ? files.open(path, mode) : NOWHERE),
    pwrite: async (_fd, bytes) => bytes.length,
    fdatasync: done,
    fsync: done,
    rename: done,
    unlink: done,
    fsyncDir: done,
    scrub: done,
    mkdir: done,
    truncate: done,
    close: async (fd) => {
      if (fd !== NOWHERE) await files.close(fd)
    },
  }
}

/** What a start would say of the journal, by the very code of a start, without changing anything; null: it would begin. */
export async function refusalOfStart(files: Files, dir: string): Promise<JournalCorruptError | null> {
  const writeless = writelessFiles(files)
  try {
    await recover(writeless, dir, await openLayout(writeless, dir), { log: silentLog, onFound: null })
    return null
  } catch (error) {
    if (error instanceof JournalCorruptError) return error
    throw error
  }
}
