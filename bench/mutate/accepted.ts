/** A survivor that is no gap: nothing that the rules promise tells it from the original. */
export interface Accepted {
  readonly file: string
  readonly original: string
  readonly mutated: string
  readonly reason: string
}

/** Named by text and not by line, so that an entry outlives edits elsewhere in its file. */
export const ACCEPTED: readonly Accepted[] = []
