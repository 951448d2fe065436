import { isObject, jsonOf } from '../../core/base/collections.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { Clock } from '../../ports/system.ts'
import { EmbedFailureError, malformed, unitVector, withinTime } from './embed-failure.ts'

/** What a status other than 200 means. The body is not read: nobody knows what of the request it repeats. */
function failureOf(status: number, retryAfter: string | null, nowMs: number): EmbedFailureError {
  const message = `the provider answered ${status}`
  const retryAfterMs = waitOf(retryAfter, nowMs)
  if (status === 429) return new EmbedFailureError('limited', message, retryAfterMs)
  if (status >= 500) return new EmbedFailureError('failing', message, retryAfterMs)
  if (status === 401 || status === 403 || status === 404) return new EmbedFailureError('forbidden', message)
  if (status >= 400) return new EmbedFailureError('refused', message)
  return new EmbedFailureError('unreachable', `${message}, which leads elsewhere or has no vectors`)
}

/** Retry-After (RFC 9110, 10.2.3): seconds, or a date. Null when it is absent or neither. */
function waitOf(retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const atMs = Date.parse(retryAfter)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

/** A number in a vector takes about twenty characters of JSON; a model seldom has more than 4096. */
const ANSWER_BYTES_PER_TEXT = 256 * 1024
const ANSWER_BYTES_MIN = 64 * 1024

/** The body of an answer for so many texts, read to its end. @throws malformed when it is larger than any could be */
async function bodyOf(response: Response, texts: number): Promise<string> {
  const most = ANSWER_BYTES_MIN + texts * ANSWER_BYTES_PER_TEXT
  const parts: Uint8Array[] = []
  let bytes = 0
  // Whoever leaves the loop cancels the rest.
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > most) throw malformed(`is longer than ${most} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * The vectors of an answer in the order of the texts, each scaled to length 1. `dimensions` null: any number of them,
 * the same for all.
 * Form: https://platform.openai.com/docs/api-reference/embeddings/create. @throws malformed
 */
function vectorsIn(body: string, texts: number, dimensions: number | null): readonly Float32Array[] {
  const rows = rowsOf(body)
  if (rows.length !== texts) throw malformed(`has ${rows.length} vectors for ${texts} texts`)
  const vectors: (Float32Array | undefined)[] = new Array(texts).fill(undefined)
  let length = dimensions
  for (const [place, row] of rows.entries()) {
    if (typeof row !== 'object' || row === null) throw malformed('has a vector that is none')
    const { index, embedding }: Readonly<Record<string, unknown>> = Object(row)
    // Only without any index the order is what counts.
    const at = index ?? place
    if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= texts)
      throw malformed('numbers a vector wrongly')
    if (vectors[at] !== undefined) throw malformed('has two vectors with one number')
    const vector = unitVectorOf(embedding)
    length ??= vector.length
    if (vector.length !== length)
      throw malformed(`has ${vector.length} numbers instead of ${length}: for another length restart memgov`)
    vectors[at] = vector
  }
  return vectors.flatMap((vector) => vector ?? [])
}

function rowsOf(body: string): readonly unknown[] {
  const answer = jsonOf(body)
  if (answer === undefined) throw malformed('is not JSON')
  const data = isObject(answer) ? answer['data'] : null
  if (!Array.isArray(data)) throw malformed('has no list of vectors')
  return data
}

function unitVectorOf(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0) throw malformed('has a vector without numbers')
  for (const number of numbers) {
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw malformed('has something else than a number')
  }
  return unitVector(numbers)
}

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

export function httpEmbedder({ model, key, clock, ...options }: EmbedderOptions): Embedder {
  const url = endpointOf(options.url)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  }
  const asked = options.dimensions === null ? {} : { dimensions: options.dimensions }
  let { dimensions } = options

  async function vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model, input: texts, ...asked }),
      // Somewhere else is somebody else: neither texts nor key follow.
      redirect: 'manual',
      signal,
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw failureOf(response.status, response.headers.get('retry-after'), clock.nowMs())
    }
    const vectors = vectorsIn(await bodyOf(response, texts.length), texts.length, dimensions)
    dimensions ??= vectors[0]?.length ?? null
    return vectors
  }

  return {
    provider: url.host,
    model,
    get dimensions() {
      return dimensions
    },
    embed: (texts, bounds) => withinTime(bounds, (end) => vectorsOf(texts, end).catch(refused)),
  }
}

function refused(error: unknown): never {
  if (error instanceof EmbedFailureError) throw error
  throw new EmbedFailureError('unreachable', `the provider cannot be reached: ${codeOf(error)}`)
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
