import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRuntime, plainBody } from '../../src/app/create-runtime.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { refusalOf } from '../contract/parsing.ts'
import { proving } from '../support/prove.ts'

class Money {
  readonly cents = 5
}

const cyclic: Record<string, unknown> = {}
cyclic['self'] = { again: [cyclic] }

describe('a body from inside the process', () => {
  test('that JSON can carry is handed on as it is', () => {
    proving(300)(fc.jsonValue(), (body) => plainBody(body) === body)
    const body = { a: [1, { b: null, c: undefined }], d: Object.assign(Object.create(null), { e: 'x' }) }
    expect(plainBody(body)).toBe(body)
    const foreign: unknown = runInNewContext('({ a: [{ b: 1 }] })')
    expect(plainBody(foreign)).toBe(foreign)
  })

  test('has its dates written as text, wherever they are, and is left as it was', () => {
    const at = new Date('2026-01-31T12:00:00Z')
    const foreign: unknown = runInNewContext('new Date(0)')
    const body = { memory: { observed_at: at, slots: { all: [1, foreign] } }, input_text: 'x' }
    expect(plainBody(body)).toEqual({
      memory: { observed_at: '2026-01-31T12:00:00.000Z', slots: { all: [1, '1970-01-01T00:00:00.000Z'] } },
      input_text: 'x',
    })
    expect(body.memory.observed_at).toBe(at)
  })

  test.each([
    [1n, 'bigint'],
    [() => 1, 'function'],
    [Symbol('s'), 'symbol'],
    [Number.NaN, 'not NaN'],
    [Number.POSITIVE_INFINITY, 'not Infinity'],
    [new Map(), 'Map'],
    [new Set(), 'Set'],
    [new Money(), 'Money'],
    [new Uint8Array(2), 'Uint8Array'],
    [Object('boxed'), 'String'],
    [new Date(Number.NaN), 'a date that exists'],
  ])('is refused with the path of what JSON cannot carry: %s', (value, word) => {
    const { code, issues } = refusalOf(() => plainBody({ input_text: 'x', slots: { a: [0, value] } }))
    expect(code).toBe('invalid_request')
    expect(issues).toHaveLength(1)
    expect(issues[0]?.path).toBe('slots.a.1')
    expect(issues[0]?.message).toMatch(/^slots\.a\.1: Send /)
    expect(issues[0]?.message).toContain(word)
  })

  test('is refused when it holds itself; the same object twice is no cycle', () => {
    expect(refusalOf(() => plainBody(cyclic)).issues).toMatchObject([{ path: 'self.again.0' }])
    const shared = { a: 1 }
    const twice = { one: shared, other: [shared] }
    expect(plainBody(twice)).toBe(twice)
  })

  test('is refused at the top too, and with at most twenty issues', () => {
    expect(refusalOf(() => plainBody(new Money())).message).toMatch(/^Send plain JSON instead of a Money/)
    const many = Array.from({ length: 500 }, () => 1n)
    expect(refusalOf(() => plainBody({ many })).issues).toHaveLength(20)
  })
})

test('a runtime takes dates as times, refuses what JSON cannot carry, and shows an operator the default scope', async () => {
  const runtime = await createRuntime({ dataDir: ':memory:', logLevel: 'silent' })
  const valid_until = new Date('2020-01-01T00:00:00Z')
  const observed_at = new Date('2019-12-01T00:00:00Z')
  const { memory_ids } = await runtime.observe({
    input_text: 'The freeze ends with the year.',
    memory: { valid_until, observed_at, nodes: [{ text: 'A node.', observed_at }] },
    execution: { title: 'Deploy', outcome: 'ok', observed_at },
    claims: [{ subject_key: 's', predicate: 'p', value: 1, valid_from: observed_at }],
  })
  const until = new Date(Date.now() + 3_600_000)
  await runtime.forget({ operation: 'suppress', target: 'memory', reason: 'r', memory_ids, until })
  const { result } = await runtime.rehydrate({ reason: 'r', memory_ids, mode: 'full' })
  expect(JSON.stringify(result)).toContain('2019-12-01T00:00:00.000Z')
  const lost = runtime.observe({ input_text: 'x', memory: { slots: { count: 1n } } })
  await expect(lost).rejects.toBeInstanceOf(DomainError)
  await expect(lost).rejects.toThrow('memory.slots.count: Send a number or text instead of a bigint.')
  expect((await runtime.operatorSnapshot()).scope).toBe('default')
  await runtime.close()
})
