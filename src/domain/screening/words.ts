import { type AddressRun, addressEnd, mayBeAddress, noAddressRun } from './address.ts'
import { isMixedScript } from './confusables.ts'
import { PLAIN } from './folding.ts'
import { gapBetween, LEVEL, OPENS_NAME } from './gap.ts'
import {
  classesOf,
  denseEntryAt,
  leetClasses,
  likenessClasses,
  numberedClasses,
  numberedWord,
  phrasesFrom,
  wordIndex,
} from './lexicon.ts'
import { segmentsOf } from './segments.ts'
import { NOT_BY_UNIT, NOT_LISTED } from './span-index.ts'
import { joinSpelledWords } from './spelled.ts'
import { DENSE, kindAt, LETTER, NO_WORD, NUMERAL, SIGN, SKIP } from './unit-kind.ts'
import { ADDRESS, HEAD, IDENTITY } from './word-class.ts'
import { foldedChars, maskAt, noWords, pushParts, type Words, wordAt } from './word-columns.ts'

const LONG_WORD_CHARS = 12
/** First units of the Greek block, and after the Cyrillic ones: no letter between them is Latin. */
const BEYOND_LATIN = 0x370
const BEYOND_CYRILLIC = 0x530

/** How far the reader is. */
interface Place {
  /** The end of the last word. */
  gapFrom: number
  readonly addressRun: AddressRun
}

/** Reads the words of a text. Linear: every step moves forward, and looks ahead a bounded number of units. */
export function readWords(text: string): Words {
  const words = noWords(text)
  const place: Place = { gapFrom: 0, addressRun: noAddressRun() }
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at)
    if (kind === NO_WORD || kind === SKIP || (kind === SIGN && !isLetterAt(text, at + 1))) {
      at += 1
      continue
    }
    const end = kind === DENSE ? readDense(words, place, at) : readWord(words, place, at)
    if (end > at) place.gapFrom = end
    at = Math.max(end, at + 1)
  }
  const joined = joinSpelledWords(words)
  markPhrases(joined)
  return joined
}

/** Adds a word that is not looked up yet; its place. At the start of the text everything separates. */
function push(words: Words, { gapFrom }: Place, start: number, end: number): number {
  const at = words.starts.length
  const gap = at === 0 ? LEVEL : gapBetween(words.text, gapFrom, start)
  words.starts.push(start)
  words.ends.push(end)
  words.texts.push(null)
  words.levels.push(gap & LEVEL)
  words.masks.push((gap & OPENS_NAME) === 0 ? 0 : IDENTITY)
  return at
}

/** Only entries of the lexicon become words; what stands between them is passed over like a gap without a break. */
function readDense(words: Words, place: Place, start: number): number {
  const entry = denseEntryAt(words.text, start)
  if (entry === null) return start
  const end = start + entry.text.length
  const at = push(words, place, start, end)
  words.texts[at] = ''
  addClasses(words, at, entry.mask)
  return end
}

function readWord(words: Words, place: Place, start: number): number {
  const { text } = words
  let end = start
  let digits = 0
  let signs = 0
  /** All units of the word, or-ed; 0x80 for marks that are skipped. */
  let units = 0
  let next = start
  for (; next < text.length; next++) {
    const kind = kindAt(text, next)
    if (kind !== LETTER) {
      if (kind === NO_WORD ? !isApostropheInside(text, next) : kind === DENSE) break
      if (kind === SIGN && !isLetterAt(text, next + 1)) break
      if (kind === SIGN) signs += 1
      if (kind === NUMERAL) digits += 1
      if (kind === SKIP) {
        units |= 0x80
        continue
      }
    }
    end = next + 1
    units |= text.charCodeAt(next)
  }
  const address = signs > 0 || mayBeAddress(text, next) ? addressEnd(text, start, place.addressRun) : -1
  if (address !== -1) return pushAddress(words, place, start, address)
  const isName = digits > 2 || (digits > 0 && isOfName(words, start)) || isTag(text, start)
  const at = push(words, place, start, end)
  const classes = units < 0x80 ? lookUpAscii(words, at, digits, signs) : lookUp(words, at)
  addClasses(words, at, isName ? classes | IDENTITY : classes)
  if (units >= BEYOND_LATIN && mayBeMixed(text, start, end) && isMixedScript(wordAt(words, at))) {
    words.mixed.push([start, end])
  }
  if (classes === 0 && digits === 0 && foldedChars(words, at) >= LONG_WORD_CHARS) cutLongWord(words, at)
  return end
}

function pushAddress(words: Words, place: Place, start: number, end: number): number {
  const at = push(words, place, start, end)
  words.texts[at] = words.text.slice(start, end)
  addClasses(words, at, ADDRESS | IDENTITY)
  return end
}

/** Classes of a word of ASCII units, looked up where it stands. A number alone has none. */
function lookUpAscii(words: Words, at: number, digits: number, signs: number): number {
  const { text } = words
  const start = words.starts[at] ?? 0
  const end = words.ends[at] ?? 0
  if (digits === end - start) return 0
  const number = wordIndex.numberOfAscii(text, start, end)
  if (number !== NOT_LISTED) return classesOfNumber(words, at, number)
  return digits + signs === 0 ? 0 : leetClasses(text, start, end)
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
  return numberedClasses(number)
}

function cutLongWord(words: Words, at: number): void {
  const parts = segmentsOf(wordAt(words, at))
  if (parts.length > 0) pushParts(words, parts)
}

function addClasses(words: Words, at: number, classes: number): void {
  words.masks[at] = maskAt(words, at) | classes
}

/** Gives the classes of an entry of several words to its first word. */
function markPhrases(words: Words): void {
  for (let at = 0; at < words.masks.length; at++) {
    if ((maskAt(words, at) & HEAD) === 0) continue
    for (const { rest, mask } of phrasesFrom(wordAt(words, at))) {
      if (rest.every((word, offset) => wordAt(words, at + 1 + offset) === word)) addClasses(words, at, mask)
    }
  }
}

/** Latin letters and look-alikes cannot both be in a word that is all Greek or Cyrillic, or has nothing beyond Latin. */
function mayBeMixed(text: string, start: number, end: number): boolean {
  let isOther = false
  let isAllOther = true
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    isOther ||= code >= BEYOND_LATIN
    isAllOther &&= code >= BEYOND_LATIN && code < BEYOND_CYRILLIC
  }
  return isOther && !isAllOther
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
