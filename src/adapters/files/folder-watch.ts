import { identityAt, identityOf } from './file-identity.ts'
import type { Lock } from './lock.ts'

/** What is written goes to files that nobody will find under their names. */
export class FolderLostError extends Error {
  override readonly name = 'FolderLostError'
}

/** Says whether a data folder is still where it was opened. What is lost once stays lost until a restart. */
export interface FolderWatch {
  /** Null while the last look has found everything in its place. */
  readonly lost: FolderLostError | null
  /** Looks now. Never rejects. */
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
  return new LockedFolder(lock, nowMs)
}

class LockedFolder implements FolderWatch {
  readonly #lock: Pick<Lock, 'whyLost'>
  readonly #nowMs: () => number
  readonly #tells: ((error: FolderLostError) => void)[] = []
  #followed: Followed | null = null
  #lost: FolderLostError | null = null
  #lookedAtMs: number
  /** Looks follow each other: one that is asked for now says nothing older. */
  #looking: Promise<void> = Promise.resolve()

  constructor(lock: Pick<Lock, 'whyLost'>, nowMs: () => number) {
    this.#lock = lock
    this.#nowMs = nowMs
    this.#lookedAtMs = nowMs()
  }

  get lost(): FolderLostError | null {
    return this.#lost
  }

  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look())
    return this.#looking
  }

  confirmed(ageMaxMs = LOOK_AGE_MAX_MS): Promise<void> | null {
    if (this.#lost === null && this.#nowMs() - this.#lookedAtMs < ageMaxMs) return null
    return this.look().then(() => {
      if (this.#lost !== null) throw this.#lost
    })
  }

  follow(path: string, fd: number, bytes: number): void {
    this.#followed = { path, identity: identityOf(fd), bytes }
  }

  onLost(tell: (error: FolderLostError) => void): void {
    if (this.#lost === null) this.#tells.push(tell)
    else tell(this.#lost)
  }

  async #look(): Promise<void> {
    if (this.#lost !== null) return
    const beganAtMs = this.#nowMs()
    const why = (await this.#lock.whyLost()) ?? (await this.#whyFollowedIsLost())
    if (why === null) {
      this.#lookedAtMs = beganAtMs
      return
    }
    this.#lost = new FolderLostError(why)
    for (const tell of this.#tells.splice(0)) tell(this.#lost)
  }

  async #whyFollowedIsLost(): Promise<string | null> {
    const followed = this.#followed
    if (followed === null) return null
    const { identity, code, bytes } = await identityAt(followed.path)
    // Meanwhile the next file may be the one being written, and this one be removed in order.
    if (followed !== this.#followed) return null
    if (identity === null) return `${followed.path} cannot be found any more (${code})`
    if (identity !== followed.identity) return `${followed.path} is not the one any more that was opened`
    return bytes < followed.bytes ? `${followed.path} was cut off by somebody` : null
  }
}
