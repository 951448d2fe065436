import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { unknownFields } from '../../src/contract/parse.ts'
import { boundaryMeantBy, nearName } from '../../src/contract/unknown-fields.ts'
import { proving } from '../support/prove.ts'
import { BODY_OPERATIONS, parse, refusalOf } from './parsing.ts'

const prove = proving(300)
const OBSERVE = Object.keys(OPERATIONS.observe.request.shape)
const GUIDE = Object.keys(OPERATIONS.guide.request.shape)
const FEEDBACK = Object.keys(OPERATIONS.feedback.request.shape)

describe('the near name of an unknown field', () => {
  test.each([
    ['text', OBSERVE, 'input_text'],
    ['inputText', OBSERVE, 'input_text'],
    ['input-text', OBSERVE, 'input_text'],
    ['content', OBSERVE, 'input_text'],
    ['handof', OBSERVE, 'handoff'],
    ['excution', OBSERVE, 'execution'],
    ['query', GUIDE, 'query_text'],
    ['text', GUIDE, 'query_text'],
    ['top_k', GUIDE, 'limit'],
    ['includePackets', GUIDE, 'include_packets'],
    ['limti', GUIDE, 'limit'],
    ['guide_id', FEEDBACK, 'guide_trace_id'],
    ['resaon', FEEDBACK, 'reason'],
    ['surprise', OBSERVE, null],
    ['colour', GUIDE, null],
    ['x', GUIDE, null],
  ])('%s means %s here: %s', (sent, known, expected) => {
    expect(nearName(sent, known)).toBe(expected)
  })

  test('one slip in a name of six letters or more is recognised, unless another name is as near', () => {
    const names = GUIDE.filter((name) => name.replaceAll('_', '').length > 5)
    prove(fc.constantFrom(...names), fc.nat(99), (name, at) => {
      const place = at % name.length
      const sent = name.slice(0, place) + name.slice(place + 1)
      expect(nearName(sent, GUIDE)).not.toBeNull()
    })
  })

  test('any text gets an answer, and a long one costs nothing', () => {
    prove(fc.string({ unit: 'binary' }), (sent) => {
      const near = nearName(sent, GUIDE)
      expect(near === null || GUIDE.includes(near)).toBe(true)
    })
    expect(nearName('query_text'.repeat(1000), GUIDE)).toBeNull()
    expect(nearName('__proto__', GUIDE)).toBeNull()
    expect(nearName('constructor', GUIDE)).toBeNull()
  })
})

describe('a field of memory at the top level', () => {
  test.each([
    ['valid_til', 'memory.valid_until'],
    ['valid_until', 'memory.valid_until'],
    ['kind', 'memory.kind'],
    ['surprise', null],
  ])('%s means %s where a memory is taken, and nothing elsewhere', (sent, near) => {
    expect(unknownFields(OPERATIONS.observe.request.shape, [sent])).toEqual([{ name: sent, near }])
    expect(unknownFields(OPERATIONS.guide.request.shape, [sent])).toEqual([{ name: sent, near: null }])
  })
})

describe('a refusal', () => {
  test.each(BODY_OPERATIONS.filter((name) => !['listSkills', 'operatorSnapshot'].includes(name)))(
    '%s names the unknown fields that were sent beside what is missing',
    (operation) => {
      const refusal = refusalOf(() =>
        parse(operation, { limit: 'x', tenant_id: '-', surprise: 1, RunId: 'r' }),
      )
      expect(refusal.message).toContain(
        'Field surprise is not known. Field RunId is not known; did you mean run_id?',
      )
      expect(refusal.details['unknown_fields']).toEqual(
        expect.arrayContaining([
          { field: 'surprise', did_you_mean: null },
          { field: 'RunId', did_you_mean: 'run_id' },
        ]),
      )
    },
  )

  test('tells three of many in its message, twenty in its details, and cuts long names', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${'n'.repeat(100)}\n${at}`, at]))
    const { message, details } = refusalOf(() => parse('guide', many))
    expect(message).toContain('27 further fields are not known.')
    expect(message.length).toBeLessThan(500)
    expect(details['unknown_fields']).toHaveLength(20)
  })

  test('of an empty body says that it is empty', () => {
    expect(refusalOf(() => parse('guide', {})).message).toBe(
      'query_text: This is required: send text. Nothing was sent: send the fields as one JSON object, with GET as query parameters.',
    )
  })

  test.each([
    ['turbo', '"turbo"'],
    ['tur\nbo\u202e', '"tur bo"'],
    [`${'long '.repeat(20)}`, '"long long long long long long long long…"'],
    [7, '7'],
    [['full_power'], 'a list'],
    [{ a: 1 }, 'an object'],
  ])('of a listed word tells what came: %j', (mode, told) => {
    expect(refusalOf(() => parse('guide', { query_text: 'x', mode })).message).toBe(
      `mode: Send one of standard, full_power, not ${told}.`,
    )
  })
})

test('only of unknown fields that are named one by one the near name is looked for', () => {
  const names = Array.from({ length: 30 }, (_, at) => `input_tex${String.fromCharCode(97 + at)}`)
  const near = unknownFields(OPERATIONS.observe.request.shape, names).map((field) => field.near)
  expect(near).toEqual([...Array(20).fill('input_text'), ...Array(10).fill(null)])
})

test('a name longer than any field resembles no boundary', () => {
  expect(boundaryMeantBy(`tenant_${'_'.repeat(60)}id`)).toBeNull()
})
