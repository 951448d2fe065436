import { EmbedFailureError } from './failure.ts'

/** A number in a vector takes about twenty characters of JSON; a model seldom has more than 4096. */
const ANSWER_BYTES_PER_TEXT = 256 * 1024
const ANSWER_BYTES_MIN = 64 * 1024

/** The body of an answer for so many texts, read to its end. @throws malformed when it is larger than any could be */
export async function bodyOf(response: Response, texts: number): Promise<string> {
  const most = ANSWER_BYTES_MIN + texts * ANSWER_BYTES_PER_TEXT
  const parts: Uint8Array[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    bytes += read.value.length
    if (bytes > most) {
      await reader?.cancel()
      throw malformed(`is longer than ${most} bytes`)
    }
    parts.push(read.value)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * The vectors of an answer in the order of the texts, each scaled to length 1. `dimensions` null: any number of them,
 * the same for all.
 * Form: https://platform.openai.com/docs/api-reference/embeddings/create. @throws malformed
 */
export function vectorsIn(body: string, texts: number, dimensions: number | null): readonly Float32Array[] {
  const rows = rowsOf(body)
  if (rows.length !== texts) throw malformed(`has ${rows.length} vectors for ${texts} texts`)
  const vectors: (Float32Array | undefined)[] = new Array(texts).fill(undefined)
  let length = dimensions
  for (const [place, row] of rows.entries()) {
    const { index, embedding } = fieldsOf(row)
    // Only without any index the order is what counts.
    const at = index ?? place
    if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= texts)
      throw malformed('numbers a vector wrongly')
    if (vectors[at] !== undefined) throw malformed('has two vectors with one number')
    const vector = unitVectorOf(embedding)
    length ??= vector.length
    if (vector.length !== length) throw malformed(`has ${vector.length} numbers instead of ${length}`)
    vectors[at] = vector
  }
  return vectors.flatMap((vector) => vector ?? [])
}

function rowsOf(body: string): readonly unknown[] {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    throw malformed('is not JSON')
  }
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null
  if (!Array.isArray(data)) throw malformed('has no list of vectors')
  return data
}

function fieldsOf(row: unknown): { readonly index: unknown; readonly embedding: unknown } {
  if (typeof row !== 'object' || row === null) throw malformed('has a vector that is none')
  return {
    index: 'index' in row ? row.index : undefined,
    embedding: 'embedding' in row ? row.embedding : undefined,
  }
}

function unitVectorOf(numbers: unknown): Float32Array {
  if (!Array.isArray(numbers) || numbers.length === 0) throw malformed('has a vector without numbers')
  let squares = 0
  for (const number of numbers) {
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw malformed('has something else than a number')
    squares += number * number
  }
  const size = Math.sqrt(squares)
  if (!Number.isFinite(size) || size === 0) throw malformed('has a vector without direction')
  return Float32Array.from(numbers, (number: number) => number / size)
}

function malformed(what: string): EmbedFailureError {
  return new EmbedFailureError('malformed', `the answer of the provider ${what}`)
}
