import { isObject, type JsonObject, jsonOf } from '../../../edges/json/json.ts'
import { FileRefusal } from '../init/refusal.ts'
import { type Entries, type Entry, PLAIN } from './entry.ts'

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

function rowOf(written: string, line: number): JsonObject {
  const row = jsonOf(written)
  if (isObject(row)) return row
  throw new FileRefusal(`has no JSON object in line ${line}: the file has one on each line.`)
}

function entriesOf(row: JsonObject, line: number): readonly Entry[] | null {
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

function wordIn(row: JsonObject, name: string): string | null {
  const value = row[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

function wordsIn(row: JsonObject, name: string): readonly string[] {
  const value = row[name]
  const words = Array.isArray(value) ? value : []
  return words.flatMap((word: unknown) =>
    typeof word === 'string' && word.trim() !== '' ? [word.trim()] : [],
  )
}
