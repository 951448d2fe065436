import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { SuiteResult } from '../result.ts'

/** What a figure depends on besides the code. */
export function surroundings(): Pick<SuiteResult, 'machine' | 'node' | 'commit' | 'takenAt'> {
  return {
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: availableParallelism(),
      memoryBytes: totalmem(),
      platform: `${process.platform} ${process.arch}`,
    },
    node: process.version,
    commit: commitOf(fileURLToPath(new URL('.', import.meta.url))),
    takenAt: new Date().toISOString(),
  }
}

/** With `+` when files differ from it; null outside of a repository. */
export function commitOf(folder: string): string | null {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD')
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+`
  } catch {
    return null
  }
}
