import { link, stat, writeFile } from 'node:fs/promises'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { fakeRuntime, post, RawConnection, startHttp, stopAll } from './http-fixture.ts'

let folder = ''

beforeEach(() => {
  folder = dataFolder()
})
afterEach(stopAll)

/** A runtime whose next answer waits until the test lets it go. */
function heldRuntime() {
  let arrived = () => {}
  let release = () => {}
  const isArrived = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  const { runtime, calls } = fakeRuntime(async () => {
    arrived()
    await isReleased
    return { finished: true }
  })
  return { runtime, calls, isArrived, release: () => release() }
}

test('close lets a request in progress finish and answers later ones 503 shutting_down', async () => {
  const { runtime, calls, isArrived, release } = heldRuntime()
  const { app, port } = await startHttp(runtime)
  const busy = new RawConnection(port)
  busy.write(post('/v1/observe', '{}'))
  await isArrived
  // The head of this one is in before the close, its body comes after it.
  const late = new RawConnection(port)
  late.write(post('/v1/observe', '', { 'content-length': '2' }).slice(0, -2))
  const probe = new RawConnection(port)
  probe.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  await probe.reply()
  const closed = app.close()
  await probe.closed()
  late.write('\r\n{}')
  const refused = await late.reply()
  expect(refused?.status).toBe(503)
  expect(JSON.parse(refused?.body ?? '')).toMatchObject({ error: 'shutting_down', details: {} })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused?.headers.get('connection')).toBe('close')
  await late.closed()
  release()
  const finished = await busy.reply()
  expect(finished?.body).toBe('{"finished":true}')
  await busy.closed()
  await closed
  expect(calls).toHaveLength(1)
  const after = new RawConnection(port)
  expect(await after.reply()).toBeNull()
})

test('close answers what clients had already sent: on idle connections, new ones, and ahead of an answer', async () => {
  const { runtime, calls, isArrived, release } = heldRuntime()
  const { app, port } = await startHttp(runtime)
  const ahead = new RawConnection(port)
  ahead.write(post('/v1/observe', '{}').repeat(20))
  const idle = Array.from({ length: 50 }, () => new RawConnection(port))
  for (const connection of idle) {
    connection.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    await connection.reply()
  }
  await isArrived
  for (const connection of idle) connection.write(post('/v1/observe', '{}'))
  const fresh = Array.from({ length: 20 }, () => new RawConnection(port))
  for (const connection of fresh) connection.write(post('/v1/observe', '{}'))
  const closed = app.close()
  for (const connection of [...idle, ...fresh]) {
    expect([200, 503]).toContain((await connection.reply())?.status)
    await connection.closed()
  }
  release()
  const statuses: number[] = []
  for (let reply = await ahead.reply(); reply !== null; reply = await ahead.reply()) {
    statuses.push(reply.status)
  }
  await closed
  expect(statuses.filter((status) => status === 200)).toHaveLength(calls.length)
  expect(statuses).toHaveLength(20)
})

test('close ends connections that are still busy at the deadline', async () => {
  const { runtime, isArrived, release } = heldRuntime()
  const { app, port } = await startHttp(runtime, { drainDeadlineMs: 20 })
  const busy = new RawConnection(port)
  busy.write(post('/v1/observe', '{}'))
  await isArrived
  await app.close()
  expect(await busy.reply()).toBeNull()
  release()
})

test('a connection that never said anything does not hold up close', async () => {
  const { app, port } = await startHttp(fakeRuntime().runtime, { drainDeadlineMs: 20 })
  const silent = new RawConnection(port)
  await new Promise((resolve) => silent.socket.once('connect', resolve))
  await app.close()
  await silent.closed()
  expect(silent.socket.destroyed).toBe(true)
})

test('the service listens on a Unix socket of its owner as well as on TCP, under the same rules', async () => {
  const socketPath = join(folder, 's')
  const { app, url } = await startHttp(fakeRuntime().runtime, { socketPath })
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600)
  const connection = new RawConnection(socketPath)
  connection.write(post('/v1/observe', '{"via":"socket"}'))
  expect((await connection.reply())?.body).toContain('socket')
  connection.write('nonsense\r\n\r\n')
  expect((await connection.reply())?.status).toBe(400)
  const idle = new RawConnection(socketPath)
  idle.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  await idle.reply()
  await app.close()
  await idle.closed()
  await expect(stat(socketPath)).rejects.toThrow('ENOENT')
})

test('close waits for a request on the Unix socket too', async () => {
  const socketPath = join(folder, 's')
  const { runtime, isArrived, release } = heldRuntime()
  const { app } = await startHttp(runtime, { socketPath })
  const busy = new RawConnection(socketPath)
  busy.write(post('/v1/observe', '{}'))
  await isArrived
  const closed = app.close()
  release()
  expect((await busy.reply())?.body).toBe('{"finished":true}')
  await closed
})

test('a socket that a killed process left behind is replaced', async () => {
  const socketPath = join(folder, 's')
  // Node unlinks a socket when it closes; a hard link keeps the file as a crash would.
  const crashed = createNetServer()
  await new Promise<void>((resolve) => crashed.listen(join(folder, 'original'), resolve))
  await link(join(folder, 'original'), socketPath)
  await new Promise((resolve) => crashed.close(resolve))
  expect((await stat(socketPath)).isSocket()).toBe(true)
  await startHttp(fakeRuntime().runtime, { socketPath })
  const connection = new RawConnection(socketPath)
  connection.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  expect((await connection.reply())?.status).toBe(200)
})

test('a socket that another process answers on, and a file that is no socket, stay and stop the start', async () => {
  const socketPath = join(folder, 's')
  await startHttp(fakeRuntime().runtime, { socketPath })
  await expect(startHttp(fakeRuntime().runtime, { socketPath })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  const filePath = join(folder, 'notes.txt')
  await writeFile(filePath, 'mine')
  await expect(startHttp(fakeRuntime().runtime, { socketPath: filePath })).rejects.toThrow('is no socket')
  expect((await stat(filePath)).isFile()).toBe(true)
})
