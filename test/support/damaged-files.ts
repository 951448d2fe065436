import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import type { Files } from '../../src/ports/files.ts'

/** The files of this machine, of which one cannot be read: a disk that fails. */
export function unreadable(target: string): Files {
  const files = withContent(target, new Uint8Array(0))
  const failed = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }))
  return {
    ...files,
    pread: (fd, into, position) => (fd === OURS ? failed() : files.pread(fd, into, position)),
    stat: (path) => (path === target ? nodeFiles.stat(path) : files.stat(path)),
  }
}

/** Not a descriptor of the system. */
const OURS = 1_000_000_000

/**
 * The files of this machine, of which one has another content; null: it is not there. Whatever would write is refused,
 * so that a reader that writes fails the test.
 */
export function withContent(target: string, content: Uint8Array | null): Files {
  const refused = (): Promise<never> => Promise.reject(new Error('a reader must not write'))
  const missing = (): Error => Object.assign(new Error(`ENOENT: ${target}`), { code: 'ENOENT' })
  return {
    ...nodeFiles,
    open: async (path, mode) => {
      if (mode !== 'read') return refused()
      if (path !== target) return nodeFiles.open(path, mode)
      if (content === null) throw missing()
      return OURS
    },
    pread: async (fd, into, position) => {
      if (fd !== OURS || content === null) return nodeFiles.pread(fd, into, position)
      const piece = content.subarray(position, position + into.length)
      into.set(piece)
      return piece.length
    },
    stat: async (path) => {
      if (path !== target) return nodeFiles.stat(path)
      return content === null ? null : { bytes: content.length, isDirectory: false }
    },
    readdir: async (path) => {
      const names = await nodeFiles.readdir(path)
      return content === null ? names.filter((name) => `${path}/${name}` !== target) : names
    },
    close: async (fd) => (fd === OURS ? undefined : nodeFiles.close(fd)),
    pwrite: refused,
    fsync: refused,
    fdatasync: refused,
    rename: refused,
    unlink: refused,
    mkdir: refused,
    truncate: refused,
    fsyncDir: refused,
  }
}
