import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Options } from '../../src/app/config/options.ts'
import { connectionsWithin, openFilesMax } from '../../src/app/serve.ts'
import { prove } from '../support/prove.ts'

const configOf = (given: object) => Options.parse(given)

test('connections, those above their bound, files and threads together stay within the open files of the process', () => {
  const given = fc.record({
    connectionsMax: fc.integer({ min: 1, max: 65_535 }),
    workers: fc.integer({ min: 1, max: 64 }),
    concurrentLoadsMax: fc.integer({ min: 1, max: 256 }),
  })
  prove(fc.integer({ min: 1500, max: 100_000 }), given, (filesMax, each) => {
    const connections = connectionsWithin(filesMax, configOf(each))
    const surplus = Math.min(64, connections)
    const others = 64 + 4 * (each.workers + each.concurrentLoadsMax)
    expect(connections).toBeGreaterThanOrEqual(Math.min(16, each.connectionsMax))
    expect(connections).toBeLessThanOrEqual(each.connectionsMax)
    expect(connections + surplus + others).toBeLessThanOrEqual(filesMax)
  })
})

test('with many open files, or where the system does not tell, the option counts', () => {
  expect(connectionsWithin(20_000, configOf({}))).toBe(1024)
  expect(connectionsWithin(null, configOf({}))).toBe(1024)
})

test('a limit of 1024 open files leaves room for files and threads', () => {
  expect(connectionsWithin(1024, configOf({}))).toBe(860)
})

test('a limit too small to work is refused with what is needed', () => {
  expect(() => connectionsWithin(64, configOf({}))).toThrow(
    'this process may open 64 files (ulimit -n), and needs 132: raise the limit',
  )
})

test.skipIf(process.platform !== 'linux')('the limit of this process is read', () => {
  expect(openFilesMax()).toBeGreaterThan(0)
})
