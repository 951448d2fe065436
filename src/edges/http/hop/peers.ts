import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plain,
} from 'node:http'
import { request as encrypted, Agent as TlsAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { Cluster } from '../../../ports/cluster.ts'
import { STREAM_TYPE } from './relayed-stream.ts'

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
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return { ...factsOf(response), body: Buffer.concat(parts), stream: null }
}

function factsOf({ statusCode = 502, headers }: IncomingMessage) {
  return { status: statusCode, headers }
}

function isStream({ statusCode, headers }: IncomingMessage): boolean {
  return statusCode === 200 && headers['content-type']?.startsWith(STREAM_TYPE) === true
}
