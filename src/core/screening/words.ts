import { foldWord, isMixedScript, PLAIN, textOf, unitOf } from './folding.ts'
import {
  classesOf,
  denseEntryAt,
  isHead,
  isHeadWord,
  leetClasses,
  likenessClasses,
  NOT_BY_UNIT,
  NOT_LISTED,
  numberedClasses,
  numberedWord,
  phrasesFrom,
  segmentsOf,
  wordIndex,
} from './lexicon.ts'
import { addressReader, DENSE, kindAt, LETTER, mayBeAddress, NO_WORD, NUMERAL, SIGN, SKIP } from './units.ts'
import { ADDRESS, HEAD, IDENTITY } from './word-class.ts'

/** The words of a text, one entry of each column a word. */
export interface Words {
  readonly text: string
  readonly starts: number[]
  readonly ends: number[]
  /** Folded; of an address as written. Null until it is asked for: `wordAt`. */
  readonly texts: (string | null)[]
  readonly masks: number[]
  /** What stands before the word: a level of `gapBetween`. */
  readonly levels: number[]
  /** Spans of words in mixed scripts. */
  readonly mixed: (readonly [number, number])[]
  /** Places of words at which a phrase may begin, ascending. */
  readonly heads: number[]
}

export function noWords(text: string): Words {
  return { text, starts: [], ends: [], texts: [], masks: [], levels: [], mixed: [], heads: [] }
}

/** The folded word, empty beyond the last one. */
export function wordAt({ text, texts, starts, ends }: Words, at: number): string {
  const known = texts[at]
  if (known === undefined) return ''
  if (known !== null) return known
  const folded = foldWord(text.slice(starts[at], ends[at]))
  texts[at] = folded
  return folded
}

export function maskAt(words: Words, at: number): number {
  return words.masks[at] ?? 0
}

export function levelAt(words: Words, at: number): number {
  return words.levels[at] ?? 0
}

/** Units of the folded word: a word that nobody has folded yet is as long as its span. */
export function foldedChars({ texts, starts, ends }: Words, at: number): number {
  return texts[at]?.length ?? (ends[at] ?? 0) - (starts[at] ?? 0)
}

/** Replaces the last word by the parts that it is made of, all with its span. */
export function pushParts(words: Words, parts: readonly string[]): void {
  const { starts, ends, texts, masks, levels } = words
  const last = starts.length - 1
  for (const [offset, part] of parts.entries()) {
    const at = last + offset
    starts[at] = starts[last] ?? 0
    ends[at] = ends[last] ?? 0
    texts[at] = part
    masks[at] = classesOf(part)
    if (offset > 0) levels[at] = 0
  }
}

const LONG_WORD_CHARS = 12
/**
 * Look-alikes of Latin letters are beyond Latin. A word that is all Greek or Cyrillic mixes nothing, nor does one with
 * nothing beyond Latin.
 */
const MAY_BE_MIXED = /[\u0530-\uffff]|[^\u0370-\u052f][\u0370-\u052f]|[\u0370-\u052f][^\u0370-\u052f]/

/** Where the address that begins at a place ends, -1 for none. */
type AddressEnd = (start: number) => number

/** Reads the words of a text. Linear: every step moves forward, and looks ahead a bounded number of units. */
export function readWords(text: string): Words {
  const words = noWords(text)
  const addressEnd = addressReader(text)
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at)
    if (kind === NO_WORD || kind === SKIP || (kind === SIGN && !isLetterAt(text, at + 1))) at += 1
    else at = kind === DENSE ? readDense(words, at) : readWord(words, at, addressEnd)
  }
  const joined = joinSpelledWords(words)
  markPhrases(joined)
  return joined
}

/** Adds a word that is not looked up yet; its place. At the start of the text everything separates. */
function push(words: Words, start: number, end: number): number {
  const at = words.starts.length
  const gap = at === 0 ? LEVEL : gapBetween(words.text, words.ends[at - 1] ?? 0, start)
  words.starts.push(start)
  words.ends.push(end)
  words.texts.push(null)
  words.levels.push(gap & LEVEL)
  words.masks.push((gap & OPENS_NAME) === 0 ? 0 : IDENTITY)
  return at
}

/** Only entries of the lexicon become words; what stands between them is passed over like a gap without a break. */
function readDense(words: Words, start: number): number {
  const entry = denseEntryAt(words.text, start)
  if (entry === null) return start + 1
  const end = start + entry.text.length
  const at = push(words, start, end)
  words.texts[at] = ''
  words.heads.push(at)
  addClasses(words, at, entry.mask)
  return end
}

/** Adds the word, or the address that begins with it; its end. */
function readWord(words: Words, start: number, addressEnd: AddressEnd): number {
  const { text } = words
  let end = start
  let digits = 0
  let isLetters = true
  /** All units of the word, or-ed; 0x80 for marks that are skipped. */
  let units = text.charCodeAt(start)
  let next = start
  for (; next < text.length; next++) {
    const kind = kindAt(text, next)
    if (kind !== LETTER) {
      if (kind === NO_WORD ? !isApostropheInside(text, next) : kind === DENSE) break
      if (kind === SIGN && !isLetterAt(text, next + 1)) break
      isLetters = false
      if (kind === NUMERAL) digits += 1
      if (kind === SKIP) {
        units |= 0x80
        continue
      }
    }
    end = next + 1
    units |= text.charCodeAt(next)
  }
  const address = mayBeAddress(text, next) ? addressEnd(start) : -1
  if (address !== -1) return pushAddress(words, start, address)
  const isName = digits > 2 || (digits > 0 && isOfName(words, start)) || isTag(text, start)
  const at = push(words, start, end)
  const isAscii = units < 0x80
  const classes = isAscii ? lookUpAscii(words, at, digits, isLetters) : lookUp(words, at)
  addClasses(words, at, isName ? classes | IDENTITY : classes)
  if (!isAscii) addMixed(words, at)
  if (classes === 0 && digits === 0 && foldedChars(words, at) >= LONG_WORD_CHARS)
    pushParts(words, segmentsOf(wordAt(words, at)))
  return end
}

function addMixed(words: Words, at: number): void {
  const [start = 0, end = 0] = [words.starts[at], words.ends[at]]
  if (MAY_BE_MIXED.test(words.text.slice(start, end)) && isMixedScript(wordAt(words, at)))
    words.mixed.push([start, end])
}

function pushAddress(words: Words, start: number, end: number): number {
  const at = push(words, start, end)
  words.texts[at] = words.text.slice(start, end)
  addClasses(words, at, ADDRESS | IDENTITY)
  return end
}

/** Classes of a word of ASCII units, looked up where it stands. A number alone has none. */
function lookUpAscii(words: Words, at: number, digits: number, isLetters: boolean): number {
  const { text } = words
  const start = words.starts[at] ?? 0
  const end = words.ends[at] ?? 0
  if (digits === end - start) return 0
  const number = wordIndex.numberOfAscii(text, start, end)
  if (number !== NOT_LISTED) return classesOfNumber(words, at, number)
  return isLetters ? 0 : leetClasses(text, start, end)
}

/** Classes of any word, looked up where it stands; as a folded copy only when its units do not fold one by one. */
function lookUp(words: Words, at: number): number {
  const { text } = words
  const start = words.starts[at] ?? 0
  const end = words.ends[at] ?? 0
  const number = wordIndex.numberOf(text, start, end, PLAIN)
  if (number === NOT_BY_UNIT) return classesOf(wordAt(words, at))
  return number === NOT_LISTED ? likenessClasses(text, start, end) : classesOfNumber(words, at, number)
}

function classesOfNumber(words: Words, at: number, number: number): number {
  words.texts[at] = numberedWord(number)
  if (isHead(number)) words.heads.push(at)
  return numberedClasses(number)
}

function addClasses(words: Words, at: number, classes: number): void {
  words.masks[at] = maskAt(words, at) | classes
}

/** Gives the classes of an entry of several words to its first word. */
function markPhrases(words: Words): void {
  words.masks.forEach((mask, at) => {
    if ((mask & HEAD) !== 0) markPhrasesFrom(words, at)
  })
}

function markPhrasesFrom(words: Words, at: number): void {
  for (const { rest, mask } of phrasesFrom(wordAt(words, at))) {
    if (rest.every((word, offset) => wordAt(words, at + 1 + offset) === word)) addClasses(words, at, mask)
  }
}

/** Whether what stands before digits makes them a name: `$5`, `room_5`, `ID 5`. */
function isOfName(words: Words, start: number): boolean {
  const code = words.text.charCodeAt(start - 1)
  if (code === 0x24 || code === 0x5f || code === 0x23) return true
  return wordAt(words, words.starts.length - 1) === 'id'
}

/** `#channel` after a space. */
function isTag(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === 0x23 && text.charCodeAt(start - 2) === 0x20
}

function isLetterAt(text: string, at: number): boolean {
  return at < text.length && kindAt(text, at) === LETTER
}

function isApostropheInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code === 0x27 || code === 0x2019) && isLetterAt(text, at - 1) && isLetterAt(text, at + 1)
}

// What stands between two words, by how much it separates them.

const SPACE = 1 << 0
const LINE_END = 1 << 1
const SENTENCE_END = 1 << 2
const DENSE_SENTENCE_END = 1 << 3
const CLAUSE = 1 << 4
const QUOTE = 1 << 5
const BULLET = 1 << 6
const COMMA = 1 << 7
const DASH = 1 << 8
const COLON = 1 << 9

const MARKS: readonly (readonly [number, string])[] = [
  [SPACE, ' \t\r'],
  [LINE_END, '\n'],
  [SENTENCE_END, '.!?\u2026'],
  [DENSE_SENTENCE_END, '\u3002\uff01\uff1f'],
  [CLAUSE, ':;([{|<>\u2014\u2022\u300c\u300e\uff1a\uff1b'],
  [QUOTE, '"\'`\u201c\u201e\u2018\u00ab'],
  [BULLET, '-*\u2022#>|+'],
  [COMMA, ','],
  [DASH, '-\u2013'],
  [COLON, ':'],
]
/** By unit. Zeros take no memory until they are written. */
const marksOf = new Uint16Array(0x10000)
for (const [mark, units] of MARKS) {
  for (const unit of units) marksOf[unit.charCodeAt(0)] = (marksOf[unit.charCodeAt(0)] ?? 0) | mark
}

/** Set beside the level when a quote mark after a space opens a name, as in `titled 'Accounts'`. */
export const OPENS_NAME = 1 << 2
export const LEVEL = 3

/** One quote mark after a space, then nothing but the signs that begin a path. */
const NAME_OPENING = /\s["'`\u201c\u201e\u2018\u00ab][~./\\#@]{0,3}$/

/**
 * Reads the units from `from` to `to`, between two words: their level, with OPENS_NAME where it holds. Level 0 is a space
 * or a joining mark, 1 a comma or a dash, 2 the start of a clause, a line or a quote, 3 that of a sentence.
 */
export function gapBetween(text: string, from: number, to: number): number {
  let level = 0
  let quotes = 0
  let lineEnds = 0
  let isField = false
  let afterEnd = false
  for (let at = from; at < to; at++) {
    const marks = marksOf[text.charCodeAt(at)] ?? 0
    if (afterEnd && (marks & (SPACE | LINE_END | QUOTE | CLAUSE)) !== 0) level = 3
    afterEnd = (marks & SENTENCE_END) !== 0
    if ((marks & LINE_END) !== 0) lineEnds += 1
    else if (lineEnds > 0 && (marks & BULLET) !== 0) level = 3
    else if ((marks & DENSE_SENTENCE_END) !== 0) level = 3
    else if ((marks & QUOTE) !== 0) {
      if (isField) level = 3
      quotes += 1
    } else if (quotes > 0 && (marks & (COMMA | COLON)) !== 0) isField = true
    if (lineEnds > 0 || quotes > 0 || (marks & CLAUSE) !== 0) level = Math.max(level, 2)
    else if ((marks & (COMMA | DASH)) !== 0) level = Math.max(level, 1)
  }
  if (lineEnds > 1) return 3
  return quotes === 1 && level === 2 && opensName(text.slice(from, to)) ? level | OPENS_NAME : level
}

function opensName(gap: string): boolean {
  return NAME_OPENING.test(gap) && !gap.includes(':')
}

const LETTERS_MIN = 4

/** `i g n o r e` and `i-g-n-o-r-e`: single letters in a row are one word; a wider gap ends it. */
export function joinSpelledWords(words: Words): Words {
  const runs = spelledRuns(words)
  if (runs.length === 0) return words
  const joined: Words = { ...noWords(words.text), mixed: words.mixed }
  const heads = new Set(words.heads)
  let done = 0
  for (const [from, to] of runs) {
    copyWords(joined, words, heads, done, from)
    pushSpelled(joined, words, from, to)
    done = to
  }
  copyWords(joined, words, heads, done, words.starts.length)
  return joined
}

/** Rows of enough single letters within a sentence. */
function spelledRuns(words: Words): readonly (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = []
  for (let from = 0; from < words.starts.length; ) {
    let to = from + 1
    if (isSingle(words, from)) while (isSingle(words, to) && levelAt(words, to) < 3) to += 1
    if (to - from >= LETTERS_MIN) runs.push([from, to])
    from = to
  }
  return runs
}

/** Of no word, beyond the last one, it is false. */
function isSingle(words: Words, at: number): boolean {
  return foldedChars(words, at) === 1
}

/** Units between a word and the one before it. */
function gapChars({ starts, ends }: Words, at: number): number {
  return (starts[at] ?? 0) - (ends[at - 1] ?? 0)
}

function copyWords(joined: Words, words: Words, heads: ReadonlySet<number>, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    if (heads.has(at)) joined.heads.push(joined.starts.length)
    joined.starts.push(words.starts[at] ?? 0)
    joined.ends.push(words.ends[at] ?? 0)
    joined.texts.push(words.texts[at] ?? null)
    joined.masks.push(maskAt(words, at))
    joined.levels.push(levelAt(words, at))
  }
}

/** The letters from `from` to `to`: gaps wider than the narrowest one stand between words. */
function pushSpelled(joined: Words, words: Words, from: number, to: number): void {
  let narrowest = Number.POSITIVE_INFINITY
  for (let at = from + 1; at < to; at++) narrowest = Math.min(narrowest, gapChars(words, at))
  for (let at = from; at < to; ) {
    let end = at + 1
    while (end < to && gapChars(words, end) <= narrowest) end += 1
    const word = spelled(words, at, end)
    const classes = classesOf(word)
    if (isHeadWord(word)) joined.heads.push(joined.starts.length)
    joined.starts.push(words.starts[at] ?? 0)
    joined.ends.push(words.ends[end - 1] ?? 0)
    joined.texts.push(word)
    joined.masks.push(classes)
    joined.levels.push(levelAt(words, at))
    if (classes === 0) pushParts(joined, segmentsOf(word))
    at = end
  }
}

function spelled(words: Words, from: number, to: number): string {
  const units: number[] = []
  for (let at = from; at < to; at++) {
    const plain = unitOf(PLAIN, words.text.charCodeAt(words.starts[at] ?? 0))
    units.push(words.texts[at]?.charCodeAt(0) ?? plain)
  }
  return textOf(units)
}
