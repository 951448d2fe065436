import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { HttpOperation } from '../../src/edges/http/server.ts'
import { memoryLog } from '../harness/system.ts'
import { fakeRuntime, post, RawConnection, startHttp, stopAll, TABLE } from './http-fixture.ts'

afterEach(stopAll)

const KIB = 1024
const HEALTH = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'
const turn = () => new Promise((resolve) => setImmediate(resolve))

async function statusesOf(connection: RawConnection): Promise<number[]> {
  const statuses: number[] = []
  for (let reply = await connection.reply(); reply !== null; reply = await connection.reply()) {
    statuses.push(reply.status)
  }
  return statuses
}

/** A runtime that answers as many KiB as it is asked for, and knows how many calls were inside at once. */
function largeRuntime(answerBytes: number) {
  const state = { inside: 0, insideMax: 0 }
  const answer = { text: 'x'.repeat(answerBytes) }
  const { runtime, calls } = fakeRuntime(async () => {
    state.inside += 1
    state.insideMax = Math.max(state.insideMax, state.inside)
    await turn()
    state.inside -= 1
    return answer
  })
  return { runtime, calls, state }
}

test('requests sent ahead by a client that reads are all answered, in their order, a few at a time', async () => {
  const { runtime, calls, state } = largeRuntime(10)
  const { port } = await startHttp(runtime)
  const connection = new RawConnection(port)
  const bodies = Array.from({ length: 2000 }, (_, at) => `{"at":${at}}`)
  connection.write(bodies.map((body) => post('/v1/observe', body)).join(''))
  for (const _body of bodies) expect((await connection.reply())?.status).toBe(200)
  expect(calls.map(({ body }) => JSON.stringify(body))).toEqual(bodies)
  expect(state.insideMax).toBeLessThanOrEqual(4)
})

test('for a client that reads nothing few answers are made, whatever it sent ahead, and the rest when it reads', async () => {
  const { runtime, calls } = largeRuntime(2000 * KIB)
  const { port } = await startHttp(runtime)
  const mute = new RawConnection(port)
  mute.socket.pause()
  mute.write(post('/v1/observe', '{}').repeat(30))
  const other = new RawConnection(port)
  for (let round = 0; round < 100; round += 1) {
    other.write(HEALTH)
    expect((await other.reply())?.status).toBe(200)
  }
  expect(calls.length).toBeLessThan(20)
  mute.socket.resume()
  for (let round = 0; round < 30; round += 1) expect((await mute.reply())?.status).toBe(200)
  mute.socket.destroy()
})

test('an answer of which nothing is read for the request timeout ends its connection, and the log says so', async () => {
  const { log, lines } = memoryLog()
  const { runtime } = largeRuntime(20_000 * KIB)
  const { app, port } = await startHttp(runtime, { log, requestTimeoutMs: 150, timeoutCheckMs: 10 })
  const mute = new RawConnection(port)
  mute.socket.pause()
  const isEnded = new Promise<void>((resolve) => {
    app.server.once('connection', (socket) => socket.once('close', resolve))
  })
  mute.write(post('/v1/observe', '{}'))
  await isEnded
  expect(lines).toMatchObject([{ level: 'warn' }])
})

test('a reader that is slow but reads gets its answer whole', async () => {
  const { runtime } = largeRuntime(40_000 * KIB)
  const { port } = await startHttp(runtime, { requestTimeoutMs: 1000, timeoutCheckMs: 10 })
  const slow = connect(port, '127.0.0.1')
  let received = 0
  const startedAtMs = performance.now()
  slow.on('data', (bytes) => {
    received += bytes.length
    slow.pause()
    setTimeout(() => slow.resume(), 5)
    if (received > 40_000 * KIB) slow.destroy()
  })
  slow.write(post('/v1/observe', '{}'))
  await once(slow, 'close')
  expect(received).toBeGreaterThan(40_000 * KIB)
  expect(performance.now() - startedAtMs).toBeGreaterThan(1000)
})

test('a request that takes longer than the request timeout keeps its connection', async () => {
  const { runtime } = fakeRuntime(async () => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    return { done: true }
  })
  const { port } = await startHttp(runtime, { requestTimeoutMs: 100, timeoutCheckMs: 10 })
  const connection = new RawConnection(port)
  connection.write(post('/v1/observe', '{}') + HEALTH)
  expect((await connection.reply())?.body).toBe('{"done":true}')
  expect((await connection.reply())?.body).toBe('{"ok":true}')
})

test('requests sent ahead are all answered however long those take that came before', async () => {
  const { runtime } = fakeRuntime(async () => {
    await new Promise((resolve) => setTimeout(resolve, 10))
    return { done: true }
  })
  const { port } = await startHttp(runtime, { requestTimeoutMs: 600, timeoutCheckMs: 10 })
  const connection = new RawConnection(port)
  // Of what is read at a time the last request is not whole, and waits for hundreds before it.
  const body = JSON.stringify({ text: 'x'.repeat(100) })
  connection.write(post('/v1/observe', body).repeat(700))
  for (let at = 0; at < 700; at += 1) expect((await connection.reply())?.status, `reply ${at}`).toBe(200)
  connection.write(HEALTH)
  expect((await connection.reply())?.status).toBe(200)
})

test('a request that stops in its middle behind others that take long is refused when it had its time', async () => {
  const { runtime } = fakeRuntime(async () => {
    await new Promise((resolve) => setTimeout(resolve, 900))
    return { done: true }
  })
  const { port } = await startHttp(runtime, { requestTimeoutMs: 600, timeoutCheckMs: 10 })
  for (const part of ['POST /v1/obs', post('/v1/observe', '{"text":1}').slice(0, -3)]) {
    const connection = new RawConnection(port)
    connection.write(post('/v1/observe', '{}').repeat(5) + part)
    expect(await statusesOf(connection)).toEqual([200, 200, 200, 200, 200, 408])
  }
})

test('answers that nobody reads take no more memory than their bound: the slowest readers are cut off', async () => {
  const { log, lines } = memoryLog()
  const { runtime } = largeRuntime(4000 * KIB)
  const { port } = await startHttp(runtime, { log, transitBytesMax: 20_000 * KIB })
  const mutes = Array.from({ length: 20 }, () => new RawConnection(port))
  for (const mute of mutes) {
    mute.socket.pause()
    mute.write(post('/v1/observe', '{}').repeat(20))
  }
  const other = new RawConnection(port)
  while (lines.length === 0) {
    other.write(HEALTH)
    expect((await other.reply())?.status).toBe(200)
  }
  other.write(post('/v1/observe', '{}'))
  expect((await other.reply())?.status).toBe(200)
  for (const { socket } of [...mutes, other]) socket.destroy()
})

test('more requests that wait than the bound are refused 503 on the connections that meet it', async () => {
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const { runtime, calls } = fakeRuntime(() => isReleased.then(() => ({})))
  const { port } = await startHttp(runtime)
  const many = Array.from({ length: 30 }, () => new RawConnection(port))
  for (const connection of many) connection.write(post('/v1/observe', '{}') + HEALTH.repeat(1500))
  const other = new RawConnection(port)
  for (let round = 0; round < 50; round += 1) {
    other.write(HEALTH)
    expect((await other.reply())?.status).toBe(200)
  }
  expect(calls.length).toBe(30)
  release()
  const lastOf = async (connection: RawConnection) => {
    let last = 0
    for (let count = 0; count < 1501; count += 1) last = (await connection.reply())?.status ?? last
    return last
  }
  const last = await Promise.all(many.map(lastOf))
  expect(last.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10)
  expect(last.filter((status) => status === 503).length).toBeGreaterThanOrEqual(10)
  for (const { socket } of [...many, other]) socket.destroy()
})

test('large bodies on their way in take no more memory than their bound; small ones are always taken', async () => {
  const { runtime } = fakeRuntime(() => ({}))
  const { port } = await startHttp(runtime, { transitBytesMax: 1000 * KIB })
  const half = new RawConnection(port)
  half.write(post('/v1/observe', '', { 'content-length': String(700 * KIB) }))
  const other = new RawConnection(port)
  other.write(HEALTH)
  await other.reply()
  const large = post('/v1/observe', `"${'x'.repeat(500 * KIB)}"`)
  other.write(large)
  const refused = await other.reply()
  expect([refused?.status, JSON.parse(refused?.body ?? '{}')]).toMatchObject([
    503,
    { error: 'overloaded', details: { where: 'bodies' } },
  ])
  other.write(post('/v1/observe', '{}'))
  expect((await other.reply())?.status).toBe(200)
  half.socket.destroy()
  for (let status = 503; status !== 200; ) {
    other.write(large)
    status = (await other.reply())?.status ?? 0
  }
})

test.each([
  ['bytes that are no request', 'nonsense\r\n\r\n'],
  ['a request cut off in its body', post('/v1/observe', '{"a"', { 'transfer-encoding': 'chunked' })],
])('a write with %s behind it is answered 200, and then they are answered 400', async (_name, garbage) => {
  const { runtime, calls } = fakeRuntime(async ({ body }) => {
    await turn()
    return { written: body }
  })
  const { port } = await startHttp(runtime)
  const connection = new RawConnection(port)
  connection.write(post('/v1/observe', '{"n":1}').repeat(9) + garbage)
  expect(await statusesOf(connection)).toEqual([...Array.from({ length: 9 }, () => 200), 400])
  expect(calls).toHaveLength(9)
  expect(connection.rest()).toBe('')
})

test('a client that says it will send no more gets the answers to what it sent', async () => {
  const { runtime } = largeRuntime(10)
  const { port } = await startHttp(runtime)
  const connection = new RawConnection(port)
  connection.socket.end(post('/v1/observe', '{}').repeat(9))
  expect(await statusesOf(connection)).toEqual(Array.from({ length: 9 }, () => 200))
})

test('what many send ahead and do not read keeps a request that is sent alone waiting behind few', async () => {
  const entered: string[] = []
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const { runtime } = fakeRuntime(async ({ body }) => {
    entered.push(JSON.stringify(body))
    await isReleased
    return { text: 'x'.repeat(100 * KIB) }
  })
  const { port } = await startHttp(runtime)
  const mutes = Array.from({ length: 20 }, () => new RawConnection(port))
  for (const mute of mutes) mute.write(post('/v1/observe', '{"ahead":1}').repeat(30))
  while (entered.length < 20 + 4) await turn()
  const alone = new RawConnection(port)
  alone.write(post('/v1/observe', '{"alone":1}'))
  while (!entered.includes('{"alone":1}')) await turn()
  // The first of each connection, and four of all others.
  expect(entered).toHaveLength(20 + 4 + 1)
  release()
  expect((await alone.reply())?.status).toBe(200)
  for (const mute of mutes) for (let at = 0; at < 30; at += 1) expect((await mute.reply())?.status).toBe(200)
  for (const { socket } of [...mutes, alone]) socket.destroy()
})

test('who sends ahead and reads nothing, sends no body or follows events keeps nobody from having requests sent ahead answered', async () => {
  const { runtime, calls } = largeRuntime(12_000 * KIB)
  let followed = 0
  const follow = async () => {
    followed += 1
    return { ended: null, next: () => new Promise<null>(() => {}), close() {} }
  }
  const events: HttpOperation = {
    name: 'followEvents',
    method: 'GET',
    writes: false,
    access: 'operator',
    path: '/v1/operator/events',
  }
  const bounds = { transitBytesMax: 1_000_000 * KIB }
  const { port } = await startHttp({ ...runtime, follow }, bounds, [...TABLE, events])
  const reader = new RawConnection(port)
  const readerIsServed = async () => {
    reader.write(HEALTH.repeat(20))
    for (let at = 0; at < 20; at += 1) expect((await reader.reply())?.status).toBe(200)
  }
  const mutes = Array.from({ length: 8 }, () => new RawConnection(port))
  for (const mute of mutes) {
    mute.socket.pause()
    mute.write(HEALTH + post('/v1/observe', '{}'))
  }
  while (calls.length < mutes.length) await turn()
  await readerIsServed()
  const half = Array.from({ length: 8 }, () => new RawConnection(port))
  for (const connection of half) connection.write(HEALTH + post('/v1/observe', '{}').slice(0, -1))
  for (const connection of half) expect((await connection.reply())?.status).toBe(200)
  await readerIsServed()
  const followers = Array.from({ length: 8 }, () => new RawConnection(port))
  for (const { socket } of followers) socket.write(`${HEALTH}GET ${events.path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  while (followed < followers.length) await turn()
  await readerIsServed()
  for (const { socket } of [...mutes, ...half, ...followers, reader]) socket.destroy()
})
