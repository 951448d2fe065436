import { type CharacterKinds, kindOf, type UnitKinds, unitKinds } from '../text/unicode.ts'
import { isSkipped, SKIPPED_ROWS } from './folding.ts'

// What a unit of a text is to the reader of words.

export const NO_WORD = 1
export const LETTER = 2
export const NUMERAL = 3
/** A letter of a script without spaces. */
export const DENSE = 4
/** Not seen: it does not end a word. */
export const SKIP = 5
/** `@` and `$`: letters only inside a word. */
export const SIGN = 6

const KINDS: CharacterKinds = [
  [NO_WORD, /[^]+/g],
  [LETTER, /[\p{L}\p{M}]+/gu],
  [NUMERAL, /\p{N}+/gu],
  [DENSE, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu],
  [SIGN, /[@$]/g],
]
const HALF = 0
const kinds: UnitKinds = kindTable()

/** What the unit at `at` is; both halves of a surrogate pair are what the pair is. */
export function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] || kindOfHalf(text, at)
}

function kindOfHalf(text: string, at: number): number {
  const before = text.codePointAt(at - 1) ?? 0
  const codePoint = before > 0xffff ? before : (text.codePointAt(at) ?? 0)
  if (codePoint <= 0xffff) return NO_WORD
  return isSkipped(codePoint) ? SKIP : kindOf(KINDS, String.fromCodePoint(codePoint))
}

/** Controls below the space are no marks inside a word. */
function kindTable(): UnitKinds {
  const table = unitKinds(KINDS, HALF)
  for (const [first, last] of SKIPPED_ROWS) table.fill(SKIP, Math.max(first, 0x20), last + 1)
  return table
}

// Email addresses, URLs and domain names. The units that a host name may be made of, up to the first that no host name
// holds, are read once for all words in them: reading all of a text stays linear.

const HOST_MAX = 253
const SCHEME = /^(?:https?|ftp|wss?|s3|sftp)$/i
const MAIL = /^mailto$/i
/** White space, quotes and brackets, and marks beyond letters. */
const BLANK = /[\0-\x20"'<>`)\]}|\u2000-\uffff]/g
const WWW = /^www\./i
const TOP_LEVELS =
  'com net org io dev biz info xyz co ai app cloud site online ru cn tk me example test invalid onion gov edu uk de fr nl it es pl eu us ca au in jp br top shop click link live pro tech store'
/** Ends in a known top level. */
const NAMED = new RegExp(`\\.(?:${TOP_LEVELS.replaceAll(' ', '|')})$`, 'i')

/** Units that may stand before `@`, before `:` or in a host name, one after the other. */
interface Run {
  /** The first unit after it: `@`, `:`, or one that ends a host name. */
  readonly end: number
  /** Where a mailbox that begins in it ends, -1 when nothing like a host follows. */
  readonly emailEnd: number
}

/** Tells where the address that begins at a place ends, -1 for none. Asked from left to right, each run is read once. */
export function addressReader(text: string): (start: number) => number {
  let run: Run | null = null
  return (start) => {
    if (run === null || run.end <= start) run = runFrom(text, start)
    return addressEnd(text, start, run)
  }
}

/** Whether a word that ends at `end` may begin an address, by the unit that follows it. */
export function mayBeAddress(text: string, end: number): boolean {
  if (end === text.length) return false
  const code = text.charCodeAt(end)
  return code === 0x40 || code === 0x3a || code === 0x2d || isJoint(code) || isDotInside(text, end)
}

function addressEnd(text: string, start: number, run: Run): number {
  if (run.end - start > HOST_MAX) return -1
  const units = text.slice(start, run.end)
  const mark = text.charCodeAt(run.end)
  if (mark === 0x40) return units === '' ? -1 : run.emailEnd
  if (mark === 0x3a) {
    const isUrl = MAIL.test(units) || (SCHEME.test(units) && text.startsWith('://', run.end))
    return isUrl ? blankAfter(text, run.end) : -1
  }
  if (!NAMED.test(units) && !WWW.test(units)) return -1
  return mark === 0x2f ? blankAfter(text, run.end) : run.end
}

function runFrom(text: string, start: number): Run {
  let end = start
  while (isRunUnit(text, end)) end += 1
  return { end, emailEnd: emailEnd(text, end) }
}

function isRunUnit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return isHostUnit(code) || isJoint(code) || isDotInside(text, at)
}

/** A dot with a unit of a host name behind it. */
function isDotInside(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x2e && isHostUnit(text.charCodeAt(at + 1))
}

/** A unit that stands in the name of a mailbox, and in no host name. */
function isJoint(code: number): boolean {
  return code === 0x2b || code === 0x25 || code === 0x5f
}

function emailEnd(text: string, sign: number): number {
  let at = sign + 1
  while (at - sign <= HOST_MAX && (isHostUnit(text.charCodeAt(at)) || isDotInside(text, at))) at += 1
  return text.slice(sign, at).includes('.') && at - sign > 3 ? at : -1
}

/** Where what is not blank ends; marks of a sentence at its end are not part of it. */
function blankAfter(text: string, from: number): number {
  BLANK.lastIndex = from
  let end = BLANK.exec(text)?.index ?? text.length
  while ('.,;:!?'.includes(text.charAt(end - 1))) end -= 1
  return end
}

function isHostUnit(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x2d
}
