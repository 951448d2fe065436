import { constants } from 'node:os'
import type { Files } from '../../ports/files.ts'
import { oneByOne } from './concurrency.ts'
import { identityAt, identityOf, type Lock } from './lock.ts'
import { hasCode } from './whole-file.ts'

export type FreeSpace = Awaited<ReturnType<typeof openFreeSpace>>

/** Below this share of the volume space is short. */
const SHORT_SHARE = 0.05
/** Of a small volume this share is room. */
const ROOM_SHARE = 0.5
/** New files below which a volume counts as full. */
const FILES_MIN = 64

/** Watches the volume of a folder. `shortBytesMax`: never short with more than this; 0 switches it off. */
export async function openFreeSpace(files: Files, dir: string, shortBytesMax: number) {
  let volume = await files.statfs(dir)
  return {
    freeBytes: () => volume.freeBytes,
    /** True when so much is free, or half of a volume that is smaller than twice that; and room for a start's files. */
    hasRoom: (bytes: number) =>
      volume.freeBytes >= Math.min(bytes, volume.totalBytes * ROOM_SHARE) &&
      (volume.freeFiles ?? FILES_MIN) >= FILES_MIN,
    /** True while so little is free that nothing may grow: a share of the volume, but never more than the bound. */
    isShort: () => volume.freeBytes < Math.min(shortBytesMax, volume.totalBytes * SHORT_SHARE),
    /** Asks the volume again. What it answered before counts on when it does not answer. */
    async look() {
      volume = await files.statfs(dir).catch(() => volume)
    },
  }
}

/**
 * True when it says that the volume, or a quota on it, is full. A short write is how a full disk begins to say so. A quota
 * is known by its number only: the library that Node makes system calls with has no name for it.
 */
export function isDiskFull(error: unknown): boolean {
  const isOverQuota = error instanceof Error && 'errno' in error && error.errno === -constants.errno.EDQUOT
  return isOverQuota || hasCode(error, 'ENOSPC', 'ESHORTWRITE')
}

/** What is written goes to files that nobody will find under their names. */
export class FolderLostError extends Error {
  override readonly name = 'FolderLostError'
}

/** Says whether a data folder is still where it was opened. What is lost once stays lost until a restart. */
export interface FolderWatch {
  /** Null while the last look has found everything in its place. */
  readonly lost: FolderLostError | null
  look(): Promise<void>
  /**
   * Call it before acknowledging what was written. Null when a look of the last second (or of the last `ageMaxMs`) has found the
   * folder in its place; else a look, which rejects with FolderLostError.
   */
  confirmed(ageMaxMs?: number): Promise<void> | null
  /** The file being written is looked at too, until the next one: it is not replaced, and not shorter than `bytes`. */
  follow(path: string, fd: number, bytes: number): void
  /** Told once, with the loss. */
  onLost(tell: (error: FolderLostError) => void): void
}

/** Nothing is acknowledged on the word of an older look. */
const LOOK_AGE_MAX_MS = 1000

interface Followed {
  readonly path: string
  readonly identity: string
  readonly bytes: number
}

/** For a store whose files nobody else can reach. */
export const UNWATCHED: FolderWatch = {
  lost: null,
  look: async () => undefined,
  confirmed: () => null,
  follow: () => undefined,
  onLost: () => undefined,
}

/** Watches a folder that was just locked. `nowMs`: a clock that nobody sets. */
export function watchFolder(
  lock: Pick<Lock, 'whyLost'>,
  nowMs: () => number = () => performance.now(),
): FolderWatch {
  const tells: ((error: FolderLostError) => void)[] = []
  let followed: Followed | null = null
  let lost: FolderLostError | null = null
  let lookedAtMs = nowMs()
  /** Looks follow each other: one that is asked for now says nothing older. */
  const inTurn = oneByOne()

  async function lookNow(): Promise<void> {
    if (lost !== null) return
    const beganAtMs = nowMs()
    const why = (await lock.whyLost()) ?? (await whyFollowedIsLost())
    if (why === null) {
      lookedAtMs = beganAtMs
      return
    }
    lost = new FolderLostError(why)
    for (const tell of tells.splice(0)) tell(lost)
  }

  async function whyFollowedIsLost(): Promise<string | null> {
    const looked = followed
    if (looked === null) return null
    const { identity, code, bytes } = await identityAt(looked.path)
    // Meanwhile the next file may be the one being written, and this one be removed in order.
    if (looked !== followed) return null
    if (identity === null) return `${looked.path} cannot be found any more (${code})`
    if (identity !== looked.identity) return `${looked.path} is not the one any more that was opened`
    return bytes < looked.bytes ? `${looked.path} was cut off by somebody` : null
  }

  const look = (): Promise<void> => inTurn(lookNow)

  return {
    get lost() {
      return lost
    },
    look,
    confirmed(ageMaxMs = LOOK_AGE_MAX_MS) {
      if (lost === null && nowMs() - lookedAtMs < ageMaxMs) return null
      return look().then(() => {
        if (lost !== null) throw lost
      })
    },
    follow(path, fd, bytes) {
      followed = { path, identity: identityOf(fd), bytes }
    },
    onLost(tell) {
      if (lost === null) tells.push(tell)
      else tell(lost)
    },
  }
}
