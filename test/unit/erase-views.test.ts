import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { RecallView } from '../../src/actor/recall-view.ts'
import { SimilarView } from '../../src/actor/similar-view.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import type { Stemmer } from '../../src/core/search/words.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { search } from '../support/search.ts'
import { World } from '../support/world.ts'

afterEach(() => vi.unstubAllGlobals())

test('the recall index forgets the words of an erased memory at once, and a fresh view never learns them', async () => {
  const world = new World()
  const kept = world.write(memoryOf({ text: 'the harbour is open' }))
  const view = await RecallView.over(world.state, search)
  const id = world.write(memoryOf({ text: 'quondam words of the harbour' }))
  view.apply(world.state, world.lastEvents())
  expect(view.related(world.state, 'quondam harbour', () => true, 9).map(({ memoryId }) => memoryId)).toEqual(
    [id, kept],
  )
  world.erase(eraseOf([id]))
  view.apply(world.state, world.lastEvents())
  const related = (of: RecallView) =>
    of.related(world.state, 'quondam harbour', () => true, 9).map(({ memoryId }) => memoryId)
  expect(related(view)).toEqual([kept])
  await view.swept()
  expect(related(view)).toEqual([kept])
  expect(related(await RecallView.over(world.state, search))).toEqual([kept])
  // The word is new again.
  const again = world.write(memoryOf({ text: 'quondam once more' }))
  view.apply(world.state, world.lastEvents())
  expect(related(view).toSorted()).toEqual([again, kept].toSorted())
})

/** A view that has met a word in every way: written, revised away, erased, asked for; alone, in other forms, in a name. */
async function toldAndErased(): Promise<{ readonly view: RecallView; readonly state: ActorState }> {
  const world = new World()
  // Modules and a workspace of their own, whose arrays are seen as well.
  vi.resetModules()
  const fresh = await import('../../src/actor/recall-view.ts')
  const { SearchWorkspace: Workspace } = await import('../../src/core/search/workspace.ts')
  const view = await fresh.RecallView.over(world.state, new Workspace(languages))
  const follow = () => view.apply(world.state, world.lastEvents())
  const write = (text: string, clientId: string | null) => {
    const id = world.write(memoryOf({ text }, { clientId }))
    follow()
    return id
  }
  for (let at = 0; at < 40; at += 1) write(`the harbour ${at} is open`, null)
  const ids = [
    write(`call xylomancer at the harbour`, 'one'),
    write(`src/xylomancerFile.ts xylomancering harbours`, 'two'),
  ]
  write('nobody', 'one')
  view.related(world.state, 'xylomancers harbour', () => true, 9)
  world.erase(eraseOf(ids))
  follow()
  await view.swept()
  expect(view.image()).not.toBeNull()
  return { view, state: world.state }
}

test('no character of an erased memory is in any array that its index leaves', async () => {
  const buffers: WeakRef<ArrayBufferLike>[] = []
  for (const name of ['Int32Array', 'Uint16Array', 'Uint8Array', 'Uint32Array', 'Float64Array'] as const) {
    const kept: new (...of: never) => { readonly buffer: ArrayBufferLike } = globalThis[name]
    const construct = (target: typeof kept, given: never, by: typeof kept) => {
      const made: { readonly buffer: ArrayBufferLike } = Reflect.construct(target, given, by)
      buffers.push(new WeakRef(made.buffer))
      return made
    }
    vi.stubGlobal(name, new Proxy(kept, { construct }))
  }
  const { view, state } = await toldAndErased()
  vi.unstubAllGlobals()
  // What nobody holds any more goes first.
  setFlagsFromString('--expose-gc')
  await new Promise((resolve) => setTimeout(resolve))
  runInNewContext('gc')()
  const left = buffers.flatMap((ref) => ref.deref() ?? [])
  expect(left.length).toBeGreaterThan(10)
  const holders = left.map((buffer) => Buffer.from(new Uint8Array(buffer)))
  expect(holders.some((bytes) => bytes.includes(Buffer.from('harbour', 'utf16le')))).toBe(true)
  for (const form of [Buffer.from('xylom'), Buffer.from('xylom', 'utf16le')]) {
    expect(holders.filter((bytes) => bytes.includes(form))).toEqual([])
  }
  expect(view.related(state, 'harbour', () => true, 99)).toHaveLength(40)
})

test('with an erasure the words of earlier queries are forgotten', async () => {
  const stemmed: string[] = []
  const counting: Stemmer = {
    stem(word, language) {
      stemmed.push(word)
      return languages.stem(word, language)
    },
  }
  const world = new World()
  const id = world.write(memoryOf({ text: 'quondam words of the harbour' }))
  const view = await RecallView.over(world.state, new SearchWorkspace(counting))
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
    expect(view.nearDuplicates(`${text} Now.`, () => true)).toEqual([])
  }
})
