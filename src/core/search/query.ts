import { isCommitId, isExactIdentifier } from '../text/identifiers.ts'
import { eachWord, type PlainSink, UNLESS_DIGITS } from './plain-words.ts'
import { type FoldedText, GRAM, SHORT, SIDE, WORD } from './tokens.ts'
import { type AskedWord, ENGLISH, type Words } from './words.ts'

/** A word, or a whole identifier or pair of characters; whatever of its spellings the index holds counts as this one term. */
export interface QueryTerm extends AskedWord {
  /** A path, symbol, id, version or error code that the query names. */
  readonly isExact: boolean
  /** A word of a language, not a part of an identifier: it may be mistyped. */
  readonly isWord: boolean
  /** Two neighbouring characters. */
  readonly isPair: boolean
  /** Cut out of a compound or an identifier. */
  readonly isPart: boolean
}

/** A query text, understood once; it can be asked of any index with the same stemmer. */
export interface Query {
  /** Distinct, in order of first occurrence. Empty when the text has no content word. */
  readonly terms: readonly QueryTerm[]
  /** Exact identifiers, folded and in small letters. */
  readonly identifiers: readonly string[]
}

/** Of a longer text the beginning and the end are asked, half of this each. */
const QUERY_CHARS_MAX = 16_384
const QUERY_TERMS_MAX = 256

const NONE: readonly string[] = []

interface Token {
  readonly spelling: string
  readonly isExact: boolean
  /** Its number among the words; null: an identifier or a pair of characters. */
  readonly word: number | null
  /** Cut out of an identifier. */
  readonly isPart: boolean
  readonly isPair: boolean
  /** Other spellings of an exact identifier. */
  others: readonly string[]
}

/** At most 256 distinct terms, the first ones. */
export function parseQuery(text: string, words: Words): Query {
  words.tidy()
  const tokens: Token[] = []
  const { plain, votes } = words
  votes.clear()
  const onPlain: PlainSink = (source, start, end) => {
    const entry = plain.entryOf(source, start, end, words)
    votes.add(plain.maskAt(entry))
    const word = plain.wordAt(entry)
    // Its spelling is not asked for.
    tokens.push({ spelling: '', isExact: false, word, isPart: false, isPair: false, others: NONE })
  }
  eachWord(readPartOf(text), plain, UNLESS_DIGITS, onPlain, (source, start, end, kind, isPart) => {
    const spelling = source.lower.slice(start, end)
    if (kind === SHORT) {
      // It belongs to the identifier before it. Who wrote no more than the short form is meant too.
      const whole = tokens.at(-1)
      if (whole?.isExact === true) whole.others = [...whole.others, spelling.slice(1)]
      return
    }
    const isExact = !isPart && kind !== GRAM && isExactIn(source, start, end, kind)
    const word = kind === WORD ? words.numberOf(source.spoken, start, end) : null
    if (word !== null) votes.add(words.maskOf(word))
    const others = isExact ? longerForms(spelling) : NONE
    tokens.push({ spelling, isExact, word, isPart, isPair: kind === GRAM, others })
  })
  const told = votes.winner() ?? ENGLISH
  const besides = votes.besides(told)
  const isSure = besides === 0 && votes.isSure()
  const terms = new Map<string, QueryTerm>()
  for (const [at, { word, spelling, isExact, isPart, isPair, others }] of tokens.entries()) {
    // Only an identifier still changes a term: the stems of all words of a long text take longer than the rest of a guide.
    if (terms.size >= QUERY_TERMS_MAX && !isExact) continue
    // A small word of the second language of a question says as little as one of the first.
    if (word !== null && (words.maskOf(word) & besides) !== 0) continue
    const asked = word === null ? null : words.askedAs(word, told, isSure)
    const spellings = asked === null ? [spelling, ...others] : asked.spellings
    const [first] = spellings
    if (first === undefined) continue
    if (terms.has(first) ? !isExact : terms.size >= QUERY_TERMS_MAX) continue
    const isWord = asked !== null && !isPart && !isExact
    const { otherForms: forms, related, isEveryday } = isWord ? asked : NOT_A_WORD
    const next = isWord ? (tokens[at + 1]?.word ?? null) : null
    const whole = word === null || next === null ? null : words.joined(word, next, told)
    const otherForms = whole === null ? forms : [...forms, whole]
    terms.set(first, { spellings, otherForms, related, isExact, isWord, isPair, isPart, isEveryday })
  }
  const all = withoutRepeated(terms)
  const identifiers = all.filter(({ isExact }) => isExact).flatMap(({ spellings }) => spellings[0] ?? [])
  return { terms: all, identifiers }
}

const NOT_A_WORD: Omit<AskedWord, 'spellings'> = { otherForms: [], related: [], isEveryday: false }

/** A related word counts once, and not when the query names it. */
function withoutRepeated(terms: ReadonlyMap<string, QueryTerm>): readonly QueryTerm[] {
  const all = [...terms.values()]
  if (all.every(({ related }) => related.length === 0)) return all
  const taken = new Set(terms.keys())
  return all.map((term) => {
    const related = term.related.filter((spelling) => !taken.has(spelling))
    for (const spelling of related) taken.add(spelling)
    return { ...term, related }
  })
}

const HYPHEN = 45

/** A flag is a name, and so is each side of a compound that is one symbol or a package before its version. */
function isExactIn({ cased }: FoldedText, start: number, end: number, kind: number): boolean {
  if (isExactIdentifier(cased, start, end)) return true
  if (kind === SIDE) return cased.startsWith('@', end) || /^\w+$/.test(cased.slice(start, end))
  return cased.charCodeAt(start) === HYPHEN
}

const MEMBER = /^(\p{L}.*)\.\p{L}[^.]*$/u

/** How a text that names it at more length is indexed: with the joint before it. Also what a qualified name is a member of. */
function longerForms(spelling: string): string[] {
  if (spelling.includes('/')) return [`/${spelling}`]
  if (spelling.includes('::')) return [`:${spelling}`]
  if (isCommitId(spelling, 0, spelling.length)) return [`~${spelling}`]
  if (!spelling.includes('.')) return []
  const owner = MEMBER.exec(spelling)?.[1] ?? ''
  return owner.includes('.') ? [`.${spelling}`, owner] : [`.${spelling}`]
}

/** What is read of a question: all of it, or its beginning and its end. */
export function readPartOf(text: string): string {
  if (text.length <= QUERY_CHARS_MAX) return text
  const half = QUERY_CHARS_MAX / 2
  return `${text.slice(0, half)} ${text.slice(-half)}`
}
