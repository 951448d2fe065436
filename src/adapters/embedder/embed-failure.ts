import type { EmbedFailure, EmbedFailureKind } from '../../ports/embedder.ts'

export class EmbedFailureError extends Error implements EmbedFailure {
  override readonly name = 'EmbedFailureError'
  readonly embedFailure: EmbedFailureKind
  readonly retryAfterMs: number | null

  constructor(embedFailure: EmbedFailureKind, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.embedFailure = embedFailure
    this.retryAfterMs = retryAfterMs
  }
}

/** An answer that is not one vector of numbers for each text. */
export function malformed(what: string): EmbedFailureError {
  return new EmbedFailureError('malformed', `the answer of the provider ${what}`)
}

/** Scaled to length 1. @throws malformed when it has no direction */
export function unitVector(numbers: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let at = 0; at < numbers.length; at += 1) squares += (numbers[at] ?? 0) ** 2
  const size = Math.sqrt(squares)
  if (!Number.isFinite(size) || size === 0) throw malformed('has a vector without direction')
  return Float32Array.from(numbers, (number) => number / size)
}
