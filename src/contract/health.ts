import { z } from 'zod'
import { count, described, isoTime, namesOf, nullableText, rows } from './vocabulary.ts'

/** Why a write sent now would be refused or would not be answered, and what it means. */
export const NOT_READY = {
  shutting_down: 'The service is closing.',
  folder_lost: 'The data folder is not where the service opened it.',
  journal_failed:
    'A write or a flush of the journal failed: nothing is written until the service is restarted.',
  disk_full: 'The disk was full. The service opens the store anew when there is room.',
  low_space: 'So little disk space is free that only forget and erase may write.',
  flush_stalled: 'The disk has not finished a write or a flush of the journal for seconds.',
  store_refuses: 'The database of a shared store takes no writes of this node: the log says why.',
  lease_lost: 'This node of a shared store has no valid lease: other nodes may serve what it had.',
  snapshots_failing: 'The last snapshots all failed: the journal can only grow.',
} as const

export type NotReadyReason = keyof typeof NOT_READY

export const NOT_READY_REASONS = namesOf(NOT_READY)

export const ReadyResponse = described('Whether writes are taken. Never waits for the disk.', {
  ready: z.boolean().describe('True when a write sent now would be taken. Otherwise the status is 503.'),
  reasons: z.array(z.enum(NOT_READY_REASONS)).describe('Why not; empty when ready.'),
})

export const HealthResponse = described(
  'Readiness, storage, providers and bounds. Never waits for the disk.',
  {
    ok: z.boolean().describe('True while requests are served.'),
    status: z.enum(['ready', 'read_only', 'shutting_down']),
    version: z.string().describe('Version of the service.'),
    uptime_s: z.number().min(0),
    runtime: z.strictObject({
      edition: z.string(),
      mode: z.string(),
      package_name: z.string(),
      package_version: z.string(),
      started_at: isoTime,
    }),
    storage: z.strictObject({
      backend: z.string(),
      durability: z.enum(['sync', 'interval', 'none']),
      read_only: z.boolean(),
      low_space: z
        .boolean()
        .describe('True while so little disk space is free that only forget and erase may write.'),
      last_snapshot_at: isoTime.nullable(),
      journal_chain_head: nullableText.describe(
        'Last link of the hash chain over the journal; null when none is kept.',
      ),
    }),
    cluster: z
      .strictObject({
        node_id: z.string().describe('Another one after a lease that lapsed.'),
        url: z.string().describe('Where the other nodes reach this one.'),
        lease_valid: z.boolean().describe('False: it serves nothing of what it held.'),
        nodes_alive: count.describe('As of the last renewal of the lease, this one included.'),
        shards_held: count,
        shards_leaving: count.describe('Of them those that are to move to another node.'),
        hot_shards: rows({ shard: count, requests_per_second: z.number().min(0) }).describe(
          'The five that are asked for most.',
        ),
        store_reachable: z.boolean().describe('As of the last renewal of the lease.'),
      })
      .optional()
      .describe('Of a node that shares its store.'),
    actors: z.strictObject({
      resident: count.describe('Actors in memory.'),
      known: count.describe('Actors with data.'),
    }),
    workers: z.strictObject({
      threads: count.describe('Worker threads for what requests wait for.'),
      waiting: count.describe('Tasks of requests that run or wait for a thread.'),
      upkeep_waiting: count.describe(
        'Snapshots, archiving and redaction that run or wait for the thread of upkeep.',
      ),
    }),
    providers: z.strictObject({
      embedding: z.strictObject({
        configured: z.boolean(),
        provider: nullableText,
        model: nullableText,
        dimensions: count
          .nullable()
          .optional()
          .describe('Numbers in a vector, once known. Only when configured, as all that follows.'),
        last_failure: z
          .string()
          .nullable()
          .optional()
          .describe('Why the last request for vectors of memory gave none; null: it did.'),
        memories: z
          .strictObject({ pending: count, ready: count, failed: count, skipped: count })
          .optional()
          .describe('Memories of the actors in memory by what became of their vectors.'),
      }),
    }),
    limits: z.record(z.string(), z.number()).describe('Bounds in force, unit last in the name.'),
  },
)
