/**
 * - read: an existing file, for reading.
 * - write: an existing file, for reading and positional writing.
 * - create: a new file; refuses (EEXIST) one that exists.
 * - replace: a new file, or an existing one emptied.
 */
export type OpenMode = 'read' | 'write' | 'create' | 'replace'

export interface FileStat {
  readonly bytes: number
  readonly isDirectory: boolean
}

export interface VolumeStat {
  readonly freeBytes: number
  readonly totalBytes: number
  /** Files that can still be made; null where their number is not limited. */
  readonly freeFiles: number | null
}

/**
 * The calls a durable store makes on a file system, one to one with the system calls, so that a simulated disk can
 * stand in for them. Every call rejects with an error that carries `code` (ENOENT, EIO, ENOSPC …). A file is known
 * by its descriptor, a number of this process that worker threads share.
 */
export interface Files {
  open(path: string, mode: OpenMode): Promise<number>
  /** Bytes written, which may be fewer than given: a disk that fills up says so first by a short count. */
  pwrite(fd: number, bytes: Uint8Array, position: number): Promise<number>
  /** Bytes read, which may be fewer than asked for; 0 at the end of the file. */
  pread(fd: number, into: Uint8Array, position: number): Promise<number>
  /** Data and size of the file are durable. */
  fdatasync(fd: number): Promise<void>
  fsync(fd: number): Promise<void>
  /** Replaces `to` in one step; durable after `fsyncDir`. */
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  /** The names in the folder are durable. */
  fsyncDir(path: string): Promise<void>
  /**
   * Nothing of removed files whose paths begin so is on disk any more, as far as they shared a file with others. The names
   * themselves are gone with the next `fsyncDir`.
   */
  scrub(pathStart: string): Promise<void>
  /** An existing folder is fine. Without its parents: where they are gone nothing is made in their place. */
  mkdir(path: string): Promise<void>
  /** Names, sorted. */
  readdir(path: string): Promise<readonly string[]>
  truncate(fd: number, bytes: number): Promise<void>
  /** Null when nothing is there. */
  stat(path: string): Promise<FileStat | null>
  statfs(path: string): Promise<VolumeStat>
  close(fd: number): Promise<void>
}
