import type { Actor, Decide, DecideInSteps } from '../actor/actor.ts'
import type { AnswerOf } from '../contract/operations.ts'
import { facetMoves } from '../core/report/turn-events.ts'
import type { RuntimeParts } from './parts.ts'

/** What a request would do, as the facets of memories would move. */
type Tried = Required<Pick<AnswerOf<'settle'>, 'dry_run' | 'changes'>>

/** The answer that a decision would give, with what it would move. Nothing is written, and no operation id is kept. */
export async function tried<Reply extends object>(
  { registry }: Pick<RuntimeParts, 'registry'>,
  place: { readonly tenantId: string; readonly scope: string },
  decideIn: (actor: Actor) => Promise<DecideInSteps<Reply>>,
): Promise<Reply & Tried> {
  return registry.look(place.tenantId, place.scope, async (actor) => {
    const decide = await decideIn(actor)
    return actor.turnInSlices(function* (state, nowMs) {
      const { events, reply } = yield* decide(state, nowMs)
      const changes = facetMoves(events).map(({ memoryId, facet, to, cause }) => ({
        memory_id: memoryId,
        facet,
        to,
        cause,
      }))
      return { events: [], reply: { ...reply, dry_run: true as const, changes } }
    })
  })
}

/** A decision that is short, for what takes one in steps. */
export function inOneStep<Reply>(decide: Decide<Reply>): DecideInSteps<Reply> {
  return function* (state, nowMs) {
    yield
    return decide(state, nowMs)
  }
}
