import type { Keys } from '../../ports/keys.ts'
import type { Log } from '../../ports/system.ts'
import { oneByOne } from '../files/concurrency.ts'
import { type KeyHome, keyPlaceOf, type ListedKey, NO_FOLDER } from './key-folder.ts'
import { keyNamedBy } from './token.ts'

/** A change acts within this time and that of reading the folder. */
const LOOK_MS = 500

export interface LiveKeys extends Keys {
  look(): Promise<void>
  close(): void
}

type KnownKey = ReturnType<typeof knownOf>

/**
 * The keys of a data folder or of a shared store, read anew whenever they change. A folder that cannot be read leaves what was known:
 * a disk that fails neither opens the service to everyone nor closes it. One that came with a key and was never read, as that
 * of another user, closes it. Rejects when it cannot be read at the start.
 */
export async function openLiveKeys(home: KeyHome, log: Log): Promise<LiveKeys> {
  const place = keyPlaceOf(home)
  let areUsed = false
  let known: ReadonlyMap<string, KnownKey> = new Map()
  /** The folder as it was when it was read last, and whether it was like that the time before. */
  let readState: string | null = null
  let isSettled = false
  /** Files that could not be read, as of the last look. */
  let told: ReadonlySet<string> = new Set()

  async function read(): Promise<void> {
    const state = await place.state()
    if (state === readState && isSettled) return
    const { keys, damaged } = await place.read().catch((error: unknown) => {
      areUsed ||= readState === NO_FOLDER && state !== NO_FOLDER
      throw error
    })
    for (const { file, cause } of damaged)
      if (!told.has(file)) log.error({ file, cause }, 'a key cannot be read: it opens nothing')
    told = new Set(damaged.map(({ file }) => file))
    known = new Map(keys.filter(({ isRevoked }) => !isRevoked).map((key) => [key.keyId, knownOf(key)]))
    areUsed ||= keys.length + damaged.length > 0
    // Time stamps move in steps: a second change within the step of the first one shows in none. What could not be read may
    // be read the next time.
    isSettled = state === readState && damaged.length === 0
    readState = state
  }
  // One that is under way may have read what was there before.
  const inTurn = oneByOne()
  const look = (): Promise<void> => inTurn(read)
  const shownBy = (token: string, nowMs: number): KnownKey | null => {
    const key = keyNamedBy(token, (id) => known.get(id))
    return key === null || key.expiresAtMs <= nowMs ? null : key
  }
  await look()
  let isFailing = false
  const looked = (cause: string | null): void => {
    if (cause !== null && !isFailing)
      log.error({ cause }, 'the keys cannot be read: those that were known go on')
    isFailing = cause !== null
  }
  const timer = setInterval(
    () =>
      void look()
        .then(() => null, String)
        .then(looked),
    LOOK_MS,
  )
  timer.unref()
  return {
    get areUsed() {
      return areUsed
    },
    principalOf: (token, nowMs) => shownBy(token, nowMs)?.principal ?? null,
    holdOf(token, nowMs) {
      const shown = shownBy(token, nowMs)
      if (shown === null) return null
      const { principal, secretHash } = shown
      return {
        standing(laterMs) {
          const key = known.get(principal.keyId)
          const isSame = key !== undefined && key.secretHash === secretHash && key.expiresAtMs > laterMs
          return isSame ? key.principal : null
        },
      }
    },
    look,
    close: () => clearInterval(timer),
  }
}

/** What the service needs of it: no hash goes further than this. */
function knownOf({ secretHash, expiresAtMs, ...key }: ListedKey) {
  const { name: _name, createdAtMs: _created, rotatedAtMs: _rotated, isRevoked: _revoked, ...principal } = key
  return { secretHash, expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY, principal }
}
