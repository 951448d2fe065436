import { PACKED } from './steering-table.ts'

/** Slots are 18 bits of a hash: of signs that the fit never saw, one in seventy has the weight of another one. */
const SLOTS = 1 << 18
/** Weights are told in quarters of the logarithm of the odds, and none is heavier than this. */
export const QUARTERS = 4
export const HEAVIEST = 20

// An entry of the packed table, in order of slots:
//
//   +--------+------------------------------------+----------+
//   | weight | `~` for every 80 slots passed over | the rest |
//   +--------+------------------------------------+----------+
//
// The weight is the unit `0` + HEAVIEST + weight, the rest the unit `(` + slots beyond the entry before. The backslash is left
// out: units from it on are one higher.
const WEIGHT_ZERO = 0x30 + HEAVIEST
const GAP_ZERO = 0x28
const GAP_MAX = 80
const PASSED = '~'
const BACKSLASH = 0x5c

/** By slot. */
export const WEIGHTS: Int8Array = unpacked(PACKED)

/** Weights by slot, in the form above. Those that say nothing are left out. */
export function packed(weights: ReadonlyMap<number, number>): string {
  let table = ''
  let done = 0
  for (const [slot, weight] of [...weights].sort(([a], [b]) => a - b)) {
    if (weight === 0) continue
    const gap = slot - done
    const rest = GAP_ZERO + (gap % GAP_MAX)
    table += String.fromCharCode(WEIGHT_ZERO + weight) + PASSED.repeat(Math.floor(gap / GAP_MAX))
    table += String.fromCharCode(rest < BACKSLASH ? rest : rest + 1)
    done = slot
  }
  return table
}

export function unpacked(table: string): Int8Array {
  const weights = new Int8Array(SLOTS)
  let slot = 0
  for (let at = 0; at < table.length; at++) {
    const weight = table.charCodeAt(at) - WEIGHT_ZERO
    for (at++; table[at] === PASSED; at++) slot += GAP_MAX
    const rest = table.charCodeAt(at)
    slot += (rest < BACKSLASH ? rest : rest - 1) - GAP_ZERO
    weights[slot] = weight
  }
  return weights
}
