import { assert } from './assert.ts'

/** The list of a key, from now on if there was none. */
export function listAt<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  const list: Item[] = []
  lists.set(key, list)
  return list
}

/** The items of each key, in their order. */
export function grouped<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) listAt(groups, keyOf(item)).push(item)
  return groups
}

/** An object of which nothing else is known. */
export type AnyObject = Readonly<Record<string, unknown>>

/** Whether a value of any kind has fields: an object, and no list. */
export function isObject(value: unknown): value is AnyObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What others wrote as JSON. Undefined: the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at])
}

/** The numbers in a longer list of their own, filled up with 0. */
export function widened(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(length)
  to.set(from)
  return to
}

/** Takes out what was put in first, until `max` are left. */
export function dropOldest<Key>(held: Map<Key, unknown> | Set<Key>, max: number): void {
  for (const key of held.keys()) {
    if (held.size <= max) return
    held.delete(key)
  }
}

/** A value for each word of a closed set. */
export function recordOf<Word extends string, Value>(
  words: readonly Word[],
  of: (word: Word) => Value,
): Record<Word, Value> {
  const record: Partial<Record<Word, Value>> = {}
  for (const word of words) record[word] = of(word)
  assert(isWhole(record, words), 'every word has its value')
  return record
}

function isWhole<Word extends string, Value>(
  record: Partial<Record<Word, Value>>,
  words: readonly Word[],
): record is Record<Word, Value> {
  return words.every((word) => word in record)
}

/** Places of a longest part of a list whose numbers rise; of equally long ones the one that ends first. Quadratic. */
export function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  const lengths: number[] = []
  const froms: number[] = []
  let end = -1
  for (const [at, number] of numbers.entries()) {
    let from = -1
    for (const [earlier, length] of lengths.entries()) {
      const isBelow = (numbers[earlier] ?? number) < number
      if (isBelow && length > (lengths[from] ?? 0)) from = earlier
    }
    froms.push(from)
    lengths.push((lengths[from] ?? 0) + 1)
    if ((lengths[at] ?? 0) > (lengths[end] ?? 0)) end = at
  }
  const places = new Set<number>()
  for (let at = end; at >= 0; at = froms[at] ?? -1) places.add(at)
  return places
}

/** Takes all steps at once. */
export function resultOf<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Does something with each, with a pause behind so many. */
export function* eachInSteps<Item>(
  items: Iterable<Item>,
  stepItems: number,
  each: (item: Item) => void,
): Generator<void, void> {
  let left = stepItems
  for (const item of items) {
    each(item)
    left -= 1
    if (left > 0) continue
    left = stepItems
    yield
  }
}

/** How many of some keys, each given once, are in a set. */
export function countIn<Key>(keys: Iterable<Key>, set: ReadonlySet<Key>): number {
  let count = 0
  for (const key of keys) if (set.has(key)) count += 1
  return count
}
