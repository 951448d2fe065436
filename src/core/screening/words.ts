import { addressReader, mayBeAddress } from './address.ts'
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
