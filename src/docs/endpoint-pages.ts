import { z } from 'zod'
import type { Access } from '../contract/access.ts'
import { sharedFields } from '../contract/fields.ts'
import { errorsOf, methodsOf, OPERATIONS, type OperationName, rulesOf } from '../contract/operations.ts'
import { NESTING_MAX, VALUES_MAX } from '../contract/parse.ts'
import { writtenEnvelope } from '../contract/vocabulary.ts'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../core/base/errors.ts'
import { answerNames, type Examples, exampleOf, type Schema, type Schemas, schemaName } from './openapi.ts'

// Turns the JSON Schema of one object into the rows of a Markdown table.

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

/** One generated file. */
export interface Page {
  /** Relative to the root of the project. */
  readonly path: string
  readonly text: string
}

// `docs/reference/api`: a page for each endpoint, one for the objects that several of them use, and an index with what is the
// same for all of them.

const FOLDER = 'docs/reference/api'
const OBJECTS = 'objects.md'
/** Said at the head of each page that is made of the contract. */
export const GENERATED =
  '<!-- Generated from the contract by `npm run docs`. Change the schemas, not this page. -->'

type Operation = (typeof OPERATIONS)[OperationName]

export function endpointPages(schemas: Schemas, examples: Examples): readonly Page[] {
  const operations = Object.values(OPERATIONS)
  const shared = sharedByAll()
  return [
    page('README.md', indexText(operations, shared)),
    ...operations.map((operation) =>
      page(fileOf(operation), endpointText(operation, schemas, examples, shared)),
    ),
    page(OBJECTS, objectsText(operations, schemas)),
  ]
}

function page(file: string, parts: readonly string[]): Page {
  return { path: `${FOLDER}/${file}`, text: [GENERATED, ...parts, ''].join('\n\n') }
}

/** `operator-snapshot.md` */
function fileOf({ name }: Operation): string {
  return `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`
}

function titleOf(operation: Operation): string {
  return `${methodsOf(operation).join(' and ')} ${operation.path}`
}

/** What every endpoint with a body takes, answers and refuses. */
interface Shared {
  readonly request: ReadonlySet<string>
  readonly answer: ReadonlySet<string>
  readonly errors: ReadonlySet<ErrorCode>
}

const SHARED_REQUEST = z.toJSONSchema(z.looseObject(sharedFields), { io: 'input', unrepresentable: 'any' })
const SHARED_ANSWER = z.toJSONSchema(z.looseObject(writtenEnvelope('svc_…_v1')), {
  io: 'output',
  unrepresentable: 'any',
})

function sharedByAll(): Shared {
  const withBody = Object.values(OPERATIONS).filter(
    ({ method, request }) => method === 'POST' && request !== null,
  )
  const errors = ERROR_CODES.filter((code) =>
    withBody.every((operation) => errorsOf(operation).includes(code)),
  )
  return {
    request: rowsOf(SHARED_REQUEST, OBJECTS),
    answer: rowsOf(SHARED_ANSWER, OBJECTS),
    errors: new Set(errors),
  }
}

function indexText(operations: readonly Operation[], { errors }: Shared): readonly string[] {
  return [
    '# HTTP interface',
    RULES,
    [
      '| Endpoint | Does |',
      '|---|---|',
      ...operations.map(
        (operation) => `| [\`${titleOf(operation)}\`](${fileOf(operation)}) | ${operation.summary} |`,
      ),
    ].join('\n'),
    '## Shared request fields',
    'Every request with a body takes these. The page of an endpoint shows its own fields only.',
    schemaTable(SHARED_REQUEST, OBJECTS),
    '## Shared answer fields',
    'Every 200 under `/v1` has these; `durable` only where something is written.',
    schemaTable(SHARED_ANSWER, OBJECTS),
    '## Shared errors',
    `Every endpoint with a body may answer ${[...errors].map((code) => `\`${code}\``).join(', ')}. Their meaning: [errors](../errors.md).`,
  ]
}

const RULES = [
  `- Bodies are JSON objects of at most 5 MiB, ${NESTING_MAX} nested levels and ${VALUES_MAX} values. Every success is 200.`,
  '- Text is trimmed. Null counts as absent. Dates are ISO 8601 in any zone; answers are in UTC with milliseconds.',
  '- An unknown top-level field is ignored and named in `warnings`, but one that resembles a boundary (`tenant` for `tenant_id`, `scpoe` for `scope`) is refused, and so is `dry_run` where a write has none. `execution`, each claim and each candidate are strict: an unknown field is refused.',
  '- Every answer has the header `x-request-id`. A writing endpoint takes an `operation_id` (or the header `Idempotency-Key`) and answers a repeated request with the stored answer.',
  '- An endpoint with GET beside POST takes the fields of the body as query parameters: text as it is, anything else as JSON.',
  '- The same as an OpenAPI 3.1 document: `/openapi.json` of every service.',
].join('\n')

const WHO: Readonly<Record<Access, string>> = {
  everyone: 'No key is needed.',
  agent: 'With keys: any key that may enter the tenant and scope.',
  consumer: 'With keys: an agent key as its own consumer, an operator key for the whole scope.',
  operator: 'With keys: an operator key.',
}

function endpointText(
  operation: Operation,
  schemas: Schemas,
  examples: Examples,
  shared: Shared,
): readonly string[] {
  const [response = '', ...views] = answerNames(operation)
  const { request, response: answer } = exampleOf(examples, operation.name)
  const codes = errorsOf(operation).filter((code) => !shared.errors.has(code))
  const isUnderV1 = operation.path.startsWith('/v1/')
  const rules = rulesOf(operation)
  return [
    `# ${titleOf(operation)}`,
    `${operation.summary}. ${operation.description} ${WHO[operation.access]}`,
    ...(rules.length === 0 ? [] : [rules.map((rule) => `- ${rule}`).join('\n')]),
    ...(request === null ? [] : ['## Example', json(request), 'Answer:', json(answer)]),
    ...tableSection('Request', schemas, schemaName(operation.name, 'Request'), shared.request),
    ...tableSection('Answer', schemas, response, shared.answer),
    ...(isUnderV1
      ? [
          'Besides: the [shared request fields](README.md#shared-request-fields) and [shared answer fields](README.md#shared-answer-fields).',
        ]
      : []),
    ...views.flatMap((view) => tableSection(`Shorter answer: ${view}`, schemas, view, shared.answer)),
    ...(request === null ? ['## Example', json(answer)] : []),
    '## Errors',
    ...(codes.length === 0
      ? []
      : [
          [
            '| Code | Status | Meaning |',
            '|---|---|---|',
            ...codes.map((code) => `| \`${code}\` | ${ERRORS[code].status} | ${ERRORS[code].meaning} |`),
          ].join('\n'),
        ]),
    isUnderV1
      ? 'Besides: the [shared errors](README.md#shared-errors).'
      : 'All codes: [errors](../errors.md).',
  ]
}

function tableSection(
  title: string,
  schemas: Schemas,
  name: string,
  known: ReadonlySet<string>,
): readonly string[] {
  const schema = schemas[name]
  if (schema === undefined) return []
  const table = schemaTable(schema, OBJECTS, known)
  return table === '' ? [] : [`## ${title}`, table]
}

function objectsText(operations: readonly Operation[], schemas: Schemas): readonly string[] {
  const bodies = new Set(
    operations.flatMap((operation) => [schemaName(operation.name, 'Request'), ...answerNames(operation)]),
  )
  const named = Object.entries(schemas).filter(([name]) => !bodies.has(name))
  return [
    '# Objects',
    'Objects that requests and answers of several endpoints hold. Index: [HTTP interface](README.md).',
    named.map(([name]) => `- [${name}](#${name.toLowerCase()})`).join('\n'),
    ...named.map(([name, schema]) =>
      [`## ${name}`, schema.description ?? '', schemaTable(schema, '')]
        .filter((part) => part !== '')
        .join('\n\n'),
    ),
  ]
}

function json(value: object): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n')
}
