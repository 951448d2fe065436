import process from 'node:process'
import type { Outcome } from '../result.ts'
import { benchText } from './text.ts'

/** Prints what a benchmark found: a table, JSON with `--json`. */
export function printOutcome(bench: string, outcome: Outcome): void {
  const tookMs = performance.now()
  const text = process.argv.includes('--json')
    ? JSON.stringify(outcome)
    : benchText({ bench, tookMs, ...outcome })
  process.stdout.write(`${text}\n`)
}
