import type { Clock } from '../../ports/clock.ts'
import type { Embedder, EmbedOptions } from '../../ports/embedder.ts'
import { bodyOf, vectorsIn } from './answer.ts'
import { EmbedFailureError, failureOf } from './failure.ts'

const ENDPOINT = '/v1/embeddings'

export interface EmbedderOptions {
  /** http or https, with or without `/v1/embeddings`. */
  readonly url: string
  readonly model: string
  /** Null: none is sent. */
  readonly key: string | null
  /** Null: not asked for; the first answer tells, and later ones must agree. */
  readonly dimensions: number | null
  readonly clock: Clock
}

/** An OpenAI-compatible provider over HTTP. */
export function createEmbedder(options: EmbedderOptions): Embedder {
  return new HttpEmbedder(options)
}

class HttpEmbedder implements Embedder {
  readonly provider: string
  readonly model: string
  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #asked: number | null
  readonly #clock: Clock
  #dimensions: number | null

  constructor({ url, model, key, dimensions, clock }: EmbedderOptions) {
    this.#url = endpointOf(url)
    this.provider = this.#url.host
    this.model = model
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    }
    this.#asked = dimensions
    this.#dimensions = dimensions
    this.#clock = clock
  }

  get dimensions(): number | null {
    return this.#dimensions
  }

  async embed(
    texts: readonly string[],
    { timeoutMs, signal }: EmbedOptions,
  ): Promise<readonly Float32Array[]> {
    const end = new AbortController()
    const stop = (): void => end.abort()
    signal.addEventListener('abort', stop, { once: true })
    const timer = setTimeout(stop, timeoutMs)
    try {
      if (signal.aborted) stop()
      return await this.#request(texts, end.signal)
    } catch (error) {
      if (error instanceof EmbedFailureError) throw error
      if (signal.aborted) throw new EmbedFailureError('stopped', 'the request was given up')
      if (end.signal.aborted) throw new EmbedFailureError('late', `no answer within ${timeoutMs} ms`)
      throw new EmbedFailureError('unreachable', `the provider cannot be reached: ${codeOf(error)}`)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  async #request(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify({
        model: this.model,
        input: texts,
        ...(this.#asked === null ? {} : { dimensions: this.#asked }),
      }),
      // Somewhere else is somebody else: neither texts nor key follow.
      redirect: 'manual',
      signal,
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw failureOf(response.status, response.headers.get('retry-after'), this.#clock.nowMs())
    }
    const vectors = vectorsIn(await bodyOf(response, texts.length), texts.length, this.#dimensions)
    this.#dimensions ??= vectors[0]?.length ?? null
    return vectors
  }
}

/** Where vectors are asked for: `https://host`, `https://host/v1` and the full address mean the same. */
function endpointOf(url: string): URL {
  const endpoint = new URL(url)
  const path = endpoint.pathname.replace(/\/+$/, '')
  if (path.endsWith('/embeddings')) endpoint.pathname = path
  else endpoint.pathname = path.endsWith('/v1') ? `${path}/embeddings` : `${path}${ENDPOINT}`
  return endpoint
}

/** The system's word for it (ECONNREFUSED …); the message could hold the address. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  const source = cause instanceof Error ? cause : error
  if (source instanceof Error && 'code' in source && typeof source.code === 'string') return source.code
  return source instanceof Error ? source.name : 'unknown'
}
