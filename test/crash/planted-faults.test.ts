import { describe, expect, test } from 'vitest'
import type { Files } from '../../src/ports/files.ts'
import type { Journal, SnapshotStore } from '../../src/ports/store.ts'
import { tellCounts } from '../harness/counts.ts'
import { runHistory } from './client-history.ts'
import type { Fault } from './simulated-service.ts'

// The suites would prove nothing if they passed over a service that loses data. Each fault is put between the service
// and its ports; the same check that the histories of `linearizability.test.ts` pass has to report it.

/** Histories after which a fault counts as unnoticed. */
const HISTORIES_MAX = 60

/** The same object with some methods replaced; the others keep what they belong to. */
function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(from, name) {
      const found: unknown = Reflect.get(Reflect.has(methods, name) ? methods : from, name)
      return typeof found === 'function' && !Reflect.has(methods, name) ? found.bind(from) : found
    },
  })
}

const nothing = async (): Promise<void> => undefined

const unlessIn =
  (files: Files, folder: string) =>
  (path: string): Promise<void> =>
    path.includes(folder) ? nothing() : files.fsyncDir(path)

const FAULTS: Readonly<Record<string, Fault>> = {
  'a flush of the journal that is skipped': {
    files: (files: Files) => withMethods(files, { fdatasync: nothing }),
  },
  'a flush of new files that is skipped': {
    files: (files: Files) => withMethods(files, { fsync: nothing }),
  },
  'a reply before its record is durable': {
    journal: (journal: Journal) =>
      withMethods(journal, {
        append(grant, record) {
          journal.append(grant, record).catch(() => undefined)
          return Promise.resolve()
        },
      }),
  },
  'a journal cut off one sector too early': {
    files: (files: Files) =>
      withMethods(files, { truncate: (fd, bytes) => files.truncate(fd, Math.max(0, bytes - 512)) }),
  },
  'segments that go before a snapshot covers them': {
    journal: (journal: Journal) =>
      withMethods(journal, {
        covered(grant, actorKey) {
          const head = journal.headOf(actorKey)
          for (let mark = 0; mark < 2 && head > 0; mark += 1) journal.covered(grant, actorKey, head)
        },
      }),
  },
  'names of segments that are not flushed': {
    files: (files: Files) => withMethods(files, { fsyncDir: unlessIn(files, '/wal') }),
  },
  'names of snapshots that are not flushed': {
    files: (files: Files) => withMethods(files, { fsyncDir: unlessIn(files, '/snap') }),
  },
  'names of packs that are not flushed': {
    files: (files: Files) => withMethods(files, { fsyncDir: unlessIn(files, '/packs') }),
  },
  'an eviction that does not wait for its snapshot': {
    snapshots: (snapshots: SnapshotStore) =>
      withMethods(snapshots, {
        async put(grant, actorKey, image) {
          // It is on its way, and comes after the actor has left and the journal has heard of it.
          void later(TURNS_LATE).then(() => snapshots.put(grant, actorKey, image).catch(() => undefined))
          return { bytes: 1 }
        },
      }),
  },
}

/** Turns of the event loop by which a late snapshot comes too late. */
const TURNS_LATE = 20

async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('the check of histories reports', () => {
  test.each(Object.keys(FAULTS))('%s', async (name) => {
    const fault = FAULTS[name] ?? {}
    let histories = 0
    let violations: readonly string[] = []
    while (violations.length === 0 && histories < HISTORIES_MAX) {
      histories += 1
      violations = (await runHistory(histories, fault)).violations
    }
    tellCounts(`planted: ${name}`, { 'histories until it was reported': histories })
    expect(violations, `${histories} histories`).not.toEqual([])
  })
})
