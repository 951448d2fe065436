import { readFileSync } from 'node:fs'
import { CONNECTION_ERRORS } from '../client/client-error.ts'
import { ROUTES } from '../client/routes.ts'
import { OPERATIONS } from '../contract/operations.ts'
import { ERROR_CODES, ERRORS, START_ERRORS } from '../core/base/errors.ts'
import { grafanaDashboard } from './dashboard.ts'
import { endpointPages, type Page } from './endpoint-pages.ts'
import { type Examples, openApiDocument } from './openapi.ts'
import {
  commandLinePage,
  configurationPage,
  mcpToolsPage,
  measureWordsPage,
  metricsPage,
  rulesDocument,
} from './reference-pages.ts'

/** Where the client for Python is, from the root of the project. */
export const PYTHON_CLIENT = 'clients/python/memgov.py'

/** The client for Python with what it says of operations as the contract has it now: between marks in its text. */
export function pythonClient(text: string): string {
  const between = (marked: string, name: string, indent: string, lines: readonly string[]): string => {
    const [begin, end] = [`# BEGIN ${name}\n`, `# END ${name}\n`]
    const [before, after] = [marked.indexOf(begin), marked.indexOf(end)]
    if (before < 0 || after < before) throw new Error(`${PYTHON_CLIENT} has no marks for ${name}`)
    const made = lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('')
    return `${marked.slice(0, before + begin.length)}${made}${indent}${marked.slice(after)}`
  }
  const withOperations = between(text, 'OPERATIONS', '', operationRows())
  const withErrors = between(withOperations, 'CONNECTION_ERRORS', '    ', errorRows())
  return between(withErrors, 'METHODS', '    ', methodRows())
}

function operationRows(): readonly string[] {
  return [
    'OPERATIONS = {',
    ...Object.entries(ROUTES).map(([name, [method, path, writes]]) => {
      return `    "${pythonName(name)}": ("${method}", "${path}", ${writes ? 'True' : 'False'}),`
    }),
    '}',
  ]
}

function errorRows(): readonly string[] {
  return Object.entries(CONNECTION_ERRORS).map(([code, meaning]) => `"${code}": "${meaning}",`)
}

function methodRows(): readonly string[] {
  return Object.values(OPERATIONS)
    .filter(({ name }) => Object.hasOwn(ROUTES, name))
    .flatMap(({ name, summary }, at) => [
      ...(at === 0 ? [] : ['']),
      `def ${pythonName(name)}(`,
      '    self, body: Mapping[str, Any] | None = None, /, *, timeout: float | None = None, **fields: Any',
      ') -> dict[str, Any]:',
      `    """${summary}."""`,
      `    return self._call("${pythonName(name)}", body, fields, timeout)`,
    ])
}

/** `list_skills` for `listSkills`. */
function pythonName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Every document that is made from the contract, the error table and the options schema. Runs at the root of the project. */
export function pages(version: string, examples: Examples): readonly Page[] {
  const document = openApiDocument(version, examples)
  return [
    { path: 'docs/reference/errors.md', text: errorsPage() },
    { path: 'docs/reference/rules.md', text: rulesDocument() },
    { path: 'docs/reference/configuration.md', text: configurationPage() },
    { path: 'docs/reference/command-line.md', text: commandLinePage() },
    { path: 'docs/reference/metrics.md', text: metricsPage() },
    { path: 'docs/reference/measure-words.md', text: measureWordsPage() },
    { path: 'docs/reference/mcp-tools.md', text: mcpToolsPage() },
    { path: 'deploy/grafana-dashboard.json', text: grafanaDashboard() },
    ...endpointPages(document.components.schemas, examples),
    { path: PYTHON_CLIENT, text: pythonClient(readFileSync(PYTHON_CLIENT, 'utf8')) },
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
    'Every answer that is not 200 has the body `{error, message, details}`. The message is one sentence that says what to send instead; often it is more exact than the message below. When the request had unknown top-level fields, the message names up to three of them and `details.unknown_fields` up to twenty, each with the field that was probably meant (`did_you_mean`). Codes with a retry time have the header `retry-after`.',
    ['| Code | Status | Retry | Meaning | Message |', '|---|---|---|---|---|', ...rows].join('\n'),
    '## Starts',
    'An [embedded](../how-to/embed.md) runtime that cannot start rejects with one of these; its `status` is null.',
    [
      '| Code | Meaning |',
      '|---|---|',
      ...Object.entries(START_ERRORS).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    ].join('\n'),
    '',
  ].join('\n\n')
}
