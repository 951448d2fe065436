import { readFileSync } from 'node:fs'
import { errorsOf } from '../contract/operation-errors.ts'
import { methodsOf, OPERATIONS } from '../contract/operations.ts'
import { ERROR_CODES, ERRORS, START_ERRORS } from '../core/base/errors.ts'
import { commandLinePage } from './command-line-page.ts'
import { configurationPage } from './configuration-page.ts'
import { grafanaDashboard } from './dashboard.ts'
import { metricsPage } from './metrics-page.ts'
import {
  answerNames,
  type Examples,
  exampleOf,
  openApiDocument,
  type Schemas,
  schemaName,
} from './openapi.ts'
import { PYTHON_CLIENT, pythonClient } from './python-client.ts'
import { rulesDocument } from './rules-document.ts'
import { schemaTable } from './schema-table.ts'

/** One generated file. */
export interface Page {
  /** Relative to the root of the project. */
  readonly path: string
  readonly text: string
}

/** Every document that is made from the contract, the error table and the options schema. Runs at the root of the project. */
export function pages(version: string, examples: Examples): readonly Page[] {
  const document = openApiDocument(version, examples)
  return [
    { path: 'docs/errors.md', text: errorsPage() },
    { path: 'docs/rules.md', text: rulesDocument() },
    { path: 'docs/configuration.md', text: configurationPage() },
    { path: 'docs/command-line.md', text: commandLinePage() },
    { path: 'docs/metrics.md', text: metricsPage() },
    { path: 'deploy/grafana-dashboard.json', text: grafanaDashboard() },
    { path: PYTHON_CLIENT, text: pythonClient(readFileSync(PYTHON_CLIENT, 'utf8')) },
    { path: 'docs/api.md', text: apiPage(document.components.schemas, examples) },
    { path: 'docs/openapi.json', text: `${JSON.stringify(document, null, 2)}\n` },
  ]
}

const GENERATED = '<!-- Generated from the contract by `npm run docs`. Change the schemas, not this page. -->'

function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, retryAfterS, meaning, message } = ERRORS[code]
    const retry = retryAfterS === null ? 'no' : `after ${retryAfterS} s`
    return `| \`${code}\` | ${status} | ${retry} | ${meaning} | ${message} |`
  })
  return [
    GENERATED,
    '# Errors',
    'Every answer that is not 200 has the body `{error, message, details}`. The message is one sentence that says what to send instead; a place that knows more says it more exactly than the message below. When the request had top-level fields that are not known, the message names up to three of them and `details.unknown_fields` up to twenty, each with the field that was probably meant (`did_you_mean`). Codes marked for a retry carry the header `retry-after`.',
    ['| Code | Status | Retry | Meaning | Message |', '|---|---|---|---|---|', ...rows].join('\n'),
    '## Starts',
    'An [embedded](embed.md) runtime that cannot start rejects with one of these; its `status` is null.',
    [
      '| Code | Meaning |',
      '|---|---|',
      ...Object.entries(START_ERRORS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    ].join('\n'),
    '',
  ].join('\n\n')
}

function apiPage(schemas: Schemas, examples: Examples): string {
  const own = new Set<string>()
  const sections = Object.values(OPERATIONS).map((operation) => {
    const request = schemaName(operation.name, 'Request')
    const [response = '', ...views] = answerNames(operation)
    own.add(request).add(response)
    for (const view of views) own.add(view)
    const example = exampleOf(examples, operation.name)
    return [
      `## ${methodsOf(operation).join(' and ')} ${operation.path}`,
      `${operation.summary}. ${operation.description}`,
      ...(operation.rules.length === 0 ? [] : [operation.rules.map((rule) => `- ${rule}`).join('\n')]),
      ...section('Request', schemas, request),
      ...section('Answer', schemas, response),
      ...views.flatMap((view) => section(`Answer of a view: ${view}`, schemas, view)),
      `Errors: ${errorsOf(operation)
        .map((code) => `[\`${code}\`](errors.md)`)
        .join(', ')}.`,
      ...(example.request === null ? [] : ['Example request:', json(example.request)]),
      'Example answer:',
      json(example.response),
    ].join('\n\n')
  })
  const objects = Object.entries(schemas)
    .filter(([name]) => !own.has(name))
    .map(([name, schema]) => [`### ${name}`, schema.description ?? '', schemaTable(schema)].join('\n\n'))
  return [GENERATED, '# HTTP interface', RULES, ...sections, '## Objects', ...objects, ''].join('\n\n')
}

const RULES = [
  '- Bodies are JSON objects of at most 5 MiB and 32 nested levels. Every success is 200.',
  '- Text is trimmed. Null counts as absent. Dates are ISO 8601 in any zone; answers are in UTC with milliseconds.',
  '- A top-level field that is not known is ignored and named in `warnings`, but one that resembles a boundary (`tenant` for `tenant_id`, `scpoe` for `scope`) is refused. `execution`, each claim and each candidate are strict: a field that is not known is refused.',
  '- Every answer carries the header `x-request-id`. A writing endpoint takes an `operation_id` (or the header `Idempotency-Key`) and then answers a repeat with the stored answer.',
  '- Where GET is named beside POST, it takes the fields of the body as query parameters: text as it is, anything else as JSON.',
  '- `docs/openapi.json`, also served at `/openapi.json`, holds the same as an OpenAPI 3.1 document.',
].join('\n')

function section(title: string, schemas: Schemas, name: string): readonly string[] {
  const schema = schemas[name]
  const hasFields = schema !== undefined && Object.keys(schema.properties ?? {}).length > 0
  return hasFields ? [`### ${title}`, schemaTable(schema)] : []
}

function json(value: object): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n')
}
