import { fstatSync, writeSync } from 'node:fs'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import type { LogTarget } from '../adapters/system/log.ts'
import { TIMER_MAX_MS } from '../client/time-limit.ts'

/** Keeps the process alive while something is under way, and only then: threads and timers of a runtime do not. */
export class Hold {
  readonly #timer = setInterval(() => {}, TIMER_MAX_MS).unref()
  #underWay = 0

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    if (this.#underWay === 1) this.#timer.ref()
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#timer.unref()
    }
  }

  /** Frees the timer. */
  end(): void {
    clearInterval(this.#timer)
  }
}

const leftOpen = new Set<() => void>()

/** Has `close` called when the process has nothing left to do; not when it is ended. Answers how to take that back. */
export function closeBeforeExit(close: () => void): () => void {
  if (leftOpen.size === 0) process.on('beforeExit', closeAll)
  leftOpen.add(close)
  return () => {
    leftOpen.delete(close)
    if (leftOpen.size === 0) process.off('beforeExit', closeAll)
  }
}

function closeAll(): void {
  for (const close of leftOpen) close()
}

const STDOUT = 1

/** What a process prints to. */
export interface StandardOutput extends LogTarget {
  /** Resolves when all of it has arrived, with what kept a file from taking it. Null: nothing; a reader may leave. */
  arrived(): Promise<Error | null>
  /** Calls `stop` when nothing more that is written arrives. */
  onEnd(stop: () => void): void
}

/** A file is written here: the stream of Node takes a part for the whole, which is what a full disk leaves. */
export function standardOutput(): StandardOutput {
  const stat = fstatSync(STDOUT)
  const isFile = stat.isFile() || (stat.isCharacterDevice() && !process.stdout.isTTY)
  if (!isFile) {
    return {
      isTTY: process.stdout.isTTY,
      write: (text) => process.stdout.write(text),
      // What a pipe holds back is lost when the process exits.
      arrived: () => new Promise((resolve) => void process.stdout.write('', () => resolve(null))),
      onEnd: (stop) => void process.stdout.once('error', stop),
    }
  }
  let lost: Error | null = null
  let ended = (): void => undefined
  return {
    write(text) {
      let left = Buffer.from(text)
      try {
        while (lost === null && left.length > 0) left = left.subarray(writeSync(STDOUT, left))
      } catch (error) {
        lost = error instanceof Error ? error : new Error(String(error))
        ended()
      }
    },
    arrived: async () => lost,
    onEnd(stop) {
      if (lost === null) ended = stop
      else stop()
    },
  }
}

const HEAP_GROWING = '--heap-growing-percent'
/**
 * Garbage of the old generation, in per cent of what lives, before it is collected. Left to itself the engine lets it grow to
 * several times what lives. Less holds memory, and has requests meet a collection of the whole heap more often.
 */
const GARBAGE_PERCENT = 100

/**
 * Sets the engine's collector in the process of a service, unless whoever started it has done so on the command line of the
 * engine; a program that embeds the runtime has its own. The flag is read anew at each collection: the heap is made by now.
 */
export function setCollector(): void {
  // The engine takes `-` and `_` alike.
  const isSet = process.execArgv.some((given) => given.replaceAll('_', '-').startsWith(`${HEAP_GROWING}=`))
  if (!isSet) setFlagsFromString(`${HEAP_GROWING}=${GARBAGE_PERCENT}`)
}
