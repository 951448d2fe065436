import type { ActorState } from '../model/state.ts'
import type { CandidateColumns } from './candidate-columns.ts'

/**
 * Numbers the first `size` candidates by age, the oldest with 1. No two memories have the same ordinal. The low bits of a key
 * are the place; short numbers sort fastest, where they do.
 */
export function numberByAge(
  { columns, nextOrdinal }: ActorState,
  { slots, age }: CandidateColumns,
  size: number,
): void {
  const span = 2 ** (32 - Math.clz32(size))
  const keys = nextOrdinal * span <= 2 ** 32 ? new Uint32Array(size) : new Float64Array(size)
  for (let place = 0; place < size; place += 1)
    keys[place] = columns.ordinalOf(slots[place] ?? 0) * span + place
  keys.sort()
  for (let rank = 0; rank < size; rank += 1) age[(keys[rank] ?? 0) & (span - 1)] = rank + 1
}
