/**
 * How a request to the provider ended that gave no vectors.
 * - late: no whole answer in time.
 * - unreachable: no connection, or it was closed; the answer came from elsewhere.
 * - limited: the provider wants fewer requests (429).
 * - failing: the provider has a problem of its own (5xx).
 * - forbidden: key, address or model are not accepted (401, 403, 404).
 * - refused: these texts are not accepted (other 4xx).
 * - malformed: the answer is not one vector for each text.
 * - stopped: the caller gave up.
 */
export type EmbedFailureKind =
  | 'late'
  | 'unreachable'
  | 'limited'
  | 'failing'
  | 'forbidden'
  | 'refused'
  | 'malformed'
  | 'stopped'

export interface EmbedFailure extends Error {
  readonly embedFailure: EmbedFailureKind
  /** How long the provider asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null
}

export interface EmbedOptions {
  /** For the whole answer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** A model elsewhere that turns texts into vectors. Whatever is handed to it leaves this machine. */
export interface Embedder {
  /** Host of the provider, without anything that could be secret. */
  readonly provider: string
  readonly model: string
  /** Numbers in a vector; null until configured or seen. */
  readonly dimensions: number | null
  /**
   * One request: a vector of length 1 for each text, in order. At most 64 texts. Rejects with an EmbedFailure and does
   * not repeat anything: whoever repeats asks first whether the texts may still be sent.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
}
