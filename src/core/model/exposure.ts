import type { Surface } from '../base/closed-sets.ts'
import type { ExposedSet } from './events.ts'

/** What one guide exposed: the ground of every attribution. */
export interface ExposureRecord extends ExposedSet {
  readonly atMs: number
  readonly seq: number
}

/** What a guide showed, or a govern request of another store's: the ids by which requests with its trace name it. */
export function shownIn({ memoryIds, surfaces, external }: ExposedSet): {
  readonly ids: readonly string[]
  readonly surfaces: readonly Surface[]
} {
  return external === undefined
    ? { ids: memoryIds, surfaces }
    : { ids: external.externalIds, surfaces: external.surfaces }
}
