import { expect, test } from 'vitest'
import { retryErasures } from '../../src/app/upkeep.ts'
import { ManualTimers } from '../crash/journal-life.ts'

const LOOKS = 20

test('erasures are tried again at every twentieth look, while there is no room at none, and at the first with room', () => {
  const timers = new ManualTimers()
  let tries = 0
  let hasRoom = true
  const registry = { retryErasures: async () => void (tries += 1) }
  const look = (times: number): void => {
    for (let at = 0; at < times; at += 1) timers.fire()
  }
  const stop = retryErasures(registry, { mayTry: () => hasRoom, schedule: timers.schedule })
  look(LOOKS - 1)
  expect(tries).toBe(0)
  look(1)
  expect(tries).toBe(1)
  hasRoom = false
  look(2 * LOOKS)
  expect(tries).toBe(1)
  hasRoom = true
  look(1)
  expect(tries).toBe(2)
  look(LOOKS - 1)
  expect(tries).toBe(2)
  stop()
  expect(timers.waiting).toBe(0)
  look(LOOKS)
  expect(tries).toBe(2)
})
