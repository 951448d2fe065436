import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** What a figure depends on besides the code. */
export interface Surroundings {
  readonly machine: string
  readonly node: string
  /** With `+` when files differ from it; null outside of a repository. */
  readonly commit: string | null
  readonly takenAt: string
}

export function surroundings(): Surroundings {
  const cpu = cpus()[0]?.model.trim() ?? 'unknown'
  const gib = (totalmem() / 1024 ** 3).toFixed(0)
  return {
    machine: `${cpu}, ${availableParallelism()} cores, ${gib} GiB, ${process.platform} ${process.arch}`,
    node: process.version,
    commit: commitOf(fileURLToPath(new URL('.', import.meta.url))),
    takenAt: new Date().toISOString(),
  }
}

function commitOf(folder: string): string | null {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`
  } catch {
    return null
  }
}

const TICK_MS = 10

/** Processor time of all processes of the machine since it started, in milliseconds; not a number where no Linux tells. */
export function machineBusyMs(): number {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line.split(/\s+/).slice(1).map(Number)
    return (user + nice + system + irq + softIrq) * TICK_MS
  } catch {
    return Number.NaN
  }
}
