import { type Answer, isAnswer, rowsOf, textOf } from './answer-fields.ts'
import { type Address, ClientError, getJson, postJson, type Reply } from './query.ts'
import { externalText, guideText, memoryText, READ_TABLES, type ReadList, tailLine } from './read-text.ts'
import { safeJson } from './safe-json.ts'
import { paintFor, visible } from './terminal-text.ts'

/** What a command that reads is to show. */
export type Reading =
  | { readonly show: 'list'; readonly list: ReadList; readonly limit: number; readonly text: string | null }
  | { readonly show: 'one'; readonly id: string }
  | { readonly show: 'tail' }

export interface ReadCommand {
  readonly reading: Reading
  /** Tenant and scope, as far as they were named. */
  readonly place: Readonly<Record<string, string>>
  readonly isJson: boolean
}

/** The operator reads that the commands use. */
export const READS = {
  listActors: { method: 'GET', path: '/v1/operator/actors' },
  searchMemories: { method: 'POST', path: '/v1/operator/memories' },
  listGuides: { method: 'GET', path: '/v1/operator/guides' },
  listExternal: { method: 'GET', path: '/v1/operator/external' },
  listReview: { method: 'GET', path: '/v1/operator/review' },
} as const
export type ReadName = keyof typeof READS

/** Asks a service, wherever it is. @throws ClientError when nobody answers */
export type Ask = (name: ReadName, fields: Readonly<Record<string, unknown>>) => Promise<Reply>

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

/** The most that one page holds. */
const PAGE_ITEMS = 200
/** Older items that `tail` begins with, of each list. */
const TAIL_BEGIN = 5
/** Items of each list that `tail` looks through for what it has shown; of more it shows the newest. */
const TAIL_ITEMS = 1000

/** Refused by the service; the message is for a person. */
class RefusedRead extends Error {
  readonly code: string | null

  constructor(body: Answer) {
    super(textOf(body, 'message') ?? 'The service refused the request.')
    this.code = textOf(body, 'error')
  }
}

/** Reads, prints, and resolves with the exit code: 0 answered, 1 refused or nobody there. */
export async function runRead(command: ReadCommand, ask: Ask, output: ReadOutput): Promise<number> {
  const reader = new Reader(command, ask)
  try {
    switch (command.reading.show) {
      case 'list':
        await printList(reader, command.reading, output)
        return 0
      case 'one':
        await printOne(reader, command.reading.id, output)
        return 0
      case 'tail':
        await follow(reader, output)
        return 0
    }
  } catch (error) {
    if (!(error instanceof RefusedRead || error instanceof ClientError)) throw error
    output.error(`memgov: ${visible(error.message)}\n`)
    return 1
  }
}

class Reader {
  readonly isJson: boolean
  readonly #ask: Ask
  readonly #place: ReadCommand['place']

  constructor({ place, isJson }: ReadCommand, ask: Ask) {
    this.#ask = ask
    this.#place = place
    this.isJson = isJson
  }

  async page(name: ReadName, fields: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { isOk, body } = await this.#ask(name, { ...this.#place, ...fields })
    if (!isOk) throw new RefusedRead(body)
    return body
  }

  /** Items of a list until there are so many, the list is at its end, or `isLast` says so. */
  async items(
    name: ReadName,
    fields: object,
    limit: number,
    isLast: (item: Answer) => boolean = () => false,
  ): Promise<{ readonly items: readonly Answer[]; readonly isCut: boolean }> {
    const items: Answer[] = []
    for (let cursor: string | null = null; ; ) {
      const wanted = Math.min(PAGE_ITEMS, limit - items.length)
      const page: Answer = await this.page(name, {
        ...fields,
        limit: wanted,
        ...(cursor === null ? {} : { cursor }),
      })
      for (const item of rowsOf(page, 'items')) {
        if (isLast(item)) return { items, isCut: false }
        items.push(item)
      }
      cursor = textOf(page, 'next_cursor')
      if (cursor === null || items.length >= limit) return { items, isCut: cursor !== null }
    }
  }
}

async function printList(
  reader: Reader,
  { list, limit, text }: Reading & { show: 'list' },
  { isColoured, out }: ReadOutput,
): Promise<void> {
  const fields = text === null ? {} : { text }
  const { items, isCut } = await reader.items(NAMES[list], fields, limit)
  if (reader.isJson) {
    for (const item of items) out(`${safeJson(item)}\n`)
    return
  }
  const table = READ_TABLES[list](items, paintFor(isColoured))
  const count = isCut ? `The first ${items.length}; --limit shows more.` : `${items.length} in all.`
  out(`${[...table, count].join('\n')}\n`)
}

/** A guide trace id says so itself. Any other id is that of a memory or, where there is none, of a memory of another store or a run. */
async function printOne(reader: Reader, id: string, { isColoured, out }: ReadOutput): Promise<void> {
  const paint = paintFor(isColoured)
  const print = (item: Answer, lines: () => readonly string[]): void => {
    out(reader.isJson ? `${safeJson(item)}\n` : `${lines().join('\n')}\n`)
  }
  if (id.startsWith('guide_trace:')) {
    const page = await reader.page('listGuides', { guide_trace_id: id })
    for (const item of rowsOf(page, 'items')) print(item, () => guideText(item, paint))
    return
  }
  try {
    const page = await reader.page('searchMemories', { memory_id: id })
    for (const item of rowsOf(page, 'items')) print(item, () => memoryText(item, paint))
  } catch (error) {
    if (!(error instanceof RefusedRead) || error.code !== 'memory_not_found') throw error
    const external = await reader.items('listExternal', { external_memory_id: id }, PAGE_ITEMS)
    for (const item of external.items) print(item, () => externalText(item, paint))
    if (external.items.length > 0) return
    const run = { run_id: id }
    const memories = await reader.items('searchMemories', run, PAGE_ITEMS)
    const guides = await reader.items('listGuides', run, PAGE_ITEMS)
    if (memories.items.length + guides.items.length === 0) {
      throw new RefusedRead({
        message: `Nothing is known by ${id} in this scope: it names no memory, also of another store, no guide and no run.`,
      })
    }
    print({ run_id: id, memories: memories.items, guides: guides.items }, () => [
      paint('bold', `Run ${visible(id)}`),
      '',
      ...READ_TABLES.guides(guides.items, paint),
      '',
      ...READ_TABLES.memories(memories.items, paint),
    ])
  }
}

const TAILED = [
  { name: 'listGuides', id: 'guide_trace_id', at: 'at' },
  { name: 'searchMemories', id: 'memory_id', at: 'created_at' },
] as const

/** Memory and guides as they come, until told to end. */
async function follow(reader: Reader, { isColoured, out, next }: ReadOutput): Promise<void> {
  const paint = paintFor(isColoured)
  const newest = new Map<ReadName, string>()
  let isBegun = false
  do {
    const lines: { readonly at: string; readonly item: Answer }[] = []
    for (const { name, id, at } of TAILED) {
      const last = newest.get(name)
      const most = isBegun ? TAIL_ITEMS : TAIL_BEGIN
      const { items } = await reader.items(name, {}, most, (item) => textOf(item, id) === last)
      for (const item of items) lines.push({ at: textOf(item, at) ?? '', item })
      const first = items[0]
      if (first !== undefined) newest.set(name, textOf(first, id) ?? '')
    }
    isBegun = true
    // Oldest first; of one instant memory before guides, each in the order of its list.
    lines.reverse()
    lines.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    for (const { item } of lines) out(`${reader.isJson ? safeJson(item) : tailLine(item, paint)}\n`)
  } while (await next())
}

/** Whether a value is an answer, as far as it can be told. */
export function asReply(isOk: boolean, body: unknown): Reply {
  return { isOk, body: isAnswer(body) ? body : {} }
}

/** Asks a service that runs. */
export function askService(address: Address): Ask {
  return (name, fields) => {
    const { method, path } = READS[name]
    return method === 'GET' ? getJson(address, path, fields) : postJson(address, path, fields)
  }
}
