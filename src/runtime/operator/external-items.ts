import type { AnswerOf } from '../../contract/operations.ts'
import {
  type ExternalMemory,
  type Opinion,
  opinionsFor,
  standingFor,
} from '../../core/model/external-memory.ts'
import type { Viewer } from '../../core/report/viewer.ts'
import { isoOf } from '../iso-time.ts'
import { countersView } from '../memory-view.ts'
import { facetChangeRow, outcomeRow } from './memory-items.ts'

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
