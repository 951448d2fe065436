import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Confirm, initCommand } from '../../src/app/cli/init/init.ts'
import type { InitInvocation } from '../../src/edges/cli/service-arguments.ts'

const made: string[] = []
/** For `afterEach`. */
export function removeWorlds(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** A home and a project of their own. */
export interface World {
  readonly home: string
  readonly project: string
  readonly run: (
    changes: Partial<InitInvocation>,
    confirm?: Confirm,
  ) => Promise<{ code: number; out: string; error: string }>
}

export function world(): World {
  const root = mkdtempSync(join(tmpdir(), 'memgov-init-'))
  made.push(root)
  const [home, project] = [join(root, 'home'), join(root, 'project')]
  mkdirSync(home)
  mkdirSync(join(project, '.git'), { recursive: true })
  const folders = {
    home,
    claude: join(home, '.claude'),
    claudeState: join(home, '.claude.json'),
    codex: join(home, '.codex'),
    config: join(home, '.config'),
    state: join(root, 'state'),
  }
  return {
    home,
    project,
    async run(changes, confirm = null) {
      const said = { out: '', error: '' }
      const invocation: InitInvocation = {
        kind: 'init',
        host: null,
        isUser: false,
        isUndone: false,
        isAgreed: true,
        url: 'http://127.0.0.1:3001',
        scope: 'shop',
        ...changes,
      }
      const write = (field: 'out' | 'error') => ({ write: (text: string) => ((said[field] += text), true) })
      const terminal = { stdout: write('out'), stderr: write('error') }
      const code = await initCommand(invocation, terminal, confirm, { cwd: project, folders })
      return { code, ...said }
    },
  }
}

/** Every path below a folder with what it is: bytes, link or folder, and permissions. */
export function treeOf(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return new Map(
    paths.map((path) => {
      const whole = join(folder, path)
      const found = lstatSync(whole)
      if (found.isSymbolicLink()) return [path, `link ${readlinkSync(whole)}`]
      const mode = (found.mode & 0o777).toString(8)
      return [path, found.isDirectory() ? 'folder' : `${mode} ${readFileSync(whole).toString('base64')}`]
    }),
  )
}

export function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
