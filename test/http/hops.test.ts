import { hash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createKey } from '../../src/adapters/keys/key-folder.ts'
import { openLiveKeys } from '../../src/adapters/keys/live-keys.ts'
import { OPERATIONS, type OperationSpec } from '../../src/contract/operations.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { type HopTarget, signedHop } from '../../src/edges/http/hop/incoming.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { memoryLog } from '../harness/system.ts'
import { keyGrant } from '../support/keys.ts'
import { mcpMessage, toolAnswer } from '../support/mcp-message.ts'
import { AT_MS, closeNodes, closing, pair, SECRET, send, startNode, World } from './hop-fixture.ts'

afterEach(closeNodes)

/** A hop as a peer would sign it. */
function hop(
  world: World,
  to: string,
  target: HopTarget,
  body: string,
  { secret = SECRET, atMs = world.nowMs, once = 'a1', toId = world.nodes.get(to) ?? '' } = {},
) {
  const claims = {
    from: 'node-elsewhere',
    to: toId,
    atMs,
    once,
    bodySha256: hash('sha256', body),
    operationId: null,
    principal: null,
  }
  return { 'memgov-hop': signedHop(secret, target, claims) }
}

const OBSERVE: HopTarget = { method: 'POST', path: '/v1/observe' }
const REQUESTED: readonly OperationSpec[] = Object.values(OPERATIONS).filter(
  ({ name }) => !['health', 'ready', 'openapi', 'followEvents'].includes(name),
)

describe('a request for an actor of another node', () => {
  test('is carried out there, byte for byte, and answered as there, whatever operation it is', async () => {
    const { asked, owner } = await pair()
    const text = '{"scope": "a b", "n": 1.0e0, "deep": {"é": ["\\u00e9"]}}'
    for (const { name, path: template, method } of REQUESTED) {
      const path = template.replace(':candidate_id', 'skill%20one')
      const [url, body] = method === 'GET' ? [`${path}?scope=a%20b`, null] : [path, text]
      const here = await send(owner.url, url, body, { 'idempotency-key': 'op-1' })
      const there = await send(asked.url, url, body, { 'idempotency-key': 'op-1' })
      expect([name, there.status, there.text]).toEqual([name, 200, here.text])
      const [first, second] = owner.calls.splice(0)
      expect([name, second?.body, second?.context.operationId]).toEqual([name, first?.body, 'op-1'])
    }
    expect(asked.calls).toEqual([])
  })

  test('refusals of the owner come as they are, with their status and when to repeat', async () => {
    const refuse = () => {
      throw new DomainError('overloaded', { where: 'mailbox' })
    }
    const { asked } = await pair({ answer: refuse })
    const { status, headers, body } = await send(asked.url, '/v1/observe', '{}', { 'x-request-id': 'mine' })
    expect([status, headers['retry-after'], headers['x-request-id']]).toEqual([503, '1', 'mine'])
    expect(body).toMatchObject({ error: 'overloaded', details: { where: 'mailbox' } })
  })

  test('a tool of MCP and a hook find the owner as well', async () => {
    const { asked, owner } = await pair()
    const { headers, body } = mcpMessage('modern', 'tools/call', {
      name: 'remember',
      arguments: { text: 'x' },
    })
    const told = await send(asked.url, '/mcp', JSON.stringify(body), headers)
    expect(told.status, told.text).toBe(200)
    expect(toolAnswer(told.text)).toBeDefined()
    const prompt = { session_id: 's', cwd: '/nowhere', hook_event_name: 'UserPromptSubmit', prompt: 'Run it' }
    expect((await send(asked.url, '/hooks/claude-code', JSON.stringify(prompt))).status).toBe(200)
    expect(owner.calls.map(({ operation }) => operation).slice(0, 2)).toEqual(['observe', 'guide'])
    expect(asked.calls).toEqual([])
  })

  test('the owner knows by whose key it came, asks for none, and counts it for no limit', async () => {
    const dir = dataFolder()
    const { token, key } = await createKey(dir, keyGrant({ agentId: 'planner' }), Date.now())
    const keys = await openLiveKeys(dir, memoryLog().log)
    closing.push(async () => keys.close())
    const { asked, owner } = await pair({ keys })
    expect((await send(asked.url, '/v1/observe', '{}')).status).toBe(401)
    expect((await send(asked.url, '/v1/observe', '{}', { 'x-api-key': token })).status).toBe(200)
    expect(owner.calls[0]?.context.principal).toMatchObject({ keyId: key.keyId, agentId: 'planner' })
    expect(owner.calls[0]?.context.headers).not.toHaveProperty('x-api-key')
  })

  test('a key of more scopes than a header holds is sent on, and the only scope of a key with it', async () => {
    const dir = dataFolder()
    const scopes = Array.from({ length: 400 }, (_, at) => ({ name: `project-number-${at}`, isPrefix: false }))
    const many = await createKey(dir, keyGrant({ scopes }), Date.now())
    const one = await createKey(dir, keyGrant({ scopes: scopes.slice(0, 1) }), Date.now())
    const keys = await openLiveKeys(dir, memoryLog().log)
    closing.push(async () => keys.close())
    const { asked, owner } = await pair({ keys })
    for (const { token } of [many, one])
      expect((await send(asked.url, '/v1/observe', '{}', { 'x-api-key': token })).status).toBe(200)
    expect(owner.calls[1]?.context.principal).toMatchObject({ scopes: scopes.slice(0, 1) })
  })

  test('one hop at most: a node that does not own it says so to its peer, who asks again', async () => {
    const { world, asked, owner } = await pair()
    const third = await startNode(world)
    world.owner = third.url
    const target = OBSERVE
    const told = await send(owner.url, '/v1/observe', '{}', hop(world, owner.url, target, '{}'))
    expect([told.status, told.body]).toMatchObject([
      421,
      { error: 'not_owner', details: { owner: third.url } },
    ])
    expect(third.calls).toEqual([])
    expect((await send(asked.url, '/v1/observe', '{}')).status).toBe(200)
    expect(third.calls).toHaveLength(1)
  })

  test('a node makes sure that it is not the owner before it refuses a hop', async () => {
    const { world, owner } = await pair()
    world.owner = 'http://127.0.0.1:1'
    world.onLook = () => void (world.owner = owner.url)
    const told = await send(owner.url, '/v1/observe', '{}', hop(world, owner.url, OBSERVE, '{}'))
    expect([told.status, owner.calls.length]).toEqual([200, 1])
  })

  test('an owner that has given away what it is asked for is followed at once, and is not doubted', async () => {
    const { world, asked, owner } = await pair()
    const third = await startNode(world)
    // Only the second look shows who has it: the first one is that of the earlier owner.
    let looks = 0
    world.onLook = () => {
      looks += 1
      if (looks === 2) world.owner = third.url
    }
    world.owner = owner.url
    owner.refuse()
    expect((await send(asked.url, '/v1/observe', '{}')).status).toBe(200)
    expect([third.calls.length, looks, world.doubted]).toEqual([1, 2, []])
    expect(world.trusted).toEqual([world.nodes.get(third.url)])
  })

  test('an owner that is gone is asked no more, and its caller is told to repeat soon', async () => {
    const { world, asked, owner } = await pair()
    await owner.close()
    const { status, headers, body } = await send(asked.url, '/v1/observe', '{}')
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(body).toMatchObject({ error: 'storage_unavailable', details: {} })
    setTimeout(() => {
      world.owner = asked.url
    }, 50)
    expect((await send(asked.url, '/v1/observe', '{}')).status).toBe(200)
  })

  test('an owner that lives no more while it is asked leaves a write in doubt, and one with an operation id is tried again', async () => {
    let leave = (): void => {}
    const answer = () => {
      leave()
      return new Promise<object>(() => {})
    }
    const { world, asked, owner } = await pair({ answer })
    leave = () => void world.nodes.delete(owner.url)
    const unnamed = await send(asked.url, '/v1/observe', '{}')
    expect([unnamed.status, unnamed.body]).toMatchObject([
      503,
      { error: 'storage_unavailable', details: { outcome: 'unknown' } },
    ])
    world.nodes.set(owner.url, 'again')
    leave = () => {
      world.nodes.delete(owner.url)
      world.owner = null
    }
    expect((await send(asked.url, '/v1/guide', '{}', { 'idempotency-key': 'k' })).status).toBe(503)
    expect([owner.calls.length, asked.calls.length]).toEqual([2, 0])
  })

  test('a path never names another host', async () => {
    const { asked, owner } = await pair()
    const { status } = await send(asked.url, '//127.0.0.1:1/v1/observe', '{}')
    expect([status, owner.calls]).toEqual([404, []])
  })
})

describe('a hop', () => {
  test('is taken once, within its time, from a node with the same secret, for what was signed', async () => {
    const { world, owner } = await pair()
    const { url } = owner
    const sent = (headers: Record<string, string>, body = '{}', path = '/v1/observe') =>
      send(url, path, body, headers)
    const good = hop(world, url, OBSERVE, '{}')
    expect((await sent(good)).status).toBe(200)
    const refused = [
      ['replayed', await sent(good)],
      ['of another secret', await sent(hop(world, url, OBSERVE, '{}', { secret: `${SECRET}!`, once: 'b' }))],
      ['late', await sent(hop(world, url, OBSERVE, '{}', { atMs: world.nowMs - 30_001, once: 'c' }))],
      ['early', await sent(hop(world, url, OBSERVE, '{}', { atMs: world.nowMs + 30_001, once: 'd' }))],
      ['with another body', await sent(hop(world, url, OBSERVE, '{}', { once: 'e' }), '{"a":1}')],
      ['to another path', await sent(hop(world, url, OBSERVE, '{}', { once: 'f' }), '{}', '/v1/guide')],
      ['no signature', await sent({ 'memgov-hop': 'x' })],
      ['nothing', await sent({ 'memgov-hop': '' })],
      ['claims without a signature', await sent({ 'memgov-hop': `${good['memgov-hop'].split('.')[0]}.` })],
    ] as const
    for (const [what, { status, body }] of refused) {
      expect([what, status, body]).toMatchObject([what, 401, { error: 'unauthorized' }])
    }
    expect(owner.calls).toHaveLength(1)
  })

  test('is remembered for as long as it could come again', async () => {
    const { world, owner } = await pair()
    const first = hop(world, owner.url, OBSERVE, '{}', { atMs: world.nowMs + 29_000 })
    expect((await send(owner.url, '/v1/observe', '{}', first)).status).toBe(200)
    for (const [at, once] of [1, 20_000, 58_000].map((ms, index) => [ms, `n${index}`] as const)) {
      world.nowMs = AT_MS + at
      expect(
        (await send(owner.url, '/v1/observe', '{}', hop(world, owner.url, OBSERVE, '{}', { once }))).status,
      ).toBe(200)
      expect((await send(owner.url, '/v1/observe', '{}', first)).status).toBe(401)
    }
  })

  test('that means an earlier life of the node is not carried out, and its sender may ask anew', async () => {
    const { world, owner } = await pair()
    const before = hop(world, owner.url, OBSERVE, '{}')
    world.nodes.set(owner.url, 'came back')
    expect((await send(owner.url, '/v1/observe', '{}', before)).status).toBe(421)
    expect(owner.calls).toEqual([])
  })

  test('is refused everywhere by a node that has no peers, and where nobody is asked for a key', async () => {
    const world = new World()
    const alone = await startNode(world, { isAlone: true })
    world.owner = alone.url
    for (const path of ['/health', '/ready', '/mcp', '/v1/observe']) {
      const isGet = path === '/health' || path === '/ready'
      const target = { method: isGet ? 'GET' : 'POST', path }
      const told = await send(
        alone.url,
        path,
        isGet ? null : '{}',
        hop(world, alone.url, target, isGet ? '' : '{}'),
      )
      expect([path, told.status]).toEqual([path, 401])
    }
    expect(alone.calls).toEqual([])
  })

  test('with another secret at the owner is told in the log of the node that sent it', async () => {
    const world = new World()
    const asked = await startNode(world)
    const owner = await startNode(world, { secret: 'another secret of forty characters long' })
    world.owner = owner.url
    expect((await send(asked.url, '/v1/observe', '{}')).status).toBe(503)
    expect(asked.lines.some(({ level }) => level === 'error')).toBe(true)
    expect(owner.calls).toEqual([])
  })
})
