import { InvariantError } from '../core/base/assert.ts'
import { DomainError } from '../core/base/errors.ts'
import type { ActorEvent, Turn } from '../core/model/events.ts'
import { evolve } from '../core/model/evolve.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Similar } from '../core/write/similar.ts'
import type { Clock } from '../ports/clock.ts'
import type { Codec } from '../ports/codec.ts'
import { type Grant, type Journal, PAYLOAD_BYTES_MAX } from '../ports/journal.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { ExplainedGuides } from './explained-guides.ts'
import { refusalOf } from './journal-refusal.ts'
import type { RecallView } from './recall-view.ts'
import { type SimilarView, similarIn } from './similar-view.ts'
import type { VectorView } from './vector-view.ts'
import { yieldToLoop } from './yield-to-loop.ts'

export interface ActorParts {
  readonly key: string
  readonly state: ActorState
  readonly recall: RecallView
  readonly similarTexts: SimilarView
  /** Null: nothing is embedded. */
  readonly vectors: VectorView | null
  /** Compares what it was loaded from with its digest, once. Rejects when it is not the same. */
  readonly verified: () => Promise<void>
  /** Memory may have come that has no vector yet, or must not be sent any more. */
  readonly onWritten: (events: readonly ActorEvent[]) => void
  readonly journal: Journal
  readonly grant: Grant
  readonly codec: Codec
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Requests that may be inside the actor at once, waiting replies included. */
  readonly mailboxDepthMax: number
  /** Called before the first turn of the actor is written. @throws too_many_scopes */
  readonly admit: (actorKey: string) => void
}

/** What a turn decided. No events: the turn only read. */
export interface Decided<Reply> {
  readonly events: readonly ActorEvent[]
  readonly reply: Reply
}

export type Decide<Reply> = (state: ActorState, nowMs: number) => Decided<Reply>

/**
 * The single writer of one tenant and scope. A turn decides, journals and applies without waiting in between; its
 * reply leaves only when everything that it depends on is durable.
 */
export class Actor {
  readonly key: string
  readonly state: ActorState
  readonly recall: RecallView
  readonly vectors: VectorView | null
  /** What turns may ask about texts written before them. */
  readonly similar: Similar
  readonly #parts: ActorParts
  readonly #explained = new ExplainedGuides()
  /** The last append that is not yet acknowledged; appends of one actor are acknowledged in order. */
  #tail: Promise<void> | null = null
  #inside = 0
  #broken: Error | null = null
  #whenEmpty: (() => void) | null = null

  constructor(parts: ActorParts) {
    this.key = parts.key
    this.state = parts.state
    this.recall = parts.recall
    this.vectors = parts.vectors
    this.similar = similarIn(parts.state, parts.similarTexts, parts.recall)
    this.#parts = parts
  }

  /** Why the actor must be discarded and read again from disk; null while it is sound. */
  get broken(): Error | null {
    return this.#broken
  }

  /** Estimate of its share of the heap, in bytes. */
  weightBytes(): number {
    const texts = this.recall.weightBytes() + this.#parts.similarTexts.weightBytes()
    return texts + (this.vectors?.weightBytes() ?? 0)
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
      this.condemn(error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }

  /** Says that the actor cannot be trusted: it is discarded and read again. */
  condemn(cause: Error): void {
    this.#broken ??= cause
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
   * @throws DomainError from `decide`, or when the journal does not take or keep what was decided
   */
  async turn<Reply>(decide: Decide<Reply>): Promise<Reply> {
    if (this.#broken !== null) throw this.#broken
    const { telemetry } = this.#parts
    const reply = this.#runTurn(decide, telemetry.now())
    if (this.#tail === null) return reply
    const waitsSinceMs = telemetry.now()
    try {
      await this.#tail
    } finally {
      telemetry.phase('flush', waitsSinceMs)
    }
    return reply
  }

  /** Resolves when everything applied so far is durable. */
  async settled(): Promise<void> {
    if (this.#tail !== null) await this.#tail
    if (this.#broken !== null) throw this.#broken
  }

  #runTurn<Reply>(decide: Decide<Reply>, startedMs: number): Reply {
    const { journal, clock, telemetry } = this.#parts
    try {
      const nowMs = clock.nowMs()
      const { events, reply } = decide(this.state, nowMs)
      if (events.length > 0) {
        if (journal.isSaturated()) throw new DomainError('overloaded', { where: 'journal' })
        this.#commit({ seq: this.state.seq + 1, atMs: nowMs, events })
        telemetry.committed(events)
      }
      telemetry.phase('turn', startedMs)
      return reply
    } catch (error) {
      // A broken assumption leaves the state in doubt: the actor is read again from disk.
      if (error instanceof InvariantError) this.#broken = error
      throw error
    }
  }

  #commit(turn: Turn): void {
    const { journal, grant, codec } = this.#parts
    const payload = codec.encodeTurn(turn)
    if (payload.length > PAYLOAD_BYTES_MAX) throw tooLarge(payload.length)
    if (turn.seq === 1) this.#parts.admit(this.key)
    const ack = journal
      .append(grant, { actorKey: this.key, actorSeq: turn.seq, payload })
      .catch((cause: unknown) => {
        const refusal = refusalOf(cause)
        this.#broken ??= refusal
        throw refusal
      })
    this.#tail = ack
    ack.then(
      () => {
        if (this.#tail !== ack) return
        this.#tail = null
        if (this.recall.isUnsettled) void this.#settleRecall()
      },
      () => undefined,
    )
    evolve(this.state, turn)
    this.recall.apply(this.state, turn.events)
    this.#explained.apply(turn)
    this.#parts.similarTexts.apply(turn.events)
    if (this.vectors === null) return
    this.vectors.apply(turn.events)
    this.#parts.onWritten(turn.events)
  }

  /** Behind the replies, so that neither they nor the next guide wait for it. */
  async #settleRecall(): Promise<void> {
    await yieldToLoop()
    try {
      this.recall.settle()
    } catch (error) {
      this.condemn(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

/** Said before anything is applied: a body below its limit can still say things twice. */
function tooLarge(bytes: number): DomainError {
  const message = `What this request would write has ${bytes} bytes, more than ${PAYLOAD_BYTES_MAX}: send less in one request.`
  return new DomainError('body_too_large', { write_bytes: bytes, limit_bytes: PAYLOAD_BYTES_MAX }, message)
}
