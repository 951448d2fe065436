import type { ExposedSet } from '../memory/events.ts'

/** What one guide exposed: the ground of every attribution. */
export interface ExposureRecord extends ExposedSet {
  readonly atMs: number
  readonly seq: number
}
