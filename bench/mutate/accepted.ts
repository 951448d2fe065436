import { readFileSync } from 'node:fs'

/** A survivor that is no gap: nothing that the rules promise tells it from the original. */
export interface Accepted {
  /** Below src/core. */
  readonly file: string
  /** A part of the line where it stands: lines are named by text, so that an entry outlives edits elsewhere. */
  readonly line: string
  /** Names of Stryker. */
  readonly mutators: readonly string[]
  readonly reason: string
}

// From dist/bench/mutate.
const LIST = new URL('../../../bench/mutate/accepted.json', import.meta.url)

export const ACCEPTED: readonly Accepted[] = JSON.parse(readFileSync(LIST, 'utf8'))
