import { existsSync, readFileSync } from 'node:fs'
import process, { argv } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** Middle, least and greatest of several rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  /** In the order in which they were measured. */
  readonly samples: readonly number[]
}

/** Not a number for no samples. */
export function spreadOf(samples: readonly number[]): Spread {
  return { median: quantile(samples, 0.5), min: quantile(samples, 0), max: quantile(samples, 1), samples }
}

/** The sample that `share` (0 to 1) of the others lie below; not a number for no samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** `12.3 [11.0..15.8]` */
export function spreadText({ median, min, max }: Omit<Spread, 'samples'>, digits: number): string {
  return `${median.toFixed(digits)} [${min.toFixed(digits)}..${max.toFixed(digits)}]`
}

/** Columns as wide as their widest cell, two blanks apart. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** True for the module that the process was started with. */
export function isMain(moduleUrl: string): boolean {
  return argv[1] !== undefined && moduleUrl === pathToFileURL(argv[1]).href
}

/** How long each piece of work takes, one after the other, in µs, the thread idle for `pauseMs` before each. */
export async function timesUs<Input>(
  inputs: readonly Input[],
  work: (input: Input) => unknown,
  pauseMs = 0,
): Promise<number[]> {
  const times: number[] = []
  for (const input of inputs) {
    if (pauseMs > 0) await setTimeout(pauseMs)
    const startedAt = performance.now()
    const result = work(input)
    if (result instanceof Promise) await result
    times.push((performance.now() - startedAt) * 1_000)
  }
  return times
}

/** What Linux keeps of the first thread of this process: nanoseconds on a processor come first. */
const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`

/** Processor time of the first thread of this process so far; not a number where the system does not tell it. */
export function threadCpuMs(): number {
  return existsSync(SCHEDULE) ? Number(readFileSync(SCHEDULE, 'utf8').split(' ', 1)[0]) / 1e6 : Number.NaN
}
