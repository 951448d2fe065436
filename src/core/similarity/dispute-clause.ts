import { changeIn, goneIn, noLongerIn, THAN } from './dispute-cues.ts'
import { isEventAt, isSettled, isSinceAt, isWish } from './dispute-events.ts'
import { isPortuguese, M, type WordInfo } from './dispute-lexicon.ts'
import { isListed } from './dispute-lists.ts'
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

/** `:` or `=`, which joins a field and its value. */
export function sign(text: string): Token {
  return tokenOf(text, SIGN, 'sign', false)
}

const SIGN: WordInfo = { key: ':', classes: W.copula, marks: 0, isContent: false }

/** What is known of a number or a name. */
export function valueInfo(key: string, classes = 0): WordInfo {
  return { key, classes, marks: 0, isContent: true }
}

export const ONE = valueInfo('= 1')

export function tokenOf(
  text: string,
  info: WordInfo,
  kind: TokenKind,
  isQuoted: boolean,
  hasCapital = false,
  dimension = '',
): Token {
  const { key, classes, marks, isContent } = info
  return { text, key, kind, classes, marks, dimension, hasCapital, isQuoted, isContent }
}

/** A token with some fields otherwise. A spread would make an object of another shape, and of many shapes all are read slowly. */
export function tokenWith(token: Token, changed: Partial<Token>): Token {
  const { text, key, kind, classes, marks, dimension, hasCapital, isQuoted, isContent } = {
    ...token,
    ...changed,
  }
  return { text, key, kind, classes, marks, dimension, hasCapital, isQuoted, isContent }
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
  readonly isWish: boolean
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
  /** Which sentence of the text it stands in. */
  readonly sentence: number
  /** `not in euros`, after what is so instead. */
  readonly isContrast: boolean
  /** Is not the whole of its sentence. */
  readonly isPart: boolean
  /** Names several values one after the other. */
  readonly isList: boolean
  /** `In hall 2,`: stands before it in its sentence, and says of what it is said. */
  readonly leadIn: Clause | null
}

/** A clause of which the rest of its sentence is not read yet. */
export type OpenClause = { -readonly [Field in keyof Clause]: Clause[Field] }

/** The words that say what a clause is about, or its value, each once. */
export function contentOf({ tokens, content }: Clause): readonly Token[] {
  const found: Token[] = []
  for (const at of content.values()) {
    const token = tokens[at]
    if (token !== undefined) found.push(token)
  }
  return found
}

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
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.isContent && !content.has(token.key)) content.set(token.key, at)
    if (token.isQuoted) continue
    const isMeasured = (token.classes & W.reading) !== 0 && !isModifier(tokens, at)
    classes |= isMeasured ? token.classes : token.classes & ~W.reading
    marks |= token.marks
    if (
      ((token.marks & M.negation) !== 0 && !isBoundAt(tokens, at) && !isInThe(tokens, at)) ||
      isOutAt(tokens, at)
    )
      negations += 1
  }
  if (content.size === 0 || content.size > CONTENT_MAX) return null
  if ((classes & W.measure) !== 0) nameMeasure(tokens, content)
  if ((classes & W.date) === 0 && tokens.every(({ isContent, hasCapital }) => isContent && hasCapital))
    return null
  return {
    tokens,
    content,
    noLongerAt:
      (marks & (M.more | M.noLonger | M.negation | M.concord | M.stops)) === 0 ? -1 : noLongerIn(tokens),
    changeAt: changeIn(tokens, classes),
    goneAt: goneIn(tokens, classes),
    hasNow:
      (classes & W.now) !== 0 ||
      (marks & M.again) !== 0 ||
      ((classes & (W.when | W.date)) !== 0 && tokens.some((_, at) => isSinceAt(tokens, at))) ||
      ((marks & M.rival) !== 0 && tokens.some((_, at) => isAgainAt(tokens, at))),
    isNegated: ((marks & M.concord) !== 0 && !isOnlyIn(tokens)) || negations % 2 === 1,
    isConditional:
      (classes & W.condition) !== 0 ||
      (((tokens[0]?.marks ?? 0) & M.firstCondition) !== 0 && !isNoCondition(tokens)),
    isPromise:
      (classes & W.promise) !== 0 && !isGermanWish(tokens) && !wouldRather(tokens) && !isSettled(tokens),
    isWish: isWish(tokens, (classes & W.speaker) !== 0),
    isPast: isPastIn(tokens, classes) || tokens.some((_, at) => isUsedToAt(tokens, at)),
    isEvent: tokens.some((_, at) => isEventAt(tokens, at)),
    isPersonal: (classes & W.speaker) !== 0,
    isAnaphoric:
      ((tokens[0]?.marks ?? 0) & (M.owned | M.pronoun)) !== 0 && !tellsThere(tokens) && !tellsChanged(tokens),
    classes,
    marks,
    start,
    end,
    fieldKeys: fieldKeysOf(tokens),
    sentence: 0,
    isContrast: false,
    isPart: false,
    isList: isListed(tokens, marks),
    leadIn: null,
  }
}

/** `the reading room`, `the score sheet`: what is measured is not spoken of. */
function isModifier(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  const next = tokens[at + 1]
  // `Reads on the disk …`
  if (token?.text === 'reads') return ((next?.classes ?? 0) & W.placing) !== 0
  if (token?.text === 'charge') return CHARGING.has(tokens[at - 1]?.text ?? '')
  return token !== undefined && MODIFIERS.has(token.text) && next?.isContent === true && next.kind === 'word'
}

/** Who charges a price measures nothing. */
const CHARGING = wordSet('we they you')
const MODIFIERS = wordSet('reading balance score battery lag load speed pressure usage')

/** `There are 3 desks`, `es gibt`, `il y a`: names what there is. */
function tellsThere([first, second, ...rest]: readonly Token[]): boolean {
  // `This year we start …`
  if (first?.text === 'this' && ((second?.classes ?? 0) & (W.when | W.date)) !== 0) return true
  if (
    first?.text === 'it' &&
    second?.text === 'is' &&
    rest.slice(0, IT_IS_REACH).some(({ text }) => text === 'to')
  )
    return true
  return THERE.get(first?.text ?? '')?.has(second?.text ?? '') === true
}

/** `They moved the safe to …`: what is spoken of stands behind the verb, whoever did it. */
function tellsChanged([who, verb, the, what]: readonly Token[]): boolean {
  return (
    PEOPLE.has(who?.text ?? '') &&
    ((verb?.classes ?? 0) & W.change) !== 0 &&
    ((the?.classes ?? 0) & (W.article | W.placing | W.to)) === W.article &&
    what?.isContent === true
  )
}

const PEOPLE = wordSet('they he she')

/** `It is not safe to …`: what, stands behind. */
const IT_IS_REACH = 3
const THERE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['there', wordSet('is are')],
  ['these', wordSet('days')],
  ['es', wordSet('gibt sind')],
  ['er', wordSet('is zijn')],
])

/** The Portuguese `no pão` is `in the bread`. */
function isInThe(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === 'no' && isPortuguese(tokens)
}

/** `ne … que sept` says `only seven`. */
function isOnlyIn(tokens: readonly Token[]): boolean {
  const que = tokens.findIndex(({ text }, at) => text === 'que' && tokens[at + 1]?.kind === 'number')
  return que > 0 && tokens.slice(0, que).some(({ text }) => text === 'ne')
}

/** `On 3 May it starts`, `Se pueden renovar los libros`: neither puts a case. */
function isNoCondition(tokens: readonly Token[]): boolean {
  const [first, second] = tokens
  if (
    first?.text === 'on' &&
    second !== undefined &&
    (second.kind === 'number' || (second.classes & (W.date | W.article)) !== 0 || second.text === 'day')
  )
    return true
  return isFrenchOn(tokens) || (first?.text === 'se' && tokens.some(({ text }) => SPANISH.has(text)))
}

const SPANISH = wordSet('los las el y por en')

/** `On relance l'impression avec …`: somebody does. */
function isFrenchOn(tokens: readonly Token[]): boolean {
  return (
    tokens[0]?.text === 'on' &&
    (tokens[1]?.text.endsWith('e') === true || FRENCH_IS.has(tokens[1]?.text ?? '')) &&
    tokens.some(({ text }) => FRENCH.has(text))
  )
}

const FRENCH_IS = wordSet('est a va peut')
const FRENCH = wordSet('la le les des une avec pour dans sur du')

/** `would rather`, `would like`: it is wanted. */
function wouldRather(tokens: readonly Token[]): boolean {
  const would = tokens.findIndex(({ text }) => text === 'would')
  return would >= 0 && tokens.slice(would, would + WISH_REACH).some(({ text }) => WISHES.has(text))
}

const WISH_REACH = 4
const WISHES = wordSet('like prefer rather love')

/** `was enabled again`, `ist wieder offen`: it is so now; what `failed again` happened twice. */
function isAgainAt(tokens: readonly Token[], at: number): boolean {
  if (!AGAIN.has(tokens[at]?.text ?? '')) return false
  return [tokens[at - 1], tokens[at + 1]].some(
    (near) => near !== undefined && (near.marks & M.rival) !== 0 && (near.classes & W.event) === 0,
  )
}

const AGAIN = wordSet('again wieder снова opnieuw weer')

/** A word of the past, but not `at once`, `once a week` and `stops once it is full`. */
function isPastIn(tokens: readonly Token[], classes: number): boolean {
  if ((classes & W.past) === 0) return false
  return tokens.some(
    (token, at) =>
      (token.classes & W.past) !== 0 &&
      !(
        token.text === 'once' &&
        (tokens[at - 1]?.isContent === true ||
          tokens[at - 1]?.text === 'at' ||
          ONCE_EACH.has(tokens[at + 1]?.text ?? ''))
      ),
  )
}

const ONCE_EACH = wordSet('a an per every each')

/** `it used to be so`, but not `it is used to …`. */
function isUsedToAt(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== 'used' || tokens[at + 1]?.text !== 'to') return false
  return ((tokens[at - 1]?.classes ?? 0) & W.copula) === 0
}

/** `out of service` denies `in service`, and so does `Keep milk out of the tea`. */
function isOutAt(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== 'out' || tokens[at + 1]?.text !== 'of') return false
  return KEPT.has(tokens[0]?.text ?? '') || STANDS.has(tokens[at + 2]?.text ?? '')
}

/** `no more than five` says how many, and denies nothing. */
function isBoundAt(tokens: readonly Token[], at: number): boolean {
  return ((tokens[at + 1]?.marks ?? 0) & M.side) !== 0 && THAN.has(tokens[at + 2]?.text ?? '')
}

const KEPT = wordSet('keep leave')
const STANDS = wordSet('service stock order use operation sync office scope date')

/** In `the limit is 5` the limit itself is what the clause is about. */
function nameMeasure(tokens: readonly Token[], content: Map<string, number>): void {
  for (const at of content.values()) if (tokens[at]?.kind !== 'number') return
  const at = tokens.findIndex(({ classes }) => (classes & W.measure) !== 0)
  const measure = tokens[at]
  if (measure !== undefined) content.set(measure.key, at)
}

/** `Der Kunde will per Post beliefert werden`: he wants it. */
function isGermanWish(tokens: readonly Token[]): boolean {
  if (!tokens.some(({ text }) => text === 'will')) return false
  return (
    tokens.every(({ text, classes }) => text === 'will' || (classes & W.promise) === 0) &&
    tokens.some(({ text }) => GERMAN.has(text))
  )
}

const GERMAN = wordSet(
  'herr frau als der die das den dem ein eine einen einem per auf im mit für von zu nicht kein keine keinen haben werden',
)

function fieldKeysOf(tokens: readonly Token[]): readonly string[] {
  const sign = tokens.findIndex(({ kind }) => kind === 'sign')
  if (sign < 1) return NO_KEYS
  return tokens
    .slice(0, sign)
    .filter(({ isContent }) => isContent)
    .map(({ key }) => key)
}

const NO_KEYS: readonly string[] = []
