import type { Actor } from '../actor/actor.ts'
import type { Recalled } from '../core/guide/compile.ts'
import type { GuideCommand } from '../core/guide/entry.ts'
import type { NearHit } from '../core/rerank/signals.ts'
import { estimateKnnNs, type KnnResult, knn, VECTORS_MIN } from '../core/search/knn.ts'
import { estimateCostNs, rankLimitFor } from '../core/search/rank-job.ts'
import type { RankResult } from '../core/search/rank-result.ts'
import type { RuntimeParts } from './parts.ts'
import { inPool } from './pooled.ts'
import type { Semantic, SemanticMiss } from './semantic.ts'

/** What was found before the turn, while the actor served others. */
interface Early {
  /** Null: the ranking is small and done in the turn. */
  readonly ranked: RankResult | null
  readonly semantic: FoundNear
}

/** Memories near the query, for the turn; or why there are none. */
interface FoundNear {
  readonly hits: () => readonly NearHit[]
  /** Null: the embeddings took part. */
  readonly miss: SemanticMiss | null
}

/** A ranking of what the consumer of a guide may see. */
export interface Recall {
  /** A large ranking in the pool, an answer of the provider of embeddings; null: all is done in the turn. */
  readonly early: Promise<Early> | null
  /** For the turn. Nothing may wait between making a small ranking and this, so that the two see the same state. */
  readonly recalled: (early: Early | null) => Recalled & { readonly miss: SemanticMiss | null }
}

type Parts = Pick<RuntimeParts, 'compute' | 'inlineRankNs' | 'log' | 'semantic'>

/** An actor, as far as a ranking reads it. */
type Recalling = Pick<Actor, 'state' | 'recall' | 'vectors'>

export function recallFor(parts: Parts, actor: Recalling, command: GuideCommand): Recall {
  const ask = () => {
    const query = actor.recall.query(command.queryText)
    const limit = rankLimitFor(command.limit)
    return { query, job: actor.recall.job(actor.state, query, command.consumer, limit) }
  }
  const { query, job } = ask()
  const isLarge = estimateCostNs(job) > parts.inlineRankNs
  const ranked = isLarge
    ? inPool(
        () => parts.compute.rank(job),
        () => actor.recall.rank(job),
        parts.log,
      )
    : null
  const near = parts.semantic === null ? null : nearFor(parts, parts.semantic, actor, command)
  return {
    early: ranked === null && near === null ? null : both(ranked, near),
    recalled: (early) => ({
      // After a wait for the provider a small ranking is made on the state of now.
      hits: actor.recall.hitsOf(early?.ranked ?? actor.recall.rank(early === null ? job : ask().job)),
      near: early?.semantic.hits() ?? [],
      identifiers: [...query.identifiers, ...command.identifiers],
      miss: early?.semantic.miss ?? null,
    }),
  }
}

async function both(ranked: Promise<RankResult> | null, near: Promise<FoundNear> | null): Promise<Early> {
  const [lexical, semantic] = await Promise.all([ranked, near])
  return { ranked: lexical, semantic: semantic ?? without('no_vectors') }
}

/** Never rejects: what goes wrong here costs a guide nothing but its embeddings. */
async function nearFor(
  parts: Parts,
  semantic: Semantic,
  { vectors }: Recalling,
  command: GuideCommand,
): Promise<FoundNear> {
  const { consumer, limit, queryText } = command
  // Among fewer vectors than that nothing is near: there is nothing to send the query for.
  if (vectors === null || vectors.visibleTo(consumer) < VECTORS_MIN) return without('no_vectors')
  const { vector, miss } = await semantic.vectorOf(queryText)
  if (miss !== null) return without(miss)
  const question = vectors.question(vector, consumer, rankLimitFor(limit))
  if (question === null) return without('other_model')
  const result = await knnIn(parts, question.job)
  return result === null ? without('busy') : { hits: () => question.hitsOf(result), miss: null }
}

/** Null when the pool did not do it: a long scan must not stop the thread that serves. */
async function knnIn(
  { compute, inlineRankNs, log }: Parts,
  job: Parameters<typeof knn>[0],
): Promise<KnnResult | null> {
  if (estimateKnnNs(job) <= inlineRankNs) return knn(job)
  try {
    return await compute.knn(job)
  } catch (error) {
    log.warn({ cause: String(error) }, 'vectors were not compared')
    return null
  }
}

function without(miss: SemanticMiss): FoundNear {
  return { hits: () => [], miss }
}
