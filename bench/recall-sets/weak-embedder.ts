import type { NearHit } from '../../src/core/rerank/signals.ts'
import { knn, nearDocs, Vectors } from '../../src/core/search/knn.ts'
import { mulberry32 } from '../synthetic-text.ts'

const DIMENSIONS = 48

/**
 * A model that knows next to nothing: the sum of random directions of the words as they stand, stop words too, in so few
 * dimensions that unlike texts come out alike. What hybrid recall has to survive.
 */
function weakVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const random = mulberry32(hashOf(word))
    for (let at = 0; at < DIMENSIONS; at += 1) vector[at] = (vector[at] ?? 0) + (random() < 0.5 ? -1 : 1)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector.fill(1 / Math.sqrt(DIMENSIONS)) : vector.map((value) => value / length)
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** What such a model finds near a query among these memories, as the service asks for it. */
export function weaklyNear(
  memories: readonly { readonly memoryId: string; readonly text: string }[],
  limit: number,
): (queryText: string) => readonly NearHit[] {
  const vectors = new Vectors(DIMENSIONS)
  for (const { text } of memories) vectors.add(weakVector(text), 0)
  return (queryText) =>
    nearDocs(knn(vectors.job(weakVector(queryText), Uint8Array.of(1), limit))).map(
      ({ doc, deviations, isRelevant }) => ({
        memoryId: memories[doc]?.memoryId ?? '',
        deviations,
        isAboveFloor: isRelevant,
      }),
    )
}
