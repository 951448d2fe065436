import { DomainError, messageOf } from '../core/base/errors.ts'
import { actorKeyOf, partsOfActorKey } from '../core/base/ids.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { Clock } from '../ports/clock.ts'
import type { EmbedFailureKind } from '../ports/embedder.ts'
import type { ErasureMarks } from '../ports/erasures.ts'
import type { HistoryRedaction } from '../ports/history.ts'
import type { Residency } from '../ports/residency.ts'
import type { Telemetry, Vitals } from '../ports/telemetry.ts'
import type { VectorStore } from '../ports/vectors.ts'
import { Actor } from './actor.ts'
import { ActorSnapshots } from './actor-snapshots.ts'
import { type Deadline, deadline } from './deadline.ts'
import { Embedding, type EmbeddingParts } from './embedding.ts'
import { Erasures } from './erasures.ts'
import { judgeLoaded } from './judge-loaded.ts'
import { type ActorBounds, KnownActors } from './known-actors.ts'
import { LoadLimiter } from './load-limiter.ts'
import { PostLoadChecks } from './post-load-checks.ts'
import { Purge, type Purged } from './purge.ts'
import { type RecoveryParts, recoverActor } from './recovery.ts'
import { SegmentReclaimer } from './segment-reclaimer.ts'
import { SimilarView } from './similar-view.ts'
import { isCovered, isTailShort, type SnapshotParts } from './snapshotting.ts'
import type { EmbeddingStatus } from './vector-view.ts'

/** Snapshots written at the same time while closing. */
const CLOSING_SNAPSHOTS = 8
/** With more actors on their way out a load waits for one of them: what comes in must not outrun what leaves. */
const EVICTIONS_MAX = 32

export interface RegistryParts extends RecoveryParts, SnapshotParts, ActorBounds {
  readonly residency: Residency<Actor>
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly redaction: HistoryRedaction
  /** Null: nothing is embedded. */
  readonly embedding: EmbeddingParts | null
  /** Null only without `embedding`. */
  readonly vectorStore: VectorStore | null
  readonly erasureMarks: ErasureMarks
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
  readonly #loads = new Map<string, Promise<Actor>>()
  readonly #snapshots: ActorSnapshots
  readonly #evictions = new Map<string, Promise<void>>()
  /** Requests that asked for an actor and have not left it: it stays from before it is loaded until they have. */
  readonly #wanted = new Map<string, number>()
  /** Actors that broke: their snapshot is compared before they serve again, what is derived from it is not read but made again. */
  readonly #broken = new Set<string>()
  readonly #known: KnownActors
  readonly #loadLimiter: LoadLimiter
  readonly #reclaimer: SegmentReclaimer
  readonly #purge: Purge
  readonly #embedding: Embedding | null
  readonly #erasures: Erasures
  readonly #postLoadChecks: PostLoadChecks
  #isClosing = false

  constructor(parts: RegistryParts) {
    this.#parts = parts
    this.#snapshots = new ActorSnapshots(parts)
    this.#known = new KnownActors(parts.journal, parts.snapshots, parts)
    this.#loadLimiter = new LoadLimiter(parts.concurrentLoadsMax, parts.waitingLoadsMax)
    this.#reclaimer = new SegmentReclaimer({ ...parts, snapshot: (key) => this.#snapshotByKey(key) })
    this.#embedding = Embedding.of(parts, (key, work) => {
      const { tenantId, scope } = partsOfActorKey(key)
      return this.use(tenantId, scope, work)
    })
    this.#purge = new Purge({
      ...parts,
      snapshot: (key) => this.#snapshotByKey(key),
      withdraw: async (key) => this.#embedding?.withdraw(key),
    })
    this.#erasures = new Erasures({
      ...parts,
      purge: (actor) => this.#purge.run(actor),
      use: (tenantId, scope, work) => this.use(tenantId, scope, work),
    })
    this.#postLoadChecks = new PostLoadChecks(parts.log, () => this.#loads.size > 0)
    // Segments that an earlier process left over its budget are seen to without waiting for traffic.
    this.#reclaimer.nudge()
  }

  /** Runs `work` inside the actor, loading it first if need be. @throws overloaded, shutting_down */
  async use<T>(tenantId: string, scope: string, work: (actor: Actor) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new DomainError('shutting_down')
    const key = actorKeyOf(tenantId, scope)
    this.#want(key, 1)
    this.#parts.telemetry.actor(key)
    try {
      const actor = this.#resident(key) ?? (await this.#awaited(key, tenantId, scope))
      actor.enter()
      try {
        while (actor.isInSlices) await actor.free()
        return await work(actor)
      } finally {
        actor.leave()
        this.#afterUse(key, actor)
      }
    } finally {
      this.#want(key, -1)
      this.#dropBlank(key)
      this.#evictOverflow()
    }
  }

  /** Runs an erasure: what of it a crash leaves on disk, `resumeErasures` of the next start takes off. */
  erasing<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
    return this.#erasures.run(actor.key, work)
  }

  /** Finishes erasures that an earlier process was cut off in. Call it once. Never rejects. */
  resumeErasures(): Promise<void> {
    return this.#erasures.resume()
  }

  /** Takes what the actor has erased off the disk; call it from inside `erasing`. @throws erase_incomplete */
  purge(actor: Actor): Promise<Purged> {
    return this.#purge.run(actor)
  }

  /** Has every turn of actors that nobody may use any more go out of the journal; it is marked so that none of them holds it. */
  freeTurns(actorKeys: ReadonlySet<string>): Promise<void> {
    return this.#purge.freeTurns(actorKeys)
  }

  /** Resolves when it is on disk which memories of earlier turns are not to be embedded. */
  async keepUnwanted(actor: Actor): Promise<void> {
    await this.#embedding?.keepUnwanted(actor)
  }

  residentCount(): number {
    return this.#parts.residency.count()
  }

  /** Actors in memory with more explanations of guides than history must keep. */
  explanationBounds(): readonly { readonly actorKey: string; readonly keptFromSeq: number }[] {
    const { residency } = this.#parts
    return [...residency.keys()].flatMap((actorKey) => {
      const keptFromSeq = residency.peek(actorKey)?.explainedFromSeq ?? 0
      return keptFromSeq === 0 ? [] : [{ actorKey, keptFromSeq }]
    })
  }

  /** Memories of the actors in memory by what became of their vectors, and why the last request gave none. */
  embeddingHealth(): {
    readonly memories: Readonly<Record<EmbeddingStatus, number>>
    readonly lastFailure: EmbedFailureKind | null
  } {
    const memories = { pending: 0, ready: 0, failed: 0, skipped: 0 }
    for (const key of this.#parts.residency.keys()) {
      const counts = this.#parts.residency.peek(key)?.vectors?.counts()
      if (counts === undefined) continue
      memories.pending += counts.pending
      memories.ready += counts.ready
      memories.failed += counts.failed
      memories.skipped += counts.skipped
    }
    return { memories, lastFailure: this.#embedding?.lastFailure ?? null }
  }

  /** Snapshots that failed since the last one that was made. */
  snapshotFailures(): number {
    return this.#snapshots.failures
  }

  /** Actors that have ever written anything on this node. */
  knownCount(): number {
    return this.#known.count
  }

  /** The numbers of now that the registry has. */
  vitals(): Pick<
    Vitals,
    | 'residentActors'
    | 'residentBytes'
    | 'knownActors'
    | 'requestsInside'
    | 'deepestMailbox'
    | 'waitingLoads'
    | 'leavingActors'
  > {
    const wanted = [...this.#wanted.values()]
    return {
      residentActors: this.#parts.residency.count(),
      residentBytes: this.#parts.residency.weightBytes(),
      knownActors: this.#known.count,
      requestsInside: wanted.reduce((sum, count) => sum + count, 0),
      deepestMailbox: wanted.reduce((most, count) => Math.max(most, count), 0),
      waitingLoads: this.#loadLimiter.waiting,
      leavingActors: this.#evictions.size,
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
    const waiting: string[] = []
    const unfinished = new Set<string>()
    const work = async () => {
      await this.#embedding?.stop()
      await Promise.allSettled([...this.#loads.values(), ...this.#evictions.values()])
      // A request that leaves meanwhile changes the order of use: the keys are taken first.
      waiting.push(...this.#parts.residency.keys())
      for (const key of waiting) unfinished.add(key)
      await Promise.all(
        Array.from({ length: CLOSING_SNAPSHOTS }, () => this.#closeSome(waiting, unfinished, isLate)),
      )
      await this.#parts.recallImages.settled()
    }
    await Promise.race([work(), isLate.promise])
    isLate.cancel()
    if (!isLate.passed) return
    this.#parts.log.warn({ actors: unfinished.size }, 'shutdown deadline: the journal holds the rest')
  }

  async #closeSome(waiting: string[], unfinished: Set<string>, isLate: Deadline): Promise<void> {
    for (let key = waiting.pop(); key !== undefined && !isLate.passed; key = waiting.pop()) {
      const actor = this.#parts.residency.peek(key)
      if (actor !== undefined) {
        await actor.emptied()
        await this.#snapshots.makeLast(actor, () => isLate.passed)
      }
      unfinished.delete(key)
    }
  }

  #want(key: string, change: 1 | -1): void {
    const count = (this.#wanted.get(key) ?? 0) + change
    if (count === 0) this.#wanted.delete(key)
    else this.#wanted.set(key, count)
  }

  #resident(key: string): Actor | undefined {
    if (this.#evictions.has(key)) return undefined
    const actor = this.#parts.residency.get(key)
    if (actor === undefined || actor.broken === null) return actor
    this.#parts.log.warn({ actor: key, cause: actor.broken.message }, 'actor is discarded and read again')
    this.#broken.add(key)
    // What it has queued must reach the disk, or fail, before anybody reads the disk again.
    const settled = actor.settled().catch(() => undefined)
    this.#evictions.set(
      key,
      settled.then(() => {
        this.#remove(actor)
        this.#evictions.delete(key)
      }),
    )
    return undefined
  }

  async #awaited(key: string, tenantId: string, scope: string): Promise<Actor> {
    const { telemetry } = this.#parts
    const sinceMs = telemetry.now()
    const actor = await this.#loaded(key, tenantId, scope)
    telemetry.phase('load', sinceMs)
    return actor
  }

  async #loaded(key: string, tenantId: string, scope: string): Promise<Actor> {
    await this.#evictions.get(key)
    const resident = this.#resident(key)
    if (resident !== undefined) return resident
    const underWay = this.#loads.get(key)
    if (underWay !== undefined) return underWay
    const load = this.#loadLimiter
      .run(() => this.#load(key, tenantId, scope))
      .finally(() => this.#loads.delete(key))
    this.#loads.set(key, load)
    return load
  }

  async #load(key: string, tenantId: string, scope: string): Promise<Actor> {
    while (this.#evictions.size > EVICTIONS_MAX) await Promise.race(this.#evictions.values())
    if (this.#isClosing) throw new DomainError('shutting_down')
    const parts = this.#parts
    const isSuspect = this.#broken.has(key)
    const { state, recall, verified } = await recoverActor(parts, key, tenantId, scope, isSuspect)
    if (isSuspect) await verified()
    this.#broken.delete(key)
    const similarTexts = new SimilarView(state)
    const vectors = (await this.#embedding?.viewOf(key, state)) ?? null
    const onWritten = (events: readonly ActorEvent[]) => this.#embedding?.follow(actor, events)
    const actor: Actor = new Actor({
      ...parts,
      key,
      state,
      recall,
      similarTexts,
      vectors,
      verified,
      onWritten,
      admit: (actorKey) => this.#known.admit(actorKey),
    })
    await judgeLoaded(actor, parts.journal, parts.log)
    parts.residency.set(key, actor, actor.weightBytes())
    this.#known.loaded(actor)
    this.#postLoadChecks.add(actor)
    this.#embedding?.follow(actor, [])
    this.#evictOverflow()
    return actor
  }

  #afterUse(key: string, actor: Actor): void {
    const { residency } = this.#parts
    if (residency.peek(key) !== actor) return
    residency.touch(key, actor.weightBytes())
    this.#snapshots.makeIfDue(actor)
    this.#reclaimer.nudge()
  }

  async #snapshotByKey(key: string): Promise<void> {
    const { tenantId, scope } = partsOfActorKey(key)
    await this.use(tenantId, scope, (actor) => this.#snapshots.makeNext(actor))
  }

  /** An actor that has written nothing takes no room once nobody is inside. */
  #dropBlank(key: string): void {
    const actor = this.#parts.residency.peek(key)
    if (actor === undefined || actor.state.seq > 0 || actor.broken !== null) return
    if (!this.#wanted.has(key) && !this.#evictions.has(key)) this.#remove(actor)
  }

  #evictOverflow(): void {
    if (this.#isClosing) return
    const { residency } = this.#parts
    // Those on their way out count as gone, or every request meanwhile would send one more after them.
    const isPinned = (key: string): boolean => this.#wanted.has(key) && !this.#evictions.has(key)
    for (const key of residency.overflow(isPinned)) {
      if (this.#evictions.has(key)) continue
      const eviction = this.#evict(key).finally(() => this.#evictions.delete(key))
      this.#evictions.set(key, eviction)
      eviction.catch(() => undefined)
    }
  }

  /** Nobody is inside. Requests that come meanwhile wait for the end and then load it again. */
  async #evict(key: string): Promise<void> {
    const actor = this.#parts.residency.peek(key)
    if (actor === undefined) return
    try {
      await this.#snapshots.settled(key)
      if (actor.broken !== null) this.#broken.add(key)
      else if (!isCovered(this.#parts, actor)) await this.#secure(actor)
      this.#remove(actor)
    } catch (error) {
      this.#parts.log.error(
        { actor: key, cause: messageOf(error) },
        'snapshot failed; the actor stays in memory',
      )
    }
  }

  #remove(actor: Actor): void {
    this.#postLoadChecks.drop(actor)
    this.#known.left(actor)
    this.#parts.residency.delete(actor.key)
  }

  /** Resolves when the actor may leave. As many as are in memory may be away with a tail: an erasure has to cover them all. */
  async #secure(actor: Actor): Promise<void> {
    const mayKeepTail =
      this.#known.uncoveredCount < this.#parts.residency.count() && isTailShort(this.#parts, actor)
    if (!mayKeepTail) return this.#snapshots.make(actor)
    await actor.settled()
    this.#known.leavesUncovered(actor.key)
  }
}
