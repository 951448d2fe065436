import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { resolve as absolute, basename, dirname, join } from 'node:path'
import process from 'node:process'

const NAME_CHARS_MAX = 64
const HASH_CHARS = 8
/** A history of a million commits takes git some seconds. */
const GIT_DEADLINE_MS = 10_000
/** A hook of git names its own repository there, and what it starts inherits that. */
const NO_REPOSITORY = { GIT_DIR: undefined, GIT_COMMON_DIR: undefined, GIT_OBJECT_DIRECTORY: undefined }

/**
 * The scope of the workspace that a folder lies in: `<name>-<8 hex>`. In a repository the name is that of its main folder and the
 * digits are those of its root commit, so that every clone under the same name, every subfolder and every worktree has the
 * same scope. Without git, before the first commit and in a shallow clone, whose root changes when more is fetched, they are
 * of the SHA-256 of the folder's real path. Letters, digits, dots, underscores and hyphens only: it fits into a header.
 */
export async function workspaceScope(cwd: string): Promise<string> {
  return (await workspaceOf(cwd)).scope
}

export interface Workspace {
  readonly scope: string
  /** False: a first commit, or more of the history, gives the folder another one. */
  readonly isLasting: boolean
}

export async function workspaceOf(cwd: string): Promise<Workspace> {
  const folder = await realpath(cwd)
  const repository = await repositoryOf(folder)
  const rootCommit = repository?.rootCommit ?? null
  return { scope: scopeOfFolder(repository?.folder ?? folder, rootCommit), isLasting: rootCommit !== null }
}

/** The scope of a folder that need not be on this machine, as that of one without git. */
export function scopeOfFolder(path: string, rootCommit: string | null = null): string {
  const digest = rootCommit ?? hash('sha256', path)
  return `${nameOf(path)}-${digest.slice(0, HASH_CHARS)}`
}

/** The folder of the checkout that a folder lies in; the folder itself where it lies in none, or is not on this machine. */
export async function checkoutOf(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return cwd
  }
}

export function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/**
 * The folder that the files of its first checkout lie in, or the bare repository itself. Its root commit, null: there is none
 * yet, or only a part of the history is here. Null: the folder lies in none, or git cannot be asked.
 */
async function repositoryOf(folder: string) {
  const told = await git(folder, ['rev-parse', '--git-common-dir', '--is-shallow-repository'])
  const [relative = '', isShallow] = told?.split('\n') ?? []
  if (relative === '') return null
  const gitDir = absolute(folder, relative)
  const own = basename(gitDir) === '.git' ? dirname(gitDir) : gitDir.replace(/\.git$/, '')
  if (isShallow !== 'false') return { folder: own, rootCommit: null }
  // Along first parents there is exactly one root, whatever was merged into it.
  const rootCommit = await git(folder, ['rev-list', '--first-parent', '--max-parents=0', 'HEAD'])
  return { folder: own, rootCommit: rootCommit === null || rootCommit === '' ? null : rootCommit }
}

/** What git says, without the last line break; null: it refuses, takes too long or is not there. */
function git(folder: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: GIT_DEADLINE_MS, env: { ...process.env, ...NO_REPOSITORY } }
    execFile('git', ['-C', folder, ...args], options, (error, stdout) =>
      resolve(error === null ? stdout.trimEnd() : null),
    )
  })
}

function nameOf(folder: string): string {
  const name = basename(folder)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, NAME_CHARS_MAX)
  return name === '' ? 'workspace' : name
}
