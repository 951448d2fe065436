import type { ActorSketch } from '../../actor/actor-list.ts'
import type { AnswerOf } from '../../contract/operations.ts'
import { actorKeyOf } from '../../core/base/ids.ts'
import { isoOf } from '../iso-time.ts'
import { envelopeOf, type Handler, sourceMap } from '../parts.ts'
import { cursorAt, operatorRead, textAt } from './read.ts'

/** The scopes of a tenant. Loads none, and makes none more recent. */
export const listActors: Handler<'listActors'> = async ({ registry }, { request }) => {
  const read = operatorRead('actors', request)
  const { position } = read.cursor
  const after = position === null ? null : actorKeyOf(read.tenantId, textAt(position, 0))
  // One more than a page, to know whether there is a next one.
  const found = await registry.actorsOf(read.tenantId, after, read.limit + 1)
  const page = found.slice(0, read.limit)
  const last = page.at(-1)
  return {
    ...envelopeOf('svc_operator_actors_v1', read),
    items: page.map(actorItem),
    next_cursor: found.length > read.limit && last !== undefined ? cursorAt(read.cursor, [last.scope]) : null,
    source_map: sourceMap('/v1/operator/actors', ['actor_directory', 'actor_states']),
  }
}

function actorItem(sketch: ActorSketch): AnswerOf<'listActors'>['items'][number] {
  const state = sketch.resident?.state ?? null
  return {
    scope: sketch.scope,
    resident: state !== null,
    turn_count: sketch.turns,
    snapshot_turn_count: sketch.snapshotTurns,
    snapshot_bytes: sketch.snapshotBytes,
    memory_count: state === null ? null : state.memories.size - state.erasures.size,
    erased_memory_count: state?.erasures.size ?? null,
    guide_count: state?.exposureCount ?? null,
    dispute_count: state?.disputes.size ?? null,
    last_memory_at: isoOf(state?.records.at(-1)?.createdAtMs ?? null),
  }
}
