import { readFileSync } from 'node:fs'
import { type MetricRow, metricTable } from '../adapters/telemetry/metric-table.ts'
import { optionRows, secretRows } from '../app/config/config.ts'
import { METRIC_NAMES } from '../app/telemetry.ts'
import { CONNECTION_ERRORS } from '../client/client-error.ts'
import { ROUTES } from '../client/routes.ts'
import { OPERATIONS } from '../contract/operations.ts'
import { ERROR_CODES, ERRORS, START_ERRORS } from '../core/base/errors.ts'
import { GOVERN_MODES } from '../core/external/govern.ts'
import {
  CONTRADICTION_RULE,
  GOVERN_LAWS,
  GOVERN_RULES,
  STORED_MEMORY_RULE,
} from '../core/external/govern-rules.ts'
import { LAWS, type Rule, rulesOf } from '../core/laws/rules.ts'
import { EVIDENCE_REASONS } from '../core/measure/evidence.ts'
import { METRICS } from '../core/measure/metrics.ts'
import { SKILL_REFUSALS } from '../core/measure/skill.ts'
import { TRANSITIONS } from '../core/model/lifecycle.ts'
import { SURFACE_RULES } from '../core/policy/admission.ts'
import { ALIASES, COMMANDS, type Command } from '../edges/cli/command-flags.ts'
import { EXAMPLES, flagLines, usageOf } from '../edges/cli/commands.ts'
import type { Tool } from '../edges/mcp/tool.ts'
import { TOOLS } from '../edges/mcp/tools.ts'
import { grafanaDashboard } from './dashboard.ts'
import { endpointPages, GENERATED, type Page } from './endpoint-pages.ts'
import { type Examples, openApiDocument } from './openapi.ts'

/** Where the client for Python is, from the root of the project. */
const PYTHON_CLIENT = 'clients/python/memgov.py'

/** The client for Python with what it says of operations as the contract has it now: between marks in its text. */
function pythonClient(text: string): string {
  const between = (marked: string, name: string, lines: readonly string[]): string => {
    const [begin, end] = [`# BEGIN ${name}\n`, `# END ${name}\n`]
    const [before, after] = [marked.indexOf(begin), marked.indexOf(end)]
    if (before < 0 || after < before) throw new Error(`${PYTHON_CLIENT} has no marks for ${name}`)
    const made = lines.map((line) => (line === '' ? '\n' : `    ${line}\n`)).join('')
    return `${marked.slice(0, before + begin.length)}${made}    ${marked.slice(after)}`
  }
  const errors = Object.entries(CONNECTION_ERRORS).map(([code, meaning]) => `"${code}": "${meaning}",`)
  const withErrors = between(text, 'CONNECTION_ERRORS', errors)
  return between(withErrors, 'METHODS', methodRows())
}

function methodRows(): readonly string[] {
  return Object.values(OPERATIONS)
    .filter(({ name }) => Object.hasOwn(ROUTES, name))
    .flatMap(({ name, method, path, writes, summary }, at) => [
      ...(at === 0 ? [] : ['']),
      `def ${pythonName(name)}(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:`,
      `    """${summary}."""`,
      `    return self._call("${method}", "${path}", ${writes ? 'True' : 'False'}, body, fields, timeout)`,
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

function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, retryAfterS, meaning, message } = ERRORS[code]
    const retry = retryAfterS === null ? 'no' : `after ${retryAfterS} s`
    return `| \`${code}\` | ${status} | ${retry} | ${meaning} | ${message} |`
  })
  return document(
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
  )
}

/** A Markdown table with columns of equal width, as the formatter would write it; cells are plain ASCII. */
function alignedTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(title.length, 3, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const FAMILIES: readonly { readonly letter: string; readonly title: string }[] = [
  { letter: 'V', title: 'Visibility' },
  { letter: 'L', title: 'Lifecycle' },
  { letter: 'O', title: 'Origin and trust' },
  { letter: 'H', title: 'Echoes' },
  { letter: 'C', title: 'Conflict' },
  { letter: 'E', title: 'Exposure' },
  { letter: 'F', title: 'Feedback' },
  { letter: 'G', title: 'Guide' },
  { letter: 'P', title: 'Prompt' },
  { letter: 'W', title: 'Workspace' },
  { letter: 'A', title: 'Audit' },
  { letter: 'M', title: 'Measure' },
  { letter: 'X', title: 'Erasure' },
  { letter: 'I', title: 'Identity by key' },
  { letter: 'D', title: 'Durability of decisions' },
  { letter: 'SC', title: 'Content screening' },
]

/** `docs/reference/rules.md`: every rule of the runtime with its id, from the tables that decide. */
export function rulesDocument(): string {
  const surfaces = SURFACE_RULES.map((rule) => [rule.id, rule.surface, `\`${rule.reasonCode}\``, rule.law])
  const transitions = TRANSITIONS.map(({ id, facet, from, to, cause }) => [
    id,
    facet,
    from.join(', '),
    to,
    `\`${cause}\``,
  ])
  return document(
    '<!-- Generated from the rule tables by `npm run docs`. Change the tables, not this page. -->',
    '# Rules',
    'Each rule has an id, and at least one property test whose name begins with it; a test fails when a rule has none or ' +
      'a name carries an id that is not here. The ids stand in receipts and reports.',
    '## Surfaces',
    'What a stored memory may do now. The first rule that holds decides.',
    alignedTable(['Rule', 'Surface', 'Reason code', 'Law'], surfaces),
    '## Transitions',
    'Every way a facet can move. A row names one facet, so no transition touches another; a move without a row is ' +
      'impossible. The cause stands in linked decisions.',
    alignedTable(['Rule', 'Facet', 'From', 'To', 'Cause'], transitions),
    ...FAMILIES.flatMap(({ letter, title }) => [`## ${title}`, lawsOf(letter)]),
    ...governSections(),
  )
}

function lines(...text: readonly string[]): string {
  return text.join('\n')
}

/** A page of parts with a line between them. */
function document(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}

function governSections(): readonly string[] {
  const rows = GOVERN_RULES.map(({ id, actions, reasonCode, law }) => [
    id,
    ...GOVERN_MODES.map((mode) => actions[mode] ?? '–'),
    `\`${reasonCode}\``,
    law,
  ])
  return [
    '## Governed candidates',
    'What a candidate of an external backend may do. The first rule that holds and decides in the mode wins.',
    alignedTable(['Rule', ...GOVERN_MODES, 'Reason code', 'Law'], rows),
    'After the table, and for it as a whole:',
    lawTable([STORED_MEMORY_RULE, CONTRADICTION_RULE, ...rulesOf(GOVERN_LAWS)]),
  ]
}

function lawsOf(letter: string): string {
  return lawTable(LAWS.filter((rule) => rule.id.replace(/\d+$/, '') === letter))
}

function lawTable(laws: readonly Rule[]): string {
  return alignedTable(
    ['Rule', 'Law'],
    laws.map(({ id, law }) => [id, law]),
  )
}

const FROM_TABLES =
  '<!-- Generated from the tables of the code by `npm run docs`. Change them, not this page. -->'

/** What an observation may measure, and the words in which a measurement says why it claims nothing. */
function measureWordsPage(): string {
  const metrics = Object.entries(METRICS).map(([name, { kernel, type, meaning }]) => [
    `\`${name}\``,
    kernel,
    type,
    meaning,
  ])
  return document(
    FROM_TABLES,
    '# Words of measure',
    'How they are used: [measure](measure.md). In `snake_case` metrics are accepted too.',
    '## Metrics',
    alignedTable(['Metric', 'Kernel', 'Type', 'Meaning'], metrics),
    '## Reasons against a claim',
    meanings(EVIDENCE_REASONS),
    '## Why there is no skill candidate',
    meanings(SKILL_REFUSALS),
  )
}

function meanings(words: Readonly<Record<string, string>>): string {
  return alignedTable(
    ['Word', 'Meaning'],
    Object.entries(words).map(([word, meaning]) => [`\`${word}\``, meaning]),
  )
}

/** The tools of MCP with their arguments. */
function mcpToolsPage(): string {
  return document(
    FROM_TABLES,
    '# Tools of MCP',
    'How an agent reaches them: [MCP](mcp.md). A `?` marks an argument that may be left out.',
    alignedTable(['Tool', 'Arguments', 'Operation', 'Hints'], TOOLS.map(toolRow)),
  )
}

function toolRow({ listed, operation }: Tool): readonly string[] {
  const { properties = {}, required = [] } = listed.inputSchema
  const { readOnlyHint, destructiveHint, idempotentHint } = listed.annotations ?? {}
  const hints = [
    readOnlyHint === true ? 'reads' : 'writes',
    ...(destructiveHint === true ? ['takes away'] : []),
    ...(idempotentHint === true ? ['repeatable'] : []),
  ]
  const names = Object.keys(properties).map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
  return [`\`${listed.name}\``, names.join(', '), operation, hints.join(', ')]
}

/** Every option in one table. */
export function configurationPage(): string {
  const rows = optionRows().map((row) => [
    `\`${row.env}\``,
    `\`${row.flag}\``,
    `\`${row.defaultText}\``,
    row.unit ?? '',
    row.allowed,
    row.description,
  ])
  return document(
    '<!-- Generated from the options schema by `npm run docs`. Change the schema, not this page. -->',
    '# Configuration',
    lines(
      'Every option is an environment variable and a flag of `memgov serve`, and in camelCase (`dataDir`) an option of an',
      '[embedded](../how-to/embed.md) runtime, unless it concerns the network. A flag wins over the environment; an embedded runtime reads its',
      'options only. An empty variable counts as not set. A value that is not allowed stops the start with a message that names the',
      'variable. A variable that begins with `MEMGOV_` and is none of these is named in a warning. `memgov serve --print-config` prints',
      'every value and where it comes from.',
    ),
    alignedTable(['Variable', 'Flag', 'Default', 'Unit', 'Allowed', 'Meaning'], rows),
    'A service reads these from the environment only, so that neither a list of processes nor the history of a shell shows it:',
    lines(...secretRows().map((row) => `- \`${row.env}\`: ${row.description}`)),
    lines(
      'A loopback address may be served without [keys](../explanation/security.md): whoever reaches it can then read and change every memory.',
      'Any other address needs keys, and TLS or `MEMGOV_INSECURE`. The Unix socket is readable and writable by its owner only.',
    ),
    lines(
      'A page in a browser cannot send JSON to another origin without being allowed to, and nothing allows it. It could have a',
      'name of its own point at this machine (DNS rebinding) and would then be of the same origin: therefore a request over TCP',
      'whose `host` header is a name with a dot, outside `localhost`, is answered 421 unless `MEMGOV_ALLOWED_HOSTS` lists it.',
    ),
  )
}

/** Every command with its flags, from the tables that the program parses by. */
function commandLinePage(): string {
  const [alias = '', name = ''] = Object.entries(ALIASES)[0] ?? []
  return document(
    '<!-- Generated from the tables of commands and options by `npm run docs`. Change the tables, not this page. -->',
    '# Command line',
    lines(
      '`memgov COMMAND --help` prints what is here about one command. Every command ends with 0 when it did what it was asked, with 1',
      'when it was refused or found something wrong, and with 2 when the arguments are not understood. `memgov completion SHELL` prints',
      `what lets bash, zsh or fish complete commands and flags. \`--${alias}\` is another name of \`--${name}\`.`,
    ),
    ...COMMANDS.flatMap(section),
  )
}

function section(command: Command): readonly string[] {
  const usage = usageOf(command).map(({ words, description }) => [`\`memgov ${words}\``, description])
  const flags =
    command === 'serve'
      ? []
      : flagLines(command, optionRows()).map(({ flag, meaning }) => [`\`${flag}\``, meaning])
  return [
    `## ${command}`,
    alignedTable(['Call', 'Does'], usage),
    ...(flags.length === 0 ? [] : [alignedTable(['Flag', 'Meaning'], flags)]),
    ...(command === 'serve' ? ['Its flags are the options of [configuration](configuration.md).'] : []),
    lines('```sh', ...EXAMPLES[command].map((example) => `memgov ${example}`), '```'),
  ]
}

/** Labels with more words than that are not listed: the page or table that has them is known. */
const LISTED_MAX = 12

/** Every metric of the service, in one table. */
export function metricsPage(): string {
  const metrics: readonly MetricRow[] = Object.values(metricTable(METRIC_NAMES))
  const rows = metrics.map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    Object.entries(labels).map(labelText).join('; '),
    help,
  ])
  const [{ bounds = [] } = { bounds: [] }] = metrics.filter(({ type }) => type === 'histogram')
  return document(
    '<!-- Generated from the table of metrics by `npm run docs`. Change the table, not this page. -->',
    '# Metrics',
    'How to get them: [operators](operators.md#metrics). No label ever says an id, a tenant, a scope or a text: every word of every label is in a closed set.',
    alignedTable(['Name', 'Type', 'Labels', 'Meaning'], rows),
    `Buckets of durations end at ${bounds.join(', ')} seconds. A histogram has no sample before its first value.`,
    lines(
      'A service (not an embedded runtime) also has the numbers of its process, as prom-client names them: `process_*` for processor time, memory and file',
      'descriptors, `nodejs_gc_duration_seconds`, `nodejs_heap_*`, and `nodejs_eventloop_lag_*_seconds` for the delay of its event loop since the last scrape.',
    ),
  )
}

function labelText([label, words]: readonly [string, readonly string[]]): string {
  const known = [...new Set(words)]
  return known.length > LISTED_MAX
    ? `\`${label}\` (${known.length} words)`
    : `\`${label}\`: ${known.join(', ')}`
}
