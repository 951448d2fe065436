// What stands between two words, by how much it separates them.

/** 0 a space or a joining mark · 1 a comma or a dash · 2 the start of a clause, a line or a quote · 3 of a sentence. */
export type GapLevel = 0 | 1 | 2 | 3

export interface Gap {
  readonly level: GapLevel
  readonly chars: number
  /** Whether a quote mark after a space opens a name, as in `titled 'Accounts'`. */
  readonly opensName: boolean
}

const SPACE: Gap = { level: 0, chars: 1, opensName: false }
const JOINED: Gap = { level: 0, chars: 0, opensName: false }
const SENTENCE_END = '.!?\u2026'
const DENSE_SENTENCE_END = '\u3002\uff01\uff1f'
const CLAUSE = ':;([{|<>\u2014\u2022\u300c\u300e\uff1a\uff1b'
const QUOTE = '"\'`\u201c\u201e\u2018\u00ab'
const BULLET = '-*\u2022#>|+'

/** Reads the units from `from` to `to`. At the start of the text everything separates. */
export function gapBetween(text: string, from: number, to: number, isFirst: boolean): Gap {
  if (isFirst) return { level: 3, chars: to - from, opensName: false }
  if (to - from === 1 && text.charCodeAt(from) === 0x20) return SPACE
  if (to === from) return JOINED
  let level: GapLevel = 0
  let quotes = 0
  let newlines = 0
  let isField = false
  let afterEnd = false
  for (let at = from; at < to; at++) {
    const character = text.charAt(at)
    const isSpace = character === ' ' || character === '\t' || character === '\r'
    if (
      afterEnd &&
      (isSpace || character === '\n' || QUOTE.includes(character) || CLAUSE.includes(character))
    )
      level = 3
    afterEnd = SENTENCE_END.includes(character)
    if (isSpace) continue
    if (character === '\n') newlines += 1
    else if (newlines > 0 && BULLET.includes(character)) level = 3
    else if (DENSE_SENTENCE_END.includes(character)) level = 3
    else if (QUOTE.includes(character)) {
      if (isField && quotes > 0) level = 3
      quotes += 1
    } else if (quotes > 0 && (character === ',' || character === ':')) isField = true
    if (level < 2 && (newlines > 0 || quotes > 0 || CLAUSE.includes(character))) level = 2
    else if (level < 1 && (character === ',' || character === '-' || character === '\u2013')) level = 1
  }
  if (newlines > 1) level = 3
  const opensName = quotes === 1 && level === 2 && opensNameIn(text.slice(from, to))
  return { level, chars: to - from, opensName }
}

/** One quote mark after a space, then nothing but the signs that begin a path. */
function opensNameIn(gap: string): boolean {
  return /\s["'`\u201c\u201e\u2018\u00ab][~./\\#@]{0,3}$/.test(gap.slice(-5)) && !gap.includes(':')
}
