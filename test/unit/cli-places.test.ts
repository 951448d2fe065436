import { expect, test } from 'vitest'
import { parseArguments } from '../../src/edges/cli/arguments.ts'
import { type Ask, asReply } from '../../src/edges/cli/reader.ts'
import { runRead } from '../../src/edges/cli/reads.ts'

const ANSWER = { agent_flight_recorder: {} }
const UNKNOWN = { error: 'guide_trace_not_found', message: 'No such guide.' }
const FORBIDDEN = { error: 'scope_forbidden', message: 'Not with this key.' }
const BUSY = { error: 'overloaded', message: 'Busy.' }

type Answers = Readonly<Record<string, object>>

/** Explains an id over a service that answers each scope in its own way and lists the named scopes, or refuses to list them. */
async function sought(answers: Answers, scopes: readonly string[] | object, flags: readonly string[] = []) {
  const asked: string[] = []
  const ask: Ask = async (name, fields) => {
    if (name === 'listActors') {
      if (!Array.isArray(scopes)) return asReply(false, scopes)
      const from = Number(fields['cursor'] ?? 0)
      const to = from + Number(fields['limit'])
      const next_cursor = to < scopes.length ? String(to) : null
      return asReply(true, { items: scopes.slice(from, to).map((scope) => ({ scope })), next_cursor })
    }
    const scope = typeof fields['scope'] === 'string' ? fields['scope'] : 'default'
    asked.push(scope)
    const body = answers[scope] ?? UNKNOWN
    return asReply(body === ANSWER, { ...body, tenant_id: 'acme', scope })
  }
  const invocation = parseArguments(['explain', 'g', ...flags], [])
  if (invocation.kind !== 'read') throw new Error('it reads nothing')
  const seen = { out: '', error: '' }
  const code = await runRead(invocation.command, ask, {
    isColoured: false,
    out: (part) => (seen.out += part),
    error: (part) => (seen.error += part),
    next: async () => false,
  })
  return { code, asked, ...seen }
}

test('the scope that is asked first is the only one when it has the id', async () => {
  const { code, asked } = await sought({ default: ANSWER }, ['default', 'web', 'shop'])
  expect([code, asked]).toEqual([0, ['default']])
})

test('an id is found behind scopes that do not have it or that a key must not see', async () => {
  const answers = { default: FORBIDDEN, a: FORBIDDEN, shop: ANSWER }
  const { code, asked, out } = await sought(answers, ['a', 'default', 'shop', 'b'])
  expect([code, asked]).toEqual([0, ['default', 'a', 'shop', 'b']])
  expect(out).toMatch(/Scope +acme\/shop/)
})

test('an id that several scopes have is not guessed at', async () => {
  const { code, out, error } = await sought({ a: ANSWER, b: ANSWER }, ['a', 'b', 'c'])
  expect([code, out]).toEqual([1, ''])
  expect(error).toBe('memgov: Several scopes have it, name one by --scope: a, b.\n')
})

test('an id that no scope has, and a refusal for another reason, are told', async () => {
  const none = await sought({}, ['a', 'b'])
  expect([none.code, none.error]).toEqual([
    1,
    'memgov: No such guide. It is in no scope of the tenant default: name another by --tenant.\n',
  ])
  const elsewhere = await sought({}, ['a'], ['--tenant', 'acme'])
  expect(elsewhere.error).toBe('memgov: No such guide. It is in no scope of the tenant acme.\n')
  const busy = await sought({ a: BUSY }, ['a', 'b'])
  expect([busy.code, busy.asked, busy.error]).toEqual([1, ['default', 'a'], 'memgov: Busy.\n'])
})

test('a scope that is named is the only one that is asked', async () => {
  const { code, asked, error } = await sought({ a: ANSWER }, ['a'], ['--scope', 'shop'])
  expect([code, asked, error]).toEqual([1, ['shop'], 'memgov: No such guide.\n'])
})

test('who may not list the scopes is told to name one', async () => {
  const { code, error } = await sought({}, { error: 'operator_required', message: 'Send an operator key.' })
  expect([code, error]).toEqual([
    1,
    'memgov: No such guide. Name its scope by --scope: Send an operator key.\n',
  ])
})

test('more scopes than a search may load are not asked', async () => {
  const many = Array.from({ length: 501 }, (_, at) => `s${at}`)
  const { code, asked, error } = await sought({}, many)
  expect([code, asked]).toEqual([1, ['default']])
  expect(error).toContain('There are more than 500 scopes: name the one of the id by --scope.')
})
