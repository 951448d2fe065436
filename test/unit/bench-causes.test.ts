import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CAUSES, causesOf, type Look, type Use } from '../../bench/observe/causes.ts'

const IDLE: Use = { ranMs: 0, waitedMs: 0 }

function lookAt(fromMs: number, parts: Partial<Look> = {}): Look {
  return { fromMs, toMs: fromMs + 2, serving: IDLE, helpers: IDLE, generator: IDLE, ...parts }
}

function told(causes: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...causes].filter(([, share]) => share > 0))
}

describe('causes of a tail', () => {
  test('a moment counts once for every request that waits through it', () => {
    const looks = [lookAt(0, { serving: { ranMs: 2, waitedMs: 0 } }), lookAt(2)]
    const requests = [
      { fromMs: 0, toMs: 4 },
      { fromMs: 0, toMs: 2 },
      { fromMs: 0, toMs: 2 },
    ]
    expect(told(causesOf(looks, [], requests))).toEqual({
      'serving thread works: requests in front, then the own one': 0.75,
      'all wait: the disk, wake-ups on their way': 0.25,
    })
  })

  test('a wait that the system tells of at its end is laid into the looks before', () => {
    const looks = [lookAt(0), lookAt(2), lookAt(4, { serving: { ranMs: 0, waitedMs: 6 } })]
    expect(told(causesOf(looks, [], [{ fromMs: 0, toMs: 2 }]))).toEqual({
      'serving thread has work and no core': 1,
    })
  })

  test('in a pause work is the collector, and sleep is waiting for its helpers', () => {
    const looks = [lookAt(0, { serving: { ranMs: 1, waitedMs: 0 }, helpers: { ranMs: 2, waitedMs: 0 } })]
    expect(told(causesOf(looks, [{ fromMs: -1, toMs: 3 }], [{ fromMs: 0, toMs: 2 }]))).toEqual({
      'collector works': 0.5,
      'collector waits for its helper threads': 0.5,
    })
  })

  test('shares are of the whole, whatever was seen', () => {
    const use = fc.record({
      ranMs: fc.double({ min: 0, max: 4, noNaN: true }),
      waitedMs: fc.double({ min: 0, max: 50, noNaN: true }),
    })
    const parts = fc.record({ serving: use, helpers: use, generator: use })
    const span = fc
      .tuple(fc.integer({ min: -5, max: 40 }), fc.integer({ min: 1, max: 30 }))
      .map(([fromMs, ms]) => ({ fromMs, toMs: fromMs + ms }))
    fc.assert(
      fc.property(
        fc.array(parts, { minLength: 1, maxLength: 12 }),
        fc.array(span, { maxLength: 4 }),
        fc.array(span, { minLength: 1, maxLength: 6 }),
        (all, pauses, requests) => {
          const looks = all.map((each, at) => lookAt(at * 2, each))
          const shares = [...causesOf(looks, pauses, [...requests, { fromMs: 0, toMs: 2 }]).values()]
          expect(shares).toHaveLength(CAUSES.length)
          expect(Math.min(...shares)).toBeGreaterThanOrEqual(-1e-9)
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6)
        },
      ),
    )
  })
})
