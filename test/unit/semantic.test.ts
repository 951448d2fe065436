import { describe, expect, test } from 'vitest'
import type { Embedder, EmbedFailureKind } from '../../src/ports/embedder.ts'
import {
  FAILURES_MAX,
  missWarning,
  PAUSE_MAX_MS,
  PAUSE_MIN_MS,
  Semantic,
} from '../../src/runtime/semantic.ts'
import { manualClock, memoryLog } from '../harness/system.ts'

const TIMEOUT_MS = 1_000

function scene() {
  const clock = manualClock()
  const { log, lines } = memoryLog()
  const seen = { asked: 0, fails: null as EmbedFailureKind | null, retryAfterMs: null as number | null }
  const waiting: (() => void)[] = []
  const embedder: Embedder = {
    provider: 'here',
    model: 'm',
    dimensions: 2,
    async embed() {
      seen.asked += 1
      if (waiting.length > 0) await new Promise<void>((resolve) => waiting.push(resolve))
      if (seen.fails === null) return [Float32Array.of(1, 0)]
      throw Object.assign(new Error('no'), { embedFailure: seen.fails, retryAfterMs: seen.retryAfterMs })
    },
  }
  const semantic = new Semantic({ embedder, clock, log, timeoutMs: TIMEOUT_MS })
  const missOf = async (text = 'deploy the shop') => (await semantic.vectorOf(text)).miss
  return { clock, lines, seen, missOf, waiting }
}

describe('a provider that fails', () => {
  test('is not asked any more after some failures in a row, then by one guide again', async () => {
    const { clock, seen, missOf } = scene()
    seen.fails = 'late'
    for (let at = 0; at < FAILURES_MAX; at += 1) expect(await missOf()).toBe('late')
    expect(await missOf()).toBe('paused')
    expect(seen.asked).toBe(FAILURES_MAX)
    clock.advance(PAUSE_MIN_MS - 1)
    expect(await missOf()).toBe('paused')
    clock.advance(1)
    expect(await Promise.all([missOf(), missOf(), missOf()])).toEqual(['late', 'paused', 'paused'])
    expect(seen.asked).toBe(FAILURES_MAX + 1)
    clock.advance(2 * PAUSE_MIN_MS - 1)
    expect(await missOf()).toBe('paused')
    clock.advance(1)
    seen.fails = null
    expect(await missOf()).toBeNull()
    expect(await Promise.all([missOf(), missOf()])).toEqual([null, null])
  })

  test('that fails for many at once is left alone no longer than after some failures in a row', async () => {
    const { clock, seen, missOf } = scene()
    seen.fails = 'late'
    await Promise.all(Array.from({ length: 20 }, () => missOf()))
    expect(seen.asked).toBe(20)
    seen.fails = null
    expect(await missOf()).toBe('paused')
    clock.advance(PAUSE_MIN_MS)
    expect(await missOf()).toBeNull()
  })

  test('is asked again after a minute at the latest', async () => {
    const { clock, seen, missOf } = scene()
    seen.fails = 'unreachable'
    for (let at = 0; at < 20; at += 1) {
      await missOf()
      clock.advance(PAUSE_MAX_MS)
    }
    expect(seen.asked).toBe(20)
  })

  test('is asked again when the clock is set back', async () => {
    const { clock, seen, missOf } = scene()
    seen.fails = 'unreachable'
    for (let at = 0; at < 20; at += 1) await missOf()
    expect(await missOf()).toBe('paused')
    seen.fails = null
    clock.advance(-3_600_000)
    expect(await missOf()).toBeNull()
  })

  test('is left alone for as long as it says, also after its first failure', async () => {
    const { clock, seen, missOf } = scene()
    seen.fails = 'limited'
    seen.retryAfterMs = 5_000
    expect(await missOf()).toBe('limited')
    seen.fails = null
    expect(await missOf()).toBe('paused')
    clock.advance(5_000)
    expect(await missOf()).toBeNull()
  })

  test('single failures between answers and refused texts do not stop the next guide from asking', async () => {
    const { seen, missOf } = scene()
    for (let at = 0; at < 3 * FAILURES_MAX; at += 1) {
      seen.fails = at % 2 === 0 ? 'late' : null
      expect(await missOf()).toBe(seen.fails)
    }
    seen.fails = 'refused'
    for (let at = 0; at < 2 * FAILURES_MAX; at += 1) expect(await missOf()).toBe('refused')
  })
})

describe('a query', () => {
  test('that holds a secret or nothing is not sent', async () => {
    const { seen, missOf } = scene()
    expect(await missOf('use AKIAIOSFODNN7EXAMPLE and password=hunter2hunter2 to deploy')).toBe('secret')
    expect(await missOf('  ')).toBe('no_text')
    expect(seen.asked).toBe(0)
  })

  test('is not sent while too many are on their way', async () => {
    const { seen, missOf, waiting } = scene()
    waiting.push(() => undefined)
    const asked = Array.from({ length: 64 }, () => missOf())
    expect(await missOf()).toBe('busy')
    for (const go of waiting) go()
    expect(new Set(await Promise.all(asked))).toEqual(new Set([null]))
    expect(seen.asked).toBe(64)
  })

  test('never stands in the log', async () => {
    const { seen, missOf, lines } = scene()
    seen.fails = 'malformed'
    await missOf('quondam')
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain('quondam')
  })
})

test('an answer says why it was made by words alone, unless there was nothing to compare with', () => {
  expect(missWarning('late')).toBe(
    'Recalled by words alone: the provider of embeddings did not answer in time.',
  )
  expect(missWarning('no_vectors')).toBeNull()
})
