import { foldLines } from './escape.ts'
import { type WordWeight, weightOfWord } from './words.ts'

/** Of a longer text only so much is read: a sentence that is shown has a few dozen words. */
const READ_CHARS_MAX = 1000
const ENDS = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]["'”’」』）]*/gu

/** The first sentence of a text as one line that can forge nothing; a line break ends it too. Empty for an empty text. */
export function firstSentenceOf(text: string): string {
  const folded = foldLines(text.length > READ_CHARS_MAX ? text.slice(0, READ_CHARS_MAX) : text)
  const lineEnd = folded.indexOf('\n')
  const line = lineEnd === -1 ? folded : folded.slice(0, lineEnd)
  for (const end of line.matchAll(ENDS)) {
    if (end[0].startsWith('.') && isAbbreviation(line, end.index)) continue
    return line.slice(0, end.index + end[0].length)
  }
  return line
}

/** `e.g. this`, `v. 2`, and `1. Install` at the start of a line. Too short a sentence does less harm than one too long. */
function isAbbreviation(line: string, stop: number): boolean {
  const wordStart = line.lastIndexOf(' ', stop - 1) + 1
  const word = line.slice(wordStart, stop)
  if (wordStart === 0 && /^\d+$/.test(word)) return true
  const next = /\S/u.exec(line.slice(stop + 1, stop + 8))?.[0] ?? ''
  return /(?:^|[^\p{L}\p{N}])\p{L}(?:\.\p{L})*$/u.test(word) && /[\p{Ll}\p{N}]/u.test(next)
}

/** The words of a text in order, grouped into sentences; columns, because a long text has many words. */
export interface Sentences {
  /** First word of each sentence, and after the last one the number of words. */
  readonly firsts: readonly number[]
  /** Where each word starts and ends in the text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly weights: readonly WordWeight[]
  /** True when the text goes on after what was read. */
  readonly isPartial: boolean
}

/** Runs without spaces are cut into pieces of this many units, so that they can be shortened too. */
const UNSPACED_CHARS_MAX = 12
/** From here on (CJK, kana, Hangul, surrogates) words need not be parted by spaces. */
const FIRST_UNSPACED = 0x2e80

/** Reads at most `maxChars` units of a text. A sentence ends at a line break, at closing punctuation or at a dash. */
export function readSentences(text: string, maxChars: number): Sentences {
  const starts: number[] = []
  const ends: number[] = []
  const weights: WordWeight[] = []
  const firsts: number[] = []
  const readTo = Math.min(text.length, maxChars)
  let opens = true
  let at = 0
  while (at < readTo) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      if (code === 0x0a || code === 0x0d) opens = true
      at += 1
      continue
    }
    const end = endOfWord(text, at, readTo)
    if (opens) firsts.push(starts.length)
    starts.push(at)
    ends.push(end)
    weights.push(weightOfWord(text, at, end, opens))
    opens = closesSentence(text, at, end)
    at = end
  }
  firsts.push(starts.length)
  return { firsts, starts, ends, weights, isPartial: readTo < text.length }
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000 || code === 0x2028 || code === 0x2029
}

/** A word ends at a space and where a script without spaces begins or ends; pieces of one at punctuation or length. */
function endOfWord(text: string, start: number, readTo: number): number {
  const isUnspaced = text.charCodeAt(start) >= FIRST_UNSPACED
  let at = start
  while (at < readTo) {
    const code = text.charCodeAt(at)
    if (isSpace(code) || code >= FIRST_UNSPACED !== isUnspaced) return at
    at += 1
    if (!isUnspaced) continue
    if (isWidePunctuation(code)) return at
    // Never inside a surrogate pair.
    if (at - start >= UNSPACED_CHARS_MAX && (text.charCodeAt(at) & 0xfc00) !== 0xdc00) return at
  }
  return at
}

function closesSentence(text: string, start: number, end: number): boolean {
  const code = text.charCodeAt(end - 1)
  if (code === 0x2e) return end - start > 2
  if (code === 0x21 || code === 0x3f || code === 0x3b) return true
  if (end - start === 1) return code === 0x2d || code === 0x2013 || code === 0x2014 || code === 0x7c
  return code >= FIRST_UNSPACED && isWidePunctuation(code)
}

function isWidePunctuation(code: number): boolean {
  return (
    (code >= 0x3001 && code <= 0x3002) ||
    code === 0xff01 ||
    code === 0xff0c ||
    code === 0xff1b ||
    code === 0xff1f
  )
}
