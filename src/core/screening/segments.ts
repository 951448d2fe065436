import { plainWords } from './lexicon.ts'

// Words without spaces between them: `ignoreallpreviousinstructions` is cut into the words that it is made of.

const HEAD_CHARS = 4
const LONGEST_CHARS = 14
const SHORT = ['all', 'any', 'the', 'you', 'my', 'and', 'to', 'of']
/** By their first four letters as a number, longest first. */
const long = new Map<number, string[]>()
/** By their first two letters. */
const short = new Map<number, string[]>()
/** Whether two letters begin any of them. */
const beginnings = new Uint8Array(1 << 10)

for (const word of plainWords()) {
  if (word.length >= HEAD_CHARS && word.length <= LONGEST_CHARS) {
    const head = headAt(word, 0)
    long.set(
      head,
      [...(long.get(head) ?? []), word].sort((a, b) => b.length - a.length),
    )
    beginnings[beginningAt(word, 0)] = 1
  }
}
for (const word of SHORT) {
  const beginning = beginningAt(word, 0)
  short.set(beginning, [...(short.get(beginning) ?? []), word])
  beginnings[beginning] = 1
}

/** Words that a folded run of letters holds one after the other; empty when there are fewer than two. */
export function segmentsOf(run: string): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < run.length; ) {
    const word = beginnings[beginningAt(run, at)] === 0 ? null : longestAt(run, at)
    if (word !== null) found.push(word)
    at += word?.length ?? 1
  }
  return found.length < 2 ? [] : found
}

function longestAt(run: string, at: number): string | null {
  const words = long.get(headAt(run, at))?.find((word) => run.startsWith(word, at))
  return words ?? short.get(beginningAt(run, at))?.find((word) => run.startsWith(word, at)) ?? null
}

/** Ten bits of two letters. Other units share them: what begins like a word is compared with it. */
function beginningAt(run: string, at: number): number {
  return ((run.charCodeAt(at) & 31) << 5) | (run.charCodeAt(at + 1) & 31)
}

/** Twenty bits of four letters. */
function headAt(run: string, at: number): number {
  return (beginningAt(run, at) << 10) | beginningAt(run, at + 2)
}
