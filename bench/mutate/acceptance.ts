/** Survivors that are no gap: nothing that the rules promise tells them from the original. */
export interface Accepted {
  readonly file: string
  /** A part of the line where they stand. Lines are named by text, so that an entry outlives edits elsewhere. */
  readonly line: string
  /** Original and mutated. */
  readonly changes: readonly (readonly [string, string])[]
  readonly reason: string
}
