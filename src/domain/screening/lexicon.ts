import { skeletonOf } from './confusables.ts'
import { ENGLISH } from './english.ts'
import { LANGUAGES } from './languages.ts'
import { PHRASE_HEAD, type WordTable } from './word-class.ts'

interface Phrase {
  readonly rest: readonly string[]
  readonly mask: number
}

const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const BEYOND_ASCII = /[\u0080-\uffff]/
const SKIPPED = /[\p{Mn}\p{Cf}\u00ad\u3164\uffa0\p{Cc}]+/gu
const SEGMENT_HEAD = 4
const SEGMENT_MAX = 14

const words = new Map<string, number>()
const phrases = new Map<string, Phrase[]>()
const dense = new Map<string, number>()
const denseHeads = new Set<string>()
/** Words that a run of letters without spaces is cut into, by their first four letters, longest first. */
const segments = new Map<string, string[]>()
const shortSegments = ['all', 'any', 'the', 'you', 'my', 'and', 'to', 'of']
let denseLengthMax = 1

for (const table of [ENGLISH, ...LANGUAGES]) addTable(table)
addSegments()

/** The form in which words are looked up: lower case, compatibility forms and accents folded, hidden marks gone. */
export function foldWord(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word.toLowerCase()
  return word.normalize('NFKD').replace(SKIPPED, '').normalize('NFC').replaceAll('\u2019', "'").toLowerCase()
}

/** Classes of a folded word, also where look-alike letters or digits stand for its letters; 0 when it has none. */
export function classesOf(word: string): number {
  const known = words.get(word)
  if (known !== undefined) return known
  const isPlain = /^[a-z']*$/.test(word)
  if (isPlain) return 0
  const asLetters = words.get(skeletonOf(word, false))
  if (asLetters !== undefined) return asLetters
  return /[a-z]/.test(word) ? (words.get(skeletonOf(word, true)) ?? 0) : 0
}

export function phrasesFrom(word: string): readonly Phrase[] {
  return phrases.get(word) ?? []
}

/** The longest entry that begins at `at` in text without spaces, with its classes; null when there is none. */
export function denseEntryAt(text: string, at: number): { length: number; mask: number } | null {
  if (!denseHeads.has(text.charAt(at))) return null
  for (let length = denseLengthMax; length > 0; length--) {
    const mask = dense.get(text.slice(at, at + length))
    if (mask !== undefined) return { length, mask }
  }
  return null
}

/** English entries that a run of letters holds one after the other; empty when there are fewer than two. */
export function segmentsOf(word: string): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < word.length; ) {
    const entry = longestSegmentAt(word, at)
    if (entry !== null) found.push(entry)
    at += entry?.length ?? 1
  }
  return found.length < 2 ? [] : found
}

function longestSegmentAt(word: string, at: number): string | null {
  const entries = segments.get(word.slice(at, at + SEGMENT_HEAD))
  const long = entries?.find((entry) => word.startsWith(entry, at))
  return long ?? shortSegments.find((entry) => word.startsWith(entry, at)) ?? null
}

function addTable(table: WordTable): void {
  for (const [mask, entries] of table) {
    for (const entry of entries.split(/\s+/)) {
      if (DENSE_SCRIPT.test(entry)) addDense(entry, mask)
      else if (entry.includes('_')) addPhrase(entry.split('_').map(foldWord), mask)
      else addWord(foldWord(entry), mask)
    }
  }
}

function addWord(word: string, mask: number): void {
  words.set(word, (words.get(word) ?? 0) | mask)
}

function addPhrase(parts: readonly string[], mask: number): void {
  const [head = '', ...rest] = parts
  addWord(head, PHRASE_HEAD)
  phrases.set(head, [...(phrases.get(head) ?? []), { rest, mask }])
}

function addDense(entry: string, mask: number): void {
  dense.set(entry, (dense.get(entry) ?? 0) | mask)
  denseHeads.add(entry.charAt(0))
  denseLengthMax = Math.max(denseLengthMax, entry.length)
}

function addSegments(): void {
  for (const [word, mask] of words) {
    if (word.length < SEGMENT_HEAD || word.length > SEGMENT_MAX || (mask & ~PHRASE_HEAD) === 0) continue
    if (!/^[a-z]+$/.test(word)) continue
    const head = word.slice(0, SEGMENT_HEAD)
    segments.set(
      head,
      [...(segments.get(head) ?? []), word].sort((a, b) => b.length - a.length),
    )
  }
}
