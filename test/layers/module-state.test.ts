import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../harness/data-folder.ts'
import { moduleState } from '../support/module-state.ts'

const root = resolve(import.meta.dirname, '../..')

/** Tables that are filled when their module is loaded. TypeScript has no read-only type for their kind of array. */
const TABLES: Readonly<Record<string, string>> = {
  'screening/steering-weights.ts: WEIGHTS':
    'Unpacked from a text. It is read by place, a quarter of a million of them.',
  'search/best-docs.ts: EVERY_PLACE':
    'The numbers from 0 on. It stands where another list of places may stand.',
  'search/postings.ts: NO_WORDS': 'An empty array has nothing to write.',
  'search/rank-job.ts: NO_MARKS': 'An empty array has nothing to write.',
}

/** State that is still there, with what keeps it harmless: a name leaves the list together with its offence. */
const STILL: Readonly<Record<string, string>> = {
  'guide/line.ts: SHORTENED':
    'Weak, by content: a shortened text goes with the content that an erasure takes away.',
}

const PLANTED: Readonly<Record<string, string>> = {
  'src/core/cache.ts': `
    let last: string | null = null
    export const known = new Map<string, number>()
    const seen = new Set<string>()
    const counts = { calls: 0 }
    const groups: ReadonlyMap<string, string[]> = new Map([['a', []]])
    export function remember(text: string): number {
      last = text
      seen.add(text)
      counts.calls += 1
      groups.get('a')?.push(text)
      return known.get(last) ?? counts.calls
    }`,
  'src/core/scratch.ts': `
    export const order: number[] = []
    export const fixed: readonly number[] = [1, 2]
    const sums = new Float64Array(8)
    const words = new Uint8Array(8)
    const kept = new WeakMap<object, number>()
    export function sort(): Uint8Array {
      sums[0] = (sums[0] ?? 0) + fixed.length
      const filled = words
      filled.fill(1)
      kept.set(filled, 1)
      return filled
    }`,
  'src/core/writer.ts': `
    import { MARKS as marks } from './pattern.ts'
    import { order } from './scratch.ts'
    export const isLoud = (text: string): boolean => marks.test(text)
    export function add(place: number): void {
      order.push(place)
    }`,
  'src/core/object.ts': `
    class Counter {
      #count = 0
      next(): number {
        this.#count += 1
        return this.#count
      }
    }
    const counter = new Counter()
    export const next = (): number => counter.next()`,
  'src/core/pattern.ts': `
    const DIGITS = /[0-9]+/g
    const WORDS = /[a-z]+/y
    export const MARKS = /!/g
    export const hasDigits = (text: string): boolean => DIGITS.test(text)
    export function hasWord(text: string, at: number): boolean {
      WORDS.lastIndex = at
      return WORDS.test(text)
    }`,
  'src/core/harmless.ts': `
    const NAMES = new Set(['a', 'b'])
    const LENGTHS = new Map<string, number>()
    for (const name of NAMES) LENGTHS.set(name, name.length)
    const BITS = new Uint8Array(4)
    BITS.fill(1)
    const LIST = ['b', 'a']
    export const SORTED: readonly string[] = [...LIST].sort()
    export const isName = (text: string): boolean => NAMES.has(text) && LENGTHS.has(text)
    export function bitsOf(place: number): number {
      const own: number[] = []
      own.push(BITS[place] ?? 0)
      return own.concat(LIST.map((name) => name.length)).length
    }`,
}

const planted = dataFolder()
describe('the core keeps nothing between two calls', () => {
  test('no module of the core has mutable state at its top level, but for the names that are listed', () => {
    const found = moduleState(root, 'src/core').map(({ name }) => name.replace('src/core/', ''))
    const allowed = new Set([...Object.keys(TABLES), ...Object.keys(STILL)])
    expect(found.filter((name) => !allowed.has(name))).toEqual([])
    expect([...allowed].filter((name) => !found.includes(name))).toEqual([])
  })

  test('every kind of mutable state is found where it is planted, and nothing else is', () => {
    for (const [path, text] of Object.entries(PLANTED)) {
      mkdirSync(dirname(join(planted, path)), { recursive: true })
      writeFileSync(join(planted, path), text)
    }
    const found = moduleState(planted, 'src/core').map(
      ({ name, why }) => `${name.replace('src/core/', '')}: ${why}`,
    )
    expect(found).toEqual([
      'cache.ts: counts: written',
      'cache.ts: groups: written',
      'cache.ts: known: exported',
      'cache.ts: last: let',
      'cache.ts: seen: written',
      'object.ts: counter: object',
      'pattern.ts: DIGITS: pattern',
      'pattern.ts: MARKS: pattern',
      'scratch.ts: kept: written',
      'scratch.ts: order: exported',
      'scratch.ts: sums: written',
      'scratch.ts: words: escapes',
    ])
  })
})
