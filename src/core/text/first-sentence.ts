import { foldLines } from './escape.ts'

/** Of a longer text only so much is read: a sentence that is shown has a few dozen words. */
const READ_CHARS_MAX = 1000
const ENDS = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]["'”’」』）]*/gu

/** The first sentence of a text as one line that can forge nothing; a line break ends it too. Empty for an empty text. */
export function firstSentenceOf(text: string): string {
  const folded = foldLines(text.length > READ_CHARS_MAX ? text.slice(0, READ_CHARS_MAX) : text)
  const lineEnd = folded.indexOf('\n')
  const line = lineEnd === -1 ? folded : folded.slice(0, lineEnd)
  for (const end of line.matchAll(ENDS)) {
    if (end[0].startsWith('.') && isAbbreviation(line, end.index)) continue
    return line.slice(0, end.index + end[0].length)
  }
  return line
}

/** `e.g. this`, `v. 2`, and `1. Install` at the start of a line. Too short a sentence does less harm than one too long. */
function isAbbreviation(line: string, stop: number): boolean {
  const wordStart = line.lastIndexOf(' ', stop - 1) + 1
  const word = line.slice(wordStart, stop)
  if (wordStart === 0 && /^\d+$/.test(word)) return true
  const next = /\S/u.exec(line.slice(stop + 1, stop + 8))?.[0] ?? ''
  return /(?:^|[^\p{L}\p{N}])\p{L}(?:\.\p{L})*$/u.test(word) && /[\p{Ll}\p{N}]/u.test(next)
}
