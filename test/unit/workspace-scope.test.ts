import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { SCOPE } from '../../src/contract/fields.ts'
import { Workspaces } from '../../src/edges/hooks/workspaces.ts'
import { workspaceScope } from '../../src/edges/workspace/workspace-scope.ts'
import { dataFolder } from '../harness/data-folder.ts'

const NOBODY = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a',
}

function git(cwd: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: cwd, ...NOBODY }
  return execFileSync('git', ['-C', cwd, ...args], { env, encoding: 'utf8', stdio: 'pipe' }).trim()
}

function folder(name: string, inside = dataFolder()): string {
  const path = join(inside, name)
  mkdirSync(path, { recursive: true })
  return path
}

function commit(cwd: string, text: string): string {
  writeFileSync(join(cwd, 'file'), text)
  git(cwd, 'add', '.')
  git(cwd, 'commit', '-q', '-m', text)
  return git(cwd, 'rev-parse', 'HEAD')
}

/** A repository with two commits, and the first of them. */
function repository(name: string): { readonly path: string; readonly root: string } {
  const path = folder(name)
  git(path, 'init', '-q', '-b', 'main')
  const root = commit(path, `first of ${path}`)
  commit(path, 'second')
  return { path, root }
}

describe('the scope of a workspace', () => {
  test('is the name and root commit of its repository, in subfolders, worktrees, clones and under later commits', async () => {
    const { path, root } = repository('shop')
    const scope = `shop-${root.slice(0, 8)}`
    expect(await workspaceScope(path)).toBe(scope)
    expect(await workspaceScope(folder('src/deep', path))).toBe(scope)
    const worktree = join(dataFolder(), 'elsewhere')
    git(path, 'worktree', 'add', '-q', worktree, '-b', 'other')
    expect(await workspaceScope(worktree)).toBe(scope)
    const clone = join(dataFolder(), 'shop')
    git(path, 'clone', '-q', path, clone)
    expect(await workspaceScope(clone)).toBe(scope)
    const bare = join(dataFolder(), 'shop.git')
    git(path, 'clone', '-q', '--bare', path, bare)
    expect(await workspaceScope(bare)).toBe(scope)
    // A history that begins elsewhere is merged in.
    git(path, 'checkout', '-q', '--orphan', 'foreign')
    commit(path, 'another root')
    git(path, 'checkout', '-q', 'main')
    git(path, 'merge', '-q', '--allow-unrelated-histories', '-s', 'ours', '-m', 'both', 'foreign')
    expect(await workspaceScope(path)).toBe(scope)
  })

  test('is of the path without git, before the first commit and in a shallow clone', async () => {
    const plain = folder('shop')
    const scope = await workspaceScope(plain)
    expect(scope).toMatch(/^shop-[0-9a-f]{8}$/)
    expect(await workspaceScope(folder('shop'))).not.toBe(scope)
    const link = join(dataFolder(), 'link')
    symlinkSync(plain, link)
    expect(await workspaceScope(link)).toBe(scope)
    git(plain, 'init', '-q')
    expect(await workspaceScope(folder('src', plain))).toBe(scope)
    const { path } = repository('deep')
    const shallow = join(dataFolder(), 'deep')
    git(path, 'clone', '-q', '--depth', '1', `file://${path}`, shallow)
    const before = await workspaceScope(shallow)
    git(shallow, 'fetch', '-q', '--depth', '2')
    expect(await workspaceScope(shallow)).toBe(before)
  })

  test('is of the path where there is no git to ask', async () => {
    const { path, root } = repository('shop')
    const copy = folder('shop')
    cpSync(path, copy, { recursive: true })
    expect(await workspaceScope(copy)).toBe(`shop-${root.slice(0, 8)}`)
    vi.stubEnv('PATH', '/nowhere')
    expect(await workspaceScope(copy)).not.toBe(`shop-${root.slice(0, 8)}`)
  })

  test.each([
    ['My Shop (v2)', /^My-Shop-v2-[0-9a-f]{8}$/],
    ['.config', /^config-[0-9a-f]{8}$/],
    ['数据库', /^workspace-[0-9a-f]{8}$/],
    ['-x\n', /^x-[0-9a-f]{8}$/],
    ['a'.repeat(200), /^a{64}-[0-9a-f]{8}$/],
  ])('of %j is a scope that also a header can carry', async (name, expected) => {
    const scope = await workspaceScope(folder(name))
    expect(scope).toMatch(expected)
    expect(scope).toMatch(SCOPE)
    expect(scope).toMatch(/^[\x21-\x7e]+$/)
  })

  test('is that of the folder, also below a hook of git that names a repository', async () => {
    const [{ path, root }, other] = [repository('shop'), repository('other')]
    vi.stubEnv('GIT_DIR', join(other.path, '.git'))
    try {
      expect(await workspaceScope(path)).toBe(`shop-${root.slice(0, 8)}`)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('of hooks is the one of the first commit from the next prompt on', async () => {
    const path = folder('begun')
    const workspaces = new Workspaces()
    const before = await workspaces.scopeOf(path)
    git(path, 'init', '-q', '-b', 'main')
    commit(path, 'first')
    expect(await workspaces.scopeOf(path)).toBe(before)
    await workspaces.refresh(path)
    const scope = await workspaceScope(path)
    expect([await workspaces.scopeOf(path), scope === before]).toEqual([scope, false])
    expect(await workspaces.foldersOf(path, path)).toEqual({ root: path, cwd: path })
  })

  test('of hooks is the one of the repository that lies there now, from the next prompt on', async () => {
    const [{ path }, other] = [repository('shop'), repository('other')]
    const workspaces = new Workspaces()
    const before = await workspaces.scopeOf(path)
    await workspaces.refresh(path)
    expect(await workspaces.scopeOf(path)).toBe(before)
    renameSync(path, `${path}-old`)
    await workspaces.refresh(path)
    expect(await workspaces.scopeOf(path)).toBe(before)
    renameSync(other.path, path)
    await workspaces.refresh(path)
    expect(await workspaces.scopeOf(path)).toBe(`shop-${other.root.slice(0, 8)}`)
  })

  test('paths of a hook begin at the checkout it runs in, and at the one of its prompt elsewhere', async () => {
    const { path } = repository('shop')
    const worktree = join(path, 'trees/one')
    git(path, 'worktree', 'add', '-q', worktree, '-b', 'one')
    const nested = folder('nested', path)
    git(nested, 'init', '-q')
    const workspaces = new Workspaces()
    const rootOf = async (cwd: string) => (await workspaces.foldersOf(cwd, path)).root
    expect([await rootOf(folder('src', path)), await rootOf(worktree)]).toEqual([path, worktree])
    expect([await rootOf(nested), await rootOf(dataFolder())]).toEqual([path, path])
  })
})
