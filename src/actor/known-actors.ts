import { DomainError } from '../core/base/errors.ts'
import { actorKeyOf, partsOfActorKey } from '../core/base/ids.ts'
import type { Residency } from '../ports/residency.ts'
import type { Store, StoredTurns } from '../ports/store.ts'
import type { Actor } from './actor.ts'
import { yieldToLoop } from './yield-to-loop.ts'

/** How many actors there may be; those of before a bound was lowered stay. */
export interface ActorBounds {
  readonly scopesMax: number
  readonly scopesPerTenantMax: number
}

type KnownStore = Pick<Store, 'directory' | 'journal' | 'snapshots' | 'segments'>

/** Which actors there are: how many, and which of those that are not in memory have turns that no snapshot covers. */
export class KnownActors {
  readonly #journal: Store['journal']
  readonly #snapshots: Store['snapshots']
  readonly #bounds: ActorBounds
  /** Actors that are not in memory and have turns that no snapshot covers. */
  readonly #uncovered = new Set<string>()
  readonly #countOfTenant = new Map<string, number>()
  #count = 0

  private constructor({ journal, snapshots }: KnownStore, bounds: ActorBounds) {
    this.#journal = journal
    this.#snapshots = snapshots
    this.#bounds = bounds
  }

  /** What the store holds at a start. Actors without a snapshot matter only where they hold segments that others wait for. */
  static async in(store: KnownStore, bounds: ActorBounds): Promise<KnownActors> {
    const { directory, journal, snapshots, segments } = store
    const known = new KnownActors(store, bounds)
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
  left({ key, state, broken }: Actor): void {
    // Its first turn has reached no disk: there is no such actor.
    if (broken !== null && state.seq > 0 && !this.#isStored(key)) this.#add(key, -1)
  }

  #isStored(key: string): boolean {
    return this.#journal.headOf(key) > 0 || this.#snapshots.coveredSeqOf(key) > 0
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
