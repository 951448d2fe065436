import { Worker } from 'node:worker_threads'

/** Where time comes from, in milliseconds. */
export interface Pacer {
  now(): number
  /** Resolves after so long, at most some tenths of a millisecond later. */
  pause(ms: number): Promise<void>
}

interface AlarmMemory {
  readonly control: SharedArrayBuffer
  readonly duration: SharedArrayBuffer
}

export const ASKED = 0
export const RUNG = 1
export const NEVER = 2

export function alarmOver({ control, duration }: AlarmMemory) {
  return { slots: new Int32Array(control), forMs: new Float64Array(duration) }
}

/**
 * Sleeps in a thread of its own. A timer of Node is a millisecond too coarse, and to wait for a moment by looking at the clock
 * would take a core from the service that is measured: on two cores half of what it has. One pause at a time.
 */
export const systemPacer: Pacer = {
  now: () => performance.now(),
  pause: (ms) => (alarm ??= startAlarm())(ms),
}

let alarm: ((ms: number) => Promise<void>) | null = null

function startAlarm(): (ms: number) => Promise<void> {
  const memory: AlarmMemory = { control: new SharedArrayBuffer(12), duration: new SharedArrayBuffer(8) }
  const { slots, forMs } = alarmOver(memory)
  const worker = new Worker(new URL('./alarm.js', import.meta.url), { workerData: memory, execArgv: [] })
  worker.unref()
  return async (ms) => {
    const rung = Atomics.load(slots, RUNG)
    forMs[0] = ms
    Atomics.add(slots, ASKED, 1)
    Atomics.notify(slots, ASKED)
    // While it sleeps there may be nothing else that keeps the process.
    worker.ref()
    const waiting = Atomics.waitAsync(slots, RUNG, rung)
    if (waiting.async) await waiting.value
    worker.unref()
  }
}
