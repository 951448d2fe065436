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

/** The state of an actor from disk: its newest whole snapshot, then every later turn of the journal. */
export async function recoverState(
  parts: RecoveryParts,
  key: string,
  tenantId: string,
  scope: string,
): Promise<ActorState> {
  const stored = await parts.snapshots.get(key)
  let state = emptyState(tenantId, scope)
  if (stored !== null) {
    const { image } = stored
    assert(
      image.tenantId === tenantId && image.scope === scope,
      `the snapshot of ${key} belongs to another actor`,
    )
    assert(
      (await digested(image)) === image.stateHash,
      `the snapshot of ${key} does not have the digest it was given`,
    )
    state = stateFrom(image)
  }
  let turns = 0
  for await (const record of parts.journal.read(parts.grant, key, state.seq + 1)) {
    evolve(state, parts.codec.decodeTurn(record.payload))
    if (++turns % REPLAY_STEP_TURNS === 0) await breathe()
  }
  parts.log.debug({ actor: key, seq: state.seq, turns, memories: state.memories.size }, 'actor is loaded')
  return state
}
