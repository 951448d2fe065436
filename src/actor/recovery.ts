import { assert } from '../core/base/assert.ts'
import { actorKeyOf, partsOfActorKey } from '../core/base/ids.ts'
import { evolve } from '../core/model/evolve.ts'
import type { StateImage } from '../core/model/image.ts'
import { type ActorState, emptyState } from '../core/model/state.ts'
import { stateSteps } from '../core/model/state-image.ts'
import type { SearchWorkspace } from '../core/search/workspace.ts'
import type { Codec } from '../ports/codec.ts'
import type { Grant, History, SnapshotStore, Store, StoredRecallImage } from '../ports/store.ts'
import type { Log } from '../ports/system.ts'
import { RecallView } from './recall-view.ts'
import { digested, isIndexStored, recordDigests } from './snapshotting.ts'
import { Pace, runAtPace, runInSlices, yieldToLoop } from './waiting.ts'

/** Memories of a snapshot put into their lookups between two yields: a millisecond. */
const STATE_STEP_MEMORIES = 500

/** Turns that are replayed for one look back. */
const REPLAY_TURNS_MAX = 50_000

/** A larger turn may hold 20 000 values, which takes a hundred times as long to read as to replay them. */
const DECODED_AT_ONCE_BYTES = 64 * 1024

export interface RecoveryParts extends Pick<Store, 'journal' | 'snapshots' | 'recallImages'> {
  readonly search: SearchWorkspace
  readonly workerMemoriesMin: number
  readonly codec: Codec
  readonly log: Log
}

/**
 * An actor from the store, by a grant that was acquired before: its newest whole snapshot, then every later turn of the journal. The recall index goes the same way
 * when one of that snapshot is stored; else it is built at the end. `ignoresStored`: it is built in any case.
 */
export async function recoverActor(parts: RecoveryParts, grant: Grant, key: string, ignoresStored: boolean) {
  const { tenantId, scope } = partsOfActorKey(key)
  // Both are read at the same time: reading a snapshot leaves the disk idle most of the while.
  const reading = ignoresStored ? null : parts.recallImages.get(key)
  const stored = await parts.snapshots.get(key)
  let state = emptyState(tenantId, scope)
  if (stored !== null) {
    const { image } = stored
    assert(
      image.tenantId === tenantId && image.scope === scope,
      `the snapshot of ${key} belongs to another actor`,
    )
    state = await runInSlices(stateSteps(image, STATE_STEP_MEMORIES))
  }
  let recall = recallOf(parts, grant, state, stored?.image ?? null, await reading)
  const isStored = recall !== null
  let turns = 0
  const pace = new Pace()
  for await (const record of parts.journal.read(grant, key, state.seq + 1)) {
    const { payload } = record
    const turn =
      payload.length > DECODED_AT_ONCE_BYTES
        ? await runInSlices(parts.codec.decodeTurnSteps(payload))
        : parts.codec.decodeTurn(payload)
    evolve(state, turn)
    if (recall !== null) {
      for (const chars of recall.applySteps(state, turn.events)) if (pace.isDue(chars)) await yieldToLoop()
    }
    turns += 1
    if (pace.isDue(payload.length)) await yieldToLoop()
  }
  recall ??= await RecallView.over(state, parts.search)
  if (!recall.isReady) await runAtPace(recall.readySteps())
  if (!isStored && turns === 0 && stored !== null)
    await keepRecall(parts, grant, state, recall, stored.image.stateHash)
  parts.log.debug(
    { actor: key, seq: state.seq, turns, memories: state.memories.size, isIndexStored: isStored },
    'actor is loaded',
  )
  const isLarge = state.memories.size > parts.workerMemoriesMin
  return { state, recall, verified: verification(key, stored?.image ?? null, isLarge) }
}

/**
 * Compares the digest of a snapshot with the one it was given, once, in steps. Its bytes have been checked by then; the
 * digest would show a snapshot that was made wrong, and takes as long as the rest of a load.
 * Lets go of the image when it has been compared: records that were replaced since live no longer than that.
 */
function verification(key: string, loaded: StateImage | null, isLarge: boolean): () => Promise<void> {
  let image = loaded
  let verified: Promise<void> | null = null
  const verify = async (): Promise<void> => {
    if (image === null) return
    const { stateHash } = image
    const digest = digested(image, isLarge ? null : recordDigests)
    image = null
    assert((await digest) === stateHash, `the snapshot of ${key} does not have the digest it was given`)
  }
  return () => {
    verified ??= verify()
    return verified
  }
}

/** The stored view of exactly this state. */
function recallOf(
  parts: RecoveryParts,
  grant: Grant,
  state: ActorState,
  image: StateImage | null,
  found: StoredRecallImage | null,
): RecallView | null {
  if (found === null) return null
  const isOfState = found.seq === image?.seq && found.stateHash === image.stateHash
  const view = isOfState ? RecallView.from(found.image, state, parts.search) : null
  if (view !== null) return view
  const { seq } = found
  const key = actorKeyOf(state.tenantId, state.scope)
  parts.log.info({ actor: key, seq, stateSeq: state.seq }, 'the stored recall index is of another state')
  // It may be of turns that the actor has lost: no later turn may take it for its own.
  parts.recallImages.dropBefore(grant, key, Number.POSITIVE_INFINITY).catch((cause: unknown) => {
    parts.log.warn(
      { actor: key, cause: String(cause) },
      'a recall index of another state could not be removed',
    )
  })
  return null
}

/** What had to be built although a snapshot covers it need not be built by the next load. */
async function keepRecall(
  parts: RecoveryParts,
  grant: Grant,
  state: ActorState,
  recall: RecallView,
  stateHash: string,
): Promise<void> {
  if (!isIndexStored(parts, state)) return
  const image = await runAtPace(recall.imageSteps())
  const key = actorKeyOf(state.tenantId, state.scope)
  if (image !== null) parts.recallImages.keep(grant, key, { seq: state.seq, stateHash, image })
}

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
