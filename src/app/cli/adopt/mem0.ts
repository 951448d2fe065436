import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { epochMsOf } from '../../../contract/fields.ts'
import { candidateOf } from '../../../mappers/mappers.ts'
import { FileRefusal } from '../init/stored-file.ts'
import type { Entries, Entry } from './changes.ts'

/** Where an export of mem0 holds its rows, when it is no list itself. */
const LISTS = ['results', 'memories']
/** By which a row says whose it is. */
const USER = 'user_id'

/**
 * The rows of an export of mem0. The memory of several users would be that of all who share the scope, so such a file is
 * adopted for one user at a time.
 */
export function mem0Entries(text: string, userId: string | null, now: Date): Entries {
  const rows = rowsOf(text)
  const users = new Set(rows.map(userOf))
  if (userId === null && users.size > 1) {
    throw new FileRefusal(
      `holds memory of ${users.size} users, and what is adopted is seen by all who share the scope: name one by --user-id.`,
    )
  }
  if (userId !== null && !users.has(userId)) {
    throw new FileRefusal(`holds no memory of the user ${JSON.stringify(userId)}.`)
  }
  const entries: Entry[] = []
  const lineAt = linesOf(text)
  let others = 0
  let empty = 0
  for (const row of rows) {
    if (userId !== null && userOf(row) !== userId) others += 1
    else {
      const entry = entryOf(row, lineAt(row.offset), now)
      if (entry === null) empty += 1
      else entries.push(entry)
    }
  }
  const told = [
    ...(others === 0 ? [] : [`${others} of other users`]),
    ...(empty === 0 ? [] : [`${empty} without a text`]),
  ]
  return { entries, leftOut: told }
}

function rowsOf(text: string): readonly Node[] {
  const root = treeOf(text)
  if (root === null) throw new FileRefusal('is no JSON: export the memories again.')
  const list =
    root.type === 'array'
      ? root
      : LISTS.map((name) => memberOf(root, name)).find((member) => member?.type === 'array')
  const rows = list?.children
  if (rows === undefined || rows.some(({ type }) => type !== 'object')) {
    throw new FileRefusal(`is no export of mem0: it is a list of rows, or has one in ${LISTS.join(' or ')}.`)
  }
  return rows
}

/** Null: it is no JSON, or nested deeper than any export is. */
function treeOf(text: string): Node | null {
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { disallowComments: true })
    return errors.length > 0 ? null : (root ?? null)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function entryOf(row: Node, line: number, now: Date): Entry | null {
  const candidate = candidateOf('mem0', getNodeValue(row), { now })
  if (candidate === null) return null
  const { updated_at, created_at } = candidate.metadata ?? {}
  return {
    id: candidate.external_memory_id,
    text: candidate.text,
    title: null,
    line,
    observedAt: isoOf(updated_at ?? created_at, now),
    isStale: candidate.lifecycle_hint === 'stale',
  }
}

/** Seconds since 1970 stay below it for three thousand years, milliseconds are above it since 1973. */
const SECONDS_MAX = 1e11
/** A time before the year 0 is none. */
const MS_MIN = Date.UTC(-1, 12)

/** A time that is none, or has not come yet, says nothing; one without a zone is in UTC. */
function isoOf(time: string | number | undefined, now: Date): string | null {
  const ms = typeof time === 'number' ? time * (time < SECONDS_MAX ? 1000 : 1) : epochMsOf(time?.trim() ?? '')
  return ms === null || ms < MS_MIN || ms > now.getTime() ? null : new Date(ms).toISOString()
}

function userOf(row: Node): string | null {
  const value: unknown = memberOf(row, USER)?.value
  const user = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return user === '' ? null : user
}

/** The last of a name, as JSON is read elsewhere. */
function memberOf(node: Node, name: string): Node | undefined {
  return node.children?.findLast(({ children: [key] = [] }) => key?.value === name)?.children?.[1]
}

/** Says on which line a character is; asked in the order of the text. */
function linesOf(text: string): (offset: number) => number {
  let at = 0
  let line = 1
  return (offset) => {
    for (; at < offset; at += 1) if (text[at] === '\n') line += 1
    return line
  }
}
