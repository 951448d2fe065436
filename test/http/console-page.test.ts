import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConsole } from '../../src/edges/console-host/console.ts'
import { createServer } from '../../src/edges/http/server.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { httpOptions } from '../harness/edge.ts'
import { fakeRuntime, TABLE } from './http-fixture.ts'

const PAGE = '<!doctype html><title>console</title>'
const SCRIPT = 'document.title = "shown"'

let dir: string
let app: FastifyInstance

async function edgeWith(folder: URL | null): Promise<FastifyInstance> {
  const console = folder === null ? null : await openConsole(partsOf(folder))
  return createServer(fakeRuntime().runtime, TABLE, httpOptions({ console }))
}

const partsOf = (folder: URL) => ({ folder, keys: null, isSecure: false, clock: { nowMs: () => 0 } })
const folderUrl = (path: string) => pathToFileURL(`${path}/`)

beforeAll(async () => {
  dir = dataFolder()
  await mkdir(join(dir, 'assets'))
  await writeFile(join(dir, 'files.json'), JSON.stringify(['index.html', 'assets/index-1f.js']))
  await writeFile(join(dir, 'index.html.gz'), gzipSync(PAGE))
  await writeFile(join(dir, 'assets/index-1f.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(dir, 'assets/secret.js.gz'), gzipSync('not in the list'))
  app = await edgeWith(folderUrl(dir))
})

afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('the page of operators', () => {
  test('is served without a key and never stored, its scripts for good', async () => {
    for (const url of ['/console', '/console/', '/console/index.html']) {
      const page = await get(url)
      expect(page).toMatchObject({ statusCode: 200, body: PAGE })
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      })
    }
    const script = await get('/console/assets/index-1f.js')
    expect(script).toMatchObject({ statusCode: 200, body: SCRIPT })
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toContain('immutable')
  })

  test('may run and ask nothing but itself, be framed by nobody, and tells no other site of itself', async () => {
    const { headers } = await get('/console')
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy.join()).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })

  test('goes packed as the build packed it to whoever takes that, and unpacked to anybody else', async () => {
    for (const path of ['/console', '/console/assets/index-1f.js']) {
      const text = path === '/console' ? PAGE : SCRIPT
      for (const accepted of ['gzip, deflate, br', 'br;q=0, GZIP;q=0.8']) {
        const reply = await get(path, { 'accept-encoding': accepted })
        expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
        expect(gunzipSync(reply.rawPayload).toString()).toBe(text)
      }
      for (const accepted of ['identity', 'br', 'gzip;q=0']) {
        const reply = await get(path, { 'accept-encoding': accepted })
        expect([reply.headers['content-encoding'], reply.body]).toEqual([undefined, text])
      }
    }
  })

  test('is a list of names: no other path is looked for on the disk', async () => {
    const paths = [
      'assets/secret.js',
      'assets/index-1f.js.gz',
      'files.json',
      '../package.json',
      'assets/%2e%2e/files.json',
      'assets/',
    ]
    for (const path of paths) {
      const reply = await get(`/console/${path}`)
      expect([path, reply.statusCode]).toEqual([path, 404])
    }
    await writeFile(join(dir, 'index.html.gz'), gzipSync('changed'))
    expect((await get('/console')).body).toBe(PAGE)
  })

  test('a list that names anything but files of the page is refused at the start', async () => {
    const other = dataFolder()
    for (const name of ['../package.json', 'assets/../x.js', '/etc/passwd', 'assets/x.html']) {
      await writeFile(join(other, 'files.json'), JSON.stringify([name]))
      await expect(openConsole(partsOf(folderUrl(other))), name).rejects.toThrow()
    }
  })

  test('a link of another site may lead to it; nothing else of that site reaches the service', async () => {
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    expect((await get('/console', link)).statusCode).toBe(200)
    expect((await get('/console/assets/index-1f.js', link)).statusCode).toBe(403)
    expect((await get('/health', link)).statusCode).toBe(403)
    expect((await get('/console', { ...link, 'sec-fetch-dest': 'iframe' })).statusCode).toBe(403)
    expect((await get('/console', { ...link, 'sec-fetch-mode': 'no-cors' })).statusCode).toBe(403)
    expect((await get('/console', { origin: 'https://evil.example' })).statusCode).toBe(403)
  })

  test('not built it says what to do; left out there is no such route', async () => {
    const unbuilt = await edgeWith(folderUrl(join(dir, 'nowhere')))
    const told = await unbuilt.inject({ method: 'GET', url: '/console' })
    expect(told.statusCode).toBe(404)
    expect(told.json().message).toContain('npm run build')
    const without = await edgeWith(null)
    const unknown = await without.inject({ method: 'GET', url: '/console' })
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json().message).not.toContain('npm run build')
    await Promise.all([unbuilt.close(), without.close()])
  })
})
