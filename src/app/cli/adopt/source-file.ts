import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { isWithin } from '../../../adapters/files/within.ts'
import { FileRefusal } from '../init/refusal.ts'

const FILE_BYTES_MAX = 5_000_000

export interface SourceFile {
  /** From the folder, with `/` between its parts. */
  readonly path: string
  readonly text: string
}

/**
 * Reads a file of text. A file below the working folder has to lie below it, any other one beside the name that it was given:
 * a link that leads elsewhere would have a file adopted that nobody named.
 * @throws FileRefusal
 */
export async function readSource(cwd: string, file: string): Promise<SourceFile> {
  const named = resolve(cwd, file)
  const folder = isWithin(cwd, named) ? cwd : dirname(named)
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(named)])
    if (!isWithin(root, real)) {
      throw new FileRefusal(`leads out of ${folder} by a link: name the file that it leads to.`)
    }
    return { path: relative(root, real).split(sep).join('/'), text: await textOf(real) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    if (code === null) throw error
    throw new FileRefusal(code === 'ENOENT' ? 'does not exist.' : `cannot be read (${code}).`)
  }
}

async function textOf(path: string): Promise<string> {
  // What waits for a writer, as a pipe does, is not waited for.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new FileRefusal('is no file of text.')
    if (found.size > FILE_BYTES_MAX) {
      throw new FileRefusal(`has ${found.size} bytes, and ${FILE_BYTES_MAX} are adopted at most: split it.`)
    }
    return decoded(await handle.readFile())
  } finally {
    await handle.close()
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    // A mark of the byte order at its beginning is left out.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Told below.
  }
  throw new FileRefusal('is no text in UTF-8.')
}
