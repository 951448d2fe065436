import { countIn, listAt } from '../base/collections.ts'
import { comparedTexts, isComparable } from './dispute.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { handsAt, takesAt } from './dispute-events.ts'
import { offIn } from './dispute-gone.ts'
import { GUARDS, type GuardId } from './dispute-guards.ts'
import { tellsMoment } from './dispute-measured.ts'
import { beginAlike, type ComparedTexts, isDate, isName, pairOf } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { sortOf } from './dispute-sorts.ts'
import { wordSet } from './fact-words.ts'

// Of two texts that were found for one question, and have words that little else has that was found: whether the later may say
// anew what the earlier says. That is no dispute, and asks for less: the earlier is looked at before it is used.

/** The later has this share of the words of the earlier, beside a value of its own or a word of change. */
const SHARE_MIN = 0.3
/** As much says enough by itself when it is two words and each names something of its own. */
const SHARE_ALONE_MIN = 0.5
const SHARED_ALONE_MIN = 2

const CLAUSES_MAX = 2

/** Where one of these does not hold, both texts hold beside each other. */
const HELD_APART: readonly GuardId[] = [
  'noWish',
  'settled',
  'toldApart',
  'sameTense',
  'noAddition',
  'noEvents',
  'noRepetition',
  'noLog',
  'sameRange',
  'sameEnd',
  'otherAmount',
]

/** Whether `later` may say anew what `earlier` says, which tells little more than one thing. */
export function maySayAnew(earlier: DisputeReading, later: DisputeReading): boolean {
  if (earlier.clauses.length > CLAUSES_MAX || !isComparable(earlier, later)) return false
  if (tellsMoment(earlier) || tellsMoment(later)) return false
  const isChange = later.clauses.some(
    (clause) => tellsChange(clause) && countIn(clause.content.keys(), earlier.words) > 0,
  )
  if (!isChange && !beginAlike(earlier.words, later.words)) return false
  const shared = countIn(earlier.words, later.words)
  if (shared < SHARE_MIN * earlier.words.size) return false
  const texts = comparedTexts(earlier, later)
  if (
    !texts.earlier.clauses.some((one) =>
      texts.later.clauses.some((other) => areOfOneThing(one, other, texts)),
    )
  )
    return false
  const isMuch = shared >= SHARED_ALONE_MIN && shared >= SHARE_ALONE_MIN * earlier.words.size
  if (isMuch && namesOwn(earlier, later) && namesOwn(later, earlier)) return true
  const [known, said] = [valuesOf(earlier), valuesOf(later)]
  const sorts = [...known.keys()].filter((sort) => said.has(sort))
  if (sorts.some((sort) => !known.get(sort)?.some((key) => said.get(sort)?.includes(key)))) return true
  // Values of other sorts are said of something else.
  if (sorts.length === 0 && known.size > 0 && said.size > 0) return false
  return isChange
}

/** A name or a value that the other text does not have. */
function namesOwn({ clauses }: DisputeReading, { words }: DisputeReading): boolean {
  const isOwn = (token: Token, at: number): boolean =>
    token.isContent &&
    !words.has(token.key) &&
    (isName(token) || token.kind === 'number' || isDate(token) || (token.hasCapital && at > 0))
  return clauses.some(({ tokens }) => tokens.some(isOwn))
}

function areOfOneThing(earlier: Clause, later: Clause, texts: ComparedTexts): boolean {
  const pair = pairOf(earlier, later, texts)
  return pair !== null && HELD_APART.every((id) => GUARDS[id].holds(pair))
}

function tellsChange({ tokens, hasNow, changeAt, goneAt, noLongerAt }: Clause): boolean {
  return (
    hasNow ||
    Math.max(changeAt, goneAt, noLongerAt, takesAt(tokens), handsAt(tokens)) >= 0 ||
    offIn(tokens) !== null ||
    tokens.some(({ text }) => TURNS.has(text))
  )
}

/** `The guest room has become an office`, `the contract has ended`. */
const TURNS = wordSet(`
  become becomes became ended geworden beendet devenu devenue terminé convertido terminado tornou acabou diventato diventata terminato beëindigd`)

/** The days, hours, amounts, addresses and paths of a text, by their sort. */
function valuesOf({ clauses }: DisputeReading): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const clause of clauses) {
    for (const token of clause.tokens) {
      const sort = sortOf(clause, token)
      if (sort !== '') listAt(values, sort).push(token.key)
    }
  }
  return values
}
