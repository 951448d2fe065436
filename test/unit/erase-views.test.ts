import { expect, test, vi } from 'vitest'
import { RecallView } from '../../src/actor/recall-view.ts'
import { SimilarView } from '../../src/actor/similar-view.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { RecallIndex } from '../../src/domain/recall/index.ts'
import type { Language } from '../../src/ports/language.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { World } from '../support/world.ts'

test('the recall index forgets the words of an erased memory at once, and a fresh view never learns them', async () => {
  const world = new World()
  const kept = world.write(memoryOf({ text: 'the harbour is open' }))
  const view = await RecallView.over(world.state, languages)
  const weight = view.weightBytes()
  const id = world.write(memoryOf({ text: 'quondam words of the harbour' }))
  view.apply(world.state, world.lastEvents())
  expect(view.related(world.state, 'quondam harbour', () => true, 9)).toEqual([id, kept])
  world.erase(eraseOf([id]))
  const compact = vi.spyOn(RecallIndex.prototype, 'compact')
  view.apply(world.state, world.lastEvents())
  // Its words stay in the dictionary until the index is compacted.
  expect(compact).toHaveBeenCalledOnce()
  compact.mockRestore()
  expect(view.related(world.state, 'quondam harbour', () => true, 9)).toEqual([kept])
  const fresh = await RecallView.over(world.state, languages)
  expect(fresh.related(world.state, 'quondam harbour', () => true, 9)).toEqual([kept])
  expect(fresh.weightBytes()).toBe(weight)
})

test('with an erasure the words of earlier queries are forgotten', async () => {
  const stemmed: string[] = []
  const counting: Language = {
    stem(word, language) {
      stemmed.push(word)
      return languages.stem(word, language)
    },
  }
  const world = new World()
  const id = world.write(memoryOf({ text: 'quondam words of the harbour' }))
  const view = await RecallView.over(world.state, counting)
  const timesAsked = () => {
    view.query('the quondam')
    return stemmed.filter((word) => word === 'quondam').length
  }
  const once = timesAsked()
  expect(timesAsked()).toBe(once)
  world.erase(eraseOf([id]))
  view.apply(world.state, world.lastEvents())
  expect(timesAsked()).toBeGreaterThan(once)
})

test('an erased text is found neither as equal nor as near, also by a view that was behind', async () => {
  const text = 'The staging deploy of the shop uses the blue cluster behind the old gateway until it is done.'
  const world = new World()
  const id = world.write(memoryOf({ text }))
  const behind = new SimilarView(world.state)
  const printed = new SimilarView(world.state)
  await printed.caughtUp()
  expect(printed.exact(text)).toEqual([id])
  world.erase(eraseOf([id]))
  for (const view of [behind, printed, new SimilarView(world.state)]) {
    view.apply(world.lastEvents())
    await view.caughtUp()
    expect(view.exact(text)).toEqual([])
    expect(view.near(`${text} Now.`, () => true)).toEqual([])
  }
})
