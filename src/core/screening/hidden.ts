import { type Finding, findingOf } from './finding.ts'

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
