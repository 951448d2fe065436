import { listAt } from '../base/collections.ts'
import { foldWord, LEET, LIKE, PLAIN, skeletonOf } from './folding.ts'
import { createSpanIndex, NOT_LISTED } from './span-index.ts'
import { ENGLISH, entriesOf, LANGUAGES, type WordTable } from './vocabulary.ts'
import { HEAD } from './word-class.ts'

interface Phrase {
  readonly rest: readonly string[]
  readonly mask: number
}

/** An entry of a script without spaces. */
export interface DenseEntry {
  readonly text: string
  readonly mask: number
}

const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const NO_PHRASES: readonly Phrase[] = []

/** What the tables of words hold. */
interface Lexicon {
  readonly words: ReadonlyMap<string, number>
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>
  /** By first unit, longest first. No entry stands in two tables. */
  readonly dense: ReadonlyMap<number, readonly DenseEntry[]>
}

const { words, phrases, dense } = lexiconOf([ENGLISH, ...LANGUAGES])
const list: readonly string[] = [...words.keys()]
const masks: readonly number[] = [...words.values()]

/** Numbers of the words that stand in a text; `numberedWord` and `numberedClasses` tell of them. */
export const wordIndex = createSpanIndex(list)

export function numberedWord(number: number): string {
  return list[number] ?? ''
}

export function numberedClasses(number: number): number {
  return masks[number] ?? 0
}

/** `classesOf` for a span that has no number: what it is read as when look-alikes, digits and signs are letters. */
export function likenessClasses(text: string, start: number, end: number): number {
  const asLetters = wordIndex.numberOf(text, start, end, LIKE)
  return asLetters === NOT_LISTED ? leetClasses(text, start, end) : numberedClasses(asLetters)
}

/** The same where no unit is beyond ASCII. */
export function leetClasses(text: string, start: number, end: number): number {
  const asDigits = wordIndex.numberOf(text, start, end, LEET)
  return asDigits !== NOT_LISTED && hasOwnLetter(text, start, end) ? numberedClasses(asDigits) : 0
}

/** Whether any unit is a letter that is not read as another one. */
function hasOwnLetter(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (LEET[unit] === PLAIN[unit]) return true
  }
  return false
}

/** Classes of a folded word, also where look-alike letters or digits stand for its letters; 0 when it has none. */
export function classesOf(word: string): number {
  const known = words.get(word)
  if (known !== undefined) return known
  // As most words: nothing in it could be read as anything else.
  if (/^[a-z']*$/.test(word)) return 0
  const asLetters = words.get(skeletonOf(word, false))
  if (asLetters !== undefined) return asLetters
  return /[a-z]/.test(word) ? (words.get(skeletonOf(word, true)) ?? 0) : 0
}

export function phrasesFrom(word: string): readonly Phrase[] {
  return phrases.get(word) ?? NO_PHRASES
}

/** The longest entry that begins at `at` in text without spaces, with its classes; null when there is none. */
export function denseEntryAt(text: string, at: number): DenseEntry | null {
  const entries = dense.get(text.charCodeAt(at))
  if (entries === undefined) return null
  for (const entry of entries) if (text.startsWith(entry.text, at)) return entry
  return null
}

/** English words as they are cut out of a run of letters without spaces. */
export function* plainWords(): Iterable<string> {
  for (const [word, mask] of words) if ((mask & ~HEAD) !== 0 && /^[a-z]+$/.test(word)) yield word
}

function lexiconOf(tables: readonly WordTable[]): Lexicon {
  const words = new Map<string, number>()
  const phrases = new Map<string, Phrase[]>()
  const dense = new Map<number, DenseEntry[]>()
  const addWord = (word: string, mask: number): void => {
    words.set(word, (words.get(word) ?? 0) | mask)
  }
  for (const [mask, entry] of tables.flatMap(entriesOf)) {
    if (DENSE_SCRIPT.test(entry)) {
      const alike = listAt(dense, entry.charCodeAt(0))
      alike.push({ text: entry, mask })
      alike.sort((a, b) => b.text.length - a.text.length)
    } else if (entry.includes('_')) {
      const [head = '', ...rest] = entry.split('_').map(foldWord)
      addWord(head, HEAD)
      listAt(phrases, head).push({ rest, mask })
    } else addWord(foldWord(entry), mask)
  }
  return { words, phrases, dense }
}

// Words without spaces between them: `ignoreallpreviousinstructions` is cut into the words that it is made of.

const HEAD_CHARS = 4
const LONGEST_CHARS = 14
const SHORT = ['all', 'any', 'the', 'you', 'my', 'and', 'to', 'of']
/** By their first four letters as a number, longest first. */
const long = new Map<number, string[]>()
/** By their first two letters. */
const short = new Map<number, string[]>()
/** Whether two letters begin any of them. */
const beginnings = new Uint8Array(1 << 10)

for (const word of plainWords()) {
  if (word.length >= HEAD_CHARS && word.length <= LONGEST_CHARS) {
    const alike = listAt(long, headAt(word, 0))
    alike.push(word)
    alike.sort((a, b) => b.length - a.length)
    beginnings[beginningAt(word, 0)] = 1
  }
}
for (const word of SHORT) {
  const beginning = beginningAt(word, 0)
  listAt(short, beginning).push(word)
  beginnings[beginning] = 1
}

/** Words that a folded run of letters holds one after the other; empty when there are fewer than two. */
export function segmentsOf(run: string): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < run.length; ) {
    const word = beginnings[beginningAt(run, at)] === 0 ? null : longestAt(run, at)
    if (word !== null) found.push(word)
    at += word?.length ?? 1
  }
  return found.length < 2 ? [] : found
}

function longestAt(run: string, at: number): string | null {
  const words = long.get(headAt(run, at))?.find((word) => run.startsWith(word, at))
  return words ?? short.get(beginningAt(run, at))?.find((word) => run.startsWith(word, at)) ?? null
}

/** Ten bits of two letters. Other units share them: what begins like a word is compared with it. */
function beginningAt(run: string, at: number): number {
  return ((run.charCodeAt(at) & 31) << 5) | (run.charCodeAt(at + 1) & 31)
}

/** Twenty bits of four letters. */
function headAt(run: string, at: number): number {
  return (beginningAt(run, at) << 10) | beginningAt(run, at + 2)
}
