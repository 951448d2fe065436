import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { systemEntropy } from '../../src/adapters/system/entropy.ts'
import { type LogLevel, pinoLog } from '../../src/adapters/system/log.ts'

const V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an id is a lower-case UUID of version 7 that holds the given instant', () => {
  const entropy = systemEntropy()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (nowMs) => {
      const [, high = '', low = ''] = V7.exec(entropy.uuid(nowMs)) ?? []
      expect(Number.parseInt(high + low, 16)).toBe(nowMs)
    }),
  )
})

test('ids of one millisecond differ and sort in the order they were made, even when the clock stands still', () => {
  const entropy = systemEntropy()
  const ids = Array.from({ length: 50_000 }, () => entropy.uuid(1_700_000_000_000))
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
})

test('two processes at the same instant make different ids', () => {
  expect(systemEntropy().uuid(5)).not.toBe(systemEntropy().uuid(5))
})

test('the clock is the wall clock', () => {
  const before = Date.now()
  const now = systemClock().nowMs()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

function written(level: LogLevel, isTTY: boolean, write: (log: ReturnType<typeof pinoLog>) => void): string {
  const texts: string[] = []
  write(pinoLog(level, { isTTY, write: (text) => texts.push(text) }))
  return texts.join('')
}

test('in a pipe every line is one JSON object with time, level, fields and message', () => {
  const text = written('info', false, (log) => log.warn({ flush_ms: 800 }, 'disk is slow'))
  expect(text.endsWith('\n')).toBe(true)
  expect(JSON.parse(text)).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    flush_ms: 800,
    msg: 'disk is slow',
  })
})

test('on a terminal a line is for a person', () => {
  const text = written('info', true, (log) => log.warn({ flush_ms: 800, kind: 'sync' }, 'disk is slow'))
  expect(text).toMatch(/^\d\d:\d\d:\d\d warn {2}disk is slow {2}flush_ms=800 {2}kind=sync\n$/)
})

test('an error is logged with its stack in both forms', () => {
  const failure = (log: ReturnType<typeof pinoLog>) => log.error({ err: new Error('boom') }, 'failed')
  const parsed: unknown = JSON.parse(written('info', false, failure))
  expect(parsed).toMatchObject({ err: { message: 'boom', stack: expect.stringContaining('system.test') } })
  expect(written('info', true, failure)).toMatch(/failed\n {4}Error: boom\n {8}at .*system\.test/)
})

test('lines below the level are not written', () => {
  const all = (log: ReturnType<typeof pinoLog>) => {
    log.debug({}, 'one')
    log.info({}, 'two')
    log.warn({}, 'three')
    log.error({}, 'four')
  }
  const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']
  const counts = levels.map((level) => written(level, false, all).split('\n').length - 1)
  expect(counts).toEqual([4, 3, 2, 1, 0])
})
