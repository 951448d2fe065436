import { yieldToLoop } from './yield-to-loop.ts'

/** Keys looked at between two yields. */
const BREATH_KEYS = 2000

/** The first of the keys behind one of them, in the order of code units. As few of them are held as a page needs. */
export async function firstKeys(
  keys: AsyncIterable<string> | Iterable<string>,
  afterKey: string | null,
  limit: number,
): Promise<readonly string[]> {
  let first: string[] = []
  let seen = 0
  for await (const key of keys) {
    if (++seen % BREATH_KEYS === 0) await yieldToLoop()
    if (afterKey !== null && key <= afterKey) continue
    first.push(key)
    if (first.length >= 4 * limit) first = sorted(first).slice(0, limit)
  }
  return sorted(first).slice(0, limit)
}

function sorted(keys: readonly string[]): string[] {
  return keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
}
