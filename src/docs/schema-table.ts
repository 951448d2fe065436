import type { z } from 'zod'

// Turns the JSON Schema of one object into the rows of a Markdown table.

type Schema = z.core.JSONSchema.BaseSchema
type MaybeSchema = z.core.JSONSchema._JSONSchema | undefined

/** A table of every field; inline objects are flattened with a dot, lists of objects with `[].`. */
export function schemaTable(schema: Schema): string {
  return ['| Field | Type | Required | Description |', '|---|---|---|---|', ...fieldRows(schema, '')].join(
    '\n',
  )
}

function fieldRows(schema: Schema, prefix: string): readonly string[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return []
    const path = `${prefix}${name}`
    const isRequired = required.has(name)
    // An optional field that may be null means absent either way; a required one tells something by it.
    const type = isRequired && takesNull(field) ? `${typeName(field)} or null` : typeName(field)
    const row = `| \`${path}\` | ${type} | ${isRequired ? 'yes' : 'no'} | ${cell(field.description ?? '')} |`
    return [row, ...nestedRows(field, path)]
  })
}

function nestedRows(field: Schema, path: string): readonly string[] {
  const inner = withoutNull(field)
  if (inner.properties !== undefined) return fieldRows(inner, `${path}.`)
  const items = asSchema(Array.isArray(inner.items) ? undefined : inner.items)
  return items?.properties === undefined ? [] : fieldRows(items, `${path}[].`)
}

function typeName(field: Schema): string {
  const inner = withoutNull(field)
  if (inner.$ref !== undefined) return referenceLink(inner.$ref)
  if (inner.const !== undefined) return `\`${JSON.stringify(inner.const)}\``
  if (inner.enum !== undefined) return inner.enum.map((word) => `\`${String(word)}\``).join(', ')
  if (inner.anyOf !== undefined) {
    return inner.anyOf.flatMap((each) => (typeof each === 'boolean' ? [] : [typeName(each)])).join(' or ')
  }
  if (inner.type === 'array') return listName(inner)
  const words = Array.isArray(inner.type)
    ? inner.type.filter((type) => type !== 'null')
    : [inner.type ?? 'any JSON']
  return `${words.join(' or ')}${bounds(inner)}`
}

function listName(list: Schema): string {
  const items = asSchema(Array.isArray(list.items) ? undefined : list.items)
  const bound = list.maxItems === undefined ? '' : `, at most ${list.maxItems}`
  return `list of ${items === undefined ? 'any JSON' : typeName(items)}${bound}`
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

function referenceLink(reference: string): string {
  const name = reference.split('/').at(-1) ?? reference
  return `[${name}](#${name.toLowerCase()})`
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
