import { hash, randomBytes } from 'node:crypto'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plain,
} from 'node:http'
import { request as encrypted, Agent as TlsAgent } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { urlToHttpOptions } from 'node:url'
import { vouchedFor } from '../../../contract/hop.ts'
import { isObject, jsonOf } from '../../../core/base/collections.ts'
import { DomainError, isErrorCode } from '../../../core/base/errors.ts'
import type { Cluster } from '../../../ports/cluster.ts'
import type { Log } from '../../../ports/system.ts'
import type { CallContext } from '../../../runtime/runtime.ts'
import { HOP_HEADER, type HopOptions, RelayedStream, STREAM_TYPE, signedHop } from './incoming.ts'

// Node's own client: the package grows by nothing, and a hop costs half of what `fetch` takes.

/** Connections to one peer; what comes beyond waits for one of them. */
const CONNECTIONS_MAX = 256
/** Idle connections end here before they end there, so that no request meets a closed one. */
const IDLE_MS = 30_000
const CONNECT_MS = 1000
/** How often a request that waits looks whether its peer still lives. */
const LOOK_MS = 500

/** One request as it goes to a peer, already signed. */
export interface PeerRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface PeerAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What goes on to come, in the place of a body; null: all of the answer is here. */
  readonly stream: IncomingMessage | null
}

/**
 * - unsent: nothing of it reached the peer.
 * - lost: it was sent, and no whole answer came.
 */
export type PeerOutcome = PeerAnswer | 'unsent' | 'lost'

/** Connections to the other nodes, which are kept. */
export class Peers {
  readonly #plain = new PlainAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, timeout: IDLE_MS })
  readonly #tls = new TlsAgent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, timeout: IDLE_MS })
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** Asks the node at an address. Gives up when that node lives no more: its lease has lapsed, or it has left. Never rejects. */
  ask(url: string, peerId: string, { method, path, headers, body }: PeerRequest): Promise<PeerOutcome> {
    return new Promise((resolve) => {
      const isTls = url.startsWith('https:')
      const agent = isTls ? this.#tls : this.#plain
      // The path is never read as a URL: it could name another host.
      const peer = urlToHttpOptions(new URL(url))
      const sent = (isTls ? encrypted : plain)({
        ...peer,
        path,
        method,
        agent,
        headers: { ...headers, 'content-length': body.length },
      })
      let isConnected = false
      const connecting = setTimeout(
        () => sent.destroy(new Error('the peer did not take the connection')),
        CONNECT_MS,
      )
      const looking = setInterval(() => {
        if (this.#cluster.nodeAt(url) !== peerId) sent.destroy(new Error('the peer lives no more'))
      }, LOOK_MS)
      const end = (outcome: PeerOutcome) => {
        clearTimeout(connecting)
        clearInterval(looking)
        resolve(outcome)
      }
      const connected = () => {
        isConnected = true
        clearTimeout(connecting)
      }
      sent.once('socket', (socket) => {
        if (!socket.connecting) connected()
        else socket.once(isTls ? 'secureConnect' : 'connect', connected)
      })
      sent.once('response', (response) => {
        if (!isStream(response)) {
          wholeBody(response).then(end, () => end('lost'))
          return
        }
        // Its end is told by the stream itself, also when the peer lives no more.
        sent.on('error', () => {})
        response.once('close', () => clearInterval(looking))
        resolve({ ...factsOf(response), body: Buffer.alloc(0), stream: response })
      })
      sent.once('error', () => end(isConnected ? 'lost' : 'unsent'))
      sent.end(body)
    })
  }

  close(): void {
    this.#plain.destroy()
    this.#tls.destroy()
  }
}

async function wholeBody(response: IncomingMessage): Promise<PeerAnswer> {
  return { ...factsOf(response), body: await buffer(response), stream: null }
}

function factsOf({ statusCode = 502, headers }: IncomingMessage) {
  return { status: statusCode, headers }
}

function isStream({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && headers['content-type']?.startsWith(STREAM_TYPE) === true
}

/** A request as it came in, ready to be sent on. */
export interface Forwardable {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly contentType: string | null
  readonly body: Uint8Array
  /** Whether to carry it out twice does no more than once. */
  readonly isRepeatable: boolean
  readonly context: CallContext
}

/** The columns of the operations table by which a call is written as a request. */
export interface RoutedOperation {
  readonly path: string
  readonly writes: boolean
}

/** What lies between two tries of a request; behind the last one its caller is told to repeat it. */
const WAITS_MS = [100, 100, 200, 300, 500]

const NO_ANSWER =
  'The node that owns this tenant and scope did not answer: repeat with the same operation_id after the time in the retry-after header.'

/** Answers whose request was not carried out: the owner has changed, leaves, or was another life of that node. */
const NOT_CARRIED_OUT = ['not_owner', 'shutting_down', 'unauthorized'] as const

/**
 * Requests for actors of other nodes. A request is tried here first, and sent to the owner that the refusal names: the
 * lookup of the actor is the one place that knows. It goes on at most once: what came from a peer stays here.
 */
export class Routing {
  readonly #options: HopOptions
  readonly #log: Log
  readonly #peers: Peers
  readonly #life = randomBytes(9).toString('base64url')
  #sent = 0

  constructor(options: HopOptions, log: Log) {
    this.#options = options
    this.#log = log
    this.#peers = new Peers(options.cluster)
  }

  /**
   * What `own` gives here, or the whole answer of the owner.
   * @throws what `own` throws, but for not_owner; storage_unavailable when no owner answers
   */
  async answer<Own>(own: () => Promise<Own>, asRequest: () => Forwardable): Promise<Own | RelayedAnswer> {
    let isInDoubt = false
    for (let tries = 1; ; tries += 1) {
      const elsewhere = await ownOrElsewhere(own)
      if ('answer' in elsewhere) return elsewhere.answer
      const { owner, shard } = elsewhere
      const request = asRequest()
      const outcome = owner === null ? 'unsent' : await this.#forward(owner, request)
      const passed = typeof outcome === 'object' ? passedOn(outcome) : null
      if (typeof outcome === 'object' && passed === null) return new RelayedAnswer(outcome)
      isInDoubt ||= outcome === 'lost'
      const waitMs = WAITS_MS[tries - 1]
      if (waitMs === undefined || (isInDoubt && !request.isRepeatable)) throw unanswered(isInDoubt)
      const { cluster } = this.#options
      if (passed === 'not_owner') await cluster.lookAgain(shard)
      else if (owner !== null) cluster.doubt(owner)
      // Who has just given it away is followed at once.
      if (passed !== 'not_owner' || tries > 1) await sleep(waitMs)
    }
  }

  /** What a peer has sent here goes no further; but before it is refused this node makes sure that it is not its own. */
  async asOwner<Own>(own: () => Promise<Own>): Promise<Own> {
    const first = await ownOrElsewhere(own)
    if ('answer' in first) return first.answer
    await this.#options.cluster.lookAgain(first.shard)
    return own()
  }

  /** The same for a call that is no request of its own, as of a tool or a hook. */
  async execute(
    operation: RoutedOperation,
    body: unknown,
    context: CallContext,
    own: () => Promise<object>,
  ): Promise<object> {
    const answer = await this.answer(own, () => requestOf(operation, body, context))
    return answer instanceof RelayedAnswer ? answer.asObject() : answer
  }

  close(): void {
    this.#peers.close()
  }

  async #forward(owner: string, request: Forwardable): Promise<PeerOutcome> {
    const { cluster, secret } = this.#options
    if (cluster.nodeAt(owner) === null) await cluster.lookAgain(null)
    const peerId = cluster.nodeAt(owner)
    if (peerId === null || peerId === cluster.nodeId) return 'unsent'
    const { method, path, contentType, body, context } = request
    const claims = {
      from: cluster.nodeId,
      to: peerId,
      atMs: cluster.storeNowMs(),
      once: `${this.#life}${((this.#sent += 1)).toString(36)}`,
      bodySha256: hash('sha256', body),
      operationId: context.operationId,
      principal: vouchedFor(context.principal ?? null),
    }
    const headers = {
      [HOP_HEADER]: signedHop(secret, { method, path }, claims),
      'x-request-id': context.requestId,
      ...(contentType === null ? {} : { 'content-type': contentType }),
      ...traceOf(context),
    }
    const outcome = await this.#peers.ask(owner, peerId, { method, path, headers, body })
    if (typeof outcome === 'object' && passedOn(outcome) === null) cluster.trust(peerId)
    if (typeof outcome === 'object' && outcome.status === 401) {
      this.#log.error(
        { peer: owner },
        'a node refuses this one: MEMGOV_CLUSTER_SECRET differs, or its clock of the store does',
      )
    }
    return outcome
  }
}

/**
 * Elsewhere: where the owner is reached, and its shard, as far as known.
 * @throws what `own` throws, but for not_owner
 */
async function ownOrElsewhere<Own>(own: () => Promise<Own>) {
  try {
    return { answer: await own() }
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_owner') throw error
    const { owner, shard } = error.details
    return {
      owner: typeof owner === 'string' ? owner : null,
      shard: typeof shard === 'number' ? shard : null,
    }
  }
}

function unanswered(isInDoubt: boolean): DomainError {
  return new DomainError('storage_unavailable', isInDoubt ? { outcome: 'unknown' } : {}, NO_ANSWER)
}

/** An answer of the owner as it came. */
export class RelayedAnswer {
  readonly status: number
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
  /** Null: the body is all of it. */
  readonly stream: RelayedStream | null

  constructor({ status, headers, body, stream }: PeerAnswer) {
    this.status = status
    this.body = body
    this.stream = stream === null ? null : new RelayedStream(stream)
    this.headers = Object.fromEntries(
      RELAYED_HEADERS.flatMap((name) => {
        const value = headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
  }

  /** The object of an answer. @throws the refusal that it is, storage_unavailable when it is not that of a node */
  asObject(): object {
    // No JSON is the answer to HEAD, or that of a proxy between the nodes.
    const said = jsonOf(this.body.toString('utf8'))
    if (said === undefined) throw unanswered(true)
    const fields = typeof said === 'object' && said !== null ? said : {}
    if (this.status < 300) return fields
    const { error, message, details } = { error: '', message: undefined, details: {}, ...fields }
    throw new DomainError(isErrorCode(error) ? error : 'internal_error', details, message)
  }
}

/** What of an answer is about the answer, not about the connection on which it came. */
const RELAYED_HEADERS = ['content-type', 'retry-after']

/** By which refusal a peer has passed a request on; null: it has answered. */
function passedOn({ status, body }: PeerAnswer): (typeof NOT_CARRIED_OUT)[number] | null {
  if (status !== 421 && status !== 503 && status !== 401) return null
  const said = jsonOf(body.toString('utf8'))
  if (!isObject(said)) return null
  return NOT_CARRIED_OUT.find((code) => code === said['error']) ?? null
}

/** The trace that the request belongs to goes on at the owner. */
function traceOf({ headers }: CallContext): Record<string, string> {
  const { traceparent, tracestate } = headers ?? {}
  return {
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
  }
}

function requestOf({ path, writes }: RoutedOperation, body: unknown, context: CallContext): Forwardable {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {}
  return {
    method: 'POST',
    path: path.replaceAll(/:(\w+)/g, (_part, name: string) => encodeURIComponent(String(fields[name]))),
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(body)),
    isRepeatable: !writes || context.operationId !== null || typeof fields['operation_id'] === 'string',
    context,
  }
}
