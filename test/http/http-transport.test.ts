import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { memoryLog } from '../harness/system.ts'
import { provingAsync } from '../support/prove.ts'
import { fakeRuntime, post, RawConnection, type RawReply, startHttp, stopAll } from './http-fixture.ts'

afterEach(stopAll)

function errorOf(reply: RawReply | null) {
  if (reply === null) throw new Error('the connection closed without a reply')
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
  expect(reply.headers.get('x-request-id')).toBeTruthy()
  const body: { error?: string; message?: string; details?: object } = JSON.parse(reply.body)
  expect(typeof body.message).toBe('string')
  expect(typeof body.details).toBe('object')
  return [reply.status, body.error]
}

test('one connection lives through every kind of refused request', async () => {
  const { port } = await startHttp(fakeRuntime().runtime, { bodyLimitBytes: 1000 })
  const connection = new RawConnection(port)
  const exchange = async (bytes: string) => {
    connection.write(bytes)
    return errorOf(await connection.reply())
  }
  expect(await exchange(post('/v1/observe', '{"a":'))).toEqual([400, 'invalid_json'])
  expect(await exchange(post('/v1/observe', 'a=b', { 'content-type': 'text/plain' }))).toEqual([
    415,
    'unsupported_media_type',
  ])
  expect(await exchange(post('/v1/nowhere', '{}'))).toEqual([404, 'not_found'])
  expect(await exchange(post('/health', '{}'))).toEqual([405, 'method_not_allowed'])
  expect(await exchange(post('/v1/observe', `"${'x'.repeat(1001)}"`))).toEqual([413, 'body_too_large'])
  expect(await exchange(post('/v1/observe', '{}', { 'idempotency-key': '' }))).toEqual([
    400,
    'invalid_request',
  ])
  connection.write(post('/v1/observe', '{"still":"here"}'))
  expect((await connection.reply())?.body).toContain('still')
  expect(connection.isClosed).toBe(false)
})

test('no header is left out, however many small ones stand before it', async () => {
  const { runtime, calls } = fakeRuntime()
  const { port } = await startHttp(runtime)
  const connection = new RawConnection(port)
  const head = 'POST /v1/observe HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  connection.write(`${head}${'x:\r\n'.repeat(2100)}host: elsewhere\r\ncontent-length: 2\r\n\r\n{}`)
  const reply = await connection.reply()
  expect(errorOf(reply)).toEqual([400, 'invalid_request'])
  expect(reply?.body).toContain('Send one host header.')
  expect(calls).toEqual([])
})

test('a body over the limit is answered 413 even while it is still being sent, declared or chunked', async () => {
  const { runtime, calls } = fakeRuntime()
  const { port } = await startHttp(runtime)
  const big = Buffer.alloc(8 * 1024 * 1024, 0x20)
  const declared = new RawConnection(port)
  declared.write(
    `POST /v1/observe HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${big.length}\r\n\r\n`,
  )
  declared.write(big)
  expect(errorOf(await declared.reply())).toEqual([413, 'body_too_large'])
  const chunked = new RawConnection(port)
  chunked.write(
    `POST /v1/observe HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  chunked.write(`${big.length.toString(16)}\r\n`)
  chunked.write(big)
  chunked.write('\r\n0\r\n\r\n')
  expect(errorOf(await chunked.reply())).toEqual([413, 'body_too_large'])
  chunked.write(post('/v1/observe', '{}'))
  expect((await chunked.reply())?.status).toBe(200)
  expect(calls).toHaveLength(1)
  declared.socket.destroy()
})

test('the largest allowed body is accepted', async () => {
  const { runtime } = fakeRuntime(() => ({}))
  const { port } = await startHttp(runtime, { bodyLimitBytes: 1000 })
  const connection = new RawConnection(port)
  connection.write(post('/v1/observe', `"${'x'.repeat(998)}"`))
  expect((await connection.reply())?.status).toBe(200)
})

test.each([
  ['garbage', 'hello\r\n\r\n', [400, 'invalid_request']],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400, 'invalid_request']],
  [
    'two lengths',
    'POST /v1/observe HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    [400, 'invalid_request'],
  ],
  [
    'a huge header',
    `GET /health HTTP/1.1\r\nx: ${'y'.repeat(1024 * 1024)}\r\n\r\n`,
    [431, 'headers_too_large'],
  ],
])('%s is answered in JSON and the connection closed', async (_name, bytes, expected) => {
  const { port } = await startHttp(fakeRuntime().runtime)
  const connection = new RawConnection(port)
  connection.write(Buffer.from(bytes, 'latin1'))
  const reply = await connection.reply()
  expect(errorOf(reply)).toEqual(expected)
  expect(reply?.headers.get('connection')).toBe('close')
  await connection.closed()
  expect(connection.rest()).toBe('')
})

test('what Node would answer itself is answered like any other request', async () => {
  const { port } = await startHttp(fakeRuntime().runtime)
  const connection = new RawConnection(port)
  connection.write('GET /health HTTP/1.1\r\n\r\n')
  expect((await connection.reply())?.body).toBe('{"ok":true}')
  connection.write(post('/v1/observe', '{}', { expect: 'the-impossible' }))
  expect((await connection.reply())?.status).toBe(200)
  connection.write(post('/v1/observe', '{}', { expect: '100-continue' }))
  expect((await connection.reply())?.status).toBe(200)
  connection.write('GET /health HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n')
  expect((await connection.reply())?.status).toBe(200)
})

test.each([
  ['headers', 'POST /v1/observe HTTP/1.1\r\nhost: x\r\n'],
  [
    'a body',
    'POST /v1/observe HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"a"',
  ],
])('%s that never ends is answered 408 and the connection closed', async (_name, bytes) => {
  const { runtime, calls } = fakeRuntime()
  const { port } = await startHttp(runtime, { requestTimeoutMs: 60, timeoutCheckMs: 10 })
  const connection = new RawConnection(port)
  connection.write(bytes)
  expect(errorOf(await connection.reply())).toEqual([408, 'request_timeout'])
  await connection.closed()
  expect(calls).toEqual([])
})

test('a request that has arrived whole may take longer than the request timeout', async () => {
  const { runtime } = fakeRuntime(async () => {
    // Two rounds of another connection timing out are longer than the limit, whatever the machine does.
    for (const _round of [1, 2]) {
      const slow = new RawConnection(port)
      slow.write('POST /v1/observe HTTP/1.1\r\n')
      await slow.closed()
    }
    return { done: true }
  })
  const { port } = await startHttp(runtime, { requestTimeoutMs: 60, timeoutCheckMs: 10 })
  const connection = new RawConnection(port)
  connection.write(post('/v1/observe', '{}'))
  expect((await connection.reply())?.body).toBe('{"done":true}')
})

test('a caller that hangs up in the middle of its body is neither a call nor a failure', async () => {
  const { log, lines } = memoryLog()
  const { runtime, calls } = fakeRuntime()
  const { app, port } = await startHttp(runtime, { log })
  const isSeen = new Promise<void>((resolve) => {
    app.server.once('request', (request) => request.once('close', resolve))
  })
  const connection = new RawConnection(port)
  connection.write(post('/v1/observe', '{"a":', { 'content-length': '100' }))
  connection.socket.end()
  await isSeen
  await app.close()
  expect([lines, calls]).toEqual([[], []])
})

test('a connection above the limit gets one answer, 503 overloaded, and a place is free again once one leaves', async () => {
  const { port } = await startHttp(fakeRuntime().runtime, { connectionsMax: 2 })
  const health = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'
  const inside = [new RawConnection(port), new RawConnection(port)]
  for (const connection of inside) {
    connection.write(health)
    expect((await connection.reply())?.status).toBe(200)
  }
  const outside = new RawConnection(port)
  outside.write(health)
  const refused = await outside.reply()
  expect(errorOf(refused)).toEqual([503, 'overloaded'])
  expect(refused?.headers.get('retry-after')).toBe('1')
  await outside.closed()
  inside[0]?.socket.destroy()
  // The server sees the end a moment after us.
  for (let status = 503; status !== 200; ) {
    const next = new RawConnection(port)
    next.write(health)
    status = (await next.reply())?.status ?? 503
    next.socket.destroy()
  }
  inside[1]?.socket.destroy()
})

test('any bytes as a body get an answer in JSON, never 500', async () => {
  const { log, lines } = memoryLog()
  const { runtime } = fakeRuntime(() => ({}))
  const { port } = await startHttp(runtime, { log })
  const nearJson = fc
    .json()
    .chain((text) =>
      fc
        .tuple(
          fc.nat({ max: text.length }),
          fc.constantFrom('', '"', '}', '[', '\\', '\u0000', 'é', '__proto__'),
        )
        .map(([at, insert]) => Buffer.from(text.slice(0, at) + insert + text.slice(at))),
    )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
    nearJson,
  )
  const connection = new RawConnection(port)
  await provingAsync(400)(bytes, async (body) => {
    const head = post('/v1/observe', '', { 'content-length': String(body.length) })
    connection.write(Buffer.concat([Buffer.from(head), body]))
    const reply = await connection.reply()
    const parsed: unknown = JSON.parse(reply?.body ?? 'no reply')
    expect([200, 400]).toContain(reply?.status)
    expect(typeof parsed).toBe('object')
  })
  expect(lines).toEqual([])
})

test('any bytes as a request get JSON or silence, never 500', async () => {
  const { log, lines } = memoryLog()
  const { port } = await startHttp(fakeRuntime().runtime, { log })
  const fragment = fc.constantFrom(
    'GET /health HTTP/1.1\r\n',
    'POST /v1/observe HTTP/1.1\r\n',
    'content-length: 3\r\n',
    'content-type: application/json\r\n',
    'transfer-encoding: chunked\r\n',
    'host: x\r\n',
    '\r\n',
    '{}',
    '\x00',
    '3\r\nabc\r\n0\r\n\r\n',
  )
  const request = fc.array(fc.oneof({ weight: 8, arbitrary: fragment }, fc.string({ unit: 'binary' })), {
    maxLength: 12,
  })
  await provingAsync(200)(request, async (fragments) => {
    const connection = new RawConnection(port)
    connection.socket.end(fragments.join(''))
    for (let reply = await connection.reply(); reply !== null; reply = await connection.reply()) {
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      expect(typeof JSON.parse(reply.body)).toBe('object')
      expect(reply.status).toBeLessThan(500)
    }
    expect(connection.rest()).toBe('')
  })
  expect(lines).toEqual([])
})
