import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock, Entropy } from '../../ports/system.ts'

export function systemClock(): Clock {
  return { nowMs: () => Date.now() }
}

const ID_BYTES = 16
/** Where in the random bytes of an id those lie that the package would spend on a counter. */
const SEQUENCE_AT = 6
// Asking the generator for 16 bytes costs ten times as much as making the id from them.
const POOL_BYTES = 256 * ID_BYTES

/**
 * UUIDs of version 7 (RFC 9562, 5.7): 48 bits of time, then 74 random bits. There is no counter in them: one that all
 * tenants share would tell each of them how much the others write. Two ids of one millisecond are the same once in 2^74,
 * and sort in any order: what needs the order of writing has ordinals and sequences.
 */
export function systemEntropy(): Entropy {
  const pool = new Uint8Array(POOL_BYTES)
  const words = new DataView(pool.buffer)
  let used = POOL_BYTES
  return {
    uuid(nowMs) {
      if (used === POOL_BYTES) {
        randomFillSync(pool)
        used = 0
      }
      const at = used
      used += ID_BYTES
      const random = pool.subarray(at, used)
      return v7({ msecs: nowMs, seq: words.getUint32(at + SEQUENCE_AT), random })
    },
  }
}
