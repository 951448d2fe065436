import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { HopClaims } from '../../../contract/hop.ts'
import { DomainError } from '../../../core/base/errors.ts'
import type { Cluster } from '../../../ports/cluster.ts'
import type { OperatorStream, StreamedEvent } from '../../../runtime/runtime.ts'

// One header says by whom a request was taken in before a peer sent it on:
//
//   memgov-hop: <claims: base64url of JSON> . <base64url of HMAC-SHA256 over "method \n path with query \n claims">

export const HOP_HEADER = 'memgov-hop'

/** How far the time of a hop may be from now. */
export const HOP_VALID_MS = 30_000

/** What is signed beside the claims. */
export interface HopTarget {
  readonly method: string
  /** With its query. */
  readonly path: string
}

/** The header of a hop. */
export function signedHop(secret: string, target: HopTarget, claims: HopClaims): string {
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${text}.${macOf(secret, target, text).toString('base64url')}`
}

/** What a header claims; null when it was signed with another secret, for another request, or not at all. */
export function claimsIn(secret: string, target: HopTarget, header: string): HopClaims | null {
  const dot = header.indexOf('.')
  const text = header.slice(0, Math.max(0, dot))
  const given = Buffer.from(header.slice(dot + 1), 'base64url')
  const mac = macOf(secret, target, text)
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) return null
  const claims: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  return HopClaims.safeParse(claims).data ?? null
}

function macOf(secret: string, { method, path }: HopTarget, claims: string): Buffer {
  return createHmac('sha256', secret).update(`${method}\n${path}\n${claims}`).digest()
}

export const STREAM_TYPE = 'text/event-stream'

/** Events as the owner of the scope tells them. While nobody asks for the next one, they wait there. */
export class RelayedStream implements OperatorStream {
  readonly #response: IncomingMessage
  readonly #told: AsyncGenerator<readonly StreamedEvent[], void>
  #ended: OperatorStream['ended'] = null

  constructor(response: IncomingMessage) {
    this.#response = response
    this.#told = eventsIn(response)
  }

  get ended(): OperatorStream['ended'] {
    return this.#ended
  }

  /** However the owner ends, whoever comes back is led to the next one. */
  async next(): Promise<readonly StreamedEvent[] | null> {
    const { value } = await this.#told.next().catch(() => ({ value: undefined }))
    const told = (value ?? []).filter(({ name }) => name !== 'end')
    if (told.length > 0) return told
    this.#ended ??= 'not_owner'
    return null
  }

  close(): void {
    this.#response.destroy()
  }
}

/** Never none. */
async function* eventsIn(response: IncomingMessage): AsyncGenerator<readonly StreamedEvent[], void> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) {
    const blocks = `${text}${part}`.split('\n\n')
    text = blocks.pop() ?? ''
    const events = blocks.map(eventOf).filter((event) => event !== null)
    if (events.length > 0) yield events
  }
}

/** Null: a heartbeat, or when to come back. */
function eventOf(block: string): StreamedEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)] as const
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return null
  const said: unknown = JSON.parse(data)
  return { id: fields.get('id') ?? null, name: fields.get('event') ?? '', data: Object(said) }
}

/** What a node needs to send requests on and to take those of its peers. */
export interface HopOptions {
  readonly cluster: Cluster
  /** The same on every node. */
  readonly secret: string
}

const NOT_A_PEER =
  'The header memgov-hop is for nodes of one store, each with the same MEMGOV_CLUSTER_SECRET: send the request without it, with your key.'

/** The refusal of a hop that was forged, replayed or late, or sent to a node that has no peers. */
export function refusedHop(): DomainError {
  return new DomainError('unauthorized', { header: HOP_HEADER }, NOT_A_PEER)
}

/** Hops as they come in: each is taken once, from a node of the same store, within its time. */
export class IncomingHops {
  readonly #options: HopOptions
  /** Names of the hops that were taken, in two halves: one is let go when all of it is too late to come again. */
  #taken = new Set<string>()
  #takenBefore = new Set<string>()
  #halfSinceMs = 0

  constructor(options: HopOptions) {
    this.#options = options
  }

  /**
   * What the header of a request claims; its body is still to come.
   * @throws unauthorized when it is forged, replayed or late; not_owner when it means an earlier life of this node
   */
  claims({ method = '', url = '' }: IncomingMessage, header: string): HopClaims {
    const { cluster, secret } = this.#options
    const claims = claimsIn(secret, { method, path: url }, header)
    const nowMs = cluster.storeNowMs()
    if (claims === null || Math.abs(nowMs - claims.atMs) > HOP_VALID_MS) throw refusedHop()
    // What was taken under another id is not remembered here, and is not carried out either.
    if (claims.to !== cluster.nodeId) throw new DomainError('not_owner')
    if (!this.#take(`${claims.from} ${claims.once}`, nowMs)) throw refusedHop()
    return claims
  }

  #take(name: string, nowMs: number): boolean {
    if (nowMs - this.#halfSinceMs > 2 * HOP_VALID_MS) {
      this.#takenBefore = this.#taken
      this.#taken = new Set()
      this.#halfSinceMs = nowMs
    }
    if (this.#taken.has(name) || this.#takenBefore.has(name)) return false
    this.#taken.add(name)
    return true
  }
}

/** @throws unauthorized when it is not the body that was signed */
export function checkBody({ bodySha256 }: HopClaims, body: Uint8Array): void {
  if (hash('sha256', body) !== bodySha256) throw refusedHop()
}
