import { expect, test, vi } from 'vitest'
import { SimilarView } from '../../src/actor/similar-view.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { World } from '../support/world.ts'

const NOW = Number.POSITIVE_INFINITY
const LIMIT = 'The harbour crane lifts at most 90 tonnes.'

function mayDispute(view: SimilarView, text: string, saidMs: number): boolean {
  return view.disputedBy(text, saidMs)?.isNone !== true
}

/** A view that was loaded with the memories of a world, and has read them. */
function loadedView(world: World): SimilarView {
  const view = new SimilarView(world.state)
  for (let question = 0; question < world.state.records.length; question += 1) view.disputedBy('nothing', NOW)
  return view
}

test('after a load nothing is ruled out before every memory was read, some at each question', () => {
  const world = new World()
  for (let at = 0; at < 40; at += 1) world.write(memoryOf({ text: `Berth number${at} takes long ships.` }))
  const view = new SimilarView(world.state)
  const answers = Array.from({ length: 6 }, () => mayDispute(view, LIMIT, NOW))
  expect(answers[0]).toBe(true)
  expect(answers.at(-1)).toBe(false)
})

test('a text disputes what the memories say now: not what was revised or erased', () => {
  const world = new World()
  const write = (text: string) => world.write(memoryOf({ text }, { clientId: 'crane' }))
  const id = write('The harbour crane lifts at most 40 tonnes.')
  const view = loadedView(world)
  expect(mayDispute(view, LIMIT, NOW)).toBe(true)
  write('The harbour crane is painted yellow.')
  view.apply(world.lastEvents())
  expect(mayDispute(view, LIMIT, NOW)).toBe(false)
  write('The harbour crane lifts at most 60 tonnes.')
  view.apply(world.lastEvents())
  expect(mayDispute(view, LIMIT, NOW)).toBe(true)
  world.erase(eraseOf([id]))
  view.apply(world.lastEvents())
  expect(mayDispute(view, LIMIT, NOW)).toBe(false)
})

test('of what was observed before a known memory nothing is ruled out, for then the other one is the later', () => {
  const world = new World()
  world.write(memoryOf({ text: 'The harbour crane no longer lifts containers.' }, { observedAtMs: 5_000 }))
  const view = loadedView(world)
  expect(mayDispute(view, 'The harbour crane lifts containers every morning.', 6_000)).toBe(false)
  expect(mayDispute(view, 'The harbour crane lifts containers every morning.', 4_000)).toBe(true)
})

test.each([1, 40])('of %i memories that a text may dispute each is told, and no other', (count) => {
  const world = new World()
  const cranes = Array.from({ length: count }, (_, at) =>
    world.write(memoryOf({ text: `The harbour crane lifts at most ${at + 100} tonnes.` })),
  )
  const lights = world.write(memoryOf({ text: 'The harbour lights are lit at dusk.' }))
  const disputed = loadedView(world).disputedBy(LIMIT, NOW)
  expect([...cranes, lights].filter((id) => disputed?.mayBe(id))).toEqual(cranes)
})

test('what is said in another language is found by what it means, among those whom the audience allows', () => {
  const world = new World()
  const id = world.write(memoryOf({ text: 'The server room is in the attic.' }))
  world.write(memoryOf({ text: 'Der Drucker steht im Büro.' }))
  const view = loadedView(world)
  const said = 'Der Serverraum ist im Keller.'
  expect(mayDispute(view, said, NOW)).toBe(true)
  expect(view.inOtherLanguages(said, () => true).map(({ memoryId }) => memoryId)).toEqual([id])
  expect(view.inOtherLanguages(said, () => false)).toEqual([])
  expect(view.inOtherLanguages('The server room is in the cellar.', () => true)).toEqual([])
})

test('each of those that say the same is looked up once as an echo, once for what is taken over and once as a candidate', () => {
  const world = new World()
  const write = (times: number): void => {
    for (let at = 0; at < times; at += 1) world.write(memoryOf({ text: LIMIT }))
  }
  const lookups = (): number => {
    const get = vi.spyOn(world.state.memories, 'get')
    write(1)
    const { length } = get.mock.calls
    get.mockRestore()
    return length
  }
  write(100)
  const before = lookups()
  write(99)
  expect(lookups() - before).toBeLessThanOrEqual(300)
})
