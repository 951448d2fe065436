import type { ExposureRecord } from '../../core/model/events.ts'
import type { StateImage } from '../../core/model/image.ts'
import type { AuditNote, Grant, VectorRow } from '../../ports/store.ts'

/** One turn, kept for the load of the actor and for time travel alike. */
export interface StoredTurn {
  readonly seq: number
  readonly atMs: number
  readonly payload: Uint8Array
}

export interface ActorData {
  /** The node that has it, or had it last. */
  owner: string
  /** False: whoever asks next gets it. */
  isHeld: boolean
  grant: Grant
  /** Dense; the oldest may be gone when a snapshot covers them. */
  turns: StoredTurn[]
  headSeq: number
  /** Of all turns ever written, and of those that the snapshot covers. */
  writtenBytes: number
  coveredBytes: number
  image: StateImage | null
  exposures: Map<string, ExposureRecord>
  /** Exposure sets up to this time may be gone. */
  exposuresGoneUntilMs: number
  notes: AuditNote[]
  /** The newest row of each memory. */
  vectors: Map<string, { readonly model: string; readonly row: VectorRow }>
  isErasing: boolean
}

/** Actors without a turn whose notes are kept: no bound on scopes counts them. */
const NOTED_MAX = 1_000

/** What nodes of a store in memory share. It is gone with the process. */
export class MemoryData {
  readonly #actors = new Map<string, ActorData>()
  readonly #listeners = new Map<string, (grant: Grant) => void>()
  /** Actors without a turn that have notes; the one that was asked for last is last. */
  readonly #noted = new Set<string>()
  #epochs = 0
  turnBytes = 0

  /** @throws an error when nobody has ever acquired the actor */
  of(actorKey: string): ActorData {
    const actor = this.#actors.get(actorKey)
    if (actor === undefined) throw new Error(`${actorKey} was not acquired`)
    return actor
  }

  find(actorKey: string): ActorData | null {
    return this.#actors.get(actorKey) ?? null
  }

  entries(): Iterable<[string, ActorData]> {
    return this.#actors.entries()
  }

  /** The grant of the node; null while another one holds the actor. A node that was the last one goes on with its own. */
  acquire(actorKey: string, node: string): Grant | null {
    const actor = this.#actors.get(actorKey)
    if (actor === undefined) return this.#begin(actorKey, node).grant
    if (actor.owner !== node) {
      if (actor.isHeld) return null
      const lost = actor.grant
      const before = actor.owner
      actor.owner = node
      actor.grant = this.#nextGrant()
      this.#listeners.get(before)?.(lost)
    }
    actor.isHeld = true
    return actor.grant
  }

  release(actorKey: string, grant: Grant): void {
    const actor = this.#actors.get(actorKey)
    if (actor === undefined || !this.isOwner(grant, actorKey)) return
    actor.isHeld = false
    this.#noted.delete(actorKey)
    if (actor.headSeq > 0) return
    if (actor.notes.length === 0) this.#actors.delete(actorKey)
    else this.#keepNoted(actorKey)
  }

  #keepNoted(actorKey: string): void {
    this.#noted.add(actorKey)
    const [oldest = actorKey] = this.#noted
    if (this.#noted.size <= NOTED_MAX) return
    this.#noted.delete(oldest)
    const { headSeq, isHeld } = this.of(oldest)
    if (headSeq === 0 && !isHeld) this.#actors.delete(oldest)
  }

  /** The node is not heard of any more: whoever asks gets its actors. It is not told before that. */
  expire(node: string): void {
    for (const actor of this.#actors.values()) if (actor.owner === node) actor.isHeld = false
  }

  isOwner({ shard, epoch }: Grant, actorKey: string): boolean {
    const grant = this.#actors.get(actorKey)?.grant
    return grant?.shard === shard && grant.epoch === epoch
  }

  listen(node: string, listener: (grant: Grant) => void): void {
    this.#listeners.set(node, listener)
  }

  #begin(actorKey: string, owner: string): ActorData {
    const actor: ActorData = {
      owner,
      isHeld: true,
      grant: this.#nextGrant(),
      turns: [],
      headSeq: 0,
      writtenBytes: 0,
      coveredBytes: 0,
      image: null,
      exposures: new Map(),
      exposuresGoneUntilMs: 0,
      notes: [],
      vectors: new Map(),
      isErasing: false,
    }
    this.#actors.set(actorKey, actor)
    return actor
  }

  #nextGrant(): Grant {
    this.#epochs += 1
    return { shard: 0, epoch: this.#epochs }
  }
}
