import process from 'node:process'
import { describe, expect, test, vi } from 'vitest'
import { httpEmbedder } from '../../src/adapters/embedder/http-embedder.ts'
import type { Answering } from '../harness/provider.ts'
import {
  closed,
  DIMENSIONS,
  json,
  saying,
  shuffled,
  silence,
  startProvider,
  status,
  vectorOf,
} from '../harness/provider.ts'
import { manualClock } from '../harness/system.ts'

const clock = manualClock()
const KEY = 'sk-quite-secret'
const over = (url: string, dimensions: number | null = null) =>
  httpEmbedder({ url, model: 'a-model', key: KEY, dimensions, clock })
const patient = { timeoutMs: 5_000, signal: new AbortController().signal }
const failureFrom = async (answer: Answering, texts = ['one', 'two'], timeoutMs = 5_000) => {
  const provider = await startProvider()
  provider.answer = answer
  const asked = over(provider.url).embed(texts, { ...patient, timeoutMs })
  return asked.then(
    () => null,
    (error: unknown) => error as Error & { embedFailure: string; retryAfterMs: number | null },
  )
}

describe('what is asked', () => {
  test('a base address, one with /v1 and the full address mean the same', async () => {
    const provider = await startProvider()
    for (const path of ['', '/', '/v1', '/v1/', '/v1/embeddings']) {
      await over(provider.url + path).embed(['word'], patient)
    }
    await over(`${provider.url}/openai/deployments/x?api-version=1`).embed(['word'], patient)
    expect(new Set(provider.requests.map(({ path }) => path))).toEqual(
      new Set(['/v1/embeddings', '/openai/deployments/x/v1/embeddings?api-version=1']),
    )
  })

  test('the model, the texts and the key as bearer token; dimensions only when they were configured', async () => {
    const provider = await startProvider()
    await over(provider.url).embed(['one', 'two'], patient)
    await over(provider.url, DIMENSIONS).embed(['one'], patient)
    const [plain, asking] = provider.requests
    expect(plain?.body).toEqual({ model: 'a-model', input: ['one', 'two'] })
    expect(plain?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(asking?.body.dimensions).toBe(DIMENSIONS)
  })
})

describe('what is answered', () => {
  test('vectors of length 1 in the order of the texts, whatever order the answer has', async () => {
    const provider = await startProvider()
    provider.answer = shuffled
    const embedder = over(provider.url)
    const texts = ['one', 'two words', 'three words here']
    const found = await embedder.embed(texts, patient)
    for (const [at, vector] of found.entries()) {
      const size = Math.hypot(...vector)
      expect(size).toBeCloseTo(1, 5)
      const wanted = vectorOf(texts[at] ?? '')
      expect(vector[3]).toBeCloseTo((wanted[3] ?? 0) / Math.hypot(...wanted), 5)
    }
    expect(embedder.dimensions).toBe(DIMENSIONS)
  })

  test.each([
    ['no JSON', 'nothing'],
    ['no list', { vectors: [] }],
    ['null', null],
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }],
    [
      'a number twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      'a number beyond the texts',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 2, embedding: [1] },
        ],
      },
    ],
    [
      'unequal lengths',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1, 2] },
        ],
      },
    ],
    [
      'text for a number',
      {
        data: [
          { index: 0, embedding: ['1'] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    [
      'no numbers',
      {
        data: [
          { index: 0, embedding: [] },
          { index: 1, embedding: [] },
        ],
      },
    ],
    [
      'zeros',
      {
        data: [
          { index: 0, embedding: [0] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    [
      'base64',
      {
        data: [
          { index: 0, embedding: 'AAAA' },
          { index: 1, embedding: 'AAAA' },
        ],
      },
    ],
    ['numbers beyond a double', '{"data":[{"index":0,"embedding":[1e999]},{"index":1,"embedding":[1]}]}'],
  ])('an answer with %s is malformed', async (_what, answer) => {
    expect(await failureFrom(saying(answer))).toMatchObject({ embedFailure: 'malformed' })
  })

  test('later answers have as many dimensions as the first', async () => {
    const provider = await startProvider()
    const embedder = over(provider.url)
    await embedder.embed(['one'], patient)
    provider.answer = saying({ data: [{ index: 0, embedding: [1, 2, 3] }] })
    const message = expect.stringContaining(`3 numbers instead of ${DIMENSIONS}: for another length restart`)
    const failure = { embedFailure: 'malformed', message }
    await expect(embedder.embed(['one'], patient)).rejects.toMatchObject(failure)
  })

  test('an answer that is larger than any could be is not read to its end', async () => {
    const endless: Answering = (response) => {
      response.writeHead(200)
      const more = (): void => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    }
    expect(await failureFrom(endless)).toMatchObject({ embedFailure: 'malformed' })
  })
})

describe('what goes wrong', () => {
  test.each([
    [429, 'limited'],
    [500, 'failing'],
    [503, 'failing'],
    [401, 'forbidden'],
    [403, 'forbidden'],
    [404, 'forbidden'],
    [400, 'refused'],
    [413, 'refused'],
    [204, 'unreachable'],
  ])('status %i is %s', async (code, embedFailure) => {
    expect(await failureFrom(status(code))).toMatchObject({ embedFailure })
  })

  test('the provider may say in seconds or by date how long to wait', async () => {
    expect(await failureFrom(status(429, { 'retry-after': '7' }))).toMatchObject({ retryAfterMs: 7_000 })
    const date = new Date(clock.nowMs() + 5_000).toUTCString()
    expect(await failureFrom(status(503, { 'retry-after': date }))).toMatchObject({ retryAfterMs: 5_000 })
    expect(await failureFrom(status(429, { 'retry-after': 'soon' }))).toMatchObject({ retryAfterMs: null })
  })

  test('a redirect is not followed: neither text nor key go to anybody else', async () => {
    const elsewhere = await startProvider()
    const moved = status(307, { location: `${elsewhere.url}/v1/embeddings` })
    expect(await failureFrom(moved)).toMatchObject({ embedFailure: 'unreachable' })
    expect(elsewhere.requests).toEqual([])
  })

  test('silence is late, also in the middle of an answer; a closed socket and a closed port are unreachable', async () => {
    expect(await failureFrom(silence, ['a'], 30)).toMatchObject({ embedFailure: 'late' })
    const half: Answering = (response) => {
      response.writeHead(200)
      response.write('{"data":[')
    }
    expect(await failureFrom(half, ['a'], 30)).toMatchObject({ embedFailure: 'late' })
    expect(await failureFrom(closed)).toMatchObject({ embedFailure: 'unreachable' })
    const provider = await startProvider()
    await provider.close()
    await expect(over(provider.url).embed(['a'], patient)).rejects.toMatchObject({
      embedFailure: 'unreachable',
    })
  })

  test('a caller that gives up stops the request', async () => {
    const provider = await startProvider()
    provider.answer = silence
    const stop = new AbortController()
    const asked = over(provider.url).embed(['a'], { timeoutMs: 5_000, signal: stop.signal })
    stop.abort()
    await expect(asked).rejects.toMatchObject({ embedFailure: 'stopped' })
    await expect(
      over(provider.url).embed(['a'], { timeoutMs: 9, signal: stop.signal }),
    ).rejects.toMatchObject({
      embedFailure: 'stopped',
    })
  })

  test('one signal for many requests at once is no leak', async () => {
    const warned = vi.fn()
    process.on('warning', warned)
    const provider = await startProvider()
    provider.answer = silence
    const { signal } = new AbortController()
    await Promise.allSettled(
      Array.from({ length: 30 }, () => over(provider.url).embed(['a'], { timeoutMs: 50, signal })),
    )
    process.off('warning', warned)
    expect(warned).not.toHaveBeenCalled()
  })

  test('no error says the key, a text or what the provider answered', async () => {
    const spiteful: Answering = (response, { headers }) =>
      json(response, 400, { error: `${headers.authorization} quondam` })
    const failures = [
      await failureFrom(spiteful, ['quondam']),
      await failureFrom(saying('quondam'), ['quondam']),
      await failureFrom(closed, ['quondam']),
    ]
    for (const failure of failures) {
      expect(`${failure?.message} ${JSON.stringify(failure)}`).not.toMatch(/quondam|secret/)
    }
  })
})
