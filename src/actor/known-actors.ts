import { DomainError } from '../core/base/errors.ts'
import { partsOfActorKey } from '../core/base/ids.ts'
import type { Journal } from '../ports/journal.ts'
import type { SnapshotStore } from '../ports/snapshots.ts'
import type { Actor } from './actor.ts'

/** How many actors there may be; those of before a bound was lowered stay. */
export interface ActorBounds {
  readonly scopesMax: number
  readonly scopesPerTenantMax: number
}

/** Which actors there are: how many, and which of those that are not in memory have turns that no snapshot covers. */
export class KnownActors {
  readonly #journal: Journal
  readonly #snapshots: SnapshotStore
  readonly #bounds: ActorBounds
  /** Actors that are not in memory and have turns that no snapshot covers. */
  readonly #uncovered: Set<string>
  /** Counted once: of a hundred thousand it takes tens of milliseconds. */
  readonly #countOfTenant = new Map<string, number>()
  #count = 0

  constructor(journal: Journal, snapshots: SnapshotStore, bounds: ActorBounds) {
    this.#journal = journal
    this.#snapshots = snapshots
    this.#bounds = bounds
    const inJournal = journal.actorKeys()
    for (const key of new Set([...inJournal, ...snapshots.actorKeys()])) this.#add(key, 1)
    this.#uncovered = new Set(inJournal.filter((key) => snapshots.coveredSeqOf(key) < journal.headOf(key)))
  }

  /** Actors that have ever written anything on this node. */
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
