import type { Sentences } from './sentences.ts'
import { FILLER } from './words.ts'

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
