import { afterEach, expect, test } from 'vitest'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const places = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ tenant_id: 'residency', scope: `scope-${index}` }))

test('with room for one actor, requests for many scopes at once are all answered and kept', async () => {
  // Every ranking goes to the pool, so that a guide is inside its actor for longer than a turn.
  const config = { residentActorsMax: 1, concurrentLoadsMax: 8, inlineRankMaxNs: 0 }
  const embedded = await startEmbedded({ config })
  const scopes = places(4)
  const written: { readonly scope: number; readonly id: string }[] = []
  const writer = async (number: number) => {
    for (let round = 0; round < 30; round += 1) {
      const scope = (number * 7 + round * 3) % scopes.length
      if (number % 2 === 0) await embedded.ok('guide', { ...scopes[scope], query_text: 'the login test' })
      else {
        const body = { ...scopes[scope], input_text: `login test ${round} of writer ${number}` }
        written.push({ scope, id: (await embedded.ok('observe', body)).memory_ids[0] ?? '' })
      }
    }
  }
  await Promise.all(Array.from({ length: 10 }, (_, number) => writer(number)))
  expect(embedded.lines.filter((line) => line.level === 'error')).toEqual([])
  const digests = await Promise.all(scopes.map((place) => embedded.digest(place)))
  await embedded.restart()
  expect(await Promise.all(scopes.map((place) => embedded.digest(place)))).toEqual(digests)
  for (const [scope, place] of scopes.entries()) {
    const ids = written.filter((each) => each.scope === scope).map(({ id }) => id)
    const found = await embedded.ok('rehydrate', { ...place, reason: 'look', memory_ids: ids })
    expect(found.result.memories.map((memory) => memory.memory_id)).toEqual(ids)
  }
})

test('actors beyond the bound leave memory once nobody is inside, and no more than have to', async () => {
  const embedded = await startEmbedded({ config: { residentActorsMax: 3 } })
  for (const place of places(9)) await embedded.ok('observe', { ...place, input_text: 'a fact to keep' })
  // Evictions run beside requests: a last request of every scope waits for its own.
  for (const place of places(9)) await embedded.digest(place)
  expect(embedded.registry.residentCount()).toBeGreaterThanOrEqual(3)
  expect(embedded.registry.residentCount()).toBeLessThanOrEqual(4)
  expect(embedded.registry.knownCount()).toBe(9)
})

test('what a memory has besides its texts counts as well: actors beyond the bound of bytes leave', async () => {
  const embedded = await startEmbedded({ config: { residentBytesMax: 4 * 1024 * 1024 } })
  const memory = { payload: { log: 'a line of a log '.repeat(64 * 1024) } }
  for (const place of places(12)) await embedded.ok('observe', { ...place, input_text: 'a fact', memory })
  expect(embedded.registry.vitals().residentBytes).toBeGreaterThan(2 * 1024 * 1024)
  expect(embedded.registry.residentCount()).toBeLessThanOrEqual(5)
})

test('an actor is known from its first write on, wherever it is', async () => {
  const embedded = await startEmbedded({ config: { residentActorsMax: 2 } })
  const [second, ...others] = places(8)
  const first = others[0]
  if (first === undefined || second === undefined) throw new Error('there are eight')
  for (const place of [second, ...others]) await embedded.digest(place)
  expect(embedded.registry.knownCount()).toBe(0)
  await embedded.ok('observe', { ...first, input_text: 'a fact to keep' })
  await embedded.ok('observe', { ...first, input_text: 'another fact' })
  expect(embedded.registry.knownCount()).toBe(1)
  for (const place of others) await embedded.ok('observe', { ...place, input_text: 'a fact to keep' })
  // All of them have been away by then.
  for (const place of others) await embedded.ok('observe', { ...place, input_text: 'one more' })
  expect(embedded.registry.knownCount()).toBe(others.length)
  await embedded.restart()
  expect(embedded.registry.knownCount()).toBe(others.length)
  await embedded.ok('observe', { ...second, input_text: 'a fact to keep' })
  expect(embedded.registry.knownCount()).toBe(1 + others.length)
})

test('loads do not outrun evictions, however many scopes are touched at once', async () => {
  const embedded = await startEmbedded({ config: { residentActorsMax: 5 } })
  const waiting = places(600)
  let most = 0
  const writer = async () => {
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      await embedded.ok('observe', { ...place, input_text: 'a fact to keep' })
      most = Math.max(most, embedded.registry.residentCount())
    }
  }
  await Promise.all(Array.from({ length: 32 }, writer))
  expect(embedded.registry.knownCount()).toBe(600)
  // Each writer holds one, 32 may be on their way out and one more starts it, 8 loads are past the point of waiting.
  expect(most).toBeLessThanOrEqual(5 + 32 + 33 + 8)
})
