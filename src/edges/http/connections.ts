import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests of one connection that are carried out at once. What a client sends ahead waits, and nothing more is read from
 * its connection meanwhile: a client that reads no answer could otherwise have thousands made with one packet.
 */
const CARRIED_OUT_MAX = 4
/**
 * Requests that were sent ahead, over all connections, that are carried out at once: those of many clients who read nothing
 * would stand in line before the one request of a client who does. As many as one connection may have.
 */
const AHEAD_MAX = CARRIED_OUT_MAX
/** Requests that wait behind others of their connection, over all connections: each is a few KB of objects. */
const WAITING_MAX = 16_384
/** Bodies up to this size are never refused for want of room: those of all connections together are no danger. */
const SMALL_BODY_BYTES = 64 * 1024
/** Status line and headers of an answer, and the objects around them. */
const ANSWER_OVERHEAD_BYTES = 512

export interface ConnectionLimits {
  /** Bytes of answers that wait for their readers, over all connections; and as many of large bodies on their way in. */
  readonly transitBytesMax: number
  /** Time in which a request must have arrived whole. */
  readonly requestTimeoutMs: number
  /** Told when a reader is cut off for being too slow, with the bytes that waited for it. */
  readonly onCutOff: (unsentBytes: number) => void
}

/** A request whose time ran out while nothing was read from its connection: it gets as much again when it is. */
interface Late {
  /** Null until its headers are whole. */
  request: IncomingMessage | null
  readonly refuse: () => void
  timer: NodeJS.Timeout | null
}

/** One request and its answer. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly handler: RequestListener
  isStarted: boolean
  /** Whether it has one of the places of requests that were sent ahead; until its answer is made. */
  hasPlace: boolean
  answerBytes: number
  bodyBytes: number
}

interface Connection {
  readonly socket: Socket
  /** In the order in which they came, until their answers have left. */
  readonly exchanges: Exchange[]
  started: number
  unsentBytes: number
  /** Nothing is read from it while requests wait. */
  isHeld: boolean
  isServed: boolean
  late: Late | null
  /** The request at which the bound of waiting ones was met: it is refused, and what comes behind it is not looked at. */
  refused: IncomingMessage | null
  /** Refuses bytes that are no request, once every request before them is answered. */
  refuseBytes: (() => void) | null
}

/**
 * The open connections and what is under way on each.
 *
 * Invariant: answers that nobody reads, and requests that wait, take a bounded amount of memory. A request is either not
 * carried out, or its answer is sent while its connection lasts.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, Connection>()
  /** Those with unsent bytes; the one whose last answer left longest ago comes first. */
  readonly #unsent = new Set<Connection>()
  /** Those whose next request waits for a place among the ones that were sent ahead; first come, first served. */
  readonly #inLine = new Set<Connection>()
  #placesTaken = 0
  #isGivingPlaces = false
  #unsentBytes = 0
  #bodyBytes = 0
  #waiting = 0
  #arrived = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#open.size
  }

  /** Connections and requests that ever came. */
  get arrived(): number {
    return this.#arrived
  }

  add(socket: Socket): void {
    this.#arrived += 1
    const connection: Connection = {
      socket,
      exchanges: [],
      started: 0,
      unsentBytes: 0,
      isHeld: false,
      isServed: false,
      late: null,
      refused: null,
      refuseBytes: null,
    }
    this.#open.set(socket, connection)
    socket.once('close', () => this.#forget(connection))
    // A body that is read resumes its socket.
    socket.on('resume', () => {
      if (connection.isHeld) socket.pause()
    })
  }

  /** Has `handler` carry the request out, at once or when those before it on its connection are answered. */
  accept(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const connection = this.#open.get(request.socket)
    if (connection === undefined || connection.refused !== null) return
    this.#arrived += 1
    if (connection.late !== null) connection.late.request ??= request
    const isAhead = connection.exchanges.length > 0
    const sizes = { answerBytes: 0, bodyBytes: 0 }
    const exchange: Exchange = { request, response, handler, isStarted: false, hasPlace: false, ...sizes }
    connection.exchanges.push(exchange)
    response.once('close', () => this.#left(connection, exchange))
    if (!isAhead) {
      start(connection, exchange)
      return
    }
    this.#waiting += 1
    if (this.#waiting > WAITING_MAX) connection.refused = request
    connection.isHeld = true
    connection.socket.pause()
    this.#inLine.add(connection)
    this.#givePlacesSoon()
  }

  /** True for a request that came when too many waited. */
  isRefused(request: IncomingMessage): boolean {
    return this.#open.get(request.socket)?.refused === request
  }

  /** True when no later request of the connection is known: its answer may be the last one. */
  isLast(request: IncomingMessage): boolean {
    return this.#open.get(request.socket)?.exchanges.at(-1)?.request === request
  }

  /** Takes room for a body. False: there is none, because too much is on its way. */
  takeBody(request: IncomingMessage, bytes: number): boolean {
    if (bytes <= SMALL_BODY_BYTES) return true
    const exchange = this.#exchangeOf(request)
    if (exchange === null) return true
    if (this.#bodyBytes > 0 && this.#bodyBytes + bytes > this.#limits.transitBytesMax) return false
    exchange.bodyBytes = bytes
    this.#bodyBytes += bytes
    return true
  }

  /** To be called before an answer is written. Cuts readers off when answers that nobody reads take too much memory. */
  answering(request: IncomingMessage, payloadBytes: number): void {
    const connection = this.#open.get(request.socket)
    const exchange = this.#exchangeOf(request)
    if (connection === undefined || exchange === null) return
    this.#leavePlace(exchange)
    const bytes = payloadBytes + ANSWER_OVERHEAD_BYTES
    exchange.answerBytes += bytes
    connection.unsentBytes += bytes
    this.#unsentBytes += bytes
    this.#unsent.add(connection)
    if (this.#unsentBytes > this.#limits.transitBytesMax) this.#cutOffSlowest()
  }

  /** Calls `refuse` when every whole request that came before is answered. */
  refuseBytes(socket: Socket, refuse: () => void): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    if (connection.refuseBytes !== null) return
    connection.refuseBytes = refuse
    refuseWhenAnswered(connection)
  }

  /** Refuses a request that has not arrived in time, as `refuseBytes`, unless it is we who did not read it. */
  timedOut(socket: Socket, refuse: () => void): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    if (!connection.isHeld) {
      this.refuseBytes(socket, refuse)
      return
    }
    const last = connection.exchanges.at(-1)?.request
    connection.late ??= { request: last?.complete === false ? last : null, refuse, timer: null }
  }

  /** Ends a connection on which nothing has moved for a while, unless it is we who take long. */
  idled(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    if (socket.writableLength > 0) this.#cutOff(connection)
    // A first request that does not come, or not whole, is timed out with an answer.
    else if (connection.exchanges.length === 0 && connection.isServed) socket.destroy()
  }

  #exchangeOf(request: IncomingMessage): Exchange | null {
    for (const exchange of this.#open.get(request.socket)?.exchanges ?? []) {
      if (exchange.request === request) return exchange
    }
    return null
  }

  /** While much is unsent, a connection gets its next answer made when it has read the one before. */
  #mayStart(connection: Connection): boolean {
    const isTight = this.#unsentBytes > this.#limits.transitBytesMax / 2
    return connection.started < (isTight ? 1 : CARRIED_OUT_MAX)
  }

  /** The answer has left, or its connection has ended. */
  #left(connection: Connection, exchange: Exchange): void {
    const at = connection.exchanges.indexOf(exchange)
    if (at < 0) return
    connection.exchanges.splice(at, 1)
    connection.isServed = true
    connection.started -= 1
    connection.unsentBytes -= exchange.answerBytes
    this.#unsentBytes -= exchange.answerBytes
    this.#bodyBytes -= exchange.bodyBytes
    this.#leavePlace(exchange)
    this.#unsent.delete(connection)
    if (connection.unsentBytes > 0) this.#unsent.add(connection)
    if (connection.isHeld) {
      this.#inLine.add(connection)
      this.#givePlaces()
    }
    if (connection.refuseBytes !== null) refuseWhenAnswered(connection)
  }

  #leavePlace(exchange: Exchange): void {
    if (!exchange.hasPlace) return
    exchange.hasPlace = false
    this.#placesTaken -= 1
    this.#givePlacesSoon()
  }

  /** When what has arrived is read: by then a request has its body, and whoever sent one alone stands before them. */
  #givePlacesSoon(): void {
    if (this.#isGivingPlaces || this.#inLine.size === 0) return
    this.#isGivingPlaces = true
    setImmediate(() => {
      this.#isGivingPlaces = false
      this.#givePlaces()
    })
  }

  #givePlaces(): void {
    for (const connection of this.#inLine) {
      if (this.#placesTaken >= AHEAD_MAX) return
      this.#inLine.delete(connection)
      this.#startWaiting(connection)
    }
  }

  #startWaiting(connection: Connection): void {
    for (const exchange of connection.exchanges) {
      if (exchange.isStarted) continue
      if (!this.#mayStart(connection)) return
      // A request that will never be whole is refused with the bytes behind it.
      if (connection.refuseBytes !== null && !exchange.request.complete) return
      if (this.#placesTaken >= AHEAD_MAX) {
        this.#inLine.add(connection)
        return
      }
      this.#waiting -= 1
      // One whose body has not come yet keeps nobody from a place.
      exchange.hasPlace = exchange.request.complete
      if (exchange.hasPlace) this.#placesTaken += 1
      start(connection, exchange)
    }
    connection.isHeld = false
    connection.socket.resume()
    if (connection.late !== null) this.#giveTime(connection, connection.late)
  }

  #giveTime(connection: Connection, late: Late): void {
    late.timer ??= setTimeout(() => {
      late.timer = null
      // Held again, it gets its time behind that.
      if (late.request?.complete !== true && connection.isHeld) return
      connection.late = null
      if (late.request?.complete !== true) this.refuseBytes(connection.socket, late.refuse)
    }, this.#limits.requestTimeoutMs).unref()
  }

  #cutOffSlowest(): void {
    for (const connection of this.#unsent) {
      if (this.#unsentBytes <= this.#limits.transitBytesMax) return
      if (connection.socket.writableLength === 0) continue
      this.#cutOff(connection)
    }
  }

  #cutOff(connection: Connection): void {
    this.#limits.onCutOff(connection.unsentBytes)
    connection.socket.destroy()
    this.#forget(connection)
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return
    if (connection.late?.timer) clearTimeout(connection.late.timer)
    this.#unsent.delete(connection)
    this.#inLine.delete(connection)
    this.#unsentBytes -= connection.unsentBytes
    for (const exchange of connection.exchanges.splice(0)) {
      this.#leavePlace(exchange)
      this.#bodyBytes -= exchange.bodyBytes
      if (!exchange.isStarted) this.#waiting -= 1
    }
  }
}

function start(connection: Connection, exchange: Exchange): void {
  exchange.isStarted = true
  connection.started += 1
  exchange.handler(exchange.request, exchange.response)
}

function refuseWhenAnswered(connection: Connection): void {
  // The last request may be cut off in its body: what refuses the bytes is its answer.
  if (connection.exchanges.every(({ request }) => !request.complete)) connection.refuseBytes?.()
}
