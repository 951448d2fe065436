import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const place = { tenant_id: 'clock', scope: 'one' }
const DAY_MS = 24 * 3_600_000
/** Back and forth, in total never before the start of the test. */
const JUMPS_MS = [
  2000 * DAY_MS,
  -1,
  -3_600_000,
  -1000 * DAY_MS,
  5000 * DAY_MS,
  0,
  -5999 * DAY_MS,
  1,
  20_000 * DAY_MS,
  -20_000 * DAY_MS,
]

test('a clock that jumps loses nothing, repeats nothing, and the state of disk stays that of memory', async () => {
  const service = await startEmbedded({ config: { residentActorsMax: 1, snapshotMinBytes: 4096 } })
  const written: string[] = []
  for (const [round, jump] of JUMPS_MS.entries()) {
    service.clock.advance(jump)
    const body = { ...place, memory: { client_id: `fact-${round}`, text: `Jump ${round} happened.` } }
    const first = await service.ok('observe', body, `observe-${round}`)
    written.push(...first.memory_ids)
    expect((await service.ok('observe', body, `observe-${round}`)).memory_ids).toEqual(first.memory_ids)
    const query = { ...place, query_text: 'jump happened', run_id: `run-${round}`, limit: 50 }
    const { guide_trace_id: trace, agent_context: context } = await service.ok('guide', query)
    const outcome = { outcome: 'neutral', used_surface: 'use_now', reason: 'so', run_id: `run-${round}` }
    const used = { guide_trace_id: trace, used_memory_ids: context.memory_ids.slice(0, 1) }
    if (used.used_memory_ids.length > 0) await service.ok('feedback', { ...place, ...outcome, ...used })
    const live = await service.digest(place)
    if (round % 3 === 2) await service.restart()
    else await service.digest({ ...place, scope: 'elsewhere' })
    expect(await service.digest(place)).toBe(live)
    const health = service.runtime.health()
    expect(health).toMatchObject({ ok: true, status: 'ready' })
  }
  expect(new Set(written).size).toBe(JUMPS_MS.length)
  const client_ids = JUMPS_MS.map((_jump, round) => `fact-${round}`)
  const found = await service.ok('rehydrate', { ...place, reason: 'look', client_ids })
  expect(found.result.memories.map(({ memory_id }) => memory_id).toSorted()).toEqual(written.toSorted())
  expect(service.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('no source asks for local time, so that a change to or from daylight saving is no event', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const local =
    /\.(?:get|set)(?:Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)\(|\.toLocale|Intl\.DateTimeFormat/
  const files = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(root, folder, name),
    ),
  )
  // The page of the console tells its reader the time of where they are.
  const sources = files.filter((path) => path.endsWith('.ts') && !path.includes('edges/console/'))
  expect(sources.length).toBeGreaterThan(100)
  expect(local.test('now.getHours()')).toBe(true)
  expect(sources.filter((path) => local.test(readFileSync(path, 'utf8')))).toEqual([])
})
