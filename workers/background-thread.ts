import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * Lets the calling thread wait for the processor where others want it: upkeep of a store takes seconds of it, and
 * requests would stand behind that. On Linux a thread has a priority of its own, by its number (setpriority(2) takes that
 * of a thread where POSIX says process); where there is no such number nothing changes. Answers whether it took effect.
 */
export function yieldProcessor(): boolean {
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    // Below that of the process, which may have been started below others itself.
    setPriority(thread, Math.min(PRIORITY_LOW, getPriority(thread) + PRIORITY_BELOW_NORMAL))
    return true
  } catch {
    return false
  }
}
