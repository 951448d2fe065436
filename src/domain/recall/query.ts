import { type Stemmer, termOfWord } from './dictionary.ts'
import { isExactIdentifier } from './identifiers.ts'
import { eachToken, GRAM, WORD } from './tokens.ts'

export interface QueryTerm {
  /** As the index spells it: a stem, a whole identifier, a pair of characters. */
  readonly spelling: string
  /** A path, symbol, id, version or error code that the query names. */
  readonly isExact: boolean
}

/** A query text, understood once; it can be asked of any index of the same language. */
export interface Query {
  /** Distinct, in order of first occurrence. Empty when the text has no content word. */
  readonly terms: readonly QueryTerm[]
  /** Exact identifiers, folded and in small letters. */
  readonly identifiers: readonly string[]
}

/** Of a longer text the beginning and the end are asked, half of this each. */
const QUERY_CHARS_MAX = 16_384
const QUERY_TERMS_MAX = 256

/** At most 256 distinct terms, the first ones. */
export function parseQuery(text: string, stemmer: Stemmer): Query {
  const terms = new Map<string, QueryTerm>()
  eachToken(clipped(text), (source, start, end, kind, isPart) => {
    const token = source.lower.slice(start, end)
    const isExact = !isPart && kind !== GRAM && isExactIdentifier(source.cased, start, end)
    const spelling = kind === WORD ? termOfWord(token, stemmer) : token
    if (spelling === null) return
    if (terms.has(spelling) ? !isExact : terms.size >= QUERY_TERMS_MAX) return
    terms.set(spelling, { spelling, isExact })
  })
  const all = [...terms.values()]
  return { terms: all, identifiers: all.filter((term) => term.isExact).map((term) => term.spelling) }
}

function clipped(text: string): string {
  if (text.length <= QUERY_CHARS_MAX) return text
  const half = QUERY_CHARS_MAX / 2
  return `${text.slice(0, half)} ${text.slice(-half)}`
}
