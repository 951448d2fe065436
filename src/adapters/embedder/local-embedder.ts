import { fileURLToPath } from 'node:url'
import { grouped } from '../../core/base/collections.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { Embedder } from '../../ports/embedder.ts'
import { oneByOne } from '../files/concurrency.ts'
import { EmbedFailureError, malformed, unitVector, withinTime } from './embed-failure.ts'
import { type Load, type LocalModel, openLocalModel, type Tensor } from './local-model.ts'

/** Texts of one run of the model: between two runs others may go first, and a request that was given up ends. */
const RUN_TEXTS_MAX = 8

/**
 * The model in a folder, by its `file:` URL. One text is embedded to see that it works.
 * @throws StartError invalid_option, which says what is missing
 */
export async function openLocalEmbedder(url: string, load?: Load): Promise<Embedder> {
  const embedder = localEmbedder(await openLocalModel(fileURLToPath(url), load))
  await embedder.embed(['memory'], { timeoutMs: 60_000, signal: new AbortController().signal })
  return embedder
}

/** Nothing leaves the machine. The model runs on threads of its own, a request after the other. */
function localEmbedder(local: LocalModel): Embedder {
  let dimensions: number | null = null
  const inTurn = oneByOne()

  async function vectorsOf(texts: readonly string[], end: AbortSignal): Promise<readonly Float32Array[]> {
    // Nobody waits for it any more: its turn came too late.
    if (end.aborted) return []
    const vectors: Float32Array[] = new Array(texts.length)
    const tokens = texts.map((text) => local.tokensOf(text))
    if (tokens.some(({ length }) => length === 0))
      throw new EmbedFailureError('refused', 'the model reads nothing in a text')
    // Texts of one length need no filling up, so none changes what another gives.
    for (const places of grouped([...tokens.keys()], (place) => tokens[place]?.length).values()) {
      for (let from = 0; from < places.length && !end.aborted; from += RUN_TEXTS_MAX) {
        const some = places.slice(from, from + RUN_TEXTS_MAX)
        const output = await local.run(some.map((place) => tokens[place] ?? []))
        const found = vectorsIn(output, some.length, local.isFirstToken)
        for (const [at, place] of some.entries()) vectors[place] = found[at] ?? malformedVector()
      }
    }
    dimensions ??= vectors[0]?.length ?? null
    return vectors
  }

  return {
    provider: 'this machine',
    model: local.name,
    get dimensions() {
      return dimensions
    },
    embed(texts, options) {
      return withinTime(options, (end) =>
        inTurn(() => vectorsOf(texts, end)).catch((error: unknown) => Promise.reject(failureOf(error))),
      )
    },
  }
}

/** One vector of length 1 for each text. @throws malformed */
function vectorsIn({ dims, data }: Tensor, texts: number, isFirstToken: boolean): readonly Float32Array[] {
  if (!(data instanceof Float32Array) || dims[0] !== texts) throw malformed('is not a vector for each text')
  const [, second = 0, third] = dims
  const numbers = third ?? second
  const tokens = third === undefined || isFirstToken ? 1 : second
  const stride = third === undefined ? numbers : second * numbers
  if (data.length !== texts * stride || numbers === 0) throw malformed('has another size than it says')
  return Array.from({ length: texts }, (_, text) => {
    const sum = new Float64Array(numbers)
    for (let token = 0; token < tokens; token += 1) {
      const from = text * stride + token * numbers
      for (let at = 0; at < numbers; at += 1) sum[at] = (sum[at] ?? 0) + (data[from + at] ?? 0)
    }
    return unitVector(sum)
  })
}

function malformedVector(): never {
  throw malformed('lacks a vector')
}

function failureOf(error: unknown): EmbedFailureError {
  if (error instanceof EmbedFailureError) return error
  return new EmbedFailureError('failing', `the model failed: ${messageOf(error)}`)
}
