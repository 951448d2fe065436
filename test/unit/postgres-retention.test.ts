import { expect, test } from 'vitest'
import { keepRetention } from '../../src/adapters/postgres/store.ts'
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
