import { Buffer } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../../contract/access.ts'
import type { HopClaims } from '../../contract/hop.ts'
import { DomainError, invalidRequest } from '../../core/base/errors.ts'
import type { Keys, Principal } from '../../ports/keys.ts'
import type { Clock, Log } from '../../ports/system.ts'
import { bodyBytes } from './body.ts'
import { bodyBytesOf, namesTwoHosts } from './error-reply.ts'
import { checkBody, HOP_HEADER, type HopOptions, IncomingHops, refusedHop } from './hop/incoming.ts'
import { hostCheck, isListed, originCheck, PREFLIGHT_HEADERS, pageCheck } from './hosts.ts'
import { identityOf, isUnmarked, type PageSessions, unmarkedRefusal } from './identity.ts'
import type { Transport } from './transport.ts'

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
  enter(principal: Principal | null, cost: number, nowMs: number) {
    const key = principal?.keyId ?? NOBODY
    const names = { keyRatePerMinute: key, tenantRatePerMinute: principal?.tenantId ?? NOBODY }
    const standings = (['keyRatePerMinute', 'tenantRatePerMinute'] as const).flatMap((name) => {
      const perMinute = this.#options[name]
      if (perMinute === null) return []
      const emptyAtMs = this.#emptyAtMs[name].get(names[name]) ?? 0
      return [{ name, perMinute, used: (Math.max(0, emptyAtMs - nowMs) / MINUTE_MS) * perMinute }]
    })
    const refusal = tooOften(standings, cost) ?? this.#tooMany(key)
    if (refusal !== null) return { refusal, headers: headersOf(standings, 0), leave: () => {} }
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

// What every request meets before its body is read: where it is from, whose it is, and whether there is room for it.

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: the route is unknown, which only those learn who have a key. */
    readonly access?: Access
    /** Name of the operation. */
    readonly operation?: string
    /** True: a link of another site may lead to it. */
    readonly isPage?: boolean
  }
  interface FastifyRequest {
    /** Null: there are no keys. */
    principal: Principal | null
    /** What a peer vouches for that sent it on; null: it came from a client. */
    hop: HopClaims | null
    /** Gives back the place among the requests of its key; null: it has none. */
    leave: (() => void) | null
    /** Counts one more call of the same request, whose place is given back by the result; null: nothing is limited. @throws rate_limited */
    enterAgain: (() => () => void) | null
    /** True: no key was sent, but a session of the console. */
    bySession: boolean
  }
}

export interface GuardOptions extends LimitOptions {
  /** Null: nobody is asked for a key. */
  readonly keys: Keys | null
  /** Null: this node has no peers. */
  readonly hops: HopOptions | null
  readonly bodyLimitBytes: number
  /** Host names that requests over TCP may give, besides addresses and names without a dot. */
  readonly allowedHosts: readonly string[]
  /** Origins whose pages may ask and read the answers. */
  readonly allowedOrigins: readonly string[]
  readonly connectionsMax: number
  /** Time that `close` gives to requests in progress before it ends their connections. */
  readonly drainDeadlineMs: number
  /** Of the program, as it names itself to clients; one of another major version is told of in the log. */
  readonly version: string
  readonly clock: Clock
  readonly log: Log
}

/**
 * @param sessions that count as the key that they were opened with; null: none does
 * @returns whether a request that was let in would still be, for what goes on behind it
 */
export function guardRequests(
  app: FastifyInstance,
  transport: Transport,
  options: GuardOptions,
  sessions: PageSessions | null,
): (request: FastifyRequest) => boolean {
  const draining = drainsOnClose(app, transport, options.drainDeadlineMs)
  app.decorateRequest('principal', null)
  app.decorateRequest('hop', null)
  app.decorateRequest('leave', null)
  app.decorateRequest('enterAgain', null)
  const hops = options.hops === null ? null : new IncomingHops(options.hops)
  if (hops !== null) {
    app.addHook('preHandler', (request, _reply, done) => {
      if (request.hop !== null) checkBody(request.hop, bodyBytes(request))
      done()
    })
  }
  app.decorateRequest('bySession', false)
  const originHeaders = originCheck(options.allowedOrigins)
  const isOwnHost = hostCheck(options.allowedHosts)
  const isOwnPage = pageCheck(options.allowedHosts, options.allowedOrigins)
  const limits = limitsOf(options)
  const watchClient = clientWatch(options.version, options.log)
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    watchClient(headers)
    // On every answer, a refusal too.
    void reply.header('x-request-id', request.id)
    if (originHeaders !== null) void reply.headers(originHeaders(headers.origin))
    if (namesTwoHosts(request.raw.rawHeaders)) {
      done(invalidRequest([{ path: 'host', message: 'Send one host header.' }]))
    } else if (!isOwnHost(headers.host)) {
      done(new DomainError('host_not_allowed', { host: headers.host }))
    } else if (!isOwnPage(headers) && !isLinkToPage(request)) {
      done(new DomainError('cross_site_request'))
    } else if (isPreflight(request, options)) {
      void reply.code(204).headers(PREFLIGHT_HEADERS).send()
    } else {
      const refusal = identify(request, hops, options, sessions)
      if (refusal?.code === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
      if (refusal !== null) done(refusal)
      else if (request.bySession && isUnmarked(request)) done(unmarkedRefusal())
      else admit(request, reply, done)
    }
  })
  const admit = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: DomainError) => void) => {
    if (draining.hasBegun) {
      done(new DomainError('shutting_down'))
    } else if (transport.isSurplus(request.raw)) {
      void reply.header('connection', 'close')
      done(new DomainError('overloaded', { connections_max: options.connectionsMax }))
    } else {
      const refusal = limits === null ? null : limited(limits, request, reply)
      const bodyBytes = bodyBytesOf(request.raw.headers, options.bodyLimitBytes)
      if (refusal !== null) done(refusal)
      else if (transport.takeBody(request.raw, bodyBytes)) done()
      else done(new DomainError('overloaded', { where: 'bodies' }))
    }
  }
  return ({ principal, headers, hop }) => {
    const { keys, clock } = options
    // Of a hop the peer looks after the key.
    if (keys === null || !keys.areUsed || hop !== null) return true
    const identity = identityOf(headers, keys, sessions, clock.nowMs())
    // Who came when there were no keys has none.
    return identity !== null && identity.principal.keyId === principal?.keyId
  }
}

function drainsOnClose(app: FastifyInstance, transport: Transport, deadlineMs: number) {
  const draining = { hasBegun: false }
  app.addHook('preClose', async () => {
    draining.hasBegun = true
    const deadline = setTimeout(() => transport.destroyConnections(), deadlineMs)
    deadline.unref()
    app.server.once('close', () => clearTimeout(deadline))
    // Closing an idle connection resets it when a request lies unread in it.
    await transport.allRead()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    request.leave?.()
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    transport.answering(request.raw, isWhole ? payload.length : 0)
    if (draining.hasBegun) closeBehindLast(request, reply, transport)
    done(null, payload)
  })
  return draining
}

/** Somebody follows a link: the answer is shown as a page of ours, and the page that holds the link learns nothing of it. */
function isLinkToPage({ raw, method, routeOptions }: FastifyRequest): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': goal } = raw.headers
  return routeOptions.config.isPage === true && method === 'GET' && mode === 'navigate' && goal === 'document'
}

/** A browser asks without a key whether a page of a listed origin may ask with one. */
function isPreflight({ raw, method }: FastifyRequest, { allowedOrigins }: GuardOptions): boolean {
  if (method !== 'OPTIONS' || raw.headers['access-control-request-method'] === undefined) return false
  return isListed(allowedOrigins, raw.headers.origin)
}

/** Says on the request by whom it comes. Null: that is known, or nobody asks. */
function identify(
  request: FastifyRequest,
  hops: IncomingHops | null,
  { keys, clock }: GuardOptions,
  sessions: PageSessions | null,
): DomainError | null {
  const hop = request.raw.headers[HOP_HEADER]
  if (hop !== undefined) return takeHop(request, hops, String(hop))
  const { access = 'agent', operation } = request.routeOptions.config
  if (keys === null || !keys.areUsed || access === 'everyone') return null
  // A session is for the operations that the page asks for, and for no other way in.
  const counting = operation === undefined ? null : sessions
  const identity = identityOf(request.headers, keys, counting, clock.nowMs())
  request.principal = identity?.principal ?? null
  request.bySession = identity?.bySession ?? false
  return identity === null ? new DomainError('unauthorized') : null
}

/** A peer has asked for the key, counted the request and looked where it comes from. */
function takeHop(request: FastifyRequest, hops: IncomingHops | null, header: string): DomainError | null {
  if (hops === null) return refusedHop()
  try {
    request.hop = hops.claims(request.raw, header)
    request.principal = request.hop.principal
    return null
  } catch (error) {
    return error instanceof DomainError ? error : refusedHop()
  }
}

function limited(limits: RequestLimits, request: FastifyRequest, reply: FastifyReply): DomainError | null {
  const { access = 'agent', operation } = request.routeOptions.config
  if (access === 'everyone' || request.hop !== null) return null
  const enter = () => limits.enter(request.principal, costOf(operation), performance.now())
  const { refusal, headers, leave } = enter()
  void reply.headers(headers)
  request.leave = leave
  request.enterAgain = () => {
    const again = enter()
    if (again.refusal !== null) throw again.refusal
    return again.leave
  }
  return refusal
}

/**
 * Otherwise the connection of a request in progress would stay open, idle, until the deadline. What is behind the answer that says
 * so is not answered any more.
 */
function closeBehindLast(request: FastifyRequest, reply: FastifyReply, transport: Transport): void {
  if (transport.isLast(request.raw)) void reply.header('connection', 'close')
  // Fastify says so on every answer.
  else reply.raw.removeHeader('connection')
}

const CLIENT = /^[a-z][a-z-]{0,30}\/(\d{1,6})\.[\x21-\x7e]{1,40}$/

/** Clients that the log is told of, once each. */
const TOLD_MAX = 16

/** Warns of clients that name another major version than that of the service: they may not understand its answers. */
function clientWatch(version: string, log: Log): (headers: IncomingHttpHeaders) => void {
  const [major] = version.split('.', 1)
  const told = new Set<string>()
  return ({ 'x-memgov-client': client }) => {
    if (typeof client !== 'string') return
    const [, of = major] = CLIENT.exec(client) ?? []
    if (of === major || told.has(client) || told.size >= TOLD_MAX) return
    told.add(client)
    log.warn({ client, version }, 'a client of another major version asks')
  }
}
