import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DomainError } from '../../src/core/base/errors.ts'
import { edgeOver } from '../harness/edge.ts'
import { type Embedded, startEmbedded } from '../harness/embedded.ts'
import { type HeldKeys, heldKeys } from '../harness/held-keys.ts'
import { mcpMessage, toolAnswer } from '../support/mcp-message.ts'
import { type Call, fakeRuntime, post, RawConnection, startHttp, stopAll } from './http-fixture.ts'

const ERAS = ['modern', 'legacy'] as const
type Era = (typeof ERAS)[number]

function callTool(era: Era, name: string, given: object) {
  return mcpMessage(era, 'tools/call', { name, arguments: given })
}

afterEach(stopAll)

describe('who may call tools', () => {
  let service: Embedded
  let app: FastifyInstance
  let keys: HeldKeys

  beforeAll(async () => {
    service = await startEmbedded()
    keys = await heldKeys()
    app = edgeOver(service, keys.live)
  })
  afterAll(async () => {
    keys.live.close()
    await app.close()
  })

  async function send(
    message: ReturnType<typeof mcpMessage>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    return app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...message.headers, ...headers },
      payload: message.body,
    })
  }

  test('without keys: foreign hosts, foreign pages and other methods are refused as everywhere', async () => {
    const list = mcpMessage('modern', 'tools/list')
    expect((await send(list)).statusCode).toBe(200)
    expect((await send(list, { host: 'evil.example' })).json().error).toBe('host_not_allowed')
    expect((await send(list, { origin: 'https://evil.example' })).json().error).toBe('cross_site_request')
    const get = await app.inject({ method: 'GET', url: '/mcp' })
    expect([get.statusCode, get.headers['allow']]).toEqual([405, 'POST'])
    const plain = await send(list, { 'content-type': 'text/plain' })
    expect(plain.json().error).toBe('unsupported_media_type')
    const broken = await app.inject({ method: 'POST', url: '/mcp', headers: list.headers, payload: '{' })
    expect(broken.json().error).toBe('invalid_json')
  })

  test('a header of ours that is unknown is refused before anything is looked at', async () => {
    const refused = await send(mcpMessage('modern', 'tools/list'), { 'x-memgov-scop': 'shop' })
    expect([refused.statusCode, refused.json().details.issues[0].path]).toEqual([400, 'x-memgov-scop'])
  })

  test.each(ERAS)('%s: with keys a call needs one, and reaches only what it may enter', async (era) => {
    const token = await keys.tokenFor({ scopes: [{ name: 'shop', isPrefix: false }], agentId: 'planner' })
    const remember = callTool(era, 'remember', { text: `The ${era} door opens at nine` })
    const guide = callTool(era, 'guide', { task: `when does the ${era} door open` })
    // No secret of 32 bytes ends in an underscore.
    for (const wrong of ['mg_000000000000_wrong', `${token.slice(0, -1)}_`, null]) {
      const headers = wrong === null ? {} : { authorization: `Bearer ${wrong}` }
      const refused = await send(guide, headers)
      expect([refused.statusCode, refused.json().error]).toEqual([401, 'unauthorized'])
      // A client that is told of a login server begins to log in.
      expect(refused.headers['www-authenticate']).toBe('Bearer')
      expect(refused.body).not.toMatch(/oauth|resource_metadata/i)
    }
    const own = { authorization: `Bearer ${token}` }
    expect(toolAnswer((await send(remember, own)).body).isError).toBe(false)
    expect(toolAnswer((await send(guide, own)).body).texts[0]).toContain('opens at nine')
    const named = { ...own, 'x-memgov-scope': 'shop', 'x-memgov-agent': 'planner', 'x-memgov-team': 'red' }
    expect(toolAnswer((await send(guide, named)).body).texts[0]).toContain('opens at nine')
    for (const [header, value, code] of [
      ['x-memgov-tenant', 'other', 'tenant_forbidden'],
      ['x-memgov-scope', 'other', 'scope_forbidden'],
      ['x-memgov-agent', 'other', 'agent_forbidden'],
    ] as const) {
      for (const call of [guide, callTool(era, 'guide', { wrong: 1 })]) {
        const { texts, isError } = toolAnswer((await send(call, { ...own, [header]: value })).body)
        expect([isError, texts[0]?.split(':')[0]], header).toEqual([true, code])
      }
    }
    const stranger = { authorization: `Bearer ${await keys.tokenFor({ tenantId: 'rival', agentId: 'spy' })}` }
    expect(toolAnswer((await send(guide, stranger)).body).texts[0]).not.toContain('opens at nine')
    const reader = { authorization: `Bearer ${await keys.tokenFor({ isReadOnly: true })}` }
    expect(toolAnswer((await send(remember, reader)).body).texts[0]).toMatch(/^read_only_key: /)
  })
})

describe('a call that arrives twice', () => {
  let service: Embedded
  let app: FastifyInstance
  beforeAll(async () => {
    service = await startEmbedded()
    app = edgeOver(service)
  })
  afterAll(() => app.close())

  async function storedBy(
    ...calls: readonly { readonly id: number; readonly headers: Readonly<Record<string, string>> }[]
  ) {
    const texts = []
    for (const { id, headers } of calls) {
      const { headers: usual, body } = callTool('legacy', 'remember', {
        text: 'Deploys wait for the nightly run',
      })
      const sent = { ...usual, ...headers, 'x-memgov-scope': 'twice' }
      const { body: answer } = await app.inject({
        method: 'POST',
        url: '/mcp',
        headers: sent,
        payload: { ...body, id },
      })
      texts.push(toolAnswer(answer).texts[0])
    }
    return texts
  }

  /** Of a message with several calls; the texts of their answers. */
  async function storedByBatch(ids: readonly number[], sent: Readonly<Record<string, string>>) {
    const call = callTool('legacy', 'remember', { text: 'Releases wait for the weekly run' })
    const headers = { ...call.headers, ...sent, 'x-memgov-scope': 'batch' }
    const payload = ids.map((id) => ({ ...call.body, id }))
    const { body } = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
    return new Set(body.match(/Stored: [^"]+/g))
  }

  async function newSession(): Promise<string> {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    }
    const { headers, body } = mcpMessage('legacy', 'initialize', params)
    const reply = await app.inject({ method: 'POST', url: '/mcp', headers, payload: body })
    return String(reply.headers['mcp-session-id'])
  }

  test('within a session it is carried out once, and a call of another id, session or client anew', async () => {
    const [mine, other] = [await newSession(), await newSession()]
    expect(mine).not.toBe(other)
    const [first, again, next, foreign, nobody] = await storedBy(
      { id: 7, headers: { 'mcp-session-id': mine } },
      { id: 7, headers: { 'mcp-session-id': mine } },
      { id: 8, headers: { 'mcp-session-id': mine } },
      { id: 7, headers: { 'mcp-session-id': other } },
      { id: 7, headers: {} },
    )
    expect(first).toMatch(/^Stored: \S+$/)
    expect(again).toBe(first)
    expect(new Set([first, next, foreign, nobody]).size).toBe(4)
  })

  test('in a batch each is known by its own id, within a session and under an Idempotency-Key', async () => {
    for (const sent of [{ 'mcp-session-id': await newSession() }, { 'idempotency-key': 'batch-1' }]) {
      const first = await storedByBatch([1, 2], sent)
      expect(first.size).toBe(2)
      expect(await storedByBatch([1, 2], sent)).toEqual(first)
      const next = await storedByBatch([2, 3], sent)
      expect(new Set([...first, ...next]).size).toBe(3)
    }
  })

  test('under an Idempotency-Key it is carried out once, whatever its id, and a key that is none is refused', async () => {
    const headers = { 'idempotency-key': 'deploys-1' }
    const [first, again] = await storedBy({ id: 1, headers }, { id: 2, headers })
    expect(again).toBe(first)
    const list = mcpMessage('legacy', 'tools/list')
    const wrong = { ...list.headers, 'idempotency-key': ' ' }
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: wrong,
      payload: list.body,
    })
    expect(statusCode).toBe(400)
  })
})

describe('a call', () => {
  test('acts in the place that the headers name; what would act for nobody acts for the local agent', async () => {
    const { runtime, calls } = fakeRuntime(({ operation }: Call) =>
      operation === 'forget' ? { forget_effect: { affected_memory_ids: [] } } : {},
    )
    const { url } = await startHttp(runtime)
    const send = (name: string, given: object, headers: Record<string, string>) => {
      const message = callTool('modern', name, given)
      return fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { ...message.headers, ...headers },
        body: JSON.stringify(message.body),
      })
    }
    const suppress = { id: 'm1', reason: 'wrong' }
    await send('suppress', suppress, {})
    await send('suppress', suppress, { 'x-memgov-agent': 'planner', 'x-memgov-scope': 'shop' })
    await send('guide', { task: 'a' }, { 'x-memgov-tenant': 'acme', 'x-memgov-team': 'red' })
    expect(calls.map(({ operation, body }) => [operation, body])).toMatchObject([
      ['forget', { consumer_agent_id: 'local-agent', memory_ids: ['m1'], operation: 'suppress' }],
      ['forget', { consumer_agent_id: 'planner', scope: 'shop' }],
      ['guide', { tenant_id: 'acme', consumer_team_id: 'red', query_text: 'a', view: 'prompt' }],
    ])
    expect(calls[2]?.body).not.toHaveProperty('consumer_agent_id')
  })

  test('that breaks inside says so without its cause, and one that is refused keeps code and message', async () => {
    const failures = [new Error('at /secret/path'), new DomainError('storage_read_only')]
    const { url } = await startHttp(
      fakeRuntime(() => {
        throw failures.shift()
      }).runtime,
    )
    const { headers, body } = callTool('legacy', 'guide', { task: 'a' })
    const send = async () =>
      toolAnswer(
        await (await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })).text(),
      )
    const broken = await send()
    expect([broken.isError, broken.texts[0]?.split(':')[0]]).toEqual([true, 'internal_error'])
    expect(broken.texts.join()).not.toContain('secret')
    expect((await send()).texts[0]).toMatch(/^storage_read_only: .*\nNext: Try again in 30 s/)
  })
})

describe('a close', () => {
  const LISTEN = mcpMessage('modern', 'subscriptions/listen', { notifications: { toolsListChanged: true } })

  /** A connection on which a client listens. */
  async function listening(port: number): Promise<RawConnection> {
    const connection = new RawConnection(port)
    connection.write(post('/mcp', JSON.stringify(LISTEN.body), LISTEN.headers))
    await expect.poll(() => connection.rest()).toContain('subscriptions/acknowledged')
    return connection
  }

  /** Resolves when the server takes no connection any more: by then everything that is to end has been told so. */
  async function noneIsAccepted(port: number): Promise<void> {
    let reply: object | null = {}
    while (reply !== null) {
      const probe = new RawConnection(port)
      probe.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n')
      reply = await probe.reply()
    }
  }

  test('ends what clients listen to at once', async () => {
    const { app, port } = await startHttp(fakeRuntime().runtime, { drainDeadlineMs: 60_000 })
    const connections = [await listening(port), await listening(port)]
    await app.close()
    for (const connection of connections) {
      await connection.closed()
      expect(connection.rest()).toContain('"resultType":"complete"')
    }
  })

  test('of the client frees the connection on which it listened', async () => {
    const { app, port } = await startHttp(fakeRuntime().runtime)
    const connections = [await listening(port), await listening(port)]
    for (const { socket } of connections) socket.destroy()
    const open = () => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
    await expect.poll(open, { timeout: 5_000 }).toBe(0)
    await app.close()
  })

  test.each(ERAS)('%s: lets a call in progress finish while somebody listens', async (era) => {
    let release = () => {}
    let arrived = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    const isArrived = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const answer = { guide_trace_id: 'guide_trace:a', agent_context: { prompt_text: 'Nothing known.' } }
    const { runtime } = fakeRuntime(async () => {
      arrived()
      await isReleased
      return answer
    })
    const { app, port, url } = await startHttp(runtime, { drainDeadlineMs: 60_000 })
    const listener = await listening(port)
    const { headers, body } = callTool(era, 'guide', { task: 'a' })
    const busy = fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
    await isArrived
    const closed = app.close()
    await noneIsAccepted(port)
    release()
    expect(toolAnswer(await (await busy).text())).toEqual({
      texts: ['Nothing known.', 'guide_trace_id: guide_trace:a'],
      isError: false,
    })
    await listener.closed()
    await closed
  })
})
