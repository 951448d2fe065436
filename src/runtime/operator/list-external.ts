import type { AnswerOf, RequestOf } from '../../contract/operations.ts'
import { externalPage, placeOf } from '../../core/report/external-list.ts'
import { envelopeOf, type RuntimeParts, sourceMap } from '../parts.ts'
import { cursorAt, textAt } from './cursor.ts'
import { externalItem } from './external-items.ts'
import { operatorRead } from './read.ts'

/** Memory of other stores that govern requests recorded. */
export async function listExternal(
  { registry }: Pick<RuntimeParts, 'registry'>,
  request: RequestOf<'listExternal'>,
): Promise<AnswerOf<'listExternal'>> {
  const read = operatorRead('external', request)
  const { viewer, limit, cursor } = read
  const { position } = cursor
  const after = position === null ? null : ([textAt(position, 0), textAt(position, 1)] as const)
  const filter = {
    sourceBackend: request.source_backend ?? null,
    externalId: request.external_memory_id ?? null,
    standing: request.standing ?? null,
  }
  const page = await registry.look(read.tenantId, read.scope, (actor) =>
    actor.turn((state) => {
      const { items, hasMore } = externalPage(state, filter, viewer, after, limit)
      const last = items.at(-1)
      return {
        events: [],
        reply: {
          items: items.map((memory) => externalItem(memory, viewer)),
          next_cursor: hasMore && last !== undefined ? cursorAt(cursor, placeOf(last)) : null,
        },
      }
    }),
  )
  return {
    ...envelopeOf('svc_operator_external_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/external', ['external_candidate_admission', 'feedback_attribution']),
  }
}
