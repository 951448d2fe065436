import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type Place, postJson, runQuery } from '../../src/edges/cli/query.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const ANSWER = [200, { agent_flight_recorder: {} }] as const
const UNKNOWN = [404, { error: 'memory_not_found', message: 'No such memory.' }] as const
const FORBIDDEN = [403, { error: 'scope_forbidden', message: 'Not with this key.' }] as const
const BUSY = [503, { error: 'overloaded', message: 'Busy.' }] as const

type Answers = Readonly<Record<string, readonly [number, object]>>

/** Asks a service that answers each scope in its own way for an id in the named scopes. */
async function sought(answers: Answers, scopes: readonly string[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => {
      text += part.toString()
    })
    request.on('end', () => {
      const { scope = 'default' } = JSON.parse(text)
      asked.push(scope)
      const [status, body] = answers[scope] ?? UNKNOWN
      response.writeHead(status).end(JSON.stringify({ ...body, tenant_id: 'acme', scope }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const seen = { out: '', error: '' }
  const places: readonly Place[] = scopes.map((scope) => ({ tenant_id: 'acme', scope }))
  const code = await runQuery(
    (path, body) => postJson({ url: new URL(`http://127.0.0.1:${port}`), key: null }, path, body),
    { path: '/v1/audit/flight-recorder', body: { guide_trace_id: 'g' }, print: 'explain' },
    {
      isColoured: false,
      out: (part) => {
        seen.out += part
      },
      error: (part) => {
        seen.error += part
      },
    },
    async () => places,
  )
  return { code, asked, ...seen }
}

test('the scope that is asked first is the only one when it has the id', async () => {
  const { code, asked } = await sought({ default: ANSWER }, ['web', 'shop'])
  expect([code, asked]).toEqual([0, ['default']])
})

test('an id is found behind scopes that do not have it or that a key must not see', async () => {
  const { code, asked, out } = await sought({ default: FORBIDDEN, a: FORBIDDEN, shop: ANSWER }, [
    'a',
    'shop',
    'b',
  ])
  expect([code, asked]).toEqual([0, ['default', 'a', 'shop', 'b']])
  expect(out).toMatch(/Scope +acme\/shop/)
})

test('an id that several scopes have is not guessed at', async () => {
  const { code, out, error } = await sought({ a: ANSWER, b: ANSWER }, ['a', 'b', 'c'])
  expect([code, out]).toEqual([1, ''])
  expect(error).toBe('memgov: Several scopes have it, name one by --tenant and --scope: acme/a, acme/b.\n')
})

test('an id that no scope has, and a refusal for another reason, are told', async () => {
  const none = await sought({}, ['a', 'b'])
  expect([none.code, none.error]).toEqual([
    1,
    'memgov: No such memory. It is in no scope of the data folder: name its scope by --scope.\n',
  ])
  const busy = await sought({ a: BUSY }, ['a', 'b'])
  expect([busy.code, busy.asked, busy.error]).toEqual([1, ['default', 'a'], 'memgov: Busy.\n'])
})

test('more scopes than a search may load are not asked', async () => {
  const many = Array.from({ length: 501 }, (_, at) => `s${at}`)
  const { code, asked, error } = await sought({}, many)
  expect([code, asked]).toEqual([1, ['default']])
  expect(error).toContain('There are 501 scopes: name the one of the id by --scope.')
})
