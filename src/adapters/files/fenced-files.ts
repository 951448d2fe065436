import type { Files } from '../../ports/files.ts'

export interface FencedFiles {
  readonly files: Files
  /** From now on every change is refused; resolves when those that were under way have ended. */
  readonly fence: () => Promise<void>
}

/**
 * Files of one life of a store. A snapshot that a shutdown did not wait for must not appear in the folder after the
 * lock was given back: the next owner may have erased by then what it holds. Reads go on.
 */
export function fencedFiles(files: Files): FencedFiles {
  const underWay = new Set<Promise<unknown>>()
  let isFenced = false
  const change = <T>(start: () => Promise<T>): Promise<T> => {
    if (isFenced) return Promise.reject(new Error('the data folder was given back: nothing is changed in it'))
    const done = start()
    const ended: Promise<unknown> = done.catch(() => undefined).then(() => underWay.delete(ended))
    underWay.add(ended)
    return done
  }
  return {
    files: {
      ...files,
      open: (path, mode) => (mode === 'read' ? files.open(path, mode) : change(() => files.open(path, mode))),
      pwrite: (fd, bytes, position) => change(() => files.pwrite(fd, bytes, position)),
      rename: (from, to) => change(() => files.rename(from, to)),
      unlink: (path) => change(() => files.unlink(path)),
      mkdir: (path) => change(() => files.mkdir(path)),
      truncate: (fd, bytes) => change(() => files.truncate(fd, bytes)),
    },
    fence: async () => {
      isFenced = true
      await Promise.all(underWay)
    },
  }
}
