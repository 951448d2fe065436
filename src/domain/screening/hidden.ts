import { type Finding, findingOf } from './finding.ts'

// Characters that are there and not seen: controls, zero-width marks, direction overrides, tags, fillers. Each
// exemption below is a use that readers of some script or terminal need; it looks at direct neighbours only, so that
// text elsewhere can never excuse a hidden character.

const ESCAPE = 0x1b
const LIGATURE_SCRIPT =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Script=Syriac}]$/u
const RIGHT_TO_LEFT = /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]$/u
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u

/** Spans of hidden characters, runs joined. Linear. */
export function addHidden(findings: Finding[], text: string): void {
  let start = -1
  let end = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x20 && code < 0x7f) continue
    const isPair = (code & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    const codePoint = isPair ? (text.codePointAt(at) ?? 0) : code
    const units = isPair ? 2 : 1
    if (isHidden(codePoint) && !isExempt(text, at, codePoint)) {
      if (at !== end) {
        if (start !== -1) findings.push(findingOf('hidden_characters', start, end))
        start = at
      }
      end = at + units
    }
    at += units - 1
  }
  if (start !== -1) findings.push(findingOf('hidden_characters', start, end))
}

/** Marks which readers skip: they do not end a word. */
export function isSkipped(codePoint: number): boolean {
  return codePoint === 0xad || (codePoint >= 0x300 && codePoint <= 0x36f) || isHidden(codePoint)
}

function isHidden(code: number): boolean {
  if (code < 0x20) return !(code >= 0x09 && code <= 0x0d)
  if (code < 0x7f) return false
  if (code < 0xa0) return code !== 0x85
  if (code < 0x2000) return isHiddenBelowPunctuation(code)
  if (code <= 0x206f) return isHiddenPunctuation(code)
  if (code === 0x3164 || code === 0xfeff || code === 0xffa0) return true
  if (code >= 0xfe00 && code <= 0xfe0f) return true
  if (code >= 0xfff0 && code <= 0xfffb) return true
  if (code >= 0x1d173 && code <= 0x1d17a) return true
  return code >= 0xe0000 && code <= 0xe0fff
}

function isHiddenBelowPunctuation(code: number): boolean {
  if (code === 0x34f || code === 0x61c || code === 0x115f || code === 0x1160) return true
  return code === 0x17b4 || code === 0x17b5 || (code >= 0x180b && code <= 0x180f)
}

function isHiddenPunctuation(code: number): boolean {
  if (code >= 0x200b && code <= 0x200f) return true
  return (code >= 0x202a && code <= 0x202e) || code >= 0x2060
}

function isExempt(text: string, at: number, code: number): boolean {
  if (code === ESCAPE) return isColour(text, at)
  if (code < 0xa0) return isMojibake(text, at, code)
  if (!mayBeExempt(code)) return false
  const before = characterBefore(text, at)
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0)
  if (code === 0x200d && PICTURE.test(before) && PICTURE.test(after)) return true
  if (code === 0x200c || code === 0x200d) return LIGATURE_SCRIPT.test(before) && LIGATURE_SCRIPT.test(after)
  if (code === 0x200e || code === 0x200f || code === 0x61c) {
    return RIGHT_TO_LEFT.test(before) || RIGHT_TO_LEFT.test(after)
  }
  // Emoji or text style of the picture before it, and keycaps.
  if (code === 0xfe0f || code === 0xfe0e) return PICTURE.test(before) || /^[\d#*\p{So}\p{Sm}]$/u.test(before)
  if (code >= 0xfe00 && code <= 0xfe0d) return /^[\p{Script=Han}\p{Sm}]$/u.test(before)
  return code >= 0xe0100 && code <= 0xe01ef && /^\p{Script=Han}$/u.test(before)
}

/** The marks that some neighbours need: joiners, direction marks, selectors of a variant. */
function mayBeExempt(code: number): boolean {
  if (code >= 0x200c && code <= 0x200f) return true
  return code === 0x61c || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)
}

/** A terminal's colour sequence, `ESC [ numbers m`, unless it asks for concealed text (8). */
function isColour(text: string, at: number): boolean {
  const match = /^\[([\d;]{0,24})m/.exec(text.slice(at + 1, at + 28))
  return match !== null && !(match[1] ?? '').split(';').some((part) => Number(part) === 8 && part !== '')
}

/** UTF-8 once read as Latin-1 leaves C1 codes after a letter: broken, but visible as such. */
function isMojibake(text: string, at: number, code: number): boolean {
  if (code < 0x80 || at === 0) return false
  const before = text.charCodeAt(at - 1)
  return before >= 0x80 && before <= 0xff && before !== 0xa0 && before !== 0xad
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return ''
  const isPair = at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00
  return text.slice(isPair ? at - 2 : at - 1, at)
}
