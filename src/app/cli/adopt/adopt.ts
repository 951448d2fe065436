import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { isWithin } from '../../../adapters/files/folders.ts'
import { type AnyObject, isObject, jsonOf } from '../../../core/base/collections.ts'
import { safeJson } from '../../../edges/cli/look-up.ts'
import { type Address, type Answer, ClientError } from '../../../edges/cli/reader.ts'
import type { AdoptInvocation } from '../../../edges/cli/service-arguments.ts'
import { visible } from '../../../edges/cli/terminal-text.ts'
import { FileRefusal } from '../init/stored-file.ts'
import type { Terminal } from '../offline.ts'
import { type Adopted, AdoptingService, type Earliest, KINDS, nodeOf, Refused } from './adopting-service.ts'
import { type Changes, changesOf, distinct, type Entries, type Entry, PLAIN, type Placed } from './changes.ts'
import { markdownEntries } from './markdown.ts'
import { mem0Entries } from './mem0.ts'

const FILE_BYTES_MAX = 5_000_000

/**
 * Reads a file of text. A file below the working folder has to lie below it, any other one beside the name that it was given:
 * a link that leads elsewhere would have a file adopted that nobody named.
 * @throws FileRefusal
 */
export async function readSource(cwd: string, file: string) {
  const named = resolve(cwd, file)
  const folder = isWithin(cwd, named) ? cwd : dirname(named)
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(named)])
    if (!isWithin(root, real)) {
      throw new FileRefusal(`leads out of ${folder} by a link: name the file that it leads to.`)
    }
    /** `path`: from the folder, with `/` between its parts. */
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

/** The file of the memory server of MCP: a line for each entity with its observations, and for each relation. */
export function serverMemoryEntries(text: string): Entries {
  const entries: Entry[] = []
  let others = 0
  for (const [at, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue
    const line = at + 1
    const found = entriesOf(rowOf(written, line), line)
    if (found === null) others += 1
    else entries.push(...found)
  }
  const told = others === 0 ? [] : [`${others} lines that are neither an entity nor a relation`]
  return { entries, leftOut: told }
}

function rowOf(written: string, line: number): AnyObject {
  const row = jsonOf(written)
  if (isObject(row)) return row
  throw new FileRefusal(`has no JSON object in line ${line}: the file has one on each line.`)
}

function entriesOf(row: AnyObject, line: number): readonly Entry[] | null {
  if (row['type'] === 'entity') {
    const name = wordIn(row, 'name')
    const kind = wordIn(row, 'entityType')
    const title = name === null || kind === null ? name : `${name} (${kind})`
    return wordsIn(row, 'observations').map((said) => ({
      ...PLAIN,
      text: name === null ? said : `${name}: ${said}`,
      title,
      line,
    }))
  }
  const [from, relation, to] = [wordIn(row, 'from'), wordIn(row, 'relationType'), wordIn(row, 'to')]
  if (row['type'] !== 'relation' || from === null || relation === null || to === null) return null
  return [{ ...PLAIN, text: `${from} ${relation} ${to}`, title: null, line }]
}

function wordIn(row: AnyObject, name: string): string | null {
  const value = row[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

function wordsIn(row: AnyObject, name: string): readonly string[] {
  const value = row[name]
  const words = Array.isArray(value) ? value : []
  return words.flatMap((word: unknown) =>
    typeof word === 'string' && word.trim() !== '' ? [word.trim()] : [],
  )
}

/** Entries that are shown to a person. */
const SHOWN_MAX = 40
const SHOWN_CHARS = 72
interface Surroundings {
  readonly cwd: string
  readonly now: Date
}

/**
 * `memgov adopt`: makes candidates of the entries of a file, or shows them. Their origin is external, whatever they say: a
 * file of rules is what somebody wrote down, and becomes an order only when an operator activates it. What was adopted before is
 * not written again, and an entry that changed takes the place of the one that it was. The exit code: 0 done, 1 the file or the
 * service refused.
 */
export async function adoptCommand(
  invocation: AdoptInvocation,
  { address, reader }: { readonly address: Address; readonly reader: Address },
  { stdout, stderr }: Terminal,
  { cwd, now }: Surroundings,
): Promise<number> {
  const { file, from, isAgreed, isJson } = invocation
  const out = (line: string): void => void stdout.write(`${line}\n`)
  try {
    const { path, text } = await readSource(cwd, file)
    const found = distinct(from, entriesIn(text, invocation, now))
    const service = new AdoptingService(invocation, { address, reader }, path, cwd)
    const earlier = await service.earlier(found.entries)
    const changes = changesOf(from, found.entries, earlier.memories ?? [])
    if (!isAgreed) {
      if (isJson) out(safeJson(planOf(invocation, path, changes, found.leftOut)))
      else for (const line of shown(invocation, path, changes, { leftOut: found.leftOut, earlier })) out(line)
      return 0
    }
    const adopted = await service.adopt(changes)
    if (isJson) out(safeJson(outcomeOf(service, path, changes, adopted)))
    else for (const line of told(service, path, changes, adopted)) out(line)
    return 0
  } catch (error) {
    const why =
      error instanceof FileRefusal
        ? `${file} ${error.message}`
        : error instanceof ClientError || error instanceof Refused
          ? error.message
          : null
    if (why === null) throw error
    stderr.write(`memgov adopt: ${visible(why)}\n`)
    return 1
  }
}

function entriesIn(text: string, { from, userId }: AdoptInvocation, now: Date): Entries {
  switch (from) {
    case 'mem0':
      return mem0Entries(text, userId, now)
    case 'server-memory':
      return serverMemoryEntries(text)
    case 'markdown':
    case 'agents-md':
      return markdownEntries(text)
  }
}

function planOf(
  { from }: AdoptInvocation,
  path: string,
  changes: Changes,
  leftOut: readonly string[],
): Answer {
  return {
    path,
    changed: false,
    entries: changes.placed.map((each) => ({ ...nodeOf(from, path, each), line: each.entry.line })),
    removed: removedRows(changes),
    left_out: leftOut,
  }
}

function removedRows({ removed }: Changes): readonly Answer[] {
  return removed.map(({ memoryId, line }) => ({ memory_id: memoryId, line }))
}

function shown(
  invocation: AdoptInvocation,
  path: string,
  changes: Changes,
  { leftOut, earlier }: { readonly leftOut: readonly string[]; readonly earlier: Earliest },
): readonly string[] {
  const { placed, removed } = changes
  const further = placed.length - SHOWN_MAX
  return [
    ...placed.slice(0, SHOWN_MAX).map((each) => shownLine(path, each)),
    ...(further <= 0 ? [] : [`  … and ${further} more; --json shows all`]),
    `${placed.length} ${placed.length === 1 ? 'entry' : 'entries'} of ${visible(path)} would be candidates of origin external, kind ${KINDS[invocation.from]}.`,
    ...leftOut.map((sentence) => `Left out: ${visible(sentence)}.`),
    ...(earlier.memories === null ? [visible(earlier.why)] : []),
    ...removed.map(({ memoryId, line }) => `Gone: ${visible(path)}:${line}, memory ${visible(memoryId)}.`),
    ...(removed.length === 0 ? [] : [invocation.isSuppressing ? REMOVED_GO : REMOVED_STAY]),
    'Nothing was changed; --yes writes them, but for those that were adopted before.',
  ]
}

const REMOVED_GO = 'With --yes memory of an entry that is gone is suppressed.'
const REMOVED_STAY = 'Memory of an entry that is gone stays as it is; --suppress-removed suppresses it.'

function shownLine(path: string, { entry: { line, title, text }, replaces }: Placed): string {
  const words = visible(`${title === null ? '' : `${title}: `}${text}`.replaceAll('\n', ' '))
  const said = words.length > SHOWN_CHARS ? `${words.slice(0, SHOWN_CHARS)}…` : words
  return `  ${visible(path)}:${line}  ${said}${replaces === null ? '' : ` (in the place of ${visible(replaces.memoryId)})`}`
}

function outcomeOf(
  { scope, warnings }: AdoptingService,
  path: string,
  changes: Changes,
  { memoryIds, newCount, suppressedCount }: Adopted,
): Answer {
  const entries = changes.placed.map(({ entry: { line }, replaces }, at) => ({
    memory_id: memoryIds[at] ?? null,
    line,
    ...(replaces === null ? {} : { replaces: replaces.memoryId }),
  }))
  const changed = newCount + suppressedCount > 0
  const removed = removedRows(changes)
  return {
    path,
    scope,
    changed,
    new_count: newCount,
    suppressed_count: suppressedCount,
    entries,
    removed,
    warnings,
  }
}

function told(
  { scope, warnings }: AdoptingService,
  path: string,
  { placed, removed }: Changes,
  { memoryIds, newCount, suppressedCount }: Adopted,
): readonly string[] {
  const file = visible(path)
  const warned = warnings.map((warning) => `Warning: ${visible(warning)}`)
  if (placed.length + removed.length === 0) return [`${file} has no entry to adopt.`, ...warned]
  const replacing = placed.filter(({ replaces }) => replaces !== null).length
  const gone =
    suppressedCount > 0
      ? `${suppressedCount} whose entries are gone are suppressed.`
      : `${removed.length} are of entries that are gone. ${REMOVED_STAY}`
  return [
    `New candidates in the scope ${visible(scope ?? '')} from entries of ${file}: ${newCount}; there before: ${memoryIds.length - newCount}.`,
    ...(replacing === 0 ? [] : [`In the place of an entry that changed: ${replacing}.`]),
    ...(removed.length === 0 ? [] : [gone]),
    ...warned,
    `memgov blast-radius --source ${file} shows them; an operator activates what may guide.`,
  ]
}
