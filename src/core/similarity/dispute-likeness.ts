import type { Clause, Token } from './dispute-clause.ts'
import { isDayIn } from './dispute-dates.ts'
import { areNamedApart } from './dispute-kinds.ts'
import { isShort } from './dispute-likely.ts'
import { isDate, isName, isNumber, type Pair } from './dispute-pair.ts'
import { areTwoBounds, isShareOf } from './dispute-reworded.ts'
import { HELD, type KindRow } from './dispute-row.ts'
import {
  aloneIn,
  NAMED_REST_MAX,
  NUMBERED_REST_MAX,
  REWORDED_REST_MAX,
  SHARED_MIN,
} from './dispute-sameness.ts'
import { sortOf, takesOther } from './dispute-sorts.ts'
import { isSpan } from './dispute-spans.ts'
import { FOR_WHOM, isNarrowed, isOfPart } from './dispute-which.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Two statements of one form, each with a word of its own, speak of two things: `The red lamp has 40 watts` and `The blue lamp
// has 60 watts`. Of two forms they rather say of one thing what was so and what is so: `Session tokens expire after 15
// minutes` and `A session token is valid for 24 hours`. No verb and no noun has to be known for that.

/** How much of its form a statement may share with one that says the same otherwise; of a number, which is of one unit, more. */
const NUMBER_LIKENESS_MAX = 0.7
const DAY_LIKENESS_MAX = 0.85
const NAME_LIKENESS_MAX = 0.65
/** Most words that both together have alone, where they share but one. */
const AMOUNT_REST_MAX = 3
/** Words of what stands behind a statement and is none: `, project Lund`. */
const ADDED_MAX = 2
/** Of the words of the longer statement both have so many. */
const NAME_SHARE_MIN = 0.34

const OF_ONE = [...HELD, 'noEvent', 'noRepetition', 'noLog', 'noMembers'] as const

/** Statements of another form about the same, by what they differ in. */
export const OF_OTHER_FORM: readonly KindRow[] = [
  {
    id: 'number',
    says: 'Another number of the same unit, in a statement of another form.',
    guards: [...OF_ONE, 'sameRange', 'sameEnd', 'otherAmount'],
    holds: isNumberInOtherForm,
    examples: [
      ['A harbour mooring may be kept for 14 days.', 'We let each harbour mooring for at most 35 days.'],
    ],
    measured: { right: 81, found: 89 },
  },
  {
    id: 'deadline',
    says: 'Another day of the same, in a statement of another form.',
    guards: [...OF_ONE, 'sameRange', 'sameEnd', 'sameNames', 'noReading'],
    holds: isDayInOtherForm,
    examples: [['The harvest fair is on 14 September.', 'We hold the harvest fair on 21 September.']],
    measured: { right: 12, found: 13 },
  },
  {
    id: 'state',
    says: 'Another name or path, in a statement of another form.',
    guards: [...OF_ONE, 'sameTimes'],
    holds: (pair) => isNameInOtherForm(pair) || isPathInOtherForm(pair),
    examples: [
      ['The boats of our club are painted by Nordlack.', 'Painting our club boats is what Halvorsen does.'],
      ['Pump logs get written to /srv/pump.log.', 'The controller puts its pump logs in /data/pump.log.'],
    ],
    measured: { right: 38, found: 39 },
  },
]

/** `Session tokens expire after 15 minutes` and `A session token is valid for 24 hours`: one number of one unit each. */
function isNumberInOtherForm(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest } = pair
  if (!isOfOneThing(pair, NUMBERED_REST_MAX)) return false
  const [one, other] = [onlyOne(earlierRest, isNumber), onlyOne(laterRest, isNumber)]
  if (one === null || other === null) return false
  if (one.dimension !== other.dimension || areNamedApart(pair) || namesMore(pair)) return false
  if (areOfTwoSorts(pair, one, other) || takesOther(pair) || areTwoBounds(earlier, later)) return false
  if ([...earlierRest, ...laterRest].some(({ classes }) => (classes & W.date) !== 0)) return false
  if (isOfSome(earlier, earlierRest) && isOfSome(later, laterRest)) return false
  return areOfOneBound(pair, one, other) && likenessOf(pair) < NUMBER_LIKENESS_MAX
}

/** `Our boats are painted by Nordlack` and `Painting our boats is what Halvorsen does`: a name each. */
function isNameInOtherForm(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  if (!isOfOneThing(pair) || (earlier.classes & W.indefinite) !== 0) return false
  if (shared.length < NAME_SHARE_MIN * Math.max(earlier.content.size, later.content.size)) return false
  if (earlierRest.some(isNumber) || laterRest.some(isNumber) || namesMore(pair)) return false
  const [one, other] = [hasOwnName(earlier, earlierRest), hasOwnName(later, laterRest)]
  const areNamed =
    (one && other) ||
    (one && isLed(earlier, earlierRest) && isDoer(later, laterRest)) ||
    (other && isLed(later, laterRest) && isDoer(earlier, earlierRest))
  return areNamed && likenessOf(pair) < NAME_LIKENESS_MAX
}

/** `Crash dumps get written to /var/crash` and `The agent puts its crash dumps in /data/dumps`: a path, host or address each. */
function isPathInOtherForm(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest } = pair
  const [one, other] = [onlyOne(earlierRest, isName), onlyOne(laterRest, isName)]
  if (one === null || other === null) return false
  if (!isOfOneThing(pair) || earlierRest.some(isNumber) || laterRest.some(isNumber)) return false
  const sort = sortOf(earlier, one)
  return sort !== '' && sort === sortOf(later, other) && likenessOf(pair) < NUMBER_LIKENESS_MAX
}

/** `The harvest fair is on 14 September` and `We hold the harvest fair on 21 September`: a day each. */
function isDayInOtherForm(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, hasCue } = pair
  if (!isOfOneThing(pair) || Math.max(earlierRest.length, laterRest.length) > REWORDED_REST_MAX) return false
  const [days, otherDays] = [daysOf(earlier, earlierRest), daysOf(later, laterRest)]
  if (days === 0 || otherDays === 0) return false
  if (earlierRest.filter(isNumber).length > days || laterRest.filter(isNumber).length > otherDays)
    return false
  // A day of a span is told alone.
  if (earlierRest.some(isSpan) !== laterRest.some(isSpan)) return false
  // What happened on one day happened once.
  if (isOfThen(earlier) || (isOfThen(later) && !hasCue)) return false
  return likenessOf(pair) < DAY_LIKENESS_MAX
}

function daysOf(clause: Clause, rest: readonly Token[]): number {
  return rest.filter((token) => isDate(token) || isDayIn(clause, token)).length
}

function isOfThen({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => THEN.has(text))
}

const THEN = wordSet(
  'was were had came went kept made won lost broke sent got did war waren hatte kam kamen fand ging était étaient fut vu venu fue fueron era hubo foi foram era eram ebbe answered slept',
)

/** `the lid of the box`, `lunch at the school`, `the course for children`: of something else than both name. */
function isOfOther(clause: Clause, rest: readonly Token[]): boolean {
  if (isOfPart(clause, rest)) return true
  const { tokens } = clause
  return rest.some((token) => {
    if (token.kind !== 'word' || (token.classes & (W.slot | W.measure | W.role | W.plan | W.located)) !== 0)
      return false
    const at = tokens.indexOf(token)
    if (FOR_WHOM.has(tokens[at - 1]?.text ?? '')) return true
    const isFirst = !tokens.slice(0, at).some(({ isContent }) => isContent)
    // `People on the free plan` have what the plan has.
    if (isFirst && WHO.has(token.text)) return false
    const next = tokens[at + 1]
    return isFirst && next !== undefined && ((next.classes & W.placing) !== 0 || FOR_WHOM.has(next.text))
  })
}

const WHO = wordSet(
  'people users user customers customer members member crew staff folks clients client leute kunden nutzer mitglieder gens clients utilisateurs clientes usuarios socios clienti utenti klanten leden',
)

/** Null: none, or several. */
function onlyOne(rest: readonly Token[], isValue: (token: Token) => boolean): Token | null {
  const [one, ...more] = rest.filter(isValue)
  return one === undefined || more.length > 0 ? null : one
}

/** By an id or a path. */
function namesMore({ earlierRest, laterRest }: Pair): boolean {
  return earlierRest.some(isName) || laterRest.some(isName)
}

/** `Logs are kept for 30 days` and `We keep logs for 90 days`: besides the amount, each only says that it is one. */
function isOnlyOfAmount({ earlier, later, shared, earlierRest, laterRest }: Pair): boolean {
  if (shared.length === 0 || earlierRest.length + laterRest.length > AMOUNT_REST_MAX) return false
  const isAmount = (token: Token): boolean => isNumber(token) && token.dimension !== ''
  return [aloneIn(earlier, later), aloneIn(later, earlier)].every(
    (alone) => alone.length === 1 && alone.every(isAmount),
  )
}

/** Whether two short statements share a subject, as far as their words tell, and neither speaks of more. */
function isOfOneThing(pair: Pair, restMax = NAMED_REST_MAX): boolean {
  const { earlier, later, shared, earlierRest, laterRest, texts } = pair
  if (texts.areOfTwoLanguages || earlier.isNegated !== later.isNegated) return false
  if (shared.length < SHARED_MIN && !isOnlyOfAmount(pair)) return false
  // What is asked of the reader twice is asked for two answers.
  if ([earlier, later].every(({ tokens }) => tokens.some(({ text }) => YOURS.has(text)))) return false
  if (Math.max(earlierRest.length, laterRest.length) > restMax) return false
  if (texts.earlier.clauses.some((clause) => clause !== earlier && clause.content.size > ADDED_MAX))
    return false
  if (!isShort(earlier, texts.earlier) || !isShort(later, texts.later)) return false
  if (isOfOther(earlier, earlierRest) || isOfOther(later, laterRest)) return false
  // `for 30 days` says how long, not for whom.
  const [one, other] = [earlierRest, laterRest].map((rest) => rest.filter(({ kind }) => kind === 'word'))
  return !(isNarrowed(earlier, one ?? []) && isNarrowed(later, other ?? []))
}

const YOURS = wordSet('your dein deine deinen ihre votre vos ton tu su seu sua tuo tua uw je')

function hasOwnName({ tokens }: Clause, rest: readonly Token[]): boolean {
  return rest.some((token) => token.kind === 'word' && token.hasCapital && tokens.indexOf(token) > 0)
}

/** `Beatriz holds the keys`: begins with who does it, and says nothing else of its own. */
function isDoer({ tokens: [first, verb] }: Clause, rest: readonly Token[]): boolean {
  if (rest.some((token) => token !== first && token !== verb)) return false
  if (first?.kind !== 'word' || !first.hasCapital || first.classes !== 0 || !rest.includes(first))
    return false
  return verb?.kind === 'word' && !verb.hasCapital && /[^s]s$|t$/.test(verb.text)
}

/** `are with Yusuf`, `is hosted on Linode` */
function isLed({ tokens }: Clause, rest: readonly Token[]): boolean {
  return rest.some((token) => token.hasCapital && LEADS_TO.has(tokens[tokens.indexOf(token) - 1]?.text ?? ''))
}

const LEADS_TO = wordSet('by with at on to from von bei par chez por con da bij met door')

/** Of a day, of a share, of other things or of other names; or what one says in words: `an hour and a half`. */
function areOfTwoSorts({ earlier, later, texts }: Pair, one: Token, other: Token): boolean {
  if (isDayIn(earlier, one) || isDayIn(later, other)) return true
  if (YEAR.test(one.text) && YEAR.test(other.text)) return true
  if (isShareOf(earlier, one) !== isShareOf(later, other)) return true
  const [counted, otherCounted] = [countedBy(earlier, one), countedBy(later, other)]
  if (counted !== '' && otherCounted !== '' && counted !== otherCounted) return true
  const [named, otherNamed] = counted === '' ? [namedBy(earlier, one), namedBy(later, other)] : ['', '']
  if (named !== '' && otherNamed !== '' && named !== otherNamed) return true
  return [...texts.earlier.spelling, ...texts.later.spelling].some((word) => HALF.has(word))
}

const YEAR = /^(?:19|20)\d\d$/

/** What stands right before a bare number that counts nothing: `port 6379`, `Postgres 15`. */
function namedBy({ tokens }: Clause, number: Token): string {
  const before = tokens[tokens.indexOf(number) - 1]
  const isBare = number.dimension === '' || number.dimension === 'version'
  return isBare && before?.kind === 'word' && before.isContent ? before.key : ''
}

/** What stands right behind a bare number: `7 gates`. */
function countedBy({ tokens }: Clause, number: Token): string {
  const next = tokens[tokens.indexOf(number) + 1]
  return next?.kind === 'word' && next.isContent && (next.classes & W.when) === 0 ? next.key : ''
}

const HALF = wordSet(
  'half halves dozen halb halbe anderthalb demi demie media medio mezza mezzo meia meio anderhalf половиной полтора',
)

/** `in winter`, `staging`; no bound. */
function isOfSome({ leadIn }: Clause, rest: readonly Token[]): boolean {
  return [...rest, ...(leadIn?.tokens ?? [])].some(
    ({ text, classes }) => (classes & W.qualifier) !== 0 && !LEAST.has(text) && !MOST.has(text),
  )
}

/** `at least 3` and `at most 9` hold beside each other, and so does what happens above 30 and above 400. */
function areOfOneBound({ earlier, later, earlierRest, laterRest }: Pair, one: Token, other: Token): boolean {
  const [bound, otherBound] = [boundOf(earlier, one), boundOf(later, other)]
  if (bound === 'above' && otherBound === 'above') return earlierRest.length === 1 || laterRest.length === 1
  return bound === '' || otherBound === '' || bound === otherBound
}

function boundOf({ tokens }: Clause, number: Token): 'least' | 'most' | 'above' | '' {
  const at = tokens.indexOf(number)
  const near = [tokens[at - 1]?.text ?? '', tokens[at - 2]?.text ?? '', tokens[at - 3]?.text ?? '']
  const [before, last, third] = near
  if (before === 'than' || before === 'als') {
    const isDenied = NOT.has(third ?? '')
    if (!isDenied) return 'above'
    return FEWER.has(last ?? '') ? 'least' : 'most'
  }
  if (ABOVE.has(before ?? '') || (at === 1 && LEADS.has(before ?? ''))) return 'above'
  if (last === 'up' || near.some((word) => MOST.has(word))) return 'most'
  if (near.some((word) => LEAST.has(word)) || (before === 'at' && STARTS.has(last ?? ''))) return 'least'
  const behind = tokens.slice(at + 1, at + 1 + REACH).map(({ text }) => text)
  if (behind.some((word, place) => word === 'or' && MORE.has(behind[place + 1] ?? ''))) return 'least'
  return behind.some((word) => MOST.has(word)) ? 'most' : ''
}

const REACH = 4
const NOT = wordSet('no not nicht')
const FEWER = wordSet('fewer less lower shorter weniger')
const ABOVE = wordSet('above over beyond über ab après')
const LEADS = wordSet('at after with bei nach mit à con a')
const STARTS = wordSet('start starts begin begins')
const MORE = wordSet('more above longer older heavier')
const LEAST = wordSet(
  'least minimum min minimal minimale need needs require requires from mindestens minstens minimaal au-moins mínimo minimo',
)
const MOST = wordSet(
  'most maximum max maximal maximale limited limit cap capped upto stop stops tops höchstens maximaal hooguit máximo massimo',
)

/**
 * How much of its form two statements share, 0 to 1: of the words of the longer one those that both say in one order, where
 * each word of its own is a blank, and a number another one. (Longest common subsequence.)
 */
function likenessOf({ earlier, later, earlierRest, laterRest }: Pair): number {
  const [one, other] = [formOf(earlier, earlierRest), formOf(later, laterRest)]
  let row = new Uint8Array(other.length + 1)
  for (const word of one) {
    const next = new Uint8Array(other.length + 1)
    for (let at = 0; at < other.length; at += 1)
      next[at + 1] = word === other[at] ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0)
    row = next
  }
  return (row[other.length] ?? 0) / Math.max(one.length, other.length)
}

function formOf({ tokens }: Clause, rest: readonly Token[]): readonly string[] {
  return tokens.map((token) => {
    if (rest.includes(token)) return token.kind === 'number' ? '#' : '*'
    return token.isContent ? token.key : token.text
  })
}
