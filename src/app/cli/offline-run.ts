import { basename } from 'node:path'
import { systemClock } from '../../adapters/system/clock.ts'
import type { LogTarget } from '../../adapters/system/log.ts'
import type { OfflineInvocation } from '../../edges/cli/arguments.ts'
import { visible } from '../../edges/cli/terminal-text.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Entropy } from '../../ports/entropy.ts'
import type { Log } from '../../ports/log.ts'
import type { Config } from '../config/options.ts'
import type { VerifyOptions } from '../store/verify-store.ts'

const DAY_MS = 24 * 3_600_000

/** What every command over a data folder works with. */
export interface OfflineRun {
  readonly dir: string
  readonly config: Config
  readonly invocation: OfflineInvocation
  readonly out: (text: string) => void
  /** Writes one line; characters that act on a terminal are made visible. */
  readonly say: (line: string) => void
  readonly sayJson: (facts: object) => void
  readonly progress: Progress
  /** Opens the folder as a service does. */
  readonly compose: Compose
}

export type Compose = (
  config: Config,
  system: { readonly clock: Clock; readonly entropy: Entropy; readonly log: Log },
) => Promise<{ close(): Promise<void> }>

/** Which exposure sets may be gone by now. */
export function limitsOf({ config }: OfflineRun): Pick<VerifyOptions, 'exposureRetentionMs' | 'nowMs'> {
  return { exposureRetentionMs: config.exposureRetentionDays * DAY_MS, nowMs: systemClock().nowMs() }
}

/** What a store tells while a command works on it, as far as an operator must know. */
export function errorsOnly(say: (line: string) => void): Log {
  const ignore = (): void => undefined
  return { debug: ignore, info: ignore, warn: ignore, error: (_fields, message) => say(message) }
}

const WIDTH = 72
/** Lines are written for so manieth file only: a terminal is slower than a disk. */
const EVERY = 8

/** One line on a terminal that says what is being read; nothing in a pipe. */
export class Progress {
  readonly #target: LogTarget
  readonly #command: string
  #files = 0
  #isShown = false

  constructor(target: LogTarget, command: string) {
    this.#target = target
    this.#command = command
  }

  file(path: string): void {
    this.#files += 1
    if (this.#target.isTTY !== true || this.#files % EVERY !== 1) return
    this.#isShown = true
    const line = `${this.#command}: ${this.#files} read, now ${visible(basename(path))}`
    this.#target.write(`\r${line.slice(0, WIDTH).padEnd(WIDTH)}`)
  }

  /** Takes the line away. */
  end(): void {
    if (this.#isShown) this.#target.write(`\r${' '.repeat(WIDTH)}\r`)
    this.#isShown = false
  }
}
