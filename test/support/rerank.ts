import type { ActorState } from '../../src/core/model/state.ts'
import { WEIGHTS, type Weights } from '../../src/core/rerank/features.ts'
import { type Asked, Reranking } from '../../src/core/rerank/rerank.ts'
import type { NearHit, TextHits } from '../../src/core/rerank/signals.ts'

/** A ranking as guides make it, unless other weights are given. */
export function rerank(
  state: ActorState,
  asked: Asked,
  hits: TextHits,
  weights: Weights = WEIGHTS,
  near: readonly NearHit[] = [],
): Reranking {
  return new Reranking(state, asked, { hits, near }, weights)
}
