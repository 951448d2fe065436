// What stands between two words, by how much it separates them.

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
/** By unit. Zeros take no memory until they are written. */
const marksOf = new Uint16Array(0x10000)
for (const [mark, units] of MARKS) {
  for (const unit of units) marksOf[unit.charCodeAt(0)] = (marksOf[unit.charCodeAt(0)] ?? 0) | mark
}

/** Set beside the level when a quote mark after a space opens a name, as in `titled 'Accounts'`. */
export const OPENS_NAME = 1 << 2
export const LEVEL = 3

/** One quote mark after a space, then nothing but the signs that begin a path. */
const NAME_OPENING = /\s["'`\u201c\u201e\u2018\u00ab][~./\\#@]{0,3}$/

/**
 * Reads the units from `from` to `to`, between two words: their level, with OPENS_NAME where it holds. Level 0 is a space
 * or a joining mark, 1 a comma or a dash, 2 the start of a clause, a line or a quote, 3 that of a sentence.
 */
export function gapBetween(text: string, from: number, to: number): number {
  let level = 0
  let quotes = 0
  let lineEnds = 0
  let isField = false
  let afterEnd = false
  for (let at = from; at < to; at++) {
    const marks = marksOf[text.charCodeAt(at)] ?? 0
    if (afterEnd && (marks & (SPACE | LINE_END | QUOTE | CLAUSE)) !== 0) level = 3
    afterEnd = (marks & SENTENCE_END) !== 0
    if ((marks & LINE_END) !== 0) lineEnds += 1
    else if (lineEnds > 0 && (marks & BULLET) !== 0) level = 3
    else if ((marks & DENSE_SENTENCE_END) !== 0) level = 3
    else if ((marks & QUOTE) !== 0) {
      if (isField) level = 3
      quotes += 1
    } else if (quotes > 0 && (marks & (COMMA | COLON)) !== 0) isField = true
    if (lineEnds > 0 || quotes > 0 || (marks & CLAUSE) !== 0) level = Math.max(level, 2)
    else if ((marks & (COMMA | DASH)) !== 0) level = Math.max(level, 1)
  }
  if (lineEnds > 1) return 3
  return quotes === 1 && level === 2 && opensName(text.slice(from, to)) ? level | OPENS_NAME : level
}

function opensName(gap: string): boolean {
  return NAME_OPENING.test(gap) && !gap.includes(':')
}
