import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { retryErasures } from '../../src/app/upkeep.ts'
import { ManualTimers } from '../crash/journal-life.ts'

const LOOKS = 20

test('erasures are tried again at every twentieth look, while there is no room at none, and at the first with room', async () => {
  const timers = new ManualTimers()
  let tries = 0
  let hasRoom = true
  const registry = { retryErasures: async () => void (tries += 1) }
  const look = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) {
      timers.fire()
      await turnOfTheLoop()
    }
  }
  const stop = retryErasures(registry, { mayTry: () => hasRoom, schedule: timers.schedule })
  await look(LOOKS - 1)
  expect(tries).toBe(0)
  await look(1)
  expect(tries).toBe(1)
  hasRoom = false
  await look(2 * LOOKS)
  expect(tries).toBe(1)
  hasRoom = true
  await look(1)
  expect(tries).toBe(2)
  await look(LOOKS - 1)
  expect(tries).toBe(2)
  stop()
  expect(timers.waiting).toBe(0)
  await look(LOOKS)
  expect(tries).toBe(2)
})
