import { DomainError } from '../core/base/errors.ts'
import { COMPUTE_FAILURES, type ComputeFailureKind } from '../ports/compute.ts'
import type { Log } from '../ports/system.ts'

/**
 * Does a piece of work in the worker pool. A full pool is backpressure; a worker that failed or was too late is
 * replaced by the same pure function on this thread, which gives the same answer later.
 * @throws overloaded, shutting_down
 */
export async function inPool<T>(pooled: () => Promise<T>, here: () => T, log: Log): Promise<T> {
  try {
    return await pooled()
  } catch (error) {
    const kind = failureKindOf(error)
    if (kind === 'overloaded') throw new DomainError('overloaded', { where: 'workers' })
    if (kind === 'closed') throw new DomainError('shutting_down')
    // The pool says once that it has no thread; a line for every request would say no more.
    if (kind !== 'unavailable') {
      log.warn({ cause: kind ?? String(error) }, 'a pooled task failed and is done on the main thread')
    }
    return here()
  }
}

function failureKindOf(error: unknown): ComputeFailureKind | null {
  if (!(error instanceof Error) || !('computeFailure' in error)) return null
  return COMPUTE_FAILURES.find((kind) => kind === error.computeFailure) ?? null
}
