import { isCommitId } from '../text/identifiers.ts'
import { CAPITAL, classAt, DENSE, DIGIT, fold, isWordClass, JOINT, SMALL } from '../text/unicode.ts'

/** A word of a language: to be stemmed, unless it is a stop word. */
export const WORD = 0
/** An identifier as it was written, in small letters: never stemmed. */
export const WHOLE = 1
/** Two neighbouring characters of a script without spaces, or the only one of a run. */
export const GRAM = 2
/** An identifier that is one side of a compound: `tests/a.py` and `test_b` of `tests/a.py::test_b`. */
export const SIDE = 3
/**
 * A shorter form of an identifier behind a sign that says so: an end of a path or qualified name with the joint before
 * it (`/auth/session.ts` of `src/auth/session.ts`), the beginning of a commit id behind a tilde.
 */
export const SHORT = 4

/** A text with accents folded, with its capitals and in small letters, and in small letters with its accents. */
export interface FoldedText {
  readonly cased: string
  readonly lower: string
  /** As long as the others; the folded text where folding changed the length. */
  readonly spoken: string
}

/** Receives the token at [start, end) of a text. `isPart`: it was cut out of an identifier and is none itself. */
export type TokenSink = (text: FoldedText, start: number, end: number, kind: number, isPart: boolean) => void

/** A longer word is known by its first characters. */
const WORD_CHARS_MAX = 64
/** A longer compound (an encoded blob, say) is not kept whole and is cut at its joints only. */
const COMPOUND_CHARS_MAX = 200
/** Ends that a path or qualified name is known by at most, the longest ones. */
const TAILS_MAX = 12
/** Characters of the short forms of a commit id that tools print. */
const COMMIT_CHARS = [7, 8, 9, 10, 11, 12, 16] as const

/**
 * Every token of a text of any language. Words are runs of letters, marks and digits. Compounds (`getUserId`,
 * `E_CONN_RESET`, `src/auth/session.ts`, `--no-cache`, UUIDs, versions) come whole, and in parts at every level: the
 * sides of a test id or a member name, path segments, dotted names, snake and kebab words, humps; paths and qualified
 * names also by their ends. Scripts without spaces come as overlapping pairs of characters.
 */
export function eachToken(raw: string, sink: TokenSink): void {
  const text = foldedText(raw)
  for (let at = 0; at < text.cased.length; ) at = tokensAt(text, at, sink)
}

/** The tokens of what begins at a place; answers where to go on. */
export function tokensAt(text: FoldedText, at: number, sink: TokenSink): number {
  const here = classAt(text.cased, at)
  if (isWordClass(here)) return tokensFrom(text, at, sink)
  return here === DENSE ? emitGrams(text, at, sink) : at + 1
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
function tokensFrom(text: FoldedText, start: number, sink: TokenSink): number {
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
  if (isFlag(text, start)) sink(text, start - FLAG_CHARS, end, WHOLE, false)
  if (!isJoined && !(hasInnerCapital && isCompound(text, start, end)))
    return emitSpoken(text, start, end, sink)
  emitCompound(text, start, end, isJoined ? 0 : LEVELS.length, WHOLE, sink)
  return end
}

const HYPHEN = 45
const FLAG_CHARS = 2

/** Whether a flag of a command line begins here: two hyphens before a letter, and nothing that they could belong to. */
function isFlag({ lower, cased }: FoldedText, start: number): boolean {
  if (lower.charCodeAt(start - 1) !== HYPHEN || lower.charCodeAt(start - FLAG_CHARS) !== HYPHEN) return false
  if (classAt(cased, start) === DIGIT) return false
  const before = start - FLAG_CHARS - 1
  return before < 0 || (lower.charCodeAt(before) !== HYPHEN && !isWordClass(classAt(cased, before)))
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
  if (isCommitId(text.lower, start, end)) emitCommit(text, start, end, sink)
  else emitWord(text, start, end, false, sink)
  return next
}

/** A commit id is known whole and by its short forms. */
function emitCommit(text: FoldedText, start: number, end: number, sink: TokenSink): void {
  sink(text, start, end, WHOLE, false)
  for (const chars of COMMIT_CHARS) {
    if (chars >= end - start) return
    const short = `~${text.lower.slice(start, start + chars)}`
    sink({ cased: short, lower: short, spoken: short }, 0, short.length, SHORT, true)
  }
}

function emitWord(text: FoldedText, start: number, end: number, isPart: boolean, sink: TokenSink): void {
  sink(text, start, Math.min(end, start + WORD_CHARS_MAX), WORD, isPart)
}

// From the outermost to the innermost: test id, member or place in a file; path; qualified name; snake or kebab word.
// Humps come behind the last.
const LEVELS = [':#@', '/', '.', '_-'] as const
const SIDES = 0
const SEGMENTS = 1
const NAMES = 2
const AT_SIGN = 64

/** Emits [start, end) whole as `kind`, then its parts from the joints of `level` inwards. */
function emitCompound(
  text: FoldedText,
  start: number,
  end: number,
  level: number,
  kind: number | null,
  sink: TokenSink,
): void {
  if (end - start <= COMPOUND_CHARS_MAX) sink(text, start, end, kind ?? WHOLE, kind === null)
  emitParts(text, start, end, level, kind !== null, sink)
}

/** `isNamed`: what is cut stands for itself, so that its sides are identifiers and its ends are known. */
function emitParts(
  text: FoldedText,
  start: number,
  end: number,
  level: number,
  isNamed: boolean,
  sink: TokenSink,
): void {
  const joints = LEVELS[level]
  if (joints === undefined) {
    emitHumps(text, start, end, sink)
    return
  }
  if (isNamed && level < LEVELS.length - 1 && end - start <= COMPOUND_CHARS_MAX)
    emitTails(text, start, end, level, sink)
  let from = start
  for (let at = start; at <= end; at += 1) {
    if (at < end && !joints.includes(text.lower.charAt(at))) continue
    if (from === start && at === end) emitParts(text, start, end, level + 1, isNamed, sink)
    else if (at > from) emitPart(text, from, at, level, isNamed, sink)
    from = at + 1
  }
}

function emitPart(
  text: FoldedText,
  start: number,
  end: number,
  level: number,
  isNamed: boolean,
  sink: TokenSink,
): void {
  const isSide = isNamed && level === SIDES && !isOfAddress(text, start, end)
  if (isCompound(text, start, end)) emitCompound(text, start, end, level + 1, isSide ? SIDE : null, sink)
  else emitPartWord(text, start, end, sink)
}

/** Whether it is a side of `name@host`; of `package@1.2` the package is a name by itself. */
function isOfAddress({ lower, cased }: FoldedText, start: number, end: number): boolean {
  if (lower.charCodeAt(start - 1) === AT_SIGN) return true
  if (lower.charCodeAt(end) !== AT_SIGN) return false
  const next = classAt(cased, end + 1)
  return next !== DIGIT && !(lower.startsWith('v', end + 1) && classAt(cased, end + 2) === DIGIT)
}

/** Each end of a path or qualified name that has a joint in it, with the joint before it. */
function emitTails(text: FoldedText, start: number, end: number, level: number, sink: TokenSink): void {
  // To look for a joint in all of the text would take as long as the text, for each compound.
  const compound = text.lower.slice(start, end)
  const joint = level === SIDES ? '::' : level === SEGMENTS ? '/' : '.'
  const last = compound.lastIndexOf(joint)
  let at = compound.indexOf(joint)
  for (let tails = 0; tails < TAILS_MAX && at >= 0 && at < last; tails += 1) {
    const tail = start + at + joint.length - 1
    // `.3` of `1.2.3` is no name.
    if (level !== NAMES || classAt(text.cased, tail + 1) !== DIGIT) sink(text, tail, end, SHORT, true)
    at = compound.indexOf(joint, at + joint.length)
  }
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
