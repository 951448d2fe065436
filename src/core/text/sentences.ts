import { foldLines } from './escape.ts'

// What a single word tells. Words of the first group carry the fact itself: losing one changes what a memory says.

/** 4 negation · 3 identifier, number or outcome · 2 name · 1 other content · 0 filler. */
type WordWeight = 0 | 1 | 2 | 3 | 4

export const NEGATION: WordWeight = 4
export const TELLING: WordWeight = 3
export const NAME: WordWeight = 2
export const CONTENT: WordWeight = 1
export const FILLER: WordWeight = 0

const list = (words: string): readonly string[] => words.split(' ')

const WEIGHTS: ReadonlyMap<string, WordWeight> = new Map([
  ...list(
    'a an the of to in on at for and is are was were be been being that this these those which who with by as it its we i ' +
      'you they he she so very just also really there here then than has have had do does did will would could should can may ' +
      'might our your their about into from over',
  ).map((word): [string, WordWeight] => [word, FILLER]),
  ...list(
    'not no never none neither nor without cannot cant dont doesnt didnt wont isnt arent wasnt werent shouldnt except ' +
      'unless instead avoid only nicht kein keine keinen keiner nie niemals ohne pas jamais sans aucun nunca sin ninguno ' +
      'não nem non mai senza не нет ни никогда без niet geen nooit zonder',
  ).map((word): [string, WordWeight] => [word, NEGATION]),
  ...list(
    'failed fails fail failure failing succeeded succeeds success passed passes pass passing broken broke breaks error errors ' +
      'blocked fixed fixes works worked crash crashed crashes timeout reverted rejected regressed interrupted deprecated ' +
      'obsolete stale wrong must required forbidden always superseded corrected fehlgeschlagen erfolgreich échoué réussi',
  ).map((word): [string, WordWeight] => [word, TELLING]),
])

const CJK_NEGATION = /[不没沒無无未否非別别勿]|ない|ません|않|없/u

/** The weight of the word at [start, end) of a text; `opens`: it is the first of its sentence. */
function weightOfWord(text: string, start: number, end: number, opens: boolean): WordWeight {
  let from = start
  let to = end
  // A leading dot belongs to the word: `.env`.
  while (from < to && text.charCodeAt(from) !== 0x2e && isWrapping(text.charCodeAt(from))) from += 1
  while (to > from && isWrapping(text.charCodeAt(to - 1))) to -= 1
  if (from === to) return FILLER
  const shape = shapeOf(text, from, to)
  if (shape === TELLING && to - from > 16) return TELLING
  const word = text.slice(from, to)
  const known = WEIGHTS.get(word.toLowerCase())
  if (known !== undefined) return known
  if (isContractedNegation(word)) return NEGATION
  if (shape === NAME) return opens ? CONTENT : NAME
  if (shape === CONTENT && text.charCodeAt(from) > 0x2e7f && CJK_NEGATION.test(word)) return NEGATION
  return shape
}

function isContractedNegation(word: string): boolean {
  const end = word.length
  return end > 3 && word.charCodeAt(end - 1) === 0x74 && /n['’]t$/u.test(word)
}

/** Telling for identifiers and numbers, name for a leading capital, filler for signs alone, else content. */
function shapeOf(text: string, from: number, to: number): WordWeight {
  let capitals = 0
  let isJoined = false
  let isSpelled = false
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) return TELLING
    if (isJoiner(code)) isJoined = true
    else if (code !== 0x2d) isSpelled = true
    if (code >= 0x41 && code <= 0x5a) {
      capitals += 1
      // A capital after a small letter, or two in a row: camelCase, PascalCase, ERROR_CODE.
      if (at > from && capitals > (at - from === 1 ? 1 : 0)) return TELLING
    }
  }
  if (!isSpelled) return FILLER
  if (isJoined || text.charCodeAt(from) === 0x2d) return TELLING
  return capitals === 1 ? NAME : CONTENT
}

/** Signs that stand inside paths, symbols, flags, addresses and assignments. */
function isJoiner(code: number): boolean {
  if (code >= 0x23 && code <= 0x26) return true // # $ % &
  if (code === 0x2a || code === 0x2b || code === 0x2e || code === 0x2f || code === 0x3a) return true // * + . / :
  if (code >= 0x3c && code <= 0x3e) return true // < = >
  if (code === 0x40 || code === 0x5c || (code >= 0x5e && code <= 0x60)) return true // @ \ ^ _ `
  return code === 0x7c || code === 0x7e // | ~
}

/** Punctuation around a word that is no part of it. */
function isWrapping(code: number): boolean {
  if (code === 0x22 || code === 0x27 || code === 0x28 || code === 0x29 || code === 0x2c) return true // " ' ( ) ,
  if (code === 0x2e || code === 0x3a || code === 0x3b || code === 0x21 || code === 0x3f) return true // . : ; ! ?
  return (
    code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d || code === 0x3001 || code === 0x3002
  )
}

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
