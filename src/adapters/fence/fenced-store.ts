import type { Grant, Store } from '../../ports/store.ts'
import { over, refuse } from '../files/store-parts.ts'

export type IsOwner = (grant: Grant, actorKey: string) => boolean

/** The bundle with every write behind one fence. Adds no promise to a write that passes. */
export function fencedStore<S extends Store>(store: S, isOwner: IsOwner): S {
  const { journal, snapshots, recallImages, ledger, history, erasureMarks, removal, vectorStore } = store
  const { compaction } = store
  const fenced = <Value>(grant: Grant, key: string, write: () => Promise<Value>): Promise<Value> =>
    isOwner(grant, key) ? write() : refuse('fenced', `${key} is not owned by this grant`)
  const quiet = (grant: Grant, key: string, write: () => void): void => {
    if (isOwner(grant, key)) write()
  }
  return {
    ...store,
    journal: over(journal, {
      append: (grant, record) => fenced(grant, record.actorKey, () => journal.append(grant, record)),
      covered: (grant, key, seq) => quiet(grant, key, () => journal.covered(grant, key, seq)),
    }),
    snapshots: over(snapshots, {
      put: (grant, key, image) => fenced(grant, key, () => snapshots.put(grant, key, image)),
    }),
    recallImages: over(recallImages, {
      keep: (grant, key, stored) => quiet(grant, key, () => recallImages.keep(grant, key, stored)),
      dropBefore: (grant, key, seq) => fenced(grant, key, () => recallImages.dropBefore(grant, key, seq)),
    }),
    ledger: over(ledger, {
      append: (grant, key, from, to, records) =>
        fenced(grant, key, () => ledger.append(grant, key, from, to, records)),
    }),
    history: over(history, {
      note: (grant, key, note) => quiet(grant, key, () => history.note(grant, key, note)),
    }),
    erasureMarks: over(erasureMarks, {
      put: (grant, key) => fenced(grant, key, () => erasureMarks.put(grant, key)),
      remove: (grant, key) => fenced(grant, key, () => erasureMarks.remove(grant, key)),
    }),
    removal: {
      erase: (grant, key, redaction, help) =>
        fenced(grant, key, () => removal.erase(grant, key, redaction, help)),
    },
    vectorStore:
      vectorStore &&
      over(vectorStore, {
        append: (grant, key, rows) => fenced(grant, key, () => vectorStore.append(grant, key, rows)),
        keepOnly: (grant, key, keeps) => fenced(grant, key, () => vectorStore.keepOnly(grant, key, keeps)),
      }),
    compaction: compaction && {
      compact: (grant, key, toSeq) => fenced(grant, key, () => compaction.compact(grant, key, toSeq)),
    },
  }
}
