import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ProcessSize {
  readonly rssBytes: number
  readonly openFiles: number
}

export interface FilesIn {
  /** One for each segment that has left the journal, until retention takes it: they become more with every write. */
  readonly history: number
  readonly others: number
}

/** Files of a data folder, as far as they stay while it is read. */
export function filesIn(dir: string): FilesIn {
  try {
    const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const history = files.filter(({ parentPath }) => parentPath === join(dir, 'hist')).length
    return { history, others: files.length - history }
  } catch {
    return { history: 0, others: 0 }
  }
}

/** Files of a store come and go by a few in each scope. */
const FILES_FACTOR_MAX = 1.25
const FILES_SLACK = 64

/** The medians of the first and the last quarter of counts of files. */
export function filesGrowthOf(counts: readonly number[]): {
  readonly early: number
  readonly late: number
  readonly isFlat: boolean
} {
  const quarter = Math.max(1, Math.floor(counts.length / 4))
  const early = middleOf(counts.slice(0, quarter))
  const late = middleOf(counts.slice(-quarter))
  return { early, late, isFlat: late <= early * FILES_FACTOR_MAX + FILES_SLACK }
}

/** Resident memory and open file descriptors of a process; null where the system does not tell, or it is gone. */
export function sizeOf(pid: number): ProcessSize | null {
  try {
    const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    if (kib === undefined) return null
    return { rssBytes: Number(kib) * 1024, openFiles: readdirSync(`/proc/${pid}/fd`).length }
  } catch {
    return null
  }
}

/** Linux counts processor time in hundredths of a second, whatever the clock of its scheduler. */
const TICK_MS = 10

/** Processor time of a process so far, in steps of 10 ms; null where the system does not tell, or it is gone. */
export function cpuMsOf(pid: number): number | null {
  try {
    // The name of the program stands in brackets and may hold anything; what follows is counted from the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ') ?? []
    const ms = (Number(fields[11]) + Number(fields[12])) * TICK_MS
    return Number.isFinite(ms) ? ms : null
  } catch {
    return null
  }
}

export interface Growth {
  readonly early: ProcessSize
  readonly late: ProcessSize
  readonly isFlat: boolean
}

/** Over so much more than in the first quarter the last one is no longer flat. */
const RSS_FACTOR_MAX = 1.25
const RSS_SLACK_BYTES = 32 * 1024 * 1024
const OPEN_FILES_SLACK = 16
/** A heap that has not been collected yet is no growth. */
const QUARTER_MIN = 60

/** The medians of the first and the last quarter of samples; null with too few of them. */
export function growthOf(samples: readonly ProcessSize[]): Growth | null {
  const quarter = Math.floor(samples.length / 4)
  if (quarter < QUARTER_MIN) return null
  const early = medianOf(samples.slice(0, quarter))
  const late = medianOf(samples.slice(-quarter))
  const isFlat =
    late.rssBytes <= early.rssBytes * RSS_FACTOR_MAX + RSS_SLACK_BYTES &&
    late.openFiles <= early.openFiles + OPEN_FILES_SLACK
  return { early, late, isFlat }
}

function medianOf(samples: readonly ProcessSize[]): ProcessSize {
  return {
    rssBytes: middleOf(samples.map(({ rssBytes }) => rssBytes)),
    openFiles: middleOf(samples.map(({ openFiles }) => openFiles)),
  }
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
