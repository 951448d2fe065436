import { expect, test } from 'vitest'
import { over } from '../../src/adapters/files/store-parts.ts'
import { keepRetention, openPostgresStore } from '../../src/adapters/postgres/store.ts'
import { SERVING_ROLE } from '../harness/postgres.ts'
import { postgresBase, postgresOptions } from '../harness/postgres-store.ts'
import { manualClock, memoryLog } from '../harness/system.ts'

test('retention that is stopped while it runs does not begin again', async () => {
  const tasks: (() => void)[] = []
  const schedule = (task: () => void) => {
    tasks.push(task)
    return () => undefined
  }
  const answers: ((error: Error) => void)[] = []
  const longQuery = () => new Promise<never>((_resolve, reject) => void answers.push(reject))
  const retained = { exposureRetentionMs: 1, historyRetentionMs: 1 }
  const { log, lines } = memoryLog()
  const stop = keepRetention({ clock: manualClock(0), log, schedule, ...retained }, Object({ longQuery }))
  tasks[0]?.()
  expect(answers).toHaveLength(1)
  stop()
  answers[0]?.(new Error('the database is closed'))
  await expect.poll(() => lines.length).toBe(1)
  await new Promise(setImmediate)
  expect(tasks).toHaveLength(1)
})

test('a node whose own clock is a year ahead removes nothing that the store would keep', async () => {
  const tasks: (() => void)[] = []
  const asked: (readonly unknown[])[] = []
  const base = await postgresBase()
  // How a server prints fractions says nothing of the time.
  await base.sql(`alter role ${SERVING_ROLE} in database ${base.name} set extra_float_digits = -15`)
  const store = await openPostgresStore({
    ...postgresOptions(base.url),
    clock: manualClock(Date.now() + 365 * 24 * 3_600_000),
    schedule(task, ms) {
      if (ms === 600_000) tasks.push(task)
      return () => undefined
    },
    around: (database) =>
      over(database, {
        longQuery(statement, values) {
          asked.push(values)
          return database.longQuery(statement, values)
        },
      }),
  })
  tasks[0]?.()
  await expect.poll(() => asked.length).toBe(3)
  for (const [beforeMs] of asked) expect(Number(beforeMs)).toBeLessThan(Date.now())
  await store.close()
})
