import { areBounds, areOtherTimes, isAmount, isBound, isMoney, wordsBeside } from './dispute-amounts.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { isDayIn } from './dispute-dates.ts'
import { M, VERSION_WORDS } from './dispute-lexicon.ts'
import { ENABLED, isDate, isName, isNumber, isSwitch, type Pair, WITHOUT } from './dispute-pair.ts'
import { rivalry } from './dispute-rivals.ts'
import { countsOther } from './dispute-sorts.ts'
import { isSpan } from './dispute-spans.ts'
import { isSameSaying } from './dispute-told-apart.ts'
import { isNarrowed, isOfPart, isWithin, tellsWhich, withoutReasons } from './dispute-which.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

/** One number of each, of one unit, in statements about the same. */
export function differsInNumber(pair: Pair): boolean {
  const [earlier, ...earlierMore] = pair.earlierRest.filter(isNumber)
  const [later, ...laterMore] = pair.laterRest.filter(isNumber)
  if (earlier === undefined || later === undefined || earlierMore.length + laterMore.length > 0) return false
  // `4 days` may be what takes `3 to 5 days`.
  if (isSpan(earlier) !== isSpan(later)) return false
  const areOfOneUnit = earlier.dimension === later.dimension || (isPlain(earlier) && isPlain(later))
  if (!areOfOneUnit && !areOtherTimes(earlier, later)) return false
  if (pair.earlier.isNegated !== pair.later.isNegated || isDayIn(pair.later, later)) return false
  if (!isOfSameThing(pair, earlier)) return false
  if (lacks(pair.earlier) !== lacks(pair.later)) return false
  return isWithin(pair.earlier, earlier) === isWithin(pair.later, later)
}

/** Whether two numbers count the same: by the words that both have, and by those that only one has. */
function isOfSameThing(pair: Pair, earlier: Token): boolean {
  const [earlierWords = 0, laterWords = 0] = [pair.earlierRest, pair.laterRest].map(wordsBeside)
  const words = pair.shared.length
  if (earlierWords + laterWords === 0) {
    if (isAmount(pair, earlier)) return false
    const isSame = words > 1 || isSlotted(pair) || isSameForm(pair) || areBounds(pair)
    if (isSame || pair.earlierRest.length + pair.laterRest.length === 2) return isSame
  }
  if (isNumbered(pair, earlier)) return false
  if (!pair.hasCue && (isOfPart(pair.earlier, pair.earlierRest) || isOfPart(pair.later, pair.laterRest)))
    return false
  if (pair.later.changeAt >= 0 && words >= 3 && Math.max(earlierWords, laterWords) <= 2)
    return !countsOther(pair)
  if (pair.hasCue && earlierWords <= 1 && laterWords <= 2) {
    if (countsOther(pair) || areNamedApart(pair) || !isOfOneSubject(pair)) return false
    return words >= 2 || (words === 1 && isSubjectOnly(pair))
  }
  if (earlierWords + laterWords === 1 && words >= 3)
    return !isNarrowed(pair.earlier, pair.earlierRest) && !isNarrowed(pair.later, pair.laterRest)
  return (
    earlierWords + laterWords <= BOUND_WORDS_MAX && words >= 3 && isBound(pair.earlier) && isBound(pair.later)
  )
}

/** `Staff at the Kiel branch start at 8` and `… at the Bonn branch now start at 7`: each names one of its own. */
export function areNamedApart({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  const isOwn = ({ tokens }: Clause, token: Token): boolean =>
    token.hasCapital && token.kind === 'word' && token !== tokens[0] && !isDate(token)
  return earlierRest.some((token) => isOwn(earlier, token)) && laterRest.some((token) => isOwn(later, token))
}

/** `The desk costs 90` and `The lamp on the desk costs 20 now`: the later begins with something else. */
function isOfOneSubject({ later, laterRest }: Pair): boolean {
  if (later.changeAt >= 0) return true
  const first = later.content.values().next().value ?? -1
  const token = later.tokens[first]
  return (
    token === undefined ||
    !laterRest.includes(token) ||
    isNumber(token) ||
    !(((later.tokens[first - 1]?.classes ?? 0) & W.article) !== 0)
  )
}

/** `The hose on reel 5 leaks` and `The hose on reel 3 was replaced`: the number says of which something else is said. */
function isNumbered({ earlier, later, earlierRest, laterRest }: Pair, number: Token): boolean {
  const other = laterRest.find(isNumber)
  if (other === undefined || number.dimension !== '') return false
  const [at, otherAt] = [earlier.tokens.indexOf(number), later.tokens.indexOf(other)]
  const saysMore =
    earlierRest.some((token) => earlier.tokens.indexOf(token) > at) ||
    laterRest.some((token) => later.tokens.indexOf(token) > otherAt)
  const counted = earlier.tokens[at - 1]
  if (!saysMore || counted?.isContent !== true || (counted.classes & (W.slot | W.measure)) !== 0) return false
  return later.tokens[otherAt - 1]?.key === counted.key
}

/** `without a card` is another case than `with a card`. */
export function lacks({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => WITHOUT.has(text))
}

/** Words that two bounds of one thing may have alone: `takes at most 6 lines` and `the ceiling is 4 lines`. */
const BOUND_WORDS_MAX = 3

/** Nothing but the differing words, and `now`, parts the two. */
export function isSameForm({ earlier, later, earlierRest, laterRest, texts }: Pair): boolean {
  if (texts.areOfTwoLanguages) return isSameSaying(earlier, earlierRest, later, laterRest)
  const form = (clause: Clause, rest: readonly Token[]): string =>
    clause.tokens
      .filter(
        (token, at, all) =>
          !rest.includes(token) &&
          (token.classes & W.now) === 0 &&
          (token.marks & (M.title | M.present)) === 0 &&
          !DUTY.has(token.text) &&
          !ABOUT.has(token.text) &&
          !(token.text === 'the' && rest.includes(all[at + 1] ?? token)),
      )
      .map(({ key }) => key)
      .join(' ')
  return form(earlier, earlierRest) === form(later, laterRest)
}

/** What is done, and what must be done. */
const ABOUT = wordSet('about around roughly circa ca etwa ungefähr rund environ unos cerca около')
const DUTY = wordSet(
  'must muss müssen doit doivent être debe deben ser deve devem devono essere moet moeten zijn',
)

/** A version follows a name, or is written as one. */
export function isVersioned({ earlier, later, laterRest }: Pair): boolean {
  const number = laterRest.find(isNumber)
  if (number === undefined || isMoney(later.tokens, number)) return false
  if (number.dimension === 'version' || /^\d+\.\d+\.\d+/.test(number.text) || isStep(later, number))
    return true
  if (number.dimension !== '' || number.text.length > 5) return false
  const at = later.tokens.indexOf(number)
  const before = later.tokens[at - 1]
  if (before === undefined) return false
  if (VERSION_WORDS.has(before.text)) return true
  return before.hasCapital && before.isContent && !isDate(before) && earlier.content.has(before.key)
}

/** `1.0 -> 1.2` */
function isStep({ tokens }: Clause, number: Token): boolean {
  return DECIMAL.test(number.text) && tokens[tokens.indexOf(number) - 2]?.kind === 'number'
}

const DECIMAL = /^\d+\.\d+$/

/** Exactly one of the two denies what both say. */
export function differsInPolarity(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared, hasCue } = pair
  if (earlier.isNegated === later.isNegated) return false
  if (restrictionsOf(earlier) !== restrictionsOf(later)) return false
  const isPart = earlier.isPart || (later.isPart && !isForbidden(pair))
  if (shared.length < 2 || (shared.length === 2 && isPart)) return false
  if (isSaid(later, earlierRest) && isSaid(earlier, laterRest)) return true
  if (hasCue && laterRest.length === 0 && earlierRest.length <= 1) return true
  // `never expires` and `expires after 90 days`.
  const [denies, gives] = later.isNegated ? [laterRest, earlierRest] : [earlierRest, laterRest]
  const [only, ...more] = gives
  if (only === undefined || denies.length + more.length > 0) return false
  // `is forbidden` and `is allowed`: the denial is of one word with what is denied.
  return isNumber(only) || sideOf(only.text)?.axis === 'allow'
}

/** `Do not sort the labels, …` after `Sort the labels`. */
function isForbidden({ later, earlierRest, laterRest }: Pair): boolean {
  return earlierRest.length + laterRest.length === 0 && FORBIDS.has(later.tokens[0]?.text ?? '')
}

const FORBIDS = wordSet("do don't never ne nie no não non niet не")

/** Another form of each word stands in a clause: `close` where it says `closes`. */
function isSaid({ tokens }: Clause, words: readonly Token[]): boolean {
  return words.every(({ key }) => tokens.some((token) => token.key === key))
}

function restrictionsOf(clause: Clause): string {
  return clause.tokens
    .filter(({ marks }) => (marks & M.restriction) !== 0)
    .map(({ text }) => text)
    .join(' ')
}

/** The statement gives an order or a permission. */
export function isRule({ earlier, later }: Pair): boolean {
  return ((earlier.marks | later.marks) & M.rule) !== 0
}

/** The row in which the only differing words exclude each other. */
export function rivalRow(pair: Pair): string | null {
  const { earlier, later, shared } = pair
  if (earlier.isNegated !== later.isNegated || shared.length === 0) return null
  const [earlierRest, laterRest] = withoutReasons(pair)
  const [one, ...oneMore] = withSilent(earlier, earlierRest)
  const [other, ...otherMore] = withSilent(later, laterRest)
  if (one === undefined || other === undefined || oneMore.length + otherMore.length > 0)
    return (
      (pair.hasCue ? exchangedRow(pair) : null) ?? switchRow(earlier, later, earlierRest, laterRest, shared)
    )
  if (tellsWhich(earlier, one) || tellsWhich(later, other)) return null
  const row = rivalry(one.text, other.text) ?? (isOpposite(one.text, other.text) ? 'state' : null)
  // `is on time` and `is delayed by two hours`
  return row ?? (pair.hasCue && isNumber(other) ? exchangedRow(pair) : null)
}

/** `The lift in the lobby is broken` and `The lift works again since Monday`: one word of each excludes one of the other. */
function exchangedRow({ earlier, later, earlierRest, laterRest, shared }: Pair): string | null {
  if (earlierRest.length > 3 || laterRest.length > 1) return null
  // What is open again is named as it was when it closed.
  const isReopened = shared.length > 1 && ((laterRest[0]?.marks ?? 0) & M.again) !== 0
  if (!isReopened && !shared.includes(earlier.content.keys().next().value ?? '')) return null
  const [one, ...more] = statesIn(earlier, earlierRest)
  const [other, ...others] = statesIn(later, laterRest)
  if (one === undefined || other === undefined || more.length + others.length > 0) return null
  const row = rivalry(one.text, other.text)
  return row === 'state' || (row === 'taste' && later.changeAt >= 0) ? row : null
}

function statesIn({ tokens }: Clause, rest: readonly Token[]): readonly Token[] {
  return tokens.filter(
    (token, at) =>
      (token.marks & M.rival) !== 0 &&
      (!token.isContent || rest.includes(token)) &&
      // `on time`
      !((token.classes & W.placing) !== 0 && tokens[at + 1]?.isContent === true),
  )
}

/** Of what is `broken` or `works` the word says nothing else about it; where no other does, it is the value. */
function withSilent({ tokens }: Clause, rest: readonly Token[]): readonly Token[] {
  if (rest.length > 0) return rest
  const silent = tokens.findLast(({ isContent, marks }) => !isContent && (marks & M.rival) !== 0)
  return silent === undefined ? rest : [silent]
}

/** `is on` and `turned off`, `keep it enabled` and `has been disabled`. */
function switchRow(
  earlier: Clause,
  later: Clause,
  earlierRest: readonly Token[],
  laterRest: readonly Token[],
  shared: readonly string[],
): 'state' | null {
  if (shared.length < 2 || laterRest.length > 1 || earlierRest.length > 3) return null
  if (earlierRest.some(isName) && laterRest.some(isName)) return null
  const [one, other] = [switchOf(earlier), switchOf(later)]
  return one !== null && other !== null && one !== other ? 'state' : null
}

/** `Turn it on in the morning` and `turn it off in the evening` go together. */
export function isSwitchedAlike({ earlier, later }: Pair): boolean {
  return switchOf(earlier) === switchOf(later)
}

function switchOf(clause: Clause): boolean | null {
  for (const [at, { text }] of clause.tokens.entries()) {
    if (isSwitch(text)) return ENABLED.has(text)
    if (text === 'off') return false
    const before = clause.tokens[at - 1]
    if (
      text === 'on' &&
      before !== undefined &&
      (SWITCHERS.has(before.text) || (before.classes & W.copula) !== 0) &&
      ((clause.tokens[at + 1]?.classes ?? 0) & W.article) === 0
    )
      return true
  }
  return null
}

const SWITCHERS = wordSet('be turned turn switched switch stay stays set remains kept')

/** Opposites that describe how something is; the others are steps, directions and bounds. */
const STATE_AXES = wordSet(
  'outcome enable allow truth valid correct safe support available active stable possible public required sync open line tone order accept done block fix',
)

function isOpposite(one: string, other: string): boolean {
  const a = sideOf(one)
  const b = sideOf(other)
  return a !== null && b !== null && a.axis === b.axis && a.isPlus !== b.isPlus && STATE_AXES.has(a.axis)
}

const FILLER_MAX = 4

/** The value of something that has one: what stands before `is` is equal, what stands behind it differs. */
export function differsInValue(pair: Pair): boolean {
  if (pair.earlier.isNegated || pair.later.isNegated) return false
  const { earlierRest, laterRest } = pair
  const isAddress = pair.shared.some((key) => ADDRESSES.has(key))
  const isWhole = (tokens: readonly Token[]): boolean =>
    isFiller(isAddress && tokens.length > 1 ? tokens.filter((token) => !isNumber(token)) : tokens)
  if (!isWhole(earlierRest) || !isWhole(laterRest)) return false
  if (!isOneValue(pair.earlier, earlierRest) || !isOneValue(pair.later, laterRest)) return false
  return isValueOf(pair.earlier, earlierRest, pair.shared) && isValueOf(pair.later, laterRest, pair.shared)
}

/** No word leads to something else within: `free for members` is no value of `desk`. */
function isOneValue({ tokens }: Clause, filler: readonly Token[]): boolean {
  const places = filler.map((token) => tokens.indexOf(token))
  return tokens
    .slice(Math.min(...places), Math.max(...places))
    .every(
      ({ isContent, classes, text }) =>
        isContent || (classes & (W.article | W.placing)) === W.article || text === 'of' || classes === 0,
    )
}

/** Of these a number is a part: `12 Oak Street`. */
const ADDRESSES = wordSet('address adress adresse anschrift dirección endereço indirizzo adres адрес')

export function isFiller(tokens: readonly Token[]): boolean {
  return (
    tokens.length > 0 &&
    tokens.length <= FILLER_MAX &&
    !tokens.some((token) => isNumber(token) || isDate(token))
  )
}

function isValueOf(clause: Clause, filler: readonly Token[], shared: readonly string[]): boolean {
  const copula = clause.tokens.findIndex(({ classes }) => (classes & W.copula) !== 0)
  if (copula < 1) return false
  const first = Math.min(...filler.map((token) => clause.tokens.indexOf(token)))
  if (first < copula || isIndefiniteAt(clause, first)) return false
  const lead = leadOf(clause, first)
  const leads = W.copula | W.now | (!isPut(clause) || (clause.marks & M.possible) !== 0 ? 0 : W.to | W.change)
  if (lead !== null && (lead.classes & leads) === 0) return false
  if (shared.length < 2 && clause.tokens[copula]?.text === '=') return false
  const subject = clause.tokens.slice(0, copula)
  const hasSlot =
    subject.some((token) => (token.classes & (W.slot | W.prefers | W.role)) !== 0) || isCalled(clause)
  return hasSlot && shared.every((key) => (clause.content.get(key) ?? 0) < first)
}

/** `was changed to`, `was set to` */
function isPut({ tokens, changeAt }: Clause): boolean {
  return changeAt >= 0 || tokens.some(({ text }, at) => text === 'set' && tokens[at + 1]?.text === 'to')
}

/** `is called`, `was renamed`: a thing has one name. */
export function isCalled({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => CALLED.has(text))
}

export const CALLED = wordSet(
  "called named known renamed heisst umbenannt s'appelle renommé renommée llama renombrado renombrada chama renomeado chiama rinominato heet hernoemd",
)

/** `a reviewer` is one of many. */
export function isIndefiniteAt(clause: Clause, at: number): boolean {
  const before = clause.tokens[at - 1]
  return before !== undefined && (before.classes & W.indefinite) !== 0
}

/** The word before, articles passed over. */
export function leadOf(clause: Clause, at: number): Token | null {
  const isEnglish = clause.tokens.some(({ text }) => ENGLISH.has(text))
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = clause.tokens[back]
    if (token === undefined || (isEnglish && token.text === 'a') || (token.marks & M.title) !== 0) continue
    if ((token.classes & W.article) === 0 || (token.classes & (W.placing | W.to)) !== 0) return token
  }
  return null
}

const ENGLISH = wordSet('the is are was of and in has')

/** The one shared word is what both statements begin with. */
export function isSubjectOnly({ earlier, later, shared }: Pair): boolean {
  const begins = (clause: Clause): boolean => {
    const [first] = clause.content.keys()
    return first !== undefined && shared.includes(first)
  }
  return begins(earlier) && begins(later)
}

function isSlotted({ earlier, later }: Pair): boolean {
  return (earlier.classes & later.classes & (W.slot | W.measure)) !== 0
}

/** A bare number and a version are written alike. */
function isPlain(token: Token): boolean {
  return token.dimension === '' || token.dimension === 'version'
}
