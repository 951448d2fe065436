import { sendableText } from '../core/model/embedded-text.ts'
import { type EmbeddingJobsParts, isEmbedFailure } from '../embedding/embedding.ts'
import type { EmbedFailureKind } from '../ports/embedder.ts'

/** Failures in a row after which nobody waits for the provider for a while. */
export const FAILURES_MAX = 3
/** The first while; each further failure doubles it. */
export const PAUSE_MIN_MS = 2_000
export const PAUSE_MAX_MS = 60_000
/** Queries on their way at once. */
const ON_THE_WAY_MAX = 64

/** Why a guide went without embeddings. */
export type SemanticMiss =
  | EmbedFailureKind
  | 'paused'
  | 'busy'
  | 'secret'
  | 'no_text'
  | 'no_vectors'
  | 'other_model'

/** `timeoutMs`: how long a guide waits for its query. */
export type SemanticParts = Pick<EmbeddingJobsParts, 'embedder' | 'clock' | 'log' | 'timeoutMs'>

export type QueryVector =
  | { readonly vector: Float32Array; readonly miss: null }
  | { readonly vector: null; readonly miss: SemanticMiss }

/**
 * Vectors of queries, for guides that will not wait long. After some failures in a row it does not even ask for a while;
 * then one guide tries, and its success opens the way again.
 */
export class Semantic {
  readonly #parts: SemanticParts
  #failures = 0
  #pausedUntilMs = 0
  #onTheWay = 0
  readonly #closing = new AbortController()

  constructor(parts: SemanticParts) {
    this.#parts = parts
  }

  /** Guides that wait go on without. */
  close(): void {
    this.#closing.abort()
  }

  /** Never rejects. */
  async vectorOf(queryText: string): Promise<QueryVector> {
    const text = sendableText(queryText.trim())
    if (text === null) return missed('secret')
    if (text === '') return missed('no_text')
    if (this.#onTheWay >= ON_THE_WAY_MAX) return missed('busy')
    const { embedder, timeoutMs, clock } = this.#parts
    const nowMs = clock.nowMs()
    // A clock that was ahead is set back: no pause is as long as that.
    const leftMs = this.#pausedUntilMs - nowMs
    if (leftMs > 0 && leftMs <= PAUSE_MAX_MS) return missed('paused')
    // Others wait until the one that tries has found out.
    if (this.#failures >= FAILURES_MAX) this.#pausedUntilMs = nowMs + timeoutMs
    const failuresBefore = this.#failures
    this.#onTheWay += 1
    try {
      const [vector] = await embedder.embed([text], { timeoutMs, signal: this.#closing.signal })
      this.#failures = 0
      this.#pausedUntilMs = 0
      return vector === undefined ? missed('malformed') : { vector, miss: null }
    } catch (error) {
      return missed(this.#failed(error, failuresBefore))
    } finally {
      this.#onTheWay -= 1
    }
  }

  #failed(error: unknown, failuresBefore: number): EmbedFailureKind {
    if (!isEmbedFailure(error)) throw error
    const { log, embedder, clock } = this.#parts
    const { embedFailure: kind, message, retryAfterMs } = error
    // One text that is not accepted says nothing about the next.
    if (kind !== 'refused') {
      // Those that were asked side by side fail for one reason, and only one of them makes the pause longer.
      if (this.#failures < Math.max(FAILURES_MAX, failuresBefore + 1)) this.#failures += 1
      const steps = this.#failures - FAILURES_MAX
      const pauseMs = steps < 0 ? 0 : Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** Math.min(steps, 20))
      const askedMs = Math.min(PAUSE_MAX_MS, retryAfterMs ?? 0)
      this.#pausedUntilMs = clock.nowMs() + Math.max(pauseMs, askedMs)
    }
    log.warn({ provider: embedder.provider, kind, cause: message }, 'a query was not embedded')
    return kind
  }
}

function missed(miss: SemanticMiss): QueryVector {
  return { vector: null, miss }
}

const REASONS: Readonly<Record<SemanticMiss, string | null>> = {
  late: 'the provider of embeddings did not answer in time',
  unreachable: 'the provider of embeddings cannot be reached',
  limited: 'the provider of embeddings takes no more requests now',
  failing: 'the provider of embeddings failed',
  forbidden: 'the provider of embeddings does not accept key, address or model',
  refused: 'the provider of embeddings refused the query',
  malformed: 'the answer of the provider of embeddings was not a vector',
  stopped: 'the service is shutting down',
  paused: 'the provider of embeddings failed several times and is left alone for a while',
  busy: 'too much else was to be done',
  secret: 'the query holds a secret and was not sent',
  other_model: 'the vectors of this scope are still being made anew',
  // Nothing went wrong.
  no_text: null,
  no_vectors: null,
}

/** What an answer says about a guide that went without embeddings; null when there is nothing to say. */
export function missWarning(miss: SemanticMiss): string | null {
  const reason = REASONS[miss]
  return reason === null ? null : `Recalled by words alone: ${reason}.`
}
