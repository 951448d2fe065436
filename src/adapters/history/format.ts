import { DamagedFileError } from '../files/damage.ts'
import { numberedNames } from '../files/numbered-name.ts'
import type { Layout } from '../record-file/layout.ts'

// A history file is a record file with the records of one journal segment, framed as they are there (record-frame.ts), those
// of an actor side by side. In the directory the key is the hash of the actor's key, the number the sequence of the turn.
// The header has as seq the sequence of the segment, and as facts its salt, which tells it from any other segment of that
// name, and archivedAtMs. A file is never changed, but an erasure may put another one in its place.

/** The number is that of the segment. */
export const { nameOf: historyNameOf, numberOf: segmentSeqOfName } = numberedNames('', '.hist')

export interface HistoryFacts {
  readonly segmentSeq: number
  readonly salt: number
  readonly archivedAtMs: number
}

/** What the header of a history file says. Throws DamagedFileError. */
export function historyFacts({ head }: Layout): HistoryFacts {
  const { salt, archivedAtMs } = head.facts
  if (typeof salt !== 'number' || typeof archivedAtMs !== 'number') {
    throw new DamagedFileError('header: a field is missing')
  }
  return { segmentSeq: head.seq, salt, archivedAtMs }
}
