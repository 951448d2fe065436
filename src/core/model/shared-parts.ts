import { AVAILABILITIES, STANDINGS, TRUSTS, VALIDITIES } from '../base/closed-sets.ts'
import type { Counters, Facets } from './record.ts'

// Most parts of a memory say the same in nearly all memories. Each such part is one object for all of them: a memory of
// 200 characters takes half the heap of one that has every empty list, every facet and every word to itself. Parts are
// immutable, so nobody can tell.

export const NO_COUNTERS: Counters = {
  positive: 0,
  negativeWeak: 0,
  negativeStrong: 0,
  neutral: 0,
  observedPositive: 0,
}
export const NONE: readonly never[] = []

/** Recent parts that an actor looks through. */
const PARTS_KEPT = 256

/** Every combination, in the order of the sets, see `placeOf`. */
const PLAIN_FACETS: readonly Facets[] = TRUSTS.flatMap((trust) =>
  STANDINGS.flatMap((standing) =>
    VALIDITIES.flatMap((validity) =>
      AVAILABILITIES.map(
        (availability): Facets => ({
          trust,
          standing,
          validity,
          validUntilMs: null,
          availability,
          suppression: null,
        }),
      ),
    ),
  ),
)

/** The same facets: one object for all memories that have no end and no suppression. */
export function sharedFacets(facets: Facets): Facets {
  if (facets.validUntilMs !== null || facets.suppression !== null) return facets
  return PLAIN_FACETS[placeOf(facets)] ?? facets
}

/** Below 0 for a word of no set. */
function placeOf({ trust, standing, validity, availability }: Facets): number {
  const ofValidity = STANDINGS.length * TRUSTS.indexOf(trust) + STANDINGS.indexOf(standing)
  return (
    (ofValidity * VALIDITIES.length + VALIDITIES.indexOf(validity)) * AVAILABILITIES.length +
    AVAILABILITIES.indexOf(availability)
  )
}

/** The same counters: one object while nothing is counted. */
export function sharedCounters(counters: Counters): Counters {
  const { positive, negativeWeak, negativeStrong, neutral, observedPositive } = counters
  const all = positive + negativeWeak + negativeStrong + neutral + observedPositive
  return all === 0 ? NO_COUNTERS : counters
}

/** The same list: one object for all that are empty. */
export function sharedList<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NONE : list
}

/** A word as its closed set spells it: what is read from disk brings a string of its own. */
export function sharedWord<Word extends string>(words: readonly Word[], word: Word): Word {
  return words[words.indexOf(word)] ?? word
}

/**
 * The same text in memory of its own. A text that was cut out of a longer one keeps the whole of that alive, and costs
 * a pointer into it besides; joining copies.
 */
export function ownText(text: string): string {
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/**
 * Finds a part that says the same among those of recent memories: the last one, which is mostly it, then one of a bounded
 * number. It belongs to one actor, and an erasure empties it: a part may hold what the erased memory said.
 */
export class SharedParts<Part extends object> {
  readonly #names: readonly (keyof Part)[]
  readonly #recent = new Map<string, Part>()
  #last: Part | undefined

  /** @param names the fields of a part; each holds a text, a number, a boolean or null, or is the same object in equal parts */
  constructor(names: readonly (keyof Part)[]) {
    this.#names = names
  }

  /** A part that is the same as `part`; when no recent one is, what `own` makes of it. */
  same(part: Part, own: (part: Part) => Part): Part {
    if (this.#last !== undefined && this.#isSame(this.#last, part)) return this.#last
    const key = JSON.stringify(this.#names.map((name) => part[name]))
    const known = this.#recent.get(key)
    const found = known !== undefined && this.#isSame(known, part) ? known : own(part)
    if (this.#recent.size >= PARTS_KEPT) this.#recent.clear()
    this.#recent.set(key, found)
    this.#last = found
    return found
  }

  forget(): void {
    this.#recent.clear()
    this.#last = undefined
  }

  #isSame(a: Part, b: Part): boolean {
    return this.#names.every((name) => Object.is(a[name], b[name]))
  }
}
