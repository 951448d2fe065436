import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Config } from '../../src/app/config/options.ts'
import { contentsBelow } from '../harness/data-folder.ts'
import { type Embedded, isOnFiles, startEmbedded } from '../harness/embedded.ts'
import {
  closed,
  type Provider,
  saying,
  silence,
  startProvider,
  status,
  vectors,
} from '../harness/provider.ts'

const vectorFiles = (dir: string): readonly Buffer[] =>
  [...contentsBelow(join(dir, 'vec'))].flatMap(([path, bytes]) => (path.endsWith('.vec') ? bytes : []))

const place = { tenant_id: 'acme-tenant', scope: 'shop-scope' }
const KEY = 'sk-quite-secret'

interface Scene {
  readonly service: Embedded
  readonly provider: Provider
}

async function scene(config: Partial<Config> = {}): Promise<Scene> {
  const provider = await startProvider()
  const service = await startEmbedded({
    config: { embeddingsUrl: provider.url, embeddingsTimeoutMs: 2_000, ...config },
    env: { MEMGOV_EMBEDDINGS_KEY: KEY },
  })
  return { service, provider }
}

/** Unrelated memories, so that there is something usual to differ from. */
const CROWD = Array.from({ length: 24 }, (_, at) => `note${at} about topic${at} and thing${at}`)

async function write(
  service: Embedded,
  texts: readonly string[],
  more: object = {},
): Promise<readonly string[]> {
  const answers = texts.map((text) => service.ok('observe', { ...place, memory: { text }, ...more }))
  return (await Promise.all(answers)).flatMap(({ memory_ids }) => memory_ids)
}

const embedding = (service: Embedded) => {
  const health = service.runtime.health() as {
    providers: { embedding: { memories?: Record<string, number>; last_failure?: string | null } }
  }
  return health.providers.embedding
}

/** Waits until no memory waits for its vector. */
async function settled(service: Embedded, ready?: number): Promise<void> {
  await vi.waitFor(
    () => {
      const { memories } = embedding(service)
      expect(memories?.['pending']).toBe(0)
      if (ready !== undefined) expect(memories?.['ready']).toBe(ready)
    },
    { timeout: 15_000, interval: 10 },
  )
}

async function statusOf(service: Embedded, id: string) {
  const uri = `svc://${place.tenant_id}/${place.scope}/memory/${id}`
  const { node } = await service.ok('resolve', { uri, include_meta: true })
  return [node.embedding_status, node.embedding_reason]
}

const guide = (service: Embedded, query_text: string, more: object = {}) =>
  service.ok('guide', { ...place, query_text, ...more })

/** What a guide found by embedding, with the reason it was given. */
async function foundNear(service: Embedded, query: string, more: object = {}) {
  const { guide_trace_id } = await guide(service, query, more)
  const { memory_decision_trace: trace } = await service.ok('decisionTrace', { ...place, guide_trace_id })
  const found = JSON.stringify(trace).match(/"kind":"semantic","score":[\d.]+,"reason":"\w+"/g)
  return [...new Set(found)]
}

describe('without a provider', () => {
  test.skipIf(!isOnFiles)('nothing is embedded, nothing is stored and no answer speaks of it', async () => {
    const service = await startEmbedded()
    const answer = await service.ok('observe', { ...place, input_text: 'The car is red.', auto_embed: true })
    expect(answer).not.toHaveProperty('post_commit_projections')
    const [id = ''] = answer.memory_ids
    expect(await statusOf(service, id)).toEqual([undefined, undefined])
    const { source_map, warnings } = await guide(service, 'automobile')
    expect(source_map.omitted_internal_surfaces).toContain('semantic_recall')
    expect(warnings).toBeUndefined()
    expect(embedding(service)).toEqual({ configured: false, provider: null, model: null })
    expect(readdirSync(service.dir)).not.toContain('vec')
  })
})

describe('recall by embedding', () => {
  test('finds what says the same in other words, tells so, and what is unrelated stays away', async () => {
    const { service, provider } = await scene()
    const [id = ''] = await write(service, [...CROWD, 'The car is kept in the yard'].toReversed())
    expect(await statusOf(service, id)).not.toEqual(['failed', null])
    await settled(service, 25)
    expect(await statusOf(service, id)).toEqual(['ready', null])
    const { agent_context, source_map, warnings } = await guide(service, 'automobile kept')
    expect(agent_context.memory_ids[0]).toBe(id)
    expect(source_map.internal_surfaces_used).toContain('semantic_recall')
    expect(source_map.omitted_internal_surfaces).not.toContain('semantic_recall')
    expect(warnings).toBeUndefined()
    expect(await foundNear(service, 'automobile')).toEqual([expect.stringContaining('"semantic_match"')])
    // The nearest of what is unrelated may be shown to inspect, as a weak match.
    const unrelated = await guide(service, 'zebra quagga')
    expect(unrelated.agent_context.use_now_memory_ids).toEqual([])
    expect(unrelated.agent_context.memory_ids).not.toContain(id)
    for (const found of await foundNear(service, 'zebra quagga'))
      expect(found).toContain('"weak_semantic_match"')
    const sent = JSON.stringify(provider.requests.map(({ body }) => body))
    for (const name of [place.tenant_id, place.scope, id]) expect(sent).not.toContain(name)
  })

  test('a scan in the pool finds the same as one in the turn', async () => {
    const { service, provider } = await scene()
    const [id = ''] = await write(service, ['The car is kept in the yard', ...CROWD])
    await settled(service, 25)
    const inline = await foundNear(service, 'automobile')
    await service.restart({ embeddingsUrl: provider.url, embeddingsTimeoutMs: 2_000, inlineRankMaxNs: 0 })
    expect(await foundNear(service, 'automobile')).toEqual(inline)
    expect((await guide(service, 'automobile')).agent_context.memory_ids).toEqual([id])
    expect(service.lines.filter(({ level }) => level === 'warn')).toEqual([])
  })

  test('what one consumer cannot see has no part in its guides; its own is found', async () => {
    const { service } = await scene()
    await write(service, CROWD)
    const secretly = { memory_lane: 'private', owner_agent_id: 'ann' }
    const [id = ''] = await write(service, ['The car is kept in the yard'], secretly)
    const [foreign = ''] = (
      await service.ok('observe', { ...place, tenant_id: 'other', memory: { text: 'The car is elsewhere' } })
    ).memory_ids
    await settled(service, 26)
    const ann = await guide(service, 'automobile', { consumer_agent_id: 'ann' })
    expect(ann.agent_context.memory_ids).toContain(id)
    expect(ann.agent_context.memory_ids).not.toContain(foreign)
    const bob = await guide(service, 'automobile', { consumer_agent_id: 'bob' })
    expect(bob.agent_context.memory_ids).toEqual([])
  })

  test('a query is not sent for somebody who sees no vector, nor when it holds a secret', async () => {
    const { service, provider } = await scene()
    await write(service, CROWD, { memory_lane: 'private', owner_agent_id: 'ann' })
    await settled(service)
    await guide(service, 'quondam question', { consumer_agent_id: 'bob' })
    const { warnings } = await guide(service, 'deploy with AKIAIOSFODNN7EXAMPLE', {
      consumer_agent_id: 'ann',
    })
    expect(warnings?.join()).toMatch(/holds a secret/)
    expect(provider.texts.join()).not.toMatch(/quondam|AKIA/)
  })

  test('suppressed memory is found as the warning that it is', async () => {
    const { service } = await scene()
    await write(service, CROWD)
    const memory_ids = await write(service, ['The car is kept in the yard'])
    await settled(service, 25)
    await service.ok('forget', { ...place, operation: 'suppress', target: 'memory', reason: 'x', memory_ids })
    const { agent_context } = await guide(service, 'automobile')
    expect(agent_context.do_not_use_memory_ids).toEqual(memory_ids)
    expect(agent_context.use_now_memory_ids).toEqual([])
  })
})

describe('a provider that does not work', () => {
  test('costs a guide its timeout a few times, then nothing; the answer by words is the same and says why', async () => {
    const { service, provider } = await scene({ embeddingsTimeoutMs: 40 })
    const [id = ''] = await write(service, ['The car is kept in the yard', ...CROWD])
    await settled(service, 25)
    provider.answer = silence
    for (let at = 0; at < 3; at += 1) {
      const { agent_context, warnings, source_map } = await guide(service, 'car yard')
      expect(agent_context.memory_ids[0]).toBe(id)
      expect(warnings).toEqual([
        'Recalled by words alone: the provider of embeddings did not answer in time.',
      ])
      expect(source_map.omitted_internal_surfaces).toContain('semantic_recall')
    }
    const asked = provider.requests.length
    const { agent_context, warnings } = await guide(service, 'car yard')
    expect(agent_context.memory_ids[0]).toBe(id)
    expect(warnings?.join()).toMatch(/left alone for a while/)
    expect(provider.requests.length).toBe(asked)
    provider.answer = null
    service.clock.advance(60_000)
    expect((await guide(service, 'automobile')).agent_context.memory_ids).toContain(id)
  })

  test.each([
    ['429 with a word for how long', status(429, { 'retry-after': '0' })],
    ['500', status(500)],
    ['a closed socket', closed],
    ['a wrong shape', saying({ data: [] })],
    ['the wrong key', status(401)],
  ])('memory waits through %s and is embedded afterwards', async (_what, answer) => {
    const { service, provider } = await scene()
    provider.answer = (response, request) => {
      if (provider.requests.length > 1) vectors(response, request)
      else answer(response, request)
    }
    const { post_commit_projections } = await service.ok('observe', {
      ...place,
      input_text: 'The car is red',
    })
    expect(post_commit_projections).toEqual({ semantic_commit: 'committed', embedding: 'scheduled' })
    await settled(service, 1)
    expect(provider.requests.length).toBe(2)
    expect(embedding(service)).toMatchObject({ last_failure: null })
  })

  test('a text that alone is refused fails with the reason; the others get their vectors', async () => {
    const { service, provider } = await scene()
    provider.answer = (response, request) => {
      if (request.body.input.some((text) => text.includes('poison'))) status(400)(response, request)
      else vectors(response, request)
    }
    const ids = await write(service, ['one car', 'poison text', 'two cars', 'three cars'])
    await settled(service, 3)
    expect(await statusOf(service, ids[1] ?? '')).toEqual(['failed', 'refused'])
    provider.answer = null
    await service.restart()
    await guide(service, 'car')
    await settled(service, 4)
  })

  test('closing does not wait for it, and what waited is embedded after the next start', async () => {
    const { service, provider } = await scene({ embeddingsTimeoutMs: 60_000 })
    provider.answer = silence
    await write(service, ['The car is red'])
    await vi.waitFor(() => expect(provider.requests.length).toBe(1))
    provider.answer = null
    await service.restart()
    await guide(service, 'car')
    await settled(service, 1)
  })
})

describe('after a restart', () => {
  test.skipIf(!isOnFiles)('vectors come from disk: text is sent again only for lost files', async () => {
    const { service, provider } = await scene()
    const [id = ''] = await write(service, ['The car is kept in the yard', ...CROWD])
    await settled(service, 25)
    const sent = provider.texts.length
    await service.restart()
    expect((await guide(service, 'automobile')).agent_context.memory_ids).toContain(id)
    expect(provider.texts.length).toBe(sent + 1)
    rmSync(join(service.dir, 'vec'), { recursive: true })
    await service.restart()
    await guide(service, 'other words')
    await settled(service, 25)
    expect((await guide(service, 'automobile')).agent_context.memory_ids).toContain(id)
  })

  test('of another model all vectors are made anew; a length that changed does the same', async () => {
    const { service, provider } = await scene()
    await write(service, CROWD)
    await settled(service, 24)
    await service.restart({ embeddingsUrl: provider.url, embeddingsModel: 'other' })
    await guide(service, 'topic1')
    await settled(service, 24)
    expect(provider.requests.at(-1)?.body.model).toBe('other')
    const sent = provider.texts.length
    provider.answer = (response, { body }) => {
      saying({ data: body.input.map((_, index) => ({ index, embedding: [1, index + 1] })) })(response, {
        path: '',
        headers: {},
        body,
      })
    }
    await service.restart({ embeddingsUrl: provider.url, embeddingsModel: 'other' })
    const { warnings } = await guide(service, 'topic1')
    expect(warnings?.join()).toMatch(/made anew/)
    await write(service, ['one more'])
    await settled(service, 25)
    expect(provider.texts.length).toBeGreaterThanOrEqual(sent + 26)
  })

  test('a recorded guide tells the same; asked now without the provider it says so', async () => {
    const { service } = await scene()
    const [id = ''] = await write(service, ['The car is kept in the yard', ...CROWD])
    await settled(service, 25)
    const { guide_trace_id, agent_context } = await guide(service, 'automobile')
    expect(agent_context.memory_ids).toEqual([id])
    const ask = { ...place, replay_source: 'journal', guide_trace_id }
    const before = await service.ok('decisionTrace', { ...place, guide_trace_id })
    await service.restart({})
    expect(await service.ok('decisionTrace', { ...place, guide_trace_id })).toEqual(before)
    const replay = await service.ok('flightRecorder', { ...ask, include_now: true })
    expect(replay.agent_flight_recorder.agent_view).toMatchObject({ exposed_memory_ids: [id] })
    expect(replay.warnings?.join()).toMatch(/by words alone/)
  })
})

describe('what is never sent', () => {
  test('memory that holds a secret, of runs too, and memory whose writer says so, after a restart too', async () => {
    const { service, provider } = await scene()
    const key = 'AKIAIOSFODNN7EXAMPLE'
    const [fact = ''] = await write(service, [`the deploy key is ${key}`])
    const execution = { summary: `deployed with ${key}`, outcome: 'succeeded', run_id: 'r' }
    const [run = ''] = (await service.ok('observe', { ...place, execution })).memory_ids
    const unwanted = await service.ok('observe', { ...place, input_text: 'quondam door', auto_embed: false })
    expect(unwanted.post_commit_projections?.embedding).toBe('not_requested')
    await write(service, ['The car is red'])
    await settled(service, 1)
    for (const id of [fact, run]) expect(await statusOf(service, id)).toEqual(['skipped', 'secret'])
    await service.restart()
    await guide(service, 'something')
    await settled(service, 1)
    expect(await statusOf(service, unwanted.memory_ids[0] ?? '')).toEqual(['skipped', 'auto_embed_false'])
    expect(provider.texts.join()).not.toMatch(/AKIA|quondam/)
  })

  test.skipIf(!isOnFiles)(
    'erased memory: its text, its vector and its id leave memory and disk, and nothing of it is sent later',
    async () => {
      const { service, provider } = await scene()
      const ids = await write(service, ['The car is kept in the yard', ...CROWD])
      await settled(service, 25)
      provider.answer = status(503, { 'retry-after': '0' })
      const [late = ''] = await write(service, ['quondam automobile'])
      await vi.waitFor(() => expect(provider.texts).toContain('quondam automobile'))
      await service.ok('erase', { ...place, reason: 'asked for', memory_ids: [ids[0], late] })
      const sent = provider.texts.length
      provider.answer = null
      await write(service, ['something new'])
      await settled(service, 25)
      expect(provider.texts.slice(sent).join()).not.toMatch(/quondam|kept in the yard/)
      const files = vectorFiles(service.dir)
      expect(files).toHaveLength(1)
      for (const bytes of files) {
        for (const id of [ids[0] ?? '', late]) expect(bytes.includes(id)).toBe(false)
        expect(bytes.includes(ids[1] ?? '')).toBe(true)
      }
      for (const query of ['automobile', 'quondam automobile', 'car kept in the yard']) {
        const answer = await guide(service, query)
        expect(answer.agent_context.use_now_memory_ids).toEqual([])
        // Prompt, receipt and lists; an answer does not repeat the query.
        for (const gone of [ids[0] ?? '', late, 'quondam', 'in the yard'])
          expect(JSON.stringify(answer)).not.toContain(gone)
      }
    },
  )

  test.skipIf(!isOnFiles)('an erasure takes vectors off the disk without a provider as well', async () => {
    const { service } = await scene()
    const [id = ''] = await write(service, ['The car is kept in the yard', ...CROWD])
    await settled(service, 25)
    await service.restart({})
    await service.ok('erase', { ...place, reason: 'asked for', memory_ids: [id] })
    expect(vectorFiles(service.dir).filter((bytes) => bytes.includes(id))).toEqual([])
  })

  test('suppressed memory that waits is not sent; once it is let back it is', async () => {
    const { service, provider } = await scene()
    provider.answer = status(503, { 'retry-after': '1' })
    await write(service, ['The car is red'])
    await vi.waitFor(() => expect(provider.requests.length).toBe(1))
    const memory_ids = await write(service, ['quondam door'])
    const forget = { ...place, target: 'memory', reason: 'x', memory_ids }
    await service.ok('forget', { ...forget, operation: 'suppress' })
    const sent = provider.texts.length
    provider.answer = null
    await vi.waitFor(() => expect(embedding(service).memories).toMatchObject({ ready: 1, pending: 1 }), 5_000)
    expect(provider.texts.slice(sent)).not.toContain('quondam door')
    await service.ok('forget', { ...forget, operation: 'unsuppress' })
    await settled(service, 2)
  })

  test('the key: it stands in no answer and no line of the log, only in the header', async () => {
    const { service, provider } = await scene()
    provider.answer = status(401)
    await write(service, ['The car is red'])
    await vi.waitFor(() => expect(embedding(service).last_failure).toBe('forbidden'))
    expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(JSON.stringify([service.runtime.health(), service.lines])).not.toContain(KEY)
  })
})
