import type { Consumer, MemoryRecord } from '../model/record.ts'
import { sourcesOf } from '../model/references.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { canSee } from '../model/visibility.ts'

/**
 * Trust is never more than that of the least trusted source anywhere in the lineage; a missing source counts as
 * none, and so does one that these eyes cannot see: its trust would tell that it exists. Linear in what is not known of
 * the lineage: candidates of a guide mostly share theirs. A cycle adds nothing.
 * @param eyes null: an operator who sees the whole actor
 */
export function isTrustedThrough(state: ActorState, record: MemoryRecord, eyes: Consumer | null): boolean {
  // Most memories are derived from nothing.
  if (record.derivedFrom.length === 0 && !state.relationsBySource.has(record.memoryId))
    return record.facets.trust === 'trusted'
  const known = state.lineages.of(state.seq, eyes)
  const told = known.get(record.memoryId)
  if (told !== undefined) return told
  /** By which other one each was met. */
  const metBy = new Map<string, string | null>([[record.memoryId, null]])
  const open: MemoryRecord[] = [record]
  const distrust = (memoryId: string): false => {
    for (let id: string | null = memoryId; id !== null; id = metBy.get(id) ?? null) known.set(id, false)
    return false
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.facets.trust !== 'trusted') return distrust(next.memoryId)
    for (const sourceId of sourcesOf(state, next)) {
      if (metBy.has(sourceId) || known.get(sourceId) === true) continue
      const source = known.get(sourceId) === false ? undefined : liveRecord(state, sourceId)
      if (source === undefined || !canSee(eyes, source)) return distrust(next.memoryId)
      metBy.set(sourceId, next.memoryId)
      open.push(source)
    }
  }
  for (const memoryId of metBy.keys()) known.set(memoryId, true)
  return true
}
