import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The folder of the checkout that a folder lies in; the folder itself where it lies in none, or is not on this machine. */
export async function repositoryRoot(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return cwd
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
