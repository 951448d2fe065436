import { describe, expect, test } from 'vitest'
import { over } from '../../src/adapters/files/store-parts.ts'
import type { JournalRecord, Store } from '../../src/ports/store.ts'
import { LAWS, type Law } from './laws.ts'
import { STORES } from './stores.ts'
import type { StoreUnderTest } from './written.ts'

describe.each(Object.entries(STORES))('%s', (_name, make) => {
  const laws = LAWS.filter(({ needsTwo }) => needsTwo !== true || make().expire !== null)
  test.each(laws)('$title', ({ prove }) => prove(make()))
})

/** A bundle with a mistake in it, and the law that has to find it. */
interface Fault {
  readonly found: RegExp
  readonly plant: (store: Store) => Store
}

// Laws that a broken store kept would prove nothing.
const FAULTS: Readonly<Record<string, Fault>> = {
  'an append that is taken with any grant': {
    found: /^every write with a grant/,
    plant: (store) => ({
      ...store,
      journal: over(store.journal, {
        append: (_grant, record) =>
          store.journal.append(store.ownership.held(record.actorKey) ?? { shard: 0, epoch: 0 }, record),
      }),
    }),
  },
  'vectors that are taken with any grant': {
    found: /^every write with a grant/,
    plant: (store) => ({
      ...store,
      vectorStore:
        store.vectorStore &&
        over(store.vectorStore, {
          append: async (_grant, key, rows) =>
            store.vectorStore?.append(await store.ownership.acquire(key), key, rows),
        }),
    }),
  },
  'an audit note that is taken with any grant': {
    found: /^every write with a grant/,
    plant: (store) => ({
      ...store,
      history: over(store.history, {
        note: (_grant, key, note) =>
          store.history.note(store.ownership.held(key) ?? { shard: 0, epoch: 0 }, key, note),
      }),
    }),
  },
  'reading before the fence': { found: /^who takes over reads all/, plant: readsAhead },
  'an unfinished erase that is never resumed': {
    found: /^an erasure that was cut off is finished by whoever/,
    plant: (store) => ({
      ...store,
      erasureMarks: over(store.erasureMarks, {
        async *marked() {
          yield* []
        },
        has: async () => false,
      }),
    }),
  },
  'a repeat that is stored again': {
    found: /^a turn that is not the next one/,
    plant: (store) => ({
      ...store,
      journal: over(store.journal, {
        append: (grant, record) => store.journal.append(grant, record).catch(() => undefined),
      }),
    }),
  },
  'history that ends where a snapshot begins': {
    found: /^turns that a snapshot covers/,
    plant: (store) => ({
      ...store,
      history: over(store.history, {
        recordAt: (key, seq) =>
          seq <= store.snapshots.coveredSeqOf(key) ? Promise.resolve(null) : store.history.recordAt(key, seq),
      }),
    }),
  },
}

/** Reads while it is not yet the owner, and believes it afterwards. */
function readsAhead(store: Store): Store {
  const ahead = new Map<string, readonly JournalRecord[]>()
  return {
    ...store,
    ownership: over(store.ownership, {
      async acquire(key) {
        const records: JournalRecord[] = []
        const early = { shard: 0, epoch: 0 }
        try {
          for await (const record of store.journal.read(early, key, 1)) records.push(record)
        } catch {
          // Nobody has written anything yet.
        }
        const grant = await store.ownership.acquire(key)
        ahead.set(key, records)
        return grant
      },
    }),
    journal: over(store.journal, {
      async *read(_grant, key, fromSeq) {
        yield* (ahead.get(key) ?? []).filter(({ actorSeq }) => actorSeq >= fromSeq)
      },
    }),
  }
}

function planted(under: StoreUnderTest, plant: Fault['plant']): StoreUnderTest {
  return { ...under, open: async (node) => plant(await under.open(node)) }
}

describe.each(Object.entries(FAULTS))('%s', (_name, { found, plant }) => {
  const law = LAWS.find(({ title }) => found.test(title)) as Law
  const stores = Object.entries(STORES).filter(([, make]) => law.needsTwo !== true || make().expire !== null)
  test.each(stores)('is found in %s', async (_store, make) => {
    await expect(law.prove(planted(make(), plant))).rejects.toThrow()
  })
})
