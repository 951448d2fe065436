import { textOf } from './bytes.ts'
import { PLAIN } from './folding.ts'
import { classesOf } from './lexicon.ts'
import { segmentsOf } from './segments.ts'
import { foldedChars, levelAt, maskAt, noWords, pushParts, type Words } from './word-columns.ts'

const LETTERS_MIN = 4

/** `i g n o r e` and `i-g-n-o-r-e`: single letters in a row are one word; a wider gap ends it. */
export function joinSpelledWords(words: Words): Words {
  if (!hasSpelled(words)) return words
  const count = words.starts.length
  const joined: Words = { ...noWords(words.text), mixed: words.mixed }
  for (let at = 0; at < count; ) {
    let end = at + 1
    let narrowest = Number.POSITIVE_INFINITY
    while (isSingle(words, at) && end < count && isSingle(words, end) && levelAt(words, end) < 3) {
      narrowest = Math.min(narrowest, gapChars(words, end))
      end += 1
    }
    if (end - at < LETTERS_MIN) copyWords(joined, words, at, end)
    else pushSpelled(joined, words, at, end, narrowest)
    at = end
  }
  return joined
}

function hasSpelled(words: Words): boolean {
  for (let at = 0, run = 0; at < words.starts.length; at++) {
    run = isSingle(words, at) ? run + 1 : 0
    if (run === LETTERS_MIN) return true
  }
  return false
}

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
function pushSpelled(joined: Words, words: Words, from: number, to: number, narrowest: number): void {
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
    const parts = classes === 0 ? segmentsOf(word) : []
    if (parts.length > 0) pushParts(joined, parts)
    at = end
  }
}

function spelled(words: Words, from: number, to: number): string {
  const units: number[] = []
  for (let at = from; at < to; at++) {
    const known = words.texts[at] ?? null
    units.push(
      known === null ? (PLAIN[words.text.charCodeAt(words.starts[at] ?? 0)] ?? 0) : known.charCodeAt(0),
    )
  }
  return textOf(units)
}
