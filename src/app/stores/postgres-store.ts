import { createCodec } from '../../adapters/codec/codec.ts'
import { packageVersion } from '../../adapters/files/package-file.ts'
import { systemSchedule } from '../../adapters/files/schedule.ts'
import { parseAddress } from '../../adapters/postgres/address.ts'
import { openPostgresStore, type PostgresStore } from '../../adapters/postgres/store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Config } from '../config/options.ts'
import { SNAPSHOT_FORMAT } from './snapshot-format.ts'

const DAY_MS = 24 * 3_600_000

export interface PostgresParts {
  readonly clock: Clock
  readonly log: Log
  readonly telemetry: Pick<Telemetry, 'journalWrote'>
}

/** The bundle over the database at a URL, as one node of those that share it. */
export function openSharedStore(config: Config, url: string, parts: PostgresParts): Promise<PostgresStore> {
  const model = config.embeddingsUrl === null ? null : config.embeddingsModel
  return openPostgresStore({
    ...parts,
    address: parseAddress(url, config.insecureStore),
    codec: createCodec(),
    format: SNAPSHOT_FORMAT,
    schedule: systemSchedule,
    monotonicMs: () => performance.now(),
    model,
    durability: config.durability,
    sync: config.storeSync,
    shared: {
      holdoutPercent: config.holdoutPercent,
      holdoutScopes: config.holdoutScopes.toSorted(),
      embeddingsModel: model,
      embeddingsDimensions: config.embeddingsDimensions,
      exposureRetentionDays: config.exposureRetentionDays,
      historyRetentionDays: config.historyRetentionDays,
    },
    leaseMs: config.leaseMs,
    nodeUrl: config.nodeUrl ?? '',
    isSharedOut: config.clusterSecret !== null && config.nodeUrl !== null,
    version: packageVersion(),
    exposureRetentionMs: config.exposureRetentionDays * DAY_MS,
    historyRetentionMs: config.historyRetentionDays * DAY_MS,
    copiesKeptMs: config.storeCopiesDays * DAY_MS,
  })
}
