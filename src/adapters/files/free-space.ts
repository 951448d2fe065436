import { constants } from 'node:os'
import type { Files } from '../../ports/files.ts'

export interface FreeSpace {
  /** Bytes that were free at the last look. */
  freeBytes(): number
  /** True when so much was free then, or half of a volume that is smaller than twice that; and room for a start's files. */
  hasRoom(bytes: number): boolean
  /** True while so little is free that nothing may grow: a share of the volume, but never more than the bound. */
  isShort(): boolean
  /** Asks the volume again. What it answered before counts on when it does not answer. */
  look(): Promise<void>
}

/** Below this share of the volume space is short. */
const SHORT_SHARE = 0.05
/** Of a small volume this share is room. */
const ROOM_SHARE = 0.5
/** New files below which a volume counts as full. */
const FILES_MIN = 64

/** Watches the volume of a folder. `shortBytesMax`: never short with more than this; 0 switches it off. */
export async function openFreeSpace(files: Files, dir: string, shortBytesMax: number): Promise<FreeSpace> {
  let volume = await files.statfs(dir)
  return {
    freeBytes: () => volume.freeBytes,
    hasRoom: (bytes) =>
      volume.freeBytes >= Math.min(bytes, volume.totalBytes * ROOM_SHARE) &&
      (volume.freeFiles ?? FILES_MIN) >= FILES_MIN,
    isShort: () => volume.freeBytes < Math.min(shortBytesMax, volume.totalBytes * SHORT_SHARE),
    async look() {
      volume = await files.statfs(dir).catch(() => volume)
    },
  }
}

const CODES = ['ENOSPC', 'ESHORTWRITE']

/**
 * True when it says that the volume, or a quota on it, is full. A short write is how a full disk begins to say so. A quota
 * is known by its number only: the library that Node makes system calls with has no name for it.
 */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errno' in error && error.errno === -constants.errno.EDQUOT) return true
  return 'code' in error && CODES.includes(String(error.code))
}
