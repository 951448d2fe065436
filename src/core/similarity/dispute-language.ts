import {
  ENGLISH_WORDS,
  FRENCH_WORDS,
  GERMAN_WORDS,
  PORTUGUESE_WORDS,
  SPANISH_WORDS,
} from '../text/everyday-words.ts'
import { CONCEPT_LANGUAGES } from './concepts.ts'
import { CHINESE, type Column, JAPANESE, RUSSIAN, wordsIn } from './dispute-concepts.ts'
import { wordsOf } from './fact-words.ts'

// In which language a text is.

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

/** By word, a bit for each language that has it. */
const LANGUAGES_OF: ReadonlyMap<string, number> = languagesByWord()

function languagesByWord(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const add = (word: string, column: Column): void => {
    found.set(word, (found.get(word) ?? 0) | (1 << column))
  }
  for (const [column, words] of FUNCTION_WORDS.entries()) {
    for (const word of wordsOf(words)) add(word, column)
    for (const word of wordsIn(column)) add(word, column)
  }
  return found
}

/** The languages that a text may be in, a bit each: those with most of its words; 0 where none has any. */
export function languagesOf(spelling: readonly string[]): number {
  const votes = new Int32Array(CONCEPT_LANGUAGES.length)
  let dense = 0
  for (const word of spelling) {
    const code = word.charCodeAt(0)
    if (code >= 0x400 && code < 0x530) votes[RUSSIAN] = (votes[RUSSIAN] ?? 0) + 1
    else if (code > 0x2e7f) {
      dense |= isKana(word) ? 1 << JAPANESE : 1 << CHINESE
    } else
      for (let rest = LANGUAGES_OF.get(word) ?? (ELIDED.test(word) ? ELIDING : 0); rest !== 0; rest &= rest - 1) {
        const column = 31 - Math.clz32(rest & -rest)
        votes[column] = (votes[column] ?? 0) + 1
      }
  }
  if (dense !== 0) return (dense & (1 << JAPANESE)) === 0 ? dense : 1 << JAPANESE
  let most = 0
  let languages = 0
  for (const [column, count] of votes.entries()) {
    if (count < most || count === 0) continue
    languages = count > most ? 1 << column : languages | (1 << column)
    most = count
  }
  return languages
}

/** `l'accès`, `dell'ufficio` */
const ELIDED = /^(?:[ldn]|qu|dell|all|nell|un)'/
const ELIDING = (1 << CONCEPT_LANGUAGES.indexOf('fr')) | (1 << CONCEPT_LANGUAGES.indexOf('it'))

function isKana(word: string): boolean {
  return /[\u3040-\u30ff]/.test(word)
}
