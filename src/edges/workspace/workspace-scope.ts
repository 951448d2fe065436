import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'

const GIT_DEADLINE_MS = 10_000

/** The scope of the workspace that a folder lies in: its name and eight digits of its root commit, or of its path. */
export async function workspaceScope(cwd: string): Promise<string> {
  const folder = await realpath(cwd)
  const gitDir = await git(folder, ['rev-parse', '--git-common-dir'])
  const root = gitDir === null ? folder : dirname(resolve(folder, gitDir))
  const commit = await git(folder, ['rev-list', '--first-parent', '--max-parents=0', 'HEAD'])
  const hash = commit ?? createHash('sha256').update(root).digest('hex')
  return `${basename(root).replace(/[^\w.-]+/g, '-') || 'workspace'}-${hash.slice(0, 8)}`
}

function git(folder: string, args: readonly string[]): Promise<string | null> {
  return new Promise((done) => {
    execFile('git', ['-C', folder, ...args], { timeout: GIT_DEADLINE_MS }, (error, stdout) =>
      done(error === null && stdout.trim() !== '' ? stdout.trim() : null),
    )
  })
}
