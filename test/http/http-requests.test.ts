import { afterEach, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { createServer } from '../../src/edges/http/server.ts'
import { httpOptions } from '../harness/edge.ts'
import { memoryLog } from '../harness/system.ts'
import { fakeRuntime, startHttp, stopAll } from './http-fixture.ts'

afterEach(stopAll)

const JSON_HEADERS = { 'content-type': 'application/json' }

async function send(url: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${path}`, init)
  const text = await response.text()
  const parsed: unknown = text === '' ? null : JSON.parse(text)
  return { status: response.status, headers: response.headers, body: parsed }
}

test('a POST reaches the operation of its path with the decoded body', async () => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  const body = JSON.stringify({ input_text: 'größer', deep: [{ a: [null, 1.5] }] })
  const reply = await send(url, '/v1/observe', { method: 'POST', headers: JSON_HEADERS, body })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.body).toEqual({ operation: 'observe', body: JSON.parse(body) })
  expect(calls.map((call) => call.operation)).toEqual(['observe'])
})

test('every operation of the contract is served at its path and reaches the runtime under its name', async () => {
  const { runtime, calls } = fakeRuntime()
  const app = createServer(runtime, Object.values(OPERATIONS), httpOptions())
  // A stream has no end to wait for.
  for (const { name, method, path, request } of Object.values(OPERATIONS).filter(
    (operation) => !('isStream' in operation),
  )) {
    const reply = await app.inject({ method, url: path.replace(/:\w+/, 'some-id') })
    expect(reply.statusCode).toBe(200)
    expect(calls.splice(0).map((call) => call.operation)).toEqual(request === null ? [] : [name])
  }
})

test('an answer that is known before it is stored leaves only when it is, and not at all when it is not', async () => {
  const early = { told: 'größer' }
  const outcomes: readonly (() => object)[] = [
    () => early,
    () => ({ told: 'another' }),
    () => {
      throw new DomainError('storage_unavailable')
    },
  ]
  let stored: () => object = () => early
  const { runtime } = fakeRuntime(async ({ context }) => {
    context.meanwhile?.(early)
    await new Promise(setImmediate)
    return stored()
  })
  const { url } = await startHttp(runtime)
  const replies = []
  for (const outcome of outcomes) {
    stored = outcome
    replies.push(await send(url, '/v1/observe', { method: 'POST', headers: JSON_HEADERS, body: '{}' }))
  }
  expect(replies[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(replies).toMatchObject([
    { status: 200, body: early },
    { status: 200, body: { told: 'another' } },
    { status: 503, body: { error: 'storage_unavailable' } },
  ])
})

test('a GET operation gets the query as its body', async () => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  await send(url, '/v1/guide?query_text=a%20b&scope=s')
  expect(calls[0]?.body).toEqual({ query_text: 'a b', scope: 's' })
})

test('a part of the path becomes the field of its name, and wins over one in the body', async () => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  const body = JSON.stringify({ item_id: 'forged', reason: 'r' })
  const init = { method: 'POST', headers: JSON_HEADERS, body }
  await send(url, '/v1/items/a%2Fb:1/close', init)
  expect(calls[0]?.body).toEqual({ item_id: 'a/b:1', reason: 'r' })
  await send(url, '/v1/items/x/close', { ...init, body: '[1]' })
  expect(calls[1]?.body).toEqual([1])
})

test.each([
  ['no body and no content type', {}],
  ['an empty body declared as JSON', { headers: JSON_HEADERS, body: '' }],
])('a POST with %s is an empty object', async (_name, init) => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  const reply = await send(url, '/v1/observe', { method: 'POST', ...init })
  expect(reply.status).toBe(200)
  expect(calls[0]?.body).toEqual({})
})

test('a byte order mark before the JSON is not part of it', async () => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  await send(url, '/v1/observe', { method: 'POST', headers: JSON_HEADERS, body: '\uFEFF{"a":1}' })
  expect(calls[0]?.body).toEqual({ a: 1 })
})

test.each([
  ['cut off', '{"a":'],
  ['followed by more', '{} {}'],
  ['with a bare word', '{"a": yes}'],
  ['not text in UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
])('JSON %s is 400 invalid_json and never reaches the runtime', async (_name, body) => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  const reply = await send(url, '/v1/observe', { method: 'POST', headers: JSON_HEADERS, body })
  expect(reply.status).toBe(400)
  expect(reply.body).toMatchObject({ error: 'invalid_json', message: expect.any(String), details: {} })
  expect(calls).toEqual([])
})

test('a message about invalid JSON does not repeat the body', async () => {
  const { url } = await startHttp(fakeRuntime().runtime)
  const body = '{"password": swordfish}'
  const reply = await send(url, '/v1/observe', { method: 'POST', headers: JSON_HEADERS, body })
  expect(JSON.stringify(reply.body)).not.toContain('swordfish')
})

test('a memory may talk about __proto__, and have a key constructor', async () => {
  const { runtime, calls } = fakeRuntime(() => ({}))
  const { url } = await startHttp(runtime)
  const body = { input_text: 'never assign "__proto__": it pollutes', constructor: { name: 'x' } }
  await send(url, '/v1/observe', { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body) })
  expect(JSON.stringify(calls[0]?.body)).toBe(JSON.stringify(body))
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'nonsense',
  'application/jsonx',
])('content type %s is 415 unsupported_media_type', async (type) => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  const reply = await send(url, '/v1/observe', {
    method: 'POST',
    headers: { 'content-type': type },
    body: '{}',
  })
  expect(reply.status).toBe(415)
  expect(reply.body).toMatchObject({ error: 'unsupported_media_type' })
  expect(calls).toEqual([])
})

test.each(['gzip', 'br', 'deflate, gzip'])('a body compressed as %s is 415 and told so', async (encoding) => {
  const { url } = await startHttp(fakeRuntime().runtime)
  const reply = await send(url, '/v1/observe', {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'content-encoding': encoding },
    body: '{}',
  })
  expect(reply.status).toBe(415)
  expect(reply.body).toMatchObject({
    error: 'unsupported_media_type',
    message: expect.stringContaining('uncompressed'),
  })
})

test('what is no compression changes nothing', async () => {
  const { url } = await startHttp(fakeRuntime().runtime)
  const headers = { ...JSON_HEADERS, 'content-encoding': 'utf-8' }
  expect((await send(url, '/v1/observe', { method: 'POST', headers, body: '{}' })).status).toBe(200)
})

test('the content type may carry a charset', async () => {
  const { url } = await startHttp(fakeRuntime().runtime)
  const headers = { 'content-type': 'Application/JSON; charset=UTF-8' }
  const reply = await send(url, '/v1/observe', { method: 'POST', headers, body: '{}' })
  expect(reply.status).toBe(200)
})

test('an unknown path is 404 not_found, whatever the method and body', async () => {
  const { url } = await startHttp(fakeRuntime().runtime)
  for (const init of [{}, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }]) {
    const reply = await send(url, '/v1/observes?x=1', init)
    expect(reply.status).toBe(404)
    expect(reply.body).toMatchObject({ error: 'not_found' })
    expect(reply.headers.get('x-request-id')).not.toBeNull()
  }
  const bad = await send(url, '/%zz', { method: 'POST', headers: JSON_HEADERS, body: '{}' })
  expect([bad.status, bad.headers.get('x-request-id')]).toEqual([404, expect.any(String)])
})

test('an id in a path may be as long as the headers', async () => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  const id = 'x'.repeat(15_000)
  const init = { method: 'POST', headers: JSON_HEADERS, body: '{}' }
  expect((await send(url, `/v1/items/${id}/close`, init)).status).toBe(200)
  expect(JSON.stringify(calls)).toContain(id)
})

test.each([
  ['GET', '/v1/observe', 'POST'],
  ['PUT', '/v1/observe', 'POST'],
  ['OPTIONS', '/v1/observe', 'POST'],
  ['PROPFIND', '/v1/observe?a=1', 'POST'],
  ['QUERY', '/v1/observe', 'POST'],
  ['GET', '/v1/items/x/close', 'POST'],
  ['DELETE', '/v1/guide', 'POST, GET, HEAD'],
  ['POST', '/health', 'GET, HEAD'],
])('%s %s is 405 and names what is allowed: %s', async (method, path, allow) => {
  const { runtime, calls } = fakeRuntime()
  const { url } = await startHttp(runtime)
  const reply = await send(url, path, { method })
  expect(reply.status).toBe(405)
  expect(reply.headers.get('allow')).toBe(allow)
  expect(reply.body).toMatchObject({ error: 'method_not_allowed', details: { allowed: allow.split(', ') } })
  expect(calls).toEqual([])
})

test('a request id of up to 200 printable characters is echoed and handed on, any other is replaced', async () => {
  const { runtime, calls } = fakeRuntime(() => ({}))
  const { url } = await startHttp(runtime)
  const withId = (id: string) =>
    send(url, '/v1/observe', { method: 'POST', headers: { 'x-request-id': id } }).then((reply) =>
      reply.headers.get('x-request-id'),
    )
  expect(await withId('run 7/step:2')).toBe('run 7/step:2')
  expect(calls[0]?.context.requestId).toBe('run 7/step:2')
  const longest = 'a'.repeat(200)
  expect(await withId(longest)).toBe(longest)
  expect(await withId(`${longest}a`)).toMatch(/^made-/)
  expect(await withId('tab\there')).toMatch(/^made-/)
  expect(await withId('größer')).toMatch(/^made-/)
  const [first, second] = [await withId(''), await withId('')]
  expect(first).not.toBe(second)
})

test('the operation id comes from the body or the header, both may say the same, and both may have 256 characters', async () => {
  const { runtime, calls } = fakeRuntime(() => ({}))
  const { url } = await startHttp(runtime)
  const operationId = async (header: string | null, body: object) => {
    const headers = header === null ? JSON_HEADERS : { ...JSON_HEADERS, 'idempotency-key': header }
    const reply = await send(url, '/v1/observe', { method: 'POST', headers, body: JSON.stringify(body) })
    return reply.status === 200 ? calls.at(-1)?.context.operationId : reply.body
  }
  expect(await operationId(null, {})).toBeNull()
  expect(await operationId('k1', {})).toBe('k1')
  expect(await operationId(null, { operation_id: 'k2' })).toBe('k2')
  expect(await operationId('k2', { operation_id: ' k2 ' })).toBe('k2')
  expect(await operationId('k1', { operation_id: 'k2' })).toMatchObject({
    error: 'invalid_request',
    details: { issues: [{ path: 'operation_id' }] },
  })
  expect(await operationId('x'.repeat(256), {})).toBe('x'.repeat(256))
  expect(await operationId('x'.repeat(257), {})).toMatchObject({
    error: 'invalid_request',
    message: 'Idempotency-Key: Send one line of 1 to 256 printable characters.',
    details: { issues: [{ path: 'idempotency-key' }] },
  })
})

test('credentials are ignored', async () => {
  const { url } = await startHttp(fakeRuntime().runtime)
  const headers = { authorization: 'Bearer nonsense', 'x-api-key': 'nonsense' }
  expect((await send(url, '/v1/observe', { method: 'POST', headers })).status).toBe(200)
})

test('a refusal of the runtime becomes its status, code, message and details', async () => {
  const { runtime } = fakeRuntime(() => {
    throw new DomainError('memory_not_found', { memory_ids: ['m'] }, 'No memory m.')
  })
  const { url } = await startHttp(runtime)
  const reply = await send(url, '/v1/guide', { method: 'POST' })
  expect(reply.status).toBe(404)
  expect(reply.body).toEqual({
    error: 'memory_not_found',
    message: 'No memory m.',
    details: { memory_ids: ['m'] },
  })
  expect(reply.headers.get('retry-after')).toBeNull()
})

test('a refusal that is worth a repeat says after how many seconds', async () => {
  const { runtime } = fakeRuntime(() => {
    throw new DomainError('overloaded')
  })
  const { url } = await startHttp(runtime)
  const reply = await send(url, '/v1/guide', { method: 'POST' })
  expect([reply.status, Number(reply.headers.get('retry-after')) > 0]).toEqual([503, true])
})

test.each([
  ['an error', new Error('secret at /home/me/file.ts')],
  ['something that is no error', 'secret'],
  ['a broken connection of our own', Object.assign(new Error('secret'), { code: 'ECONNRESET' })],
  ['an answer that is no JSON', null],
])('%s is 500 without any detail, and the log has it with the request id', async (_name, thrown) => {
  const { log, lines } = memoryLog()
  const { runtime } = fakeRuntime(() => {
    if (thrown !== null) throw thrown
    return { count: 1n }
  })
  const { url } = await startHttp(runtime, { log })
  const reply = await send(url, '/v1/guide?secret=1', { method: 'POST', headers: { 'x-request-id': 'r-1' } })
  expect(reply.status).toBe(500)
  expect(reply.body).toMatchObject({ error: 'internal_error', details: {} })
  expect(JSON.stringify(reply.body)).not.toMatch(/secret|home|stack|BigInt/)
  expect(lines).toMatchObject([{ level: 'error', fields: { request_id: 'r-1', path: '/v1/guide' } }])
})

test('health answers 200 while the process lives, ready 200 while writes are taken and else 503 with the reasons', async () => {
  const { runtime } = fakeRuntime()
  let readiness: { ready: boolean; reasons: string[] } = { ready: true, reasons: [] }
  const { url } = await startHttp({ ...runtime, readiness: () => readiness })
  expect(await send(url, '/ready')).toMatchObject({ status: 200, body: { ready: true } })
  readiness = { ready: false, reasons: ['low_space'] }
  expect(await send(url, '/ready')).toMatchObject({ status: 503, body: readiness })
  expect((await send(url, '/ready', { method: 'HEAD' })).status).toBe(503)
  expect(await send(url, '/health')).toMatchObject({ status: 200, body: { ok: true } })
  expect((await send(url, '/health', { method: 'HEAD' })).status).toBe(200)
})

test('the interface document is served as JSON', async () => {
  const { url } = await startHttp(fakeRuntime().runtime)
  const reply = await send(url, '/openapi.json')
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.body).toEqual({ openapi: '3.1.0' })
})
