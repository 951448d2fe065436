import { createHash } from 'node:crypto'
import type { AdoptSource } from '../../../edges/cli/command-names.ts'

/** One entry of a file of memory, as it would be observed. */
export interface Entry {
  /** What the file calls it; null: only its words tell it from others. */
  readonly id: string | null
  readonly text: string
  /** The headings above it, or the thing that it is about. */
  readonly title: string | null
  /** Where it begins, from 1. */
  readonly line: number
  readonly observedAt: string | null
  /** The file says that it holds no longer. */
  readonly isStale: boolean
}

/** What a file holds, and what of it was left out: sentences for a person. */
export interface Entries {
  readonly entries: readonly Entry[]
  readonly leftOut: readonly string[]
}

const ID_DIGITS = 32

/**
 * The client id of an entry. It is of its words and of no line or path: an entry that moves within its file, or whose file
 * is renamed, is the same one.
 */
export function clientIdOf(from: AdoptSource, { id, title, text }: Entry): string {
  const hash = createHash('sha256').update(JSON.stringify([id, title, text]))
  return `adopt:${from}:${hash.digest('hex').slice(0, ID_DIGITS)}`
}

export const PLAIN = { id: null, observedAt: null, isStale: false } as const

/** Each entry once: the first of those that say the same. */
export function distinct(from: AdoptSource, { entries, leftOut }: Entries): Entries {
  const byId = new Map<string, Entry>()
  for (const entry of entries) {
    const id = clientIdOf(from, entry)
    if (!byId.has(id)) byId.set(id, entry)
  }
  const repeated = entries.length - byId.size
  const told = repeated === 0 ? [] : [`${repeated} say the same under the same heading as an earlier one`]
  return { entries: [...byId.values()], leftOut: [...leftOut, ...told] }
}
