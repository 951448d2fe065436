import { setMaxListeners } from 'node:events'
import type { EmbedFailure, EmbedFailureKind, EmbedOptions } from '../../ports/embedder.ts'

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

/** A request that ends when its time is over or it is given up: then it rejects at once, and `run` is told by its signal. */
export function withinTime<T>(
  { timeoutMs, signal }: EmbedOptions,
  run: (end: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = new AbortController()
    const give = (kind: EmbedFailureKind, message: string): void => {
      end.abort()
      reject(new EmbedFailureError(kind, message))
    }
    const stop = (): void => give('stopped', 'the request was given up')
    if (signal.aborted) return stop()
    // One signal ends all requests that wait, as many as there are.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', stop, { once: true })
    const timer = setTimeout(() => give('late', `no answer within ${timeoutMs} ms`), timeoutMs)
    void run(end.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
      })
  })
}

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
