import { afterEach, describe, expect, test, vi } from 'vitest'
import { PostLoadChecks } from '../../src/actor/post-load-checks.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { closeEmbedded, type Embedded, isOnFiles, type Place, startEmbedded } from '../harness/embedded.ts'
import { foundIn } from '../harness/secrets.ts'
import { manualClock, memoryLog, START_MS } from '../harness/system.ts'

afterEach(closeEmbedded)
afterEach(() => {
  vi.restoreAllMocks()
})

const placeOf = (name: string): Place => ({ tenant_id: 'leaving', scope: name })
/** More than may stay in the journal. */
const LONG = 'and it is a long story '.repeat(900)

/** What the log tells of snapshots and loads, `name turns` each. */
function told({ lines }: Embedded, wanted: string): readonly string[] {
  return lines.flatMap(({ message, fields }) => {
    if (message !== wanted || !('actor' in fields)) return []
    const turns = 'turns' in fields ? ` ${String(fields.turns)}` : ''
    return [`${String(fields.actor).replace('leaving/', '')}${turns}`]
  })
}
const snapshots = (service: Embedded) => told(service, 'snapshot is durable')
const loads = (service: Embedded) => told(service, 'actor is loaded')

async function observe(service: Embedded, name: string, input_text: string): Promise<void> {
  await service.ok('observe', { ...placeOf(name), input_text })
}

describe('an actor that leaves memory', () => {
  test('with a short tail leaves it to the journal, and comes back as it was', async () => {
    const service = await startEmbedded({ config: { residentActorsMax: 1 } })
    await observe(service, 'a', 'The login test needs a cookie.')
    const guide = await service.ok('guide', { ...placeOf('a'), query_text: 'login test' })
    const before = await service.digest(placeOf('a'))
    await service.digest(placeOf('b'))
    expect(await service.digest(placeOf('a'))).toBe(before)
    expect(snapshots(service)).toEqual([])
    expect(loads(service)).toEqual(['a 0', 'b 0', 'a 2'])
    const outcome = { outcome: 'positive', used_surface: 'use_now', reason: 'so', run_id: 'run-1' }
    const named = { guide_trace_id: guide.guide_trace_id, used_memory_ids: guide.agent_context.memory_ids }
    await service.ok('feedback', { ...placeOf('a'), ...outcome, ...named })
    const after = await service.digest(placeOf('a'))
    await service.digest(placeOf('b'))
    await service.restart()
    expect(await service.digest(placeOf('a'))).toBe(after)
  })

  test('with a long one is snapshot first', async () => {
    const service = await startEmbedded({ config: { residentActorsMax: 1 } })
    await observe(service, 'a', LONG)
    const before = await service.digest(placeOf('a'))
    await service.digest(placeOf('b'))
    expect(await service.digest(placeOf('a'))).toBe(before)
    expect(snapshots(service)).toEqual(['a'])
    expect(loads(service)).toEqual(['a 0', 'b 0', 'a 0'])
  })

  test.skipIf(!isOnFiles)(
    'is snapshot when as many are away with a tail as are in memory, those of an earlier life counted',
    async () => {
      const service = await startEmbedded({ config: { residentActorsMax: 2 } })
      const names = Array.from({ length: 8 }, (_, place) => `scope-${place}`)
      for (const name of names) {
        await observe(service, name, 'a fact to keep')
        await vi.waitFor(() => expect(service.registry.residentCount()).toBeLessThanOrEqual(2))
      }
      // With three in memory three may be away.
      expect(snapshots(service)).toEqual(['scope-3', 'scope-4', 'scope-5'])
      await service.restart({ residentActorsMax: 1 })
      const earlier = snapshots(service).length
      await observe(service, 'new', 'a fact to keep')
      await observe(service, 'newer', 'a fact to keep')
      await vi.waitFor(() => expect(snapshots(service).slice(earlier)).toEqual(['new']))
      for (const name of names) await service.digest(placeOf(name))
      expect(loads(service).slice(-8)).toEqual(names.map((name, place) => `${name} ${place < 3 ? 1 : 0}`))
    },
  )

  test.skipIf(!isOnFiles)('holds no journal segment that an erasure has to free', async () => {
    const service = await startEmbedded({ config: { residentActorsMax: 2 } })
    for (const name of ['b', 'c', 'd']) await observe(service, name, 'a fact to keep')
    const secret = 'quondamsecret'
    const body = { memory: { text: `The ${secret} of hall 3.`, client_id: 'secret' } }
    await service.ok('observe', { ...placeOf('a'), ...body })
    for (const name of ['b', 'c', 'd']) await service.digest(placeOf(name))
    expect(foundIn(service.dir, [secret])).not.toEqual([])
    await service.ok('erase', { ...placeOf('a'), reason: 'asked for', client_ids: ['secret'] })
    expect(foundIn(service.dir, [secret])).toEqual([])
    expect(new Set(snapshots(service))).toEqual(new Set(['a', 'b', 'c', 'd']))
  })
})

describe('a snapshot that does not have its digest', () => {
  /** A folder whose only actor was written wrong. */
  async function wrongFolder(): Promise<string> {
    const dir = dataFolder()
    const first = await startEmbedded({ dir })
    await observe(first, 'a', 'The login test needs a cookie.')
    await first.close()
    const { log } = memoryLog()
    const store = await openSnapshotStore({ dir, files: nodeFiles, log, clock: first.clock })
    const stored = await store.get('leaving/a')
    if (stored === null) throw new Error('there is no snapshot')
    await store.put({ shard: 0, epoch: 1 }, 'leaving/a', { ...stored.image, stateHash: '0'.repeat(16) })
    return dir
  }
  const serve = (service: Embedded) =>
    service.registry.use('leaving', 'a', async ({ state }) => stateHash(state))

  test('is found behind the first answers, and then not served', async () => {
    const service = await startEmbedded({ dir: await wrongFolder() })
    await serve(service)
    await vi.waitFor(() => expect(told(service, 'actor is not what its snapshot says')).toEqual(['a']))
    await expect(serve(service)).rejects.toThrow('does not have the digest it was given')
    await expect(serve(service)).rejects.toThrow('does not have the digest it was given')
  })

  test('is found before another one is made from it', async () => {
    vi.spyOn(PostLoadChecks.prototype, 'add').mockReturnValue()
    // Ids count up from the time of the clock.
    const clock = manualClock(START_MS + 60_000)
    const service = await startEmbedded({ dir: await wrongFolder(), clock, config: { residentActorsMax: 1 } })
    await observe(service, 'a', LONG)
    await observe(service, 'b', LONG)
    await service.digest(placeOf('c'))
    await vi.waitFor(() => expect(service.registry.residentCount()).toBe(1))
    expect(snapshots(service)).not.toContain('a')
    await expect(serve(service)).rejects.toThrow('does not have the digest it was given')
  })
})
