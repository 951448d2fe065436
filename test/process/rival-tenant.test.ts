import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { connectMcp, type McpConnection } from '../harness/mcp-client.ts'
import { runToEnd, type ServedProcess, startProcess } from '../harness/process.ts'
import { HOSTS, PAYLOADS } from '../support/hook-payloads.ts'

// A key of one tenant on another one, through every way in but plain HTTP, where `test/http/keys.test.ts` tries every route.

const DATA = dataFolder()
let service: ServedProcess
let token = ''
const open: McpConnection[] = []

beforeAll(async () => {
  service = await startProcess(DATA)
})

afterAll(() => Promise.all(open.map((connection) => connection.close())))

async function madeKey(tenant: string): Promise<string> {
  const flags = ['--data-dir', DATA, '--tenant', tenant, '--scope', 'vault', '--agent', 'keeper']
  return (await runToEnd(['keys', 'create', ...flags])).stdout.trim()
}

async function connect(...[library, way]: Parameters<typeof connectMcp>): Promise<McpConnection> {
  const connection = await connectMcp(library, way)
  open.push(connection)
  return connection
}

/** The id at the end of what guide answers. */
function traceIn(texts: readonly string[]): string {
  return /^guide_trace_id: (guide_trace:\S+)$/.exec(texts.at(-1) ?? '')?.[1] ?? ''
}

describe('a key of a rival tenant', () => {
  const secret = 'The rear gate opens at a quarter to four'
  const question = { task: 'when does the rear gate open' }
  const ways = ['HTTP', 'a pipe'] as const
  let rival = ''
  let memoryId = ''
  let traceId = ''

  const connected = (over: (typeof ways)[number], key: string, tenant: string | null) =>
    over === 'HTTP'
      ? connect('2025 by the same', {
          url: service.url,
          headers: {
            authorization: `Bearer ${key}`,
            'x-memgov-scope': 'vault',
            ...(tenant === null ? {} : { 'x-memgov-tenant': tenant }),
          },
        })
      : connect('2025 by the same', {
          flags: ['--url', service.url, '--scope', 'vault', ...(tenant === null ? [] : ['--tenant', tenant])],
          env: { MEMGOV_KEY: key },
        })
  /** A call of each tool; one without a call fails. */
  const calls = (): Readonly<Record<string, object>> => ({
    guide: question,
    record_step: { summary: 'Opened the rear gate', outcome: 'succeeded' },
    remember: { text: 'The rear gate is welded shut' },
    handoff: { summary: 'The rear gate is shut', next_action: 'Open it' },
    finish: { guide_trace_id: traceId, outcome: 'failed', summary: 'The gate was shut', used: [memoryId] },
    rehydrate: { ids: [memoryId] },
    suppress: { id: memoryId, reason: 'wrong' },
    check_candidates: {
      query: 'rear gate',
      candidates: [{ external_memory_id: 'a', source_backend: 'notes', text: 'The rear gate is open' }],
    },
  })

  beforeAll(async () => {
    token = await madeKey('default')
    rival = await madeKey('rival')
    const statusOf = async (key: string) => (await asked('guide', key, {})).status
    await vi.waitFor(
      async () =>
        expect([await statusOf('none'), await statusOf(token), await statusOf(rival)]).toEqual([
          401, 200, 200,
        ]),
      { timeout: 10_000 },
    )
    const own = await connected('HTTP', token, null)
    memoryId =
      /^Stored: (\S+)$/.exec((await own.call('remember', { text: secret })).texts[0] ?? '')?.[1] ?? ''
    traceId = traceIn((await own.call('guide', question)).texts)
    expect([memoryId, traceId]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)])
  })

  afterAll(async () => {
    const own = await connected('HTTP', token, null)
    expect((await own.call('guide', question)).texts[0]).toContain(secret)
  })

  const asked = (route: string, key: string, headers: Readonly<Record<string, string>>, body: object = {}) =>
    fetch(`${service.url}/${route === 'guide' ? 'v1/guide' : route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify({ ...(route === 'guide' ? { query_text: 'gate' } : {}), ...body }),
    })

  test.each(ways)('over %s it opens no tool there, and finds nothing of it in its own', async (over) => {
    const there = await connected(over, rival, 'default')
    const own = await connected(over, rival, null)
    expect(Object.keys(calls()).toSorted()).toEqual((await own.tools()).toSorted())
    for (const [name, given] of Object.entries(calls())) {
      const refused = await there.call(name, given)
      expect([refused.isError, refused.texts[0]?.split(':')[0]], name).toEqual([true, 'tenant_forbidden'])
      const { texts, isError } = await own.call(name, given)
      expect(texts.join('\n'), name).not.toContain(secret)
      expect(isError, name).toBe(['finish', 'rehydrate', 'suppress'].includes(name))
    }
  })

  test.each(HOSTS)('the hooks of %s say so, and the command goes on without memory', async (host) => {
    const { prompt, eventOf } = PAYLOADS[host]
    const payload = prompt('/nowhere/shop', 'when does the rear gate open', 't1')
    const event = eventOf === undefined ? [] : [eventOf(payload)]
    const route = `hooks/${[host, ...event].join('?event=')}`
    const named = { 'x-memgov-tenant': 'default', 'x-memgov-scope': 'vault' }
    const refused = await asked(route, rival, named, payload)
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ error: 'tenant_forbidden' }),
    ])
    const own = await asked(route, rival, { 'x-memgov-scope': 'vault' }, payload)
    expect([own.status, (await own.text()).includes(secret)]).toEqual([200, false])
    const flags = ['--url', service.url, '--tenant', 'default', '--scope', 'vault']
    const argv = ['hook', host, ...event, ...flags]
    const ran = await runToEnd(argv, { MEMGOV_KEY: rival }, { stdin: JSON.stringify(payload) })
    expect(ran).toMatchObject({ code: 0, signal: null, stdout: '{}\n' })
  })

  test('the client is told so, and is guided by its own memory only', async () => {
    await using client = createClient({ url: service.url, key: rival })
    const place = { scope: 'vault', query_text: 'when does the rear gate open' }
    await expect(client.guide({ ...place, tenant_id: 'default' })).rejects.toMatchObject({
      code: 'tenant_forbidden',
    })
    await expect(client.resolve({ uri: `svc://default/vault/event/${memoryId}` })).rejects.toMatchObject({
      code: 'tenant_forbidden',
    })
    expect(JSON.stringify(await client.guide(place))).not.toContain(secret)
  })
})
