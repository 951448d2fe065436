import { SURFACES } from '../../src/domain/closed-sets.ts'
import { isVisibleTo } from '../../src/domain/governance/visibility.ts'
import type { Consumer } from '../../src/domain/memory/record.ts'
import { changedRecord } from '../../src/domain/memory/shape.ts'
import {
  type ActorState,
  emptyState,
  linkRecord,
  linkRelation,
  putRecord,
} from '../../src/domain/memory/state.ts'

/** The same actor had what `consumer` does not see never been written; what others cite stays cited. */
export function withoutInvisible(state: ActorState, consumer: Consumer): ActorState {
  const rest = emptyState(state.tenantId, state.scope)
  rest.seq = state.seq
  const totals: number[] = []
  for (const record of state.memories.values()) {
    if (!isVisibleTo(record.audience, consumer)) continue
    const moved = changedRecord(record, { slot: rest.records.length })
    const at = record.slot * SURFACES.length
    totals.push(...SURFACES.map((_surface, offset) => state.exposureTotals[at + offset] ?? 0))
    putRecord(rest, moved)
    linkRecord(rest, moved, null)
  }
  for (const relation of state.relations) if (rest.memories.has(relation.srcId)) linkRelation(rest, relation)
  rest.exposureTotals = Uint32Array.from(totals)
  return rest
}
