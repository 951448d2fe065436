import type { Origin } from '../base/closed-sets.ts'
import type { MemoryRecord } from './record.ts'

/** Who is heard first. An operator who activated a memory counts as a user. */
const AUTHORITY: Readonly<Record<Origin, number>> = {
  user: 0,
  verifier: 1,
  agent: 2,
  tool: 3,
  document: 4,
  external: 4,
  unknown: 4,
}

/**
 * Standing memories in the order in which a guide hears them: by authority, then direct positives, then the oldest
 * first. Put in order when it is asked for after one of them changed: guides are many, such changes few.
 */
export class StandingOrder {
  #records: readonly MemoryRecord[] | null = null

  /** A standing memory was written, revised, judged or erased. */
  forget(): void {
    this.#records = null
  }

  /** @param standing the live standing memories, asked for when the order is not known */
  of(standing: () => readonly MemoryRecord[]): readonly MemoryRecord[] {
    this.#records ??= inOrder(standing())
    return this.#records
  }
}

function inOrder(standing: readonly MemoryRecord[]): readonly MemoryRecord[] {
  return standing
    .map((record) => ({ record, authority: authorityOf(record), positives: record.counters.positive }))
    .sort((a, b) => a.authority - b.authority || b.positives - a.positives || a.record.slot - b.record.slot)
    .map(({ record }) => record)
}

function authorityOf({ origin, changes }: MemoryRecord): number {
  const isActivated = changes.some(({ cause }) => cause === 'operator_activation')
  return isActivated ? AUTHORITY.user : AUTHORITY[origin]
}
