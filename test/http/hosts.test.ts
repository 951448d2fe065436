import { existsSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { OPERATIONS, type OperationSpec } from '../../src/contract/operations.ts'
import { hostCheck, isFromThisMachine } from '../../src/edges/http/hosts.ts'
import { createServer } from '../../src/edges/http/server.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { httpOptions } from '../harness/edge.ts'
import { prove } from '../support/prove.ts'
import { fakeRuntime, post, RawConnection, startHttp, stopAll } from './http-fixture.ts'

afterEach(stopAll)

test('addresses, names without a dot, names below localhost and listed names are meant for this service', () => {
  const isOwn = hostCheck(['memory.example.org'])
  const own = [
    undefined,
    '',
    'localhost',
    'LocalHost:3001',
    'localhost.:3001',
    'agent.localhost:3001',
    'sidecar:3001',
    '127.0.0.1:3001',
    '10.1.2.3',
    '[::1]:3001',
    '[::1]',
    'memory.example.org',
    'Memory.Example.org.:8443',
  ]
  for (const host of own) expect([host, isOwn(host)]).toEqual([host, true])
  const foreign = [
    'evil.example',
    'evil.example:3001',
    'localhost.evil.example:3001',
    '127.0.0.1.evil.example',
    'memory.example.org.evil.example',
    'notmemory.example.org',
    '127.0.0.1:3001:80',
    'evil.example:x',
    '[evil.example]:3001',
  ]
  for (const host of foreign) expect([host, isOwn(host)]).toEqual([host, false])
})

test('what was asked before never makes a foreign name one of ours', () => {
  const hosts = fc.constantFrom('localhost:1', '127.0.0.1:1', 'evil.example', 'a.example:1', undefined)
  prove(fc.array(hosts), (asked) => {
    const isOwn = hostCheck(['a.example'])
    for (const host of asked) expect(isOwn(host)).toBe(hostCheck(['a.example'])(host))
  })
})

test('a request by a foreign name is refused on every route and never reaches the runtime', async () => {
  const { runtime, calls } = fakeRuntime()
  const { port } = await startHttp(runtime, { allowedHosts: ['memory.example.org'] })
  const connection = new RawConnection(port)
  for (const path of ['/v1/observe', '/health', '/nowhere', '/%zz']) {
    connection.write(post(path, '{}', { host: `evil.example:${port}` }))
    const reply = await connection.reply()
    expect(reply?.status).toBe(421)
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({
      error: 'host_not_allowed',
      details: { host: `evil.example:${port}` },
    })
  }
  expect(calls).toEqual([])
  connection.write(post('/v1/observe', '{}', { host: 'memory.example.org' }))
  expect((await connection.reply())?.status).toBe(200)
})

test('over the Unix socket any name will do', async () => {
  const folder = dataFolder()
  const socketPath = join(folder, 's')
  await startHttp(fakeRuntime().runtime, { socketPath })
  const connection = new RawConnection(socketPath)
  connection.write(post('/v1/observe', '{}', { host: 'any.name.example' }))
  expect((await connection.reply())?.status).toBe(200)
})

test('a page of another site is refused, whatever it asks for; own pages, listed ones and other clients are not', async () => {
  const { port } = await startHttp(fakeRuntime().runtime, { allowedHosts: ['console.example.org'] })
  const statusOf = async (headers: Readonly<Record<string, string>>) => {
    const connection = new RawConnection(port)
    connection.write(post('/v1/observe', '{}', { host: 'localhost:3001', ...headers }))
    const reply = await connection.reply()
    connection.socket.destroy()
    return reply?.status === 403 ? JSON.parse(reply.body).error : reply?.status
  }
  const listed = { origin: 'https://console.example.org' }
  for (const own of [
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3001' },
    { origin: 'http://LOCALHOST:3001' },
    { ...listed, 'sec-fetch-site': 'cross-site' },
    listed,
  ]) {
    expect([own, await statusOf(own)]).toEqual([own, 200])
  }
  for (const foreign of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3001' },
    { origin: 'http://localhost:5173' },
    { origin: 'https://evil.example' },
    { origin: 'https://console.example.org.evil.example' },
    { origin: 'null' },
    { origin: '' },
  ]) {
    expect([foreign, await statusOf(foreign)]).toEqual([foreign, 'cross_site_request'])
  }
})

describe('a page of another origin', () => {
  const LISTED = 'https://app.example.org:8443'
  const started = () => startHttp(fakeRuntime().runtime, { allowedOrigins: [LISTED] })
  const asked = async (port: number, bytes: string) => {
    const connection = new RawConnection(port)
    connection.write(bytes)
    const reply = await connection.reply()
    connection.socket.destroy()
    return reply
  }
  const preflight = (origin: string) =>
    `OPTIONS /v1/guide HTTP/1.1\r\nhost: localhost\r\norigin: ${origin}\r\naccess-control-request-method: POST\r\nsec-fetch-site: cross-site\r\n\r\n`

  test('is told that it may ask and read the answer when it is listed, refusals too', async () => {
    const { port } = await started()
    const site = { origin: LISTED, 'sec-fetch-site': 'cross-site' }
    for (const [body, status] of [
      ['{}', 200],
      ['no json', 400],
    ] as const) {
      const reply = await asked(port, post('/v1/observe', body, site))
      expect(reply?.status).toBe(status)
      expect(reply?.headers.get('access-control-allow-origin')).toBe(LISTED)
      expect(reply?.headers.get('vary')).toBe('origin')
      expect(reply?.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  test('asks beforehand without a key, and is told what it may send', async () => {
    const keys = { areUsed: true, principalOf: () => null, holdOf: () => null }
    const { port } = await startHttp(fakeRuntime().runtime, { allowedOrigins: [LISTED], keys })
    const reply = await asked(port, preflight(LISTED))
    expect([reply?.status, reply?.body]).toEqual([204, ''])
    expect(Object.fromEntries(reply?.headers ?? [])).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': expect.stringContaining('authorization'),
    })
    expect((await asked(port, post('/v1/observe', '{}', { origin: LISTED })))?.status).toBe(401)
  })

  test('that is not listed is told nothing and refused, however near its name is', async () => {
    const { port } = await started()
    for (const origin of [
      'https://app.example.org',
      'http://app.example.org:8443',
      `${LISTED}.evil.example`,
      `https://evil.example`,
      '*',
      'null',
    ]) {
      for (const bytes of [post('/v1/observe', '{}', { origin }), preflight(origin)]) {
        const reply = await asked(port, bytes)
        expect([origin, reply?.status]).toEqual([origin, 403])
        expect(reply?.headers.has('access-control-allow-origin')).toBe(false)
        expect(reply?.headers.get('vary')).toBe('origin')
      }
    }
  })

  test('is of no use to a client that is no browser: its answers are the same but for vary', async () => {
    const { port } = await started()
    const reply = await asked(port, post('/v1/observe', '{}'))
    expect(reply?.status).toBe(200)
    expect([...(reply?.headers.keys() ?? [])].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await asked(port, 'OPTIONS /v1/observe HTTP/1.1\r\nhost: x\r\n\r\n'))?.status).toBe(405)
  })
})

test('the Unix socket belongs from its first moment to those whom its mode names', async () => {
  const folder = dataFolder()
  try {
    for (const socketMode of [0o600, 0o660]) {
      const socketPath = join(folder, String(socketMode))
      const modes = new Set<number>()
      const watched = watch(folder, () => {
        if (existsSync(socketPath)) modes.add(statSync(socketPath).mode & 0o777)
      })
      await startHttp(fakeRuntime().runtime, { socketPath, socketMode })
      watched.close()
      expect(statSync(socketPath).mode & 0o777).toBe(socketMode)
      for (const mode of modes) expect([0o600, socketMode]).toContain(mode)
    }
  } finally {
    await stopAll()
  }
})

test('a request with two host headers is refused', async () => {
  const { runtime, calls } = fakeRuntime()
  const { port } = await startHttp(runtime)
  for (const second of ['localhost', 'evil.example']) {
    const connection = new RawConnection(port)
    connection.write(post('/v1/observe', '{}', { host: 'localhost', HOST: second }))
    expect((await connection.reply())?.status).toBe(400)
    connection.socket.destroy()
  }
  expect(calls).toEqual([])
})

test('only a connection from this machine is one: a loopback address, or a Unix socket, which has none', () => {
  for (const remoteAddress of [undefined, '127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1']) {
    expect([remoteAddress, isFromThisMachine({ remoteAddress })]).toEqual([remoteAddress, true])
  }
  for (const remoteAddress of ['10.0.0.4', '::ffff:10.0.0.4', '128.0.0.1', 'fe80::1', '1127.0.0.1', '']) {
    expect([remoteAddress, isFromThisMachine({ remoteAddress })]).toEqual([remoteAddress, false])
  }
})

test('operator reads are refused to whoever asks from another machine, every other operation is not', async () => {
  const served = createServer(fakeRuntime().runtime, Object.values(OPERATIONS), httpOptions())
  try {
    for (const { path, method, isOperatorRead = false } of Object.values<OperationSpec>(OPERATIONS)) {
      const url = path.replace(':candidate_id', 'skill:1')
      for (const [remoteAddress, isRefused] of [
        ['127.0.0.1', false],
        ['10.0.0.4', isOperatorRead],
      ] as const) {
        const asked = { method, url, remoteAddress, ...(method === 'POST' ? { payload: {} } : {}) }
        const reply = await served.inject(asked)
        const isStreaming = String(reply.headers['content-type']).startsWith('text/event-stream')
        const code = isStreaming ? undefined : reply.json<{ error?: string }>().error
        expect([url, remoteAddress, code === 'operator_key_required']).toEqual([
          url,
          remoteAddress,
          isRefused,
        ])
      }
    }
  } finally {
    await served.close()
  }
})
