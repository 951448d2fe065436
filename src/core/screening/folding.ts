import { type Finding, findingOf } from './finding.ts'

// Bytes out of digits and letters, and text out of bytes: the domain has no decoder of its own.

const UNITS_PER_CALL = 4096
/** How much of readable text is not controls. */
const PLAIN_SHARE = 0.95
/** The least code point of a character of so many bytes; what is less has a shorter form. */
const LEAST_OF = [0, 0, 0x80, 0x800, 0x10000]

/** Bytes of hexadecimal digits, two for each. */
export function bytesOfHex(digits: string): number[] {
  const bytes: number[] = []
  for (let at = 0; at < digits.length; at += 2) bytes.push(hexByteAt(digits, at))
  return bytes
}

/** What units stand for in an alphabet; of those that are not in it nothing is said. */
type Alphabet = readonly number[]

/** Letters in the order of their values, and other letters for the last of them. */
export function alphabetOf(letters: string, aliasesOfLast = ''): Alphabet {
  const alphabet: number[] = []
  for (const [value, letter] of Array.from(letters).entries()) alphabet[letter.charCodeAt(0)] = value
  for (const [at, letter] of Array.from(aliasesOfLast).entries()) {
    alphabet[letter.charCodeAt(0)] = letters.length - aliasesOfLast.length + at
  }
  return alphabet
}

/** Bytes of letters that stand for `bitsPerLetter` bits each; a rest of bits is dropped. */
export function bytesPacked(letters: string, alphabet: Alphabet, bitsPerLetter: number): number[] {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  for (let at = 0; at < letters.length; at++) {
    buffer = ((buffer << bitsPerLetter) | (alphabet[letters.charCodeAt(at)] ?? 0)) & 0xffff
    bits += bitsPerLetter
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 0xff)
    }
  }
  return bytes
}

/** The bytes as UTF-8, null when they are not text that a person could read. */
export function readable(bytes: readonly number[]): string | null {
  let plain = 0
  for (const byte of bytes) if (isPlain(byte)) plain += 1
  return plain < bytes.length * PLAIN_SHARE ? null : utf8(bytes)
}

/** Neither a control nor a delete; units of letters beyond ASCII count one by one. */
function isPlain(byte: number): boolean {
  return (byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

/** UTF-8 by hand, because the domain has no decoder; null at the first wrong byte. */
function utf8(bytes: readonly number[]): string | null {
  const units: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const codePoint = codePointAt(bytes, at)
    if (codePoint === -1) return null
    at += bytesFrom(bytes[at] ?? 0)
    if (codePoint < 0x10000) units.push(codePoint)
    else units.push(0xd7c0 + (codePoint >> 10), 0xdc00 + (codePoint & 0x3ff))
  }
  return textOf(units)
}

/** How many bytes a character has that begins with this one, as far as that is UTF-8; 0 when none can begin with it. */
export function bytesFrom(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc0) return 0
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

/** The code point whose bytes of UTF-8 begin at `at`; -1 when they are wrong. */
export function codePointAt(bytes: readonly number[], at: number): number {
  const first = bytes[at] ?? 0
  const count = bytesFrom(first)
  if (count === 0) return -1
  let codePoint = first & (0x7f >> (count - 1))
  for (let next = at + 1; next < at + count; next++) {
    const byte = bytes[next] ?? 0
    if ((byte & 0xc0) !== 0x80) return -1
    codePoint = (codePoint << 6) | (byte & 0x3f)
  }
  const isShortest = codePoint >= (LEAST_OF[count] ?? 0)
  return isShortest && (codePoint & 0x1ff800) !== 0xd800 && codePoint <= 0x10ffff ? codePoint : -1
}

/** The units as a text, in parts, because a call takes only so many arguments. */
export function textOf(units: readonly number[]): string {
  let text = ''
  for (let from = 0; from < units.length; from += UNITS_PER_CALL) {
    text += String.fromCharCode(...units.slice(from, from + UNITS_PER_CALL))
  }
  return text
}

/** A unit of the base64 alphabets, of hexadecimal digits and of identifiers. */
export function isRunUnit(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x2b || code === 0x2f || code === 0x2d || code === 0x5f
}

/** The value of a hexadecimal digit, -1 for any other unit. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** The byte that two hexadecimal digits are, -1 for anything else. */
export function hexByteAt(text: string, at: number): number {
  const high = hexValue(text.charCodeAt(at))
  const low = hexValue(text.charCodeAt(at + 1))
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

/** Text that another text holds in encoded form. */
export interface Decoded {
  readonly text: string
  readonly encoding: 'base64' | 'base32' | 'hex' | 'binary' | 'escapes' | 'rot13' | 'atbash' | 'reversed'
  /** Span in the outer text of the decoded span from `start` to `end`. */
  readonly spanOf: (start: number, end: number) => readonly [number, number]
}

// Characters that are there and not seen: controls, zero-width marks, direction overrides, tags, fillers. Each
// exemption below is a use that readers of some script or terminal need; it looks at direct neighbours only, so that
// text elsewhere can never excuse a hidden character.

/** First and last of every row of code points that a person does not see. */
const ROWS: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]
/** Those of them that some neighbours need: what KEPT begins with. */
const NEEDED: typeof ROWS = [
  [0x1b, 0x1b],
  [0x80, 0x84],
  [0x86, 0x9f],
  [0x61c, 0x61c],
  [0x200c, 0x200f],
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
]
/** Marks which readers skip: they do not end a word. */
export const SKIPPED_ROWS: typeof ROWS = [[0xad, 0xad], [0x300, 0x36f], ...ROWS]
const SEEN = 0
const HIDDEN = 1
const HIDDEN_MOSTLY = 2
/** Of a pair, which has a kind of its own. */
const HALF = 3
/** By code point. Zeros take no memory until they are written. */
const kinds = new Uint8Array(0x110000)
for (const [first, last] of ROWS) kinds.fill(HIDDEN, first, last + 1)
for (const [first, last] of NEEDED) kinds.fill(HIDDEN_MOSTLY, first, last + 1)
kinds.fill(HALF, 0xd800, 0xe000)

const LIGATURES =
  '[\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Mongolian}\\p{Script=Syriac}]'
const RIGHT_TO_LEFT = '[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}]'
const PICTURE = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f'
/** A hidden character at its place, with the neighbours that need it. */
const KEPT = new RegExp(
  [
    // A terminal's colour sequence, unless it asks for concealed text (8).
    '\\u001b\\[(?!(?:[\\d;]{0,24};)?0{0,24}8[;m])[\\d;]{0,24}m',
    // UTF-8 once read as Latin-1 leaves C1 codes after a letter: broken, but visible as such.
    '[\\u0080-\\u009f](?<=[\\u0080-\\u009f\\u00a1-\\u00ac\\u00ae-\\u00ff].)',
    `\\u200d(?<=[${PICTURE}].)(?=[${PICTURE}])`,
    `[\\u200c\\u200d](?<=${LIGATURES}.)(?=${LIGATURES})`,
    `[\\u200e\\u200f\\u061c](?:(?<=${RIGHT_TO_LEFT}.)|(?=${RIGHT_TO_LEFT}))`,
    // Emoji or text style of the picture before it, and keycaps.
    `[\\ufe0e\\ufe0f](?<=[${PICTURE}\\d#*\\p{So}\\p{Sm}].)`,
    '[\\ufe00-\\ufe0d](?<=[\\p{Script=Han}\\p{Sm}].)',
    '[\\u{e0100}-\\u{e01ef}](?<=\\p{Script=Han}.)',
  ].join('|'),
  'uys',
)

/** Spans of hidden characters, runs joined. Linear. */
export function addHidden(findings: Finding[], text: string): void {
  let start = -1
  let end = -1
  for (let at = 0; at < text.length; at++) {
    if (kinds[text.charCodeAt(at)] === SEEN) continue
    const codePoint = text.codePointAt(at) ?? 0
    if (!isHidden(codePoint) || isKept(text, at, codePoint)) continue
    if (at !== end) {
      if (start !== -1) findings.push(findingOf('hidden_characters', start, end))
      start = at
    }
    end = at + String.fromCodePoint(codePoint).length
  }
  if (start !== -1) findings.push(findingOf('hidden_characters', start, end))
}

/** Whether readers skip the mark, see `SKIPPED_ROWS`. */
export function isSkipped(codePoint: number): boolean {
  return codePoint === 0xad || (codePoint >= 0x300 && codePoint <= 0x36f) || isHidden(codePoint)
}

function isHidden(codePoint: number): boolean {
  const kind = kinds[codePoint]
  return kind === HIDDEN || kind === HIDDEN_MOSTLY
}

function isKept(text: string, at: number, codePoint: number): boolean {
  if (kinds[codePoint] === HIDDEN) return false
  KEPT.lastIndex = at
  return KEPT.test(text)
}

// Letters of Cyrillic, Greek, Armenian and Cherokee that look like Latin ones, after folding to lower case, and the
// digits and signs that stand for letters. Source of the letters: Unicode Technical Standard 39, confusables.txt,
// the part that is confusable with a to z.

const PAIRS =
  'аa вb еe ёe ғf һh іi їi јj кk ӏl мm нh оo рp ԛq гr ѕs тt цu уy ѵv ԝw хx ԁd ɡg ɑa ɩi ı i ο o α a ν v ρ p τ t υ u ι i κ k χ x γ y η n ε e ω w ϲ c ϳ j ս u օ o հ h ո n ց g զ q յ j с c ɢg ʏy ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz'
const LOOK_ALIKE = lettersByLikeness(PAIRS)
const SIGNS_AS_LETTERS = lettersByLikeness('0o 1i 3e 4a 5s 7t @a $s')

const LATIN = /\p{Script=Latin}/u
const LETTERS = /\p{L}/gu

function lettersByLikeness(pairs: string): ReadonlyMap<string, string> {
  const letters = new Map<string, string>()
  const all = Array.from(pairs.replaceAll(' ', ''))
  for (let at = 0; at + 1 < all.length; at += 2) letters.set(all[at] ?? '', all[at + 1] ?? '')
  return letters
}

/** The word as it looks in Latin letters; `withDigits` also reads digits and signs as letters. */
export function skeletonOf(word: string, withDigits: boolean): string {
  let out = ''
  for (const character of word) {
    const latin = LOOK_ALIKE.get(character) ?? (withDigits ? SIGNS_AS_LETTERS.get(character) : undefined)
    out += latin ?? character
  }
  return out
}

/**
 * Whether a folded word mixes Latin letters with look-alikes of another script: three letters or more, and every
 * letter that is not Latin has a Latin look-alike. A unit or a formula (`kΩ`, `μs`) is not.
 */
export function isMixedScript(word: string): boolean {
  let latin = 0
  let others = 0
  for (const [letter] of word.matchAll(LETTERS)) {
    if (LATIN.test(letter)) latin += 1
    else if (LOOK_ALIKE.has(letter)) others += 1
    else return false
  }
  return latin > 0 && others > 0 && latin + others >= 3
}

// The form in which words are looked up. Most units fold alone, whatever stands beside them: three tables hold what
// they fold to, so that a word can be looked up where it stands, without a copy of it.

/** Beyond printable ASCII. */
const BEYOND_ASCII = /[\u007f-\uffff]/
const SKIPPED = /[\p{Mn}\p{Cf}\u00ad\u3164\uffa0\p{Cc}]+/gu
/** What the unit folds to depends on its neighbours, or is not one unit. */
export const UNCLEAR = 0
/** The unit folds to nothing. */
export const DROPPED = 1

/** By unit: the unit that it folds to, UNCLEAR or DROPPED. Read it with `unitOf`. */
export type UnitTable = { readonly [unit: number]: number }

/**
 * Scripts in which folding a text is folding its units: no letter of them composes with another after its marks are
 * gone. Not in them: Hangul letters (which join to syllables), the Greek final sigma, vowel signs of two parts.
 */
const BY_UNIT: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x3a2],
  [0x3a4, 0x3f8],
  [0x3fa, 0x3ff],
  [0x400, 0x52f],
  [0x5d0, 0x5ea],
  [0x620, 0x65f],
  [0x900, 0x97f],
  [0xe01, 0xe5b],
  [0x200b, 0x200f],
  [0x2019, 0x2019],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xff01, 0xff5e],
]

/** Syllables of Korean fold alone as well, each to itself. */
const SYLLABLES_START = 0xac00
const SYLLABLES_END = 0xd7a4
/** Behind each unit of a row that is folded as a whole: it folds to itself and joins with nothing. */
const APART = '\ue000'

/**
 * Three foldings: `PLAIN` folds only, `LIKE` reads look-alike letters as the Latin ones too, `LEET` also digits and signs.
 */
export const { PLAIN, LIKE, LEET } = unitTables()

/** The form in which words are looked up: lower case, compatibility forms and accents folded, hidden marks gone. */
export function foldWord(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word.toLowerCase()
  const units: number[] = []
  for (let at = 0; at < word.length; at++) {
    const unit = unitOf(PLAIN, word.charCodeAt(at))
    if (unit === UNCLEAR) return foldWhole(word)
    if (unit !== DROPPED) units.push(unit)
  }
  return textOf(units)
}

/** What a table has for a unit: what it folds to alone, UNCLEAR or DROPPED. */
export function unitOf(table: UnitTable, unit: number): number {
  return table[unit] ?? UNCLEAR
}

function unitTables(): Readonly<Record<'PLAIN' | 'LIKE' | 'LEET', UnitTable>> {
  const tables = {
    PLAIN: new Uint16Array(0x10000),
    LIKE: new Uint16Array(0x10000),
    LEET: new Uint16Array(0x10000),
  }
  for (const [first, last] of BY_UNIT) {
    let units = ''
    for (let unit = first; unit <= last; unit++) units += String.fromCharCode(unit) + APART
    const folded = foldWhole(units)
    fillRow(tables.PLAIN, first, folded)
    fillRow(tables.LIKE, first, skeletonOf(folded, false))
    fillRow(tables.LEET, first, skeletonOf(folded, true))
  }
  const { PLAIN, LIKE, LEET } = tables
  for (let unit = SYLLABLES_START; unit < SYLLABLES_END; unit++) PLAIN[unit] = unit
  for (const table of [LIKE, LEET]) table.set(PLAIN.subarray(SYLLABLES_START, SYLLABLES_END), SYLLABLES_START)
  return tables
}

function fillRow(table: Uint16Array, first: number, folded: string): void {
  let unit = first
  for (let at = 0; at < folded.length; unit++) {
    const end = folded.indexOf(APART, at)
    const isOne = end === at + 1
    table[unit] = end === at ? DROPPED : isOne ? folded.charCodeAt(at) : UNCLEAR
    at = end + 1
  }
}

function foldWhole(word: string): string {
  return word.normalize('NFKD').replace(SKIPPED, '').normalize('NFC').replaceAll('\u2019', "'").toLowerCase()
}
