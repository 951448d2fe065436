import { type ServerResponse } from 'node:http'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageVersion } from '../../src/adapters/files/package-file.ts'
import {
  CLIENT_VERSION,
  type ClientOptions,
  createClient,
  type MemgovClient,
  MemgovError,
} from '../../src/client/client.ts'
import { ROUTES } from '../../src/client/routes.ts'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { type HeldKeys, heldKeys, OPERATOR } from '../harness/held-keys.ts'
import { bodyOf, listening } from '../harness/listener.ts'
import { memoryLog as httpLog } from '../harness/system.ts'
import { fakeRuntime, startHttp, stopAll } from './http-fixture.ts'

// The client against a service that listens, and against servers that answer as no service should.

let service: Embedded
let app: FastifyInstance
let keys: HeldKeys
let url = ''
let key = ''

beforeAll(async () => {
  service = await startEmbedded()
  keys = await heldKeys()
  key = await keys.tokenFor(OPERATOR)
  app = edgeOver(service, keys.live)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  keys.live.close()
  await app.close()
})

const client = (options: ClientOptions = {}) => createClient({ url, key, ...options })

const rejection = async (call: Promise<unknown>): Promise<MemgovError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof MemgovError) return error
  throw new Error('no MemgovError', { cause: error })
}

describe('against a service', () => {
  const place = { scope: 'client' }

  test('the loop of observe, guide and finish goes through, with the answers of an embedded runtime', async () => {
    const memgov = client()
    const observed = await memgov.observe({ ...place, input_text: 'Deploys go through staging first.' })
    const { agent_context, guide_trace_id } = await memgov.guide({ ...place, query_text: 'deploy' })
    expect(agent_context.memory_ids).toEqual(observed.memory_ids)
    const { agent_context: brief } = await memgov.guide({ ...place, query_text: 'deploy', view: 'prompt' })
    expect(Object.keys(brief.handles)).toEqual(['m1'])
    const finished = await memgov.finish({ ...place, guide_trace_id, outcome: 'succeeded' })
    expect(finished.tenant_id).toBe('acme')
    expect((await memgov.health()).ok).toBe(true)
  })

  test('fields go where the route takes them: into the path, the query or the body, dates as text', async () => {
    const memgov = client()
    const { memory_ids } = await memgov.observe({
      ...place,
      memory: { text: 'Tests run on Node 20.', observed_at: new Date(0) },
    })
    const { items } = await memgov.listMemories({ ...place, limit: 200 })
    expect(items.map(({ memory_id }) => memory_id)).toContain(memory_ids[0])
    const missing = memgov.promoteSkill({
      ...place,
      candidate_id: 'no/such?',
      reviewer_id: 'me',
      reason: 'x',
    })
    expect(await rejection(missing)).toMatchObject({ code: 'skill_candidate_not_found', status: 404 })
    expect((await memgov.listActors()).items.map(({ scope }) => scope)).toContain('client')
  })

  test('a refusal is a MemgovError with the code, the details and the request id of the service', async () => {
    const error = await rejection(client().guide({ query_text: 'x', tenant_id: 'other' }))
    expect(error).toMatchObject({ name: 'MemgovError', code: 'tenant_forbidden', status: 403 })
    expect(error.details).toEqual({ field: 'tenant_id' })
    expect(error.requestId).toMatch(/./)
    expect(await rejection(client({ key: 'mg_wrong' }).listActors())).toMatchObject({ code: 'unauthorized' })
  })

  test('what JSON cannot carry is refused before anything is sent', async () => {
    const list = client().measure({ candidates: Reflect.get({ at: 10n }, 'at') })
    expect(await rejection(list)).toMatchObject({ code: 'invalid_request', status: 400 })
    const loop: { self?: object } = {}
    loop.self = loop
    const error = await rejection(client().observe({ ...place, input_text: 'x', context: { ...loop } }))
    expect(error.message).toBe('Send a value that does not hold itself.')
    let deep: object = {}
    for (let n = 0; n < 50_000; n += 1) deep = { deep }
    const endless = client().observe({ ...place, input_text: 'x', context: { ...deep } })
    expect(await rejection(endless)).toMatchObject({ code: 'invalid_request', status: 400 })
    expect((await rejection(client().listMemories({ ...place, limit: Number.NaN }))).message).toBe(
      'limit: Send a number that JSON has, not NaN.',
    )
    expect((await rejection(client().listMemories({ scope: 'a\ud800' }))).message).toBe(
      'scope: Send whole characters.',
    )
    for (const candidate_id of ['a\ud800', '', '.', '..']) {
      const promoted = client().promoteSkill({ ...place, candidate_id, reviewer_id: 'me', reason: 'x' })
      expect((await rejection(promoted)).message).toMatch(/^candidate_id: Send its text/)
    }
  })

  test('a write whose answer is lost is sent again and carried out once', async () => {
    let sent = 0
    const losing: typeof fetch = async (...args) => {
      sent += 1
      const answer = await fetch(...args)
      if (sent === 1) throw new TypeError('the connection broke')
      return answer
    }
    const memgov = client({ fetch: losing })
    const { memory_ids } = await memgov.observe({ scope: 'lost', input_text: 'Written once.' })
    expect(sent).toBe(2)
    const { items } = await memgov.listMemories({ scope: 'lost' })
    expect(items.map(({ memory_id }) => memory_id)).toEqual(memory_ids)
  })

  test('a closed client refuses', async () => {
    const memgov = client()
    await memgov.close()
    expect(await rejection(memgov.health())).toMatchObject({ code: 'shutting_down' })
  })
})

describe('against a server that is slow, dead or busy', () => {
  interface Asked {
    readonly path: string
    readonly body: Readonly<Record<string, unknown>>
    readonly headers: Readonly<Record<string, unknown>>
  }

  /** Answers the nth request by the nth of `answers`, and the others by the last. */
  async function serving(...answers: readonly ((response: ServerResponse) => void)[]) {
    const asked: Asked[] = []
    const url = await listening(async (request, response) => {
      const text = await bodyOf(request)
      const answer = answers[Math.min(asked.length, answers.length - 1)]
      asked.push({
        path: request.url ?? '',
        body: text === '' ? {} : JSON.parse(text),
        headers: request.headers,
      })
      answer?.(response)
    })
    return { asked, url }
  }

  const refusing =
    (status: number, error: string, headers: Readonly<Record<string, string>> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, headers).end(JSON.stringify({ error, message: `${error}!`, details: {} }))
    }
  const answering = (response: ServerResponse) => {
    response.end('{"ok":true}')
  }

  test.each([429, 503])(
    'a %s is repeated after its retry-after, a write under one operation id',
    async (status) => {
      const { asked, url } = await serving(refusing(status, 'overloaded', { 'retry-after': '0' }), answering)
      expect(await createClient({ url }).observe({ input_text: 'x' })).toEqual({ ok: true })
      const [first, second] = asked.map(({ body }) => body['operation_id'])
      expect(first).toMatch(/^client:[0-9a-f]{32}$/)
      expect(second).toBe(first)
      expect(asked).toHaveLength(2)
    },
  )

  test('a retry-after that is a date counts, and one beyond the timeout ends the call at once', async () => {
    const soon = new Date(Date.now() + 1200).toUTCString()
    const busy = await serving(refusing(503, 'overloaded', { 'retry-after': soon }), answering)
    expect(await createClient({ url: busy.url }).health()).toEqual({ ok: true })
    const later = await serving(refusing(503, 'storage_read_only', { 'retry-after': '60' }))
    const sinceMs = performance.now()
    const error = await rejection(createClient({ url: later.url }).observe({ input_text: 'x' }))
    expect(error).toMatchObject({ code: 'storage_read_only', status: 503, retryAfterMs: 60_000 })
    expect(performance.now() - sinceMs).toBeLessThan(20_000)
    expect(later.asked).toHaveLength(1)
  })

  test('what will not pass is not repeated, and no more often than asked', async () => {
    const conflict = await serving(refusing(409, 'operation_conflict'))
    await rejection(createClient({ url: conflict.url }).observe({ input_text: 'x' }))
    expect(conflict.asked).toHaveLength(1)
    const busy = await serving(refusing(503, 'overloaded', { 'retry-after': '0' }))
    const error = await rejection(createClient({ url: busy.url, retries: 3 }).guide({ query_text: 'x' }))
    expect(error.code).toBe('overloaded')
    expect(busy.asked).toHaveLength(4)
  })

  test('a write that is not repeated is given no operation id, and an own one stays', async () => {
    const { asked, url } = await serving(answering)
    await createClient({ url, retries: 0 }).observe({ input_text: 'x' })
    await createClient({ url }).observe({ input_text: 'x', operation_id: 'mine' })
    await createClient({ url }).govern({ query_text: 'x', candidates: [] })
    expect(asked.map(({ body }) => body['operation_id'])).toEqual([undefined, 'mine', undefined])
  })

  test('a call without an end waits', async () => {
    const slow = await serving((response) => void setTimeout(() => response.end('{"ok":true}'), 30))
    expect(await createClient({ url: slow.url, timeoutMs: Infinity }).health()).toEqual({ ok: true })
  })

  test('a server that never answers ends the call at its timeout, one that is gone as unreachable', async () => {
    const silent = await serving(() => {})
    const error = await rejection(createClient({ url: silent.url, timeoutMs: 50 }).guide({ query_text: 'x' }))
    expect(error).toMatchObject({ code: 'timeout', status: null, details: { timeout_ms: 50 } })
    const half = await serving((response) => {
      response.writeHead(200).write('{"ok":')
    })
    expect(await rejection(createClient({ url: half.url }).health({ timeoutMs: 50 }))).toMatchObject({
      code: 'timeout',
    })
    const gone = createClient({ url: 'http://127.0.0.1:1', retries: 1 })
    expect(await rejection(gone.guide({ query_text: 'x' }))).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/ \(http:\/\/127\.0\.0\.1:1\/v1\/guide: bad port\)$/),
    })
  })

  test('a signal ends a call with its reason: while it waits for an answer, between two, and before the first', async () => {
    const silent = await serving(() => {})
    const stop = new AbortController()
    const call = createClient({ url: silent.url }).guide({ query_text: 'x' }, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 20)
    await expect(call).rejects.toThrow('enough')
    const busy = await serving(refusing(503, 'overloaded', { 'retry-after': '20' }))
    const waiting = createClient({ url: busy.url }).health({ signal: AbortSignal.timeout(50) })
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
    const never = createClient({ url: silent.url }).health({ signal: AbortSignal.abort() })
    await expect(never).rejects.toMatchObject({ name: 'AbortError' })
    expect(silent.asked).toHaveLength(1)
  })

  test('another server and a redirection are not taken for the service, and get the key once at most', async () => {
    const page = await serving((response) => response.end('<html>'))
    expect(await rejection(createClient({ url: page.url }).health())).toMatchObject({ code: 'not_memgov' })
    const proxy = await serving((response) => response.writeHead(502).end('<html>'))
    const error = await rejection(createClient({ url: proxy.url, retries: 0 }).health())
    expect(error).toMatchObject({ code: 'not_memgov', status: 502 })
    const target = await serving(answering)
    const away = await serving((response) => response.writeHead(307, { location: target.url }).end())
    const led = await rejection(createClient({ url: away.url, key: 'mg_x' }).observe({ input_text: 'x' }))
    expect(led).toMatchObject({ code: 'not_memgov', status: 307 })
    expect([target.asked.length, away.asked.length]).toEqual([0, 1])
  })

  test('a call says which client of which version asks, and shows the key as Bearer', async () => {
    const { asked, url } = await serving(answering)
    await createClient({ url: `${url}/behind/`, key: 'mg_x' }).health()
    expect(asked[0]).toMatchObject({
      path: '/behind/health',
      headers: { authorization: 'Bearer mg_x', 'x-memgov-client': `memgov-js/${packageVersion()}` },
    })
  })
})

test('the client knows every operation that a runtime carries out, and its own version', () => {
  const others = ['health', 'ready', 'openapi', 'followEvents']
  expect(Object.keys(ROUTES).toSorted()).toEqual(
    Object.keys(OPERATIONS)
      .filter((name) => !others.includes(name))
      .toSorted(),
  )
  expect(CLIENT_VERSION).toBe(packageVersion())
})

test('an address that is none is refused at once', () => {
  for (const url of ['ftp://127.0.0.1', 'http://127.0.0.1:3001/?x=1', 'localhost', ''])
    expect(() => createClient({ url })).toThrow(`${url} is not the URL of a service: name it as http`)
})

test('a URL with a password is refused at once, and not told', () => {
  expect(() => createClient({ url: 'http://me:secret@127.0.0.1:3001' })).toThrow(
    /^A URL with a name or a password/u,
  )
})

test('a time limit or a number of repeats that is none is refused at once: a timer of such would end the call', async () => {
  for (const timeoutMs of [Number.NaN, 0, -1])
    expect(() => createClient({ timeoutMs })).toThrow(`timeoutMs is ${timeoutMs}: give milliseconds above 0.`)
  for (const retries of [Number.NaN, -1])
    expect(() => createClient({ retries })).toThrow(`retries is ${retries}: give a number from 0.`)
  expect(await rejection(client().health({ timeoutMs: Number.NaN }))).toMatchObject({
    code: 'invalid_request',
    message: 'timeoutMs: This is NaN: give milliseconds above 0.',
  })
})

test('an option of another name is refused, and an address may be a URL', async () => {
  for (const [options, told] of [
    [{ baseUrl: url }, 'baseUrl is no option: give url, key, timeoutMs, retries, fetch.'],
    [{ url, apiKey: key }, 'apiKey is no option'],
    [url, 'Give an object of url, key'],
  ] as const)
    expect(() => Reflect.apply(createClient, null, [options])).toThrow(told)
  const named: MemgovClient = Reflect.apply(createClient, null, [{ url: new URL(url) }])
  expect((await named.health()).ok).toBe(true)
})

test('a body that is no object is refused as the service would', async () => {
  for (const body of [null, [], 'text', 5]) {
    const refused: Promise<unknown> = Reflect.apply(client().observe, null, [body])
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'Send one JSON object as the body.',
    })
  }
})

test('a key that no header carries is refused at once, and not as a service that does not answer', () => {
  for (const key of ['mg_…', 'mg_a\nb', 'mg_a b'])
    expect(() => createClient({ key })).toThrow('The key holds signs that no key has.')
  for (const key of ['mg_a\r\n', '', undefined])
    expect(() => createClient(key === undefined ? {} : { key })).not.toThrow()
})

test.each(['es', 'cjs'] as const)('the built file (%s) imports nothing and is small', async (format) => {
  const bundle = await rolldown({ input: 'src/client/client.ts', platform: 'neutral' })
  const { output } = await bundle.generate({ format })
  await bundle.close()
  expect(output).toHaveLength(1)
  const [file] = output
  expect([file.imports, file.dynamicImports]).toEqual([[], []])
  expect(file.code).not.toMatch(/\brequire\(|\bimport\b|\bprocess\.|\bBuffer\b/)
  expect(file.code.length).toBeLessThan(20_000)
})

test('the built file needs nothing that only Node has: it asks in a world with the globals of a page', async () => {
  const bundle = await rolldown({ input: 'src/client/client.ts', platform: 'neutral' })
  const { output } = await bundle.generate({ format: 'iife', name: 'memgov' })
  await bundle.close()
  const { AbortController, AbortSignal, URL, URLSearchParams, crypto, performance } = globalThis
  const page = { AbortController, AbortSignal, URL, URLSearchParams, crypto, performance }
  const called = { fetch: (...args: Parameters<typeof fetch>) => fetch(...args), setTimeout, clearTimeout }
  const ask = `${output[0].code}
    memgov.createClient({ url: '${url}', key: '${key}' }).observe({ scope: 'page', input_text: 'From a page.' })`
  const answer: unknown = await runInNewContext(ask, { ...page, ...called, Uint8Array })
  expect(answer).toMatchObject({ tenant_id: 'acme', scope: 'page', memory_ids: [expect.any(String)] })
})

test('the service tells its log once of a client of another major version', async () => {
  const { log, lines } = httpLog()
  const { url } = await startHttp(fakeRuntime().runtime, { log, version: '0.1.0' })
  for (const named of [
    'memgov-js/0.9.1',
    'odd',
    'memgov-js/7.0.0',
    'memgov-js/7.0.0',
    'memgov-python/1.2.3',
  ]) {
    const { ok } = await fetch(`${url}/health`, { headers: { 'x-memgov-client': named } })
    expect(ok).toBe(true)
  }
  await stopAll()
  expect(lines.map(({ level, fields }) => [level, fields])).toEqual([
    ['warn', { client: 'memgov-js/7.0.0', version: '0.1.0' }],
    ['warn', { client: 'memgov-python/1.2.3', version: '0.1.0' }],
  ])
})
