import { v7 } from 'uuid'
import type { Entropy } from '../../ports/entropy.ts'

const SEQUENCE_VALUES = 2 ** 32

/**
 * UUIDs of version 7 (RFC 9562, 5.7): 48 bits of time, 32 bits of a counter, 42 random bits.
 * The counter runs through the whole process whatever the clock does, so two ids could meet only after 2^32 others
 * and then still differ by chance; within a millisecond the ids of a process sort in the order they were made.
 */
export function systemEntropy(): Entropy {
  let sequence = -1
  return {
    uuid(nowMs) {
      sequence = (sequence + 1) % SEQUENCE_VALUES
      return v7({ msecs: nowMs, seq: sequence })
    },
  }
}
