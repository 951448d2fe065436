import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import type { Entropy } from '../../ports/entropy.ts'

const SEQUENCE_VALUES = 2 ** 32
const ID_BYTES = 16
// Asking the generator for 16 bytes costs ten times as much as making the id from them.
const POOL_BYTES = 256 * ID_BYTES

/**
 * UUIDs of version 7 (RFC 9562, 5.7): 48 bits of time, 32 bits of a counter, 42 random bits.
 * The counter runs through the whole process whatever the clock does, so two ids could meet only after 2^32 others
 * and then still differ by chance; within a millisecond the ids of a process sort in the order they were made.
 */
export function systemEntropy(): Entropy {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  let sequence = -1
  return {
    uuid(nowMs) {
      if (used === POOL_BYTES) {
        randomFillSync(pool)
        used = 0
      }
      sequence = (sequence + 1) % SEQUENCE_VALUES
      const random = pool.subarray(used, used + ID_BYTES)
      used += ID_BYTES
      return v7({ msecs: nowMs, seq: sequence, random })
    },
  }
}
