import type { AnswerOf } from '../../contract/operations.ts'
import {
  type ExternalMemory,
  type Opinion,
  opinionsFor,
  standingFor,
} from '../../core/model/external-memory.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import { externalPage, placeOf } from '../../core/report/external-list.ts'
import { isoOf } from '../iso-time.ts'
import { countersView } from '../memory-view.ts'
import { envelopeOf, type Handler, sourceMap } from '../parts.ts'
import { facetChangeRow, outcomeRow } from './memory-items.ts'
import { cursorAt, operatorRead, textAt } from './read.ts'

/** Memory of other stores that govern requests recorded. */
export const listExternal: Handler<'listExternal'> = async ({ registry }, { request }) => {
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
    actor.read((state) => {
      const { items, hasMore } = externalPage(state, filter, viewer, after, limit)
      const last = items.at(-1)
      return {
        items: items.map((memory) => externalItem(memory, viewer)),
        next_cursor: hasMore && last !== undefined ? cursorAt(cursor, placeOf(last)) : null,
      }
    }),
  )
  return {
    ...envelopeOf('svc_operator_external_v1', read),
    ...page,
    source_map: sourceMap('/v1/operator/external', ['external_candidate_admission', 'feedback_attribution']),
  }
}

export type ExternalItem = AnswerOf<'listExternal'>['items'][number]

/** What is known of a memory of another store, as far as the viewer may know. */
export function externalItem(memory: ExternalMemory, viewer: Viewer): ExternalItem {
  return {
    source_backend: memory.sourceBackend,
    external_memory_id: memory.externalId,
    text_hash: memory.textHash,
    domain: memory.domain,
    standing: standingFor(memory, viewer),
    surface: memory.surface,
    governed_count: memory.governedCount,
    governed_at: isoOf(memory.atMs),
    opinions: opinionsFor(memory, viewer).map((opinion) => opinionRow(opinion, viewer)),
  }
}

function opinionRow(opinion: Opinion, viewer: Viewer): ExternalItem['opinions'][number] {
  const { audience, standing, changes, marks } = opinion
  return {
    memory_lane: audience.lane,
    owner_agent_id: audience.ownerAgentId,
    owner_team_id: audience.ownerTeamId,
    standing,
    counters: countersView(opinion),
    changes: changes.map((change) => facetChangeRow(change, null)),
    // Whose govern requests a consumer may be told of is not known here.
    outcomes: marks.map((mark) => outcomeRow(mark, viewer === null ? null : NO_GUIDES)),
  }
}

const NO_GUIDES = { guides: [], isCut: false }
