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

interface CollectorFlag {
  readonly name: string
  readonly value: number
  readonly reason: string
}

/**
 * How the engine's collector is set in the process of a service; in a program that embeds the runtime they are that
 * program's. Only flags that are read anew at each collection, since these are set after the heap was made.
 */
export const COLLECTOR_FLAGS: readonly CollectorFlag[] = [
  {
    name: '--heap-growing-percent',
    value: 100,
    reason:
      'garbage of the old generation, in per cent of what lives, before it is collected; left to itself the engine lets it grow to several times what lives. Less holds memory, and has requests meet a collection of the whole heap more often',
  },
]

/** Sets them, but for those that whoever started the process has set on the command line of the engine. */
export function setCollector(): void {
  for (const { name, value } of COLLECTOR_FLAGS) {
    if (!process.execArgv.some((given) => isFlag(given, name))) setFlagsFromString(`${name}=${value}`)
  }
}

/** The engine takes `-` and `_` alike. */
function isFlag(given: string, name: string): boolean {
  return given.split('=', 1)[0]?.replaceAll('_', '-') === name
}
