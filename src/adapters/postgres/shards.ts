import { createHash } from 'node:crypto'
import { messageOf } from '../../core/base/errors.ts'
import type { Log } from '../../ports/log.ts'
import type { Grant, Ownership } from '../../ports/ownership.ts'
import type { Schedule } from '../files/schedule.ts'
import type { Database, Statement } from './database.ts'
import { fenced, PostgresFailure, readFailure } from './failure.ts'
import type { Lease } from './lease.ts'
import { firstChoice } from './rendezvous.ts'

const ACQUIRE: Statement = {
  name: 'acquire',
  text: 'select granted, owner_url from memgov.acquire_shard($1, $2)',
}
const RELEASE: Statement = {
  name: 'release',
  text: 'update memgov.shard set owner = null where shard = $1 and epoch = $2',
}
const RELEASE_ALL: Statement = {
  name: 'release_all',
  text: 'update memgov.shard set owner = null where owner = $1',
}

/** For so long nobody asks again who has a shard that another node has. */
const ELSEWHERE_MS = 1_000
/** A free shard is taken by any node when the one that it would go to has not answered for so long, and for so long after. */
const FIRST_CHOICE_MS = 200
const DOUBT_MS = 3_000
/** A shard of which nothing is in memory goes back after this time: the next request may be for the same. */
const LINGER_MS = 1_000

interface HeldShard {
  readonly grant: Grant
  /** Actors of it that are in memory, or on their way there. */
  readonly actors: Set<string>
  cancelRelease: (() => void) | null
}

export interface ShardsOptions {
  readonly database: Pick<Database, 'lease'>
  readonly lease: Pick<Lease, 'nodeId' | 'isValid' | 'valid' | 'peers'>
  readonly log: Log
  readonly schedule: Schedule
  readonly shards: number
  readonly lingerMs?: number
  readonly elsewhereMs?: number
  /** Whether a shard that nobody is known to have is left to the node that it would go to first; false unless given. */
  readonly isSharedOut?: boolean
  readonly monotonicMs: () => number
  /** Reads of an actor what writers have to know, once its shard is held. */
  readonly prime: (grant: Grant, actorKey: string) => Promise<void>
  readonly forget: (actorKey: string) => void
}

/** The shards that this node owns. Whatever shows that one is lost takes it out at once, with everything known of it. */
export class Shards implements Ownership {
  readonly #options: ShardsOptions
  readonly #held = new Map<number, HeldShard>()
  readonly #acquiring = new Map<number, Promise<HeldShard>>()
  readonly #listeners: ((grant: Grant) => void)[] = []
  /** Shards that other nodes had when they were last asked for. */
  readonly #elsewhere = new Map<number, { readonly owner: string; readonly untilMs: number }>()
  /** Since when nodes, by their addresses, have not answered. */
  readonly #doubted = new Map<string, number>()
  readonly #releasing = new Set<Promise<unknown>>()

  constructor(options: ShardsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#held.size
  }

  shardOf(actorKey: string): number {
    return createHash('sha256').update(actorKey).digest().readUInt32LE(0) % this.#options.shards
  }

  async acquire(actorKey: string): Promise<Grant> {
    const shard = this.shardOf(actorKey)
    await this.#options.lease.valid()
    const held = this.#held.get(shard) ?? (await this.#taken(shard))
    held.cancelRelease?.()
    held.cancelRelease = null
    if (held.actors.has(actorKey)) return held.grant
    held.actors.add(actorKey)
    try {
      await this.#options.prime(held.grant, actorKey)
      // It may have been lost while the actor was asked for.
      if (this.#held.get(shard) !== held) throw fenced(shard)
      return held.grant
    } catch (error) {
      this.release(held.grant, actorKey)
      throw readFailure(error)
    }
  }

  held(actorKey: string): Grant | null {
    if (!this.#options.lease.isValid) return null
    const held = this.#held.get(this.shardOf(actorKey))
    return held?.actors.has(actorKey) === true ? held.grant : null
  }

  onLost(listener: (grant: Grant) => void): void {
    this.#listeners.push(listener)
  }

  release(grant: Grant, actorKey: string): void {
    const held = this.#held.get(grant.shard)
    if (held?.grant.epoch !== grant.epoch) return
    held.actors.delete(actorKey)
    this.#options.forget(actorKey)
    if (held.actors.size > 0) return
    const { schedule, lingerMs } = this.#options
    held.cancelRelease?.()
    held.cancelRelease = schedule(() => this.#giveBack(held), lingerMs ?? LINGER_MS)
  }

  /** Somebody else has it: a write was fenced. */
  lost(grant: Grant): void {
    const held = this.#held.get(grant.shard)
    if (held === undefined || held.grant.epoch !== grant.epoch) return
    this.#drop(held)
    for (const listener of this.#listeners) listener(held.grant)
  }

  /** The lease is over. */
  loseAll(): void {
    for (const { grant } of this.#held.values()) this.lost(grant)
  }

  /** Gives everything back; nobody has to wait for the end of the lease. */
  async close(): Promise<void> {
    for (const held of this.#held.values()) this.#drop(held)
    await Promise.allSettled([...this.#acquiring.values(), ...this.#releasing])
    await this.#options.database
      .lease(RELEASE_ALL, [this.#options.lease.nodeId])
      .catch((error: unknown) => this.#unreleased(error))
  }

  /** Whatever the node at an address was believed to have is asked for again. */
  doubt(url: string): void {
    for (const [shard, { owner }] of this.#elsewhere) if (owner === url) this.#elsewhere.delete(shard)
    const nowMs = this.#options.monotonicMs()
    const sinceMs = this.#doubted.get(url)
    if (sinceMs === undefined || nowMs - sinceMs > DOUBT_MS) this.#doubted.set(url, nowMs)
  }

  #taken(shard: number): Promise<HeldShard> {
    const known = this.#elsewhere.get(shard)
    if (known !== undefined && this.#options.monotonicMs() < known.untilMs) {
      return Promise.reject(fenced(shard, known.owner))
    }
    this.#elsewhere.delete(shard)
    const first = this.#firstChoiceOf(shard)
    if (first !== null) return Promise.reject(fenced(shard, first))
    const underWay = this.#acquiring.get(shard)
    if (underWay !== undefined) return underWay
    const taking = this.#take(shard).finally(() => this.#acquiring.delete(shard))
    this.#acquiring.set(shard, taking)
    return taking
  }

  /** Where the node is that a free shard is left to; null: this one takes it. Another owner than that is known there. */
  #firstChoiceOf(shard: number): string | null {
    const { lease, monotonicMs, isSharedOut = false } = this.#options
    if (!isSharedOut) return null
    const id = firstChoice(shard, lease.peers.keys())
    const url = id === null || id === lease.nodeId ? '' : (lease.peers.get(id) ?? '')
    if (url === '') return null
    const doubtedMs = monotonicMs() - (this.#doubted.get(url) ?? Number.POSITIVE_INFINITY)
    return doubtedMs >= FIRST_CHOICE_MS && doubtedMs <= DOUBT_MS ? null : url
  }

  async #take(shard: number): Promise<HeldShard> {
    const { database, lease } = this.#options
    const { nodeId } = lease
    try {
      const { rows } = await database.lease(ACQUIRE, [shard, nodeId])
      const { granted, owner_url: owner } = rows[0] ?? {}
      if (typeof owner === 'string') throw this.#refusal(shard, owner)
      // Between the question and the answer the lease may have lapsed: then the shard belongs to nobody who lives.
      if (typeof granted !== 'string' || lease.nodeId !== nodeId || !lease.isValid)
        throw new PostgresFailure('unavailable', 'the lease of this node is over')
      const held: HeldShard = {
        grant: { shard, epoch: Number(granted) },
        actors: new Set(),
        cancelRelease: null,
      }
      this.#held.set(shard, held)
      return held
    } catch (error) {
      throw readFailure(error)
    }
  }

  #refusal(shard: number, owner: string): PostgresFailure {
    if (owner === '') return fenced(shard)
    const { monotonicMs, elsewhereMs } = this.#options
    this.#elsewhere.set(shard, { owner, untilMs: monotonicMs() + (elsewhereMs ?? ELSEWHERE_MS) })
    return fenced(shard, owner)
  }

  #giveBack(held: HeldShard): void {
    if (this.#held.get(held.grant.shard) !== held || held.actors.size > 0) return
    this.#drop(held)
    const { shard, epoch } = held.grant
    const releasing = this.#options.database
      .lease(RELEASE, [shard, epoch])
      .catch((error: unknown) => this.#unreleased(error))
      .finally(() => this.#releasing.delete(releasing))
    this.#releasing.add(releasing)
  }

  #drop(held: HeldShard): void {
    held.cancelRelease?.()
    this.#held.delete(held.grant.shard)
    for (const actorKey of held.actors) this.#options.forget(actorKey)
  }

  #unreleased(error: unknown): void {
    this.#options.log.warn(
      { cause: messageOf(error) },
      'a shard could not be given back: it is free when the lease ends',
    )
  }
}
