import fc from 'fast-check'
import { expect, test } from 'vitest'
import { knn } from '../../src/core/search/knn.ts'
import { VectorView } from '../../src/embedding/vector-view.ts'
import type { VectorRow, VectorStore } from '../../src/ports/store.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { World } from '../support/world.ts'

const consumer = { agentId: 'ann', teamId: null }
const step = fc.record({
  kind: fc.constantFrom('write', 'write', 'revise', 'erase', 'embed', 'unwanted'),
  at: fc.nat({ max: 30 }),
})

/** A store in memory, which keeps what a file would. */
function storeOf(rows: readonly VectorRow[]): VectorStore {
  return {
    load: async (_key, take) => rows.forEach(take),
    append: async () => undefined,
    keepOnly: async () => 0,
  }
}

test('a view that followed every event knows what one that was loaded knows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120, size: 'max' }), async (steps) => {
      const world = new World()
      const rows: VectorRow[] = []
      const view = await VectorView.over(world.state, 'k', storeOf([]))
      let made = 0
      for (const { kind, at } of steps) {
        made += 1
        const clientId = `c${kind === 'revise' ? at : made}`
        const isWrite = kind === 'write' || kind === 'revise' || kind === 'unwanted'
        if (isWrite) {
          world.write(memoryOf({ text: `${made} of ${at}` }, { clientId }))
          const events = world.lastEvents()
          const ids = events.flatMap((event) => {
            if (event.type === 'memory_written') return [event.draft.memoryId]
            return event.type === 'memory_revised' ? [event.memoryId] : []
          })
          view.unwanted(new Set(kind === 'unwanted' ? ids : []))
          view.apply(events)
          rows.push(...view.takeUnwantedRows())
        } else if (kind === 'erase') {
          const memoryId = world.memoryIds[at] ?? ''
          if (!world.state.memories.has(memoryId) || world.state.erasures.has(memoryId)) continue
          world.erase(eraseOf([memoryId]))
          view.apply(world.lastEvents())
        } else {
          const tasks = await view.waiting(at, world.nowMs)
          const vectors = tasks.map(({ text: _text, ...key }, index) => ({
            ...key,
            vector: Float32Array.of(Math.cos(made + index), Math.sin(made + index)),
          }))
          rows.push(...view.put(vectors))
        }
      }
      const fresh = await VectorView.over(world.state, 'k', storeOf(rows))
      expect(fresh.counts()).toEqual(view.counts())
      for (const id of world.memoryIds) expect(fresh.statusOf(id)).toEqual(view.statusOf(id))
      const { pending, ready, failed, skipped } = view.counts()
      expect(pending + ready + failed + skipped).toBe(world.memoryIds.length - world.state.erasures.size)
      expect(fresh.visibleTo(consumer)).toBe(ready)
      const found = [view, fresh].map((each) => {
        const question = each.question(Float32Array.of(1, 0), consumer, 200)
        const hits = question?.hitsOf(knn(question.job)) ?? []
        return hits.map(({ memoryId, isAboveFloor }) => ({ memoryId, isAboveFloor }))
      })
      expect(found[0]?.toSorted(byId)).toEqual(found[1]?.toSorted(byId))
    }),
    { numRuns: 60 },
  )
})

function byId(a: { memoryId: string }, b: { memoryId: string }): number {
  return a.memoryId < b.memoryId ? -1 : 1
}

test('what was erased or revised while a question was on its way is not in its answer', async () => {
  const world = new World()
  const ids = Array.from({ length: 20 }, (_, at) =>
    world.write(memoryOf({ text: `n ${at}` }, { clientId: `c${at}` })),
  )
  const view = await VectorView.over(world.state, 'k', storeOf([]))
  const tasks = await view.waiting(99, world.nowMs)
  view.put(
    tasks.map((task, at) => ({ ...task, vector: at < 2 ? Float32Array.of(1, 0) : Float32Array.of(0, 1) })),
  )
  const question = view.question(Float32Array.of(1, 0), consumer, 200)
  if (question === null) throw new Error('no question')
  const result = knn(question.job)
  expect(question.hitsOf(result).map(({ memoryId }) => memoryId)).toEqual([ids[1], ids[0]])
  world.write(memoryOf({ text: 'something else' }, { clientId: 'c1' }))
  view.apply(world.lastEvents())
  expect(question.hitsOf(result).map(({ memoryId }) => memoryId)).toEqual([ids[0]])
  world.erase(eraseOf([ids[0] ?? '']))
  view.apply(world.lastEvents())
  expect(question.hitsOf(result)).toEqual([])
})

test('vectors of another length than those that a question brings are made again', async () => {
  const world = new World()
  for (let at = 0; at < 3; at += 1) world.write(memoryOf({ text: `n ${at}` }))
  const view = await VectorView.over(world.state, 'k', storeOf([]))
  const embed = async (vector: Float32Array) => {
    const tasks = await view.waiting(99, world.nowMs)
    return view.put(tasks.map((task) => ({ ...task, vector }))).length
  }
  await embed(Float32Array.of(1, 0))
  expect(view.question(Float32Array.of(1, 0, 0), consumer, 200)).toBeNull()
  expect([view.isBehind, view.counts().pending]).toEqual([true, 3])
  expect(await embed(Float32Array.of(1, 0, 0))).toBe(3)
  expect(view.question(Float32Array.of(1, 0, 0), consumer, 200)).not.toBeNull()
})
