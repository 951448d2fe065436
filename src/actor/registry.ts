import { DomainError } from '../domain/errors.ts'
import { actorKeyOf } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Language } from '../ports/language.ts'
import type { Residency } from '../ports/residency.ts'
import { Actor } from './actor.ts'
import { deadline } from './deadline.ts'
import { LoadGate } from './load-gate.ts'
import { RecallView } from './recall-view.ts'
import { type RecoveryParts, recoverState } from './recovery.ts'
import { isCovered, isSnapshotDue, type SnapshotParts, snapshotActor } from './snapshotting.ts'

/** Snapshots written at the same time while closing. */
const CLOSING_SNAPSHOTS = 8

export interface RegistryParts extends RecoveryParts, SnapshotParts {
  readonly residency: Residency<Actor>
  readonly clock: Clock
  readonly language: Language
  readonly mailboxDepthMax: number
  readonly concurrentLoadsMax: number
  readonly waitingLoadsMax: number
}

/**
 * Every actor of the node. One is loaded once however many ask for it, and leaves memory only after a durable
 * snapshot covers all that it knows.
 */
export class Registry {
  readonly #parts: RegistryParts
  readonly #loads = new Map<string, Promise<Actor>>()
  readonly #snapshots = new Map<string, Promise<void>>()
  readonly #evictions = new Map<string, Promise<void>>()
  readonly #gate: LoadGate
  #isClosing = false

  constructor(parts: RegistryParts) {
    this.#parts = parts
    this.#gate = new LoadGate(parts.concurrentLoadsMax, parts.waitingLoadsMax)
  }

  /** Runs `work` inside the actor, loading it first if need be. @throws overloaded, shutting_down */
  async use<T>(tenantId: string, scope: string, work: (actor: Actor) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new DomainError('shutting_down')
    const key = actorKeyOf(tenantId, scope)
    const actor = this.#resident(key) ?? (await this.#loaded(key, tenantId, scope))
    actor.enter()
    try {
      return await work(actor)
    } finally {
      actor.leave()
      this.#afterUse(key, actor)
    }
  }

  residentCount(): number {
    return this.#parts.residency.count()
  }

  /** Actors that have ever written anything on this node. */
  knownCount(): number {
    const { journal, snapshots } = this.#parts
    return new Set([...journal.actorKeys(), ...snapshots.actorKeys(), ...this.#parts.residency.keys()]).size
  }

  /**
   * Takes no more work, waits for what is inside, then snapshots actors that are not covered. What the deadline cuts
   * off is in the journal: the next start replays it.
   */
  async close(deadlineMs: number): Promise<void> {
    this.#isClosing = true
    const waiting = [...this.#parts.residency.keys()]
    const isLate = deadline(deadlineMs)
    const workers = Array.from({ length: CLOSING_SNAPSHOTS }, async () => {
      for (let key = waiting.pop(); key !== undefined && !isLate.passed; key = waiting.pop())
        await this.#settle(key)
    })
    const background = [...this.#loads.values(), ...this.#evictions.values()]
    await Promise.race([Promise.allSettled([...workers, ...background]), isLate.promise])
    isLate.cancel()
    if (isLate.passed)
      this.#parts.log.warn({ actors: waiting.length }, 'shutdown deadline: the journal holds the rest')
  }

  async #settle(key: string): Promise<void> {
    const actor = this.#parts.residency.peek(key)
    if (actor === undefined) return
    await actor.emptied()
    await this.#snapshots.get(key)?.catch(() => undefined)
    if (actor.broken !== null || isCovered(this.#parts, actor)) return
    await this.#snapshot(actor).catch((error: unknown) => this.#report(error, actor))
  }

  #resident(key: string): Actor | undefined {
    if (this.#evictions.has(key)) return undefined
    const actor = this.#parts.residency.get(key)
    if (actor === undefined || actor.broken === null) return actor
    this.#parts.log.warn({ actor: key, cause: actor.broken.message }, 'actor is discarded and read again')
    this.#parts.residency.delete(key)
    return undefined
  }

  async #loaded(key: string, tenantId: string, scope: string): Promise<Actor> {
    await this.#evictions.get(key)
    const resident = this.#resident(key)
    if (resident !== undefined) return resident
    const underWay = this.#loads.get(key)
    if (underWay !== undefined) return underWay
    const load = this.#gate.run(() => this.#load(key, tenantId, scope)).finally(() => this.#loads.delete(key))
    this.#loads.set(key, load)
    return load
  }

  async #load(key: string, tenantId: string, scope: string): Promise<Actor> {
    const parts = this.#parts
    const state = await recoverState(parts, key, tenantId, scope)
    const recall = await RecallView.over(state, parts.language)
    const actor = new Actor({ ...parts, key, state, recall })
    parts.residency.set(key, actor, recall.weightBytes())
    this.#evictOverflow()
    return actor
  }

  #afterUse(key: string, actor: Actor): void {
    const { residency } = this.#parts
    if (residency.peek(key) !== actor) return
    residency.touch(key, actor.recall.weightBytes())
    if (actor.broken === null && !this.#snapshots.has(key) && isSnapshotDue(this.#parts, actor)) {
      this.#inBackground(this.#snapshot(actor), actor)
      for (const laggard of this.#parts.journal.laggards()) this.#snapshotLaggard(laggard)
    }
    this.#evictOverflow()
  }

  #snapshotLaggard(key: string): void {
    const actor = this.#parts.residency.peek(key)
    if (actor === undefined || actor.broken !== null || this.#snapshots.has(key)) return
    this.#inBackground(this.#snapshot(actor), actor)
  }

  #snapshot(actor: Actor): Promise<void> {
    const snapshot = snapshotActor(this.#parts, actor).finally(() => this.#snapshots.delete(actor.key))
    this.#snapshots.set(actor.key, snapshot)
    return snapshot
  }

  #inBackground(task: Promise<void>, actor: Actor): void {
    task.catch((error: unknown) => this.#report(error, actor))
  }

  #report(error: unknown, actor: Actor): void {
    const cause = error instanceof Error ? error.message : String(error)
    this.#parts.log.error({ actor: actor.key, cause }, 'snapshot failed; the journal still holds everything')
  }

  #evictOverflow(): void {
    if (this.#isClosing) return
    const { residency } = this.#parts
    const isPinned = (key: string): boolean =>
      residency.peek(key)?.isIdle === false || this.#evictions.has(key)
    for (const key of residency.overflow(isPinned)) {
      const eviction = this.#evict(key).finally(() => this.#evictions.delete(key))
      this.#evictions.set(key, eviction)
      eviction.catch(() => undefined)
    }
  }

  /** While an actor drains, requests for it wait here for the end and then load it again. */
  async #evict(key: string): Promise<void> {
    const actor = this.#parts.residency.peek(key)
    if (actor === undefined) return
    try {
      await actor.emptied()
      await this.#snapshots.get(key)
      if (actor.broken === null && !isCovered(this.#parts, actor)) await this.#snapshot(actor)
      this.#parts.residency.delete(key)
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      this.#parts.log.error({ actor: key, cause }, 'snapshot failed; the actor stays in memory')
    }
  }
}
