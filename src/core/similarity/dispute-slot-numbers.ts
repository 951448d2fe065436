import type { Clause, Token } from './dispute-clause.ts'
import { isVersioned } from './dispute-kinds.ts'
import type { Pair } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import type { SlotKind } from './dispute-rows.ts'
import { isDated } from './dispute-slot-dates.ts'
import { isDeniedIn, NO_PLACES } from './dispute-slot-states.ts'
import { NEUTRAL } from './dispute-slot-words.ts'
import { aloneOf, holeOf, isSameSubject } from './dispute-subject.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

export function amountKind(
  pair: Pair,
  a: readonly number[],
  b: readonly number[],
  extra: readonly number[],
): SlotKind | null {
  const { earlier, later } = pair
  if (a.length !== b.length || a.length > 2 || pair.earlier.isEvent) return null
  if (((earlier.classes | later.classes) & W.reading) !== 0) return null
  const [x, y] = [earlier.tokens[a[0] ?? -1], later.tokens[b[0] ?? -1]]
  if (x === undefined || y === undefined || x.key === y.key) return null
  if (
    isThreshold(earlier, x) &&
    isThreshold(later, y) &&
    aloneOf(pair, holeOf(earlier, a), holeOf(later, b)) > 0
  )
    return null
  if (hasOtherNumbers(pair)) return null
  if (isPriced(earlier, x) || isPriced(later, y) || isAdding(earlier) || isAdding(later)) return null
  if ([x, y].some(({ key }, side) => isLabelAt(side === 0 ? earlier : later, key))) return null
  if (a.length === 2 && !(isRange(earlier, a) && isRange(later, b))) return null
  const isVersion = isVersioned(pair) || isNamedVersion(earlier, a[0] ?? -1, later, b[0] ?? -1)
  const isHours = a.length === 2 && isDated(earlier) && isDated(later) && isHourly(x) && isHourly(y)
  if (!isVersion && !isHours && !isSameUnit(pair, a.at(-1) ?? -1, b.at(-1) ?? -1)) return null
  if (isDeniedIn(earlier.tokens, NO_PLACES) !== isDeniedIn(later.tokens, NO_PLACES)) return null
  if (!isSameSubject(pair, holeOf(earlier, a), holeOf(later, b, extra))) return null
  return isVersion ? 'version' : 'number'
}

/** `above 50` puts a case: of another case something else may hold. */
function isThreshold({ tokens }: Clause, number: Token): boolean {
  const at = tokens.indexOf(number)
  return [tokens[at - 1], tokens[at - 2], tokens[at + 1]].some(
    (token) => token !== undefined && THRESHOLDS.has(token.text),
  )
}

const THRESHOLDS = wordSet(`
  over above under below than exceeding from über unter ab mehr plus dès más menos desde mais oltre sopra sotto boven onder vanaf ponad poniżej свыше более
  менее 以上 以下 超过 超 满 未満`)

/** `Total: $5` is the total of whatever stood before. */
function isPriced({ tokens }: Clause, { dimension }: Token): boolean {
  return /^[$€£¥₽]$/.test(dimension) && tokens.some(({ kind }) => kind === 'sign')
}

/** Other parts of both texts give other numbers, too: each tells of another time. */
function hasOtherNumbers({ earlier, later, earlierText, laterText }: Pair): boolean {
  const numbersIn = ({ clauses }: DisputeReading, but: Clause): readonly string[] =>
    clauses
      .filter((clause) => clause !== but)
      .flatMap(({ tokens }) =>
        tokens.filter(({ kind }) => kind === 'number' || kind === 'id').map(({ key }) => key),
      )
  const others = numbersIn(laterText, later)
  return others.length > 0 && numbersIn(earlierText, earlier).some((key) => !others.includes(key))
}

/** `add three bags` tells how many more. */
function isAdding({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => sideOf(text)?.axis === 'keep')
}

/** `step 2: drain`: the number tells which. */
function isLabelAt({ tokens }: Clause, key: string): boolean {
  const at = tokens.findIndex((token) => token.key === key)
  return tokens[at + 1]?.kind === 'sign' && at <= 2
}

function isHourly({ dimension }: Token): boolean {
  return dimension === '' || dimension === 'time'
}

/** `Go 1.20` and `Go 1.22`: one name with a capital before both. */
function isNamedVersion(earlier: Clause, a: number, later: Clause, b: number): boolean {
  const [one, other] = [earlier.tokens[a - 1], later.tokens[b - 1]]
  return (
    one !== undefined && other !== undefined && one.text === other.text && one.hasCapital && other.hasCapital
  )
}

/** One unit, or bare numbers of what both count or name. */
function isSameUnit({ earlier, later }: Pair, a: number, b: number): boolean {
  const [x, y] = [earlier.tokens[a], later.tokens[b]]
  if (x === undefined || y === undefined) return false
  if (isSpan(x) && isSpan(y) && x.dimension !== y.dimension) return !isAboutEqual(x, y)
  if (x.dimension !== y.dimension) return isPlain(x) && isPlain(y) && isCounted(earlier, a, later, b)
  return !isPlain(x) || isCounted(earlier, a, later, b)
}

function isPlain({ dimension }: Token): boolean {
  return dimension === '' || dimension === 'version'
}

function isSpan({ dimension }: Token): boolean {
  return dimension === 'time' || dimension === 'month'
}

/** Two months and 60 days. */
function isAboutEqual(a: Token, b: Token): boolean {
  const [one, other] = [daysOf(a), daysOf(b)]
  return Math.abs(one - other) <= ABOUT * Math.max(one, other)
}

function daysOf({ key, dimension }: Token): number {
  const value = Number.parseFloat(key.slice(2))
  return dimension === 'month' ? value * MONTH_DAYS : value / DAY_MS
}

const ABOUT = 0.07
const MONTH_DAYS = 30.4
const DAY_MS = 86_400_000

function isCounted(earlier: Clause, a: number, later: Clause, b: number): boolean {
  const [x, y] = [earlier.tokens[a + 1], later.tokens[b + 1]]
  if (x !== undefined && y !== undefined && x.key === y.key && !isLead(x)) return true
  const [u, v] = [earlier.tokens[a - 1], later.tokens[b - 1]]
  if (u !== undefined && v !== undefined && u.key === v.key && u.isContent) return true
  if ((earlier.classes & later.classes & (W.slot | W.measure)) !== 0) return true
  return isCountless(x) || isCountless(y)
}

/** What is counted is not said, or is people. */
function isCountless(token: Token | undefined): boolean {
  return token === undefined || !token.isContent || NEUTRAL.has(token.text)
}

function isLead({ classes }: Token): boolean {
  return (classes & (W.placing | W.means | W.to | W.from)) !== 0
}

/** `9 to 17`. */
function isRange({ tokens }: Clause, at: readonly number[]): boolean {
  const [from = 0, to = 0] = at
  return (
    to > from &&
    (to - from <= 2 || (to === from + 3 && !tokens.slice(from + 1, to).some(({ isContent }) => isContent)))
  )
}
