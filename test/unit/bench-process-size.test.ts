import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { cpuMsOf, sizeOf } from '../../bench/soak/process-size.ts'

const NOBODY = 2 ** 30

describe.skipIf(process.platform !== 'linux')('what the system tells of a process', () => {
  test('its processor time lies between what the process says of itself before and after, in steps of 10 ms', () => {
    const spent = () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000
    }
    const before = spent()
    const told = cpuMsOf(process.pid) ?? Number.NaN
    const after = spent()
    // User and system time are each cut to a step, and counted by the system a little apart.
    expect(told).toBeGreaterThanOrEqual(before - 40)
    expect(told).toBeLessThanOrEqual(after + 40)
  })

  test('of a process that is gone it tells nothing', () => {
    expect([cpuMsOf(NOBODY), sizeOf(NOBODY)]).toEqual([null, null])
  })
})
