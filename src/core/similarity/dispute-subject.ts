import { type Clause, isSince, type Token } from './dispute-clause.ts'
import type { Pair } from './dispute-pair.ts'
import { AFTER, CUES, HEADS, NEUTRAL, PER, SCOPES, SINCE, SPANS, USES } from './dispute-slot-words.ts'
import { synonymsOf } from './dispute-synonyms.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// Whether two statements of any form speak about the same, when their values are left out.

/** Places of the values of one clause, and where the statement ends for what is compared. */
export interface Hole {
  readonly at: ReadonlySet<number>
  readonly end: number
}

/** A dense sign is half a word. */
const DENSE_FROM = 0x2e7f
const SHARED_MIN = 2
const ALONE_MAX = 4
const ALONE_SUM_MAX = 6
const CUED_MORE = 1

/** Words that only one has name no other thing and put no condition, and the words of both suffice. */
export function isSameSubject(pair: Pair, earlier: Hole, later: Hole, least = 1, mayScope = false): boolean {
  const hasCue = isCued(pair)
  const left = aloneIn(pair.earlier, pair.later, pair.earlierRest, earlier)
  const more = aloneIn(pair.later, pair.earlier, pair.laterRest, later)
  const right = hasCue ? more.filter((token) => !isWhenAt(pair.later, token)) : more
  if (!isFree(pair.earlier, left, mayScope) || !isFree(pair.later, right, mayScope)) return false
  if ((!hasCue && isNarrowed(pair.earlier, left, pair.later)) || isNarrowed(pair.later, right, pair.earlier))
    return false
  if (isSubstituted(pair, left, right) || (left.some(isHead) && right.some(isHead))) return false
  const shared = sharedWeight(pair, earlier)
  const [a, b] = [weightOf(left), weightOf(right)]
  if (shared > 0 && shared < least && hasCue && a + b === 0 && least <= 1) return true
  if (shared < SHARED_MIN) return shared >= least && a + b <= (hasCue ? 2 : 0)
  const extra = hasCue ? CUED_MORE : 0
  if (a > ALONE_MAX + extra || b > ALONE_MAX + extra || a + b > ALONE_SUM_MAX + extra) return false
  return true
}

/** How many words only one of the two has, the values left out. */
export function aloneOf(pair: Pair, earlier: Hole, later: Hole): number {
  return (
    weightOf(aloneIn(pair.earlier, pair.later, pair.earlierRest, earlier)) +
    weightOf(aloneIn(pair.later, pair.earlier, pair.laterRest, later))
  )
}

/** The later says that something is otherwise now, also in another part of its sentence. */
export function isCued({ hasCue, later, laterText }: Pair): boolean {
  if (hasCue || later.tokens.some(({ text }) => CUES.has(text))) return true
  return laterText.clauses.some((clause) => clause.end <= later.start && later.isPart && isSince(clause))
}

/** Content words of one only that are not the value, with what is said of everything left out. */
export function aloneIn(clause: Clause, other: Clause, rest: readonly Token[], hole: Hole): readonly Token[] {
  const isChange =
    clause.isPast ||
    clause.isEvent ||
    clause.changeAt >= 0 ||
    clause.tokens.some(({ text }) => CUES.has(text))
  return rest.filter((token) => {
    const at = clause.tokens.indexOf(token)
    if (hole.at.has(at) || at >= hole.end) return false
    if (PERSONS.has(token.text) && isScopedAt(clause, at) && !isIn(other, token)) return true
    if (isSilent(token)) return false
    const before = clause.tokens[at - 1]
    if (
      before !== undefined &&
      (THIS.has(before.text) || (WORLD.has(token.text) && (before.classes & W.article) !== 0))
    )
      return false
    if (isReasonAt(clause, at)) return false
    if (isChange && LAST.has(before?.text ?? '')) return false
    if (
      isRateAt(clause, at) ||
      (isChange && LAST.has(token.text)) ||
      (isChange && (token.classes & W.date) !== 0 && !RECURRING.test(token.text))
    )
      return false
    return !isSinceAt(clause, at) && !(isChange && isAfterAt(clause, at)) && !isIn(other, token)
  })
}

/** `in this repo` says nothing that the other need not know. */
const THIS = wordSet(
  'this our unserem unserer diesem dieser diesen ce cette notre este esta nuestro nuestra neste nesta nosso nossa questo questa nostro nostra dit deze onze tym naszym нашем этом этой 本',
)

/** Where everything is that is spoken of: `in the shop`. */
const WORLD = wordSet(
  'shop store company firm app website site repo repository codebase project laden firma projekt boutique magasin tienda empresa loja negozio azienda winkel bedrijf sklep магазин',
)

/** `because of the fraud`: why, up to the end. */
function isReasonAt({ tokens }: Clause, at: number): boolean {
  for (let back = at; back > 0; back -= 1) {
    const { text = '' } = tokens[back] ?? {}
    if (REASONS.has(text) || (REASON_LEADS.has(text) && REASON_LEADS.has(tokens[back - 1]?.text ?? '')))
      return true
  }
  return false
}

/** `per day` */
function isRateAt({ tokens }: Clause, at: number): boolean {
  return SPANS.has(tokens[at]?.text ?? '') && PER.has(tokens[at - 1]?.text ?? '')
}

/** `after the winter break`, of a change: when it was, up to the end. */
function isAfterAt({ tokens }: Clause, at: number): boolean {
  for (let back = at; back > 0; back -= 1)
    if (AFTER.has(tokens[back]?.text ?? '') || DURING.has(tokens[back]?.text ?? '')) return true
  return false
}

const REASONS = wordSet('because wegen aufgrund causa cause vanwege powodu motivo debido из-за')
const REASON_LEADS = wordSet('due to owing thanks')

const QUIET = W.plan | W.now | W.when | W.change | W.measure | W.located | W.light | W.prefers | W.copula

function isSilent({ text, key, classes, kind }: Token): boolean {
  if (kind === 'sign' || text === 'one' || text === 'days') return true
  return (
    (classes & QUIET) !== 0 ||
    NEUTRAL.has(text) ||
    (NEUTRAL.has(key) && !text.endsWith('ing')) ||
    CUES.has(text)
  )
}

/** `handed over in May` */
function isWhenAt({ tokens }: Clause, token: Token): boolean {
  const before = tokens[tokens.indexOf(token) - 1]
  return (token.classes & W.date) !== 0 && before !== undefined && WHEN_LEADS.has(before.text)
}
const WHEN_LEADS = wordSet('in since im seit en depuis desde em da sinds w od в с')

/** `since the move`, `in May`: when the change was, up to a comma. */
function isSinceAt({ tokens }: Clause, at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - SINCE_REACH); back -= 1)
    if (SINCE.has(tokens[back]?.text ?? '')) return true
  return false
}
const SINCE_REACH = 3

/** The same word in another inflection or in a compound. */
function isIn(other: Clause, { text, key, kind, hasCapital }: Token): boolean {
  // `HTTP` and `HTTPS` are two names.
  if (kind !== 'word' || (hasCapital && key.length < COMPOUND_MIN)) return other.content.has(key)
  for (const known of other.content.keys()) if (isAkin(key, known)) return true
  const group = synonymsOf(text, key)
  return (
    group !== undefined &&
    other.tokens.some((known) => known.isContent && synonymsOf(known.text, known.key) === group)
  )
}

const AKIN_MIN = 4
const SUFFIX_MAX = 4
const COMPOUND_MIN = 6

/** Who does it is not what is done. */
const AGENT = /^(?:e?r|or)$/

export function isAkin(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < AKIN_MIN || short.charCodeAt(0) > DENSE_FROM) return false
  let same = 0
  while (same < short.length && short.charCodeAt(same) === long.charCodeAt(same)) same += 1
  if (same === short.length)
    return !AGENT.test(long.slice(same)) && (long.length - same <= SUFFIX_MAX || short.length >= COMPOUND_MIN)
  if (same >= AKIN_MIN && same + 1 >= short.length && long.length - same <= 2) return true
  if (same >= COMPOUND_MIN && short.length - same <= 3 && long.length - same <= 6) return true
  return short.length >= COMPOUND_MIN && long.endsWith(short)
}

function isHead({ text, key, classes }: Token): boolean {
  return HEADS.has(text) || HEADS.has(key) || (classes & W.slot) !== 0
}

function weightOf(tokens: readonly Token[]): number {
  let weight = 0
  for (const token of tokens) {
    if (isHead(token)) continue
    weight += token.text.charCodeAt(0) > DENSE_FROM ? 0.25 * token.text.length : 1
  }
  return weight
}

export function sharedWeight({ earlier, later, shared }: Pair, hole: Hole): number {
  let weight = 0
  for (const [key, at] of earlier.content) {
    const token = earlier.tokens[at]
    if (token === undefined || hole.at.has(at)) continue
    if (!shared.includes(key) && !isIn(later, token)) continue
    if (token.kind === 'number' || (token.classes & W.date) !== 0) continue
    if (USES.has(token.text)) continue
    const isVerb = NEUTRAL.has(token.text) && !token.hasCapital
    if (isVerb) weight += token.text.charCodeAt(0) > DENSE_FROM ? 0 : 0.5
    else weight += token.text.charCodeAt(0) > DENSE_FROM ? 0.5 * token.text.length : 1
  }
  return weight
}

/** No word that only one has is a name, a number, a date, a qualifier, or what a `for` or `in` leads to. */
function isFree(clause: Clause, alone: readonly Token[], mayScope: boolean): boolean {
  const isGerman = clause.tokens.some(({ text }) => GERMAN.has(text))
  for (const token of alone) {
    if (token.kind !== 'word' || token.isQuoted) return false
    if ((token.classes & (W.qualifier | W.date | W.condition)) !== 0) return false
    const at = clause.tokens.indexOf(token)
    if (token.hasCapital && at > 0 && !isGerman) return false
    const isDuty = clause.tokens[at - 1]?.text === 'to' && DUTIES.has(clause.tokens[at - 2]?.text ?? '')
    if (isDuty) continue
    if (clause.tokens[at - 1]?.text === 'to' && !HEADS.has(token.text)) return false
    if (!mayScope && (token.classes & W.slot) === 0 && isScopedAt(clause, at)) return false
  }
  return true
}

/** Counted, they are only a unit; behind `for` they tell for whom. */
const PERSONS = wordSet(
  'members guests users visitors persons people mitglieder gäste mitgliedern gästen membres visiteurs miembros socios membros sócios membri soci leden członków участников',
)
/** A day in the plural comes again. */
export const RECURRING = /days$|tags$/
const DURING = wordSet('during während pendant durante tijdens podczas')
const LAST = wordSet(
  'last letzten letztes letzte vergangenen dernier dernière pasado pasada passado passada scorso scorsa vorige afgelopen zeszłym прошлой прошлом',
)
const DUTIES = wordSet('have has had need needs want wants asked required able')
const GERMAN = wordSet('der die das ist sind den dem und wird werden für auf im am einen zum zur hat')

function isScopedAt({ tokens }: Clause, at: number): boolean {
  for (let back = at - 1; back >= 0 && back >= at - SCOPE_REACH; back -= 1) {
    const token = tokens[back]
    if (token === undefined) return false
    if (SCOPES.has(token.text) && !(token.text === 'de' && isDutch(tokens))) return true
    if ((token.classes & (W.article | W.light)) === 0) return false
  }
  return false
}
function isDutch(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }) => DUTCH.has(text))
}
const DUTCH = wordSet('het een van zijn naar wordt worden ligt staat hangt nu ik wij onze voor met')
const SCOPE_REACH = 3

/** `report requests`: a word before the first one that both share tells which of them. */
function isNarrowed({ tokens }: Clause, alone: readonly Token[], other: Clause): boolean {
  const [first] = alone
  if (first === undefined || isHead(first)) return false
  const at = tokens.indexOf(first)
  const next = tokens[at + 1]
  if (next?.isContent !== true || !isIn(other, next)) return false
  return !tokens.slice(0, at).some(({ isContent }) => isContent)
}

/** A word of the one stands where another word of the other stands: before or behind the same word, or first. */
function isSubstituted({ earlier, later }: Pair, left: readonly Token[], right: readonly Token[]): boolean {
  for (const a of left) {
    const x = earlier.tokens.indexOf(a)
    for (const b of right) {
      const y = later.tokens.indexOf(b)
      if (isSamePlace(beforeIn(earlier, x), beforeIn(later, y))) return true
      const [next, other] = [earlier.tokens[x + 1], later.tokens[y + 1]]
      if (next?.isContent && isSamePlace(next, other)) return true
    }
  }
  return (
    (isFirstIn(earlier, left) && isFirstNew(later, earlier)) ||
    (isFirstIn(later, right) && isFirstNew(earlier, later))
  )
}

/** What it begins with is not what the other speaks of. */
function isFirstNew({ content, tokens }: Clause, other: Clause): boolean {
  for (const [key, at] of content) {
    const token = tokens[at]
    if (token !== undefined && !isSilent(token)) return !other.content.has(key) && !isIn(other, token)
  }
  return false
}

function isFirstIn({ content, tokens }: Clause, alone: readonly Token[]): boolean {
  for (const at of content.values()) {
    const token = tokens[at]
    if (token !== undefined && !isSilent(token)) return alone.includes(token)
  }
  return false
}

function isSamePlace(a: Token | undefined, b: Token | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a.text.charCodeAt(0) > DENSE_FROM) return a.text === b.text && a.isContent
  return a.key === b.key && (a.classes & W.copula) === 0
}

function beforeIn({ tokens }: Clause, at: number): Token | undefined {
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back]
    if (token !== undefined && (token.classes & W.article) === 0) return token
  }
  return undefined
}

export function holeOf(clause: Clause, at: readonly number[], more: readonly number[] = []): Hole {
  return { at: new Set([...at, ...more]), end: clause.tokens.length }
}

export function isAlike(pair: Pair, earlier: Hole, later: Hole): boolean {
  return pair.earlier.isNegated === pair.later.isNegated && isSameSubject(pair, earlier, later)
}
