import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, type KeyGrant, rotateKey, withdrawKey } from '../../src/adapters/keys/key-folder.ts'
import { type LiveKeys, openLiveKeys } from '../../src/adapters/keys/live-keys.ts'
import { methodsOf, OPERATIONS, type OperationSpec } from '../../src/contract/operations.ts'
import { openConsole, SESSION_PATH } from '../../src/edges/console-host/console.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { memoryLog } from '../harness/system.ts'
import { keyGrant } from '../support/keys.ts'

const dir = dataFolder()
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const PLACE = { tenant_id: 'acme', scope: 'shop' }
const MARKED = { 'x-memgov-console': '1' }

let service: Embedded
let keys: LiveKeys
/** Without keys, with them, and with them under TLS. */
let open: FastifyInstance
let app: FastifyInstance
let secure: FastifyInstance

beforeAll(async () => {
  service = await startEmbedded({})
  keys = await openLiveKeys(dir, memoryLog().log)
  const edge = async (held: LiveKeys | null, isSecure: boolean) => {
    const folder = pathToFileURL(`${join(dir, 'unbuilt')}/`)
    const console = await openConsole({ folder, keys: held, isSecure, clock: service.clock })
    return edgeOver(service, held, null, {}, console)
  }
  open = await edge(null, false)
  app = await edge(keys, false)
  secure = await edge(keys, true)
  await tokenFor()
})

afterAll(async () => {
  keys.close()
  await Promise.all([open, app, secure].map((each) => each.close()))
})

const OPERATOR = { isOperator: true, agentId: null, teamId: null, scopes: [] } as const

async function tokenFor(changes: Partial<KeyGrant> = {}): Promise<string> {
  const { token } = await createKey(dir, keyGrant({ ...OPERATOR, ...changes }), service.clock.nowMs())
  await keys.look()
  return token
}

let addresses = 0
const newAddress = () => `10.0.0.${(addresses += 1)}`

async function logIn(key: string, headers: Record<string, string> = {}, remoteAddress = newAddress()) {
  const reply = await app.inject({
    method: 'POST',
    url: SESSION_PATH,
    headers: { ...MARKED, ...headers },
    payload: { key },
    remoteAddress,
  })
  const [set = ''] = [reply.headers['set-cookie'] ?? ''].flat()
  return { reply, set, cookie: set.split(';', 1)[0] ?? '' }
}

async function ask(
  operation: Pick<OperationSpec, 'method' | 'path'>,
  headers: Record<string, string>,
  body: Record<string, string> = PLACE,
) {
  const url = operation.path.replace(/:(\w+)/g, 'some-$1')
  const reply = await app.inject(
    operation.method === 'GET'
      ? { method: 'GET', url: `${url}?${new URLSearchParams(body).toString()}`, headers }
      : { method: 'POST', url, headers, payload: body },
  )
  return { status: reply.statusCode, error: reply.json().error }
}

const standing = async (edge: FastifyInstance, cookie = '', remoteAddress = '127.0.0.1') =>
  (await edge.inject({ method: 'GET', url: SESSION_PATH, headers: { cookie }, remoteAddress })).json()

const LIST = OPERATIONS.listMemories

describe('a session of the console', () => {
  test('is opened with the key of an operator, and opens every operation that the key opens', async () => {
    const { reply, cookie } = await logIn(await tokenFor())
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      operator: true,
      needs_login: false,
      four_eyes: true,
      tenant_id: 'acme',
    })
    const routes: readonly OperationSpec[] = Object.values(OPERATIONS)
    for (const row of routes.filter(({ access }) => access !== 'everyone')) {
      for (const method of methodsOf(row)) {
        // A stream of events that is let in has no end.
        const headers = { cookie, ...MARKED, 'last-event-id': 'none' }
        const { status, error } = await ask({ method, path: row.path }, headers)
        expect([row.name, status === 401 || status === 403 ? error : 'let in']).toEqual([row.name, 'let in'])
      }
    }
  })

  test('is kept by the browser where no script reads it and no other site sends it', async () => {
    const { set } = await logIn(await tokenFor())
    expect(set).toMatch(/^memgov_console=[\w-]{43}; Path=\/v1; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    const key = await tokenFor()
    const reply = await secure.inject({
      method: 'POST',
      url: SESSION_PATH,
      headers: MARKED,
      payload: { key },
    })
    expect(String(reply.headers['set-cookie'])).toContain('; Secure')
  })

  test('opens neither hooks nor tools of agents', async () => {
    const { cookie } = await logIn(await tokenFor())
    for (const path of ['/mcp', '/hooks/codex']) {
      expect((await ask({ method: 'POST', path }, { cookie, ...MARKED })).status, path).toBe(401)
    }
  })

  test('has an id that no one brought along: a login ends the session of the cookie it came with', async () => {
    const key = await tokenFor()
    const planted = `memgov_console=${'x'.repeat(43)}`
    const first = await logIn(key, { cookie: planted })
    expect(first.cookie).not.toBe(planted)
    expect((await ask(LIST, { cookie: planted })).status).toBe(401)
    const second = await logIn(key, { cookie: first.cookie })
    expect(second.cookie).not.toBe(first.cookie)
    expect((await ask(LIST, { cookie: first.cookie })).status).toBe(401)
    expect((await ask(LIST, { cookie: second.cookie })).status).toBe(200)
    expect((await ask(LIST, { cookie: `${second.cookie}; ${planted}` })).status).toBe(401)
  })

  test('ends with a logout, whoever replays its cookie', async () => {
    const { cookie } = await logIn(await tokenFor())
    const out = await app.inject({ method: 'DELETE', url: SESSION_PATH, headers: { cookie, ...MARKED } })
    expect(out.json()).toMatchObject({ needs_login: true, operator: false })
    expect(String(out.headers['set-cookie'])).toContain('memgov_console=; Path=/v1; Max-Age=0')
    expect((await ask(LIST, { cookie })).status).toBe(401)
    expect(await standing(app, cookie)).toMatchObject({ needs_login: true })
  })

  test('ends when its key is revoked, has another secret or expires, and after eight hours', async () => {
    const keyIdOf = (token: string) => token.slice(3, 15)
    const revoked = await tokenFor()
    const changed = await tokenFor()
    const short = await tokenFor({ expiresAtMs: service.clock.nowMs() + HOUR_MS })
    const long = await tokenFor()
    const cookies = await Promise.all(
      [revoked, changed, short, long].map(async (key) => (await logIn(key)).cookie),
    )
    const states = () => Promise.all(cookies.map(async (cookie) => (await ask(LIST, { cookie })).status))
    expect(await states()).toEqual([200, 200, 200, 200])
    await withdrawKey(dir, keyIdOf(revoked))
    await rotateKey(dir, keyIdOf(changed), service.clock.nowMs())
    await keys.look()
    expect(await states()).toEqual([401, 401, 200, 200])
    service.clock.advance(HOUR_MS)
    expect(await states()).toEqual([401, 401, 401, 200])
    service.clock.advance(7 * HOUR_MS)
    expect(await states()).toEqual([401, 401, 401, 401])
  })

  test('writes only what the page itself sends: its header, JSON, and no other origin', async () => {
    const { cookie } = await logIn(await tokenFor())
    const refused: readonly Record<string, string>[] = [
      { cookie },
      { cookie, 'x-memgov-console': '0' },
      { cookie, ...MARKED, 'content-type': 'text/plain' },
      { cookie, ...MARKED, origin: 'https://evil.example' },
      { cookie, ...MARKED, 'sec-fetch-site': 'cross-site' },
      { cookie, ...MARKED, 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of refused) {
      const { status, error } = await ask(OPERATIONS.settle, headers)
      expect([headers, status, error]).toEqual([headers, 403, 'cross_site_request'])
    }
    expect((await ask(OPERATIONS.settle, { cookie, ...MARKED })).status).toBe(400)
    const forged = await logIn(await tokenFor(), { 'x-memgov-console': '' })
    expect([forged.reply.statusCode, forged.set]).toEqual([403, ''])
  })

  test('of a key that may only read writes nothing', async () => {
    const { reply, cookie } = await logIn(await tokenFor({ isReadOnly: true }))
    expect(reply.json()).toMatchObject({ read_only: true })
    expect((await ask(LIST, { cookie })).status).toBe(200)
    expect(await ask(OPERATIONS.settle, { cookie, ...MARKED })).toEqual({
      status: 403,
      error: 'read_only_key',
    })
  })

  test('enters no tenant and no scope that its key may not', async () => {
    const { reply, cookie } = await logIn(await tokenFor({ scopes: [{ name: 'shop', isPrefix: false }] }))
    expect(reply.json()).toMatchObject({ tenant_id: 'acme', scopes: ['shop'], scope_prefixes: [] })
    expect(await ask(LIST, { cookie }, { tenant_id: 'rival', scope: 'shop' })).toMatchObject({
      error: 'tenant_forbidden',
    })
    expect(await ask(LIST, { cookie }, { scope: 'till' })).toMatchObject({ error: 'scope_forbidden' })
  })

  test('is none for the key of an agent, which is told so in words', async () => {
    const { reply, set } = await logIn(await tokenFor({ isOperator: false }))
    expect([reply.statusCode, set]).toEqual([403, ''])
    expect(reply.json()).toMatchObject({ error: 'operator_key_required' })
    expect(reply.json().message).toContain('memgov keys create --operator')
  })

  test('after five failures in a minute an address is answered alike, whatever it sends', async () => {
    const key = await tokenFor()
    const address = newAddress()
    const tried = async (text: string) => (await logIn(text, {}, address)).reply
    const bodies = new Set<string>()
    for (let attempt = 0; attempt < 5; attempt += 1) bodies.add((await tried(`mg_${attempt}`)).body)
    const right = await tried(key)
    bodies.add(right.body)
    expect([right.statusCode, bodies.size]).toEqual([401, 1])
    expect((await logIn(key)).reply.statusCode).toBe(200)
    service.clock.advance(MINUTE_MS)
    expect((await tried(key)).statusCode).toBe(200)
  })

  test('failures of before the clock was set back far do not count', async () => {
    const key = await tokenFor()
    const address = newAddress()
    for (let attempt = 0; attempt < 5; attempt += 1) await logIn(`mg_${attempt}`, {}, address)
    service.clock.advance(-HOUR_MS)
    const { reply } = await logIn(key, {}, address)
    service.clock.advance(HOUR_MS)
    expect(reply.statusCode).toBe(200)
  })

  test('a key in a header counts, and no cookie beside it', async () => {
    const { cookie } = await logIn(await tokenFor())
    expect((await ask(LIST, { cookie, authorization: 'Bearer mg_wrong' })).status).toBe(401)
  })

  test('without keys there is none: the machine of the service is the operator, and nobody else', async () => {
    expect(await standing(open)).toMatchObject({
      has_keys: false,
      needs_login: false,
      operator: true,
      reviewer: 'local-operator',
      four_eyes: false,
    })
    expect(await standing(open, '', '10.1.1.1')).toMatchObject({ operator: false, reviewer: null })
    const told = await open.inject({
      method: 'GET',
      url: `${LIST.path}?scope=shop`,
      remoteAddress: '10.1.1.1',
    })
    expect([told.statusCode, told.json().error]).toEqual([403, 'operator_key_required'])
  })
})
