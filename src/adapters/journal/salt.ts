import { randomInt } from 'node:crypto'

/** A fresh number for a segment: no batch of an earlier use of the same blocks carries it. Never 0. */
export function randomSalt(): number {
  return randomInt(1, 0x1_0000_0000)
}
