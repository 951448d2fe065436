import { DENSE_NEGATIONS, DENSE_NO_LONGER } from './dense-words.ts'
import { W } from './dispute-words.ts'
import { isConcordNegation, isNegation, wordSet } from './fact-words.ts'

export type TokenKind = 'word' | 'number' | 'name' | 'id' | 'sign'

/** A word, number or name of a clause, in small letters. */
export interface Token {
  readonly text: string
  /** Equal for inflections of one word and for spellings of one quantity. */
  readonly key: string
  readonly kind: TokenKind
  /** Bits of `W`. */
  readonly classes: number
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
  readonly isPersonal: boolean
  /** Speaks of `it` or `his`: of what, only the sentence before says. */
  readonly isAnaphoric: boolean
  /** All classes of its words together. */
  readonly classes: number
  /** Where it stands in the text that was read. */
  readonly start: number
  readonly end: number
  /** Equal for clauses of the same words. */
  readonly spelling: string
  /** Content before the first `:` or `=`; none where there is no such sign. */
  readonly fieldKeys: readonly string[]
  /** Is not the whole of its sentence. */
  readonly isPart: boolean
  /** Names several values one after the other. */
  readonly isList: boolean
}

/** Longer clauses tell a story. */
const CONTENT_MAX = 24

/** A word that denies, or that names what is forbidden. */
export function isNegative(word: string): boolean {
  return isNegation(word) || isConcordNegation(word) || FORBIDS.has(word) || DENSE_NEGATIONS.has(word)
}

/** What a run of words says; null when it says nothing, or tells a story. */
export function clauseOf(tokens: readonly Token[], start: number, end: number): Clause | null {
  const content = new Map<string, number>()
  let classes = 0
  let negations = 0
  let hasConcord = false
  let isConditional = false
  let changeAt = -1
  let goneAt = -1
  let noLongerAt = -1
  let isList = false
  for (const [at, token] of tokens.entries()) {
    if (token.isContent && !content.has(token.key)) content.set(token.key, at)
    if (token.isQuoted) continue
    classes |= token.classes
    if (isConcordNegation(token.text)) hasConcord = true
    else if (isNegative(token.text)) negations += 1
    if ((token.classes & W.condition) !== 0 || (at === 0 && FIRST_CONDITIONS.has(token.text)))
      isConditional = true
    if (changeAt === -1 && (token.classes & W.change) !== 0) changeAt = at
    if (goneAt === -1 && (token.classes & W.gone) !== 0) goneAt = at
    if (noLongerAt === -1 && isNoLongerAt(tokens, at)) noLongerAt = at
    if (ANDS.has(token.text)) isList = true
  }
  if (content.size === 0 || content.size > CONTENT_MAX) return null
  if (tokens.every(({ isContent, hasCapital }) => isContent && hasCapital)) return null
  return {
    tokens,
    content,
    noLongerAt,
    changeAt,
    goneAt,
    hasNow: (classes & W.now) !== 0,
    isNegated: hasConcord || negations % 2 === 1,
    isConditional,
    isPromise: (classes & W.promise) !== 0,
    isPast: (classes & W.past) !== 0,
    isPersonal: (classes & W.speaker) !== 0,
    isAnaphoric: tokens.some(({ text }, at) => OWNED.has(text) || (at === 0 && PRONOUNS.has(text))),
    classes,
    start,
    end,
    spelling: tokens.map(({ text }) => text).join(' '),
    fieldKeys: fieldKeysOf(tokens),
    isPart: false,
    isList,
  }
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

const FORBIDS: ReadonlySet<string> = new Set(
  `forbidden prohibited banned disallowed verboten interdit interdite prohibido prohibida proibido proibida vietato verboden запрещено
   запрещён запрещен запрещена zabronione yasak 禁止 금지`.split(/\s+/),
)
const FIRST_CONDITIONS: ReadonlySet<string> = new Set(['si', 'se', 's', 'als', 'should', 'once', 'on'])
const OWNED: ReadonlySet<string> = wordSet('his her hers their theirs ihr sein seine')
const PRONOUNS: ReadonlySet<string> = wordSet(
  'it its he she they this that these those there es er sie dies ce cela il elle ils elles esto eso isto isso questo он она оно они это это which who where welche',
)
const ANDS: ReadonlySet<string> = new Set(
  'and or und oder et ou y e o en of и или i lub ve veya 和 或 や と 및'
    .split(' ')
    .filter((word) => !['e', 'o', 'of', 'en', 'i'].includes(word)),
)

/** Words that with a negation before them say `no longer`. */
const MORE: ReadonlySet<string> = new Set([
  'longer',
  'anymore',
  'more',
  'mehr',
  'plus',
  'più',
  'meer',
  'mais',
  'больше',
])
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
  if (DENSE_NO_LONGER.has(word)) return true
  const before = tokens[at - 1]?.text ?? ''
  if (PAIRS.get(before) === word) return true
  if (!MORE.has(word) || THAN.has(tokens[at + 1]?.text ?? '')) return false
  for (let back = at - 1; back >= 0 && back >= at - REACH; back -= 1) {
    const text = tokens[back]?.text ?? ''
    if (isNegation(text) || isConcordNegation(text)) return true
  }
  return word === 'anymore'
}
