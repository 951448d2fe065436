import { basename, dirname, join } from 'node:path'
import { jsonOf } from '../../core/base/collections.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { Files, OpenMode } from '../../ports/files.ts'
import type { Log } from '../../ports/system.ts'

/** Whether the system, or Node, gave one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT')
}

/** For `catch`: what is gone is null. */
export function nullWhenMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

/** A folder where a file has to be, or a file where a folder has to be. */
export class WrongKindError extends Error {
  override readonly name = 'WrongKindError'
}

/** A write that took fewer bytes than it was given: what a full disk does before it says ENOSPC. */
export class ShortWriteError extends Error {
  override readonly name = 'ShortWriteError'
  readonly code = 'ESHORTWRITE'
}

/** Writes all bytes with one call; a short count is an error, never a reason to go on. */
export async function writeAll(files: Files, fd: number, bytes: Uint8Array, position: number): Promise<void> {
  const written = await files.pwrite(fd, bytes, position)
  if (written !== bytes.length)
    throw new ShortWriteError(`short write: ${written} of ${bytes.length} bytes: the disk is full`)
}

/** Fills `into` from `position` on; the number of bytes is smaller only where the file ends. */
export async function readAll(files: Files, fd: number, into: Uint8Array, position: number): Promise<number> {
  let filled = 0
  while (filled < into.length) {
    const read = await files.pread(fd, into.subarray(filled), position + filled)
    if (read === 0) break
    filled += read
  }
  return filled
}

/** The whole content of a small file, null when it is not there. Rejects with words that name it when a folder lies there. */
export async function readWhole(files: Files, path: string): Promise<Uint8Array | null> {
  const stat = await files.stat(path)
  if (stat === null) return null
  // The error of a read would name no path.
  if (stat.isDirectory)
    throw new WrongKindError(
      `${path} is a folder, and has to be a file: move the folder away, and put the file of this store back`,
    )
  const reading = withFile(files, path, 'read', async (fd) => {
    const bytes = new Uint8Array(stat.bytes)
    return bytes.subarray(0, await readAll(files, fd, bytes, 0))
  })
  // It may have gone since.
  return reading.catch(nullWhenMissing)
}

export async function withFile<T>(
  files: Files,
  path: string,
  mode: OpenMode,
  use: (fd: number) => Promise<T>,
): Promise<T> {
  const fd = await files.open(path, mode)
  try {
    return await use(fd)
  } finally {
    await files.close(fd)
  }
}

/** The JSON in these bytes; undefined when they are none. */
export function jsonIn(bytes: Uint8Array): unknown {
  return jsonOf(Buffer.from(bytes).toString('utf8'))
}

/** Names in a folder, sorted; none where it is missing. */
export async function namesIn(files: Files, folder: string): Promise<readonly string[]> {
  return (await files.stat(folder)) === null ? [] : files.readdir(folder)
}

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
    if (!hasCode(error, 'EEXIST')) throw error
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

/**
 * Why a file of a store cannot be used as it is.
 * - damaged: it is not what was written.
 * - missing: it was there once.
 * - foreign: it is of another store or under a wrong name.
 * - newer: a newer program wrote it; nothing is wrong with it.
 * - unreadable: the file system refuses to read it; what is in it is not known.
 */
export type DamageKind = 'damaged' | 'missing' | 'foreign' | 'newer' | 'unreadable'

export interface FileDamage {
  readonly kind: DamageKind
  readonly path: string
  /** Null when it concerns the file as a whole. */
  readonly offset: number | null
  readonly what: string
}

export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
}

/** The file, or the store that it is of, is whole, but of a format that this program does not read: a newer one wrote it. */
export class NewerFileError extends Error {
  override readonly name = 'NewerFileError'
}

/** What a reader threw, as a damage; `damaged` is the error class that means so. */
export function damageOf(
  error: unknown,
  path: string,
  damaged: abstract new (...args: never[]) => Error = DamagedFileError,
): FileDamage {
  // A message may name the file, as a start tells it alone.
  const what = messageOf(error).replace(`${path}: `, '')
  if (error instanceof NewerFileError) return { kind: 'newer', path, offset: null, what }
  if (error instanceof damaged) return { kind: 'damaged', path, offset: null, what }
  return { kind: 'unreadable', path, offset: null, what }
}

export function quarantineIn(dir: string): string {
  return join(dir, 'quarantine')
}

/** A data folder, and who is told of what happens in it. */
export interface DataFolder {
  readonly dir: string
  readonly files: Files
  readonly log: Log
}

/**
 * Moves a damaged file to quarantine, for an operator to look at, and tells the log. Never rejects: a file that cannot
 * move stays.
 */
export async function moveToQuarantine(
  { files, log, dir }: DataFolder,
  folder: string,
  name: string,
  damage: string,
): Promise<void> {
  log.error({ file: name, damage }, 'damaged file: moved to quarantine')
  const quarantine = quarantineIn(dir)
  try {
    await makeFolder(files, quarantine)
    await files.rename(join(folder, name), join(quarantine, name))
    await files.fsyncDir(quarantine)
    await files.fsyncDir(folder)
  } catch (error) {
    log.error({ file: name, cause: String(error) }, 'a damaged file could not be moved to quarantine')
  }
}

/**
 * Removes files of a data folder that were set aside, by their names. Resolves with their number when that is durable; rejects when one
 * has to stay.
 */
export async function removeFromQuarantine(
  { files, dir }: Pick<DataFolder, 'files' | 'dir'>,
  isMeant: (name: string) => boolean,
): Promise<number> {
  const folder = quarantineIn(dir)
  const names = (await namesIn(files, folder)).filter(isMeant)
  for (const name of names) await files.unlink(join(folder, name))
  if (names.length > 0) await files.fsyncDir(folder)
  return names.length
}
