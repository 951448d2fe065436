import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { type KeyGrant, rotateKey, withdrawKey } from '../../src/adapters/keys/key-folder.ts'
import { methodsOf, OPERATIONS, type OperationSpec } from '../../src/contract/operations.ts'
import { ORIGINS } from '../../src/core/base/closed-sets.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { openConsole } from '../../src/edges/console-host/console.ts'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { type HeldKeys, heldKeys } from '../harness/held-keys.ts'

let service: Embedded
let app: FastifyInstance
let keys: HeldKeys

beforeAll(async () => {
  service = await startEmbedded({ config: { metrics: true } })
  keys = await heldKeys()
  app = edgeOver(service, keys.live)
})

afterAll(async () => {
  keys.live.close()
  await app.close()
})

const tokenFor = (changes: Partial<KeyGrant> = {}) => keys.tokenFor(changes, service.clock.nowMs())

interface Asked {
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** A stream of events that is let in has no end: with this it is refused behind what its key is asked. */
const NO_STREAM = { 'last-event-id': 'none' }

async function ask(operation: Pick<OperationSpec, 'method' | 'path'>, asked: Asked = {}) {
  const { token = null, headers = {}, body = {} } = asked
  const url = operation.path.replace(/:(\w+)/g, 'some-$1')
  const answer = await app.inject({
    method: operation.method,
    url: operation.method === 'GET' ? `${url}?${new URLSearchParams(texts(body)).toString()}` : url,
    headers: { ...NO_STREAM, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(operation.method === 'GET' ? {} : { payload: body }),
  })
  return { status: answer.statusCode, code: answer.json().error, answer }
}

function texts(body: object): Record<string, string> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]))
}

/** What a server was given, as `METHOD path`: of the tree that it prints, where a branch begins with what its twigs share. */
function routesOf(server: FastifyInstance): readonly string[] {
  const trunk: string[] = []
  const lines = server.printRoutes({ commonPrefix: false }).split('\n')
  return lines.flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? []
    if (part === '') return []
    trunk.splice(indent.length / 4, Infinity, part)
    return methods.split(', ').flatMap((method) => (method === '' ? [] : [`${method} ${trunk.join('')}`]))
  })
}

/** Every route, once for each of its methods. */
const ROUTES = Object.values(OPERATIONS).flatMap((operation: OperationSpec) =>
  methodsOf(operation).map((method) => ({ ...operation, method })),
)
const OPEN = ROUTES.filter(({ access }) => access === 'everyone')
const CLOSED = ROUTES.filter(({ access }) => access !== 'everyone')
const WITH_BODY = CLOSED.filter(({ request }) => request !== null)
/** About scopes that the key may not enter, too. */
const OF_TENANT = 'listActors'
const UNKNOWN = ['/v1/nothing', '/%zz'].map((path) => ({ name: path, method: 'GET' as const, path }))

/** The way in for an agent that has been kept out of nothing yet: refused by no rule of keys. */
const KEY_CODES = [
  'unauthorized',
  'tenant_forbidden',
  'scope_forbidden',
  'agent_forbidden',
  'operator_key_required',
  'read_only_key',
]

describe('without a valid key', () => {
  test('before the first key is made everything is open', async () => {
    expect(keys.live.areUsed).toBe(false)
    expect((await ask(OPERATIONS.openapi)).status).toBe(200)
  })

  test('only health and readiness are open, and they name no tenant', async () => {
    await tokenFor()
    expect(OPEN.map(({ name }) => name)).toEqual(['health', 'ready'])
    for (const route of OPEN) {
      const { status, answer } = await ask(route)
      expect(status).toBe(200)
      expect(answer.body).not.toContain('acme')
    }
  })

  test('of all routes that there are, also those of no operation, only the page and its login are open besides', async () => {
    await tokenFor()
    const folder = pathToFileURL(`${keys.dir}/unbuilt/`)
    const console = await openConsole({ folder, keys: keys.live, isSecure: false, clock: service.clock })
    const app = edgeOver(service, keys.live, { text: async () => '', contentType: 'text/plain' }, {}, console)
    await app.ready()
    const open: string[] = []
    const routes = routesOf(app)
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ')
      const url = path.replaceAll(/:(\w+)/g, 'some-$1')
      const { statusCode } = await app.inject({ method: method as 'GET', url, headers: NO_STREAM })
      if (statusCode !== 401) open.push(route)
    }
    const table = ROUTES.map(({ method, path }) => `${method} ${path}`)
    expect(routes).toEqual(
      expect.arrayContaining([...table, 'POST /mcp', 'POST /hooks/codex', 'GET /metrics']),
    )
    const page = console.routes.map(({ method, path }) => `${method} ${path}`)
    expect(open.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(
      ['GET /health', 'GET /ready', ...page].sort(),
    )
    await app.close()
  })

  test('nothing else is answered, whatever is wrong with the key, and always alike', async () => {
    const right = await tokenFor()
    const expired = await tokenFor({ expiresAtMs: service.clock.nowMs() })
    const revoked = await tokenFor()
    await withdrawKey(keys.dir, revoked.slice(3, 15))
    const changed = await tokenFor()
    await rotateKey(keys.dir, changed.slice(3, 15), service.clock.nowMs())
    await keys.live.look()
    const wrong: readonly Asked[] = [
      {},
      ...['', 'mg_', 'nonsense', `${right}x`, `mg_000000000000_${right.slice(16)}`].map((token) => ({
        token,
      })),
      { token: expired },
      { token: revoked },
      { token: changed },
      { headers: { authorization: right } },
      { headers: { authorization: `Basic ${right}` } },
      { token: right, headers: { 'x-api-key': expired } },
    ]
    const bodies = new Set<string>()
    for (const route of [...CLOSED, ...UNKNOWN]) {
      for (const asked of wrong) {
        const { status, answer } = await ask(route, asked)
        expect(status, `${route.name} ${JSON.stringify(asked)}`).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
        bodies.add(answer.body)
      }
    }
    expect(bodies.size).toBe(1)
  })

  test('a key is taken as bearer and as x-api-key', async () => {
    const token = await tokenFor()
    const body = { query_text: 'which port' }
    expect((await ask(OPERATIONS.guide, { token, body })).status).toBe(200)
    expect((await ask(OPERATIONS.guide, { headers: { 'x-api-key': token }, body })).status).toBe(200)
    const both = { token, headers: { 'x-api-key': token }, body }
    expect((await ask(OPERATIONS.guide, both)).status).toBe(200)
  })
})

describe('a request that its key does not cover', () => {
  const foreign: readonly (readonly [code: string, body: Readonly<Record<string, unknown>>])[] = [
    ['tenant_forbidden', { tenant_id: 'other' }],
    ['scope_forbidden', { scope: 'office' }],
    ['agent_forbidden', { consumer_agent_id: 'coder' }],
    ['agent_forbidden', { agent_id: 'coder' }],
    ['agent_forbidden', { consumer_team_id: 'blue' }],
    ['agent_forbidden', { team_id: 'blue' }],
    ['agent_forbidden', { owner_agent_id: 'coder' }],
    ['agent_forbidden', { owner_team_id: 'blue' }],
    ['agent_forbidden', { producer_agent_id: 'coder' }],
  ]

  test('is refused by every operation, as is what only operators may', async () => {
    const token = await tokenFor()
    for (const route of WITH_BODY) {
      for (const [code, body] of foreign) {
        const expected = route.access === 'operator' ? 'operator_key_required' : code
        const { status, code: told } = await ask(route, { token, body })
        expect([status, told], `${route.method} ${route.path} ${JSON.stringify(body)}`).toEqual([
          403,
          expected,
        ])
      }
    }
  })

  test('of an operator, it is refused for the tenant and scope as any other', async () => {
    const token = await tokenFor({ isOperator: true, agentId: null, teamId: null })
    for (const route of WITH_BODY) {
      expect((await ask(route, { token, body: { tenant_id: 'other' } })).code).toBe('tenant_forbidden')
      expect((await ask(route, { token, body: { scope: 'office' } })).code).toBe('scope_forbidden')
      for (const [, body] of foreign.slice(2)) {
        const { code } = await ask(route, { token, body })
        if (route.name === OF_TENANT) expect(code).toBe('scope_forbidden')
        else expect(KEY_CODES, route.name).not.toContain(code)
      }
    }
  })

  test('is refused where it acts on a whole actor', async () => {
    const token = await tokenFor({ agentId: null, teamId: null })
    for (const route of WITH_BODY) {
      const { code } = await ask(route, { token })
      if (route.access === 'agent') expect(KEY_CODES).not.toContain(code)
      else expect(code, route.name).toBe('operator_key_required')
    }
  })

  test('is refused where a key that may only read would write', async () => {
    const token = await tokenFor({ isReadOnly: true, isOperator: true, scopes: [] })
    for (const route of WITH_BODY) {
      const { code } = await ask(route, { token })
      if (route.writes && route.name !== 'guide') expect(code, route.name).toBe('read_only_key')
      else expect(KEY_CODES, route.name).not.toContain(code)
    }
  })

  test('is refused where it acts on whatever a filter finds, but for operators', async () => {
    const body = { operation: 'suppress', target: 'memory', reason: 'x', filter: { run_id: 'none' } }
    for (const grant of [{}, { agentId: null, teamId: null }]) {
      const token = await tokenFor(grant)
      expect((await ask(OPERATIONS.forget, { token, body })).code).toBe('operator_key_required')
    }
    const operator = await tokenFor({ isOperator: true })
    expect((await ask(OPERATIONS.forget, { token: operator, body })).status).toBe(200)
  })

  test('is refused for an origin that the key may not bring, wherever it says it', async () => {
    const token = await tokenFor()
    const memory = { text: 'deploy from main only' }
    for (const origin of ORIGINS) {
      const isOwn = origin === 'agent' || origin === 'tool'
      for (const body of [
        { input_text: 'deploy from main only', origin },
        { memory: { ...memory, origin } },
        { memory: { nodes: [{ ...memory, origin }] } },
        { nodes: [memory, { ...memory, origin }] },
      ]) {
        const { status, code } = await ask(OPERATIONS.observe, { token, body })
        expect([status, code], JSON.stringify(body)).toEqual(
          isOwn ? [200, undefined] : [403, 'agent_forbidden'],
        )
      }
    }
  })

  test('is refused for another owner, but for whom a handoff is for', async () => {
    const token = await tokenFor({ agentId: 'planner' })
    const handed = async (handoff: object) =>
      (await ask(OPERATIONS.observe, { token, body: { handoff: { summary: 'the rest', ...handoff } } })).code
    for (const who of ['agent', 'team']) {
      const owned = { [`owner_${who}_id`]: 'coder' }
      expect(await handed({ ...owned, [`target_${who}_id`]: 'coder' })).toBeUndefined()
      expect(await handed({ ...owned, [`target_${who}`]: 'coder' })).toBeUndefined()
      const others = [{}, { [`target_${who}_id`]: 'tester', [`target_${who}`]: 'coder' }, { client_id: 'c' }]
      for (const other of others)
        expect(await handed({ [`target_${who}`]: 'nobody', ...owned, ...other })).toBe('agent_forbidden')
      const named = { ...owned, [`target_${who}`]: 'coder', client_id: 'c' }
      expect(await handed(named)).toBe('agent_forbidden')
    }
  })

  test('an agent of no team acts by no guide of a team, and its team does', async () => {
    const inTeam = await tokenFor({ agentId: 'ann', teamId: 'red' })
    const alone = await tokenFor({ agentId: 'ann', teamId: null })
    const owned = { text: 'the vault opens at noon', memory_lane: 'private', owner_team_id: 'red' }
    const wrote = await ask(OPERATIONS.observe, { token: inTeam, body: { memory: owned } })
    const { memory_ids } = wrote.answer.json()
    const guide = await ask(OPERATIONS.guide, { token: inTeam, body: { query_text: 'vault' } })
    const { guide_trace_id } = guide.answer.json()
    const named = { guide_trace_id, memory_ids, reason: 'r' }
    const said = { run_id: 'run-1', outcome: 'positive', used_surface: 'use_now' }
    const guideUri = { uri: `svc://acme/shop/guide/${guide_trace_id}` }
    const asks = [
      [OPERATIONS.rehydrate, named, 'guide_trace_not_found'],
      [OPERATIONS.forget, { ...named, operation: 'suppress', target: 'memory' }, 'guide_trace_not_found'],
      [OPERATIONS.feedback, { ...named, ...said }, 'guide_trace_not_found'],
      [OPERATIONS.finish, { guide_trace_id, outcome: 'succeeded' }, 'guide_trace_not_found'],
      [OPERATIONS.decisionTrace, { guide_trace_id }, 'guide_trace_not_found'],
      [OPERATIONS.decisionReport, { guide_trace_id }, 'guide_trace_not_found'],
      [OPERATIONS.operatorSnapshot, { guide_trace_id }, 'guide_trace_not_found'],
      [OPERATIONS.flightRecorder, { guide_trace_id, replay_source: 'journal' }, 'guide_trace_not_found'],
      [OPERATIONS.resolve, guideUri, 'memory_not_found'],
    ] as const
    for (const [operation, body, code] of asks)
      expect((await ask(operation, { token: alone, body })).code, operation.path).toBe(code)
    const product_trace = { after_guide: { guide_trace_id } }
    const measured = await ask(OPERATIONS.measure, { token: alone, body: { product_trace } })
    expect(measured.answer.body).not.toContain(memory_ids[0])
    for (const [operation, body] of asks)
      expect((await ask(operation, { token: inTeam, body })).status, operation.path).toBe(200)
  })

  test('is refused for another tenant or scope in a URI', async () => {
    const token = await tokenFor()
    const codeOf = async (uri: string) => (await ask(OPERATIONS.resolve, { token, body: { uri } })).code
    expect(await codeOf('svc://other/shop/memory/m1')).toBe('tenant_forbidden')
    expect(await codeOf('svc://acme/office/memory/m1')).toBe('scope_forbidden')
    expect(await codeOf('svc://acme/shop/memory/m1')).toBe('memory_not_found')
  })

  test('tells nobody what the key itself says', async () => {
    const token = await tokenFor()
    const { answer } = await ask(OPERATIONS.guide, { token, body: { query_text: 'x', scope: 'office' } })
    expect(answer.body).not.toContain('shop')
    expect(answer.body).not.toContain(token.slice(16))
  })

  test('a key for metrics reads them, another one does not', async () => {
    const metrics = { method: 'GET', url: '/metrics' } as const
    const app = edgeOver(service, keys.live, { text: async () => 'numbers', contentType: 'text/plain' })
    const statusWith = async (token: string) =>
      (await app.inject({ ...metrics, headers: { authorization: `Bearer ${token}` } })).statusCode
    expect(await statusWith(await tokenFor({ readsMetrics: true }))).toBe(200)
    expect(await statusWith(await tokenFor({ isOperator: true }))).toBe(403)
    expect((await app.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(401)
    await app.close()
  })
})

describe('what a key fills in', () => {
  test('tenant, scope, agent and team of the key stand in what the request leaves out', async () => {
    const token = await tokenFor()
    const text = 'the staging database listens on port 6543'
    const { status, answer } = await ask(OPERATIONS.observe, { token, body: { input_text: text } })
    expect(status).toBe(200)
    expect(answer.json()).toMatchObject({ tenant_id: 'acme', scope: 'shop' })
    const guide = await ask(OPERATIONS.guide, { token, body: { query_text: 'which port has staging' } })
    expect(guide.answer.json()).toMatchObject({ consumer_agent_id: 'planner', consumer_team_id: 'red' })
    expect(guide.answer.body).toContain('6543')
  })

  test('private memory without an owner is the agent of the key, also of a run, a node, a handoff and a claim', async () => {
    const [mine, hosts] = [
      await tokenFor({ agentId: 'scribe', teamId: null }),
      await tokenFor({ isOperator: true, agentId: null }),
    ]
    const place = { scope: 'shop', memory_lane: 'private' }
    const written = [
      { ...place, input_text: 'the scribe keeps alpha' },
      { ...place, execution: { title: 'the scribe tried beta', outcome: 'succeeded' } },
      { scope: 'shop', nodes: [{ text: 'the scribe keeps gamma', memory_lane: 'private' }] },
      { scope: 'shop', handoff: { summary: 'the scribe left delta', memory_lane: 'private' } },
      { ...place, claims: [{ subject_key: 'scribe', predicate: 'keeps', value: 'epsilon' }] },
    ]
    for (const body of written) {
      const { answer } = await ask(OPERATIONS.observe, { token: mine, body })
      expect(answer.json().warnings).toBeUndefined()
    }
    const seenBy = async (token: string) =>
      (
        await ask(OPERATIONS.guide, {
          token,
          body: { scope: 'shop', query_text: 'what does the scribe keep' },
        })
      ).answer.json().agent_context.prompt_text
    for (const word of ['alpha', 'beta', 'gamma', 'delta', 'epsilon'])
      expect(await seenBy(mine)).toContain(word)
    expect(await seenBy(hosts)).not.toContain('scribe')
  })

  test('operation ids of one key mean nothing to another', async () => {
    const body = { input_text: 'the cache holds an hour', operation_id: 'op-1' }
    const [one, other] = [await tokenFor(), await tokenFor()]
    const idsOf = async (token: string) =>
      (await ask(OPERATIONS.observe, { token, body })).answer.json().memory_ids
    const first = await idsOf(one)
    expect(await idsOf(one)).toEqual(first)
    const again = await ask(OPERATIONS.observe, { token: one, body: { ...body, input_text: 'another' } })
    expect(again.answer.json()).toMatchObject({
      error: 'operation_conflict',
      details: { operation_id: 'op-1' },
    })
    const changed = { ...body, input_text: 'the cache holds a day' }
    expect((await ask(OPERATIONS.observe, { token: other, body: changed })).status).toBe(200)
  })

  test('the journal says by whose key a turn was asked for', async () => {
    const token = await tokenFor()
    await ask(OPERATIONS.observe, { token, body: { input_text: 'keys are told in the journal' } })
    const found: (string | undefined)[] = []
    for await (const record of service.history.read(actorKeyOf('acme', 'shop'), 1, 10_000)) {
      found.push(createCodec().decodeTurn(record.payload).principal)
    }
    expect(found.at(-1)).toBe(token.slice(3, 15))
  })
})
