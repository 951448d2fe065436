import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ComputePool } from '../../src/adapters/compute/pool.ts'
import { measure } from '../../src/core/measure/measure.ts'
import { traceInputOf } from '../../src/core/report/trace-input.ts'
import { inPool } from '../../src/runtime/pooled.ts'
import { anyHistory } from '../arbitraries.ts'
import { enough } from '../harness/scale.ts'
import { worldAfter } from '../support/history.ts'
import { anyObservation, HELD, manualJob, RUN, TRACE, traceJob } from '../support/measure-samples.ts'
import { provingAsync } from '../support/prove.ts'
import { sourcesIn, TracedWorld } from '../support/traced-world.ts'

const prove = provingAsync(30)
const pool = new ComputePool()
afterAll(() => pool.close())

const outcomes = fc.array(
  fc.record({
    taskKey: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
    arm: fc.constantFrom('guided' as const, 'without_memory' as const),
    isSuccess: fc.boolean(),
  }),
  { maxLength: 60 },
)

/** A log that counts what it is warned of. */
function countingLog() {
  const warned: string[] = []
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_fields: object, message: string) => void warned.push(message),
    error: () => undefined,
  }
  return { log, warned }
}

describe('the score worker (needs the built worker: npm run build)', () => {
  test('the worker is compiled', () => {
    expect(existsSync(new URL('../../dist/service/workers/score.js', import.meta.url))).toBe(true)
  })

  test('M13: a worker measures as the asking thread does', async () => {
    await prove(anyObservation, anyObservation, outcomes, fc.nat(), async (baseline, guided, runs, seed) => {
      const records = { ...HELD, runs: [RUN], outcomes: runs }
      const manual = { ...manualJob({}, {}, { records, seed }) }
      const jobs = [
        { ...manual, input: { source: 'manual_observations' as const, baseline, guided } },
        traceJob(TRACE, { records, seed }),
      ]
      for (const job of jobs) expect(await pool.score(job)).toStrictEqual(measure(job))
    })
  })

  test('M13: a worker measures the memory around a recorded guide as the asking thread does', async () => {
    let traced = 0
    await provingAsync(30, { seed: 5 })(anyHistory, async (history) => {
      const world = new TracedWorld()
      worldAfter(history, world)
      const guide = world.guides.at(-1)
      if (guide === undefined) return
      traced += 1
      const after = world.guideAnswers.get(guide.guideTraceId) ?? null
      const sources = sourcesIn(world, guide.guideTraceId, { after })
      const { driftFacts } = traceInputOf(world.state, sources, world.nowMs)
      const job = traceJob(TRACE, { records: { ...HELD, memories: driftFacts } })
      expect(await pool.score(job)).toStrictEqual(measure(job))
    })
    expect(traced).toBeGreaterThanOrEqual(enough(13))
  })

  test('M13: a measurement that no worker does is done by the asking thread, with the same answer', async () => {
    const late = new ComputePool({ rankTimeoutMs: 0 })
    const { log, warned } = countingLog()
    const job = traceJob(TRACE, { records: HELD })
    const answer = await inPool(
      () => late.score(job),
      () => measure(job),
      log,
    )
    expect(answer).toStrictEqual(await pool.score(job))
    expect(warned).toHaveLength(1)
    await late.close()
  })
})
