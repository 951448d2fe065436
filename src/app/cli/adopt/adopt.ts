import type { Answer } from '../../../edges/cli/answer-fields.ts'
import { type Address, ClientError } from '../../../edges/cli/query.ts'
import { safeJson } from '../../../edges/cli/safe-json.ts'
import type { AdoptInvocation } from '../../../edges/cli/service-arguments.ts'
import { visible } from '../../../edges/cli/terminal-text.ts'
import { FileRefusal } from '../init/refusal.ts'
import type { Terminal } from '../offline.ts'
import { type Adopted, AdoptingService, type Earliest, KINDS, nodeOf, Refused } from './adopting-service.ts'
import { type Changes, changesOf, type Placed } from './changes.ts'
import { distinct, type Entries } from './entry.ts'
import { markdownEntries } from './markdown.ts'
import { mem0Entries } from './mem0.ts'
import { serverMemoryEntries } from './server-memory.ts'
import { readSource } from './source-file.ts'

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
    ...(removed.length === 0 ? [] : [REMOVED_STAY]),
    'Nothing was changed; --yes writes them, but for those that were adopted before.',
  ]
}

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
  const replacing = placed.filter(({ replaces }) => replaces !== null).length
  const gone =
    suppressedCount > 0
      ? `${suppressedCount} whose entries are gone are suppressed.`
      : `${removed.length} are of entries that are gone. ${REMOVED_STAY}`
  return [
    `New candidates in the scope ${visible(scope ?? '')} from entries of ${file}: ${newCount}; there before: ${memoryIds.length - newCount}.`,
    ...(replacing === 0 ? [] : [`In the place of an entry that changed: ${replacing}.`]),
    ...(removed.length === 0 ? [] : [gone]),
    ...warnings.map((warning) => `Warning: ${visible(warning)}`),
    `memgov blast-radius --source ${file} shows them; an operator activates what may guide.`,
  ]
}
