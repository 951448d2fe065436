import { assert } from './assert.ts'

/** The list of a key, from now on if there was none. */
export function listAt<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  const list: Item[] = []
  lists.set(key, list)
  return list
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

/** Takes all steps at once. */
export function resultOf<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
