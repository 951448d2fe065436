import type { z } from 'zod'

// Turns the JSON Schema of one object into the rows of a Markdown table.

type Schema = z.core.JSONSchema.BaseSchema
type MaybeSchema = z.core.JSONSchema._JSONSchema | undefined

/** Where an object of less fields is written out again rather than referred to. */
const REPEATED_FIELDS_MAX = 3

interface Table {
  /** Page of the named objects, seen from the page of this table; empty on that page itself. */
  readonly objectsPage: string
  /** Rows that are told elsewhere and left out here. */
  readonly known: ReadonlySet<string>
  /** Fields of inline objects that have been written out, with the name of the first field that has them. */
  readonly written: Map<string, string>
}

/** A table of every field; inline objects are flattened with a dot, lists of objects with `[].`. */
export function schemaTable(
  schema: Schema,
  objectsPage: string,
  known: ReadonlySet<string> = new Set(),
): string {
  const rows = fieldRows(schema, '', { objectsPage, known, written: new Map() })
  const shown = rows.filter((row) => !known.has(row))
  if (shown.length === 0) return ''
  return ['| Field | Type | Required | Description |', '|---|---|---|---|', ...shown].join('\n')
}

/** The rows of a table, to be left out of others. */
export function rowsOf(schema: Schema, objectsPage: string): ReadonlySet<string> {
  return new Set(fieldRows(schema, '', { objectsPage, known: new Set(), written: new Map() }))
}

function fieldRows(schema: Schema, prefix: string, table: Table): readonly string[] {
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {})
  const spellings = otherSpellings(fields)
  return fields.flatMap(([name, field]) => {
    if (typeof field === 'boolean' || spellings.aliases.has(name)) return []
    const path = `${prefix}${name}`
    const isRequired = required.has(name)
    // An optional field that may be null means absent either way; a required one tells something by it.
    const written = typeName(field, table)
    const type = isRequired && takesNull(field) ? `${written} or null` : written
    const names = [path, ...(spellings.of.get(name) ?? []).map((other) => `${prefix}${other}`)]
    const { rows, sameAs } = nestedRows(field, path, table)
    const description = [field.description ?? '', sameAs === null ? '' : `Fields as in \`${sameAs}\`.`]
      .filter((sentence) => sentence !== '')
      .join(' ')
    const row = `| ${names.map((each) => `\`${each}\``).join(', ')} | ${type} | ${isRequired ? 'yes' : 'no'} | ${cell(description)} |`
    return [row, ...rows]
  })
}

/** Fields that are another spelling of a field beside them stand in its row. */
function otherSpellings(fields: readonly (readonly [string, MaybeSchema])[]) {
  const of = new Map<string, string[]>()
  const aliases = new Set<string>()
  for (const [name, field] of fields) {
    const main = /^As `(\w+)`\.$/.exec(asSchema(field)?.description ?? '')?.[1]
    if (main === undefined || main === name || !fields.some(([other]) => other === main)) continue
    of.set(main, [...(of.get(main) ?? []), name])
    aliases.add(name)
  }
  return { of, aliases }
}

function nestedRows(field: Schema, path: string, table: Table) {
  const inner = withoutNull(field)
  const items = asSchema(Array.isArray(inner.items) ? undefined : inner.items)
  const [own, prefix] =
    inner.properties === undefined ? ([items, `${path}[].`] as const) : ([inner, `${path}.`] as const)
  if (own?.properties === undefined) return { rows: [], sameAs: null }
  const key = JSON.stringify(own.properties)
  const sameAs = table.written.get(key) ?? null
  if (sameAs !== null) return { rows: [], sameAs }
  if (Object.keys(own.properties).length > REPEATED_FIELDS_MAX) table.written.set(key, path)
  return { rows: fieldRows(own, prefix, table), sameAs: null }
}

function typeName(field: Schema, table: Table): string {
  const inner = withoutNull(field)
  if (inner.$ref !== undefined) return referenceLink(inner.$ref, table)
  if (inner.const !== undefined) return `\`${JSON.stringify(inner.const)}\``
  if (inner.enum !== undefined) return inner.enum.map((word) => `\`${String(word)}\``).join(', ')
  if (inner.anyOf !== undefined) {
    return inner.anyOf
      .flatMap((each) => (typeof each === 'boolean' ? [] : [typeName(each, table)]))
      .join(' or ')
  }
  if (inner.type === 'array') return listName(inner, table)
  const words = Array.isArray(inner.type)
    ? inner.type.filter((type) => type !== 'null')
    : [inner.type ?? 'any JSON']
  return `${words.join(' or ')}${bounds(inner)}`
}

function listName(list: Schema, table: Table): string {
  const items = asSchema(Array.isArray(list.items) ? undefined : list.items)
  const bound = list.maxItems === undefined ? '' : `, at most ${list.maxItems}`
  return `list of ${items === undefined ? 'any JSON' : typeName(items, table)}${bound}`
}

function bounds(schema: Schema): string {
  const { minimum, maximum, maxLength } = schema
  // Zod writes the safe integers as bounds of every whole number: they say nothing.
  const low = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  const high = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  if (low !== undefined && high !== undefined) return `, ${low} to ${high}`
  if (low !== undefined) return `, at least ${low}`
  if (high !== undefined) return `, at most ${high}`
  return maxLength === undefined ? '' : `, at most ${maxLength} characters`
}

function referenceLink(reference: string, { objectsPage }: Table): string {
  const name = reference.split('/').at(-1) ?? reference
  return `[${name}](${objectsPage}#${name.toLowerCase()})`
}

function takesNull(field: Schema): boolean {
  const alternatives = field.anyOf?.some((each) => typeof each !== 'boolean' && each.type === 'null') ?? false
  return alternatives || (Array.isArray(field.type) && field.type.includes('null'))
}

function withoutNull(field: Schema): Schema {
  const others = field.anyOf?.filter((each) => typeof each === 'boolean' || each.type !== 'null') ?? []
  const only = others.length === 1 ? asSchema(others[0]) : undefined
  return only ?? field
}

function asSchema(schema: MaybeSchema): Schema | undefined {
  return typeof schema === 'object' ? schema : undefined
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
