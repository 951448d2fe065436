import {
  ENGLISH_WORDS,
  FRENCH_WORDS,
  GERMAN_WORDS,
  PORTUGUESE_WORDS,
  SPANISH_WORDS,
} from '../text/everyday-words.ts'
import { CONCEPT_LANGUAGES } from './concepts.ts'
import { CHINESE, JAPANESE, RUSSIAN, wordsIn } from './dispute-concepts.ts'
import { wordsOf } from './fact-words.ts'

// In which language a text is.

/** By what a text is compared with one of another language. */
export interface CommonWords<Reading> {
  /** The languages that it may be in; see `languagesOf`. */
  readonly languages: number
  /** The text in common words, once that was asked for; see `inCommonWords`. */
  reading: Reading | null
}

const ITALIAN_WORDS = `
  il lo la i gli le un uno una di del della dei delle dello a al alla alle ai da dal dalla in nel nella nei con su sul sulla per tra fra e ed o ma se che chi non
  è sono era ha hanno si ci più anche come questo questa ogni entro dopo prima presso viene vengono deve devono può nostro nostra nostri`
const DUTCH_WORDS = `
  de het een van in op aan met voor bij naar uit tot door om over onder en of maar als dat die dit deze is zijn was waren wordt worden heeft hebben niet geen
  ook nog wel er hij zij wij we ons onze elke moet moeten mag mogen kan gaat staat na tussen tegen binnen zonder`

const FUNCTION_WORDS: readonly string[] = [
  ENGLISH_WORDS,
  GERMAN_WORDS,
  FRENCH_WORDS,
  SPANISH_WORDS,
  ITALIAN_WORDS,
  PORTUGUESE_WORDS,
  DUTCH_WORDS,
]

/** Votes are counted as digits of one number, a language each; so many words are asked. */
const DIGIT_BITS = 7
const WORDS_MAX = 2 ** DIGIT_BITS - 1
const ONE: readonly number[] = FUNCTION_WORDS.map((_, column) => 2 ** (DIGIT_BITS * column))

/** By word, one vote for each language that has it. */
const VOTES: ReadonlyMap<string, number> = votesByWord()

function votesByWord(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [column, words] of FUNCTION_WORDS.entries())
    for (const word of new Set([...wordsOf(words), ...wordsIn(column)]))
      found.set(word, (found.get(word) ?? 0) + (ONE[column] ?? 0))
  return found
}

/** `l'accès`, `dell'ufficio` */
const ELIDED = /^(?:[ldn]|qu|dell|all|nell|un)'/
const ELIDING = (ONE[CONCEPT_LANGUAGES.indexOf('fr')] ?? 0) + (ONE[CONCEPT_LANGUAGES.indexOf('it')] ?? 0)

/** The languages that a text may be in, a bit each: those with most of its words; 0 where none has any. */
export function languagesOf(spelling: readonly string[]): number {
  const size = Math.min(spelling.length, WORDS_MAX)
  let votes = 0
  let russian = 0
  let dense = 0
  for (let at = 0; at < size; at += 1) {
    const word = spelling[at] ?? ''
    const code = word.charCodeAt(0)
    if (code < 0x400) votes += VOTES.get(word) ?? (word.includes("'") && ELIDED.test(word) ? ELIDING : 0)
    else if (code < 0x530) russian += 1
    else if (code > 0x2e7f) dense |= KANA.test(word) ? 1 << JAPANESE : 1 << CHINESE
  }
  if (dense !== 0) return (dense & (1 << JAPANESE)) === 0 ? dense : 1 << JAPANESE
  let most = russian
  let languages = russian === 0 ? 0 : 1 << RUSSIAN
  for (let column = 0; votes > 0; column += 1) {
    const count = votes % (WORDS_MAX + 1)
    votes = (votes - count) / (WORDS_MAX + 1)
    if (count < most || count === 0) continue
    languages = count > most ? 1 << column : languages | (1 << column)
    most = count
  }
  return languages
}

const KANA = /[\u3040-\u30ff]/
