import { partsOfActorKey } from '../core/base/ids.ts'
import { evolve } from '../core/model/evolve.ts'
import { type ActorState, emptyState } from '../core/model/state.ts'
import { stateSteps } from '../core/model/state-image.ts'
import type { Codec } from '../ports/codec.ts'
import type { History, SnapshotStore } from '../ports/store.ts'
import { Pace, runInSlices, yieldToLoop } from './waiting.ts'

/** Turns that are replayed for one look back. */
const REPLAY_TURNS_MAX = 50_000
const STATE_STEP_MEMORIES = 500

/** Why the state of a moment cannot be had: history begins later, or it would take too long. */
export type PastGap = 'history_incomplete' | 'too_many_turns'

interface PastParts {
  readonly snapshots: Pick<SnapshotStore, 'get' | 'coveredSeqOf'>
  readonly history: Pick<History, 'read'>
  readonly codec: Pick<Codec, 'decodeTurn'>
}

/**
 * States of actors at earlier moments, which nobody else has and nothing follows: from the newest snapshot where that is
 * old enough, else from the first turn that history has. One is made at a time, since each is an actor more in memory.
 */
export class PastStates {
  readonly #parts: PastParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: PastParts) {
    this.#parts = parts
  }

  /** Runs `work` with the state after turn `seq`. */
  async at<T>(key: string, seq: number, work: (past: ActorState | PastGap) => T): Promise<T> {
    const before = this.#last
    const run = before.then(async () => work(await this.#stateAt(key, seq)))
    this.#last = run.catch(() => undefined)
    return run
  }

  async #stateAt(key: string, seq: number): Promise<ActorState | PastGap> {
    const { history, codec } = this.#parts
    const state = await this.#stateBefore(key, seq)
    if (seq - state.seq > REPLAY_TURNS_MAX) return 'too_many_turns'
    const pace = new Pace()
    if (state.seq < seq) {
      for await (const record of history.read(key, state.seq + 1, seq)) {
        if (record.actorSeq > seq) break
        if (record.actorSeq !== state.seq + 1) return 'history_incomplete'
        evolve(state, codec.decodeTurn(record.payload))
        if (pace.isDue(record.payload.length)) await yieldToLoop()
      }
    }
    return state.seq === seq ? state : 'history_incomplete'
  }

  /** The state that replay begins with. */
  async #stateBefore(key: string, seq: number): Promise<ActorState> {
    const { snapshots } = this.#parts
    const { tenantId, scope } = partsOfActorKey(key)
    const covered = snapshots.coveredSeqOf(key)
    const stored = covered > 0 && covered <= seq ? await snapshots.get(key) : null
    if (stored === null || stored.seq > seq) return emptyState(tenantId, scope)
    return runInSlices(stateSteps(stored.image, STATE_STEP_MEMORIES))
  }
}
