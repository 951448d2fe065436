import { InvariantError } from '../core/base/assert.ts'
import { DomainError } from '../core/base/errors.ts'
import type { ActorEvent, Turn } from '../core/model/events.ts'
import { evolve } from '../core/model/evolve.ts'
import type { ActorState } from '../core/model/state.ts'
import type { RecallImage } from '../core/search/index-image.ts'
import type { Similar } from '../core/write/similar.ts'
import type { Codec } from '../ports/codec.ts'
import type { ActorVectors } from '../ports/embedding.ts'
import { type Grant, type Journal, PAYLOAD_BYTES_MAX, type SnapshotStore } from '../ports/store.ts'
import type { Clock } from '../ports/system.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { ExplainedGuides } from './explained-guides.ts'
import { refusalOf } from './journal-refusal.ts'
import type { LiveTurns } from './live-turns.ts'
import type { RecallView } from './recall-view.ts'
import { type SimilarView, similarIn } from './similar-view.ts'
import { runAtPace, runInSlices, yieldToLoop } from './waiting.ts'

export interface ActorParts {
  readonly key: string
  readonly state: ActorState
  readonly recall: RecallView
  readonly similarTexts: SimilarView
  /** Null: nothing is embedded. */
  readonly vectors: ActorVectors | null
  /** Compares what it was loaded from with its digest, once. Rejects when it is not the same. */
  readonly verified: () => Promise<void>
  /** Memory may have come that has no vector yet, or must not be sent any more. */
  readonly onWritten: (events: readonly ActorEvent[]) => void
  readonly journal: Journal
  readonly snapshots: Pick<SnapshotStore, 'bytesOf'>
  /** By which it was loaded: nothing of it is written with another one. */
  readonly grant: Grant
  readonly codec: Codec
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Is told of turns once they are durable. */
  readonly liveTurns: LiveTurns
  /** Requests that may be inside the actor at once, waiting replies included. */
  readonly mailboxDepthMax: number
  /** Called before the first turn of the actor is written. @throws too_many_scopes */
  readonly admit: (actorKey: string) => void
}

/** Heap of a record and its place in the lookups, besides what of it is stored; measured with 100 000 memories. */
const RECORD_BYTES = 1_100
/** A memory of another store with its names, of which most have no outcomes. */
const EXTERNAL_BYTES = 600
/** The name of one in the list of a run. */
const SHOWN_BYTES = 120

/** What a turn decided. No events: the turn only read. */
export interface Decided<Reply> {
  readonly events: readonly ActorEvent[]
  readonly reply: Reply
}

export type Decide<Reply> = (state: ActorState, nowMs: number) => Decided<Reply>
/** As `Decide`, in steps of a few milliseconds. */
export type DecideInSteps<Reply> = (state: ActorState, nowMs: number) => Generator<void, Decided<Reply>>

/**
 * The single writer of one tenant and scope. A turn decides, journals and applies without waiting in between; its
 * reply leaves only when everything that it depends on is durable. A large turn lets other actors be served between its
 * steps, and whoever asks this one waits for its end: nobody sees half of it.
 */
export class Actor {
  readonly key: string
  readonly grant: Grant
  readonly state: ActorState
  readonly recall: RecallView
  readonly vectors: ActorVectors | null
  /** What turns may ask about texts written before them. */
  readonly similar: Similar
  /** Operations of more than one turn, by their id. */
  readonly underWay = new Map<string, Promise<unknown>>()
  readonly #parts: ActorParts
  readonly #explained = new ExplainedGuides()
  /** The last append that is not yet acknowledged; appends of one actor are acknowledged in order. */
  #tail: Promise<void> | null = null
  /** Resolves when the turn in slices that is under way has ended. */
  #sliced: Promise<unknown> | null = null
  #inside = 0
  #broken: Error | null = null
  #isStored: boolean
  #whenEmpty: (() => void) | null = null

  constructor(parts: ActorParts) {
    this.key = parts.key
    this.grant = parts.grant
    this.state = parts.state
    this.#isStored = parts.state.seq > 0
    this.recall = parts.recall
    this.vectors = parts.vectors
    this.similar = similarIn(parts.state, parts.similarTexts, parts.recall)
    this.#parts = parts
  }

  /** Why the actor must be discarded and read again from disk; null while it is sound. */
  get broken(): Error | null {
    return this.#broken
  }

  /** Whether a turn of it was ever acknowledged. */
  get isStored(): boolean {
    return this.#isStored
  }

  /** Whether the grant gives the same right as the one by which it was loaded. */
  isHeldBy(grant: Grant | null): boolean {
    return grant?.shard === this.grant.shard && grant.epoch === this.grant.epoch
  }

  /** Estimate of its share of the heap, in bytes: what of it is stored lies in memory in about as many bytes. */
  weightBytes(): number {
    const { journal, snapshots, similarTexts } = this.#parts
    const { memories, external } = this.state
    const stored = snapshots.bytesOf(this.key) + journal.uncoveredBytesOf(this.key)
    const records = memories.size * RECORD_BYTES
    const outside = external.size * EXTERNAL_BYTES + external.shownCount * SHOWN_BYTES
    const derived = this.recall.indexBytes + similarTexts.weightBytes() + (this.vectors?.weightBytes() ?? 0)
    return stored + records + outside + derived
  }

  /** Explanations of guides before this turn may leave history; 0: none. */
  get explainedFromSeq(): number {
    return this.#explained.keptFromSeq
  }

  /** Takes a place in the mailbox. @throws overloaded */
  enter(): void {
    if (this.#inside >= this.#parts.mailboxDepthMax) throw new DomainError('overloaded', { where: 'mailbox' })
    this.#inside += 1
  }

  leave(): void {
    this.#inside -= 1
    if (this.#inside === 0) this.#whenEmpty?.()
  }

  /** Whether nobody is inside. */
  get isEmpty(): boolean {
    return this.#inside === 0
  }

  /** Whether a turn in slices is under way: nobody may ask the actor anything before `free`. */
  get isInSlices(): boolean {
    return this.#sliced !== null
  }

  /** Resolves when no turn in slices was under way for a moment: look again. */
  async free(): Promise<void> {
    await this.#sliced
  }

  /** Whether `similarReady` has nothing to wait for. */
  get isSimilarReady(): boolean {
    return this.#parts.similarTexts.isCaughtUp
  }

  /** Resolves when questions about similar texts cost no more than they must: after a load the view catches up first. */
  async similarReady(): Promise<void> {
    await this.#parts.similarTexts.caughtUp()
  }

  /** Resolves when what the actor was loaded from has its digest. Rejects, and condemns it, when it has another. */
  async verified(): Promise<void> {
    try {
      await this.#parts.verified()
    } catch (error) {
      this.condemn(error)
      throw error
    }
  }

  /** Says that the actor cannot be trusted: it is discarded and read again. */
  condemn(cause: unknown): void {
    this.#broken ??= cause instanceof Error ? cause : new Error(String(cause))
  }

  /** Resolves when nobody is inside. */
  async emptied(): Promise<void> {
    if (this.#inside === 0) return
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve
    })
    this.#whenEmpty = null
  }

  /**
   * One turn.
   * @param by id of the key by which it is asked for; null: without keys
   * @param meanwhile is given the reply while the journal stores what it depends on: it leaves only afterwards, or never
   * @throws DomainError from `decide`, or when the journal does not take or keep what was decided
   */
  async turn<Reply>(
    decide: Decide<Reply>,
    by: string | null = null,
    meanwhile: ((reply: Reply) => void) | null = null,
  ): Promise<Reply> {
    while (this.#sliced !== null) await this.#sliced
    if (this.#broken !== null) throw this.#broken
    const reply = this.#runTurn(decide, by, this.#parts.telemetry.now())
    if (this.#tail === null) return reply
    meanwhile?.(reply)
    await this.#flushed()
    return reply
  }

  /** One turn that only reads. */
  read<Reply>(look: (state: ActorState, nowMs: number) => Reply): Promise<Reply> {
    return this.turn((state, nowMs) => ({ events: [], reply: look(state, nowMs) }))
  }

  /**
   * One large turn, which lets the loop serve others between its steps. Until the journal has its events nothing of it
   * is anywhere; from then on all of it is in the state, and the views follow.
   * @throws DomainError as `turn`
   */
  async turnInSlices<Reply>(decide: DecideInSteps<Reply>, by: string | null = null): Promise<Reply> {
    while (this.#sliced !== null) await this.#sliced
    if (this.#broken !== null) throw this.#broken
    const run = this.#runInSlices(decide, by).finally(() => {
      this.#sliced = null
    })
    this.#sliced = run.catch(() => undefined)
    const startedMs = this.#parts.telemetry.now()
    const reply = await run
    this.#parts.telemetry.phase('turn', startedMs)
    if (this.#tail !== null) await this.#flushed()
    return reply
  }

  /** Resolves when the last turn is durable, and every turn before. */
  async #flushed(): Promise<void> {
    const { telemetry } = this.#parts
    const sinceMs = telemetry.now()
    try {
      await this.#tail
    } finally {
      telemetry.phase('flush', sinceMs)
    }
  }

  /** Resolves when everything applied so far is durable. */
  async settled(): Promise<void> {
    if (this.#tail !== null) await this.#tail
    if (this.#broken !== null) throw this.#broken
  }

  #runTurn<Reply>(decide: Decide<Reply>, by: string | null, startedMs: number): Reply {
    const { journal, clock, telemetry } = this.#parts
    try {
      const nowMs = clock.nowMs()
      const { events, reply } = decide(this.state, nowMs)
      if (events.length > 0) {
        if (journal.isSaturated()) throw new DomainError('overloaded', { where: 'journal' })
        const turn = turnOf(this.state.seq + 1, nowMs, events, by)
        this.#record(turn, this.#encoded(turn))
        this.recall.apply(this.state, events)
        this.#parts.similarTexts.apply(events)
        this.#followWithVectors(events)
        if (this.recall.isOverdue) this.#tidyRecall()
      }
      telemetry.phase('turn', startedMs)
      return reply
    } catch (error) {
      throw this.#doubted(error)
    }
  }

  async #runInSlices<Reply>(decide: DecideInSteps<Reply>, by: string | null): Promise<Reply> {
    const { journal, clock, similarTexts } = this.#parts
    try {
      const nowMs = clock.nowMs()
      const { events, reply } = await runInSlices(decide(this.state, nowMs))
      if (events.length > 0) {
        const turn = turnOf(this.state.seq + 1, nowMs, events, by)
        await yieldToLoop()
        const payload = this.#encoded(turn)
        await yieldToLoop()
        // An earlier turn may have failed meanwhile.
        if (this.#broken !== null) throw this.#broken
        if (journal.isSaturated()) throw new DomainError('overloaded', { where: 'journal' })
        this.#record(turn, payload)
        this.#followWithVectors(events)
        await runInSlices(this.state.external.settleSteps())
        await runAtPace(this.recall.applySteps(this.state, events))
        await runAtPace(similarTexts.applySteps(events))
      }
      return reply
    } catch (error) {
      throw this.#doubted(error)
    }
  }

  /** A broken assumption leaves the state in doubt: the actor is read again from disk. */
  #doubted(error: unknown): unknown {
    if (error instanceof InvariantError) this.#broken = error
    return error
  }

  #encoded(turn: Turn): Uint8Array {
    // A text of megabytes that each of 200 events repeats is not encoded first. Few events take less than a look at each.
    const left = turn.events.length < COUNTED_EVENTS_MIN ? 0 : roomLeft(turn.events, PAYLOAD_BYTES_MAX)
    if (left < 0) throw tooLarge(PAYLOAD_BYTES_MAX - left)
    const payload = this.#parts.codec.encodeTurn(turn)
    if (payload.length > PAYLOAD_BYTES_MAX) throw tooLarge(payload.length)
    return payload
  }

  /** Gives the turn to the journal and applies it to the state. */
  #record(turn: Turn, payload: Uint8Array): void {
    const { journal, grant, telemetry, liveTurns } = this.#parts
    if (turn.seq === 1) this.#parts.admit(this.key)
    const ack: Promise<void> = journal
      .append(grant, { actorKey: this.key, actorSeq: turn.seq, payload })
      .then(
        () => {
          this.#isStored = true
          liveTurns.durable(this.key, turn)
          if (this.#tail !== ack) return
          this.#tail = null
          if (this.recall.isUnsettled) void this.#settleRecall()
        },
        (cause: unknown) => {
          const refusal = refusalOf(cause)
          this.#broken ??= refusal
          throw refusal
        },
      )
    // Who asked may wait for nothing more.
    ack.catch(() => undefined)
    this.#tail = ack
    evolve(this.state, turn)
    this.#explained.apply(turn)
    telemetry.committed(turn.events)
  }

  /** Behind the turn. */
  #tidyRecall(): void {
    this.#slices(this.recall.tidySteps()).catch((error: unknown) => this.condemn(error))
  }

  /** The recall index as it is now. For whoever has found that no turn in slices is under way. */
  recallImage(): Promise<RecallImage | null> {
    return this.#slices(this.recall.imageSteps())
  }

  /** Runs steps between turns: whoever asks next waits for their end. */
  #slices<Result>(steps: Generator<number, Result>): Promise<Result> {
    const run = runAtPace(steps).finally(() => {
      this.#sliced = null
    })
    this.#sliced = run.catch(() => undefined)
    return run
  }

  #followWithVectors(events: readonly ActorEvent[]): void {
    if (this.vectors === null) return
    this.vectors.apply(events)
    this.#parts.onWritten(events)
  }

  /** Behind the replies, so that neither they nor the next guide wait for it. */
  async #settleRecall(): Promise<void> {
    await yieldToLoop()
    try {
      this.recall.settle()
    } catch (error) {
      this.condemn(error)
    }
  }
}

const COUNTED_EVENTS_MIN = 8

/** What is left of so many bytes after the texts in a value, which take a byte a unit or more; below 0: it is too large. */
function roomLeft(value: unknown, bytes: number): number {
  if (typeof value === 'string') return bytes - value.length
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return bytes
  let left = bytes
  for (const key in value) {
    left = roomLeft(Reflect.get(value, key), left)
    if (left < 0) return left
  }
  return left
}

/** Said before anything is applied: a body below its limit can still say things twice. */
function tooLarge(bytes: number): DomainError {
  const message = `What this request would write has ${bytes} bytes or more, and ${PAYLOAD_BYTES_MAX} are the most: send less in one request.`
  return new DomainError('body_too_large', { write_bytes: bytes, limit_bytes: PAYLOAD_BYTES_MAX }, message)
}

function turnOf(seq: number, atMs: number, events: readonly ActorEvent[], by: string | null): Turn {
  return by === null ? { seq, atMs, events } : { seq, atMs, events, principal: by }
}
