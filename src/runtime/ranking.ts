import { DomainError } from '../domain/errors.ts'
import { rank } from '../domain/recall/rank.ts'
import type { RankJob } from '../domain/recall/rank-job.ts'
import type { RankResult } from '../domain/recall/rank-result.ts'
import type { Compute, ComputeFailureKind } from '../ports/compute.ts'
import type { Log } from '../ports/log.ts'

/**
 * Ranks in the worker pool. A full pool is backpressure; a worker that failed or was too late is replaced by the same
 * pure function on this thread, which gives the same answer later.
 * @throws overloaded, shutting_down
 */
export async function rankInPool(compute: Compute, job: RankJob, log: Log): Promise<RankResult> {
  try {
    return await compute.rank(job)
  } catch (error) {
    const kind = failureKindOf(error)
    if (kind === 'overloaded') throw new DomainError('overloaded', { where: 'workers' })
    if (kind === 'closed') throw new DomainError('shutting_down')
    log.warn({ cause: kind ?? String(error) }, 'a pooled ranking failed and is done on the main thread')
    return rank(job)
  }
}

function failureKindOf(error: unknown): ComputeFailureKind | null {
  if (!(error instanceof Error) || !('computeFailure' in error)) return null
  const kinds: readonly ComputeFailureKind[] = ['overloaded', 'timed_out', 'failed', 'closed']
  return kinds.find((kind) => kind === error.computeFailure) ?? null
}
