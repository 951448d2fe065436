import { AVAILABILITIES, STANDINGS, TRUSTS, VALIDITIES } from '../base/closed-sets.ts'
import { NO_COUNTS } from './marks.ts'
import type { History } from './memory-fields.ts'
import type { Facets } from './record.ts'

// Most parts of a memory say the same in nearly all memories. Each such part is one object for all of them: a memory of
// 200 characters takes half the heap of one that has every empty list, every facet and every word to itself. Parts are
// immutable, so nobody can tell. Nothing that a caller sent is shared beyond one actor, and not beyond an erasure.

// Not frozen: the engine goes through a frozen list by its slow path.
const NONE: readonly never[] = []

export const NO_HISTORY: History = {
  counters: NO_COUNTS,
  marks: NONE,
  assertions: NONE,
  changes: NONE,
  revision: 1,
  revisions: NONE,
}

const FACETS: readonly Facets[] = TRUSTS.flatMap((trust) =>
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
  const { trust, standing, validity, availability } = facets
  if (facets.validUntilMs !== null || facets.suppression !== null) return facets
  const isSame = (known: Facets): boolean =>
    known.trust === trust &&
    known.standing === standing &&
    known.validity === validity &&
    known.availability === availability
  return FACETS.find(isSame) ?? facets
}

/** The same history: one object while nothing has happened. */
export function sharedHistory(history: History): History {
  const { counters, marks, assertions, changes, revision, revisions } = history
  const { positive, negativeWeak, negativeStrong, neutral, observedPositive } = counters
  const isCounted = positive + negativeWeak + negativeStrong + neutral + observedPositive > 0
  const lists = [marks, assertions, changes, revisions]
  if (!isCounted && revision === NO_HISTORY.revision && lists.every((list) => list.length === 0))
    return NO_HISTORY
  return {
    counters: isCounted ? counters : NO_HISTORY.counters,
    marks: shared(marks),
    assertions: shared(assertions),
    changes: shared(changes),
    revision,
    revisions: shared(revisions),
  }
}

/** Recent parts that an actor looks through. */
const PARTS_KEPT = 8

/** Finds a part that says the same among the last few, the last one first. */
export class RecentPart<Part extends object> {
  readonly #names: readonly (keyof Part)[]
  readonly #own: (part: Part) => Part
  readonly #recent: Part[] = []

  /** @param own makes a part to keep of one that no recent one is like */
  constructor(names: readonly (keyof Part)[], own: (part: Part) => Part) {
    this.#names = names
    this.#own = own
  }

  /** A part that says the same. One that holds a list or an object is hardly that of another memory. */
  same(part: Part): Part {
    if (this.#names.some((name) => isFilled(part[name]))) return this.#own(part)
    const at = this.#recent.findIndex((known) => this.#isSame(known, part))
    const found = this.#recent[at] ?? this.#own(part)
    if (at === 0) return found
    if (at > 0) this.#recent.splice(at, 1)
    this.#recent.unshift(found)
    if (this.#recent.length > PARTS_KEPT) this.#recent.pop()
    return found
  }

  forget(): void {
    this.#recent.length = 0
  }

  #isSame(a: Part, b: Part): boolean {
    return this.#names.every((name) => Object.is(a[name], b[name]) || Array.isArray(a[name]))
  }
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null
}

/**
 * The same text in memory of its own. A text that was cut out of a longer one keeps the whole of that alive, and costs
 * a pointer into it besides; joining copies.
 */
export function ownText(text: string): string {
  return text.length < 2 ? text : [text.slice(0, 1), text.slice(1)].join('')
}

export function ownName(name: string | null): string | null {
  return name === null ? null : ownText(name)
}

/** The same list: one object for all that are empty. */
export function shared<Item>(list: readonly Item[]): readonly Item[] {
  return list.length === 0 ? NONE : list
}

/** A word as its closed set spells it: what is read from disk brings a string of its own. */
export function spelled<Word extends string>(words: readonly Word[], word: Word): Word {
  return words[words.indexOf(word)] ?? word
}
