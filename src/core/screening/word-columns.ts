import { foldWord } from './folding.ts'
import { classesOf } from './lexicon.ts'

/** The words of a text, one entry of each column a word. */
export interface Words {
  readonly text: string
  readonly starts: number[]
  readonly ends: number[]
  /** Folded; of an address as written. Null until it is asked for: `wordAt`. */
  readonly texts: (string | null)[]
  readonly masks: number[]
  /** What stands before the word: a level of `gapBetween`. */
  readonly levels: number[]
  /** Spans of words in mixed scripts. */
  readonly mixed: (readonly [number, number])[]
}

export function noWords(text: string): Words {
  return { text, starts: [], ends: [], texts: [], masks: [], levels: [], mixed: [] }
}

/** The folded word, empty beyond the last one. */
export function wordAt({ text, texts, starts, ends }: Words, at: number): string {
  const known = texts[at]
  if (known === undefined) return ''
  if (known !== null) return known
  const folded = foldWord(text.slice(starts[at], ends[at]))
  texts[at] = folded
  return folded
}

export function maskAt(words: Words, at: number): number {
  return words.masks[at] ?? 0
}

export function levelAt(words: Words, at: number): number {
  return words.levels[at] ?? 0
}

/** Units of the folded word: a word that nobody has folded yet is as long as its span. */
export function foldedChars({ texts, starts, ends }: Words, at: number): number {
  return texts[at]?.length ?? (ends[at] ?? 0) - (starts[at] ?? 0)
}

/** Replaces the last word by the parts that it is made of, all with its span. */
export function pushParts(words: Words, parts: readonly string[]): void {
  const { starts, ends, texts, masks, levels } = words
  const last = starts.length - 1
  for (const [offset, part] of parts.entries()) {
    const at = last + offset
    starts[at] = starts[last] ?? 0
    ends[at] = ends[last] ?? 0
    texts[at] = part
    masks[at] = classesOf(part)
    if (offset > 0) levels[at] = 0
  }
}
