import { clip } from './escape.ts'
import { readSentences, type Sentences } from './sentences.ts'
import { CONTENT, FILLER, NAME, NEGATION, TELLING } from './words.ts'

// Shortening by leaving out. Sentences that tell little go first; then, inside what remains, filler and common words,
// while negations, identifiers, numbers, outcome words and the words around them stay as long as they fit. What is
// left out is marked with an ellipsis.
//
// Invariant: a sentence is printed with all of its negations or not at all, so that a cut can never turn
// "do not deploy" into "deploy".

/** Characters read of a text; what comes after counts as left out. */
const READ_CHARS_MAX = 200_000
/** Sentences are chosen before words once a text is longer than this many times the room. */
const WORD_STAGE_FACTOR = 3
const SCORE_LEVELS = 32

/**
 * The text in at most `maxChars` UTF-16 units: itself when it fits, else its most telling words in their order, on one
 * line, with `…` where something is missing. Same input, same output; linear in the text up to a sort of the sentences
 * that stay.
 */
export function condense(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const sentences = readSentences(text, READ_CHARS_MAX)
  const chosen = chooseSentences(sentences, maxChars * WORD_STAGE_FACTOR)
  const kept = new KeptWords(sentences, maxChars)
  keepWords(sentences, chosen, kept)
  return kept.count === 0 ? clip(text.trim(), maxChars) : kept.join(text)
}

/** Sentences worth reading word by word, the most telling first. */
function chooseSentences(sentences: Sentences, roomChars: number): readonly number[] {
  const all = Array.from({ length: sentences.count }, (_, index) => index)
  const scores = all.map((index) => scoreOf(sentences, index))
  const charsOfScore = new Array<number>(SCORE_LEVELS).fill(0)
  for (const index of all)
    charsOfScore[scores[index] ?? 0] = (charsOfScore[scores[index] ?? 0] ?? 0) + sentences.chars(index)
  // The lowest score whose sentences all fit together with every better one.
  let threshold = SCORE_LEVELS
  let left = roomChars
  while (threshold > 0 && (charsOfScore[threshold - 1] ?? 0) <= left) {
    threshold -= 1
    left -= charsOfScore[threshold] ?? 0
  }
  const chosen = all.filter((index) => {
    const score = scores[index] ?? 0
    if (score >= threshold) return true
    if (score !== threshold - 1 || left <= 0) return false
    left -= sentences.chars(index)
    return true
  })
  return chosen.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

/** Telling words per length, in levels; the first sentence names the subject and starts higher. */
function scoreOf(sentences: Sentences, index: number): number {
  let telling = 0
  const [from, to] = sentences.range(index)
  for (let word = from; word < to; word++)
    telling += sentences.weight(word) >= NAME ? 3 : sentences.weight(word)
  const density = (telling * 40) / (sentences.chars(index) + 8)
  return Math.min(SCORE_LEVELS - 1, Math.floor(density) + (index === 0 ? 6 : 0))
}

// The order of these passes is the order of importance. Each takes the most telling sentences first.
function keepWords(sentences: Sentences, chosen: readonly number[], kept: KeptWords): void {
  const whole = chosen.filter((index) => keepNegations(sentences, index, kept))
  const each = (visit: (word: number, from: number, to: number) => void): void => {
    for (const index of whole) {
      const [from, to] = sentences.range(index)
      for (let word = from; word < to; word++) visit(word, from, to)
    }
  }
  each((word, _, to) => {
    if (sentences.weight(word) === NEGATION) keepAfter(sentences, word, to, 1, kept)
  })
  each((word) => {
    if (sentences.weight(word) === TELLING) kept.tryAdd(word)
  })
  if (whole.includes(0)) keepAfter(sentences, -1, sentences.range(0)[1], 2, kept)
  each((word, from, to) => {
    if (sentences.weight(word) < TELLING) return
    keepBefore(sentences, word, from, kept)
    keepAfter(sentences, word, to, sentences.weight(word) === NEGATION ? 2 : 1, kept)
  })
  each((word) => {
    if (sentences.weight(word) === NAME) kept.tryAdd(word)
  })
  each((word) => closeFillerGap(sentences, word, kept))
  // Common words only grow what is already there, or open a sentence: scattered ones tell nothing.
  each((word, from) => {
    if (sentences.weight(word) >= CONTENT && isAfterKept(sentences, word, from, kept)) kept.tryAdd(word)
  })
  each((word) => {
    if (sentences.weight(word) >= CONTENT && kept.has(word + 1)) kept.tryAdd(word)
  })
  each((word) => closeFillerGap(sentences, word, kept))
}

/** All negations of a sentence, or none: then the sentence is left out. */
function keepNegations(sentences: Sentences, index: number, kept: KeptWords): boolean {
  const [from, to] = sentences.range(index)
  const mine: number[] = []
  for (let word = from; word < to; word++) {
    if (sentences.weight(word) !== NEGATION) continue
    if (!kept.tryAdd(word)) {
      for (const added of mine) kept.remove(added)
      return false
    }
    mine.push(word)
  }
  return true
}

/** The next `wanted` content words of the sentence. */
function keepAfter(sentences: Sentences, word: number, to: number, wanted: number, kept: KeptWords): void {
  let left = wanted
  for (let at = word + 1; at < to && left > 0; at++) {
    if (sentences.weight(at) < CONTENT) continue
    kept.tryAdd(at)
    left -= 1
  }
}

/** The nearest content word before. */
function keepBefore(sentences: Sentences, word: number, from: number, kept: KeptWords): void {
  for (let at = word - 1; at >= from; at--) {
    if (sentences.weight(at) < CONTENT) continue
    kept.tryAdd(at)
    return
  }
}

/** True for the first word of a sentence and for one that fillers at most part from a kept one. */
function isAfterKept(sentences: Sentences, word: number, from: number, kept: KeptWords): boolean {
  let at = word - 1
  while (at >= from && at > word - 4 && sentences.weight(at) === FILLER && !kept.has(at)) at -= 1
  return at < from || kept.has(at)
}

/** Up to three fillers between two kept words: they make a phrase of them. */
function closeFillerGap(sentences: Sentences, word: number, kept: KeptWords): void {
  if (sentences.weight(word) !== FILLER || !kept.has(word - 1)) return
  let end = word
  while (end < word + 3 && sentences.weight(end) === FILLER && !kept.has(end)) end += 1
  if (!kept.has(end)) return
  for (let at = word; at < end; at++) kept.tryAdd(at)
}

/** The words chosen so far and what they cost, gap marks included. */
class KeptWords {
  count = 0
  private readonly kept: Uint8Array
  private readonly sentences: Sentences
  private readonly maxChars: number
  /** Words, each with one separator, and marks. */
  private usedChars: number

  constructor(sentences: Sentences, maxChars: number) {
    this.sentences = sentences
    this.maxChars = maxChars
    this.kept = new Uint8Array(sentences.words)
    // All words are missing: one gap, and one more when the text goes on beyond what was read. A gap before the first
    // word costs a separator too.
    this.usedChars = sentences.isPartial ? 3 : 2
  }

  has(word: number): boolean {
    return this.kept[word] === 1
  }

  tryAdd(word: number): boolean {
    if (this.has(word)) return true
    const chars = this.usedChars + this.costOf(word)
    if (chars - 1 > this.maxChars) return false
    this.kept[word] = 1
    this.count += 1
    this.usedChars = chars
    return true
  }

  remove(word: number): void {
    this.kept[word] = 0
    this.count -= 1
    this.usedChars -= this.costOf(word)
  }

  join(text: string): string {
    let out = ''
    let last = -1
    let isMarked = false
    for (let word = 0; word < this.kept.length; word++) {
      if (!this.has(word)) continue
      const mark = this.markBetween(last, word)
      isMarked ||= mark
      if (mark) out += last === -1 ? '… ' : '…'
      if (last !== -1 && (mark || last + 1 < word || this.sentences.isSpacedBefore(word))) out += ' '
      out += text.slice(this.sentences.start(word), this.sentences.end(word))
      last = word
    }
    const endMark = this.sentences.isPartial || this.markBetween(last, this.kept.length)
    return endMark || !isMarked ? `${out}…` : out
  }

  /** Adding a word splits, shrinks or closes the gap it stands in; a gap costs its mark. */
  private costOf(word: number): number {
    const gapBefore = word > 0 && !this.has(word - 1) ? 1 : 0
    const gapAfter = word + 1 < this.kept.length && !this.has(word + 1) ? 1 : 0
    return this.sentences.end(word) - this.sentences.start(word) + 1 + gapBefore + gapAfter - 1
  }

  /** Fillers alone are left out without a mark. */
  private markBetween(last: number, word: number): boolean {
    for (let at = last + 1; at < word; at++) if (this.sentences.weight(at) > FILLER) return true
    return false
  }
}
