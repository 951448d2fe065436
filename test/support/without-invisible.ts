import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { changedRecord } from '../../src/core/model/compact-record.ts'
import type { Consumer } from '../../src/core/model/record.ts'
import {
  type ActorState,
  emptyState,
  linkDispute,
  linkRecord,
  linkRelation,
  putRecord,
} from '../../src/core/model/state.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'

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
  for (const dispute of state.disputes.values())
    if (rest.memories.has(dispute.earlierId) && rest.memories.has(dispute.laterId)) linkDispute(rest, dispute)
  for (const [memoryId, ledger] of state.evidence)
    if (rest.memories.has(memoryId)) rest.evidence.set(memoryId, ledger)
  for (const memoryId of state.operatorMemories)
    if (rest.memories.has(memoryId)) rest.operatorMemories.add(memoryId)
  rest.exposureTotals = Uint32Array.from(totals)
  return rest
}
