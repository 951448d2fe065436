import { createCodec } from '../../adapters/codec/codec.ts'
import { fencedStore } from '../../adapters/fence/fenced-store.ts'
import type { MemoryData } from '../../adapters/memory/data.ts'
import { memoryStore } from '../../adapters/memory/store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { Config } from '../config/options.ts'

const DAY_MS = 24 * 3_600_000

/** The bundle in memory, as one node of those that share its data. */
export function openMemoryStore(config: Config, clock: Clock, data: MemoryData, node = 'here'): Store {
  const store = memoryStore({
    data,
    node,
    clock,
    codec: createCodec(),
    model: config.embeddingsUrl === null ? null : config.embeddingsModel,
    exposureRetentionMs: config.exposureRetentionDays * DAY_MS,
    historyRetentionMs: config.historyRetentionDays * DAY_MS,
    historyBudgetBytes: config.historyBudgetBytes,
  })
  return fencedStore(store, (grant, actorKey) => data.isOwner(grant, actorKey))
}
