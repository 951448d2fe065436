import type { ExposedSet } from './events.ts'

/** What one guide exposed: the ground of every attribution. */
export interface ExposureRecord extends ExposedSet {
  readonly atMs: number
  readonly seq: number
}
