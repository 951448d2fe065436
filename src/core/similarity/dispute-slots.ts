import { type Clause, isDate, isNumber, type Token } from './dispute-clause.ts'
import { GUARDS, type Pair } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import type { SlotKind } from './dispute-rows.ts'
import { cuedKind } from './dispute-slot-cued.ts'
import { dateKind, intervalIn, isDayAt, isHourAt, isPeriod } from './dispute-slot-dates.ts'
import { nameKind } from './dispute-slot-names.ts'
import { amountKind } from './dispute-slot-numbers.ts'
import { denseKind, holderKind, meansKind, placeKind, preferenceKind } from './dispute-slot-parts.ts'
import { denialKind, stateKind, withoutKind } from './dispute-slot-states.ts'
import { mayShare, SLOT_WORDS_MAX } from './dispute-slot-types.ts'
import { AFTER } from './dispute-slot-words.ts'
import { holeOf, isAlike, isCued, RECURRING } from './dispute-subject.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Disputes between statements of different form: each has one value of the same type, and the rest speaks about the same.

/** More words than these in one statement alone, and it tells of something else. */
export const SLOT_REST_MAX = 8

/** What two statements give different values of, whatever their form; null when of nothing. */
export function slotKind(said: Pair): SlotKind | null {
  if (said.earlier.tokens.some(({ text }) => ADDED.has(text)) || isTalk(said.earlier) || isTalk(said.later))
    return null
  if (said.earlierRest.length > SLOT_REST_MAX || said.laterRest.length > SLOT_REST_MAX) return null
  if (!said.hasCue && !mayShare(said.shared.length, said.earlier.content.size)) return null
  if (said.earlier.content.size > SLOT_WORDS_MAX || said.later.content.size > SLOT_WORDS_MAX) return null
  if (isTentative(said.laterText) || isTentative(said.earlierText)) return null
  const pair = withoutLabels(withoutOld(said))
  if (!GUARDS.sameBounds(pair)) return pair.earlier.isPast || pair.later.isPast ? null : withoutKind(pair)
  if (pair.earlier.isPast) return null
  if (pair.later.isPast && !isCued(pair)) return stateKind(pair)
  const [earlier, later] = [typedIn(pair.earlier, pair.earlierRest), typedIn(pair.later, pair.laterRest)]
  const found = typedKind(pair, earlier, later)
  if (found !== undefined) return found
  return (
    denseKind(pair) ??
    stateKind(pair) ??
    preferenceKind(pair) ??
    denialKind(pair) ??
    holderKind(pair) ??
    placeKind(pair) ??
    meansKind(pair) ??
    cuedKind(pair)
  )
}

/** What is thought about, proposed or wished for does not hold yet. */
export function isTentative({ spelling }: DisputeReading): boolean {
  return spelling.some(
    (word, at) =>
      (TENTATIVE.has(word) && !(word === 'would' && LIKED.has(spelling[at + 1] ?? ''))) ||
      (word.charCodeAt(0) > 0x2e7f && TENTATIVE_DENSE.test(word)),
  )
}

const LIKED = wordSet('like rather')
const TENTATIVE = wordSet(`
  whether requested ob czy ли considering consider considers considered proposed proposes proposal propose suggested suggests suggest suggestion intends intend maybe perhaps possibly might thinking evaluating
  evaluate discussing discuss debating idea wonders wondering hopes plans wishes would could undecided tentative tentatively eventually someday
  vielleicht überlegt überlegen erwägt erwägen vorschlag vorgeschlagen eventuell womöglich diskutiert würde könnte möglicherweise
  envisage envisagent envisageons proposé propose proposition peut-être éventuellement réfléchit voudrait
  considera considerando considerar propone propuesta propuesto quizá quizás tal podría podrían quisiera evalúa evaluando
  considera cogita cogitando talvez proposta proposto poderia avalia avaliando gostaria valuta valutando forse proponiamo potrebbe
  overweegt overwegen misschien voorstel zou może rozważa rozważamy propozycja может возможно рассматривает рассматриваем предлагает`)
const TENTATIVE_DENSE = /考虑|可能会|也许|建议|打算|検討|かもしれ|提案|つもり/

/** Of the one who speaks: what `I` want and what `let us do` holds in one talk. `You` may be anybody. */
function isTalk({ isPersonal, tokens }: Clause): boolean {
  if (tokens[0]?.text === 'let') return true
  return isPersonal && tokens.some(({ text, hasCapital }) => (text === 'i' ? hasCapital : OWN.has(text)))
}

const OWN = wordSet(
  "i'd i'm i've i'll me my mine ich mich mir mein meine je j mon moi yo eu meu minha mio mia ik mijn я мой моя мне меня 我 私 let's lets",
)
const ADDED = wordSet('also too another additionally well')

/** `class 4` tells which class of many where a text begins with it, and so it does elsewhere. */
function withoutLabels(pair: Pair): Pair {
  const { earlier, later, earlierRest, laterRest } = pair
  const isLabel = (token: Token, { tokens }: Clause, other: Clause): boolean => {
    if (token.kind !== 'id' && token.kind !== 'number') return false
    const before = tokens[tokens.indexOf(token) - 1]
    if (before?.isContent !== true) return false
    const id = `${before.key} ${token.text}`
    if (token.kind === 'number') return other.content.has(id)
    return (
      token.key === id &&
      other.tokens.some(({ text }, at) => text === token.text && other.tokens[at - 1]?.key === before.key)
    )
  }
  return {
    ...pair,
    earlierRest: earlierRest.filter((token) => !isLabel(token, earlier, later)),
    laterRest: laterRest.filter((token) => !isLabel(token, later, earlier)),
  }
}

/** What the later names as the value of before, it does not share: `raised from 5 to 8`, `Friday instead of Monday`. */
function withoutOld(pair: Pair): Pair {
  const { earlier, later } = pair
  const old = oldIn(later)
  if (old.length === 0) return pair
  const shared = pair.shared.filter((key) => !old.some((token) => token.key === key))
  if (shared.length === 0) return pair
  const back = old
    .map(({ key }) => earlier.tokens[earlier.content.get(key) ?? -1])
    .filter((token) => token !== undefined)
  return {
    ...pair,
    shared,
    earlierRest: [...new Set([...pair.earlierRest, ...back])],
    laterRest: pair.laterRest.filter((token) => !old.includes(token)),
    hasCue: true,
  }
}

export function oldIn({ tokens, changeAt, isPart }: Clause): readonly Token[] {
  const after = changeAt < 0 ? -1 : tokens.findIndex(({ text }, at) => at > 1 && AFTER.has(text))
  if (after > 0) return tokens.slice(after + 1).filter(({ isContent }) => isContent)
  const out = tokens.findIndex(({ text }, at) => text === 'of' && tokens[at - 1]?.text === 'out')
  if (out > 0 && (changeAt >= 0 || isPart)) {
    const into = tokens.findIndex(({ classes }, at) => at > out && (classes & W.to) !== 0)
    return tokens.slice(out + 1, into > 0 ? into : tokens.length).filter(({ isContent }) => isContent)
  }
  const over = tokens.findIndex(({ text }) => text === 'over')
  const taken = over < 1 ? -1 : tokens.findIndex(({ text }, at) => at > over && text === 'from')
  if (taken > 0) return tokens.slice(taken + 1).filter(({ isContent, hasCapital }) => isContent && hasCapital)
  const from = tokens.findIndex((_, at) => isOldLead(tokens, at) || (changeAt >= 0 && isFromAt(tokens, at)))
  if (from < 0) return []
  let to = tokens.findIndex(({ classes }, at) => at > from + 1 && (classes & W.to) !== 0)
  if (to < 0) to = tokens.length
  return tokens.slice(from + 1, Math.min(to, from + OLD_MAX)).filter(({ isContent }) => isContent)
}

const OLD_MAX = 5

/** `from 5 to 8` */
function isFromAt(tokens: readonly Token[], at: number): boolean {
  if (((tokens[at]?.classes ?? 0) & W.from) === 0) return false
  return tokens.some(({ classes }, later) => later > at + 1 && later < at + OLD_MAX && (classes & W.to) !== 0)
}

/** `instead of`, `rather than`, `statt`, `in plaats van`. */
function isOldLead(tokens: readonly Token[], at: number): boolean {
  const { text = '' } = tokens[at] ?? {}
  if (INSTEAD.has(text)) return true
  const before = tokens[at - 1]?.text ?? ''
  return (OF.has(text) && INSTEAD_OF.has(before)) || (text === 'than' && before === 'rather')
}

const INSTEAD = wordSet('statt anstatt anstelle вместо zamiast formerly previously')
const INSTEAD_OF = wordSet('instead lieu lugar vez invece plaats')
const OF = wordSet('of von de di van')

/** Values of one statement that the other has not, by type. */
interface Typed {
  readonly amounts: readonly number[]
  readonly dates: readonly number[]
  readonly names: readonly number[]
  /** How often, and where that stands. */
  readonly interval: string | null
  readonly intervalAt: readonly number[]
}

function typedIn(clause: Clause, rest: readonly Token[]): Typed {
  const [interval, intervalAt] = intervalIn(clause)
  const amounts: number[] = []
  const dates: number[] = []
  const names: number[] = []
  for (const token of rest) {
    const at = clause.tokens.indexOf(token)
    if (intervalAt.includes(at) || token.isQuoted) continue
    if (isDate(token) || isDayAt(clause, at) || isHourAt(clause, at) || isPeriod(token)) dates.push(at)
    else if (isNumber(token)) amounts.push(at)
    else if (token.kind === 'name') names.push(at)
  }
  if (rest.some(({ isQuoted }) => isQuoted)) names.push(...quotedIn(clause))
  // `one lorry takes 5` tells what takes them.
  const counted = amounts.length > 1 ? amounts.filter((at) => clause.tokens[at]?.text !== 'one') : amounts
  return { amounts: counted, dates, names, interval, intervalAt }
}

/** A command in quotes is one name. */
function quotedIn({ tokens }: Clause): readonly number[] {
  return [...tokens.keys()].filter((at) => tokens[at]?.isQuoted)
}

/** `Elm Street 12`: the number is part of a name. */
function isAddressed({ tokens }: Clause, { amounts }: Typed): boolean {
  const [at = -1] = amounts
  const before = tokens[at - 1]
  return before?.kind === 'word' && before.hasCapital && before.isContent && STREET.test(before.text)
}

const STREET =
  /(?:stra(?:ss|ß)e|str|gasse|weg|platz|street|road|avenue|lane|strasse|straat|laan|rue|calle|rua|via)$/

/** Undefined when there are no typed values, so that a word may still be the value. */
function typedKind(pair: Pair, a: Typed, b: Typed): SlotKind | null | undefined {
  const hasInterval = a.interval !== null && b.interval !== null && a.interval !== b.interval
  const left = Number(a.amounts.length > 0) + Number(a.dates.length > 0) + Number(a.names.length > 0)
  const right = Number(b.amounts.length > 0) + Number(b.dates.length > 0) + Number(b.names.length > 0)
  if (hasInterval)
    return left + right === 0 &&
      isAlike(pair, holeOf(pair.earlier, a.intervalAt), holeOf(pair.later, b.intervalAt))
      ? 'state'
      : null
  if (left + right === 0) return undefined
  // A path may stand where the other says a place in words.
  if (a.amounts.length + b.amounts.length + a.dates.length + b.dates.length === 0 && left + right === 1)
    return undefined
  // The later may say since when.
  const isDay = b.dates.some((at) => RECURRING.test(pair.later.tokens[at]?.text ?? ''))
  const isSince = b.dates.length > 0 && a.dates.length === 0 && isCued(pair) && !isDay
  if (left === 0 || (left > 1 && right > 1) || left > 1)
    return isSince && left === 0 && right === 1 ? undefined : null
  if (right - Number(isSince) > 1) return null
  const extra = isSince ? b.dates : []
  if (isAddressed(pair.earlier, a) && isAddressed(pair.later, b)) return undefined
  if (a.amounts.length > 0 && b.amounts.length > 0) return amountKind(pair, a.amounts, b.amounts, extra)
  if (a.dates.length > 0 && b.dates.length > 0) return dateKind(pair, a.dates, b.dates)
  if (a.names.length > 0 && b.names.length > 0) return nameKind(pair, a.names, b.names, extra)
  return null
}
