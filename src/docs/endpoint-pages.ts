import { z } from 'zod'
import type { Access } from '../contract/access.ts'
import { writtenEnvelope } from '../contract/envelope.ts'
import { errorsOf } from '../contract/operation-errors.ts'
import { methodsOf } from '../contract/operation-routes.ts'
import { OPERATIONS, type OperationName } from '../contract/operations.ts'
import { sharedFields } from '../contract/shared-request.ts'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../core/base/errors.ts'
import { answerNames, type Examples, exampleOf, type Schemas, schemaName } from './openapi.ts'
import { rowsOf, schemaTable } from './schema-table.ts'

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
const GENERATED = '<!-- Generated from the contract by `npm run docs`. Change the schemas, not this page. -->'

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
    'Every 200 under `/v1` has these; `durable` and `operation_id` only where something is written.',
    schemaTable(SHARED_ANSWER, OBJECTS),
    '## Shared errors',
    `Every endpoint with a body may answer ${[...errors].map((code) => `\`${code}\``).join(', ')}. Their meaning: [errors](../errors.md).`,
  ]
}

const RULES = [
  '- Bodies are JSON objects of at most 5 MiB, 32 nested levels and 50 000 values. Every success is 200.',
  '- Text is trimmed. Null counts as absent. Dates are ISO 8601 in any zone; answers are in UTC with milliseconds.',
  '- An unknown top-level field is ignored and named in `warnings`, but one that resembles a boundary (`tenant` for `tenant_id`, `scpoe` for `scope`) is refused. `execution`, each claim and each candidate are strict: an unknown field is refused.',
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
  return [
    `# ${titleOf(operation)}`,
    `${operation.summary}. ${operation.description} ${WHO[operation.access]}`,
    ...(operation.rules.length === 0 ? [] : [operation.rules.map((rule) => `- ${rule}`).join('\n')]),
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
