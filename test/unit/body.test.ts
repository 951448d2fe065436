import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { VALUES_MAX } from '../../src/contract/parse.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { bodyOfQuery, parseBody, refuseUnclearQuery } from '../../src/edges/http/body.ts'
import { prove } from '../support/prove.ts'

function codeOf(text: string): string {
  try {
    parseBody(Buffer.from(text))
    return 'accepted'
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

test('every JSON text of moderate depth is read as JSON.parse reads it', () => {
  prove(fc.json({ maxDepth: 8 }), (text) => {
    fc.pre(!/__proto__/.test(JSON.stringify(JSON.parse(text))))
    expect(parseBody(Buffer.from(text))).toEqual(JSON.parse(text))
  })
})

const QUERY = z.object({
  name: z
    .string()
    .regex(/^[a-z]+$/)
    .max(8)
    .nullish(),
  limit: z.number().max(200).nullish(),
  ids: z.array(z.string()).nullish(),
  whole: z.boolean().nullish(),
})

test.each([
  [
    'a value of another field than text is JSON',
    { limit: '5', ids: '["a"]', whole: 'true' },
    { limit: 5, ids: ['a'], whole: true },
  ],
  ['so is one that is refused for its size', { limit: '500' }, { limit: 500 }],
  ['text stays text, also the wrong one', { name: '12', other: '12' }, { name: '12', other: '12' }],
  [
    'also when it only begins as JSON does',
    { name: '1 a', limit: '05', ids: '[a', whole: '1' },
    { name: '1 a', limit: '05', ids: '[a', whole: 1 },
  ],
])('a query becomes a body: %s', (_what, query, body) => {
  expect(bodyOfQuery(QUERY, query)).toEqual(body)
})

test('text of any script is read as it was written', () => {
  const anyText = fc.array(
    fc.constantFrom(
      'a',
      '"',
      '\\',
      '\n',
      '\u2028',
      'ß',
      'я',
      '数',
      '\ufeff',
      '\u{1f469}\u200d\u{1f4bb}',
      '\u0000',
      '{[',
    ),
  )
  prove(fc.array(anyText), (words) => {
    const value = words.map((characters) => characters.join(''))
    expect(parseBody(Buffer.from(JSON.stringify(value)))).toEqual(value)
    expect(parseBody(Buffer.from(`\ufeff${JSON.stringify(value)}`))).toEqual(value)
  })
})

test('nesting is refused above 32 levels however arrays, objects and strings full of brackets are mixed', () => {
  const layer = fc.constantFrom(
    (inner: string) => `[${inner}]`,
    (inner: string) => `{"k":${inner}}`,
    (inner: string) => String.raw`["\\\"[{[{", ${inner}]`,
    (inner: string) => `[[],{},${inner}]`,
    (inner: string) => String.raw`["a\" [[{", "\\", "[", "\\\"{", ${inner}]`,
  )
  prove(fc.array(layer, { minLength: 28, maxLength: 36 }), (layers) => {
    const text = layers.reduce((inner, wrap) => wrap(inner), '0')
    // `[[],{},0]` opens one level more than itself only when it is the innermost one.
    const innermost = layers[0]?.('0') === '[[],{},0]' ? 1 : 0
    expect(codeOf(text)).toBe(layers.length + innermost > 32 ? 'invalid_request' : 'accepted')
  })
})

test('as many values are taken as a request may have, whatever they are, and not one more', () => {
  const row = fc.record({
    item: fc.constantFrom('0', '"a, [b"', '[]', '{ }', '{"k":[0,{}]}', '[[ ],"\\"{,"]'),
    space: fc.constantFrom('', ' ', '\n\t'),
    isOver: fc.boolean(),
  })
  fc.assert(
    fc.property(row, ({ item, space, isOver }) => {
      const each = valuesIn(JSON.parse(item))
      const room = VALUES_MAX - 1
      const items = Array<string>(Math.floor(room / each)).fill(item)
      for (let left = room % each; left > 0; left -= 1) items.push('0')
      if (isOver) items.push('0')
      const text = `[${space}${items.join(`${space},${space}`)}]`
      expect(codeOf(text)).toBe(isOver ? 'invalid_request' : 'accepted')
    }),
    { numRuns: 12 },
  )
})

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, part) => sum + valuesIn(part), 1)
}

test('a key __proto__ is refused whichever of its letters are escaped', () => {
  const escaped = fc.tuple(
    ...'__proto__'.split('').map((letter) => {
      const hex = letter.charCodeAt(0).toString(16)
      return fc.constantFrom(letter, `\\u00${hex}`, `\\u00${hex.toUpperCase()}`)
    }),
  )
  prove(escaped, fc.boolean(), (letters, isDeep) => {
    const object = `{"${letters.join('')}":{"x":1}}`
    expect(codeOf(isDeep ? `[{"a":${object}}]` : object)).toBe('invalid_request')
  })
})

test('bytes that are not UTF-8 are refused instead of being replaced', () => {
  const latin1 = Buffer.from('{"text":"größer"}', 'latin1')
  expect(() => parseBody(latin1)).toThrow(DomainError)
})

test('a query that is not UTF-8 is refused instead of being read as its signs', () => {
  const read = (scope: string) => () => refuseUnclearQuery({ scope }, `/v1/x?scope=${scope}`, false)
  for (const scope of ['gr%FCn', '%', 'a%2', '%ED%A0%80']) expect(read(scope)).toThrow(/encoded in UTF-8/)
  for (const scope of ['gr%C3%BCn', 'a+b', '%25FC']) expect(read(scope)).not.toThrow()
})
