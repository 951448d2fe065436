import { DomainError, messageOf } from '../core/base/errors.ts'
import { actorKeyOf, partsOfActorKey } from '../core/base/ids.ts'
import type { Residency } from '../ports/residency.ts'
import type { Grant, Segments, Store, StoredTurns } from '../ports/store.ts'
import type { Log } from '../ports/system.ts'
import type { Actor } from './actor.ts'
import { type ActorSnapshots, isCovered, isTailShort, type SnapshotParts } from './snapshotting.ts'
import { type Deadline, deadline, yieldToLoop } from './waiting.ts'

/** How many actors there may be; those of before a bound was lowered stay. */
export interface ActorBounds {
  readonly scopesMax: number
  readonly scopesPerTenantMax: number
}

type KnownStore = Pick<Store, 'directory' | 'journal' | 'snapshots' | 'segments'>

/** Which actors there are: how many, and which of those that are not in memory have turns that no snapshot covers. */
export class KnownActors {
  readonly #bounds: ActorBounds
  /** Actors that are not in memory and have turns that no snapshot covers. */
  readonly #uncovered = new Set<string>()
  readonly #countOfTenant = new Map<string, number>()
  #count = 0

  private constructor(bounds: ActorBounds) {
    this.#bounds = bounds
  }

  /** What the store holds at a start. Actors without a snapshot matter only where they hold segments that others wait for. */
  static async in(store: KnownStore, bounds: ActorBounds): Promise<KnownActors> {
    const { directory, journal, snapshots, segments } = store
    const known = new KnownActors(bounds)
    for await (const key of directory.actors()) {
      known.#add(key, 1)
      if (segments !== null && snapshots.coveredSeqOf(key) < journal.headOf(key)) known.#uncovered.add(key)
    }
    return known
  }

  /** Actors that have ever written anything in the store, as far as this node knows. */
  get count(): number {
    return this.#count
  }

  get uncoveredCount(): number {
    return this.#uncovered.size
  }

  /** Counts an actor that is about to write its first turn. @throws too_many_scopes */
  admit(key: string): void {
    const { scopesMax, scopesPerTenantMax } = this.#bounds
    const ofTenant = this.#countOfTenant.get(partsOfActorKey(key).tenantId) ?? 0
    if (ofTenant >= scopesPerTenantMax) {
      throw tooMany('scopesPerTenantMax', scopesPerTenantMax, `This tenant has ${ofTenant} scopes`)
    }
    if (this.#count >= scopesMax) {
      throw tooMany('scopesMax', scopesMax, `This service has ${this.#count} scopes`)
    }
    this.#add(key, 1)
  }

  /** The actor came into memory. */
  loaded({ key }: Actor): void {
    this.#uncovered.delete(key)
  }

  /** The actor leaves memory with turns that only the journal has. */
  leavesUncovered(key: string): void {
    this.#uncovered.add(key)
  }

  /** The actor has left memory. */
  left({ key, state, isStored }: Actor): void {
    // Its first turn was counted and not stored: there is no such actor.
    if (state.seq > 0 && !isStored) this.#add(key, -1)
  }

  #add(key: string, change: 1 | -1): void {
    const { tenantId } = partsOfActorKey(key)
    this.#count += change
    const ofTenant = (this.#countOfTenant.get(tenantId) ?? 0) + change
    if (ofTenant === 0) this.#countOfTenant.delete(tenantId)
    else this.#countOfTenant.set(tenantId, ofTenant)
  }
}

function tooMany(option: keyof ActorBounds, limit: number, found: string): DomainError {
  const message = `${found} and the option ${option} allows ${limit}: write to one of them, raise the option, or remove unused ones with memgov scopes prune.`
  return new DomainError('too_many_scopes', { limit, option }, message)
}

/** What can be told of an actor without loading it. */
export interface ActorSketch extends StoredTurns {
  readonly key: string
  readonly scope: string
  /** Null: it is not in memory. */
  readonly resident: Actor | null
}

interface ListParts extends Pick<Store, 'directory'> {
  readonly residency: Residency<Actor>
}

/**
 * The actors of a tenant in the order of their keys, by code unit, behind one of them. Any actor that is there throughout
 * is on exactly one page, whatever is written meanwhile.
 */
export async function actorsOf(
  parts: ListParts,
  tenantId: string,
  afterKey: string | null,
  limit: number,
): Promise<readonly ActorSketch[]> {
  const { directory, residency } = parts
  const keys = await firstKeys(keysOf(parts, actorKeyOf(tenantId, '')), afterKey, limit)
  const stored = await directory.turnsOf(keys)
  return stored.map((turns, at) => {
    const key = keys[at] ?? ''
    return { key, scope: partsOfActorKey(key).scope, ...turns, resident: residency.peek(key) ?? null }
  })
}

async function* keysOf({ directory }: ListParts, prefix: string): AsyncGenerator<string> {
  for await (const key of directory.actors()) if (key.startsWith(prefix)) yield key
}

/** Keys looked at between two yields. */
const BREATH_KEYS = 2000

/** The first of the keys behind one of them, in the order of code units. As few of them are held as a page needs. */
export async function firstKeys(
  keys: AsyncIterable<string> | Iterable<string>,
  afterKey: string | null,
  limit: number,
): Promise<readonly string[]> {
  let first: string[] = []
  let seen = 0
  for await (const key of keys) {
    if (++seen % BREATH_KEYS === 0) await yieldToLoop()
    if (afterKey !== null && key <= afterKey) continue
    first.push(key)
    if (first.length >= 4 * limit) first = sorted(first).slice(0, limit)
  }
  return sorted(first).slice(0, limit)
}

function sorted(keys: readonly string[]): string[] {
  return keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
}

interface LeavingParts extends SnapshotParts {
  readonly residency: Residency<Actor>
  readonly segments: Segments | null
  readonly log: Log
  readonly known: KnownActors
  readonly made: ActorSnapshots
  /** Whether a request asked for the actor and has not left it. */
  readonly isWanted: (actorKey: string) => boolean
  /** Whether it has something to do that its node has to finish. */
  readonly hasToStay: (actorKey: string) => boolean
  /** Resolves when nothing that was begun behind the requests is under way for the actor. */
  readonly withdraw: (actorKey: string) => Promise<void>
  /** The actor is gone from memory, and all that it knows is durable. */
  readonly left: (actor: Actor) => void
}

/**
 * Actors on their way out of memory. Requests that come meanwhile wait for the end, and then load the actor again, or are told who
 * owns it by then.
 */
export class LeavingActors {
  readonly #parts: LeavingParts
  readonly #leaving = new Map<string, Promise<void>>()

  constructor(parts: LeavingParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#leaving.size
  }

  has(key: string): boolean {
    return this.#leaving.has(key)
  }

  /** Resolves when the actor is not on its way out any more; it may have stayed. Never rejects. */
  async ended(key: string): Promise<void> {
    await this.#leaving.get(key)
  }

  /** Resolves when one of them is not on its way out any more. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#leaving.values())
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.#leaving.values())
  }

  /** An actor that cannot be trusted. What it has queued must reach the disk, or fail, before anybody reads the disk again. */
  discard(actor: Actor): void {
    const settled = actor.settled().catch(() => undefined)
    this.#follow(
      actor,
      settled.then(() => this.#parts.left(actor)),
    )
  }

  /** Sends out those that are too many, but for those that a request asks for. */
  evictOverflow(): void {
    const { residency, isWanted } = this.#parts
    // Those on their way out count as gone, or every request meanwhile would send one more after them.
    const isPinned = (key: string): boolean => isWanted(key) && !this.#leaving.has(key)
    for (const key of residency.overflow(isPinned)) {
      const actor = residency.peek(key)
      if (actor !== undefined && !this.#leaving.has(key)) this.#follow(actor, this.#secured(actor))
    }
  }

  /** Snapshots what an actor of the grant could not leave to the journal, while requests are served. False: not now. */
  async prepare(grant: Grant): Promise<boolean> {
    const { made, hasToStay, log } = this.#parts
    try {
      for (const actor of this.#actorsOf(grant)) {
        if (hasToStay(actor.key)) return false
        if (!this.#mayLeave(actor)) await made.makeNext(actor)
      }
      return true
    } catch (error) {
      log.warn({ shard: grant.shard, cause: messageOf(error) }, 'a shard cannot move: a snapshot failed')
      return false
    }
  }

  /** Lets nobody in any more, and the actors of the grant out. False: one of them took longer, and has stayed. */
  async leave(grant: Grant, patienceMs: number): Promise<boolean> {
    const isLate = deadline(patienceMs)
    try {
      const leaving = this.#actorsOf(grant).map((actor) => {
        const underWay = this.#leaving.get(actor.key)
        return underWay === undefined
          ? this.#sentOut(actor, isLate)
          : underWay.then(() => this.#sentOut(actor, isLate))
      })
      return (await Promise.all(leaving)).every((hasLeft) => hasLeft)
    } finally {
      isLate.cancel()
    }
  }

  /** Resolves with whether the actor is gone. */
  #sentOut(actor: Actor, isLate: Deadline): Promise<boolean> {
    if (this.#parts.residency.peek(actor.key) !== actor) return Promise.resolve(true)
    const left = this.#drained(actor, isLate)
    this.#follow(actor, left)
    return left
  }

  #follow(actor: Actor, leaving: Promise<unknown>): void {
    const followed = leaving.then(() => {
      if (this.#leaving.get(actor.key) === followed) this.#leaving.delete(actor.key)
    })
    this.#leaving.set(actor.key, followed)
  }

  #actorsOf(grant: Grant): readonly Actor[] {
    const { residency } = this.#parts
    return [...residency.keys()].flatMap((key) => {
      const actor = residency.peek(key)
      return actor?.isHeldBy(grant) === true ? [actor] : []
    })
  }

  /** Those inside finish what they do; nobody comes in, as the actor is on its way out from now on. */
  async #drained(actor: Actor, isLate: Deadline): Promise<boolean> {
    await Promise.race([this.#parts.withdraw(actor.key), isLate.promise])
    while (!actor.isEmpty) {
      await Promise.race([actor.emptied(), isLate.promise])
      if (isLate.passed) return false
    }
    return this.#secured(actor)
  }

  /** Nobody is inside. Resolves with whether it is gone; never rejects. */
  async #secured(actor: Actor): Promise<boolean> {
    const { made, left } = this.#parts
    try {
      await made.settled(actor.key)
      if (actor.broken === null && !isCovered(this.#parts, actor)) await this.#secure(actor)
      left(actor)
      return true
    } catch (error) {
      made.tellFailure(actor, error, 'snapshot failed; the actor stays in memory')
      return false
    }
  }

  /** Resolves when the actor may leave. */
  async #secure(actor: Actor): Promise<void> {
    const { made, known, segments } = this.#parts
    if (!this.#mayLeave(actor)) return made.make(actor)
    await actor.settled()
    if (segments !== null) known.leavesUncovered(actor.key)
  }

  /**
   * Whether it may leave without a snapshot. Where turns share segments as many may be away with a tail as are in memory: an erasure
   * has to cover them all.
   */
  #mayLeave(actor: Actor): boolean {
    const { known, residency, segments } = this.#parts
    if (actor.broken !== null || isCovered(this.#parts, actor)) return true
    const mayKeepTail = segments === null || known.uncoveredCount < residency.count()
    return mayKeepTail && isTailShort(this.#parts, actor)
  }
}
