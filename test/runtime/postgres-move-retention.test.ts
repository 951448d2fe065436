import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { moveStore } from '../../src/app/migrate/move-store.ts'
import { databaseTarget, folderSource } from '../../src/app/migrate/places.ts'
import { memgov } from '../harness/command.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Base, borrowedBase, returnBase } from '../harness/postgres-store.ts'
import { moveParts } from '../support/moves.ts'
import { type MadeStore, makeStore } from '../support/stored-actors.ts'

// What is too old is looked for every ten minutes: here whenever there is time, as a move of a large store takes longer.
vi.mock(import('../../src/adapters/files/concurrency.ts'), async (original) => ({
  ...(await original()),
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

test('a move or an import that takes longer than the time between two removals removes nothing that is older than retention', async () => {
  const parts = moveParts({ exposureRetentionDays: 1, historyRetentionDays: 1 })
  const source = await folderSource(made.crashed, parts)
  const target = await databaseTarget(base.url, parts)
  const { exposures } = await moveStore(source, target)
  expect(exposures).toBeGreaterThan(0)
  await target.release()
  await source.release()
  const stored = () => base.sql('select count(*)::int as sets from memgov.exposure')
  expect(await stored()).toEqual([{ sets: exposures }])

  const archive = join(dataFolder(), 'archive')
  await memgov('export', '--data-dir', made.closed, '--out', archive)
  expect(await memgov('import', '--store', base.url, '--in', archive)).toMatchObject({ stderr: '' })
  expect(await stored()).toEqual([{ sets: exposures }])
})
