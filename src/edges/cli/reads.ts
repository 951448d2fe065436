import { DEFAULT_SCOPE } from '../../contract/fields.ts'
import { dropOldest } from '../../core/base/collections.ts'
import { linesOfId, type Sought, safeJson } from './look-up.ts'
import { READ_TABLES, type ReadList, tailLine } from './read-text.ts'
import {
  type Answer,
  type Ask,
  ClientError,
  type Place,
  Reader,
  type ReadName,
  RefusedRead,
  textOf,
} from './reader.ts'
import { paintFor, visible } from './terminal-text.ts'

/** What a command that reads is to show. */
export type Reading =
  | { readonly show: 'list'; readonly list: ReadList; readonly limit: number; readonly text: string | null }
  | Sought
  | { readonly show: 'tail' }

export interface ReadCommand {
  readonly reading: Reading
  readonly place: Place
  /** Whether what is sought may be in another scope than that of `place`. */
  readonly isAnywhere: boolean
  readonly isJson: boolean
}

interface ReadOutput {
  readonly isColoured: boolean
  readonly out: (text: string) => unknown
  readonly error: (text: string) => unknown
  /** Resolves when `tail` is to look again: true; or with false when it is to end. */
  readonly next: () => Promise<boolean>
}

const NAMES: Readonly<Record<ReadList, ReadName>> = {
  scopes: 'listActors',
  memories: 'searchMemories',
  guides: 'listGuides',
  external: 'listExternal',
  review: 'listReview',
}

/** Older items that `tail` begins with, of each list. */
const TAIL_BEGIN = 5
/** Items of each list that `tail` looks through for what it has shown; of more it shows the newest. */
const TAIL_ITEMS = 1000

/** Reads, prints, and resolves with the exit code: 0 answered, 1 refused or nobody there. */
export async function runRead(command: ReadCommand, ask: Ask, output: ReadOutput): Promise<number> {
  const { reading, isAnywhere } = command
  const reader = new Reader(ask, command.place)
  try {
    if (reading.show === 'list') await printList(reader, command.place, reading, command.isJson, output)
    else if (reading.show === 'tail') await follow(reader, command.isJson, output)
    else {
      const paint = command.isJson ? null : paintFor(output.isColoured)
      output.out(`${(await linesOfId(reader, reading, isAnywhere, paint)).join('\n')}\n`)
    }
    return 0
  } catch (error) {
    if (!(error instanceof RefusedRead || error instanceof ClientError)) throw error
    output.error(`memgov: ${visible(error.message)}\n`)
    return 1
  }
}

async function printList(
  reader: Reader,
  place: Place,
  { list, limit, text }: Reading & { show: 'list' },
  isJson: boolean,
  { isColoured, out }: ReadOutput,
): Promise<void> {
  const fields = text === null ? {} : { text }
  const { items, isCut } = await reader.items(NAMES[list], fields, limit)
  if (isJson) {
    for (const item of items) out(`${safeJson(item)}\n`)
    return
  }
  const table = READ_TABLES[list](items, paintFor(isColoured))
  out(`${[...table, counted(list, items.length, isCut, place)].join('\n')}\n`)
}

function counted(list: ReadList, count: number, isCut: boolean, { scope }: Place): string {
  if (isCut) return `The first ${count}; --limit shows more.`
  // Who left --scope out may look into another scope than agents write to.
  if (count === 0 && list !== 'scopes')
    return `0 in all in the scope ${visible(scope ?? DEFAULT_SCOPE)}: memgov ls scopes tells the others.`
  return `${count} in all.`
}

const TAILED = [
  { name: 'listGuides', id: 'guide_trace_id', at: 'at' },
  { name: 'searchMemories', id: 'memory_id', at: 'created_at' },
] as const

/** Memory and guides as they come, until told to end. */
async function follow(reader: Reader, isJson: boolean, { isColoured, out, next }: ReadOutput): Promise<void> {
  const paint = paintFor(isColoured)
  const lists = TAILED.map((list) => ({ ...list, shown: new Set<string>() }))
  let isBegun = false
  do {
    const lines: { readonly at: string; readonly item: Answer }[] = []
    for (const { name, id, at, shown } of lists) {
      const most = isBegun ? TAIL_ITEMS : TAIL_BEGIN
      const { items } = await reader.items(name, {}, most, (item) => shown.has(textOf(item, id) ?? ''))
      for (const item of items) lines.push({ at: textOf(item, at) ?? '', item })
      // More than the newest, which may be erased.
      for (const item of items.toReversed()) shown.add(textOf(item, id) ?? '')
      dropOldest(shown, TAIL_ITEMS)
    }
    isBegun = true
    // Oldest first; of one instant memory before guides, each in the order of its list.
    lines.reverse()
    lines.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    for (const { item } of lines) out(`${isJson ? safeJson(item) : tailLine(item, paint)}\n`)
  } while (await next())
}
