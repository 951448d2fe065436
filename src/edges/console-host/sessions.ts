import { hash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { dropOldest } from '../../core/base/collections.ts'
import type { KeyHold, Keys, Principal } from '../../ports/keys.ts'

const COOKIE = 'memgov_console'
/** The cookie goes to operations and to nothing else that the host serves. */
const COOKIE_PATH = '/v1'
const SESSION_MS = 8 * 3_600_000
const ID_BYTES = 32
const ID = /^[A-Za-z0-9_-]{43}$/
/** Above it the oldest one ends. */
const SESSIONS_MAX = 256
const MINUTE_MS = 60_000
const FAILURES_PER_MINUTE = 5
/** Above it the address that failed longest ago is forgotten. */
const ADDRESSES_MAX = 10_000

interface Session {
  readonly hold: KeyHold
  readonly endsAtMs: number
}

/**
 * Who is logged in. Only hashes of the ids are kept, and only in memory: whoever reads it can be nobody, and a restart
 * logs everybody out. A session may what its key may at that moment, and ends with it.
 */
export class Sessions {
  readonly #keys: Keys
  readonly #isSecure: boolean
  readonly #open = new Map<string, Session>()
  readonly #failures: Failures = new Failures()

  /** @param isSecure browsers send the cookie over TLS only */
  constructor(keys: Keys, isSecure: boolean) {
    this.#keys = keys
    this.#isSecure = isSecure
  }

  /** What the key may; null: it opens nothing, or this address has tried too often. Nothing tells which. */
  tried(
    token: string,
    address: string,
    nowMs: number,
  ): { readonly hold: KeyHold; readonly principal: Principal } | null {
    if (this.#failures.areTooMany(address, nowMs)) return null
    const hold = this.#keys.holdOf(token, nowMs)
    const principal = hold?.standing(nowMs) ?? null
    if (hold === null || principal === null) {
      this.#failures.add(address, nowMs)
      return null
    }
    return { hold, principal }
  }

  /** Opens a session under an id that nobody has had before. @returns the cookie of it */
  begin(hold: KeyHold, nowMs: number): string {
    const id = randomBytes(ID_BYTES).toString('base64url')
    for (const [known, { endsAtMs }] of this.#open) {
      if (endsAtMs <= nowMs || this.#open.size >= SESSIONS_MAX) this.#open.delete(known)
    }
    this.#open.set(hashOf(id), { hold, endsAtMs: nowMs + SESSION_MS })
    return this.#cookieOf(id, SESSION_MS / 1000)
  }

  /** Ends the session of these headers, if there is one. @returns the cookie that takes the other one away */
  end(headers: IncomingHttpHeaders): string {
    const id = sessionIdIn(headers)
    if (id !== null) this.#open.delete(hashOf(id))
    return this.#cookieOf('', 0)
  }

  /** Who asks with these headers; null: nobody whose session stands. */
  principalOf(headers: IncomingHttpHeaders, nowMs: number): Principal | null {
    const id = sessionIdIn(headers)
    const session = id === null ? undefined : this.#open.get(hashOf(id))
    if (session === undefined || session.endsAtMs <= nowMs) return null
    return session.hold.standing(nowMs)
  }

  #cookieOf(id: string, seconds: number): string {
    const end = this.#isSecure ? '; Secure' : ''
    return `${COOKIE}=${id}; Path=${COOKIE_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${end}`
  }
}

/** Keys that opened nothing, by the address that sent them. */
class Failures {
  readonly #timesMs = new Map<string, readonly number[]>()

  areTooMany(address: string, nowMs: number): boolean {
    return this.#recent(address, nowMs).length >= FAILURES_PER_MINUTE
  }

  add(address: string, nowMs: number): void {
    const times = [...this.#recent(address, nowMs), nowMs]
    this.#timesMs.delete(address)
    this.#timesMs.set(address, times)
    dropOldest(this.#timesMs, ADDRESSES_MAX)
  }

  #recent(address: string, nowMs: number): readonly number[] {
    // The clock may have been set back: what lies far ahead is over as well.
    return (this.#timesMs.get(address) ?? []).filter((atMs) => Math.abs(nowMs - atMs) < MINUTE_MS)
  }
}

/** Null: no cookie of ours, or two, of which another page of the host may have set one. */
function sessionIdIn({ cookie }: IncomingHttpHeaders): string | null {
  if (cookie === undefined) return null
  const ids = cookie.split(';').flatMap((part) => {
    const [name = '', value = ''] = part.split('=', 2)
    return name.trim() === COOKIE ? [value.trim()] : []
  })
  const [id, ...others] = ids
  return id !== undefined && others.length === 0 && ID.test(id) ? id : null
}

function hashOf(id: string): string {
  return hash('sha256', id, 'base64url')
}
