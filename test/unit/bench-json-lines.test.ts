import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonLines } from '../../bench/mcp-memory/json-lines.ts'

describe('lines of JSON', () => {
  test('values come out as they went in, wherever the stream is cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), cuts, (values, sizes) => {
        const stream = values.map((value) => `${JSON.stringify(value)}\n`).join('\n')
        const lines = new JsonLines()
        const got: unknown[] = []
        for (let at = 0, part = 0; at < stream.length; part += 1) {
          const size = sizes[part % sizes.length] ?? 1
          got.push(...lines.take(stream.slice(at, at + size)))
          at += size
        }
        expect(JSON.stringify(got)).toBe(JSON.stringify(values))
      }),
    )
  })

  test('a line that is no JSON is refused', () => {
    expect(() => new JsonLines().take('hello\n')).toThrow(SyntaxError)
  })
})
