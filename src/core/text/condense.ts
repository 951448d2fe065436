import { clip } from './escape.ts'
import { CONTENT, FILLER, NAME, NEGATION, readSentences, type Sentences, TELLING } from './sentences.ts'

const MARK = '…'

/**
 * The words of a text chosen so far, and what they cost. Length = words and one separator each + one mark per gap,
 * less the last separator; a gap is a run of words left out. Gaps of fillers alone are counted but not marked, so the
 * joined text is at most as long as counted.
 */
export class KeptWords {
  count = 0
  private readonly kept: Uint8Array
  private readonly sentences: Sentences
  private readonly maxChars: number
  private usedChars: number

  constructor(sentences: Sentences, maxChars: number) {
    this.sentences = sentences
    this.maxChars = maxChars
    this.kept = new Uint8Array(sentences.starts.length)
    // All words are missing: one gap, with a separator as it stands first. One more mark for a text not read to its end.
    this.usedChars = sentences.isPartial ? 3 : 2
  }

  has(word: number): boolean {
    return this.kept[word] === 1
  }

  /** The first kept word from there on; -1: there is none. */
  next(word: number): number {
    return this.kept.indexOf(1, Math.max(0, word))
  }

  /** True when the word is kept: it fits, or was kept before. */
  tryAdd(word: number): boolean {
    if (this.kept[word] === 1) return true
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

  /** The kept words of the text in order, on one line. */
  join(text: string): string {
    const { starts, ends } = this.sentences
    let out = ''
    let last = -1
    let isMarked = false
    for (let word = 0; word < this.kept.length; word++) {
      if (this.kept[word] !== 1) continue
      const isGap = this.tellsBetween(last, word)
      isMarked ||= isGap
      if (isGap) out += last === -1 ? `${MARK} ` : MARK
      const start = starts[word] ?? 0
      if (last !== -1 && (isGap || last + 1 < word || start > (ends[last] ?? 0))) out += ' '
      out += text.slice(start, ends[word])
      last = word
    }
    const isCutAtEnd = this.sentences.isPartial || this.tellsBetween(last, this.kept.length)
    return isCutAtEnd || !isMarked ? out + MARK : out
  }

  /** Adding a word splits, shrinks or closes the gap it stands in. */
  private costOf(word: number): number {
    const { starts, ends } = this.sentences
    const gapBefore = word > 0 && this.kept[word - 1] === 0 ? 1 : 0
    const gapAfter = word + 1 < this.kept.length && this.kept[word + 1] === 0 ? 1 : 0
    return (ends[word] ?? 0) - (starts[word] ?? 0) + gapBefore + gapAfter
  }

  /** True when more than fillers was left out between two words. */
  private tellsBetween(last: number, word: number): boolean {
    for (let at = last + 1; at < word; at++) if (this.sentences.weights[at] !== FILLER) return true
    return false
  }
}

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

/** A filler or a common word is kept for the sake of a kept word at most so many before it, or of the next. */
const NEAR_WORDS = 4
const LONG_SENTENCE_WORDS = 256

/** First word of a sentence and the one after its last. */
type Range = readonly [number, number]

/**
 * The text in at most `maxChars` UTF-16 units: itself when it fits, else its most telling words in their order, on one
 * line, with `…` where something is missing. Same input, same output; linear in the text up to a sort of the sentences
 * that stay.
 */
export function condense(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const sentences = readSentences(text, READ_CHARS_MAX)
  const kept = new KeptWords(sentences, maxChars)
  keepWords(sentences.weights, chooseSentences(sentences, maxChars * WORD_STAGE_FACTOR), kept)
  return kept.count === 0 ? clip(text.trim(), maxChars) : kept.join(text)
}

/** Sentences worth reading word by word, the most telling first. */
function chooseSentences(sentences: Sentences, roomChars: number): readonly Range[] {
  const { firsts } = sentences
  const scores: number[] = []
  const charsOfScore = new Array<number>(SCORE_LEVELS).fill(0)
  for (let index = 0; index + 1 < firsts.length; index++) {
    const score = scoreOf(sentences, index)
    scores.push(score)
    charsOfScore[score] = (charsOfScore[score] ?? 0) + charsOf(sentences, index)
  }
  // The lowest score whose sentences all fit together with every better one.
  let threshold = SCORE_LEVELS
  let left = roomChars
  while (threshold > 0 && (charsOfScore[threshold - 1] ?? 0) <= left) {
    threshold -= 1
    left -= charsOfScore[threshold] ?? 0
  }
  const chosen: number[] = []
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? 0
    if (score < threshold) {
      if (score !== threshold - 1 || left <= 0) continue
      left -= charsOf(sentences, index)
    }
    chosen.push(index)
  }
  chosen.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  return chosen.map((index) => [firsts[index] ?? 0, firsts[index + 1] ?? 0])
}

/** Telling words per length, in levels; the first sentence names the subject and starts higher. */
function scoreOf(sentences: Sentences, index: number): number {
  let telling = 0
  const to = sentences.firsts[index + 1] ?? 0
  for (let word = sentences.firsts[index] ?? 0; word < to; word++) {
    const weight = sentences.weights[word] ?? FILLER
    telling += weight >= NAME ? 3 : weight
  }
  const density = Math.floor((telling * 40) / (charsOf(sentences, index) + 8))
  return Math.min(SCORE_LEVELS - 1, density + (index === 0 ? 2 : 0))
}

function charsOf({ firsts, starts, ends }: Sentences, index: number): number {
  return (ends[(firsts[index + 1] ?? 0) - 1] ?? 0) - (starts[firsts[index] ?? 0] ?? 0) + 1
}

// The order of these passes is the order of importance. Each takes the most telling sentences first.
function keepWords(weights: readonly number[], chosen: readonly Range[], kept: KeptWords): void {
  const whole: Range[] = []
  const weightsOf: number[] = []
  for (const range of chosen) {
    const held = weightsIn(weights, range)
    if (holds(held, NEGATION) && !keepNegations(weights, range, kept)) continue
    whole.push(range)
    weightsOf.push(held)
  }
  // A sentence may have ten thousands of words: it is read only for what it has, and for common words where they may be kept.
  const each = (weight: number, keep: (word: number, range: Range) => void): void => {
    for (const [place, range] of whole.entries()) {
      if (!holds(weightsOf[place] ?? 0, weight)) continue
      const isLong = weight < NAME && range[1] - range[0] > LONG_SENTENCE_WORDS
      let near = isLong ? range[0] : range[1]
      for (let word = range[0]; word < range[1]; word++) {
        if (near < word - NEAR_WORDS) {
          near = kept.next(word - NEAR_WORDS)
          word = near === -1 ? range[1] : Math.max(word, near - 1)
        }
        if (weights[word] === weight && word < range[1]) keep(word, range)
      }
    }
  }
  each(NEGATION, (word, range) => keepAfter(weights, word, range, 1, kept))
  each(TELLING, (word) => kept.tryAdd(word))
  const first = whole.find((range) => range[0] === 0)
  if (first !== undefined) keepAfter(weights, -1, first, 2, kept)
  for (const weight of [NEGATION, TELLING]) {
    each(weight, (word, range) => {
      keepBefore(weights, word, range, kept)
      keepAfter(weights, word, range, weight === NEGATION ? 2 : 1, kept)
    })
  }
  each(NAME, (word) => kept.tryAdd(word))
  each(FILLER, (word) => closeFillerGap(weights, word, kept))
  // Common words only grow what is already there, or open a sentence: scattered ones tell nothing.
  each(CONTENT, (word, range) => {
    if (isAfterKept(weights, word, range, kept)) kept.tryAdd(word)
  })
  each(CONTENT, (word) => {
    if (kept.has(word + 1)) kept.tryAdd(word)
  })
  each(FILLER, (word) => closeFillerGap(weights, word, kept))
}

/** Which weights the words of a sentence have, a bit for each. */
function weightsIn(weights: readonly number[], [from, to]: Range): number {
  let held = 0
  for (let word = from; word < to; word++) held |= 1 << (weights[word] ?? FILLER)
  return held
}

function holds(held: number, weight: number): boolean {
  return (held & (1 << weight)) !== 0
}

/** All negations of a sentence, or none: then the sentence is left out. */
function keepNegations(weights: readonly number[], [from, to]: Range, kept: KeptWords): boolean {
  for (let word = from; word < to; word++) {
    if (weights[word] !== NEGATION || kept.tryAdd(word)) continue
    for (let added = from; added < word; added++) if (kept.has(added)) kept.remove(added)
    return false
  }
  return true
}

/** The next `wanted` content words of the sentence. */
function keepAfter(
  weights: readonly number[],
  word: number,
  [, to]: Range,
  wanted: number,
  kept: KeptWords,
): void {
  let left = wanted
  for (let at = word + 1; at < to && left > 0; at++) {
    if (weights[at] === FILLER) continue
    kept.tryAdd(at)
    left -= 1
  }
}

/** The nearest content word before. */
function keepBefore(weights: readonly number[], word: number, [from]: Range, kept: KeptWords): void {
  for (let at = word - 1; at >= from; at--) {
    if (weights[at] === FILLER) continue
    kept.tryAdd(at)
    return
  }
}

/** True for the first word of a sentence and for one that fillers at most part from a kept one. */
function isAfterKept(weights: readonly number[], word: number, [from]: Range, kept: KeptWords): boolean {
  let at = word - 1
  while (at >= from && at > word - NEAR_WORDS && weights[at] === FILLER && !kept.has(at)) at -= 1
  return at < from || kept.has(at)
}

/** Up to three fillers between two kept words: they make a phrase of them. */
function closeFillerGap(weights: readonly number[], word: number, kept: KeptWords): void {
  if (!kept.has(word - 1)) return
  let end = word
  while (end < word + 3 && weights[end] === FILLER && !kept.has(end)) end += 1
  if (!kept.has(end)) return
  for (let at = word; at < end; at++) kept.tryAdd(at)
}
