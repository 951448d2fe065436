import { M } from './dispute-lexicon.ts'
import { AFTER, FRAMES, SINCE } from './dispute-slot-words.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

export type TokenKind = 'word' | 'number' | 'name' | 'id' | 'sign'

/** A word, number or name of a clause, in small letters. */
export interface Token {
  readonly text: string
  /** Equal for inflections of one word and for spellings of one quantity. */
  readonly key: string
  readonly kind: TokenKind
  /** Bits of `W`. */
  readonly classes: number
  /** Bits of `M`. */
  readonly marks: number
  /** Of a number: its unit, `version`, `date`, `clock`, or empty. */
  readonly dimension: string
  readonly hasCapital: boolean
  readonly isQuoted: boolean
  /** Says what the clause is about, or its value. */
  readonly isContent: boolean
}

/** A sentence, or the part of one up to a comma or to a word that joins two parts. */
export interface Clause {
  readonly tokens: readonly Token[]
  /** Place of each content key. */
  readonly content: ReadonlyMap<string, number>
  /** Where a cue word stands, -1 where none does. */
  readonly noLongerAt: number
  readonly changeAt: number
  readonly goneAt: number
  readonly hasNow: boolean
  readonly isNegated: boolean
  readonly isConditional: boolean
  readonly isPromise: boolean
  readonly isPast: boolean
  /** Tells of something that happened once: `was sent`, not `is sent`. */
  readonly isEvent: boolean
  readonly isPersonal: boolean
  /** Speaks of `it` or `his`: of what, only the sentence before says. */
  readonly isAnaphoric: boolean
  /** All classes of its words together, and all marks. */
  readonly classes: number
  readonly marks: number
  /** Where it stands in the text that was read. */
  readonly start: number
  readonly end: number
  /** Content before the first `:` or `=`; none where there is no such sign. */
  readonly fieldKeys: readonly string[]
  /** Is not the whole of its sentence. */
  readonly isPart: boolean
  /** Content of the first part of its sentence, when that names a case: `In the office`. */
  readonly frame: ReadonlyMap<string, number> | null
  /** Names several values one after the other. */
  readonly isList: boolean
}

/** A clause of which the rest of its sentence is not read yet. */
export type OpenClause = { -readonly [Field in keyof Clause]: Clause[Field] }

/** Whether two clauses are of the same words. */
export function isSpelledAlike(a: Clause, b: Clause): boolean {
  return a.tokens.length === b.tokens.length && a.tokens.every(({ text }, at) => text === b.tokens[at]?.text)
}

/** Longer clauses tell a story. */
const CONTENT_MAX = 24

/** What a run of words says; null when it says nothing, or tells a story. */
export function clauseOf(tokens: readonly Token[], start: number, end: number): OpenClause | null {
  const content = new Map<string, number>()
  let classes = 0
  let marks = 0
  let negations = 0
  let hasConcord = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.isContent && !content.has(token.key)) content.set(token.key, at)
    if (token.isQuoted) continue
    classes |= token.classes
    marks |= token.marks
    if ((token.marks & M.negation) !== 0 && !isComparedAt(tokens, at)) negations += 1
    if ((token.marks & M.concord) !== 0 && !isComparedAt(tokens, at)) hasConcord = true
  }
  if (content.size === 0 || content.size > CONTENT_MAX) return null
  if ((classes & W.measure) !== 0) nameMeasure(tokens, content)
  if (tokens.every(({ isContent, hasCapital }) => isContent && hasCapital)) return null
  return {
    tokens,
    content,
    noLongerAt: (marks & (M.more | M.noLonger | M.negation | M.concord)) === 0 ? -1 : noLongerIn(tokens),
    changeAt: placeOf(tokens, classes, W.change),
    goneAt: (classes & W.gone) === 0 || isSetTo(tokens) ? -1 : placeOf(tokens, classes, W.gone),
    hasNow: (classes & W.now) !== 0 || ((marks & M.pronoun) !== 0 && isTheseDays(tokens)),
    isNegated: hasConcord || negations % 2 === 1,
    isConditional: ((classes & W.condition) !== 0 && !isWhenChanged(tokens)) || isConditionFirst(tokens),
    isPromise: (classes & W.promise) !== 0 && tokens.some((_, at) => isPromiseAt(tokens, at)),
    isPast: (classes & W.past) !== 0 && tokens.some((_, at) => isPastAt(tokens, at)),
    isEvent: (classes & W.event) !== 0 && tokens.some((_, at) => isEventAt(tokens, at)),
    isPersonal: (classes & W.speaker) !== 0 && tokens.some((_, at) => isSpeakerAt(tokens, at)),
    isAnaphoric: ((tokens[0]?.marks ?? 0) & (M.owned | M.pronoun)) !== 0 && !isExistence(tokens),
    classes,
    marks,
    start,
    end,
    fieldKeys: fieldKeysOf(tokens),
    isPart: false,
    frame: null,
    isList:
      (marks & M.and) !== 0 ||
      ((classes & W.indefinite) !== 0 && tokens.some((_, at) => isOneOfAt(tokens, at))),
  }
}

function isTheseDays(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }, at) => text === 'days' && tokens[at - 1]?.text === 'these')
}

/** `one of our suppliers` */
function isOneOfAt(tokens: readonly Token[], at: number): boolean {
  if (((tokens[at]?.classes ?? 0) & W.indefinite) === 0) return false
  return ONE_OF.get(tokens[at]?.text ?? '')?.has(tokens[at + 1]?.text ?? '') === true
}

const ONE_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['one', wordSet('of')],
  ['eine', wordSet('der von unserer')],
  ['un', wordSet('des')],
  ['une', wordSet('des')],
  ['uno', wordSet('de dei degli')],
  ['una', wordSet('de delle')],
  ['um', wordSet('dos')],
  ['uma', wordSet('das')],
])

/** In `the limit is 5` the limit itself is what the clause is about. */
function nameMeasure(tokens: readonly Token[], content: Map<string, number>): void {
  for (const at of content.values()) if (tokens[at]?.kind !== 'number') return
  const at = tokens.findIndex(({ classes }) => (classes & W.measure) !== 0)
  const measure = tokens[at]
  if (measure !== undefined) content.set(measure.key, at)
}

/** Place of the first word of a class that is not quoted, -1 when there is none. */
function placeOf(tokens: readonly Token[], classes: number, mask: number): number {
  return (classes & mask) === 0
    ? -1
    : tokens.findIndex((token) => !token.isQuoted && (token.classes & mask) !== 0)
}

/** The French `du` is no German one. */
function isSpeakerAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined || (token.classes & W.speaker) === 0) return false
  return token.text !== 'du' || !tokens.some(({ text }) => FRENCH.has(text))
}

/** `moved when the cluster was rebuilt`: when it was, not a case. */
function isWhenChanged(tokens: readonly Token[]): boolean {
  const when = tokens.findIndex(({ classes }) => (classes & W.condition) !== 0)
  if (
    !WHEN.has(tokens[when]?.text ?? '') ||
    !tokens.slice(0, when).some(({ classes }) => (classes & W.change) !== 0)
  )
    return false
  return tokens.slice(when).some(({ text, classes }) => (classes & W.past) !== 0 || /(?:ed|left)$/.test(text))
}

const WHEN = wordSet('when als quando cuando quand toen gdy когда')

/** `si` and `on` at the beginning, but where they are the one of whom is spoken: in Italian, in French. */
function isConditionFirst(tokens: readonly Token[]): boolean {
  const [first] = tokens
  if (first === undefined || (first.marks & M.firstCondition) === 0) return false
  if (first.text === 'se') return !tokens.some(({ text }) => SPANISH.has(text))
  if (
    first.text === 'on' &&
    tokens[1] !== undefined &&
    (tokens[1].kind === 'number' || (tokens[1].classes & W.date) !== 0)
  )
    return false
  if (first.text === 'si') return !tokens.some(({ text }) => ITALIAN.has(text))
  return first.text !== 'on' || !tokens.some(({ text }) => FRENCH.has(text))
}

const ITALIAN = wordSet(
  'il gli della dello degli nel nella con di è prenota usa può fa deve vende paga solo online',
)
const SPANISH = wordSet('el los las en ya')
const FRENCH = wordSet('le les des est sont avec pour dans du au aux une ne')

/** `once every six hours`, `once a day` say how often. */
function isPastAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined || (token.classes & W.past) === 0) return false
  const next = tokens[at + 1]?.text ?? ''
  if (token.text === 'used') return next === 'to' && ((tokens[at - 1]?.classes ?? 0) & W.copula) === 0
  return token.text !== 'once' || !HOW_OFTEN.has(next)
}

/** `should go to sales` gives a rule, `should arrive` hopes. */
function isPromiseAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token === undefined || (token.classes & W.promise) === 0) return false
  if (token.text === 'would') return tokens[at + 1]?.text !== 'like' && tokens[at + 1]?.text !== 'rather'
  return token.text !== 'should' || EXPECTED.has(tokens[at + 1]?.text ?? '')
}

const EXPECTED = wordSet('arrive come finish end happen improve land ship get work appear')

const HOW_OFTEN = wordSet('a an every per each daily in')

/** `there is`, `il y a`, `es gibt` speak of nothing before. */
function isExistence(tokens: readonly Token[]): boolean {
  const [first, second, third] = tokens
  if (first?.text === 'there' || (first?.text === 'es' && second?.text === 'gibt')) return true
  return first?.text === 'il' && second?.text === 'y' && (third?.text === 'a' || third?.text === 'avait')
}

/** `auf 20 Grad eingestellt` is set, not given up. */
function isSetTo(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }) => text === 'eingestellt') && tokens.some(({ text }) => text === 'auf')
}

function noLongerIn(tokens: readonly Token[]): number {
  return tokens.findIndex((token, at) => !token.isQuoted && isNoLongerAt(tokens, at))
}

function fieldKeysOf(tokens: readonly Token[]): readonly string[] {
  const sign = tokens.findIndex(({ kind }) => kind === 'sign')
  if (sign < 1) return NO_KEYS
  return tokens
    .slice(0, sign)
    .filter(({ isContent }) => isContent)
    .map(({ key }) => key)
}

const NO_KEYS: readonly string[] = []

/** A verb of something that happened, without the `is` or `are` of what happens each time. */
function isEventAt(tokens: readonly Token[], at: number): boolean {
  if (((tokens[at]?.classes ?? 0) & W.event) === 0) return false
  // `failed jobs` are those that did.
  const next = tokens[at + 1]
  if (LASTING.has(tokens[at]?.text ?? '') && next?.isContent === true && next.kind === 'word') return false
  // With, in Dutch.
  if (tokens[at]?.text === 'met' && tokens.some(({ text }) => DUTCH.has(text))) return false
  for (let back = at - 1; back >= Math.max(0, at - EVENT_REACH); back -= 1)
    if (((tokens[back]?.marks ?? 0) & M.present) !== 0) return false
  return at === tokens.length - 1 || !PRESENT_AFTER.has(tokens[at + 1]?.text ?? '')
}

const LASTING = wordSet('failed crashed finished completed reviewed tested')
const DUTCH = wordSet('het een de hun wordt worden je ons onze niet zijn naar')
const EVENT_REACH = 5
const PRESENT_AFTER = wordSet('wird werden')

/** `no more than 5`, `не менее 5` deny nothing. */
export function isComparedAt(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text ?? ''
  if (COMPARED.has(next)) return true
  return COMPARATIVES.has(next) && THAN.has(tokens[at + 2]?.text ?? '')
}

const COMPARED = wordSet('менее более mniej więcej')
const COMPARATIVES = wordSet(
  'more less fewer longer later earlier higher bigger larger mehr weniger länger plus moins más menos mais più meno meer minder',
)

/** `not more than five` says how many. */
const THAN: ReadonlySet<string> = new Set(['than', 'als', 'de', 'que', 'di', 'do', 'dan', 'чем'])
/** First and second word. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['ya', 'no'],
  ['já', 'não'],
  ['больше', 'не'],
  ['уже', 'не'],
  ['już', 'nie'],
  ['لم', 'يعد'],
  ['لم', 'تعد'],
])
const REACH = 6

/** Whether the word at `at` ends a phrase that says `no longer`. */
function isNoLongerAt(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.text ?? ''
  const marks = tokens[at]?.marks ?? 0
  if ((marks & M.noLonger) !== 0) return true
  const before = tokens[at - 1]?.text ?? ''
  if (PAIRS.get(before) === word) return true
  if ((marks & M.more) === 0 || THAN.has(tokens[at + 1]?.text ?? '')) return false
  for (let back = at - 1; back >= 0 && back >= at - REACH; back -= 1) {
    if (((tokens[back]?.marks ?? 0) & (M.negation | M.concord)) !== 0) return true
  }
  return word === 'anymore'
}

/** What a sentence begins with, when it is a case of its own and no day from which on something holds. */
export function frameOf([first, second]: readonly Clause[]): Clause['frame'] {
  if (first === undefined || second === undefined) return null
  return FRAMES.has(first.tokens[0]?.text ?? '') && !isSince(first) ? first.content : null
}

/** `since June`, `after the move`: from when on the rest of the sentence holds. `after a crash` puts a case. */
export function isSince({ tokens }: Clause): boolean {
  const [first, second] = tokens
  if (first === undefined || second === undefined) return false
  if (SINCE.has(first.text)) return true
  return (AFTER.has(first.text) || WITH.has(first.text)) && DEFINITE.has(second.text)
}

const WITH = wordSet('with thanks mit dank avec grâce con gracias com met z с')
const DEFINITE = wordSet(
  'the our last der dem die das unserem unserer letzten la le les notre el los las nuestra o a os as nossa il lo gli nostra de het onze',
)

/** How many, not when. */
export function isNumber(token: Token): boolean {
  return token.kind === 'number' && token.dimension !== 'date' && token.dimension !== 'clock'
}

/** A month, a day, an hour. */
export function isDate(token: Token): boolean {
  return token.isContent && (token.classes & W.date) !== 0
}

/** `Room AB`, `Sensor A`: one letter, or two behind a word that is numbered, tell which one of many. */
export function isNamedBy(before: Token, word: string): boolean {
  return (before.classes & W.label) !== 0 || (word.length === 1 && before.kind === 'word' && before.isContent)
}
