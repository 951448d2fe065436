import { isExactIdentifier } from './identifiers.ts'
import {
  ENGLISH,
  isStopWordOf,
  LATIN_LANGUAGES,
  LanguageVotes,
  languageOfWord,
  wordMaskOf,
} from './languages.ts'
import { eachToken, GRAM, WORD } from './tokens.ts'
import { type Stemmer, spellingsOf } from './word-forms.ts'

export interface QueryTerm {
  /**
   * As the index may spell it: a whole identifier, a pair of characters, or stems. A word of a query whose language
   * is not told has those of every language; whatever of them the index holds counts as this one term.
   */
  readonly spellings: readonly string[]
  /** A path, symbol, id, version or error code that the query names. */
  readonly isExact: boolean
  /** A word of a language, not a part of an identifier: it may be mistyped. */
  readonly isWord: boolean
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

interface Word {
  readonly spoken: string
  readonly folded: string
  readonly mask: number
  /** Cut out of an identifier. */
  readonly isPart: boolean
}

/** At most 256 distinct terms, the first ones. */
export function parseQuery(text: string, stemmer: Stemmer): Query {
  const tokens: { readonly word: Word | null; readonly spelling: string; readonly isExact: boolean }[] = []
  const votes = new LanguageVotes()
  eachToken(clipped(text), (source, start, end, kind, isPart) => {
    const spelling = source.lower.slice(start, end)
    const isExact = !isPart && kind !== GRAM && isExactIdentifier(source.cased, start, end)
    if (kind !== WORD) {
      tokens.push({ word: null, spelling, isExact })
      return
    }
    const spoken = source.spoken.slice(start, end)
    const mask = wordMaskOf(spoken, spelling)
    votes.add(mask)
    tokens.push({ word: { spoken, folded: spelling, mask, isPart }, spelling, isExact })
  })
  const told = votes.winner()
  const terms = new Map<string, QueryTerm>()
  for (const { word, spelling, isExact } of tokens) {
    const spellings = word === null ? [spelling] : wordSpellings(word, told, stemmer)
    const [first] = spellings
    if (first === undefined) continue
    if (terms.has(first) ? !isExact : terms.size >= QUERY_TERMS_MAX) continue
    terms.set(first, { spellings, isExact, isWord: word !== null && !word.isPart && !isExact })
  }
  const all = [...terms.values()]
  return { terms: all, identifiers: all.flatMap((term) => (term.isExact ? (term.spellings[0] ?? []) : [])) }
}

/** Empty for a stop word. English is asked beside another language: texts without a stop word are indexed as English. */
function wordSpellings(word: Word, told: number | null, stemmer: Stemmer): readonly string[] {
  const own = languageOfWord(word.mask, told ?? ENGLISH)
  if (isStopWordOf(word.mask, own)) return []
  const asked = own !== (told ?? ENGLISH) ? [own] : told === null ? LATIN_LANGUAGES : [own, ENGLISH]
  const found = new Set<string>()
  for (const language of asked) {
    for (const spelling of spellingsOf(word.spoken, word.folded, stemmer, language)) found.add(spelling)
  }
  return [...found]
}

function clipped(text: string): string {
  if (text.length <= QUERY_CHARS_MAX) return text
  const half = QUERY_CHARS_MAX / 2
  return `${text.slice(0, half)} ${text.slice(-half)}`
}
