import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  comparedTexts,
  disputeBetween,
  isComparable,
  isRepeated,
  readForDispute,
} from '../../src/core/similarity/dispute.ts'
import { GUARDS, type GuardId } from '../../src/core/similarity/dispute-guards.ts'
import { pairOf } from '../../src/core/similarity/dispute-pair.ts'
import { KINDS } from '../../src/core/similarity/dispute-rows.ts'
import { scaled } from '../harness/scale.ts'

const numRuns = scaled(40)
/** The examples speak of a lift; the law holds of whatever it is. */
const anyThing = fc.constantFrom(
  'lift',
  'oven',
  'printer',
  'barn',
  'scanner',
  'pump',
  'kiosk',
  'shredder',
  'sauna',
)
const anyGuard = Object.keys(GUARDS) as GuardId[]

/** What the two would disagree about if there were no such guard. */
function kindWithout(guard: GuardId, earlierText: string, laterText: string): string | null {
  const texts = comparedTexts(readForDispute(earlierText), readForDispute(laterText))
  const { earlier, later } = texts
  if (!isComparable(earlier, later)) return null
  const pairs = later.clauses.flatMap((b) =>
    earlier.clauses.flatMap((a) => (isRepeated(a, later) ? [] : (pairOf(a, b, texts) ?? []))),
  )
  const found = KINDS.find(({ guards, holds }) =>
    pairs.some((pair) => holds(pair) && guards.every((id) => id === guard || GUARDS[id].holds(pair))),
  )
  return found?.id ?? null
}

describe.each(anyGuard.map((id) => ({ id, ...GUARDS[id] })))('$id: $says', ({ id, apart, disputes }) => {
  const about = (thing: string, [earlier, later]: readonly [string, string]): [string, string] => [
    earlier.replaceAll('lift', thing),
    later.replaceAll('lift', thing),
  ]

  test('it holds two statements back, and nothing else does', () => {
    fc.assert(
      fc.property(anyThing, (thing) => {
        const pair = about(thing, apart)
        expect(disputeBetween(...pair)).toBeNull()
        expect(kindWithout(id, ...pair)).not.toBeNull()
      }),
      { numRuns },
    )
  })

  test('it lets their twin through', () => {
    fc.assert(
      fc.property(anyThing, (thing) => {
        expect(disputeBetween(...about(thing, disputes))).not.toBeNull()
      }),
      { numRuns },
    )
  })
})

test('every guard is one of a kind of dispute', () => {
  const used = new Set<GuardId>(KINDS.flatMap(({ guards }) => guards))
  expect(anyGuard.filter((id) => !used.has(id))).toEqual([])
})
