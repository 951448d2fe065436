import type { ActorState } from '../model/state.ts'
import { asksFor, TOLD_KINDS } from '../text/told.ts'
import { type CandidateColumns, TOLD_MARKS } from './candidate-columns.ts'

/** Of the best hits so many are looked at for what the query asks for: their texts lie scattered. */
const LOOKED_AT_MAX = 100

/** Marks those of the first `size` candidates that tell a time, a number or a name, where the query asks for one. */
export function markTold(
  { columns, records }: ActorState,
  queryText: string,
  { slots, marks }: CandidateColumns,
  size: number,
): void {
  if (size === 0) return
  const end = Math.min(size, LOOKED_AT_MAX)
  for (const kind of TOLD_KINDS) {
    if (!asksFor(queryText, kind)) continue
    for (let place = 0; place < end; place += 1) {
      const record = records[slots[place] ?? 0]
      if (record !== undefined && columns.tells(record, kind))
        marks[place] = (marks[place] ?? 0) | TOLD_MARKS[kind]
    }
  }
}
