import { classAt, DIGIT } from '../text/unicode.ts'
import { isFunctionWord } from './fact-words.ts'

// Signs of a text, and the shapes of words, as statements are read.

/** One kind of slash; no signs that look like the end of a sentence, or part one word in two. */
export function withPlainSigns(text: string): string {
  let plain = text
  if (PATH_SIGNS.test(text)) {
    plain = plain
      .replaceAll('\\', '/')
      .replace(/\b[a-z][a-z\d]{1,5}:\/\//g, '')
      .replace(/\(\)|(?<=^|[\s'"(])\.\/(?=\w)/g, '')
  }
  if (text.includes('. ')) plain = plain.replace(TITLES, '$1')
  if (!DIGITS.test(text)) return plain
  return plain
    .replace(GERMAN_DAYS, '$1')
    .replace(THOUSANDS, (number) => number.replaceAll(' ', ''))
    .replace(HOURS, '$1:$2')
}

const PATH_SIGNS = /\\|:\/\/|\(\)|\.\//
const DIGITS = /\d/
/** The dot of `Mr. Olsen` ends nothing. */
const TITLES =
  /\b(Mrs?|Ms|Drs?|Prof|Hr|Fr|Sra?|Dra|Mme|Mlle|Sig|St|No|Nr|ca|approx|incl|Inc|Ltd|Co|Corp)\.(?= [\p{Lu}\d])/gu
/** `50 000` is one number. */
const THOUSANDS = /(?<![\d.,:])\d{1,3}(?: \d{3})+(?![\d:])/g
/** `12 h 15`, `18.30 Uhr`. */
const HOURS = /\b(\d\d?)(?: ?h ?|\.(?=\d\d Uhr))(\d\d)\b(?! ?min)/g
/** `5. Mai` is one date, not two sentences. */
const GERMAN_DAYS =
  /\b(\d{1,2})\.(?= (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)/g

const QUOTED = /"[^"\n]{1,400}"|(?<![\p{L}\p{N}])'[^'\n]{1,400}'(?![\p{L}\p{N}])/gu
const QUOTED_WORDS_MAX = 3
const COMMAND_WORDS_MAX = 8

/** More than a name: something said, and no command. */
function isLongQuote(quoted: string): boolean {
  const words = quoted.slice(1, -1).trim().split(/\s+/)
  if (words.length <= QUOTED_WORDS_MAX) return false
  return (
    words.length > COMMAND_WORDS_MAX ||
    /^\p{Lu}/u.test(quoted.slice(1)) ||
    words.some((word) => isFunctionWord(word.toLowerCase()))
  )
}

/** Most texts have no more than apostrophes. */
const MAY_QUOTE = /"|(?:^|[^A-Za-z0-9])'/

/** Where quoted text stands; of a long quotation no word counts. */
export function quotesOf(text: string): readonly (readonly [start: number, end: number, isLong: boolean])[] {
  if (!MAY_QUOTE.test(text)) return []
  return [...text.matchAll(QUOTED)].map(({ 0: quoted, index }) => [
    index,
    index + quoted.length,
    isLongQuote(quoted),
  ])
}

export const DIGIT_SHAPE = 1
export const NAME_SHAPE = 2
export const DOT_SHAPE = 4
const JOINT_SHAPE = 8

/** What besides letters a word holds; 0 for most words. */
export function shapeOf(word: string): number {
  let shape = 0
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at)
    if (code >= 0x61) {
      if (code > 0x7f && classAt(word, at) === DIGIT) shape |= DIGIT_SHAPE
    } else if (code >= 0x30 && code <= 0x39) shape |= DIGIT_SHAPE
    else if (code === 0x2e) shape |= DOT_SHAPE
    else if (code === 0x5f || code === 0x2f || code === 0x40 || code === 0x23) shape |= NAME_SHAPE
    else if (code === 0x3a && word.charCodeAt(at + 1) === 0x3a) shape |= NAME_SHAPE
    else shape |= JOINT_SHAPE
  }
  return shape
}

/** Whether a sign of a path or a flag touches the word. */
export function isMarkAt(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(end) === 0x2f) return true
  const before = start === 0 ? 0x20 : text.charCodeAt(start - 1)
  return before === 0x2d || before === 0x2e || before === 0x2f || before === 0x7e
}

/** `--`, `-`, `.`, `/` or `~/` in front of a word that is a flag, a hidden file or a rooted path. */
export function markBefore(text: string, start: number): string {
  let from = start
  while (from > 0 && start - from < 3 && '-./~'.includes(text.charAt(from - 1))) from -= 1
  if (from === start) return ''
  if (from > 0 && !' \n(\'"=:[<'.includes(text.charAt(from - 1))) return ''
  return text.slice(from, start)
}

/** `docs/` */
export function isFolderAt(text: string, end: number): boolean {
  return text.charAt(end) === '/' && /^(?:[\s.,;:)'"]|$)/.test(text.slice(end + 1, end + 2))
}

export function codeKind(lower: string): string {
  if (/^\d{4}-\d\d?-\d\d?(?:t.*)?$|^\d\d?[./]\d\d?[./]\d{2,4}$|^\d{4}\/\d\d?\/\d\d?$/.test(lower))
    return 'date'
  if (/^\d\d?:\d\d(?::\d\d)?(?:am|pm)?$|^\d\d?(?:am|pm)$/.test(lower)) return 'clock'
  if (/^v?\d+(?:\.\d+){0,3}(?:-[a-z]+\.?\d*)?$|^\d+(?:\.x|\.\d+\.x)$/.test(lower)) return 'version'
  if (/^\d+(?:st|nd|rd|th|er|ème|º)$/.test(lower)) return 'date'
  return 'id'
}

export function isCyrillic(text: string, at: number, orDigit = false): boolean {
  const code = text.charCodeAt(at)
  return (code >= 0x400 && code < 0x530) || (orDigit && code >= 0x30 && code <= 0x39)
}
