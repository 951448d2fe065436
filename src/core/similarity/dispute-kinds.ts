import { type Clause, isDate, isNumber, type Token } from './dispute-clause.ts'
import { M, VERSION_WORDS } from './dispute-lexicon.ts'
import { type Pair } from './dispute-pair.ts'
import { isRival, rivalry } from './dispute-rivals.ts'
import { W } from './dispute-words.ts'
import { sideOf, wordSet } from './fact-words.ts'

/** One number of each, of one unit, in statements about the same. */
export function differsInNumber(pair: Pair): boolean {
  const [earlier, ...earlierMore] = pair.earlierRest.filter(isNumber)
  const [later, ...laterMore] = pair.laterRest.filter(isNumber)
  if (earlier === undefined || later === undefined || earlierMore.length + laterMore.length > 0) return false
  if (earlier.dimension !== later.dimension && !(isPlain(earlier) && isPlain(later))) return false
  const earlierWords = pair.earlierRest.length - 1
  const laterWords = pair.laterRest.length - 1
  if (pair.earlier.isNegated !== pair.later.isNegated || isDayIn(pair.later, later)) return false
  const words = pair.shared.length
  if (earlierWords + laterWords === 0)
    return isAmount(pair, earlier) ? false : words > 1 || isSlotted(pair) || isSameForm(pair)
  if (pair.hasCue && earlierWords <= 1 && laterWords <= 2)
    return words >= 2 || (words === 1 && isSubjectOnly(pair))
  return earlierWords + laterWords === 1 && words >= 3 && !isNarrowed(pair)
}

/** `report requests`: a word before one that both share tells which of them. */
function isNarrowed({ earlier, later, earlierRest, laterRest, shared }: Pair): boolean {
  const isBefore = ({ tokens }: Clause, token: Token): boolean => {
    const next = tokens[tokens.indexOf(token) + 1]
    return next?.isContent === true && token.kind === 'word' && shared.includes(next.key)
  }
  return (
    earlierRest.some((token) => isBefore(earlier, token)) || laterRest.some((token) => isBefore(later, token))
  )
}

const CURRENCIES = /^[$€£¥₽]$/
const MONEY = wordSet(
  'price cost fee total preis kosten gebühr prix coût precio costo preço custo prezzo prijs цена стоимость',
)

/** `Total: $5` is the total of whatever stood before. */
function isAmount({ earlier, later, shared }: Pair, number: Token): boolean {
  const isField = [...earlier.tokens, ...later.tokens].some(({ kind }) => kind === 'sign')
  if (CURRENCIES.test(number.dimension) && isField) return true
  const only = earlier.tokens[earlier.content.get(shared[0] ?? '') ?? -1]
  return shared.length === 1 && (CURRENCIES.test(number.dimension) || MONEY.has(only?.text ?? ''))
}

/** Nothing but the differing words, and `now`, parts the two. */
export function isSameForm({ earlier, later, earlierRest, laterRest }: Pair): boolean {
  const form = (clause: Clause, rest: readonly Token[]): string =>
    clause.tokens
      .filter((token) => !rest.includes(token) && (token.classes & W.now) === 0)
      .map(({ key }) => key)
      .join(' ')
  return form(earlier, earlierRest) === form(later, laterRest)
}

/** A version follows a name, or is written as one. */
export function isVersioned({ earlier, later, laterRest }: Pair): boolean {
  const number = laterRest.find(isNumber)
  if (number === undefined) return false
  if (number.dimension === 'version' || /^\d+\.\d+\.\d+/.test(number.text)) return true
  if (number.dimension !== '' || number.text.length > 5) return false
  const at = later.tokens.indexOf(number)
  const before = later.tokens[at - 1]
  if (before === undefined) return false
  if (VERSION_WORDS.has(before.text)) return true
  return before.hasCapital && before.isContent && !isDate(before) && earlier.content.has(before.key)
}

/** Only dates differ, of something that is planned or has one date. */
export function differsInDate({ earlier, later, earlierRest, laterRest, shared, hasCue }: Pair): boolean {
  if (earlierRest.length === 0 || laterRest.length === 0 || shared.length === 0) return false
  if (!isDateText(earlier, earlierRest) || !isDateText(later, laterRest)) return false
  if (earlier.isNegated !== later.isNegated || (isOwnWish(earlier) && isOwnWish(later))) return false
  return isPlanned(earlier, earlierRest) && (isPlanned(later, laterRest) || hasCue)
}

/** What `I want` holds in one talk. */
function isOwnWish({ classes, isPersonal }: Clause): boolean {
  return isPersonal && (classes & W.prefers) !== 0
}

/** The date is the value, not the subject: it follows `is`, `ends`, `planned`. */
function isPlanned({ tokens }: Clause, rest: readonly Token[]): boolean {
  const plan = tokens.findIndex(
    ({ classes, text }) => ((classes & (W.plan | W.copula)) !== 0 && text !== 'called') || RECURS.has(text),
  )
  return plan >= 0 && rest.every((token) => tokens.indexOf(token) > plan || (token.classes & W.plan) !== 0)
}

/** What happens again and again, at a time that it has. */
const RECURS = wordSet(`
  run runs meet meets happen happens occur occurs läuft laufen trifft treffen erscheint tourne réunit réunissent fait ejecuta ejecutan
  reúne reúnen roda reúnem gira riunisce riuniscono draait vergadert работает проходит проходят działa spotyka 行います 運行 执行 执行在 举行`)

function isDateText(clause: Clause, tokens: readonly Token[]): boolean {
  return tokens.every((token) => isDate(token) || isDayIn(clause, token))
}

/** A number beside a month is a day or a year. */
function isDayIn({ tokens }: Clause, token: Token): boolean {
  if (!isDayNumber(token)) return false
  const at = tokens.indexOf(token)
  return [tokens[at - 2], tokens[at - 1], tokens[at + 1]].some((near) => near !== undefined && isDate(near))
}

/** Exactly one of the two denies what both say. */
export function differsInPolarity({ earlier, later, earlierRest, laterRest, shared, hasCue }: Pair): boolean {
  if (earlier.isNegated === later.isNegated) return false
  if (restrictionsOf(earlier) !== restrictionsOf(later)) return false
  if (shared.length < 2 || (shared.length === 2 && (earlier.isPart || later.isPart))) return false
  if (earlierRest.length + laterRest.length === 0) return true
  if (hasCue && laterRest.length === 0 && earlierRest.length <= 1) return true
  // `never expires` and `expires after 90 days`.
  const [denies, gives] = later.isNegated ? [laterRest, earlierRest] : [earlierRest, laterRest]
  return denies.length === 0 && gives.length === 1 && gives.every(isNumber)
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
export function rivalRow({ earlier, later, earlierRest, laterRest, shared }: Pair): string | null {
  if (earlier.isNegated !== later.isNegated || shared.length === 0) return null
  const [one, ...oneMore] = earlierRest
  const [other, ...otherMore] = laterRest
  if (one === undefined || other === undefined || oneMore.length + otherMore.length > 0)
    return switchRow(earlier, later, earlierRest, laterRest, shared)
  return rivalry(one.text, other.text) ?? (isOpposite(one.text, other.text) ? 'state' : null)
}

/** `is on` and `turned off`. */
function switchRow(
  earlier: Clause,
  later: Clause,
  earlierRest: readonly Token[],
  laterRest: readonly Token[],
  shared: readonly string[],
): 'state' | null {
  if (shared.length < 2 || laterRest.length > 1 || earlierRest.length > 2) return null
  const [one, other] = [switchOf(earlier), switchOf(later)]
  return one !== null && other !== null && one !== other ? 'state' : null
}

function switchOf(clause: Clause): boolean | null {
  for (const [at, { text }] of clause.tokens.entries()) {
    if (text === 'off') return false
    const before = clause.tokens[at - 1]
    if (
      text === 'on' &&
      before !== undefined &&
      (SWITCHERS.has(before.text) || (before.classes & W.copula) !== 0)
    )
      return true
  }
  return null
}

const SWITCHERS = wordSet('be turned turn switched switch stay stays set remains kept')

/** Opposites that describe how something is; the others are steps, directions and bounds. */
const STATE_AXES: ReadonlySet<string> = new Set([
  'outcome',
  'enable',
  'allow',
  'truth',
  'valid',
  'correct',
  'safe',
  'support',
  'available',
  'active',
  'stable',
  'possible',
  'public',
  'required',
  'sync',
  'open',
  'line',
  'tone',
  'order',
  'accept',
  'done',
  'block',
  'fix',
])

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
  if (!isFiller(earlierRest) || !isFiller(laterRest)) return false
  return isValueOf(pair.earlier, earlierRest, pair.shared) && isValueOf(pair.later, laterRest, pair.shared)
}

/** `Allowed types: png` may name one of several. */
function isListHead(tokens: readonly Token[], sign: number): boolean {
  return tokens[sign]?.kind === 'sign' && /[^aius]s$/.test(tokens[sign - 1]?.text ?? '')
}

export function isFiller(tokens: readonly Token[]): boolean {
  return (
    tokens.length > 0 &&
    tokens.length <= FILLER_MAX &&
    !tokens.some((token) => isNumber(token) || isDate(token))
  )
}

function isValueOf(clause: Clause, filler: readonly Token[], shared: readonly string[]): boolean {
  const copula = clause.tokens.findIndex(({ classes }) => (classes & W.copula) !== 0)
  if (copula < 1 || isListHead(clause.tokens, copula)) return false
  const first = Math.min(...filler.map((token) => clause.tokens.indexOf(token)))
  if (first < copula || isIndefiniteAt(clause, first)) return false
  const lead = leadOf(clause, first)
  if (lead !== null && (lead.classes & W.copula) === 0) return false
  if (shared.length < 2 && clause.tokens[copula]?.text === '=') return false
  const subject = clause.tokens.slice(0, copula)
  const hasSlot = subject.some((token) => (token.classes & (W.slot | W.prefers)) !== 0)
  return hasSlot && shared.every((key) => (clause.content.get(key) ?? 0) < first)
}

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
    if (token === undefined || (isEnglish && token.text === 'a')) continue
    if ((token.classes & W.article) === 0 || (token.classes & (W.placing | W.to)) !== 0) return token
  }
  return null
}

const ENGLISH = wordSet('the is are was of and in has')

export function isNamed(token: Token): boolean {
  return token.kind === 'word' && (token.hasCapital || token.text.charCodeAt(0) > 0x5ff)
}

/** Where something is: another place behind `in`, `under`, `to`. */
export function differsInPlace(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  if (earlier.isNegated || later.isNegated || !isFiller(earlierRest) || !isFiller(laterRest)) return false
  if (isPathText(earlierRest) !== isPathText(laterRest) && !pair.hasCue) return false
  const hasMoved = later.changeAt >= 0
  if (!isPlaced(earlier, earlierRest, hasMoved) || !isPlaced(later, laterRest, hasMoved, hasMoved))
    return false
  return shared.length > 1 || isSubjectOnly(pair)
}

function isPathText(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.kind === 'name')
}

function isPlaced(clause: Clause, filler: readonly Token[], hasMoved: boolean, isMove = false): boolean {
  const [first] = filler
  if (first === undefined) return false
  const at = clause.tokens.indexOf(first)
  const lead = leadOf(clause, at)
  if (lead === null) return false
  const isDense = lead.text.charCodeAt(0) > 0x2e7f
  const leading = W.placing | W.to | W.from | (isDense ? W.located | W.change : 0)
  const isLed = (lead.classes & leading) !== 0
  const isPlace = filler.some((token) => token.kind !== 'word' || isNamed(token))
  // `in English` is no place.
  if (!isLed || !isPlace || filler.some(({ text }) => isRival(text))) return false
  if (isMove) return true
  if ((clause.classes & W.located) !== 0) return true
  const leadAt = clause.tokens.indexOf(lead)
  const before = clause.tokens[leadAt - 1]
  if (before === undefined || (before.classes & W.copula) === 0) return false
  // Many people can be in as many countries, until they move.
  return hasMoved || isPathText(filler) || !SEVERAL.has(before.text) || (clause.classes & W.slot) !== 0
}

const SEVERAL = wordSet('are sind sont son están são estão sono zijn są')

/** The one shared word is what both statements begin with. */
function isSubjectOnly({ earlier, later, shared }: Pair): boolean {
  const begins = (clause: Clause): boolean => {
    const [first] = clause.content.keys()
    return first !== undefined && shared.includes(first)
  }
  return begins(earlier) && begins(later)
}

/** Another way to do the same: what follows `with`, or what `use` takes, differs. */
export function differsInMeans(pair: Pair): boolean {
  const { earlier, later, earlierRest, laterRest, shared } = pair
  if (earlier.isNegated || later.isNegated || earlier.isPersonal || later.isPersonal) return false
  if (later.tokens.some(({ text }) => CHOICES.has(text))) return false
  const isMeans = (clause: Clause, rest: readonly Token[]): boolean => {
    const means = meansAt(clause)
    // `proceed with booking` names another step, not another means.
    if (clause.tokens[means + 1]?.text.endsWith('ing') === true) return false
    if (clause.tokens.some(({ classes }, at) => at > means && (classes & W.copula) !== 0)) return false
    return (
      means > 0 &&
      rest.length > 0 &&
      rest.length <= 6 &&
      !isParted(clause, rest) &&
      // `with Sara on 3 June` and `with Sara on 10 June` name one means.
      clause.tokens.slice(means + 1).find(({ isContent }) => isContent) === rest[0] &&
      !rest.some(isDate)
    )
  }
  if (!isMeans(earlier, earlierRest) || !isMeans(later, laterRest)) return false
  if (shared.length > 1) return isOrder(earlier) || isOrder(later) || isSameForm(pair)
  return isOrder(earlier) && isOrder(later)
}

/** `with Kim in Asia` names more than a means. */
function isParted({ tokens }: Clause, rest: readonly Token[]): boolean {
  const places = rest.map((token) => tokens.indexOf(token))
  return tokens
    .slice(Math.min(...places), Math.max(...places))
    .some(({ classes }) => (classes & W.placing) !== 0)
}

/** What can be done in one way can be done in another. */
const CHOICES = wordSet(
  'can may kann können peut peuvent puede pueden pode podem può possono kan kunnen może mogą может могут',
)

/** Where a word stands that leads to a means, -1: nowhere. */
export function meansAt({ tokens }: Clause): number {
  return tokens.findIndex(({ classes }, at) => at > 0 && (classes & W.means) !== 0)
}

/** Begins with the verb. */
function isOrder(clause: Clause): boolean {
  const [first, second] = clause.tokens
  if (second !== undefined && (second.classes & (W.located | W.copula)) !== 0) return false
  return first?.isContent === true && first.kind === 'word' && !first.text.endsWith('ing')
}

function isSlotted({ earlier, later }: Pair): boolean {
  return (earlier.classes & later.classes & (W.slot | W.measure)) !== 0
}

function isDayNumber(token: Token): boolean {
  return token.kind === 'number' && token.dimension === '' && /^\d{1,4}$/.test(token.text)
}

/** A bare number and a version are written alike. */
function isPlain(token: Token): boolean {
  return token.dimension === '' || token.dimension === 'version'
}
