import type { IncomingMessage } from 'node:http'
import type { HopClaims } from '../../../contract/hop.ts'
import { DomainError } from '../../../core/base/errors.ts'
import type { Cluster } from '../../../ports/cluster.ts'
import { claimsIn, HOP_HEADER, HOP_VALID_MS, sha256Of } from './signature.ts'

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
  if (sha256Of(body) !== bodySha256) throw refusedHop()
}
