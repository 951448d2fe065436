// What one UTF-16 unit may do inside a line that an agent reads. Hidden characters are removed, because text that a
// person cannot see must not reach an agent; every kind of line break is a break, because a line is what a section,
// a heading and an id are made of.

export type CharacterRole = 'keep' | 'space' | 'break' | 'drop'

/** The role of a unit outside the surrogate range. */
export function roleOfUnit(code: number): CharacterRole {
  if (code < 0x7f) {
    if (code > 0x20) return 'keep'
    if (code === 0x20 || code === 0x09) return 'space'
    return code >= 0x0a && code <= 0x0d ? 'break' : 'drop'
  }
  if (code < 0xa0) return code === 0x85 ? 'break' : 'drop'
  if (code < 0x300) return code === 0xa0 ? 'space' : code === 0xad ? 'drop' : 'keep'
  return code < 0x2000 ? roleBelowPunctuation(code) : roleAbovePunctuation(code)
}

/** The role of a code point above U+FFFF. */
export function roleOfPair(codePoint: number): CharacterRole {
  // Tags and the second block of variation selectors; invisible musical controls; shorthand format controls.
  if (codePoint >= 0xe0000 && codePoint <= 0xe0fff) return 'drop'
  if (codePoint >= 0x1d173 && codePoint <= 0x1d17a) return 'drop'
  return codePoint >= 0x1bca0 && codePoint <= 0x1bca3 ? 'drop' : 'keep'
}

function roleBelowPunctuation(code: number): CharacterRole {
  if (code === 0x34f || code === 0x61c || code === 0x115f || code === 0x1160) return 'drop'
  if (code === 0x17b4 || code === 0x17b5 || (code >= 0x180b && code <= 0x180f)) return 'drop'
  return code === 0x1680 ? 'space' : 'keep'
}

function roleAbovePunctuation(code: number): CharacterRole {
  if (code <= 0x206f) {
    if (code <= 0x200a) return 'space'
    if (code <= 0x200f) return 'drop'
    if (code === 0x2028 || code === 0x2029) return 'break'
    if (code >= 0x202a && code <= 0x202e) return 'drop'
    if (code === 0x202f || code === 0x205f) return 'space'
    return code >= 0x2060 ? 'drop' : 'keep'
  }
  if (code === 0x3000) return 'space'
  if (code === 0x3164 || code === 0xfeff || code === 0xffa0) return 'drop'
  if (code >= 0xfe00 && code <= 0xfe0f) return 'drop'
  return code >= 0xfff0 && code <= 0xfffb ? 'drop' : 'keep'
}

/** The words that open a section; a text line that begins with one is quoted. */
const SECTION_WORDS =
  /^(?:use[ _-]now|inspect[ _-]before[ _-]use|do[ _-]not[ _-]use|rehydrate|governed memory|posture|role)(?![\p{L}\p{N}_])/iu
/** First letters of the section words, lower case. */
const SECTION_INITIALS = 'uidrgp'
const DECORATION = ' \t*_-=>+~"\'`#([:|'
const ID_CHARS_MAX = 256
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/**
 * The text as one line that can forge nothing: breaks folded to spaces, hidden characters removed, section words at
 * the start of a line quoted, heading marks dropped, `[id]` look-alikes written `(id)`. Deterministic and linear in
 * the length of the text; clean text is returned as it is.
 */
export function foldText(text: string): string {
  return joinLines(text, ' ')
}

/** As `foldText`, but a line break of the text stays one `\n`: for `condense`, which cuts at them. */
export function foldLines(text: string): string {
  return joinLines(text, '\n')
}

/** The text without what is hidden, which a line that is printed does not hold; the same string when nothing is. Linear. */
export function withoutHidden(text: string): string {
  if (!UNUSUAL.test(text)) return text
  let shown = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x20 && code < 0x7f) continue
    const isPair = isPairAt(text, at, code)
    const end = isPair ? at + 2 : at + 1
    if ((isPair ? roleOfPair(text.codePointAt(at) ?? 0) : roleOfLone(code)) === 'drop') {
      shown += text.slice(from, at)
      from = end
    }
    at = end - 1
  }
  return from === 0 ? text : shown + text.slice(from)
}

/** Whether a printed line would show nothing of the text. Looks no further than the first character that it would. */
export function isHidden(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isPair = isPairAt(text, at, code)
    if ((isPair ? roleOfPair(text.codePointAt(at) ?? 0) : roleOfLone(code)) === 'keep') return false
    if (isPair) at += 1
  }
  return true
}

/** The role of a unit that is no part of a pair. */
function roleOfLone(code: number): CharacterRole {
  return code >= 0xd800 && code <= 0xdfff ? 'drop' : roleOfUnit(code)
}

/** At most `maxChars` units of a folded title, reason or identifier; a cut is marked with `…`. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  let end = Math.max(0, maxChars - 1)
  for (let at = end; at > end - 24 && at > 0; at--) {
    if (text.charCodeAt(at) === 0x20) {
      end = at
      break
    }
  }
  if (end > 0 && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1
  return `${text.slice(0, end)}…`
}

/** Rewrites bracketed tokens that read like an id; the length of the line never changes. */
export function disarmBrackets(line: string): string {
  let open = line.indexOf('[')
  if (open === -1) return line
  let out = ''
  let from = 0
  while (open !== -1) {
    const close = forgedIdEnd(line, open)
    if (close !== -1) {
      const closes = line.charCodeAt(close) === 0x5d
      out += `${line.slice(from, open)}(${line.slice(open + 1, close)}${closes ? ')' : ''}`
      from = closes ? close + 1 : close
    }
    open = line.indexOf('[', open + 1)
  }
  return from === 0 ? line : out + line.slice(from)
}

function joinLines(text: string, joiner: ' ' | '\n'): string {
  if (isCleanAscii(text)) return guardStart(text)
  const lines = readLines(text).map(guardStart)
  const only = lines[0]
  if (only === undefined) return ''
  return disarmBrackets(lines.length === 1 ? only : lines.filter((line) => line !== '').join(joiner))
}

// What is not printable ASCII, a bracket that opens, a double space. Every text that is shown is read by it: with the ends
// of the text in the pattern it takes twice as long.
const NOT_CLEAN = /[^ -Z\\-~]| {2}/
const UNUSUAL = /[^ -~\t-\r]/

/** One line of printable ASCII without brackets, double, leading or trailing spaces. */
function isCleanAscii(text: string): boolean {
  if (text === '' || text.charCodeAt(0) === 0x20 || text.charCodeAt(text.length - 1) === 0x20) return false
  return !NOT_CLEAN.test(text)
}

/** The lines of a text without what is hidden: trimmed, inner white space single, none empty. */
function readLines(text: string): string[] {
  const lines: string[] = []
  let line = ''
  let from = 0
  let afterSpace = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isPair = isPairAt(text, at, code)
    const role = isPair ? roleOfPair(text.codePointAt(at) ?? 0) : roleOfLone(code)
    if (role === 'keep' || (code === 0x20 && !afterSpace)) {
      afterSpace = code === 0x20
      if (isPair) at += 1
      continue
    }
    line += text.slice(from, at)
    if (isPair) at += 1
    from = at + 1
    if (role === 'break') {
      pushLine(lines, line)
      line = ''
      afterSpace = true
    } else if (role === 'space' && !afterSpace) {
      line += ' '
      afterSpace = true
    }
  }
  pushLine(lines, line + text.slice(from))
  return lines
}

function pushLine(lines: string[], line: string): void {
  const trimmed = line.endsWith(' ') ? line.slice(0, -1) : line
  if (trimmed !== '') lines.push(trimmed)
}

function isPairAt(text: string, at: number, code: number): boolean {
  return (code & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}

/** Takes from the start of a line what could open a heading, a section or an id. */
function guardStart(marked: string): string {
  const unmarked = marked.charCodeAt(0) === 0x23 ? withoutHeadingMarks(marked) : marked
  const line = unmarked.charCodeAt(0) === 0x5b ? withRoundBrackets(unmarked) : unmarked
  let at = 0
  while (at < line.length && at < 16 && DECORATION.includes(line.charAt(at))) at += 1
  if (at === line.length || !SECTION_INITIALS.includes(line.charAt(at).toLowerCase())) return line
  const word = SECTION_WORDS.exec(line.slice(at, at + 32))
  if (word === null) return line
  const end = at + word[0].length
  if (line.charAt(at - 1) === '"' && line.charAt(end) === '"') return line
  return `${line.slice(0, at)}"${line.slice(at, end)}"${line.slice(end)}`
}

function withRoundBrackets(line: string): string {
  const close = line.indexOf(']')
  return close === -1 ? `(${line.slice(1)}` : `(${line.slice(1, close)})${line.slice(close + 1)}`
}

/** `## Title` gives `Title`; `#123` stays. */
function withoutHeadingMarks(line: string): string {
  let from = 0
  for (let at = 0; line.charCodeAt(at) === 0x23; ) {
    while (line.charCodeAt(at) === 0x23) at += 1
    if (at < line.length && line.charCodeAt(at) !== 0x20) break
    at += 1
    from = at
  }
  return line.slice(from)
}

/** Where a bracketed token that could be read as an id ends: the `]`, or the unit after a UUID without one; else -1. */
function forgedIdEnd(line: string, open: number): number {
  const start = line.charCodeAt(open + 1) === 0x20 ? open + 2 : open + 1
  let end = start
  while (end < line.length && end - start <= ID_CHARS_MAX && !endsToken(line.charCodeAt(end))) end += 1
  if (end === start) return -1
  const close = line.charCodeAt(end) === 0x20 ? end + 1 : end
  const isClosed = line.charCodeAt(close) === 0x5d
  if (end - start >= 36 && UUID.test(line.slice(start, start + 36))) return isClosed ? close : end
  return isClosed && start === open + 1 && close === end && !isWordUnit(line.charCodeAt(open - 1))
    ? close
    : -1
}

function endsToken(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x5b || code === 0x5d
}

/** A letter, digit, `_`, `)` or `]` before a bracket makes it an index or a call, as in `items[0]`. */
function isWordUnit(code: number): boolean {
  if (Number.isNaN(code)) return false
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x29
}
