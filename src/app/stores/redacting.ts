import type { RedactJob } from '../../../workers/redact.ts'
import type { ComputePool } from '../../adapters/compute/pool.ts'
import type { HistoryRedaction } from '../../adapters/erasure/removal.ts'
import type { OpenHistory, RedactOutcome } from '../../adapters/history/history.ts'

/** Redaction in the worker pool, from file to file. While the pool is full or closing it rejects. */
export function poolRedaction(history: OpenHistory, pool: Pick<ComputePool, 'runLong'>): HistoryRedaction {
  return {
    redact: (actorKey, redaction) =>
      history.redact(actorKey, (place) => {
        const job: RedactJob = { place, actorKey, redaction }
        return pool.runLong<RedactOutcome>('redact', job)
      }),
  }
}
