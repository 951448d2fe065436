import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** How long upkeep works without a rest. */
const WORK_MS = 0.5
const REST_MS = 0.05

const nothing = new Int32Array(new SharedArrayBuffer(4))
let restedAtMs = 0

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

/**
 * To be called between short steps: rests where it is time to. Linux leaves a thread that was woken on the core of the one that woke
 * it, and there it waits until the time slice of the thread that runs is over, 3 ms and more, however low the priority of that one
 * is and though another core be idle. A commit of the journal would stand behind upkeep for as long.
 */
export function makeWay(): void {
  if (performance.now() - restedAtMs < WORK_MS) return
  Atomics.wait(nothing, 0, 0, REST_MS)
  restedAtMs = performance.now()
}

/** What all steps come to, with rests between them. */
export function makingWay<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    makeWay()
  }
}
