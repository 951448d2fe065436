import {
  ENGLISH_WORDS,
  FRENCH_WORDS,
  GERMAN_WORDS,
  PORTUGUESE_WORDS,
  SPANISH_WORDS,
} from '../text/everyday-words.ts'
import { PARTICLES, PREDICATES } from './concept-words.ts'
import { CONCEPT_LANGUAGES, CONCEPTS } from './concepts.ts'
import { THINGS } from './concepts-places.ts'
import { infoOf, wordsOfCompound } from './dispute-lexicon.ts'
import { rowsOf, wordsOf } from './fact-words.ts'

// Looks words of several languages up in the table of concepts.

/** A language, by its column. */
export type Column = number

export const ENGLISH: Column = 0
export const GERMAN: Column = CONCEPT_LANGUAGES.indexOf('de')
export const DUTCH: Column = CONCEPT_LANGUAGES.indexOf('nl')
export const RUSSIAN: Column = CONCEPT_LANGUAGES.indexOf('ru')
export const CHINESE: Column = CONCEPT_LANGUAGES.indexOf('zh')
export const JAPANESE: Column = CONCEPT_LANGUAGES.indexOf('ja')

/** The English words of what is meant: `coffee machine` is two. */
type Heads = readonly string[]

interface Phrase {
  readonly stems: readonly string[]
  readonly heads: Heads
}

/** What one language calls things. */
interface Vocabulary {
  readonly exact: ReadonlyMap<string, Heads>
  readonly byStem: ReadonlyMap<string, Heads>
  /** Of several words one after the other, by the first. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>
  /** Verbs by the particle at the end: `findet … statt`. */
  readonly parted: ReadonlyMap<string, ReadonlyMap<string, Heads>>
}

const ENDINGS: readonly (RegExp | null)[] = [
  null,
  /(?<=\p{L}{4})(?:e[nrms]?|ern|n|s)$/u,
  /(?<=\p{L}{2})(?:e?s|e|x)$/u,
  /(?<=\p{L}{2})(?:(?<=[aeioué])s|(?<=[^aeiou])es)$/u,
  /(?<=\p{L}{2})[aeio]$/u,
  /(?<=\p{L}{2})(?:(?<=[aeiouãé])s|(?<=[rzs])es)$/u,
  /(?<=\p{L}{4})(?:e[ns]?|s|n)$/u,
  /(?<=\p{L}{3})(?:ами|ями|ого|его|ому|ему|ыми|ими|ов|ев|ей|ой|ый|ий|ая|яя|ое|ее|ые|ие|ую|юю|ах|ях|ам|ям|ом|ем|[аеёиоуыэюяйь])$/u,
  null,
  null,
]

/** One form of the inflections of a word of a language. */
function stemIn(column: Column, word: string): string {
  if (column === ENGLISH) return infoOf(word).key
  const ending = ENDINGS[column] ?? null
  if (ending === null) return word
  const cut = word.replace(ending, '')
  if (column === GERMAN) return cut.replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)
  return column === DUTCH ? cut.replace(/(.)\1/g, '$1').replace(/v$/, 'f').replace(/z$/, 's') : cut
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u' }

/** Rows of cells of words. */
export const CONCEPT_ROWS = rowsOf(`${PARTICLES}${PREDICATES}${CONCEPTS}${THINGS}`)

const VOCABULARIES: readonly Vocabulary[] = CONCEPT_LANGUAGES.map((_, column) => vocabularyOf(column))
/** Every word that the table calls something by. */
export const CONCEPT_HEADS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ exact }) => [...exact.values()].flat()),
)

function vocabularyOf(column: Column): Vocabulary {
  const exact = new Map<string, Heads>()
  const byStem = new Map<string, Heads>()
  const phrases = new Map<string, Phrase[]>()
  const parted = new Map<string, Map<string, Heads>>()
  for (const cells of CONCEPT_ROWS) {
    const heads = cells[0]?.[0]?.split('_')
    if (heads === undefined) continue
    for (const entry of cells[column] ?? []) {
      const [verb = '', particle] = entry.split('~')
      const words = verb.split('_').flatMap((word) => wordsOfCompound(word))
      const [first = ''] = words
      if (particle !== undefined) {
        const verbs = parted.get(particle) ?? new Map<string, Heads>()
        parted.set(particle, verbs.set(verb, heads))
      } else if (words.length > 1) {
        const stems = words.map((word) => stemIn(column, word))
        phrases.set(first, [...(phrases.get(first) ?? []), { stems, heads }])
      } else {
        if (!exact.has(first)) exact.set(first, heads)
        const stem = stemIn(column, first)
        if (!byStem.has(stem)) byStem.set(stem, heads)
      }
    }
  }
  return { exact, byStem, phrases, parted }
}

/** What a word of a language means; null where the table does not say. */
export function conceptOf(column: Column, word: string): Heads | null {
  return VOCABULARIES[column]?.exact.get(word) ?? null
}

/** As `conceptOf`, of another form of the word. */
export function conceptOfForm(column: Column, word: string): Heads | null {
  if (word.length < FORM_CHARS_MIN) return null
  return VOCABULARIES[column]?.byStem.get(stemIn(column, word)) ?? null
}

/** Shorter words are mostly others of their own. */
const FORM_CHARS_MIN = 4

const NOTHING: Vocabulary = { exact: new Map(), byStem: new Map(), phrases: new Map(), parted: new Map() }

/** The phrase that begins at a word, and how many words it has. */
export function phraseIn(
  column: Column,
  words: readonly { readonly text: string }[],
  at: number,
): { readonly heads: Heads; readonly size: number } | null {
  const found = VOCABULARIES[column]?.phrases.get(words[at]?.text ?? '')
  if (found === undefined) return null
  let best: Phrase | null = null
  for (const phrase of found)
    if (
      phrase.stems.length > (best?.stems.length ?? 0) &&
      phrase.stems.every((stem, offset) => stemIn(column, words[at + offset]?.text ?? '') === stem)
    )
      best = phrase
  return best === null ? null : { heads: best.heads, size: best.stems.length }
}

/** What a verb means whose particle ends the sentence. */
export function partedVerb(column: Column, verb: string, particle: string): Heads | null {
  return VOCABULARIES[column]?.parted.get(particle)?.get(verb) ?? null
}

/** Whether a verb may stand before a particle at the end. */
export function isParticle(column: Column, word: string): boolean {
  return VOCABULARIES[column]?.parted.has(word) === true
}

const COMPOUND_CHARS_MIN = 7
const PART_CHARS_MIN = 3

/** The parts of a German or Dutch compound, each of them known; null where one is not. */
export function partsOf(column: Column, word: string, left = 2): Heads | null {
  if ((column !== GERMAN && column !== DUTCH) || word.length < COMPOUND_CHARS_MIN) return null
  for (let size = word.length - PART_CHARS_MIN; size >= PART_CHARS_MIN; size -= 1) {
    const first = partOf(column, word.slice(0, size))
    if (first === null) continue
    const rest = word.slice(size)
    const second =
      partOf(column, rest) ??
      conceptOfForm(column, rest) ??
      (left > 1 ? partsOf(column, rest, left - 1) : null)
    if (second !== null) return [...first, ...second]
  }
  return null
}

/** A part as it is, or with what joins it to the next: `Sitzungs-`, `Kunden-`. */
function partOf(column: Column, part: string): Heads | null {
  const { exact } = VOCABULARIES[column] ?? NOTHING
  const heads =
    exact.get(part) ??
    exact.get(part.replace(/(?:s|n|en|er)$/, '')) ??
    exact.get(`${part}e`) ??
    VOCABULARIES[ENGLISH]?.exact.get(part)
  return heads === undefined || PARTICLE_HEADS.has(heads[0] ?? '') ? null : heads
}

const PARTICLE_HEADS: ReadonlySet<string> = new Set(
  PARTICLES.split('\n').map((row) => row.split('|')[0]?.trim() ?? ''),
)

/** Keys of English words that the table puts in other words, or with which a phrase of it begins, but for `in`. */
export const REWORDED: ReadonlySet<string> = rewordedInEnglish()
/** Those of its English words of which the key does not tell that they are read otherwise in common words. */
export const REWORDED_FORMS: ReadonlySet<string> = new Set(
  [...(VOCABULARIES[ENGLISH]?.exact ?? [])].flatMap(([word, heads]) => {
    const { key } = infoOf(word)
    return word === 'may' || (isOtherWord(key, heads) && !REWORDED.has(key)) ? word : []
  }),
)

function rewordedInEnglish(): ReadonlySet<string> {
  const { byStem, phrases } = VOCABULARIES[ENGLISH] ?? NOTHING
  const keys = new Set([...phrases.keys()].filter((word) => word !== 'in').map((word) => infoOf(word).key))
  for (const [key, heads] of byStem) if (isOtherWord(key, heads)) keys.add(key)
  return keys
}

function isOtherWord(key: string, heads: Heads): boolean {
  return heads.length > 1 || infoOf(heads[0] ?? '').key !== key
}

/** The words of a language, to tell it by. */
export function wordsIn(column: Column): Iterable<string> {
  return VOCABULARIES[column]?.exact.keys() ?? []
}

/** Whether the table knows a word for something, and not only for an article or what leads to a place. */
export function isThing(word: string): boolean {
  return CONCEPT_HEADS.has(word) && !PARTICLE_HEADS.has(word)
}

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
