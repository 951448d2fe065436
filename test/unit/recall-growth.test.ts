import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { copySteps } from '../../src/core/search/growth.ts'
import { SearchIndex } from '../../src/core/search/search-index.ts'
import { Spellings } from '../../src/core/search/spellings.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'

/** Characters of one step: an array of this thread is copied at 32 numbers for each of them. */
const STEP_CHARS = 8 * 1024
const NUMBERS = 1_200_000

test('a long array is copied in steps of which none is long', () => {
  const from = Uint16Array.from({ length: 1_000_003 }, (_, at) => at)
  const steps = copySteps(from, new Uint16Array(1_500_000))
  let chars = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) {
    expect(step.value).toBeLessThanOrEqual(STEP_CHARS)
    chars += step.value
  }
  expect(chars).toBe(from.length / 32)
  expect(step.value.subarray(0, from.length)).toEqual(from)
})

test('more than a million spellings get room and an image in steps, and are found as before', () => {
  const spellings = new Spellings()
  const wordOf = (number: number): string => number.toString(36)
  for (let number = 0; number < NUMBERS; number += 1) {
    const word = wordOf(number)
    spellings.add(word, 0, word.length)
    if (spellings.isTight)
      for (const chars of spellings.roomSteps()) expect(chars).toBeLessThanOrEqual(STEP_CHARS)
  }
  // A document with so many terms changes no array.
  const { bytes } = spellings
  expect(spellings.isTight).toBe(false)
  for (let number = NUMBERS; number < NUMBERS + 200_000; number += 1) {
    const word = wordOf(number)
    spellings.add(word, 0, word.length)
  }
  expect(spellings.bytes).toBe(bytes)
  const taken = spellings.imageSteps()
  let steps = 0
  let step = taken.next()
  for (; step.done !== true; step = taken.next()) {
    expect(step.value).toBeLessThanOrEqual(STEP_CHARS)
    steps += 1
  }
  expect(steps).toBeGreaterThan(10)
  const back = new Spellings(step.value)
  for (let number = 0; number < NUMBERS; number += 997) {
    const word = wordOf(number)
    expect(back.find(word, 0, word.length)).toBe(number)
  }
  // Arrays of an image are full: the first addition would copy all of them.
  expect(back.isTight).toBe(true)
  for (const chars of back.roomSteps()) expect(chars).toBeLessThanOrEqual(STEP_CHARS)
  expect(back.isTight).toBe(false)
  const before = back.bytes
  back.add('a word that is new', 0, 18)
  expect(back.bytes).toBe(before)
})

test('one long text of new words gets its room between the pieces that are read', () => {
  const spellings = new Spellings()
  for (let number = 0; number < NUMBERS; number += 1) {
    const word = number.toString(36)
    spellings.add(word, 0, word.length)
    if (spellings.isTight) for (const _ of spellings.roomSteps());
  }
  const text = Array.from({ length: 500_000 }, (_, at) => `z${(NUMBERS + at).toString(36)}`).join(' ')
  const reading = new SearchWorkspace(languages).ownReader().readSteps([{ text, weight: 1 }], spellings)
  let { bytes } = spellings
  let grown = 0
  let isRoomMade = false
  for (const chars of reading) {
    // A piece changes no array unless steps that make room, which are shorter, came just before.
    if (chars <= STEP_CHARS) isRoomMade = true
    else if (!isRoomMade) expect(spellings.bytes).toBe(bytes)
    else {
      if (spellings.bytes > bytes) grown += 1
      isRoomMade = false
    }
    bytes = spellings.bytes
  }
  expect(grown).toBeGreaterThan(1)
  expect(spellings.size).toBeGreaterThan(NUMBERS + 400_000)
})

test('an index of a million terms that was read back is made ready in steps, and answers the same', () => {
  const workspace = new SearchWorkspace(languages)
  const index = new SearchIndex(workspace)
  const wordsOf = (doc: number): string =>
    Array.from({ length: 10_000 }, (_, at) => `x${(doc * 10_000 + at).toString(7)}y`).join(' ')
  for (let doc = 0; doc < 110; doc += 1) {
    const fields = [{ text: wordsOf(doc), weight: 1 }]
    for (const chars of index.addSteps({ fields, visibilityClass: 0 })) expect(chars).toBeGreaterThan(0)
    if (index.isTight) for (const chars of index.roomSteps()) expect(chars).toBeLessThanOrEqual(STEP_CHARS)
  }
  const back = new SearchIndex(workspace, index.image())
  expect(back.isTight).toBe(true)
  // As long as a piece of a text at most.
  const steps = [...back.readySteps()]
  expect(Math.max(...steps)).toBeLessThanOrEqual(16 * 1024)
  expect(steps.length).toBeGreaterThan(30)
  expect([...back.readySteps()]).toEqual([])
  const query = workspace.query(wordsOf(7).slice(0, 200))
  const options = { allowed: Uint8Array.of(1), limit: 10 }
  expect(back.rank(back.job(query, options))).toEqual(index.rank(index.job(query, options)))
})
