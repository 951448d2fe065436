import { basename } from 'node:path'
import type { LogTarget } from '../../adapters/system/log.ts'
import { visible } from '../../edges/cli/terminal-text.ts'

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
