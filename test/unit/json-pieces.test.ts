import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLongJson, jsonPieces, sortedJson, sortedJsonPieces } from '../../src/core/base/json-pieces.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('json-pieces')

/** Long enough that its JSON has several pieces, wherever its parts are cut. */
const anyLong = fc
  .tuple(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }),
    fc.integer({ min: 1, max: 40_000 }),
    fc.integer({ min: 0, max: 9_000 }),
  )
  .map(([value, text, times, values]) => ({
    z: value,
    text: text.repeat(times),
    gone: undefined,
    many: Array.from({ length: values }, (_, at) => ({ [text]: at, list: [undefined, null, value] })),
    a: { [`${text}\u2028`]: `\ud83d${text}`.repeat(times), none: undefined },
  }))

describe('JSON in pieces', () => {
  test('the pieces together are what JSON.stringify makes, also of pairs of surrogates, halves of them, and what is undefined', () => {
    prove(
      anyLong,
      (value) => {
        expect([...jsonPieces(value)].join('') === JSON.stringify(value)).toBe(true)
        expect([...sortedJsonPieces(value)].join('') === sortedJson(value)).toBe(true)
      },
      12,
    )
  })

  test('with sorted keys it is the same for the same members in any order', () => {
    expect(sortedJson({ b: [{ d: 1, c: 2 }], a: 'x' })).toBe('{"a":"x","b":[{"c":2,"d":1}]}')
    expect(sortedJson({ a: 'x', b: [{ c: 2, d: 1 }] })).toBe('{"a":"x","b":[{"c":2,"d":1}]}')
  })

  test.each([
    ['one text', 'y'.repeat(5_000_000)],
    ['many small values', Array.from({ length: 200_000 }, () => ({}))],
    ['one value inside others', [[[{ a: ['é'.repeat(2_000_000)] }]]]],
  ])('no piece of a large value is large: %s', (_, value) => {
    const pieces = [...jsonPieces(value)]
    expect(isLongJson(value)).toBe(true)
    expect(pieces.length).toBeGreaterThan(4)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000)
  })

  test('a small value is no long one and has one piece', () => {
    expect(isLongJson({ a: ['b'] })).toBe(false)
    expect([...jsonPieces({ a: ['b'] })]).toEqual(['{"a":["b"]}'])
  })
})
