import { DomainError } from '../core/base/errors.ts'
import { actorKeyOf, partsOfActorKey } from '../core/base/ids.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { Clock } from '../ports/clock.ts'
import type { EmbedFailureKind } from '../ports/embedder.ts'
import type { ErasureMarks } from '../ports/erasures.ts'
import type { HistoryRedaction } from '../ports/history.ts'
import type { Residency } from '../ports/residency.ts'
import type { VectorStore } from '../ports/vectors.ts'
import { Actor } from './actor.ts'
import { Aftercare } from './aftercare.ts'
import { type Deadline, deadline } from './deadline.ts'
import { Embedding, type EmbeddingParts } from './embedding.ts'
import { Erasures } from './erasures.ts'
import { LoadGate } from './load-gate.ts'
import { Purge, type Purged } from './purge.ts'
import { type RecoveryParts, recoverActor } from './recovery.ts'
import { Relief } from './relief.ts'
import { SimilarView } from './similar-view.ts'
import { isCovered, isSnapshotDue, isTailShort, type SnapshotParts, snapshotActor } from './snapshotting.ts'
import type { EmbeddingStatus } from './vector-view.ts'

/** Snapshots written at the same time while closing. */
const CLOSING_SNAPSHOTS = 8
/** With more actors on their way out a load waits for one of them: what comes in must not outrun what leaves. */
const EVICTIONS_MAX = 32

export interface RegistryParts extends RecoveryParts, SnapshotParts {
  readonly residency: Residency<Actor>
  readonly clock: Clock
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
  readonly #snapshots = new Map<string, Promise<void>>()
  readonly #evictions = new Map<string, Promise<void>>()
  /** Requests that asked for an actor and have not left it: it stays from before it is loaded until they have. */
  readonly #wanted = new Map<string, number>()
  /** Actors that broke: their snapshot is compared before they serve again, what is derived from it is not read but made again. */
  readonly #broken = new Set<string>()
  /** Actors in memory that have written nothing yet. */
  readonly #blank = new Set<string>()
  /** Actors that are not in memory and have turns that no snapshot covers. */
  readonly #uncovered: Set<string>
  readonly #gate: LoadGate
  readonly #relief: Relief
  readonly #purge: Purge
  readonly #embedding: Embedding | null
  readonly #erasures: Erasures
  readonly #aftercare: Aftercare
  /** Counted once: of a hundred thousand it takes tens of milliseconds. */
  #knownCount: number
  #isClosing = false

  constructor(parts: RegistryParts) {
    this.#parts = parts
    const inJournal = parts.journal.actorKeys()
    this.#knownCount = new Set([...inJournal, ...parts.snapshots.actorKeys()]).size
    const isUncovered = (key: string) => parts.snapshots.coveredSeqOf(key) < parts.journal.headOf(key)
    this.#uncovered = new Set(inJournal.filter(isUncovered))
    this.#gate = new LoadGate(parts.concurrentLoadsMax, parts.waitingLoadsMax)
    this.#relief = new Relief({ ...parts, snapshot: (key) => this.#snapshotByKey(key) })
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
    this.#aftercare = new Aftercare(parts.log, () => this.#loads.size > 0)
    // Segments that an earlier process left over its budget are seen to without waiting for traffic.
    this.#relief.nudge()
  }

  /** Runs `work` inside the actor, loading it first if need be. @throws overloaded, shutting_down */
  async use<T>(tenantId: string, scope: string, work: (actor: Actor) => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new DomainError('shutting_down')
    const key = actorKeyOf(tenantId, scope)
    this.#want(key, 1)
    try {
      const actor = this.#resident(key) ?? (await this.#loaded(key, tenantId, scope))
      actor.enter()
      try {
        return await work(actor)
      } finally {
        actor.leave()
        this.#afterUse(key, actor)
      }
    } finally {
      this.#want(key, -1)
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

  /** Actors that have ever written anything on this node. */
  knownCount(): number {
    return this.#knownCount
  }

  /**
   * Takes no more work, waits for what is inside, then snapshots actors that are not covered. What the deadline cuts
   * off is in the journal: the next start replays it.
   */
  async close(deadlineMs: number): Promise<void> {
    this.#isClosing = true
    this.#relief.stop()
    this.#aftercare.stop()
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
      if (actor !== undefined) await this.#closeActor(actor, isLate)
      unfinished.delete(key)
    }
  }

  async #closeActor(actor: Actor, isLate: Deadline): Promise<void> {
    await actor.emptied()
    try {
      await this.#snapshots.get(actor.key)?.catch(() => undefined)
      if (actor.broken === null && !isCovered(this.#parts, actor)) await this.#snapshot(actor)
    } catch (error) {
      // Told as a whole by whoever set the deadline: the folder was given back meanwhile.
      if (isLate.passed) return
      this.#parts.log.error(
        { actor: actor.key, cause: causeOf(error) },
        'snapshot failed; the journal still holds everything',
      )
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
    })
    parts.residency.set(key, actor, actor.weightBytes())
    this.#uncovered.delete(key)
    if (state.seq === 0) this.#blank.add(key)
    this.#aftercare.add(actor)
    this.#embedding?.follow(actor, [])
    this.#evictOverflow()
    return actor
  }

  #afterUse(key: string, actor: Actor): void {
    const { residency } = this.#parts
    if (residency.peek(key) !== actor) return
    this.#countWritten(actor)
    residency.touch(key, actor.weightBytes())
    if (actor.broken === null && !this.#snapshots.has(key) && isSnapshotDue(this.#parts, actor)) {
      this.#inBackground(this.#snapshot(actor), actor)
    }
    this.#relief.nudge()
  }

  async #snapshotByKey(key: string): Promise<void> {
    const { tenantId, scope } = partsOfActorKey(key)
    await this.use(tenantId, scope, async (actor) => {
      await this.#snapshots.get(key)?.catch(() => undefined)
      await this.#snapshot(actor)
    })
  }

  #snapshot(actor: Actor): Promise<void> {
    const snapshot = snapshotActor(this.#parts, actor).finally(() => this.#snapshots.delete(actor.key))
    this.#snapshots.set(actor.key, snapshot)
    return snapshot
  }

  #inBackground(task: Promise<void>, actor: Actor): void {
    task.catch((error: unknown) => {
      this.#parts.log.error(
        { actor: actor.key, cause: causeOf(error) },
        'snapshot failed; the journal still holds everything',
      )
    })
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
      await this.#snapshots.get(key)
      if (actor.broken !== null) this.#broken.add(key)
      else if (!isCovered(this.#parts, actor)) await this.#secure(actor)
      this.#remove(actor)
    } catch (error) {
      this.#parts.log.error(
        { actor: key, cause: causeOf(error) },
        'snapshot failed; the actor stays in memory',
      )
    }
  }

  #remove(actor: Actor): void {
    this.#aftercare.drop(actor)
    this.#countWritten(actor)
    this.#blank.delete(actor.key)
    this.#parts.residency.delete(actor.key)
  }

  #countWritten({ key, state }: Actor): void {
    if (this.#blank.size > 0 && state.seq > 0 && this.#blank.delete(key)) this.#knownCount += 1
  }

  /** Resolves when the actor may leave. As many as are in memory may be away with a tail: an erasure has to cover them all. */
  async #secure(actor: Actor): Promise<void> {
    const mayKeepTail =
      this.#uncovered.size < this.#parts.residency.count() && isTailShort(this.#parts, actor)
    if (!mayKeepTail) return this.#snapshot(actor)
    await actor.settled()
    this.#uncovered.add(actor.key)
  }
}

function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
