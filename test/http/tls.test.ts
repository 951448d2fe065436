import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { DockerfileParser } from 'dockerfile-ast'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createServer } from '../../src/edges/http/server.ts'
import { LOOK_MS, openTls, type TlsPaths } from '../../src/edges/http/tls.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { httpOptions } from '../harness/edge.ts'
import { manualClock, memoryLog } from '../harness/system.ts'
import { fakeRuntime, TABLE } from './http-fixture.ts'

const PEMS = join(import.meta.dirname, '../fixtures/tls')

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

/** A folder with the certificate and key of that name. */
function pathsOf(name: 'one' | 'two'): TlsPaths {
  const dir = dataFolder()
  const paths = { certPath: join(dir, 'cert.pem'), keyPath: join(dir, 'key.pem') }
  put(paths, name)
  return paths
}

function put({ certPath, keyPath }: TlsPaths, name: 'one' | 'two'): void {
  copyFileSync(join(PEMS, `${name}.cert.pem`), certPath)
  copyFileSync(join(PEMS, `${name}.key.pem`), keyPath)
}

/** At a time when both certificates are valid. */
const watching = (at = '2027-01-01T00:00:00Z') => ({ clock: manualClock(Date.parse(at)), ...memoryLog() })

async function listening(paths: TlsPaths | null, connectionsMax = 100) {
  const { log, lines } = memoryLog()
  const tls = paths === null ? null : await openTls(paths, { ...watching(), log })
  const app = createServer(fakeRuntime().runtime, TABLE, httpOptions({ tls, connectionsMax }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  closing.push(() => app.close())
  const address = app.server.address() as AddressInfo
  return { port: address.port, lines }
}

interface Told {
  readonly status: number
  /** CN of the certificate. */
  readonly name: string
}

/** One request over a connection of its own, trusting both certificates and no other. */
function asked(port: number): Promise<Told> {
  const ca = ['one', 'two'].map((name) => readFileSync(join(PEMS, `${name}.cert.pem`)))
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/health', ca, agent: false }, (answer) => {
      const { CN } = (answer.socket as TLSSocket).getPeerCertificate().subject
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, name: String(CN) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** How the health check of the image ends in a container with this environment. */
function imageChecks(port: number, env: NodeJS.ProcessEnv): Promise<number | null> {
  const file = readFileSync(join(import.meta.dirname, '../../deploy/Dockerfile'), 'utf8')
  const line = DockerfileParser.parse(file).getHEALTHCHECKs()[0]?.toString() ?? ''
  const [command = '', ...args] = JSON.parse(line.slice(line.indexOf('['))) as string[]
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], MEMGOV_PORT: String(port), ...env },
  })
  return new Promise((resolve) => child.on('close', resolve))
}

describe('over TLS', () => {
  test('the image knows that its service lives, as it does in plain text', async () => {
    const paths = pathsOf('one')
    const { port } = await listening(paths)
    const env = { MEMGOV_TLS_CERT: paths.certPath }
    expect(await imageChecks(port, env)).toBe(0)
    expect(await imageChecks(port, {})).toBe(1)
    const plain = await listening(null)
    expect(await imageChecks(plain.port, {})).toBe(0)
    await closing.pop()?.()
    expect(await imageChecks(plain.port, {})).toBe(1)
  })

  test('a request is answered, and one in plain text is not', async () => {
    const { port } = await listening(pathsOf('one'))
    expect(await asked(port)).toEqual({ status: 200, name: 'localhost-one' })
    const plain = new Promise((resolve, reject) => {
      plainRequest({ host: '127.0.0.1', port, path: '/health', agent: false }, resolve)
        .on('error', reject)
        .end()
    })
    await expect(plain).rejects.toThrow()
  })

  test('a certificate that is replaced is given to the next connection', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const paths = pathsOf('one')
    const { port } = await listening(paths)
    expect((await asked(port)).name).toBe('localhost-one')
    put(paths, 'two')
    vi.advanceTimersByTime(LOOK_MS)
    await vi.waitFor(async () => expect((await asked(port)).name).toBe('localhost-two'), { timeout: 20_000 })
  })

  test('a certificate without its key leaves the one before', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const paths = pathsOf('one')
    const { port, lines } = await listening(paths)
    copyFileSync(join(PEMS, 'two.cert.pem'), paths.certPath)
    vi.advanceTimersByTime(LOOK_MS)
    await vi.waitFor(() => expect(lines.some(({ level }) => level === 'error')).toBe(true), {
      timeout: 20_000,
    })
    expect((await asked(port)).name).toBe('localhost-one')
  })

  test('connections that never agree on a key are bounded', async () => {
    const { port } = await listening(pathsOf('one'), 2)
    const idle = Array.from({ length: 8 }, () => connect({ host: '127.0.0.1', port }))
    // Before the server, which waits for who is still connected.
    closing.unshift(async () => idle.forEach((socket) => socket.destroy()))
    let closed = 0
    for (const socket of idle) socket.on('error', () => undefined).on('close', () => (closed += 1))
    // As many stay as may be inside, and as many as are told that they are too many.
    await vi.waitFor(() => expect(closed).toBe(4), { timeout: 5000 })
  })

  test('files that are no certificate and key stop the start with a sentence', async () => {
    const paths = pathsOf('one')
    writeFileSync(paths.keyPath, 'nonsense')
    await expect(openTls(paths, watching())).rejects.toThrow(/no certificate with its key/)
  })

  test.each([
    ['2020-01-01T00:00:00Z', ['the certificate is not valid yet: clients refuse it']],
    ['2027-01-01T00:00:00Z', []],
    ['2127-01-01T00:00:00Z', ['the certificate has expired: clients refuse it']],
  ])('one that is opened in %s is warned of where its dates say so', async (at, told) => {
    const world = watching(at)
    const paths = pathsOf('one')
    await openTls(paths, world)
    expect(world.lines.map(({ message }) => message)).toEqual(told)
    for (const { level, fields } of world.lines) {
      expect(level).toBe('warn')
      expect(fields).toEqual({ file: paths.certPath, from: expect.any(String), until: expect.any(String) })
    }
  })

  test('a folder in the place of a file is named', async () => {
    const { certPath, keyPath } = pathsOf('one')
    const folder = dataFolder()
    for (const paths of [
      { certPath: folder, keyPath },
      { certPath, keyPath: folder },
    ])
      await expect(openTls(paths, watching())).rejects.toThrow(`${folder} cannot be read: EISDIR`)
  })

  test('a key that is not that of the certificate stops the start, also one of another kind', async () => {
    const paths = pathsOf('one')
    copyFileSync(join(PEMS, 'two.key.pem'), paths.keyPath)
    await expect(openTls(paths, watching())).rejects.toThrow(/no certificate with its key/)
    const other = generateKeyPairSync('ed25519').privateKey
    writeFileSync(paths.keyPath, other.export({ type: 'pkcs8', format: 'pem' }))
    await expect(openTls(paths, watching())).rejects.toThrow(/no certificate with its key/)
  })
})
