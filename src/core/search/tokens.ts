import { CAPITAL, classAt, DENSE, DIGIT, fold, isWordClass, JOINT, SMALL } from '../text/unicode.ts'

/** A word of a language: to be stemmed, unless it is a stop word. */
export const WORD = 0
/** An identifier as it was written, in small letters: never stemmed. */
export const WHOLE = 1
/** Two neighbouring characters of a script without spaces, or the only one of a run. */
export const GRAM = 2

/** A text with accents folded, with its capitals and in small letters, and in small letters with its accents. */
export interface FoldedText {
  readonly cased: string
  readonly lower: string
  /** As long as the others; the folded text where folding changed the length. */
  readonly spoken: string
}

/** Receives the token at [start, end) of a text. `isPart`: it was cut out of an identifier. */
export type TokenSink = (text: FoldedText, start: number, end: number, kind: number, isPart: boolean) => void

/** A longer word is known by its first characters. */
const WORD_CHARS_MAX = 64
/** A longer compound (an encoded blob, say) is not kept whole and is cut at its joints only. */
const COMPOUND_CHARS_MAX = 200

/**
 * Every token of a text of any language. Words are runs of letters, marks and digits. Compounds (`getUserId`,
 * `E_CONN_RESET`, `src/auth/session.ts`, UUIDs, versions) come whole, and in parts at every level: path segments,
 * dotted names, snake and kebab words, humps. Scripts without spaces come as overlapping pairs of characters.
 */
export function eachToken(raw: string, sink: TokenSink): void {
  const text = foldedText(raw)
  let at = 0
  while (at < text.cased.length) {
    const here = classAt(text.cased, at)
    if (isWordClass(here)) at = tokensFrom(text, at, sink)
    else if (here === DENSE) at = emitGrams(text, at, sink)
    else at += 1
  }
}

export function foldedText(raw: string): FoldedText {
  const folded = fold(raw)
  const lower = folded.toLowerCase()
  const spoken = folded === raw ? lower : raw.normalize('NFC').toLowerCase()
  // A letter that grows when it loses its capital would shift all positions: then capitals are given up.
  return {
    cased: lower.length === folded.length ? folded : lower,
    lower,
    spoken: spoken.length === lower.length ? spoken : lower,
  }
}

function emitGrams(text: FoldedText, start: number, sink: TokenSink): number {
  let end = start + 1
  while (end < text.cased.length && classAt(text.cased, end) === DENSE) end += 1
  if (end === start + 1) sink(text, start, end, GRAM, false)
  for (let at = start; at + 2 <= end; at += 1) sink(text, at, at + 2, GRAM, false)
  return end
}

/** Emits the word or compound that begins at `start`; answers where to go on. */
export function tokensFrom(text: FoldedText, start: number, sink: TokenSink): number {
  const { cased } = text
  let end = start + 1
  let isJoined = false
  let hasInnerCapital = false
  while (end < cased.length) {
    const here = classAt(cased, end)
    if (isWordClass(here)) {
      if (here === CAPITAL) hasInnerCapital = true
      end += 1
      continue
    }
    const joint = jointChars(text, end, here)
    if (joint === 0 || !isWordClass(classAt(cased, end + joint))) break
    isJoined = true
    end += joint
  }
  if (!isJoined && !(hasInnerCapital && isCompound(text, start, end)))
    return emitSpoken(text, start, end, sink)
  emitCompound(text, start, end, isJoined ? 0 : LEVELS.length, false, sink)
  return end
}

const COLON = 58

function jointChars(text: FoldedText, at: number, characterClass: number): number {
  if (at + 1 >= text.lower.length) return 0
  if (characterClass === JOINT) return 1
  const isDoubleColon = text.lower.charCodeAt(at) === COLON && text.lower.charCodeAt(at + 1) === COLON
  return isDoubleColon && at + 2 < text.lower.length ? 2 : 0
}

const APOSTROPHE = 39
const CURLED_APOSTROPHE = 0x2019

/** A plain word; a short ending behind an apostrophe (`Anna's`, `they'll`) goes, and so does all of `don't`. */
function emitSpoken(text: FoldedText, start: number, end: number, sink: TokenSink): number {
  const mark = text.lower.charCodeAt(end)
  let next = end
  if (mark === APOSTROPHE || mark === CURLED_APOSTROPHE) {
    next = end + 1
    while (next < text.lower.length && isWordClass(classAt(text.cased, next))) next += 1
    // What stands before n't is an auxiliary, so a stop word; and `won't` must not become `won`.
    if (next === end + 2 && text.lower.startsWith('t', end + 1) && text.lower.startsWith('n', end - 1))
      return next
    if (next - end > 3) next = end
  }
  emitWord(text, start, end, false, sink)
  return next
}

function emitWord(text: FoldedText, start: number, end: number, isPart: boolean, sink: TokenSink): void {
  sink(text, start, Math.min(end, start + WORD_CHARS_MAX), WORD, isPart)
}

// From the outermost to the innermost: path, qualified name, snake or kebab word. Humps come behind the last.
const LEVELS = ['/', '.:@#', '_-'] as const

/** Emits [start, end) whole, then its parts from the joints of `level` inwards. */
function emitCompound(
  text: FoldedText,
  start: number,
  end: number,
  level: number,
  isPart: boolean,
  sink: TokenSink,
): void {
  if (end - start <= COMPOUND_CHARS_MAX) sink(text, start, end, WHOLE, isPart)
  emitParts(text, start, end, level, sink)
}

function emitParts(text: FoldedText, start: number, end: number, level: number, sink: TokenSink): void {
  const joints = LEVELS[level]
  if (joints === undefined) {
    emitHumps(text, start, end, sink)
    return
  }
  let from = start
  for (let at = start; at <= end; at += 1) {
    if (at < end && !joints.includes(text.lower.charAt(at))) continue
    if (from === start && at === end) emitParts(text, start, end, level + 1, sink)
    else if (at > from) emitPart(text, from, at, level + 1, sink)
    from = at + 1
  }
}

function emitPart(text: FoldedText, start: number, end: number, level: number, sink: TokenSink): void {
  if (isCompound(text, start, end)) emitCompound(text, start, end, level, true, sink)
  else emitPartWord(text, start, end, sink)
}

function emitHumps(text: FoldedText, start: number, end: number, sink: TokenSink): void {
  let from = start
  if (end - start <= COMPOUND_CHARS_MAX) {
    for (let at = start + 1; at < end; at += 1) {
      if (!isBorder(text.cased, at, end)) continue
      emitPartWord(text, from, at, sink)
      from = at
    }
  }
  emitPartWord(text, from, end, sink)
}

// A single letter is no name of a part.
function emitPartWord(text: FoldedText, start: number, end: number, sink: TokenSink): void {
  if (end - start > 1 || classAt(text.cased, start) === DIGIT) emitWord(text, start, end, true, sink)
}

function isCompound(text: FoldedText, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at += 1) {
    if (isBorder(text.cased, at, end)) return true
  }
  return false
}

/** Whether a part ends at `at`: a joint, a hump, the last capital of `HTTPServer` but not of `APIs`. */
function isBorder(cased: string, at: number, end: number): boolean {
  const here = classAt(cased, at)
  if (!isWordClass(here)) return true
  if (here !== CAPITAL) return false
  const before = classAt(cased, at - 1)
  if (before === SMALL) return true
  if (before !== CAPITAL || at + 2 >= end) return false
  return classAt(cased, at + 1) === SMALL && classAt(cased, at + 2) === SMALL
}
