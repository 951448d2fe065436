import { forEachConcurrently } from '../../adapters/files/concurrency.ts'
import { MemoryData } from '../../adapters/memory/data.ts'
import type { StoredSizes } from '../../ports/store-reader.ts'
import { actorKeysOf, factsOf } from '../store/actor-facts.ts'
import { openMemoryStore } from '../stores/memory-store.ts'
import { copyActor } from './copy-actor.ts'
import type { MoveParts } from './move-parts.ts'
import { AT_ONCE, type MoveSource, type MoveTarget } from './move-store.ts'

/** Actors that are tried. */
const SAMPLE = 64

/** What a move would bring, and how long it would take here. */
export interface Estimate extends StoredSizes {
  readonly actors: number
  readonly keys: number
  /** A part of it is there already. */
  readonly isResumed: boolean
  /** Actors that were read for it, written into memory and, by size, to where they would go. */
  readonly sampled: number
  readonly ms: number
}

/** Nothing of the store is written anywhere: of the target only how fast it takes bytes is tried. */
export async function estimateMove(
  { reader, keys }: MoveSource,
  target: MoveTarget,
  { config, clock }: MoveParts,
): Promise<Estimate> {
  const isResumed = await target.check(reader)
  const actors = await actorKeysOf(reader)
  const stride = Math.max(1, Math.ceil(actors.length / SAMPLE))
  const sample = actors.filter((_, at) => at % stride === 0)
  const store = openMemoryStore(config, clock, new MemoryData())
  const startedMs = performance.now()
  await forEachConcurrently(sample, AT_ONCE, async (actorKey) => {
    let writes = 0
    await copyActor(reader, store, actorKey, 0, () => {
      writes += 1
    })
    let bytes = 0
    for await (const { payload } of reader.turns(actorKey, 1)) bytes += payload.length
    for (let done = 0; done < writes; done += 1) await target.trial(Math.ceil(bytes / writes))
    // Both sides are read once more and compared.
    await factsOf(reader, actorKey)
    await factsOf(reader, actorKey)
  })
  const tookMs = performance.now() - startedMs
  await store.close()
  return {
    ...(await reader.sizes()),
    actors: actors.length,
    keys: (await keys.read()).keys.length,
    isResumed,
    sampled: sample.length,
    ms: sample.length === 0 ? 0 : (tookMs / sample.length) * actors.length,
  }
}
