import { type Clause, isDate, isNumber, type Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { type Pair } from './dispute-pair.ts'
import type { SlotKind } from './dispute-rows.ts'
import { CUED_SHARED_MIN } from './dispute-slot-types.ts'
import { NEUTRAL, WISHES } from './dispute-slot-words.ts'
import { aloneIn, holeOf, sharedWeight } from './dispute-subject.ts'
import { W } from './dispute-words.ts'

// A later statement that says `now` or `instead`, and gives another value in the same place: no list of values is asked.

const VALUE_WORDS_MAX = 4
const SHARED_MIN = 2

export function cuedKind(pair: Pair): SlotKind | null {
  const { earlier, later, shared, hasCue } = pair
  if (
    !hasCue ||
    shared.length < CUED_SHARED_MIN ||
    earlier.isNegated ||
    later.isNegated ||
    earlier.isEvent ||
    later.isEvent
  )
    return null
  if (((earlier.classes | later.classes) & W.plural) !== 0) return null
  const [a, b] = [valueIn(earlier, later, pair.earlierRest), valueIn(later, earlier, pair.laterRest)]
  if (a === null || b === null || sharedWeight(pair, holeOf(earlier, a)) < SHARED_MIN) return null
  const [left, right] = [leadOf(earlier, a[0] ?? 0), leadOf(later, b[0] ?? 0)]
  if (left === null || right === null) return null
  if (isModifier(earlier, a, later, b)) return 'state'
  for (const [kind, mask] of LEADS) if ((left.classes & right.classes & mask) !== 0) return kind
  return isVerb(left) && isVerb(right) ? 'preference' : null
}

const LEADS: readonly (readonly [SlotKind, number])[] = [
  ['place', W.placing],
  ['command', W.means | W.by],
  ['place', W.to],
]

/** Where the words stand that only one has: one run behind the first word, without a number or a date. */
function valueIn(clause: Clause, other: Clause, rest: readonly Token[]): readonly number[] | null {
  const alone = aloneIn(clause, other, rest, NO_HOLE)
  if (alone.length === 0 || alone.length > VALUE_WORDS_MAX) return null
  if (alone.some(({ kind }) => kind === 'id')) return null
  if (alone.some((token) => isNumber(token) || isDate(token) || (token.classes & W.qualifier) !== 0))
    return null
  const at = alone.map((token) => clause.tokens.indexOf(token))
  const [first = 0] = at
  const last = at.at(-1) ?? 0
  const isOneRun = clause.tokens
    .slice(first, last)
    .every((token) => (token.marks & M.and) === 0 && (!token.isContent || alone.includes(token)))
  const isBehind = clause.tokens.slice(0, first).some(({ isContent }) => isContent)
  return isOneRun && isBehind ? at : null
}

const NO_HOLE = { at: new Set<number>(), end: Number.POSITIVE_INFINITY }

/** The word before, articles passed over. */
function leadOf({ tokens }: Clause, at: number): Token | null {
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back]
    if (
      token !== undefined &&
      ((token.classes & W.article) === 0 || (token.classes & (W.placing | W.to)) !== 0)
    )
      return token
  }
  return null
}

/** `a formal tone`, `a casual tone`. */
function isModifier(earlier: Clause, a: readonly number[], later: Clause, b: readonly number[]): boolean {
  const [one, other] = [earlier.tokens[(a.at(-1) ?? 0) + 1], later.tokens[(b.at(-1) ?? 0) + 1]]
  return one?.isContent === true && other !== undefined && one.key === other.key && one.kind === 'word'
}

function isVerb({ text, classes }: Token): boolean {
  return WISHES.has(text) || NEUTRAL.has(text) || (classes & (W.prefers | W.copula)) !== 0
}
