import { textOf } from './bytes.ts'
import { PLAIN, unitOf } from './folding.ts'
import { classesOf } from './lexicon.ts'
import { segmentsOf } from './segments.ts'
import { foldedChars, levelAt, maskAt, noWords, pushParts, type Words } from './word-columns.ts'

const LETTERS_MIN = 4

/** `i g n o r e` and `i-g-n-o-r-e`: single letters in a row are one word; a wider gap ends it. */
export function joinSpelledWords(words: Words): Words {
  const runs = spelledRuns(words)
  if (runs.length === 0) return words
  const joined: Words = { ...noWords(words.text), mixed: words.mixed }
  let done = 0
  for (const [from, to] of runs) {
    copyWords(joined, words, done, from)
    pushSpelled(joined, words, from, to)
    done = to
  }
  copyWords(joined, words, done, words.starts.length)
  return joined
}

/** Rows of enough single letters within a sentence. */
function spelledRuns(words: Words): readonly (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = []
  for (let from = 0; from < words.starts.length; ) {
    let to = from + 1
    if (isSingle(words, from)) while (isSingle(words, to) && levelAt(words, to) < 3) to += 1
    if (to - from >= LETTERS_MIN) runs.push([from, to])
    from = to
  }
  return runs
}

/** Of no word, beyond the last one, it is false. */
function isSingle(words: Words, at: number): boolean {
  return foldedChars(words, at) === 1
}

/** Units between a word and the one before it. */
function gapChars({ starts, ends }: Words, at: number): number {
  return (starts[at] ?? 0) - (ends[at - 1] ?? 0)
}

function copyWords(joined: Words, words: Words, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    joined.starts.push(words.starts[at] ?? 0)
    joined.ends.push(words.ends[at] ?? 0)
    joined.texts.push(words.texts[at] ?? null)
    joined.masks.push(maskAt(words, at))
    joined.levels.push(levelAt(words, at))
  }
}

/** The letters from `from` to `to`: gaps wider than the narrowest one stand between words. */
function pushSpelled(joined: Words, words: Words, from: number, to: number): void {
  let narrowest = Number.POSITIVE_INFINITY
  for (let at = from + 1; at < to; at++) narrowest = Math.min(narrowest, gapChars(words, at))
  for (let at = from; at < to; ) {
    let end = at + 1
    while (end < to && gapChars(words, end) <= narrowest) end += 1
    const word = spelled(words, at, end)
    const classes = classesOf(word)
    joined.starts.push(words.starts[at] ?? 0)
    joined.ends.push(words.ends[end - 1] ?? 0)
    joined.texts.push(word)
    joined.masks.push(classes)
    joined.levels.push(levelAt(words, at))
    if (classes === 0) pushParts(joined, segmentsOf(word))
    at = end
  }
}

function spelled(words: Words, from: number, to: number): string {
  const units: number[] = []
  for (let at = from; at < to; at++) {
    const plain = unitOf(PLAIN, words.text.charCodeAt(words.starts[at] ?? 0))
    units.push(words.texts[at]?.charCodeAt(0) ?? plain)
  }
  return textOf(units)
}
