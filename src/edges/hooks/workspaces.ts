import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dropOldest } from '../../core/base/collections.ts'
import { checkoutOf, scopeOfFolder, type Workspace, workspaceOf } from '../workspace/workspace-scope.ts'
import type { Folders } from './step.ts'

const FOLDERS_MAX = 256

interface Found extends Workspace {
  /** Another one: another repository lies there by now. Empty: nothing can be seen there. */
  readonly mark: string
}

async function markOf(cwd: string): Promise<string> {
  try {
    const folder = await realpath(cwd)
    const { ino, birthtimeMs } = await stat(join(await checkoutOf(folder), '.git'))
    return `${folder} ${ino} ${birthtimeMs}`
  } catch {
    return ''
  }
}

/** What is known of folders that hooks run in. Bounded, the first ones go. */
export class Workspaces {
  readonly #workspaces = new Map<string, Promise<Found>>()
  readonly #roots = new Map<string, Promise<string>>()

  async scopeOf(cwd: string): Promise<string> {
    // A hook may come from another machine.
    const elsewhere = () => ({ scope: scopeOfFolder(cwd), isLasting: false })
    const find = async () => ({ mark: await markOf(cwd), ...(await workspaceOf(cwd).catch(elsewhere)) })
    return (await kept(this.#workspaces, cwd, find)).scope
  }

  /** Looks anew where the scope may be another one by now, as the other ways in have it. */
  async refresh(cwd: string): Promise<void> {
    const known = await this.#workspaces.get(cwd)
    if (known?.isLasting === true && ['', known.mark].includes(await markOf(cwd))) return
    this.#workspaces.delete(cwd)
    this.#roots.delete(cwd)
  }

  /** Paths begin where those of the prompt do, or in another checkout of the same repository. */
  async foldersOf(cwd: string, home: string): Promise<Folders> {
    const isSame = cwd === home || (await this.scopeOf(cwd)) === (await this.scopeOf(home))
    const folder = isSame ? cwd : home
    return { root: await kept(this.#roots, folder, () => checkoutOf(folder)), cwd }
  }
}

function kept<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const made = known.get(key) ?? make()
  known.set(key, made)
  dropOldest(known, FOLDERS_MAX)
  return made
}
