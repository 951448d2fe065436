import type { History } from '../ports/history.ts'
import type { Grant, Journal } from '../ports/journal.ts'

/** History as far as the journal reaches. */
export function journalHistory(journal: Journal, grant: Grant): History {
  return {
    recordAt: async (actorKey, seq) => {
      for await (const record of journal.read(grant, actorKey, seq)) return record
      return null
    },
    read: (actorKey, fromSeq) => journal.read(grant, actorKey, fromSeq),
    note: () => undefined,
    notes: () => Promise.resolve([]),
  }
}
