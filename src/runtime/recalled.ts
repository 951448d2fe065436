import type { Actor } from '../actor/actor.ts'
import type { GuideCommand } from '../domain/guide/command.ts'
import type { Recalled } from '../domain/guide/compile.ts'
import { rank } from '../domain/recall/rank.ts'
import { estimateCostNs, rankLimitFor } from '../domain/recall/rank-job.ts'
import type { RankResult } from '../domain/recall/rank-result.ts'
import type { RuntimeParts } from './parts.ts'
import { inPool } from './pooled.ts'

/** A ranking of what the consumer of a guide may see. */
export interface Recall {
  /** A large ranking, on its way in the pool while the actor serves others; null: a small one is done in the turn. */
  readonly early: Promise<RankResult> | null
  /** For the turn. Nothing may wait between making a small ranking and this, so that the two see the same state. */
  readonly recalled: (early: RankResult | null) => Recalled
}

export function recallFor(
  parts: Pick<RuntimeParts, 'compute' | 'inlineRankNs' | 'log'>,
  actor: Actor,
  command: GuideCommand,
): Recall {
  const query = actor.recall.query(command.queryText)
  const job = actor.recall.job(actor.state, query, command.consumer, rankLimitFor(command.limit))
  const isLarge = estimateCostNs(job) > parts.inlineRankNs
  return {
    early: isLarge
      ? inPool(
          () => parts.compute.rank(job),
          () => rank(job),
          parts.log,
        )
      : null,
    recalled: (early) => ({
      hits: actor.recall.hitsOf(early ?? rank(job)),
      identifiers: [...query.identifiers, ...command.identifiers],
    }),
  }
}
