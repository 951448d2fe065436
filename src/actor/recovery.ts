import { assert } from '../domain/assert.ts'
import { evolve } from '../domain/memory/evolve.ts'
import { type ActorState, emptyState } from '../domain/memory/state.ts'
import { stateFrom } from '../domain/memory/state-image.ts'
import type { Codec } from '../ports/codec.ts'
import type { Grant, Journal } from '../ports/journal.ts'
import type { Log } from '../ports/log.ts'
import type { SnapshotStore } from '../ports/snapshots.ts'
import { breathe } from './breathe.ts'
import { digested } from './snapshotting.ts'

/** Turns replayed between two yields to the event loop. */
const REPLAY_STEP_TURNS = 200

export interface RecoveryParts {
  readonly journal: Journal
  readonly snapshots: SnapshotStore
  readonly codec: Codec
  readonly grant: Grant
  readonly log: Log
}

export interface Recovered {
  readonly state: ActorState
  /**
   * Compares the digest of the snapshot with the one it was given, in steps. Its bytes have been checked by then; the
   * digest would show a snapshot that was made wrong, and takes as long as the rest of a load.
   */
  readonly verify: () => Promise<void>
}

/** The state of an actor from disk: its newest whole snapshot, then every later turn of the journal. */
export async function recoverState(
  parts: RecoveryParts,
  key: string,
  tenantId: string,
  scope: string,
): Promise<Recovered> {
  const stored = await parts.snapshots.get(key)
  let state = emptyState(tenantId, scope)
  if (stored !== null) {
    const { image } = stored
    assert(
      image.tenantId === tenantId && image.scope === scope,
      `the snapshot of ${key} belongs to another actor`,
    )
    state = stateFrom(image)
  }
  let turns = 0
  for await (const record of parts.journal.read(parts.grant, key, state.seq + 1)) {
    evolve(state, parts.codec.decodeTurn(record.payload))
    if (++turns % REPLAY_STEP_TURNS === 0) await breathe()
  }
  parts.log.debug({ actor: key, seq: state.seq, turns, memories: state.memories.size }, 'actor is loaded')
  const verify = async (): Promise<void> => {
    if (stored === null) return
    const isSame = (await digested(stored.image)) === stored.image.stateHash
    assert(isSame, `the snapshot of ${key} does not have the digest it was given`)
  }
  return { state, verify }
}
