import type { MemoryRecord } from '../model/record.ts'
import { type ReportView, seenRecord, seenRecords } from './operator-snapshot-view.ts'

/** A memory that came out of another one, directly or through others. */
export interface Derivative {
  readonly record: MemoryRecord
  /** Steps from the nearest memory that was asked about, 1 or more. */
  readonly depth: number
  /** Its sources among the memories asked about and their derivatives. */
  readonly sourceIds: readonly string[]
}

/**
 * Everything that was derived from the roots, by a `derived_from` list or an effective relation, as far as these eyes
 * see it: nearest first, then in order of first writing. Each memory stands once, also in a cycle; no root is its own
 * derivative. Linear in the memories of the actor.
 */
export function derivativesOf(view: ReportView, roots: readonly MemoryRecord[]): readonly Derivative[] {
  const derivedBy = derivedByLists(view)
  const reached = new Map(roots.map((root) => [root.memoryId, 0]))
  let edge = roots.map((root) => root.memoryId)
  for (let depth = 1; edge.length > 0; depth++) {
    const next = new Set<string>()
    for (const sourceId of edge) {
      for (const id of directDerivatives(view, derivedBy, sourceId)) {
        if (!reached.has(id)) next.add(id)
      }
    }
    for (const id of next) reached.set(id, depth)
    edge = [...next]
  }
  return [...reached]
    .flatMap(([id, depth]) => {
      const record = depth === 0 ? null : seenRecord(view, id)
      if (record === null) return []
      return [{ record, depth, sourceIds: sourcesOf(view, record).filter((source) => reached.has(source)) }]
    })
    .sort((a, b) => a.depth - b.depth || a.record.slot - b.record.slot)
}

/** Who names a memory as its source, for every memory that is named. */
function derivedByLists(view: ReportView): ReadonlyMap<string, readonly string[]> {
  const derivedBy = new Map<string, string[]>()
  for (const { memoryId, derivedFrom } of seenRecords(view)) {
    for (const sourceId of derivedFrom) {
      const known = derivedBy.get(sourceId)
      if (known === undefined) derivedBy.set(sourceId, [memoryId])
      else known.push(memoryId)
    }
  }
  return derivedBy
}

function directDerivatives(
  view: ReportView,
  derivedBy: ReadonlyMap<string, readonly string[]>,
  sourceId: string,
): readonly string[] {
  const related = (view.state.relationsByTarget.get(sourceId) ?? [])
    .filter(({ type, effective }) => type === 'derived_from' && effective)
    .map(({ srcId }) => srcId)
    .filter((id) => seenRecord(view, id) !== null)
  return [...(derivedBy.get(sourceId) ?? []), ...related]
}

function sourcesOf({ state }: ReportView, { memoryId, derivedFrom }: MemoryRecord): readonly string[] {
  const related = (state.relationsBySource.get(memoryId) ?? [])
    .filter(({ type, effective }) => type === 'derived_from' && effective)
    .map(({ dstId }) => dstId)
  return [...new Set([...derivedFrom, ...related])]
}
