// What stands between two words, by how much it separates them.

/** 0 a space or a joining mark · 1 a comma or a dash · 2 the start of a clause, a line or a quote · 3 of a sentence. */
export type GapLevel = 0 | 1 | 2 | 3

const SPACE = 1 << 0
const LINE_END = 1 << 1
const SENTENCE_END = 1 << 2
const DENSE_SENTENCE_END = 1 << 3
const CLAUSE = 1 << 4
const QUOTE = 1 << 5
const BULLET = 1 << 6
const COMMA = 1 << 7
const DASH = 1 << 8
const COLON = 1 << 9

const MARKS: readonly (readonly [number, string])[] = [
  [SPACE, ' \t\r'],
  [LINE_END, '\n'],
  [SENTENCE_END, '.!?\u2026'],
  [DENSE_SENTENCE_END, '\u3002\uff01\uff1f'],
  [CLAUSE, ':;([{|<>\u2014\u2022\u300c\u300e\uff1a\uff1b'],
  [QUOTE, '"\'`\u201c\u201e\u2018\u00ab'],
  [BULLET, '-*\u2022#>|+'],
  [COMMA, ','],
  [DASH, '-\u2013'],
  [COLON, ':'],
]
const ascii = new Uint16Array(0x80)
const beyond = new Map<number, number>()
for (const [mark, units] of MARKS) {
  for (const unit of units) {
    const code = unit.charCodeAt(0)
    if (code < 0x80) ascii[code] = (ascii[code] ?? 0) | mark
    else beyond.set(code, (beyond.get(code) ?? 0) | mark)
  }
}

/** Set beside the level when a quote mark after a space opens a name, as in `titled 'Accounts'`. */
export const OPENS_NAME = 1 << 2
export const LEVEL = 3

/** One quote mark after a space, then nothing but the signs that begin a path. */
const NAME_OPENING = /\s["'`\u201c\u201e\u2018\u00ab][~./\\#@]{0,3}$/

/** Reads the units from `from` to `to`, between two words: their level, with OPENS_NAME where it holds. */
export function gapBetween(text: string, from: number, to: number): number {
  if (to === from || (to - from === 1 && text.charCodeAt(from) === 0x20)) return 0
  let level: GapLevel = 0
  let quotes = 0
  let lineEnds = 0
  let isField = false
  let afterEnd = false
  for (let at = from; at < to; at++) {
    const marks = marksOf(text.charCodeAt(at))
    if (afterEnd && (marks & (SPACE | LINE_END | QUOTE | CLAUSE)) !== 0) level = 3
    afterEnd = (marks & SENTENCE_END) !== 0
    if ((marks & SPACE) !== 0) continue
    if ((marks & LINE_END) !== 0) lineEnds += 1
    else if (lineEnds > 0 && (marks & BULLET) !== 0) level = 3
    else if ((marks & DENSE_SENTENCE_END) !== 0) level = 3
    else if ((marks & QUOTE) !== 0) {
      if (isField && quotes > 0) level = 3
      quotes += 1
    } else if (quotes > 0 && (marks & (COMMA | COLON)) !== 0) isField = true
    if (level < 2 && (lineEnds > 0 || quotes > 0 || (marks & CLAUSE) !== 0)) level = 2
    else if (level < 1 && (marks & (COMMA | DASH)) !== 0) level = 1
  }
  if (lineEnds > 1) return 3
  return quotes === 1 && level === 2 && opensName(text.slice(from, to)) ? level | OPENS_NAME : level
}

function marksOf(code: number): number {
  return code < 0x80 ? (ascii[code] ?? 0) : (beyond.get(code) ?? 0)
}

function opensName(gap: string): boolean {
  return NAME_OPENING.test(gap.slice(-5)) && !gap.includes(':')
}
