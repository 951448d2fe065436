import { assert } from '../core/base/assert.ts'
import { DomainError } from '../core/base/errors.ts'
import { actorKeyOf } from '../core/base/ids.ts'
import type { ActorEvent } from '../core/model/events.ts'
import { contestedByText, judgeAnew } from '../core/write/dispute.ts'
import type { Embeddings } from '../ports/embedding.ts'
import type { Residency } from '../ports/residency.ts'
import type { Grant, Journal, Removed, Store } from '../ports/store.ts'
import type { Clock, Log } from '../ports/system.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { Actor } from './actor.ts'
import { Erasures, Purge } from './erasures.ts'
import { refusalOf } from './journal-refusal.ts'
import { type ActorBounds, type ActorSketch, actorsOf, KnownActors, LeavingActors } from './known-actors.ts'
import type { LiveTurns } from './live-turns.ts'
import { PostLoadChecks } from './post-load-checks.ts'
import { type RecoveryParts, recoverActor } from './recovery.ts'
import {
  embeddingHealth,
  explanationBounds,
  type RegistryVitals,
  residentVitals,
} from './resident-numbers.ts'
import { SimilarView } from './similar-view.ts'
import { ActorSnapshots, closeActors, SegmentReclaimer, type SnapshotParts } from './snapshotting.ts'
import { deadline, LoadLimiter, yieldToLoop } from './waiting.ts'

/**
 * Judges what an earlier build has contested by words alone, as turns of the actor before it serves. What a crash cuts
 * off, or a journal that takes nothing leaves, the next load does: the state says what is still to be judged.
 */
export async function judgeLoaded(actor: Actor, journal: Journal, log: Log): Promise<void> {
  let contested = contestedByText(actor.state)
  if (contested.size === 0 || journal.health().state !== 'open' || journal.isSaturated()) return
  let turns = 0
  for (; contested.size > 0; contested = contestedByText(actor.state)) {
    const judged = contested
    const { seq } = actor.state
    await actor.turn((state, nowMs) => ({
      events: judgeAnew(state, actor.similar, judged, nowMs),
      reply: null,
    }))
    assert(actor.state.seq > seq, `what words contested in ${actor.key} is judged by every turn`)
    turns += 1
    await yieldToLoop()
  }
  log.info({ actor: actor.key, turns }, 'what words alone had contested was judged anew')
}

/** With more actors on their way out a load waits for one of them: what comes in must not outrun what leaves. */
const LEAVING_MAX = 32

/** What actors need of the store. */
type ActorStore = Omit<Store, 'history' | 'backend' | 'cluster' | 'close'>

export interface RegistryParts extends ActorStore, RecoveryParts, SnapshotParts, ActorBounds {
  readonly residency: Residency<Actor>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly liveTurns: LiveTurns
  /** Null: nothing is embedded. */
  readonly embedding: Embeddings | null
  readonly mailboxDepthMax: number
  readonly concurrentLoadsMax: number
  readonly waitingLoadsMax: number
}

/**
 * Every actor of the node. One is loaded once however many ask for it, and leaves memory only after all that it knows is
 * durable: in a snapshot, or but for a short tail, which the journal has.
 */
export class Registry {
  readonly #parts: RegistryParts
  readonly #loads = new Map<string, Promise<void>>()
  readonly #snapshots: ActorSnapshots
  readonly #leaving: LeavingActors
  /** Requests that asked for an actor and have not left it: it stays from before it is loaded until they have. */
  readonly #wanted = new Map<string, number>()
  /** Actors that broke: their snapshot is compared before they serve again, what is derived from it is not read but made again. */
  readonly #broken = new Set<string>()
  readonly #known: KnownActors
  readonly #loadLimiter: LoadLimiter
  readonly #reclaimer: SegmentReclaimer
  readonly #purge: Purge
  readonly #embedding: Embeddings | null
  readonly #erasures: Erasures
  readonly #postLoadChecks: PostLoadChecks
  #isClosing = false

  /** The registry over a store that is open. */
  static async over(parts: RegistryParts): Promise<Registry> {
    return new Registry(parts, await KnownActors.in(parts, parts))
  }

  private constructor(parts: RegistryParts, known: KnownActors) {
    this.#parts = parts
    this.#snapshots = new ActorSnapshots(parts)
    this.#known = known
    this.#loadLimiter = new LoadLimiter(parts.concurrentLoadsMax, parts.waitingLoadsMax)
    this.#reclaimer = new SegmentReclaimer({ ...parts, snapshot: (key) => this.snapshot(key) })
    this.#embedding = parts.embedding
    this.#embedding?.start((key, work) => this.#inside(key, false, work))
    const withdraw = async (key: string) => this.#embedding?.withdraw(key)
    this.#purge = new Purge({
      ...parts,
      snapshot: (key) => this.#snapshotFor(key),
      withdraw,
    })
    this.#erasures = new Erasures({
      ...parts,
      purge: (actor) => this.#purge.run(actor),
      use: (key, work) => this.#inside(key, false, work),
    })
    this.#postLoadChecks = new PostLoadChecks(parts.log, () => this.#loads.size > 0)
    this.#leaving = new LeavingActors({
      ...parts,
      known,
      withdraw,
      made: this.#snapshots,
      isWanted: (key) => this.#wanted.has(key),
      hasToStay: (key) => this.#isClosing || this.#erasures.isUnderWay(key),
      left: (actor) => this.#left(actor),
    })
    parts.ownership.onLost((grant) => this.#discard(grant))
    parts.ownership.attach({
      isFollowed: (grant) => parts.liveTurns.isFollowed(grant),
      prepare: (grant) => this.#leaving.prepare(grant),
      leave: async (grant, patienceMs) => !this.#isClosing && this.#leaving.leave(grant, patienceMs),
      givenBack: (grant) => parts.liveTurns.lost(grant),
    })
    // Segments that an earlier process left over its budget are seen to without waiting for traffic.
    this.#reclaimer.nudge()
  }

  /** Runs `work` inside the actor, loading it first if need be. @throws overloaded, shutting_down */
  use<T>(tenantId: string, scope: string, work: (actor: Actor) => Promise<T>): Promise<T> {
    return this.#inside(actorKeyOf(tenantId, scope), false, work)
  }

  /** The same for who only looks: the actor stays as recent as it was, and one that is loaded for it leaves first. */
  look<T>(tenantId: string, scope: string, work: (actor: Actor) => Promise<T>): Promise<T> {
    return this.#inside(actorKeyOf(tenantId, scope), true, work)
  }

  async #inside<T>(key: string, isLook: boolean, work: (actor: Actor) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new DomainError('shutting_down')
    this.#want(key, 1)
    this.#parts.telemetry.actor(key)
    try {
      let actor = this.#resident(key, isLook)
      while (actor === undefined) {
        await this.#awaited(key, isLook)
        // Behind its load it may have left again.
        actor = this.#resident(key, isLook)
      }
      actor.enter()
      this.#parts.ownership.used(actor.grant)
      try {
        while (actor.isInSlices) await actor.free()
        return await work(actor)
      } finally {
        actor.leave()
        if (!isLook) this.#afterUse(key, actor)
      }
    } finally {
      this.#want(key, -1)
      this.#dropBlank(key)
      if (!this.#isClosing) this.#leaving.evictOverflow()
    }
  }

  /** Runs an erasure: what of it a crash leaves on disk, `resumeErasures` of the next start takes off. */
  erasing<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
    return this.#erasures.run(actor, work)
  }

  /** Finishes erasures that an earlier process was cut off in. Call it once. Never rejects. */
  async resumeErasures(): Promise<void> {
    await this.#erasures.resume()
  }

  /** Tries to finish erasures that could not be finished, here or by a node that is gone. Never rejects. */
  async retryErasures(): Promise<void> {
    if (!this.#isClosing) await this.#erasures.retry()
  }

  /** Takes what the actor has erased off the disk; call it from inside `erasing`. @throws erase_incomplete */
  purge(actor: Actor): Promise<Removed> {
    return this.#purge.run(actor)
  }

  /** Makes a durable snapshot of an actor as it stands now, loading it if need be, after one that is under way. */
  async snapshot(key: string): Promise<void> {
    await this.#inside(key, false, (actor) => this.#snapshots.makeNext(actor))
  }

  /** The same for a purge: the actor that erases is inside already, and who comes anew may have to wait until it is not. */
  #snapshotFor(key: string): Promise<void> {
    const inside = this.#erasures.isUnderWay(key) ? this.#parts.residency.peek(key) : undefined
    return inside === undefined ? this.snapshot(key) : this.#snapshots.makeNext(inside)
  }

  /** Resolves when it is on disk which memories of earlier turns are not to be embedded. */
  async keepUnwanted(actor: Actor): Promise<void> {
    await this.#embedding?.keepUnwanted(actor)
  }

  residentCount(): number {
    return this.#parts.residency.count()
  }

  /** Actors in memory with more explanations of guides than history must keep. */
  explanationBounds(): ReturnType<typeof explanationBounds> {
    return explanationBounds(this.#parts.residency)
  }

  /** Memories of the actors in memory by what became of their vectors, and why the last request gave none. */
  embeddingHealth(): ReturnType<typeof embeddingHealth> {
    return embeddingHealth(this.#parts.residency, this.#embedding?.lastFailure ?? null)
  }

  /** Snapshots that failed since the last one that was made. */
  snapshotFailures(): number {
    return this.#snapshots.failures
  }

  /** Actors that have ever written anything on this node. */
  knownCount(): number {
    return this.#known.count
  }

  /** The actors of a tenant behind a key, in the order of their keys; none is loaded. */
  actorsOf(tenantId: string, afterKey: string | null, limit: number): Promise<readonly ActorSketch[]> {
    return actorsOf(this.#parts, tenantId, afterKey, limit)
  }

  /** The numbers of now that the registry has. */
  vitals(): RegistryVitals {
    return {
      ...residentVitals(this.#parts.residency, this.#wanted),
      knownActors: this.#known.count,
      waitingLoads: this.#loadLimiter.waiting,
      leavingActors: this.#leaving.size,
    }
  }

  /**
   * Takes no more work, waits for what is inside, then snapshots actors that are not covered. What the deadline cuts
   * off is in the journal: the next start replays it.
   */
  async close(deadlineMs: number): Promise<void> {
    this.#isClosing = true
    this.#reclaimer.stop()
    this.#postLoadChecks.stop()
    const isLate = deadline(deadlineMs)
    const unfinished = new Set<string>()
    const work = async () => {
      await this.#embedding?.stop()
      await Promise.allSettled([...this.#loads.values(), this.#leaving.allEnded()])
      await closeActors(this.#parts.residency, this.#snapshots, unfinished, isLate)
      await this.#parts.recallImages.settled()
    }
    await Promise.race([work(), isLate.promise])
    isLate.cancel()
    if (!isLate.passed) return
    this.#parts.log.warn({ actors: unfinished.size }, 'shutdown deadline: the journal holds the rest')
  }

  #want(key: string, change: 1 | -1): void {
    const count = (this.#wanted.get(key) ?? 0) + change
    if (count === 0) this.#wanted.delete(key)
    else this.#wanted.set(key, count)
  }

  #resident(key: string, isLook: boolean): Actor | undefined {
    if (this.#leaving.has(key)) return undefined
    const { residency } = this.#parts
    const actor = isLook ? residency.peek(key) : residency.get(key)
    if (actor === undefined) return undefined
    if (!actor.isHeldBy(this.#parts.ownership.held(key))) actor.condemn(new DomainError('not_owner'))
    if (actor.broken === null) return actor
    this.#parts.log.warn({ actor: key, cause: actor.broken.message }, 'actor is discarded and read again')
    this.#leaving.discard(actor)
    return undefined
  }

  async #awaited(key: string, isLook: boolean): Promise<void> {
    const { telemetry } = this.#parts
    const sinceMs = telemetry.now()
    await this.#loaded(key, isLook)
    telemetry.phase('load', sinceMs)
  }

  async #loaded(key: string, isLook: boolean): Promise<void> {
    await this.#leaving.ended(key)
    if (this.#resident(key, isLook) !== undefined) return
    const underWay = this.#loads.get(key)
    if (underWay !== undefined) return underWay
    const load = this.#loadLimiter.run(() => this.#load(key, isLook)).finally(() => this.#loads.delete(key))
    this.#loads.set(key, load)
    return load
  }

  /** What is read before the actor is acquired may miss the last turns of an earlier owner. */
  async #load(key: string, isLook: boolean): Promise<void> {
    while (this.#leaving.size > LEAVING_MAX) await this.#leaving.oneEnded()
    if (this.#isClosing) throw new DomainError('shutting_down')
    const { ownership, log } = this.#parts
    let grant: Grant | null = null
    try {
      grant = await ownership.acquire(key)
      await this.#loadBy(grant, key, isLook)
    } catch (error) {
      if (grant !== null) ownership.release(grant, key)
      const refusal = refusalOf(error)
      if (refusal instanceof DomainError && refusal.code === 'scope_damaged')
        log.error({ err: error, actor: key }, 'a scope cannot be read')
      throw refusal
    }
  }

  async #loadBy(grant: Grant, key: string, isLook: boolean): Promise<void> {
    const parts = this.#parts
    const isSuspect = this.#broken.has(key)
    const loaded = await recoverActor(parts, grant, key, isSuspect)
    const { state, recall, verified } = loaded
    if (isSuspect) await verified()
    this.#broken.delete(key)
    const similarTexts = new SimilarView(state)
    const vectors = (await this.#embedding?.viewOf(key, state)) ?? null
    const onWritten = (events: readonly ActorEvent[]) => this.#embedding?.follow(actor, events)
    const actor: Actor = new Actor({
      ...parts,
      key,
      grant,
      state,
      recall,
      similarTexts,
      vectors,
      verified,
      onWritten,
      admit: (actorKey) => this.#known.admit(actorKey),
    })
    await judgeLoaded(actor, parts.journal, parts.log)
    if (isLook) parts.residency.setColdest(key, actor, actor.weightBytes())
    else parts.residency.set(key, actor, actor.weightBytes())
    this.#known.loaded(actor)
    this.#postLoadChecks.add(actor)
    this.#embedding?.follow(actor, [])
    await this.#erasures.loaded(key)
    if (!this.#isClosing) this.#leaving.evictOverflow()
  }

  /** What was loaded by the grant may be out of date: nobody may see it, lists neither. */
  #discard(lost: Grant): void {
    for (const key of this.#parts.residency.keys()) {
      const actor = this.#parts.residency.peek(key)
      if (actor?.isHeldBy(lost) !== true) continue
      actor.condemn(new DomainError('not_owner'))
      if (!this.#leaving.has(key)) this.#leaving.discard(actor)
    }
    this.#parts.liveTurns.lost(lost)
  }

  #afterUse(key: string, actor: Actor): void {
    const { residency } = this.#parts
    if (residency.peek(key) !== actor) return
    residency.touch(key, actor.weightBytes())
    this.#snapshots.makeIfDue(actor)
    this.#reclaimer.nudge()
  }

  /** An actor that has written nothing takes no room once nobody is inside. */
  #dropBlank(key: string): void {
    const actor = this.#parts.residency.peek(key)
    if (actor === undefined || actor.state.seq > 0 || actor.broken !== null) return
    if (!this.#wanted.has(key) && !this.#leaving.has(key)) this.#left(actor)
  }

  #left(actor: Actor): void {
    if (actor.broken !== null) this.#broken.add(actor.key)
    this.#postLoadChecks.drop(actor)
    this.#known.left(actor)
    this.#parts.residency.delete(actor.key)
    this.#parts.ownership.release(actor.grant, actor.key)
  }
}
