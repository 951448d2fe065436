import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import type { Confirm } from './init.ts'

/** Asks at the terminal; null: there is none on both sides. */
export function terminalConfirm(): Confirm {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    try {
      return /^y(?:es)?$/i.test((await terminal.question(question)).trim())
    } finally {
      terminal.close()
    }
  }
}
