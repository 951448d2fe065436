import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { OPERATIONS, type RequestedName } from '../../src/contract/operations.ts'
import { closeEmbedded, type Embedded, startEmbedded } from '../harness/embedded.ts'
import { observeBody } from '../harness/requests.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(150)

afterEach(closeEmbedded)

const place = { tenant_id: 'rejection', scope: 'one' }
const ann = { ...place, consumer_agent_id: 'ann' }

interface Setting {
  readonly memoryId: string
  readonly unexposedId: string
  readonly traceId: string
}

async function setting(real: Embedded): Promise<Setting> {
  const [memoryId = ''] = (await real.ok('observe', { ...ann, input_text: 'The login test needs a cookie.' }))
    .memory_ids
  const { guide_trace_id: traceId } = await real.ok('guide', { ...ann, query_text: 'login' })
  const later = await real.ok('observe', { ...ann, input_text: 'Said later.', operation_id: 'taken' })
  return { memoryId, unexposedId: later.memory_ids[0] ?? '', traceId }
}

const good = { text: 'A good memory beside it.', client_id: 'good' }
const outcome = { reason: 'so', run_id: 'r', outcome: 'negative', used_surface: 'use_now' }

type Refusing = (at: Setting) => readonly [RequestedName, object]
const REFUSED: Readonly<Record<string, Refusing>> = {
  'observe: nothing to write': () => ['observe', { input_text: '  ' }],
  'observe: a strict object with an unknown field': () => [
    'observe',
    { memory: good, execution: { title: 'x', no_such_field: 1 } },
  ],
  'observe: the last of many nodes says nothing': () => [
    'observe',
    { memory: good, nodes: [...Array.from({ length: 50 }, () => good), { client_id: 'empty' }] },
  ],
  'observe: a claim without value beside a good memory': () => [
    'observe',
    { memory: good, claims: [{ subject_key: 's', predicate: 'p' }] },
  ],
  'observe: a handoff without words': () => ['observe', { memory: good, handoff: { title: 'only a title' } }],
  'observe: a tenant that is no name': () => ['observe', { memory: good, tenant_id: '../etc' }],
  'observe: an operation id of another request': () => ['observe', { memory: good, operation_id: 'taken' }],
  'observe: too many levels': () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 40; level += 1) deep = [deep]
    return ['observe', { memory: { ...good, payload: deep } }]
  },
  'guide: no query': () => ['guide', { query_text: ' ' }],
  'guide: a limit above 200': () => ['guide', { query_text: 'login', limit: 201 }],
  'guide: a budget below 200': () => ['guide', { query_text: 'login', context_char_budget: 199 }],
  'feedback: an unknown guide': ({ memoryId }) => [
    'feedback',
    { ...outcome, guide_trace_id: 'guide_trace:none', used_memory_ids: [memoryId] },
  ],
  'feedback: one id of two was not exposed': ({ memoryId, unexposedId, traceId }) => [
    'feedback',
    { ...outcome, guide_trace_id: traceId, used_memory_ids: [memoryId, unexposedId] },
  ],
  'feedback: one id of two was never shown to anyone': ({ memoryId, unexposedId }) => [
    'feedback',
    { ...outcome, used_memory_ids: [memoryId, unexposedId] },
  ],
  'feedback: no id': ({ traceId }) => ['feedback', { ...outcome, guide_trace_id: traceId }],
  'feedback: a surface that carries no outcome': ({ memoryId, traceId }) => [
    'feedback',
    { ...outcome, used_surface: 'do_not_use', guide_trace_id: traceId, used_memory_ids: [memoryId] },
  ],
  'forget: no reference': () => ['forget', { operation: 'suppress', target: 'memory', reason: 'so' }],
  'forget: only unknown references': () => [
    'forget',
    { operation: 'suppress', target: 'memory', reason: 'so', memory_ids: ['none'] },
  ],
  'forget: an end in the past': ({ memoryId }) => [
    'forget',
    {
      operation: 'suppress',
      target: 'memory',
      reason: 'so',
      memory_ids: [memoryId],
      until: '2020-01-01T00:00:00Z',
    },
  ],
  'forget: activate with an id that was not exposed': ({ unexposedId, traceId }) => [
    'forget',
    {
      operation: 'activate',
      target: 'memory',
      ...outcome,
      guide_trace_id: traceId,
      memory_ids: [unexposedId],
    },
  ],
  'rehydrate: an unknown anchor': () => ['rehydrate', { reason: 'so', anchor_id: 'none' }],
  'rehydrate: a guide that never was': ({ memoryId }) => [
    'rehydrate',
    { reason: 'so', memory_ids: [memoryId], guide_trace_id: 'guide_trace:none' },
  ],
  'rehydrate: the URI of another scope': ({ memoryId }) => [
    'rehydrate',
    { reason: 'so', anchor_uri: `svc://rejection/two/memory/${memoryId}` },
  ],
}

describe('D3: a rejected request changes nothing', () => {
  test.each(Object.keys(REFUSED))('%s', async (name) => {
    const real = await startEmbedded({ config: { durability: 'none' } })
    const [operation, body] = REFUSED[name]!(await setting(real))
    const digest = await real.digest(place)
    const refusal = await real.refused(operation, { ...ann, ...body })
    expect(refusal.status).toBeGreaterThanOrEqual(400)
    expect(refusal.status).toBeLessThan(500)
    expect(await real.digest(place)).toBe(digest)
    await real.restart()
    expect(await real.digest(place)).toBe(digest)
  })

  test('whatever of a valid request is spoilt', async () => {
    const real = await startEmbedded({ config: { durability: 'none' } })
    await setting(real)
    const spoilt = fc.oneof(
      fc.constant({ tenant_id: 7 }),
      fc.constant({ memory: 'text' }),
      fc.constant({ execution: { title: 'x', unknown: true } }),
      fc.constant({ claims: [{ subject_key: 's', predicate: 'p', value: 1, extra: 1 }] }),
      fc.constant({ nodes: [{ client_id: 'no words' }] }),
      fc.constant({ edges: [{ type: 'eats', src: 'a', dst: 'b' }] }),
      fc.constant({ memory_lane: 'public' }),
      fc.constant({ memory: { title: 't', confidence: 2 } }),
      fc.constant({ memory: { title: 't', valid_until: 'soon' } }),
    )
    await prove(observeBody, spoilt, async (body, spoil) => {
      const digest = await real.digest(place)
      const refusal = await real.refused('observe', { ...place, ...body, ...spoil })
      expect(refusal.status).toBe(400)
      expect(await real.digest(place)).toBe(digest)
    })
  })

  test('not JSON objects', async () => {
    const real = await startEmbedded({ config: { durability: 'none' } })
    await setting(real)
    const digest = await real.digest(place)
    const operations = Object.values(OPERATIONS).filter((operation) => operation.method === 'POST')
    await prove(fc.constantFrom(...operations), fc.jsonValue(), async ({ name }, body) => {
      const isPlausible = typeof body === 'object' && body !== null && 'uri' in body
      fc.pre(!isPlausible)
      // A snapshot demands nothing: any object is a request for one.
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
      fc.pre(name !== 'operatorSnapshot' || !isObject)
      const call = real.runtime.execute(name, body, { requestId: 'test', operationId: null })
      await expect(call).rejects.toMatchObject({ name: 'MemgovError' })
    })
    expect(await real.digest(place)).toBe(digest)
  })

  test('a request that is larger than a journal record, while others are served', async () => {
    const real = await startEmbedded()
    const { memoryId } = await setting(real)
    // Summaries are also text where no text is given, so that a body below the limit is a record above it.
    const summary = 'long words '.repeat(450_000)
    const large = real.call('observe', { ...ann, memory: { title: 'large', summary } })
    const request = { ...ann, reason: 'r', memory_ids: [memoryId] }
    const small = Array.from({ length: 5 }, () => real.call('rehydrate', request))
    const reply = await large
    for (const each of await Promise.all(small)) expect(each.refusal).toBeNull()
    expect(reply.refusal).toMatchObject({ status: 413, error: 'body_too_large' })
    const changed = await real.digest(place)
    await real.restart()
    expect(await real.digest(place)).toBe(changed)
    const { agent_context: context } = await real.ok('guide', { ...ann, query_text: 'large' })
    expect(context.memory_ids).toHaveLength(2)
  })
})
