import type { Files } from '../../ports/files.ts'

export interface FencedFiles {
  readonly files: Files
  /** From now on every change is refused; resolves when those that were under way have ended. */
  readonly fence: () => Promise<void>
}

/**
 * Files of one life of a store. A snapshot that a shutdown did not wait for must not appear in the folder after the
 * lock was given back: the next owner may have erased by then what it holds. Reads go on.
 * `confirmed`: asked before a name is changed, whether the folder still has its own; null: it has.
 */
export function fencedFiles(files: Files, confirmed: () => Promise<void> | null = () => null): FencedFiles {
  const underWay = new Set<Promise<unknown>>()
  let isFenced = false
  const change = <T>(start: () => Promise<T>): Promise<T> => {
    if (isFenced) return Promise.reject(new Error('the data folder was given back: nothing is changed in it'))
    const done = start()
    const ended: Promise<unknown> = done.catch(() => undefined).then(() => underWay.delete(ended))
    underWay.add(ended)
    return done
  }
  const named = <T>(start: () => Promise<T>): Promise<T> =>
    change(async () => {
      const confirming = confirmed()
      if (confirming !== null) await confirming
      return start()
    })
  return {
    files: {
      ...files,
      open: (path, mode) => (mode === 'read' ? files.open(path, mode) : named(() => files.open(path, mode))),
      pwrite: (fd, bytes, position) => change(() => files.pwrite(fd, bytes, position)),
      rename: (from, to) => named(() => files.rename(from, to)),
      unlink: (path) => named(() => files.unlink(path)),
      mkdir: (path) => named(() => files.mkdir(path)),
      truncate: (fd, bytes) => change(() => files.truncate(fd, bytes)),
    },
    fence: async () => {
      isFenced = true
      await Promise.all(underWay)
    },
  }
}
