import {
  ENGLISH_WORDS,
  EVERYDAY_ENGLISH,
  EVERYDAY_FRENCH,
  EVERYDAY_GERMAN,
  EVERYDAY_PORTUGUESE,
  EVERYDAY_RUSSIAN,
  EVERYDAY_SPANISH,
  FRENCH_WORDS,
  GERMAN_WORDS,
  PORTUGUESE_WORDS,
  RUSSIAN_WORDS,
  SPANISH_WORDS,
} from '../text/everyday-words.ts'
import { RELATED_ENGLISH, RELATED_FRENCH, RELATED_GERMAN, RELATED_SPANISH } from '../text/related-words.ts'
import { fold } from '../text/unicode.ts'
import { PlainWords } from './plain-words.ts'
import { RelatedWords } from './related-words.ts'
import { Spellings } from './spellings.ts'

/** Languages whose words are stemmed, by number. A text in none of them is indexed by its words as they stand. */
export const LANGUAGES = ['english', 'german', 'french', 'spanish', 'portuguese', 'russian'] as const
export type LanguageName = (typeof LANGUAGES)[number]

/** What a text counts as whose words tell nothing: identifiers and technical words are mostly English. */
export const ENGLISH = 0
const RUSSIAN = 5
const LATIN_LANGUAGES: readonly number[] = LANGUAGES.map((_, number) => number).filter((n) => n !== RUSSIAN)
const LISTS = [ENGLISH_WORDS, GERMAN_WORDS, FRENCH_WORDS, SPANISH_WORDS, PORTUGUESE_WORDS, RUSSIAN_WORDS]

const EVERYDAY_LISTS = [
  EVERYDAY_ENGLISH,
  EVERYDAY_GERMAN,
  EVERYDAY_FRENCH,
  EVERYDAY_SPANISH,
  EVERYDAY_PORTUGUESE,
  EVERYDAY_RUSSIAN,
]

/** By language, those that have one. */
const RELATED_LISTS = [RELATED_ENGLISH, RELATED_GERMAN, RELATED_FRENCH, RELATED_SPANISH]

const LANGUAGE_BITS = (1 << RUSSIAN) - 1

const CYRILLIC_FIRST = 0x400
const CYRILLIC_LAST = 0x52f

const masks: ReadonlyMap<string, number> = masksOf(LISTS)

/** Set in the mask of a word whose letters tell its language, whatever stands around it. */
const CYRILLIC_BIT = 1 << 16

/** Set in the mask of what stands behind English verbs of two words: roll out, clean up, shut down. */
const PARTICLE_BIT = 1 << 17
const PARTICLES: ReadonlySet<string> = new Set('out up down off back'.split(' '))

/** A bit for each language in which the word says nothing, and what its letters tell. In small letters, not empty. */
export function wordMaskOf(spoken: string, folded: string): number {
  const code = spoken.charCodeAt(0)
  const isCyrillic = code >= CYRILLIC_FIRST && code <= CYRILLIC_LAST
  const ofLetters = (isCyrillic ? CYRILLIC_BIT : 0) | (PARTICLES.has(spoken) ? PARTICLE_BIT : 0)
  return (masks.get(spoken) ?? 0) | (masks.get(folded) ?? 0) | ofLetters
}

export function isStopWordOf(mask: number, language: number): boolean {
  return (mask & (1 << language)) !== 0
}

/** Words of a language that any text may hold: sharing one says little. As written. */
export function everydayWordsOf(language: number): readonly string[] {
  return (EVERYDAY_LISTS[language] ?? '').split(/\s+/).filter((word) => word !== '')
}

/** The language of a word: of a Cyrillic one Russian, of another that of its text. */
export function languageOfWord(mask: number, ofText: number): number {
  return (mask & CYRILLIC_BIT) === 0 ? ofText : RUSSIAN
}

/** Stop words of another language from which on a text is in both. */
const SECOND_WORDS = 3

/** Tells the language of a text by its stop words. */
export class LanguageVotes {
  // By the languages of which a word is a stop word: how many words.
  readonly #words = new Int32Array(LANGUAGE_BITS + 1)
  readonly #votes = new Int32Array(RUSSIAN)
  /** The first one with most votes. */
  #first = 0

  clear(): void {
    this.#words.fill(0)
  }

  /** Counts a word. Without a branch: which words are stop words cannot be guessed. */
  add(mask: number): void {
    const languages = mask & LANGUAGE_BITS
    this.#words[languages] = (this.#words[languages] ?? 0) + 1
  }

  /** The language with most votes, at a tie the first; null without a vote. Russian is told by its letters alone. */
  winner(): number | null {
    this.#count(0)
    return this.#votes[this.#first] === 0 ? null : this.#first
  }

  /** Whether one language has most votes: a short question may be in either of two. */
  isSure(): boolean {
    const winner = this.winner()
    return winner !== null && this.#votes.lastIndexOf(this.#votes[winner] ?? 0) === winner
  }

  /** A bit for each other language of which so many words stand in the text that say nothing there and something in this one. */
  besides(told: number): number {
    this.#count(1 << told)
    return this.#votes.reduce(
      (found, words, other) => (words < SECOND_WORDS ? found : found | (1 << other)),
      0,
    )
  }

  /** `unless`: words of these languages do not count. */
  #count(unless: number): void {
    const votes = this.#votes.fill(0)
    for (let languages = 1; languages <= LANGUAGE_BITS; languages += 1) {
      const words = this.#words[languages] ?? 0
      const isCounted = words !== 0 && (languages & unless) === 0
      for (let rest = isCounted ? languages : 0; rest !== 0; rest &= rest - 1) {
        const language = 31 - Math.clz32(rest & -rest)
        votes[language] = (votes[language] ?? 0) + words
      }
    }
    this.#first = 0
    for (let language = 1; language < votes.length; language += 1)
      if ((votes[language] ?? 0) > (votes[this.#first] ?? 0)) this.#first = language
  }
}

/** By word as written and with its accents folded. */
function masksOf(lists: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const [language, list] of lists.entries()) {
    for (const word of list.split(/\s+/)) {
      if (word === '') continue
      for (const form of new Set([word, fold(word)])) {
        found.set(form, (found.get(form) ?? 0) | (1 << language))
      }
    }
  }
  return found
}

// Short forms that engineers and offices write for a long word, which no stemmer brings together with it: `db` is a database. Made
// by hand from what is usual in code, commits and notes. Left out is what stands in every path or address: lib, org, src, tmp, var.

/** A short form, then what it stands for, in small letters without accents. */
const SHORT_FORMS = `
  admin administrator|app application|arg argument|args arguments|attr attribute|auth authentication authorization
  authentifizierung|cfg configuration|cmd command|conf configuration|config configuration konfiguration|creds credentials|db
  database datenbank|dbs databases datenbanken|dep dependency|deps dependencies|dir directory|dirs directories|docs
  documentation dokumentation|doku dokumentation|env environment|k8s kubernetes|libs libraries|mgmt management|msg
  message|msgs messages|param parameter|params parameters|perf performance|pkg package|pkgs packages|prod production
  produktion|ref reference|refs references|repo repository|repos repositories|spec specification|specs specifications|stats
  statistics|sync synchronization|temp temporary|vars variables|acct account|addr address|amt amount|appt appointment|apt
  apartment|dept department|fridge refrigerator|lab laboratory|meds medication|mgr manager|ops operations|phone
  telephone|photo photograph|photos photographs|tel telephone telefon|vet veterinarian`

const FORMS: ReadonlyMap<string, readonly string[]> = formsOf(SHORT_FORMS)
const NONE: readonly string[] = []

/** What else a word is written as, long for short and short for long. In small letters without accents. */
export function otherFormsOf(word: string): readonly string[] {
  return FORMS.get(word) ?? NONE
}

function formsOf(lines: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const put = (word: string, other: string): void => {
    found.set(word, [...(found.get(word) ?? []), other])
  }
  for (const line of lines.trim().split('|')) {
    const [short = '', ...long] = line.split(/\s+/)
    for (const word of long) {
      put(short, word)
      put(word, short)
    }
  }
  return found
}

const IBERIAN: readonly number[] = [LANGUAGES.indexOf('spanish'), LANGUAGES.indexOf('portuguese')]
const FOREIGN_PLURAL = /[bcdfgjklmnpqrtvwxz]s$/
const FOREIGN_SINGULAR = /[bcdfgjklmnpqrtvwxz]$/

/** A plural of an English word in a Spanish or Portuguese text (los tests, os logs), which their stemmers leave, and its singular. */
function loanForms(word: string, language: number): readonly string[] {
  if (!IBERIAN.includes(language)) return NONE
  if (FOREIGN_PLURAL.test(word)) return [word.slice(0, -1)]
  return FOREIGN_SINGULAR.test(word) ? [`${word}s`] : NONE
}

/** What the index asks of a language, by its number in LANGUAGES. The same word must always have the same stem. */
export interface Stemmer {
  stem(word: string, language: number): string
}

/**
 * Spellings under which a word is indexed in a language: its stem with the accents that it is written with, and its
 * stem without them where that is another. Both without accents, so that either way of writing finds the other.
 */
export function spellingsOf(
  spoken: string,
  folded: string,
  stemmer: Stemmer,
  language: number,
): readonly string[] {
  const stem = stemmer.stem(folded, language)
  if (spoken === folded) return [stem]
  const accented = fold(stemmer.stem(spoken, language))
  return accented === stem ? [stem] : [accented, stem]
}

/** A word of a query as an index may spell it. */
export interface AskedWord {
  /** Stems, in every language where that of the query is not told. None for a stop word. */
  readonly spellings: readonly string[]
  /** Of its short or long form. */
  readonly otherForms: readonly string[]
  /** Of words of a related meaning, which no other word of the query has, with what a question for a kind finds of that kind. */
  readonly related: readonly string[]
  /** Any text of its language may hold it. */
  readonly isEveryday: boolean
}

const STOP_WORD: AskedWord = { spellings: NONE, otherForms: NONE, related: NONE, isEveryday: false }

/** Words that are kept: ten megabytes or so. Beyond that all are read anew. */
const WORDS_MAX = 65_536
const LANGUAGE_COUNT = LANGUAGES.length
/** Readings of a word in a query, a language each: in one that is surely in it, in one that may be in another. */
const ASKED_READINGS = 2 * LANGUAGE_COUNT

/**
 * Words as they are written, with their stems: stemming a word takes longer than all else that is done with it. A cache
 * that serves all indexes of a workspace, since most scopes speak of the same things, and changes no answer.
 */
export class Words {
  readonly #stemmer: Stemmer
  /** Words as they are found in the text at hand. */
  readonly plain = new PlainWords()
  /** Of the question at hand. */
  readonly votes = new LanguageVotes()
  #numbers = new Spellings()
  // By word: what `wordMaskOf` tells of it.
  #masks: number[] = []
  // By word and language: the spellings in a document, where they were asked for.
  #spellings: (readonly string[] | undefined)[] = []
  // By word and reading: the same of a query.
  #asked: (AskedWord | undefined)[] = []
  // By language, the first spellings of its everyday words, where they were asked for.
  readonly #everyday: (ReadonlySet<string> | undefined)[] = []
  // By language, where they were asked for.
  readonly #related: (RelatedWords | undefined)[] = []

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer
  }

  /** Makes room when it is full. Numbers that were given before mean nothing afterwards. */
  tidy(): void {
    if (this.#numbers.size >= WORDS_MAX) this.forget()
  }

  /** Forgets every word. Numbers that were given before mean nothing afterwards. */
  forget(): void {
    this.plain.forget()
    this.#numbers = new Spellings()
    this.#masks = []
    this.#spellings = []
    this.#asked = []
  }

  /** Number of the word text[start, end), with its accents and in small letters. */
  numberOf(text: string, start: number, end: number): number {
    const word = this.#numbers.add(text, start, end)
    if (word === this.#masks.length) {
      const spoken = this.#numbers.spell(word)
      this.#masks.push(wordMaskOf(spoken, fold(spoken)))
      for (let language = 0; language < LANGUAGE_COUNT; language += 1) {
        this.#spellings.push(undefined)
        this.#asked.push(undefined, undefined)
      }
    }
    return word
  }

  /** What `wordMaskOf` tells of a word. */
  maskOf(word: number): number {
    return this.#masks[word] ?? 0
  }

  /** Under which spellings a document in the language has the word; none for a stop word. */
  indexedAs(word: number, language: number): readonly string[] {
    const at = word * LANGUAGE_COUNT + language
    const known = this.#spellings[at]
    if (known !== undefined) return known
    const spellings = this.#spelled(word, [language])
    this.#spellings[at] = spellings
    return spellings
  }

  /** The word in a query; `told` is the language that its words tell, surely or not. */
  askedAs(word: number, told: number, isSure: boolean): AskedWord {
    const at = word * ASKED_READINGS + (isSure ? 0 : LANGUAGE_COUNT) + told
    const known = this.#asked[at]
    if (known !== undefined) return known
    const asked = this.#readAsked(word, told, isSure)
    this.#asked[at] = asked
    return asked
  }

  #readAsked(word: number, told: number, isSure: boolean): AskedWord {
    // English is asked beside another language: texts without a stop word are indexed as English.
    const spellings = this.#spelled(word, isSure ? [told, ENGLISH] : [told, ...LATIN_LANGUAGES])
    const [first] = spellings
    if (first === undefined) return STOP_WORD
    const language = languageOfWord(this.maskOf(word), told)
    const folded = fold(this.#numbers.spell(word))
    const forms = [...otherFormsOf(folded), ...loanForms(folded, language)]
    return {
      spellings,
      otherForms: forms.map((form) => this.#stemmer.stem(form, language)),
      related: this.#relatedIn(language).of(first),
      isEveryday: this.#everydayOf(language).has(first),
    }
  }

  /** How a verb and the particle behind it are spelled where they are one word, a noun; null: the second is no particle. */
  joined(verb: number, particle: number, told: number): string | null {
    if ((this.maskOf(particle) & PARTICLE_BIT) === 0) return null
    const noun = fold(this.#numbers.spell(verb)) + this.#numbers.spell(particle)
    return this.#stemmer.stem(noun, languageOfWord(this.maskOf(verb), told))
  }

  #relatedIn(language: number): RelatedWords {
    const known = this.#related[language]
    if (known !== undefined) return known
    const spelled = (word: string): string => spellingsOf(word, fold(word), this.#stemmer, language)[0] ?? ''
    const found = new RelatedWords(RELATED_LISTS[language] ?? '', spelled)
    this.#related[language] = found
    return found
  }

  #everydayOf(language: number): ReadonlySet<string> {
    const known = this.#everyday[language]
    if (known !== undefined) return known
    const spellings = new Set(
      everydayWordsOf(language).flatMap((word) => spellingsOf(word, fold(word), this.#stemmer, language)),
    )
    this.#everyday[language] = spellings
    return spellings
  }

  /** The first of the languages is that of the text. */
  #spelled(word: number, languages: readonly number[]): readonly string[] {
    const found = new Set<string>()
    const mask = this.maskOf(word)
    const [ofText = ENGLISH] = languages
    const own = languageOfWord(mask, ofText)
    if (!isStopWordOf(mask, own)) {
      const spoken = this.#numbers.spell(word)
      for (const language of own === ofText ? languages : [own]) {
        for (const spelling of spellingsOf(spoken, fold(spoken), this.#stemmer, language)) found.add(spelling)
      }
    }
    return [...found]
  }
}
