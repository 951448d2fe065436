import type { Files } from '../../ports/files.ts'

/** A descriptor of nothing: what is opened for writing goes nowhere. */
const NOWHERE = -1

/** The same files for a rehearsal: what is read comes from them, what is written is counted as done and forgotten. */
export function writelessFiles(files: Files): Files {
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
