import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { edgeOver } from '../harness/edge.ts'
import { heldKeys } from '../harness/held-keys.ts'
import { type Answer, mem0Row } from '../support/fake-stores.ts'
import {
  fill,
  GOOD,
  labels,
  POISON,
  proxyBefore,
  search,
  service,
  store,
  suppressed,
  useProxies,
} from './proxy-fixture.ts'

useProxies()

describe('the upstream', () => {
  const EVIL = { results: [mem0Row('x', 'alice', POISON)] }
  const WRONG: readonly (readonly [string, Answer, string])[] = [
    ['a list under another name', { body: { memories_v9: [mem0Row('x', 'alice', GOOD)] } }, 'shape'],
    ['rows that are no objects', { body: { results: [POISON] } }, 'shape'],
    ['a text instead of rows', { body: { results: POISON } }, 'shape'],
    ['what is no JSON', { body: Buffer.from('<p>hello</p>') }, 'shape'],
    ['JSON in another encoding', { body: Buffer.from(JSON.stringify(EVIL), 'utf16le') }, 'shape'],
    [
      'a compressed body',
      { body: gzipSync(JSON.stringify(EVIL)), headers: { 'content-encoding': 'gzip' } },
      'encoding',
    ],
    ['a redirect', { status: 302, headers: { location: 'http://evil.example/' }, body: EVIL }, 'redirect'],
    [
      'an answer above 8 MiB',
      { body: { results: [mem0Row('x', 'alice', 'a '.repeat(5 * 1024 * 1024))] } },
      'size',
    ],
    [
      '2001 rows',
      { body: { results: Array.from({ length: 2001 }, () => mem0Row('x', 'alice', GOOD)) } },
      'size',
    ],
    ['JSON 40 levels deep', { body: Buffer.from('['.repeat(40) + ']'.repeat(40)) }, 'shape'],
  ]

  test.each(WRONG)(
    'that answers with %s is refused with 502, and nothing of it is passed',
    async (_what, next, reason) => {
      const { ask } = await proxyBefore('mem0')
      store('mem0').next = next
      const { status, body, text, headers } = await ask('POST', '/search', {
        query: 'x',
        filters: { user_id: 'alice' },
      })
      expect([status, body.error, body.details]).toEqual([502, 'upstream_answer_refused', { reason }])
      expect(text).not.toMatch(/evil|release branch/)
      expect(headers.get('location')).toBeNull()
    },
  )

  test('a redirect of a write is refused too: it would lead around the proxy', async () => {
    const { ask } = await proxyBefore('mem0')
    store('mem0').next = { status: 307, headers: { location: 'http://evil.example/' }, body: '' }
    expect((await ask('POST', '/memories', { user_id: 'a' })).body.details).toEqual({ reason: 'redirect' })
  })

  test('that says that nothing has changed is heard: it leads nowhere', async () => {
    const { ask } = await proxyBefore('mem0')
    store('mem0').next = { status: 304, headers: { etag: '"1"' }, body: '' }
    const { status, headers } = await ask('GET', '/v1/ping', undefined, { 'if-none-match': '"1"' })
    expect([status, headers.get('etag')]).toEqual([304, '"1"'])
  })

  test('that is slow or dead is 502 with the next step', async () => {
    const slow = await proxyBefore('mem0', { timeoutMs: 100 })
    store('mem0').next = null
    expect((await search(slow)).body).toMatchObject({
      error: 'upstream_unavailable',
      message: expect.stringContaining('no answer in 100 ms'),
    })
    const dead = await proxyBefore('mem0', { url: 'http://127.0.0.1:1' })
    const { status, body, headers } = await search(dead)
    expect([status, body.message, headers.get('retry-after')]).toEqual([
      502,
      'The store at http://127.0.0.1:1 does not answer (ECONNREFUSED): check that it runs there, or start the proxy with another --upstream.',
      '5',
    ])
    expect((await dead.ask('POST', '/memories', { user_id: 'a' })).status).toBe(502)
  })

  test('that refuses a request is heard, with what it says screened', async () => {
    const { ask } = await proxyBefore('mem0')
    store('mem0').next = { status: 401, body: { detail: 'Invalid token.', hint: POISON } }
    const { status, body } = await ask('GET', '/memories?user_id=alice')
    expect([status, body]).toEqual([401, { detail: 'Invalid token.', hint: '[held back by memgov]' }])
    store('mem0').next = { status: 500, body: Buffer.from('<h1>Server error</h1>') }
    expect((await ask('GET', '/memories?user_id=alice')).status).toBe(500)
  })

  test('is asked for plain bytes, gets the key of the store, and nothing that is for memgov or one connection', async () => {
    const { ask, lines, port } = await proxyBefore('mem0', { scope: 'shop' })
    const sent = {
      'x-memgov-key': 'mg_abcdefghijkl',
      'x-memgov-tenant': 'other',
      'x-http-method-override': 'DELETE',
      'accept-encoding': 'gzip',
      range: 'bytes=0-10',
      te: 'trailers',
    }
    await ask('GET', '/memories?user_id=alice', undefined, sent)
    await ask('POST', '/memories', { user_id: 'alice', messages: [{ content: GOOD }] }, sent)
    const [read, write] = store('mem0').seen.slice(-2)
    expect(read?.headers).toMatchObject({
      authorization: 'Token secret-of-the-store',
      'accept-encoding': 'identity',
    })
    for (const { headers } of [read, write].filter((each) => each !== undefined)) {
      expect(Object.keys(headers).filter((name) => /memgov|override|^te$/.test(name))).toEqual([])
    }
    expect(read?.headers.range).toBeUndefined()
    await new Promise((resolve, reject) => {
      const framed = request(
        { host: '127.0.0.1', port, path: '/memories/x', method: 'DELETE' },
        (response) => {
          response.resume().on('end', resolve)
        },
      )
      framed.on('error', reject).setHeader('transfer-encoding', 'chunked')
      framed.end('{"a":1}')
    })
    expect(store('mem0').seen.at(-1)).toMatchObject({
      body: { a: 1 },
      headers: { 'transfer-encoding': 'chunked' },
    })
    const strayed = await ask('GET', '/memories?user_id=a', undefined, { 'x-api-key': 'mg_abcdefghijkl' })
    expect([strayed.status, strayed.body.message]).toEqual([400, expect.stringContaining('x-memgov-key')])
    expect(JSON.stringify(lines)).not.toMatch(/secret-of-the-store|mg_abc|alice/)
  })
})

describe('a route', () => {
  test('that is in no table is 403, unless the proxy passes unknown ones', async () => {
    const { ask } = await proxyBefore('mem0')
    const before = store('mem0').seen.length
    for (const [method, path] of [
      ['GET', '/requests'],
      ['GET', '/search'],
      ['PATCH', '/memories/x'],
      ['GET', '/'],
    ] as const) {
      const { status, body } = await ask(method, path)
      expect([status, body.error]).toEqual([403, 'unknown_upstream_route'])
    }
    expect(store('mem0').seen).toHaveLength(before)
    const open = await proxyBefore('mem0', { passesUnknown: true })
    expect((await open.ask('GET', '/requests')).body).toEqual({ detail: 'Not found.' })
  })

  test.each([
    '//memories?user_id=alice',
    '/x/../memories',
    '/x/%2e%2e/memories',
    '/memories%2fgood',
    '/memories;a=1',
    '/%ff',
    'http://evil.example/memories',
  ])('that servers may read as another one is 403 also then: %s', async (path) => {
    const { port } = await proxyBefore('mem0', { passesUnknown: true })
    const before = store('mem0').seen.length
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method: 'GET' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
    expect(store('mem0').seen).toHaveLength(before)
  })

  test('that is governed is governed in every spelling', async () => {
    fill('mem0', [mem0Row('poison', 'alice', POISON)])
    const { ask } = await proxyBefore('mem0', { passesUnknown: true })
    for (const path of ['/memories?user_id=alice', '/memories/?user_id=alice', '/%6demories?user_id=alice']) {
      expect((await ask('GET', path)).text).not.toContain('evil')
    }
    expect((await ask('GET', '/MEMORIES?user_id=alice')).text).not.toContain('evil')
  })

  test.each([2 ** 60, -(2 ** 53), '1e999'])(
    'is refused a number that would arrive as another: %s',
    async (id) => {
      const { port } = await proxyBefore('mem0')
      const before = store('mem0').seen.length
      const body = `{"query": "x", "filters": {"user_id": ${id}}}`
      const { status } = await fetch(`http://127.0.0.1:${port}/search`, { method: 'POST', body })
      expect([status, store('mem0').seen.length - before]).toEqual([400, 0])
    },
  )

  test('is refused to a page of another site and to a foreign host name', async () => {
    const { ask, port } = await proxyBefore('mem0')
    const page = await ask('GET', '/memories?user_id=alice', undefined, { origin: 'https://evil.example' })
    expect([page.status, page.body.error]).toEqual([403, 'cross_site_request'])
    const status = await new Promise((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, path: '/memories', headers: { host: 'evil.example' } },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
        .on('error', reject)
        .end()
    })
    expect(status).toBe(421)
  })
})

describe('memgov', () => {
  test('that cannot be asked closes the proxy with 503, and opens it with a label where the operator wants that', async () => {
    const good = mem0Row('good', 'alice', GOOD, { metadata: { memgov: { surface: 'use_now' } } })
    fill('mem0', [good])
    const nobody = 'http://127.0.0.1:1'
    const { status, body, headers, text } = await search(await proxyBefore('mem0', { memgov: nobody }))
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'not_governed', '1'])
    expect(body.message).toContain('start it with memgov serve')
    expect(text).not.toContain('release')
    const open = await search(await proxyBefore('mem0', { memgov: nobody, failsOpen: true }))
    expect([open.status, open.headers.get('x-memgov')]).toEqual([200, 'not_governed'])
    expect(labels(open.body.results)).toMatchObject([
      { surface: 'inspect_before_use', reason_codes: ['not_governed'], guide_trace_id: null },
    ])
    // The wrong shape is no matter of who judges.
    store('mem0').next = { body: { results: 1 } }
    expect((await search(await proxyBefore('mem0', { memgov: nobody, failsOpen: true }))).status).toBe(502)
  })

  test('that does not take what the store answers is no reason to pass it unjudged', async () => {
    const large = { metadata: { note: 'word '.repeat(1_150_000) } }
    fill('mem0', [mem0Row('bad', 'alice', POISON), mem0Row('large', 'alice', GOOD, large)])
    const { status, body } = await search(await proxyBefore('mem0', { failsOpen: true }))
    expect([status, body.error, body.details]).toEqual([
      502,
      'upstream_answer_refused',
      { reason: 'content' },
    ])
  })

  test('with keys the key says the tenant: that of the caller, else that of the proxy', async () => {
    const keys = await heldKeys()
    const scopes = [{ name: 'mem0:', isPrefix: true }]
    const tokenOf = (tenantId: string) => keys.tokenFor({ tenantId, scopes, agentId: null, teamId: null })
    const [acme, other] = [await tokenOf('acme'), await tokenOf('other')]
    const keyed = edgeOver(service, keys.live)
    const memgov = await keyed.listen({ host: '127.0.0.1', port: 0 })
    const text = 'The invoice run starts at noon.'
    await suppressed({ tenant_id: 'acme', scope: 'mem0:user_id:alice' }, text)
    fill('mem0', [mem0Row('a', 'alice', text)])
    const { ask } = await proxyBefore('mem0', { memgov, key: acme })
    const asked = async (headers: Record<string, string>, filters: object = { user_id: 'alice' }) => {
      const { status, body } = await ask('POST', '/search', { query: 'x', filters }, headers)
      return status === 200 ? body.results.length : body.error
    }
    expect(await asked({})).toBe(0)
    expect(await asked({ 'x-memgov-key': other })).toBe(1)
    expect(await asked({ 'x-memgov-key': 'mg_unknown' })).toBe('unauthorized')
    const shut = await proxyBefore('mem0', { memgov, key: acme, scope: 'shop', failsOpen: true })
    expect((await search(shut)).body.error).toBe('scope_forbidden')
    await keyed.close()
    keys.live.close()
  })
})
