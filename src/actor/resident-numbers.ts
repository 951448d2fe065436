import type { EmbedFailureKind } from '../ports/embedder.ts'
import type { Residency } from '../ports/residency.ts'
import type { Vitals } from '../ports/telemetry.ts'
import type { Actor } from './actor.ts'

type ResidentVitals = Pick<Vitals, 'residentActors' | 'residentBytes' | 'requestsInside' | 'deepestMailbox'>

export type RegistryVitals = ResidentVitals & Pick<Vitals, 'knownActors' | 'waitingLoads' | 'leavingActors'>

/** @param wanted requests that wait for an actor or are inside one */
export function residentVitals(
  residency: Residency<Actor>,
  wanted: ReadonlyMap<string, number>,
): ResidentVitals {
  const counts = [...wanted.values()]
  return {
    residentActors: residency.count(),
    residentBytes: residency.weightBytes(),
    requestsInside: counts.reduce((sum, count) => sum + count, 0),
    deepestMailbox: counts.reduce((most, count) => Math.max(most, count), 0),
  }
}

/** Memories of the actors in memory by what became of their vectors, and why the last request gave none. */
export function embeddingHealth(residency: Residency<Actor>, lastFailure: EmbedFailureKind | null) {
  const memories = { pending: 0, ready: 0, failed: 0, skipped: 0 }
  for (const key of residency.keys()) {
    const counts = residency.peek(key)?.vectors?.counts()
    if (counts === undefined) continue
    memories.pending += counts.pending
    memories.ready += counts.ready
    memories.failed += counts.failed
    memories.skipped += counts.skipped
  }
  return { memories, lastFailure }
}

/** Actors in memory with more explanations of guides than history must keep. */
export function explanationBounds(
  residency: Residency<Actor>,
): readonly { readonly actorKey: string; readonly keptFromSeq: number }[] {
  return [...residency.keys()].flatMap((actorKey) => {
    const keptFromSeq = residency.peek(actorKey)?.explainedFromSeq ?? 0
    return keptFromSeq === 0 ? [] : [{ actorKey, keptFromSeq }]
  })
}
