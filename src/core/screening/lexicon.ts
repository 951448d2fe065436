import { listAt } from '../base/collections.ts'
import { FNV_PRIME, FNV_START } from '../base/hash.ts'
import { DROPPED, foldWord, LEET, LIKE, PLAIN, skeletonOf, type UnitTable, unitOf } from './folding.ts'
import { PHRASE_HEADS } from './phrase-table.ts'
import { ENGLISH, entriesOf, LANGUAGES, type WordTable } from './vocabulary.ts'
import { HEAD, HOST } from './word-class.ts'

/** Numbers of words by the spans that spell them: the place of the word in the list, or NOT_LISTED. */
interface SpanIndex {
  /** The span read in the units of a table; NOT_BY_UNIT when one of its units does not fold alone. */
  numberOf(text: string, start: number, end: number, units: UnitTable): number
  /** A span of printable ASCII units. */
  numberOfAscii(text: string, start: number, end: number): number
}

export const NOT_LISTED = -1
export const NOT_BY_UNIT = -2
const EMPTY = -1

/** Finds words of a list where they stand in a text: nothing is cut out to look it up. The words are folded. */
export function createSpanIndex(list: readonly string[]): SpanIndex {
  const capacity = 2 ** Math.ceil(Math.log2(list.length * 4))
  const mask = capacity - 1
  const slots = new Int32Array(capacity).fill(EMPTY)
  /** By the ends of a word, a bit for each length: most words that are not listed share no bit with one that is. */
  const lengths = new Int32Array(capacity)
  for (const [number, word] of list.entries()) {
    let slot = hashOf(word, 0, word.length, PLAIN) & mask
    while (slots[slot] !== EMPTY) slot = (slot + 1) & mask
    slots[slot] = number
    const ends = endsOf(word, 0, word.length) & mask
    lengths[ends] = (lengths[ends] ?? 0) | lengthBit(word.length)
  }
  const numberOf = (text: string, start: number, end: number, units: UnitTable): number => {
    const hash = hashOf(text, start, end, units)
    if (hash === NOT_BY_UNIT) return NOT_BY_UNIT
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] ?? 0
      if (number === EMPTY) return NOT_LISTED
      if (isSpelled(list[number] ?? '', text, start, end, units)) return number
    }
  }
  return {
    numberOf,
    numberOfAscii(text, start, end) {
      const isLike = ((lengths[endsOf(text, start, end) & mask] ?? 0) & lengthBit(end - start)) !== 0
      return isLike ? numberOf(text, start, end, PLAIN) : NOT_LISTED
    },
  }
}

/** Not negative (FNV-1a, 31 bits); NOT_BY_UNIT when there is no folding by unit. */
function hashOf(text: string, start: number, end: number, units: UnitTable): number {
  let hash = FNV_START
  for (let at = start; at < end; at++) {
    const unit = unitOf(units, text.charCodeAt(at))
    if (unit <= DROPPED) return NOT_BY_UNIT
    hash = Math.imul(hash ^ unit, FNV_PRIME)
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

/** Ten bits of the first and the last unit, the same in any case. */
function endsOf(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) & 31) << 5) | (text.charCodeAt(end - 1) & 31)
}

/** Lengths that are 32 apart share a bit. */
function lengthBit(length: number): number {
  return 1 << length
}

function isSpelled(word: string, text: string, start: number, end: number, units: UnitTable): boolean {
  if (word.length !== end - start) return false
  for (let at = 0; at < word.length; at++) {
    if (units[text.charCodeAt(start + at)] !== word.charCodeAt(at)) return false
  }
  return true
}

interface Phrase {
  readonly rest: readonly string[]
  readonly mask: number
}

/** An entry of a script without spaces. */
interface DenseEntry {
  readonly text: string
  readonly mask: number
}

const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const NO_PHRASES: readonly Phrase[] = []

/** What the tables of words hold. */
interface Lexicon {
  readonly words: Map<string, number>
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>
  /** By first unit, longest first. No entry stands in two tables. */
  readonly dense: ReadonlyMap<number, readonly DenseEntry[]>
}

const { words, phrases, dense } = lexiconOf([ENGLISH, ...LANGUAGES])
const headWords: ReadonlySet<string> = new Set([...PHRASE_HEADS.map(foldWord), ...namesOfHost()])
for (const head of headWords) if (!words.has(head)) words.set(head, 0)
const list: readonly string[] = [...words.keys()]
const masks: readonly number[] = [...words.values()]
const charsMax = Math.max(...list.map((word) => word.length))

/** Numbers of the words that stand in a text; `numberedWord` and `numberedClasses` tell of them. */
export const wordIndex = createSpanIndex(list)

const heads = Uint8Array.from(list, (word) => Number(headWords.has(word)))

/** Whether a phrase may begin with the word, or it names the one who reads by machine. */
export function isHead(number: number): boolean {
  return heads[number] === 1
}

export function isHeadWord(word: string): boolean {
  return headWords.has(word)
}

function namesOfHost(): readonly string[] {
  return [...words].filter(([, mask]) => (mask & HOST) !== 0).map(([word]) => word)
}

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
  // As most words: nothing in it could be read as anything else. A likeness is as long as its word.
  if (word.length > charsMax || /^[a-z']*$/.test(word)) return 0
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
