import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock, systemEntropy } from '../../src/adapters/system/clock-and-entropy.ts'
import { type LogLevel, pinoLog } from '../../src/adapters/system/log.ts'
import { prove } from '../support/prove.ts'

const V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an id is a lower-case UUID of version 7 that holds the given instant', () => {
  const entropy = systemEntropy()
  prove(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (nowMs) => {
    const [, high = '', low = ''] = V7.exec(entropy.uuid(nowMs)) ?? []
    expect(Number.parseInt(high + low, 16)).toBe(nowMs)
  })
})

test('ids differ, also of one millisecond, and sort by the time that they were made at', () => {
  const entropy = systemEntropy()
  const ids = Array.from({ length: 50_000 }, (_, made) => entropy.uuid(1_700_000_000_000 + (made >> 13)))
  expect(new Set(ids).size).toBe(ids.length)
  const times = [...ids].sort().map((id) => id.slice(0, 13))
  expect(times).toEqual(ids.map((id) => id.slice(0, 13)))
})

/** The bits of an id behind its time, without those that say what it is. */
function randomBitsOf(id: string): readonly number[] {
  const [, , , a = '', b = ''] = /^(\w{8})-(\w{4})-7(\w{3})-(\w{4})-/.exec(id) ?? []
  const bits = BigInt(`0x${a}`) * 0x4000n + (BigInt(`0x${b}`) & 0x3fffn)
  const low = BigInt(`0x${id.slice(24)}`)
  const all = (bits << 48n) + low
  return Array.from({ length: 74 }, (_, at) => Number((all >> BigInt(at)) & 1n))
}

/** The share of pairs of own ids, one behind the other, in which each bit differs, with so many foreign ids between. */
function changesOver(foreign: number): readonly number[] {
  const entropy = systemEntropy()
  const pairs = 4000
  const changes = Array.from({ length: 74 }, () => 0)
  for (let pair = 0; pair < pairs; pair += 1) {
    const first = randomBitsOf(entropy.uuid(1_700_000_000_000))
    for (let made = 0; made < foreign; made += 1) entropy.uuid(1_700_000_000_000)
    const second = randomBitsOf(entropy.uuid(1_700_000_000_000))
    for (const [at, bit] of first.entries()) if (bit !== second[at]) changes[at] = (changes[at] ?? 0) + 1
  }
  return changes.map((count) => count / pairs)
}

test('how many ids were made for others between two of its own, a tenant cannot tell: each bit is as often the same as not', () => {
  for (const foreign of [0, 1, 37]) {
    // Of 4000 fair coins a share is beyond these bounds once in a thousand million.
    for (const share of changesOver(foreign)) {
      expect(share).toBeGreaterThan(0.45)
      expect(share).toBeLessThan(0.55)
    }
  }
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

test.each(['err', 'error'])('an error is logged with its stack in both forms: %s', (name) => {
  const failure = (log: ReturnType<typeof pinoLog>) => log.error({ [name]: new Error('boom') }, 'failed')
  const parsed: unknown = JSON.parse(written('info', false, failure))
  expect(parsed).toMatchObject({ [name]: { message: 'boom', stack: expect.stringContaining('system.test') } })
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
