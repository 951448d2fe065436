import { expect, test } from 'vitest'
import { ATTEMPTS_MAX, BATCH_MAX, EmbeddingJobs } from '../../src/embedding/embedding.ts'
import { VectorView } from '../../src/embedding/vector-view.ts'
import type { Embedder, EmbedFailureKind } from '../../src/ports/embedder.ts'
import type { VectorRow, VectorStore } from '../../src/ports/store.ts'
import { manualClock, memoryLog } from '../harness/system.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { World } from '../support/world.ts'

/** `hangs`: no answer until the caller gives up. */
type Answer = (texts: readonly string[]) => { kind: EmbedFailureKind; retryAfterMs?: number } | 'hangs' | null

interface Scene {
  readonly jobs: EmbeddingJobs
  readonly worlds: ReadonlyMap<string, World>
  readonly views: ReadonlyMap<string, VectorView>
  readonly sent: (readonly string[])[]
  readonly pauses: number[]
  readonly rows: VectorRow[]
  /** Lets pauses pass until nothing is going on any more. */
  readonly finish: () => Promise<void>
}

/** Jobs over actors with so many memories each, with pauses that pass at once. */
async function scene(memories: Readonly<Record<string, number>>, answer: Answer): Promise<Scene> {
  const worlds = new Map<string, World>()
  const views = new Map<string, VectorView>()
  const rows: VectorRow[] = []
  const store: VectorStore = {
    load: async () => undefined,
    append: async (_grant, _key, more) => void rows.push(...more),
    keepOnly: async () => 0,
  }
  for (const [key, count] of Object.entries(memories)) {
    const world = new World()
    for (let at = 0; at < count; at += 1) world.write(memoryOf({ text: `${key} ${at}` }))
    worlds.set(key, world)
    views.set(key, await VectorView.over(world.state, key, store))
  }
  const sent: (readonly string[])[] = []
  const embedder: Embedder = {
    provider: 'here',
    model: 'm',
    dimensions: 2,
    async embed(texts, { signal }) {
      sent.push(texts)
      const outcome = answer(texts)
      if (outcome === 'hangs')
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      const failure = outcome === 'hangs' ? { kind: 'stopped' as const } : outcome
      if (failure === null) return texts.map(() => Float32Array.of(1, 0))
      const { kind, retryAfterMs = null } = failure
      throw Object.assign(new Error(kind), { embedFailure: kind, retryAfterMs })
    },
  }
  const pauses: number[] = []
  const paused: (() => void)[] = []
  const jobs = new EmbeddingJobs({
    embedder,
    store,
    clock: manualClock(),
    log: memoryLog().log,
    timeoutMs: 1_000,
    use: async (key, work) => work({ key, grant: { shard: 0, epoch: 1 }, vectors: views.get(key) ?? null }),
    delay(task, ms) {
      pauses.push(ms)
      paused.push(task)
      return () => paused.splice(paused.indexOf(task), 1)
    },
  })
  const finish = async () => {
    for (let quiet = 0; quiet < 20; quiet += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      const next = paused.shift()
      if (next === undefined) continue
      next()
      quiet = 0
    }
  }
  return { jobs, worlds, views, sent, pauses, rows, finish }
}

test('everything is embedded once, in batches, actors in turn', async () => {
  const { jobs, views, sent, rows, finish } = await scene({ a: 70, b: 3 }, () => null)
  jobs.nudge('a')
  jobs.nudge('b')
  await finish()
  expect(sent.map((texts) => texts.length)).toEqual([BATCH_MAX, 3, BATCH_MAX, 70 - 2 * BATCH_MAX])
  expect(new Set(sent.flat()).size).toBe(73)
  expect(rows).toHaveLength(73)
  expect(views.get('a')?.counts()).toEqual({ pending: 0, ready: 70, failed: 0, skipped: 0 })
})

test('pauses grow from failure to failure, and an answer ends that', async () => {
  let left = 4
  const { jobs, pauses, finish, worlds, views } = await scene({ a: 1 }, () =>
    --left < 0 ? null : { kind: 'unreachable' },
  )
  jobs.nudge('a')
  await finish()
  expect(pauses).toEqual([250, 500, 1_000, 2_000])
  left = 1
  const world = worlds.get('a')
  world?.write(memoryOf({ text: 'more' }))
  views.get('a')?.apply(world?.lastEvents() ?? [])
  jobs.nudge('a')
  await finish()
  expect(pauses.slice(4)).toEqual([250])
})

test('a provider that asks for a longer wait is believed, within ten minutes; none is asked sooner than after a failure', async () => {
  const asked = [3_000, 0, 86_400_000]
  const { jobs, pauses, finish } = await scene({ a: 1 }, () => {
    const retryAfterMs = asked.shift()
    return retryAfterMs === undefined ? null : { kind: 'limited', retryAfterMs }
  })
  jobs.nudge('a')
  await finish()
  expect(pauses).toEqual([3_000, 500, 600_000])
})

test('a text that spoils its request is found by halving and given up; nobody else is', async () => {
  for (const [kind, attempts] of [
    ['refused', 1],
    ['malformed', ATTEMPTS_MAX],
    ['failing', ATTEMPTS_MAX],
  ] as const) {
    const { jobs, worlds, views, sent, finish } = await scene({ a: 40 }, (texts) => {
      if (!texts.includes('a 20')) return null
      if (texts.length === 1) writeAnother()
      return { kind }
    })
    const writeAnother = (): void => {
      worlds.get('a')?.write(memoryOf({ text: `another ${sent.length}` }))
      views.get('a')?.apply(worlds.get('a')?.lastEvents() ?? [])
    }
    jobs.nudge('a')
    await finish()
    expect(views.get('a')?.counts()).toEqual({ pending: 0, ready: 39 + attempts, failed: 1, skipped: 0 })
    expect(sent.filter((texts) => texts.length === 1 && texts[0] === 'a 20')).toHaveLength(attempts)
  }
})

test('a provider that fails for all costs no memory its vector, however long it does', async () => {
  for (const kind of ['malformed', 'failing'] as const) {
    let left = 10 * ATTEMPTS_MAX
    const { jobs, views, finish } = await scene({ a: 3, b: 1 }, () => (--left < 0 ? null : { kind }))
    jobs.nudge('a')
    jobs.nudge('b')
    await finish()
    expect(views.get('a')?.counts()).toMatchObject({ ready: 3, failed: 0 })
    expect(views.get('b')?.counts()).toMatchObject({ ready: 1, failed: 0 })
  }
})

test('what went wrong for other reasons is never counted against a memory', async () => {
  for (const kind of ['late', 'unreachable', 'limited', 'forbidden'] as const) {
    let left = 3 * ATTEMPTS_MAX
    const { jobs, views, finish } = await scene({ a: 1 }, () => (--left < 0 ? null : { kind }))
    jobs.nudge('a')
    await finish()
    expect(views.get('a')?.counts()).toMatchObject({ ready: 1, failed: 0 })
  }
})

test('a repeat reads the texts anew: what was erased meanwhile is not in it', async () => {
  let isDown = true
  const { jobs, worlds, views, sent, pauses, finish } = await scene({ a: 3 }, () =>
    isDown ? { kind: 'unreachable' } : null,
  )
  jobs.nudge('a')
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  expect(pauses).toHaveLength(1)
  const world = worlds.get('a')
  world?.erase(eraseOf([world.memoryIds[1] ?? '']))
  views.get('a')?.apply(world?.lastEvents() ?? [])
  isDown = false
  await finish()
  expect(sent.slice(1)).toEqual([['a 0', 'a 2']])
})

test('a request on its way is given up when something of it is withdrawn, and nobody else notices', async () => {
  let isSilent = true
  const { jobs, worlds, views, sent, pauses, finish } = await scene({ a: 3, b: 1 }, () =>
    isSilent ? 'hangs' : null,
  )
  jobs.nudge('a')
  jobs.nudge('b')
  await finish()
  expect(sent).toEqual([['a 0', 'a 1', 'a 2']])
  await jobs.withdraw('b')
  expect(sent).toHaveLength(1)
  const world = worlds.get('a')
  world?.erase(eraseOf([world.memoryIds[1] ?? '']))
  views.get('a')?.apply(world?.lastEvents() ?? [])
  isSilent = false
  await jobs.withdraw('a')
  await finish()
  expect(sent.slice(1)).toEqual([['b 0'], ['a 0', 'a 2']])
  expect(pauses).toEqual([])
})

test('after a stop nothing is sent any more', async () => {
  const { jobs, sent, finish } = await scene({ a: 3 }, () => ({ kind: 'failing' }))
  jobs.nudge('a')
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  await jobs.stop()
  const before = sent.length
  jobs.nudge('a')
  await finish()
  expect(sent).toHaveLength(before)
})
