import { SURFACES, type Surface } from '../base/closed-sets.ts'
import type { RecordedGuide } from './evidence.ts'

/** One memory that two guides treat differently. */
export interface SurfaceChange {
  readonly memoryId: string
  /** Null: the guide did not show it. */
  readonly before: Surface | null
  readonly after: Surface | null
  /** Why, by the guide after or else by the one before; null: kept no longer. */
  readonly reasonCode: string | null
}

/** What the guide after shows on another surface than the guide before, in the order of the guides. */
export function surfaceChanges(before: RecordedGuide, after: RecordedGuide): readonly SurfaceChange[] {
  const earlier = surfacesOf(before)
  const later = surfacesOf(after)
  const changes: SurfaceChange[] = []
  for (const memoryId of new Set([...later.keys(), ...earlier.keys()])) {
    const [from, to] = [earlier.get(memoryId) ?? null, later.get(memoryId) ?? null]
    if (from === to) continue
    const reasonCode = reasonCodeIn(to === null ? before : after, memoryId)
    changes.push({ memoryId, before: from, after: to, reasonCode })
  }
  return changes
}

function reasonCodeIn({ reasons }: RecordedGuide, memoryId: string): string | null {
  return reasons?.codes[reasons.memoryIds.indexOf(memoryId)] ?? null
}

function surfacesOf({ exposed }: RecordedGuide): ReadonlyMap<string, Surface> {
  return new Map(SURFACES.flatMap((surface) => exposed[surface].map((id) => [id, surface] as const)))
}
