import { basename, dirname, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { writeAll } from './whole-file.ts'

/** Marks a file that is still being written; whatever carries it at start is the rest of a crash. */
export const TEMPORARY_SUFFIX = '.tmp'

export interface NewFile {
  readonly folder: string
  /** Name while it is written, without the suffix, which nobody else may be writing. */
  readonly draftName: string
  /** Name of the whole file, given its size. */
  readonly nameOf: (bytes: number) => string
}

/**
 * Creates a file that is there as a whole or not at all, and resolves when it and its name are durable. A failure
 * rejects and leaves nothing behind, except when only the flush of the folder fails: then the name may stay.
 */
export async function createDurably(
  files: Files,
  target: NewFile,
  write: (file: GrowingFile) => Promise<void>,
): Promise<{ readonly name: string; readonly bytes: number }> {
  const draftPath = join(target.folder, target.draftName + TEMPORARY_SUFFIX)
  const fd = await openDraft(files, draftPath)
  const file = new GrowingFile(files, fd)
  let name: string
  try {
    try {
      await write(file)
      await file.flush()
      await files.fsync(fd)
    } finally {
      await files.close(fd)
    }
    name = target.nameOf(file.bytes)
    await files.rename(draftPath, join(target.folder, name))
  } catch (error) {
    // A draft that cannot be removed now is removed by the next try or start; the first error is the one to tell.
    await files.unlink(draftPath).catch(() => undefined)
    throw error
  }
  await files.fsyncDir(target.folder)
  return { name, bytes: file.bytes }
}

/** A new file, also when an earlier try could not remove its own. */
async function openDraft(files: Files, path: string): Promise<number> {
  return files.open(path, 'create').catch(async (error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    await files.unlink(path)
    return files.open(path, 'create')
  })
}

/** The same under a name of its own, in the place of an earlier file of that name. */
export function createNamed(
  files: Files,
  path: string,
  write: (file: GrowingFile) => Promise<void>,
): Promise<{ readonly name: string; readonly bytes: number }> {
  const name = basename(path)
  return createDurably(files, { folder: dirname(path), draftName: name, nameOf: () => name }, write)
}

/** The folder is there and its name durable; those above it have to be. */
export async function makeFolder(files: Files, folder: string): Promise<void> {
  await files.mkdir(folder)
  await files.fsyncDir(dirname(folder))
}

/** Puts `bytes` at `path` so that after a crash there is the old content or the new, never a part. Rejects as `createDurably`. */
export async function replaceWhole(files: Files, path: string, bytes: Uint8Array): Promise<void> {
  await createNamed(files, path, (file) => file.append(bytes))
}

/** Smaller pieces than this are written together: of a small file a call of the system for each would be most of its cost. */
const GATHERED_BYTES = 64 * 1024

/** A file that grows at its end. One append at a time; the bytes are the caller's again when it resolves. */
export class GrowingFile {
  readonly #files: Files
  readonly #fd: number
  #bytes: number
  #gathered: Uint8Array | null = null
  /** So many of the last bytes are not written yet. */
  #waiting = 0

  /** `bytes`: it has so many already. */
  constructor(files: Files, fd: number, bytes = 0) {
    this.#files = files
    this.#fd = fd
    this.#bytes = bytes
  }

  get bytes(): number {
    return this.#bytes
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (this.#waiting + bytes.length > GATHERED_BYTES) await this.flush()
    if (bytes.length < GATHERED_BYTES) {
      this.#gathered ??= new Uint8Array(GATHERED_BYTES)
      this.#gathered.set(bytes, this.#waiting)
      this.#waiting += bytes.length
    } else await writeAll(this.#files, this.#fd, bytes, this.#bytes)
    this.#bytes += bytes.length
  }

  /** Puts other bytes in the place of some that were appended. */
  async replace(position: number, bytes: Uint8Array): Promise<void> {
    await this.flush()
    await writeAll(this.#files, this.#fd, bytes, position)
  }

  async flush(): Promise<void> {
    if (this.#gathered === null || this.#waiting === 0) return
    const waiting = this.#waiting
    this.#waiting = 0
    await writeAll(this.#files, this.#fd, this.#gathered.subarray(0, waiting), this.#bytes - waiting)
  }
}
