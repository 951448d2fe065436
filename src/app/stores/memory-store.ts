import { createCodec } from '../../adapters/codec/codec.ts'
import { fencedStore } from '../../adapters/fence/fenced-store.ts'
import type { MemoryData } from '../../adapters/memory/data.ts'
import { memoryStore } from '../../adapters/memory/store.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import { type Config, retentionOf, vectorModelOf } from '../config/options.ts'

/** The bundle in memory, as one node of those that share its data. */
export function openMemoryStore(config: Config, clock: Clock, data: MemoryData, node = 'here'): Store {
  const store = memoryStore({
    data,
    node,
    clock,
    codec: createCodec(),
    model: vectorModelOf(config),
    ...retentionOf(config),
    historyBudgetBytes: config.historyBudgetBytes,
  })
  return fencedStore(store, (grant, actorKey) => data.isOwner(grant, actorKey))
}
