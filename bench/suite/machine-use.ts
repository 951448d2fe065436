import { readFileSync } from 'node:fs'

const TICK_MS = 10

/** Processor time of all processes of the machine since it started, in milliseconds; not a number where no Linux tells. */
export function machineBusyMs(): number {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line.split(/\s+/).slice(1).map(Number)
    return (user + nice + system + irq + softIrq) * TICK_MS
  } catch {
    return Number.NaN
  }
}
