import { createHash } from 'node:crypto'
import { messageOf } from '../../core/base/errors.ts'
import type { ShardChange } from '../../ports/cluster.ts'
import type { Grant, Holder, Ownership } from '../../ports/store.ts'
import { StoreFailure } from '../files/store-parts.ts'
import { type Database, fenced, readFailure } from './database.ts'
import type { Lease } from './lease.ts'
import type { Neighbours, OwnedShard } from './moves.ts'
import type { PostgresStoreOptions } from './tables.ts'

export const ACQUIRE = 'select granted, owner_url from memgov.acquire_shard($1, $2)'
const RELEASE = 'update memgov.shard set owner = null where shard = $1 and epoch = $2'
const RELEASE_ALL = 'update memgov.shard set owner = null where owner = $1'
const OWNER = `select s.epoch, n.id = $2 as is_own, n.url from memgov.shard s
      join memgov.node n on n.id = s.owner and n.expires > clock_timestamp() where s.shard = $1`

/** For so long nobody asks again who has a shard that another node has. */
const ELSEWHERE_MS = 1_000
/** A shard of which nothing is in memory goes back after this time: the next request may be for the same. */
const LINGER_MS = 1_000
/** How long a move waits for requests that are inside, at first; after each move that came to nothing twice as long. */
const PATIENCE_MS = 2_000
const PATIENCE_MAX_MS = 30_000
/** Between two looks at actors that were being loaded when a move began. */
const LOADS_LOOK_MS = 20
/** The part of what was asked for in a second that counts in the rate: what it was ten seconds ago is a tenth of it. */
const RATE_SHARE = 0.2
/** Whoever is told that its view is old reads the list of nodes anew, but not for each request. */
const LIST_AGE_MS = 100

interface HeldShard {
  readonly grant: Grant
  readonly actors: Set<string>
  cancelRelease: (() => void) | null
  /** Resolves when it has moved, or has stayed; null: nobody who comes has to wait. */
  moving: Promise<void> | null
  patienceMs: number
  /** Requests a second of late, and those since the last count. */
  rate: number
  asked: number
}

export interface ShardsOptions
  extends Pick<PostgresStoreOptions, 'log' | 'schedule' | 'monotonicMs' | 'lingerMs' | 'elsewhereMs'> {
  readonly database: Pick<Database, 'lease'>
  readonly lease: Pick<Lease, 'nodeId' | 'isValid' | 'valid' | 'look'>
  readonly neighbours: Neighbours
  readonly shards: number
  readonly prime: (grant: Grant, actorKey: string) => Promise<void>
  readonly forget: (actorKey: string) => void
}

/** The shards that this node owns. Whatever shows that one is lost takes it out at once, with everything known of it. */
export class Shards implements Ownership {
  readonly #options: ShardsOptions
  readonly #held = new Map<number, HeldShard>()
  /** Of the actors in them: each request asks, and the hash takes longer than the rest of the answer. */
  readonly #shardFor = new Map<string, number>()
  readonly #acquiring = new Map<number, Promise<HeldShard>>()
  readonly #listeners: ((grant: Grant) => void)[] = []
  /** Shards that other nodes had when they were last asked for. */
  readonly #elsewhere = new Map<number, { readonly owner: string; readonly untilMs: number }>()
  /** Epochs of those that are in nobody's memory, and could not be given back yet. */
  readonly #unreleased = new Map<number, number>()
  readonly #changes: Record<ShardChange, number> = { taken: 0, moved: 0, idle: 0, lost: 0 }
  #holder: Holder | null = null
  /** Shards that are on their way back to the store: who asks for one waits. */
  readonly #releasing = new Map<number, Promise<void>>()

  constructor(options: ShardsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#held.size
  }

  get changes(): Readonly<Record<ShardChange, number>> {
    return this.#changes
  }

  owned(): Iterable<OwnedShard> {
    return [...this.#held].map(([shard, { rate }]) => ({ shard, rate }))
  }

  /** Counts what was asked for since the last time, a second ago. */
  cool(): void {
    for (const held of this.#held.values()) {
      held.rate += (held.asked - held.rate) * RATE_SHARE
      if (held.rate < RATE_SHARE / 10) held.rate = 0
      held.asked = 0
    }
  }

  shardOf(actorKey: string): number {
    return createHash('sha256').update(actorKey).digest().readUInt32LE(0) % this.#options.shards
  }

  async acquire(actorKey: string): Promise<Grant> {
    const shard = this.shardOf(actorKey)
    await this.#options.lease.valid()
    await (this.#held.get(shard)?.moving ?? this.#releasing.get(shard))
    const held = this.#held.get(shard) ?? (await this.#taken(shard))
    held.cancelRelease?.()
    held.cancelRelease = null
    if (held.actors.has(actorKey)) return held.grant
    held.actors.add(actorKey)
    this.#shardFor.set(actorKey, shard)
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
    const held = this.#held.get(this.#shardFor.get(actorKey) ?? -1)
    return held?.actors.has(actorKey) === true ? held.grant : null
  }

  onLost(listener: (grant: Grant) => void): void {
    this.#listeners.push(listener)
  }

  attach(holder: Holder): void {
    this.#holder = holder
  }

  used({ shard, epoch }: Grant): void {
    const held = this.#held.get(shard)
    if (held?.grant.epoch === epoch) held.asked += 1
  }

  release(grant: Grant, actorKey: string): void {
    const held = this.#held.get(grant.shard)
    if (held?.grant.epoch !== grant.epoch) return
    held.actors.delete(actorKey)
    this.#forget(actorKey)
    if (held.actors.size === 0 && held.moving === null) this.#linger(held)
  }

  /** Gives a shard to whoever takes it next. Resolves with whether it is gone. Whoever asks for it meanwhile waits. */
  async move(shard: number): Promise<boolean> {
    const held = this.#held.get(shard)
    if (held === undefined || held.moving !== null || this.#holder === null) return held === undefined
    if (!(await this.#holder.prepare(held.grant))) return false
    if (this.#held.get(shard) !== held) return true
    let end = (): void => undefined
    held.moving = new Promise((resolve) => {
      end = resolve
    })
    try {
      if (await this.#left(held, this.#holder)) {
        if (this.#held.get(shard) === held) await this.#giveBack(held, 'moved')
        return true
      }
    } finally {
      held.moving = null
      end()
    }
    held.patienceMs = Math.min(PATIENCE_MAX_MS, held.patienceMs * 2)
    if (held.actors.size === 0) this.#linger(held)
    return false
  }

  /** Somebody else has it: a write was fenced. */
  lost(grant: Grant): void {
    const held = this.#held.get(grant.shard)
    if (held === undefined || held.grant.epoch !== grant.epoch) return
    this.#drop(held, 'lost')
    for (const listener of this.#listeners) listener(held.grant)
  }

  loseAll(): void {
    this.#unreleased.clear()
    for (const { grant } of this.#held.values()) this.lost(grant)
  }

  /** Gives everything back; nobody has to wait for the end of the lease. */
  async close(): Promise<void> {
    for (const held of this.#held.values()) this.#drop(held, 'idle')
    await Promise.allSettled([...this.#acquiring.values(), ...this.#releasing.values()])
    await this.#options.database
      .lease(RELEASE_ALL, [this.#options.lease.nodeId])
      .catch((error: unknown) => this.#notReleased(error))
  }

  /** Whatever the node at an address was believed to have is asked for again. */
  doubt(url: string): void {
    for (const [shard, { owner }] of this.#elsewhere) if (owner === url) this.#elsewhere.delete(shard)
    this.#options.neighbours.doubt(url)
    void this.#options.lease.look(LIST_AGE_MS)
  }

  async lookAgain(shard: number | null): Promise<void> {
    if (shard !== null) this.#elsewhere.delete(shard)
    await this.#options.lease.look(LIST_AGE_MS)
    if (shard !== null && !this.#isKnown(shard)) await this.#findOwner(shard)
  }

  /**
   * It may have been given to this node in an answer that never came: then every other node names this one as its owner, while
   * this one would leave it to its first choice. And that one may not have it yet, because it stays for a while where it is.
   */
  async #findOwner(shard: number): Promise<void> {
    const { database, lease } = this.#options
    const found = await database.lease(OWNER, [shard, lease.nodeId]).catch(() => null)
    const { epoch, is_own: isOwn, url } = found?.rows[0] ?? {}
    if (this.#isKnown(shard)) return
    if (isOwn === true) this.#unreleased.set(shard, Number(epoch))
    else if (typeof url === 'string') this.#refusal(shard, url)
  }

  #isKnown(shard: number): boolean {
    return [this.#held, this.#acquiring, this.#releasing, this.#unreleased].some((each) => each.has(shard))
  }

  releaseAgain(): void {
    for (const [shard, epoch] of this.#unreleased) {
      if (!this.#releasing.has(shard)) void this.#released(shard, epoch)
    }
  }

  #taken(shard: number): Promise<HeldShard> {
    const known = this.#elsewhere.get(shard)
    if (known !== undefined && this.#options.monotonicMs() < known.untilMs) {
      return Promise.reject(fenced(shard, known.owner))
    }
    this.#elsewhere.delete(shard)
    // What could not be given back nobody else can take.
    const first = this.#unreleased.has(shard) ? null : this.#options.neighbours.firstChoiceOf(shard)
    if (first !== null) return Promise.reject(fenced(shard, first))
    const underWay = this.#acquiring.get(shard)
    if (underWay !== undefined) return underWay
    const taking = this.#take(shard).finally(() => this.#acquiring.delete(shard))
    this.#acquiring.set(shard, taking)
    return taking
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
        throw new StoreFailure('unavailable', 'the lease of this node is over')
      const held: HeldShard = {
        grant: { shard, epoch: Number(granted) },
        actors: new Set(),
        cancelRelease: null,
        moving: null,
        patienceMs: PATIENCE_MS,
        rate: 0,
        asked: 0,
      }
      this.#held.set(shard, held)
      this.#unreleased.delete(shard)
      this.#changes.taken += 1
      return held
    } catch (error) {
      throw readFailure(error)
    }
  }

  #refusal(shard: number, owner: string): StoreFailure {
    if (owner === '') return fenced(shard)
    const { monotonicMs, elsewhereMs } = this.#options
    this.#elsewhere.set(shard, { owner, untilMs: monotonicMs() + (elsewhereMs ?? ELSEWHERE_MS) })
    return fenced(shard, owner)
  }

  /** Whether nothing of the shard is in memory any more. An actor that was being loaded when this began comes in late, and leaves. */
  async #left(held: HeldShard, holder: Holder): Promise<boolean> {
    const { monotonicMs, schedule } = this.#options
    const untilMs = monotonicMs() + held.patienceMs
    while (held.actors.size > 0) {
      const leftMs = untilMs - monotonicMs()
      if (leftMs <= 0 || !(await holder.leave(held.grant, leftMs))) return false
      if (held.actors.size > 0) await new Promise<void>((resolve) => void schedule(resolve, LOADS_LOOK_MS))
    }
    return true
  }

  #linger(held: HeldShard): void {
    const { schedule, lingerMs } = this.#options
    held.cancelRelease?.()
    held.cancelRelease = schedule(() => {
      if (this.#held.get(held.grant.shard) !== held || held.actors.size > 0 || held.moving !== null) return
      if (this.#holder?.isFollowed(held.grant) === true) this.#linger(held)
      else void this.#giveBack(held, 'idle')
    }, lingerMs ?? LINGER_MS)
  }

  async #giveBack(held: HeldShard, change: 'moved' | 'idle'): Promise<void> {
    const { shard, epoch } = held.grant
    this.#drop(held, change)
    this.#holder?.givenBack(held.grant)
    await this.#released(shard, epoch)
  }

  /** Resolves when the store has taken the shard back, or did not answer. */
  #released(shard: number, epoch: number): Promise<void> {
    const releasing = this.#options.database
      .lease(RELEASE, [shard, epoch])
      .then(
        () => {
          if (this.#unreleased.get(shard) === epoch) this.#unreleased.delete(shard)
        },
        (error: unknown) => {
          this.#unreleased.set(shard, epoch)
          this.#notReleased(error)
        },
      )
      .finally(() => {
        if (this.#releasing.get(shard) === releasing) this.#releasing.delete(shard)
      })
    this.#releasing.set(shard, releasing)
    return releasing
  }

  #drop(held: HeldShard, change: ShardChange): void {
    held.cancelRelease?.()
    this.#changes[change] += 1
    this.#held.delete(held.grant.shard)
    for (const actorKey of held.actors) this.#forget(actorKey)
  }

  #forget(actorKey: string): void {
    this.#shardFor.delete(actorKey)
    this.#options.forget(actorKey)
  }

  #notReleased(error: unknown): void {
    this.#options.log.warn(
      { cause: messageOf(error) },
      'a shard could not be given back: that is tried again, and it is free when the lease ends',
    )
  }
}
