import { DomainError } from '../../core/base/errors.ts'
import type { Principal } from '../../ports/keys.ts'

/** Bounds on what one key and one tenant may ask; null: no such bound. */
export interface LimitOptions {
  readonly keyRatePerMinute: number | null
  readonly tenantRatePerMinute: number | null
  readonly keyConcurrencyMax: number | null
}

/** What a request counts. A resolve looks one thing up and writes nothing. */
const COST = { usual: 1, resolve: 0.1 } as const

export function costOf(operation: string | undefined): number {
  return operation === 'resolve' ? COST.resolve : COST.usual
}

const MINUTE_MS = 60_000
/** Keys and tenants that are remembered; above it those of which nothing counts any more are dropped. */
const KNOWN_MAX = 10_000
/** Whoever asks without a key, where none is needed, counts as one. */
const NOBODY = ''

/** What one limit says of a request. */
interface Standing {
  readonly name: 'keyRatePerMinute' | 'tenantRatePerMinute'
  readonly perMinute: number
  readonly used: number
}

/**
 * How often keys and tenants ask. What was asked drains away evenly, a minute's worth in a minute: so a caller may send all
 * of it at once, and no minute begins at which everybody comes back together.
 */
export class RequestLimits {
  readonly #options: LimitOptions
  /** When nothing that was asked counts any more, by key or tenant. */
  readonly #emptyAtMs = {
    keyRatePerMinute: new Map<string, number>(),
    tenantRatePerMinute: new Map<string, number>(),
  }
  readonly #inside = new Map<string, number>()

  constructor(options: LimitOptions) {
    this.#options = options
  }

  /**
   * Counts a request, unless it is refused. The headers tell the limit that is nearer.
   * @param nowMs of a clock that never goes back
   * @returns with `refusal` null, `leave` is to be called once when the request is answered
   */
  enter(principal: Principal | null, cost: number, nowMs: number): Entrance {
    const key = principal?.keyId ?? NOBODY
    const names = { keyRatePerMinute: key, tenantRatePerMinute: principal?.tenantId ?? NOBODY }
    const standings = (['keyRatePerMinute', 'tenantRatePerMinute'] as const).flatMap((name) => {
      const perMinute = this.#options[name]
      if (perMinute === null) return []
      const emptyAtMs = this.#emptyAtMs[name].get(names[name]) ?? 0
      return [{ name, perMinute, used: (Math.max(0, emptyAtMs - nowMs) / MINUTE_MS) * perMinute }]
    })
    const refusal = tooOften(standings, cost) ?? this.#tooMany(key)
    if (refusal !== null) return { refusal, headers: headersOf(standings, 0), leave() {} }
    for (const { name, perMinute, used } of standings) {
      const emptyAtMs = nowMs + ((used + cost) / perMinute) * MINUTE_MS
      this.#emptyAtMs[name].set(names[name], emptyAtMs)
      if (this.#emptyAtMs[name].size > KNOWN_MAX) dropEmpty(this.#emptyAtMs[name], nowMs)
    }
    return { refusal: null, headers: headersOf(standings, cost), leave: this.#placeOf(key) }
  }

  #tooMany(key: string): DomainError | null {
    const { keyConcurrencyMax: limit } = this.#options
    if (limit === null || (this.#inside.get(key) ?? 0) < limit) return null
    return new DomainError('rate_limited', { limit: 'keyConcurrencyMax', at_once: limit, retry_after_s: 1 })
  }

  /** Takes a place among the requests of the key, and gives it back when the result is called. */
  #placeOf(key: string): () => void {
    if (this.#options.keyConcurrencyMax === null) return () => {}
    this.#inside.set(key, (this.#inside.get(key) ?? 0) + 1)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      const others = (this.#inside.get(key) ?? 1) - 1
      if (others === 0) this.#inside.delete(key)
      else this.#inside.set(key, others)
    }
  }
}

export interface Entrance {
  readonly refusal: DomainError | null
  readonly headers: Readonly<Record<string, string>>
  readonly leave: () => void
}

/** Sums of tenths are not exact. */
const ROUNDING = 1e-9

function tooOften(standings: readonly Standing[], cost: number): DomainError | null {
  const waits = standings.map(({ used, perMinute }) => ((used + cost - perMinute) / perMinute) * MINUTE_MS)
  const waitMs = Math.max(0, ...waits)
  const over = standings[waits.indexOf(waitMs)]
  if (over === undefined || over.used + cost <= over.perMinute + ROUNDING) return null
  return new DomainError('rate_limited', {
    limit: over.name,
    per_minute: over.perMinute,
    retry_after_s: Math.ceil(waitMs / 1000),
  })
}

function headersOf(standings: readonly Standing[], cost: number): Readonly<Record<string, string>> {
  const [first, ...others] = standings
  if (first === undefined) return {}
  const leftOf = ({ perMinute, used }: Standing) => Math.max(0, perMinute - used - cost)
  const nearer = others.reduce((least, each) => (leftOf(each) < leftOf(least) ? each : least), first)
  const resetMs = ((nearer.used + cost) / nearer.perMinute) * MINUTE_MS
  return {
    'ratelimit-limit': String(nearer.perMinute),
    'ratelimit-remaining': String(Math.floor(leftOf(nearer) + ROUNDING)),
    'ratelimit-reset': String(Math.ceil(resetMs / 1000)),
  }
}

function dropEmpty(emptyAtMs: Map<string, number>, nowMs: number): void {
  for (const [name, atMs] of emptyAtMs) if (atMs <= nowMs) emptyAtMs.delete(name)
}

/** Null: nothing is limited, and no request is looked at. */
export function limitsOf(options: LimitOptions): RequestLimits | null {
  const { keyRatePerMinute, tenantRatePerMinute, keyConcurrencyMax } = options
  const isAny = keyRatePerMinute !== null || tenantRatePerMinute !== null || keyConcurrencyMax !== null
  return isAny ? new RequestLimits(options) : null
}
