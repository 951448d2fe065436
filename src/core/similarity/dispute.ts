import { contradicts } from './contradiction.ts'
import { corrects } from './correction.ts'
import { readText, subjectOf } from './reading.ts'

/** Two texts that cannot both hold, and what they disagree about. */
export interface TextDispute {
  readonly kind: string
  readonly earlierStatement: string
  readonly laterStatement: string
}

/** A text as it is compared; read once for many comparisons. */
export interface DisputeReading {
  readonly text: string
}

export function readForDispute(text: string): DisputeReading {
  return { text }
}

/** What two texts dispute, of which the caller knows the order; null: nothing. */
export function disputeOf(
  { text: earlier }: DisputeReading,
  { text: later }: DisputeReading,
): TextDispute | null {
  const kind = corrects(later, earlier).corrects ? 'correction' : contradicts(earlier, later)
  return kind === null ? null : { kind, earlierStatement: earlier, laterStatement: later }
}

export function disputeBetween(earlier: string, later: string): TextDispute | null {
  return disputeOf(readForDispute(earlier), readForDispute(later))
}

/** Whether two texts say something about the same subject: their content words are the same. */
export function sameSubject(a: string, b: string): boolean {
  const left = subjectOf(readText(a))
  const right = subjectOf(readText(b))
  return left.size > 0 && left.size === right.size && [...left].every((word) => right.has(word))
}
