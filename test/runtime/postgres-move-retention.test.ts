import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { moveStore } from '../../src/app/migrate/move-store.ts'
import { databaseTarget, folderSource } from '../../src/app/migrate/places.ts'
import { type Base, borrowedBase, returnBase } from '../harness/postgres-store.ts'
import { moveParts } from '../support/moves.ts'
import { type MadeStore, makeStore } from '../support/stored-actors.ts'

// What is too old is looked for every ten minutes: here whenever there is time, as a move of a large store takes longer.
vi.mock(import('../../src/adapters/files/schedule.ts'), () => ({
  systemSchedule(task, ms) {
    const timer = setTimeout(task, ms === 600_000 ? 5 : ms)
    return () => clearTimeout(timer)
  },
}))

let base: Base
let made: MadeStore

beforeAll(async () => {
  base = await borrowedBase()
  made = await makeStore(24)
}, 60_000)

afterAll(() => returnBase(base))

test('a move that takes longer than the time between two removals brings what is older than retention too', async () => {
  const parts = moveParts({ exposureRetentionDays: 1, historyRetentionDays: 1 })
  const source = await folderSource(made.crashed, parts)
  const target = await databaseTarget(base.url, parts)
  const { exposures } = await moveStore(source, target)
  expect(exposures).toBeGreaterThan(0)
  const [row] = await base.sql('select count(*)::int as sets from memgov.exposure')
  expect(row).toEqual({ sets: exposures })
  await target.release()
  await source.release()
})
