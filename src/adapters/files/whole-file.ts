import type { Files, OpenMode } from '../../ports/files.ts'

/** Whether the system, or Node, gave one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT')
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
  if (written !== bytes.length) throw new ShortWriteError(`short write: ${written} of ${bytes.length} bytes`)
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
  return withFile(files, path, 'read', async (fd) => {
    const bytes = new Uint8Array(stat.bytes)
    return bytes.subarray(0, await readAll(files, fd, bytes, 0))
  })
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
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

/** Names in a folder, sorted; none where it is missing. */
export async function namesIn(files: Files, folder: string): Promise<readonly string[]> {
  return (await files.stat(folder)) === null ? [] : files.readdir(folder)
}
