import { hash, randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse, type TomlTable } from 'smol-toml'
import { isWithin } from '../../../adapters/files/folders.ts'
import { isObject, jsonOf } from '../../../core/base/collections.ts'
import { isThere } from '../../../edges/workspace/workspace-scope.ts'

/** A file cannot be changed without doing harm; the message is for a person, and begins behind the name of the file. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal'
}

// Of a TOML file what is ours is a block at its end, between two comments.

const BEGIN = '# Begin of what memgov init wrote.'
const END = '# End of what memgov init wrote.'

/** The text with a block more at its end. @throws FileRefusal when the block would change what stands before it */
export function withBlock(text: string, table: string, lines: readonly string[]): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const [around = '', own = ''] = table.split('.')
  const tables = tablesIn(text)
  if (tables === null) throw new FileRefusal('is not valid TOML: mend it first.')
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`
  const whole = `${text}${gap}${[BEGIN, `[${table}]`, ...lines, END, ''].join(eol)}`
  // Behind a table that is written in braces TOML allows no other one of it.
  if (Object.hasOwn(Object(tables[around]), own) || tablesIn(whole) === null)
    throw new FileRefusal(`says something of ${table} that memgov init has not written: remove it first.`)
  return whole
}

/** Null: the text is no TOML. */
function tablesIn(text: string): TomlTable | null {
  try {
    return parse(text)
  } catch {
    return null
  }
}

/** The text without the block. */
export function withoutBlock(text: string): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END, begin)
  if (begin < 0 || end < 0) return text
  const rest = text.slice(end + END.length).replace(/^\r?\n/, '')
  const before = text.slice(0, begin)
  return `${rest === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before}${rest}`
}

export function hasBlock(text: string): boolean {
  return text.includes(BEGIN)
}

const BOM = '\uFEFF'

/** A file as it is. */
export type StoredFile = Awaited<ReturnType<typeof readStored>>

/**
 * The file behind every link, its text without a byte order mark, and its permissions; null: there is none.
 * @param project links may not lead out of it: who wrote the project chose them; null: they may lead anywhere
 * @throws FileRefusal when it is no file of text
 */
export async function readStored(path: string, project: string | null) {
  const real = await realpath(path).catch(() => null)
  if (project !== null) await refuseOutside(project, real === null ? await nearest(path) : path)
  if (real === null) {
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    )
    if (isLink) throw new FileRefusal('is a link to a file that is not there: remove it first.')
    await refuseUnwritable(dirname(path))
    return { path, bytes: null, text: null, mark: '', mode: null }
  }
  const found = await stat(real)
  if (!found.isFile()) throw new FileRefusal('is no file.')
  await refuseUnwritable(dirname(real))
  const bytes = await readFile(real)
  const text = textOf(bytes)
  const mark = text.startsWith(BOM) ? BOM : ''
  return { path: real, bytes, text: text.slice(mark.length), mark, mode: found.mode & 0o7777 }
}

async function refuseOutside(project: string, path: string): Promise<void> {
  const [root, real] = await Promise.all([realpath(project), realpath(path)])
  if (real === root || isWithin(root, real)) return
  throw new FileRefusal(
    `leads out of the project by a link, to ${real}: put a file in the place of the link, or use --user.`,
  )
}

/** What is there of a path: itself, or the nearest folder around it. */
async function nearest(path: string): Promise<string> {
  let at = path
  while (!(await isThere(at)) && dirname(at) !== at) at = dirname(at)
  return at
}

/** The folder, or the nearest around it that is there, has to take files: a draft lies beside what it replaces. */
async function refuseUnwritable(folder: string): Promise<void> {
  const at = await nearest(folder)
  if (!(await stat(at)).isDirectory()) throw new FileRefusal(`cannot be written: ${at} is no folder.`)
  await access(at, constants.W_OK | constants.X_OK).catch(() => {
    throw new FileRefusal(`cannot be written: ${at} does not let you.`)
  })
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FileRefusal('is not text in UTF-8.')
  }
}

/** Replaces a file in one step, with the permissions that it had. */
export async function replaceFile(path: string, bytes: Buffer | string, mode: number): Promise<void> {
  const draft = join(dirname(path), `.memgov-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(draft, bytes, { mode, flag: 'wx' })
    // What the mask of the process took away.
    await chmod(draft, mode)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** What undo needs to know of a file that was changed. */
export interface FileRecord {
  readonly path: string
  /** SHA-256 of the bytes that init wrote. */
  readonly written: string
  /** Base64 of the bytes before; null: there was no file. */
  readonly before: string | null
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[]
}

/** Files of mode 0600, one for each file that init has changed: what stood there before may be anything. */
export class FileRecords {
  readonly #folder: string

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'memgov/init')
  }

  #pathOf(path: string): string {
    return join(this.#folder, `${hash('sha256', path).slice(0, 32)}.json`)
  }

  async read(path: string): Promise<FileRecord | null> {
    const record = jsonOf(await readFile(this.#pathOf(path), 'utf8').catch(() => ''))
    if (!isObject(record)) return null
    const { written, before, folders }: Partial<FileRecord> = record
    const isWhole = typeof written === 'string' && before !== undefined && Array.isArray(folders)
    return isWhole ? { path, written, before, folders } : null
  }

  async write(record: FileRecord): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await replaceFile(this.#pathOf(record.path), JSON.stringify(record), 0o600)
  }

  async remove(path: string): Promise<void> {
    await rm(this.#pathOf(path), { force: true })
    await removeFolders([dirname(this.#folder), this.#folder])
  }
}

/** Removes folders that are empty, the innermost first. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {})
}
