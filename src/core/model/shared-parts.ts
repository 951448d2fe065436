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

// Names come in runs: the agent, run or task of one memory is mostly that of one shortly before.
const NAMES_KEPT = 1024
/** Longer names are hardly repeated, and are not kept here. Characters. */
const NAME_CHARS_MAX = 128
const recentNames: (string | undefined)[] = new Array(NAMES_KEPT)

/** The same name: mostly one string for memories that were written, or read, shortly after one another. */
export function sharedName(name: string | null): string | null {
  if (name === null || name.length > NAME_CHARS_MAX) return name
  const place = placeOfName(name) & (NAMES_KEPT - 1)
  const known = recentNames[place]
  if (known === name) return known
  const own = ownText(name)
  recentNames[place] = own
  return own
}

/** A number of 32 bits, the same for equal names. */
export function placeOfName(name: string): number {
  let hash = name.length
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0
  return hash ^ (hash >>> 10) ^ (hash >>> 20)
}

/**
 * The same text in memory of its own. A text that was cut out of a longer one keeps the whole of that alive, and costs
 * a pointer into it besides; joining copies.
 */
export function ownText(text: string): string {
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('')
}

/**
 * Finds a part that says the same among those of recent memories: the last one, which is mostly it, then the last one of
 * each of a fixed number of places. It keeps what it is given, so that nothing which an erasure takes away may be given.
 */
export class SharedParts<Part extends object> {
  readonly #recent: (Part | undefined)[]
  readonly #isSame: (a: Part, b: Part) => boolean
  #last: Part | undefined

  constructor(places: number, isSame: (a: Part, b: Part) => boolean) {
    this.#recent = new Array(places)
    this.#isSame = isSame
  }

  /** A part that is the same as `part`. `placeOf` is a number that the same parts have in common, any integer. */
  same(part: Part, placeOf: (part: Part) => number): Part {
    if (this.#last !== undefined && this.#isSame(this.#last, part)) return this.#last
    const place = (placeOf(part) >>> 0) % this.#recent.length
    const known = this.#recent[place]
    const found = known !== undefined && this.#isSame(known, part) ? known : part
    this.#recent[place] = found
    this.#last = found
    return found
  }
}
