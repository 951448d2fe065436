import { type Clause, SINCE, type Token } from './dispute-clause.ts'
import { M } from './dispute-lexicon.ts'
import { DEFINITE, isLeadWord } from './dispute-parts.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { W } from './dispute-words.ts'
import { type Side, sideOf, wordSet } from './fact-words.ts'

/** Two texts whose statements are compared, each of the one with each of the other. */
export class ComparedTexts {
  readonly earlier: DisputeReading
  readonly later: DisputeReading
  #isOfSameContext: boolean | null = null

  constructor(earlier: DisputeReading, later: DisputeReading) {
    this.earlier = earlier
    this.later = later
  }

  /** Read once: texts of many statements would be counted again for each two of them. */
  get isOfSameContext(): boolean {
    this.#isOfSameContext ??= isOfSameContext(this.earlier, this.later)
    return this.#isOfSameContext
  }
}

/** Two statements that share words, and what only one of them says. */
export interface Pair {
  readonly earlier: Clause
  readonly later: Clause
  readonly texts: ComparedTexts
  /** Keys of content words of both. */
  readonly shared: readonly string[]
  readonly earlierRest: readonly Token[]
  readonly laterRest: readonly Token[]
  /** The later says that something is otherwise now. */
  readonly hasCue: boolean
}

export function pairOf(earlier: Clause, later: Clause, texts: ComparedTexts): Pair | null {
  const shared: string[] = []
  for (const key of earlier.content.keys()) if (later.content.has(key)) shared.push(key)
  if (shared.length === 0) return null
  const isNews = isNewIn(later, later.changeAt, earlier) || isNewIn(later, later.goneAt, earlier)
  const hasCue = isNews || later.hasNow || texts.later.isCorrection
  const laterRest = restOf(later, earlier)
  return {
    earlier,
    later,
    texts,
    shared,
    earlierRest: restOf(earlier, later),
    laterRest: hasCue
      ? laterRest.filter(
          (token) =>
            (token.classes & W.when) === 0 &&
            token.text !== 'last' &&
            token.text !== 'this' &&
            !SINCE.has(token.text) &&
            !(isDate(token) && isSince(later, token)),
        )
      : laterRest,
    hasCue,
  }
}

/** Of what both say nothing is news: `files are deleted after 30 days`. */
function isNewIn({ tokens }: Clause, at: number, earlier: Clause): boolean {
  const cue = tokens[at]
  return cue !== undefined && !earlier.tokens.some(({ text }) => text === cue.text)
}

/** `since Monday` tells since when it is so. */
function isSince({ tokens }: Clause, token: Token): boolean {
  return SINCE.has(tokens[tokens.indexOf(token) - 1]?.text ?? '')
}

function restOf(clause: Clause, other: Clause): readonly Token[] {
  const rest: Token[] = []
  for (const [key, at] of clause.content) {
    const token = clause.tokens[at]
    if (token !== undefined && !other.content.has(key)) rest.push(token)
  }
  return rest
}

export type Guard = (pair: Pair) => boolean

/** What must hold besides. Each is a law of what never disputes. */
export const GUARDS = {
  /** A condition, a promise or a hope asserts nothing. */
  asserted: ({ earlier, later }) =>
    ((!earlier.isConditional && !later.isConditional) || isOfOneCase(earlier, later)) &&
    !earlier.isPromise &&
    !later.isPromise,
  /** Of `it` and `his` nobody knows what they name, and what one person says to another is between them. */
  named: ({ earlier, later, texts }) => {
    if (earlier.isAnaphoric || later.isAnaphoric) return false
    if (!earlier.isPersonal && !later.isPersonal) return true
    return isShort(texts.earlier) && isShort(texts.later) && !isAtHand(earlier) && !isAtHand(later)
  },
  /** A common line does not make texts about other things speak about the same. */
  sameContext: ({ texts }) => texts.isOfSameContext,
  /** The past and the present can both hold; what was changed was so before. */
  sameTense: ({ earlier, later, hasCue }) =>
    !earlier.isPast && !isOfMoment(earlier) && (!later.isPast || hasCue),
  /** Each thing that happens is another one. */
  noEvent: ({ earlier, later }) => !earlier.isEvent && !later.isEvent,
  /** What was opened and what was closed are two things that happened. */
  noEvents: ({ earlier, later, texts }) =>
    !earlier.isEvent ||
    !later.isEvent ||
    isSwitched(earlier) ||
    isSwitched(later) ||
    isOfOneThing(earlier, later, texts),
  /** In one text it is said of the one thing, in the other of another: each names its own outside the statement. */
  sameSetting: ({ earlier, later, texts, hasCue }) =>
    !areOtherCases(earlier, later) &&
    caseOf(texts.earlier, earlier) === caseOf(texts.later, later) &&
    (hasCue ||
      !isSetApart(texts.earlier, earlier, texts.later.words) ||
      !isSetApart(texts.later, later, texts.earlier.words)),
  /** `over 100` is another case than `under 100`, and `before noon` than `after noon`. */
  sameRange: (pair) =>
    !areOpposite(pair, RANGE_AXES) && isOfSameSpan(pair) && boundOf(pair.earlier) * boundOf(pair.later) >= 0,
  /** What may be done in one way may be done in another. */
  noPossibility: ({ earlier, later }) => ((earlier.marks | later.marks) & M.possible) === 0,
  /** What is measured differs each time; what is set does not. */
  noReading: ({ earlier, later }) =>
    (((earlier.classes | later.classes) & W.reading) === 0 && !isMeasured(earlier) && !isMeasured(later)) ||
    (isSet(earlier) && isSet(later)),
  /** Members of a list hold beside each other. */
  noList: ({ earlier, later }) =>
    !earlier.isList && !later.isList && ((earlier.classes | later.classes) & W.plural) === 0,
  /** Of a list, what is denied is one of its members. */
  noMembers: ({ earlier, later }) => !earlier.isList && !later.isList,
  /** `also` and `too` add to what was said. */
  noAddition: ({ earlier, later }) => ((earlier.marks | later.marks) & M.addition) === 0,
  /** `staging`, `upload`, `last` part one thing from another. */
  sameQualifiers: ({ earlierRest, laterRest }) =>
    ![...earlierRest, ...laterRest].some(({ classes }) => (classes & W.qualifier) !== 0),
  /** No statement of the one day against one of the other. */
  sameTimes: ({ earlierRest }) => !earlierRest.some(isDate),
  /** What one names by an id or a path, the other names too. */
  sameNames: ({ earlierRest, laterRest }) => ![...earlierRest, ...laterRest].some(isName),
} as const satisfies Readonly<Record<string, Guard>>

/** `… when it rains` and `… when it rains`: what both say of one case. */
function isOfOneCase(earlier: Clause, later: Clause): boolean {
  const [one, other] = [caseIn(earlier), caseIn(later)]
  return one !== '' && one === other
}

function caseIn({ tokens }: Clause): string {
  const at = tokens.findIndex(({ classes }, place) => place > 1 && (classes & W.condition) !== 0)
  return at < 0
    ? ''
    : tokens
        .slice(at)
        .map(({ text }) => text)
        .join(' ')
}

function isOfSameContext(earlier: DisputeReading, later: DisputeReading): boolean {
  if (isOneSentence(earlier.clauses) && isOneSentence(later.clauses)) return true
  const [small, large] =
    earlier.words.size < later.words.size ? [earlier.words, later.words] : [later.words, earlier.words]
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return shared >= CONTEXT_SHARE_MIN * small.size
}

/** Whether a text names something outside a statement that the other text has not: a person, an id, a date, or a case. */
function isSetApart(
  { clauses }: DisputeReading,
  statement: Clause,
  otherWords: ReadonlySet<string>,
): boolean {
  return clauses.some((clause) => {
    if (clause === statement) return false
    // `In playtest 6, half of them left`: what stands before in the sentence says of what.
    const isCase = clause.sentence === statement.sentence && clause.start < statement.start
    return clause.tokens.some(
      (token) => token.isContent && (isCase || isNaming(token)) && !otherWords.has(token.key),
    )
  })
}

/** `During takes the light is …` and `Between takes the light is …`: each begins with a case of its own. */
function areOtherCases({ tokens: [one] }: Clause, { tokens: [other] }: Clause): boolean {
  return one?.text !== other?.text && isLeadWord(one) && isLeadWord(other)
}

/** What `without` and `before` have. */
const CASE_MARKS = M.side | M.restriction

/** `Without a proxy, …` is another case than `with a proxy, …`, and `before the sale, …` than `after the sale, …`. */
function caseOf({ clauses }: DisputeReading, { sentence, start }: Clause): string {
  let signs = ''
  if (clauses.length === 1) return signs
  for (const clause of clauses) {
    if ((clause.marks & CASE_MARKS) === 0 || clause.sentence !== sentence || clause.start === start) continue
    for (const { text, marks } of clause.tokens) {
      if ((marks & CASE_MARKS) === 0) continue
      const side = (marks & M.side) === 0 ? null : sideOf(text)
      if (WITHOUT.has(text)) signs += '-'
      else if (side?.axis === 'order') signs += side.isPlus ? '<' : '>'
    }
  }
  return signs
}

function isNaming(token: Token): boolean {
  return isName(token) || isDate(token) || isNumber(token) || (token.kind === 'word' && token.hasCapital)
}

/** `from 9:00` and `until 18:00` are the two ends of one span. */
export function areOtherEnds(
  earlier: Clause,
  one: Token | undefined,
  later: Clause,
  other: Token | undefined,
): boolean {
  const [from, to] = [endOf(earlier, one), endOf(later, other)]
  return from !== '' && to !== '' && from !== to
}

function endOf({ tokens }: Clause, token: Token | undefined): string {
  const at = token === undefined ? -1 : tokens.indexOf(token)
  const before = [tokens[at - 1]?.text ?? '', tokens[at - 2]?.text ?? '']
  if (before.some((word) => UNTIL.has(word))) return 'until'
  return before.some((word) => FROM.has(word)) ? 'from' : ''
}

const FROM = wordSet('from since ab seit dès depuis desde da dalle dal с')
const UNTIL = wordSet("until till til bis jusqu'à jusqu'au jusqu hasta até fino tot до")

/** `opens at 8` and `closes at 6`; of some axes only, where they are named. */
export function areOpposite({ earlier, later }: Pair, axes: ReadonlySet<string> | null = null): boolean {
  if ((earlier.marks & later.marks & M.side) === 0) return false
  return earlier.tokens.some(({ text, marks }) => {
    const side = (marks & M.side) === 0 ? null : sideOf(text)
    if (side === null || (axes !== null && !axes.has(side.axis))) return false
    return later.tokens.some((token) => isOtherSide(side, token))
  })
}

/** `from 6 to 22` and `from 22 to 6` share their numbers, and are two spans. */
function isOfSameSpan({ earlier, later }: Pair): boolean {
  const numbersIn = (clause: Clause, other: Clause): string =>
    clause.tokens
      .filter(({ kind, key }) => kind === 'number' && other.content.has(key))
      .map(({ key }) => key)
      .join(' ')
  return numbersIn(earlier, later) === numbersIn(later, earlier)
}

/** `up to` and `below` are under 0, `above` is over it. */
function boundOf({ tokens }: Clause): number {
  for (const [at, { text, marks }] of tokens.entries()) {
    if (text === 'up' && tokens[at + 1]?.text === 'to') return -1
    const side = (marks & M.side) === 0 ? null : sideOf(text)
    if (side !== null && BOUNDS.has(side.axis) && tokens[at + 1]?.kind === 'number')
      return side.isPlus ? 1 : -1
  }
  return 0
}

const BOUNDS: ReadonlySet<string> = new Set(['height', 'bound', 'amount'])

function isOtherSide({ axis, isPlus }: Side, { text, marks }: Token): boolean {
  const other = (marks & M.side) === 0 ? null : sideOf(text)
  return other !== null && other.axis === axis && other.isPlus !== isPlus
}

export const WITHOUT = wordSet(
  'without except ohne ausser sans sauf sin salvo sem senza zonder без кроме bez',
)

const RANGE_AXES: ReadonlySet<string> = new Set(['order', 'rank', 'amount', 'bound', 'height', 'hand'])

/** `Disk at 40 %`, `page loaded in 300 ms`, `payment of 5 EUR`: what it is at or came to, without a verb that says how it is. */
function isMeasured({ tokens, classes, marks }: Clause): boolean {
  if ((classes & W.copula) !== 0 || (marks & M.present) !== 0) return false
  if (TRANSACTIONS.has(tokens[0]?.text ?? '') && OF.has(tokens[1]?.text ?? '')) return true
  return tokens.some(({ text }, at) => {
    const next = tokens[at + 1]
    if (next?.kind !== 'number') return false
    const before = tokens[at - 1]
    if (text === 'at') return at <= 2 && before?.isContent === true
    return text === 'in' && DONE.test(before?.text ?? '')
  })
}

const OF = wordSet('of over von über de di')
const DONE = /..[^e]ed$/
const TRANSACTIONS = wordSet(`
  donation payment refund transfer charge tip fine reimbursement purchase withdrawal spende zahlung überweisung erstattung don paiement remboursement
  virement donación pago reembolso transferencia donazione pagamento rimborso bonifico`)

/** `today`, `after this run`: it was so then. */
function isOfMoment({ tokens, marks }: Clause): boolean {
  if ((marks & (M.today | M.pronoun)) === 0) return false
  return tokens.some(({ text, marks: own, isQuoted }, at) => {
    if (isQuoted) return false
    if ((own & M.today) !== 0) return !OF_TODAY.has(tokens[at - 1]?.text ?? '')
    return (
      text === 'this' && MOMENTS.has(tokens[at + 1]?.text ?? '') && !OF_TODAY.has(tokens[at - 1]?.text ?? '')
    )
  })
}

/** `as of today` it is so from then on. */
const OF_TODAY = wordSet('of from since ab seit von')
const MOMENTS = wordSet('run change time week month sprint commit session turn attempt build patch morning')

function isSet({ tokens, classes }: Clause): boolean {
  return (classes & W.measure) !== 0 || tokens.some(({ text }) => SET.has(text))
}

const SET = wordSet(
  'kept set held fixed must shall gehalten eingestellt réglée réglé maintenue maintenu mantiene fijada mantida impostata установлена',
)

/** One clause, or two parts of a sentence: `moved to Bonn, third floor`. */
export function isOneSentence(clauses: readonly Clause[]): boolean {
  return clauses.length === 1 || (clauses.length === 2 && clauses.every(({ isPart }) => isPart))
}

/** Share of the content words of the text with fewer. */
export const CONTEXT_SHARE_MIN = 0.4

/** `I have the key here`, `with me`: of the moment in which it is said. */
function isAtHand({ tokens, isPersonal }: Clause): boolean {
  return (
    isPersonal &&
    tokens.some(({ text }, at) => HERE.has(text) || (text === 'me' && tokens[at - 1]?.text === 'with'))
  )
}

const HERE = wordSet('here hier ici aquí aqui qui handy dabei')

function isShort({ clauses }: DisputeReading): boolean {
  return clauses.length <= 2
}

export type GuardId = keyof typeof GUARDS

/** `Order 55 was packed` and `order 55 was shipped`: how far it has come. */
function isOfOneThing(earlier: Clause, later: Clause, texts: ComparedTexts): boolean {
  if (texts.earlier.ids.size !== 1 || texts.later.ids.size !== 1) return false
  return (earlier.classes & later.classes & W.copula) !== 0 || (hasBeen(earlier) && hasBeen(later))
}

function hasBeen({ tokens }: Clause): boolean {
  return tokens.some(({ text }) => text === 'been')
}

/** How many, not when. */
export function isNumber(token: Token): boolean {
  return token.kind === 'number' && token.dimension !== 'date' && token.dimension !== 'clock'
}

/** `keep it enabled`, `has been disabled`, `the build passed`: how it is. */
function isSwitched({ tokens }: Clause): boolean {
  const isTheOne = DEFINITE.has(tokens[0]?.text ?? '')
  return tokens.some(
    ({ text, marks }) =>
      isSwitch(text) || (isTheOne && (marks & M.side) !== 0 && sideOf(text)?.axis === 'outcome'),
  )
}

/** A month, a day, an hour. */
export function isDate(token: Token): boolean {
  return token.isContent && (token.classes & W.date) !== 0
}

/** An id, a path, a name with signs in it. */
export function isName(token: Token): boolean {
  return token.kind === 'id' || token.kind === 'name'
}

export const ENABLED = wordSet(
  'enabled activated aktiviert activé activada ativado abilitato включён включен',
)
const DISABLED = wordSet(
  'disabled deactivated deaktiviert désactivé desactivada desativado disabilitato выключен отключён отключен',
)

/** A word that says whether something is switched on. */
export function isSwitch(word: string): boolean {
  return ENABLED.has(word) || DISABLED.has(word)
}
