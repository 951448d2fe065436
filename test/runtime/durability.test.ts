import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import type { Config } from '../../src/app/config/options.ts'
import { contentsBelow, crashImageOf } from '../harness/data-folder.ts'
import { closeEmbedded, type Embedded, isOnFiles, type Place, startEmbedded } from '../harness/embedded.ts'
import { history, Session } from '../harness/session.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(6)

afterEach(closeEmbedded)

const elsewhere = { tenant_id: 'durability', scope: 'elsewhere' }
const question = { query_text: 'The login test and the release', mode: 'full_power', limit: 200 }

function actorOf(real: Embedded, place: Place): Promise<Actor> {
  return real.registry.use(place.tenant_id, place.scope, async (actor) => actor)
}

/** Another actor takes the only place in memory; back comes what disk holds. */
async function evictAndReload(real: Embedded, place: Place): Promise<void> {
  const before = await actorOf(real, place)
  await real.digest(elsewhere)
  expect(await actorOf(real, place)).not.toBe(before)
}

async function crashed(real: Embedded, config: Partial<Config>): Promise<Embedded> {
  return startEmbedded({ dir: crashImageOf(real.dir), config, clock: real.clock })
}

/** Ways to snapshot: of a small actor from memory, of a large one from disk in a worker. */
const SNAPSHOTS = [
  ['from memory', { workerMemoriesMin: 1_000_000 }],
  ['by a worker', { workerMemoriesMin: 0 }],
] as const

describe.skipIf(!isOnFiles).each(SNAPSHOTS)('with snapshots %s', (_way, way) => {
  const config = { residentActorsMax: 1, snapshotMinBytes: 4096, segmentBytes: 65_536, ...way }

  test('D2: the state has the digest of the live one after eviction, a clean restart and a crash', async () => {
    const real = await startEmbedded({ config })
    let runs = 0
    await prove(history, async (steps) => {
      const session = new Session(real, 'sync', `scope-${(runs += 1)}`)
      for (const step of steps) await step.run(session)
      const { place } = session
      const live = await real.digest(place)
      const image = await crashed(real, config)
      expect(await image.digest(place)).toBe(live)
      await image.close()
      await evictAndReload(real, place)
      expect(await real.digest(place)).toBe(live)
      await real.restart()
      expect(await real.digest(place)).toBe(live)
    })
  })

  test('E4: guides from before accept feedback, also when only the ledger knows what they exposed', async () => {
    const real = await startEmbedded({ config })
    const place = { tenant_id: 'durability', scope: 'one' }
    await real.ok('observe', { ...place, input_text: 'The login test needs a cookie.' })
    const guides: { readonly trace: string; readonly ids: readonly string[] }[] = []
    const ask = async () => {
      const answer = await real.ok('guide', { ...place, query_text: 'login test', run_id: 'run-1' })
      guides.push({ trace: answer.guide_trace_id, ids: answer.agent_context.memory_ids })
      real.clock.advance(1000)
    }
    const acceptAll = async (at: Embedded, run: string) => {
      for (const { trace, ids } of guides) {
        const outcome = { outcome: 'positive', used_surface: 'use_now', reason: 'so', run_id: run }
        const answer = await at.ok('feedback', {
          ...place,
          ...outcome,
          guide_trace_id: trace,
          used_memory_ids: ids,
        })
        expect(answer.forget_effect.guide_trace?.exposed_memory_ids).toEqual(ids)
      }
    }
    for (let round = 0; round < 40; round += 1) await ask()
    await evictAndReload(real, place)
    // The last ones may be in the journal alone.
    expect((await actorOf(real, place)).state.exposures.size).toBeLessThan(guides.length / 2)
    await acceptAll(real, 'after eviction')
    await ask()
    const image = await crashed(real, config)
    await acceptAll(image, 'after a crash')
    await image.close()
    await real.restart()
    expect((await actorOf(real, place)).state.exposures.size).toBe(0)
    await acceptAll(real, 'after a restart')
  })

  test('G5: a guide asked again after a reload prints the same text', async () => {
    const real = await startEmbedded({ config })
    let runs = 0
    await prove(history, async (steps) => {
      const session = new Session(real, 'sync', `scope-${(runs += 1)}`)
      for (const step of steps) await step.run(session)
      const ask = async () => (await real.ok('guide', { ...session.place, ...question })).agent_context
      const live = await ask()
      await evictAndReload(real, session.place)
      const { prompt_text: text, memory_ids: ids } = await ask()
      expect(text).toBe(live.prompt_text)
      expect(ids).toEqual(live.memory_ids)
    })
  })

  test('D2: a long life in tiny segments keeps its digest, and the journal does not grow without end', async () => {
    const real = await startEmbedded({ config })
    const place = { tenant_id: 'durability', scope: 'long' }
    const [id = ''] = (await real.ok('observe', { ...place, input_text: 'The login test.' })).memory_ids
    const reason = 'to see what it says '.repeat(50)
    for (let round = 0; round < 600; round += 1) {
      await real.ok('rehydrate', { ...place, reason, memory_ids: [id] })
      if (round % 150 === 149) {
        const live = await real.digest(place)
        const image = await crashed(real, config)
        expect(await image.digest(place)).toBe(live)
        await image.close()
      }
    }
    // 600 batches of a sector each would be 2.4 MB. A snapshot that came too late for the last turns is due at the next.
    await vi.waitFor(async () => {
      await real.ok('rehydrate', { ...place, reason, memory_ids: [id] })
      expect(journalBytes(real.dir)).toBeLessThan(10 * 65_536)
    }, 60_000)
  })
})

test('D2: turns on another durability survive a clean end', async () => {
  for (const durability of ['interval', 'none'] as const) {
    const real = await startEmbedded({ config: { durability } })
    const place = { tenant_id: 'durability', scope: durability }
    await real.ok('observe', { ...place, input_text: 'A fact.' })
    const live = await real.digest(place)
    await real.restart()
    expect(await real.digest(place)).toBe(live)
  }
})

function journalBytes(dir: string): number {
  return [...contentsBelow(join(dir, 'wal')).values()].reduce((sum, { length }) => sum + length, 0)
}
