import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { z } from 'zod'
import { allRows } from '../../app/config/config.ts'
import { Options, SERVER_OPTIONS } from '../../app/config/options.ts'
import { OPTIONAL_BODIES } from '../../app/create-runtime.ts'
import { instant, sharedFields } from '../../contract/fields.ts'
import { OPERATIONS, rulesOf } from '../../contract/operations.ts'
import { ERROR_CODES, ERRORS, START_ERRORS } from '../../core/base/errors.ts'
import { answerNames, fullSchemas, type Schema, schemaName } from '../openapi.ts'
import { comment, INSTANT, TypeNames, TypeText } from './type-text.ts'

/** What the edge alone answers. */
const OF_THE_EDGE = ['health', 'ready', 'openapi', 'followEvents']
/** Operations that are methods of an embedded runtime; `health` is one without a promise. */
const METHODS = Object.values(OPERATIONS).filter(({ name }) => !OF_THE_EDGE.includes(name))

const HEAD = `// Generated from the contract of memgov by its build.
/// <reference lib="esnext.disposable" />`

const OWN_OPTIONS = [
  ...comment('Takes what would go to standard error. Without `logLevel` it is given everything.', '  '),
  '  readonly logger?: MemgovLogger | undefined',
]

const FIXED = `/** Where a runtime tells what an operator should know: ids, counts and codes, never memory text. A logger of pino is one, and \`console\`. */
export interface MemgovLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Everything that the runtime throws or rejects with. Of a refused request nothing was written. */
export declare class MemgovError extends Error {
  readonly name: 'MemgovError'
  /** What went wrong, for a program. A code is never renamed. */
  readonly code: ErrorCode | StartErrorCode
  /** Facts about it, in snake_case; \`issues\` of \`invalid_request\` lists each path and sentence. Never memory text. */
  readonly details: { readonly [name: string]: unknown }
  /** HTTP status of a refused request; null when the runtime could not start. */
  get status(): number | null
}

/** An option of createRuntime is not allowed; its \`code\` is \`invalid_option\`. */
export declare class ConfigError extends MemgovError {}

/**
 * Starts the service inside this process, over a data folder that no other process uses. It reads nothing from the
 * environment, and nothing of it keeps the process alive while no request is under way.
 *
 * Rejects with a MemgovError whose \`code\` is a StartErrorCode.
 */
export declare function createRuntime(options?: RuntimeOptions): Promise<MemgovRuntime>`

const OTHER_METHODS = `  /** Readiness, storage and bounds. Never waits for the disk. */
  health(): HealthResponse

  /** The numbers of this runtime in the text format of Prometheus, all named memgov_. Rejects unless the option \`metrics\` is true. */
  metrics(): Promise<string>

  /**
   * Finishes what is inside, writes snapshots and releases the data folder; later calls are refused with
   * \`shutting_down\`. A runtime that is left open is closed when the process has nothing left to do. Idempotent.
   */
  close(): Promise<void>

  /** The same as close, for \`await using\`. */
  [Symbol.asyncDispose](): Promise<void>`

/** `index.d.ts` of the package: every object that the interface takes or gives, with its sentences. */
export function typeDeclarations(): string {
  const roots = rootSchemas()
  const names = new TypeNames(roots)
  const text = new TypeText(names)
  const shared = sharedByBodies(roots)
  const interfaces = [...roots, ...names.objects()].map(([name, schema]) =>
    name.endsWith('Body') && Object.keys(sharedFields).every((field) => field in (schema.properties ?? {}))
      ? text.interfaceOf(name, schema, [SHARED, shared])
      : text.interfaceOf(name, schema),
  )
  interfaces.unshift(text.interfaceOf(SHARED, shared))
  return [HEAD, FIXED, runtimeInterface(), optionsInterface(text), ...errorCodes(), ...interfaces, ''].join(
    '\n\n',
  )
}

const SHARED = 'SharedFields'

/** The fields that every body has, as the first one has them; a body that says something else of one has its own. */
function sharedByBodies(roots: ReadonlyMap<string, Schema>): Schema {
  const { properties = {} } = roots.get('ObserveBody') ?? {}
  const fields = Object.keys(sharedFields).map((field) => [field, properties[field] ?? {}] as const)
  return { description: 'What every body may carry.', properties: Object.fromEntries(fields) }
}

/** For callers that `require` the package: the same, of the module that they are given. */
export const COMMONJS_DECLARATIONS = commonJs('memgov', ['createRuntime'], ['MemgovError', 'ConfigError'])

/** The same for `memgov/client`. */
export const CLIENT_COMMONJS_DECLARATIONS = commonJs(
  'client',
  ['createClient', 'CLIENT_VERSION'],
  ['MemgovError'],
)

function commonJs(module: string, values: readonly string[], classes: readonly string[]): string {
  const from = "from './index.js' with { 'resolution-mode': 'import' }"
  const value = (name: string) => `export declare const ${name}: typeof ${module}.${name}`
  return [
    `import type * as ${module} ${from}`,
    '',
    `export type * ${from}`,
    ...values.map(value),
    ...classes.flatMap((name) => [value(name), `export type ${name} = ${module}.${name}`]),
    '',
  ].join('\n')
}

/** Every object with a name, under the names that the library exports. */
function rootSchemas(): ReadonlyMap<string, Schema> {
  const roots = new Map<string, Schema>()
  for (const [name, schema] of Object.entries(fullSchemas(new Map([[instant, INSTANT]]))))
    roots.set(exportedName(name), renamed(schema))
  for (const name of [
    'ReadyResponse',
    'OpenapiResponse',
    'ErrorResponse',
    'FollowEventsBody',
    'FollowEventsResponse',
  ])
    roots.delete(name)
  return roots
}

/** What is sent is a body here: there is no request around it. Both reviews of a skill have the same. */
function exportedName(name: string): string {
  return name.replace(/^(?:Promote|Reject)Skill/, 'ReviewSkill').replace(/Request$/, 'Body')
}

function renamed(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? exportedName(value) : value,
  )
}

function runtimeInterface(): string {
  const methods = METHODS.map((operation) => {
    const { name, summary, description } = operation
    const rules = rulesOf(operation)
    const body = exportedName(schemaName(name, 'Request'))
    const isOptional = OPTIONAL_BODIES.some((optional) => optional === name)
    const said = [
      `${summary}. ${description}`,
      ...(rules.length === 0 ? [] : ['', ...rules.map((rule) => `- ${rule}`)]),
    ]
    const taken = `body${isOptional ? '?' : ''}: ${body}`
    const [whole = '', ...views] = answerNames(operation).map(exportedName)
    const signatures =
      views.length === 0 ? [`${name}(${taken}): Promise<${whole}>`] : viewed(name, taken, whole, views)
    return [...comment(said.join('\n'), '  '), ...signatures.map((signature) => `  ${signature}`)].join('\n')
  })
  return [
    ...comment(
      'The service inside this process: the same request and response objects as over HTTP. Every operation rejects with a `MemgovError` when the request is refused, and then nothing was written. A body may carry `operation_id`: repeated with the same body it gets the first answer again, also after a restart.',
      '',
    ),
    'export interface MemgovRuntime {',
    [...methods, OTHER_METHODS].join('\n\n'),
    '}',
  ].join('\n')
}

/** The answer is the view that was asked for, and the whole one when none was. */
function viewed(name: string, taken: string, whole: string, views: readonly string[]): readonly string[] {
  const words = Object.keys(OPERATIONS.guide.views)
  return [
    `${name}(${taken} & { readonly view?: null | undefined }): Promise<${whole}>`,
    ...views.map((view, at) => `${name}(${taken} & { readonly view: '${words[at]}' }): Promise<${view}>`),
    `${name}(${taken}): Promise<${[whole, ...views].join(' | ')}>`,
  ]
}

function optionsInterface(text: TypeText): string {
  const { properties = {} } = z.toJSONSchema(Options, { io: 'output' })
  const fields = allRows().flatMap(({ name, description, unit, defaultText, allowed }) => {
    const schema = properties[name]
    if (SERVER_OPTIONS.some((server) => server === name) || typeof schema !== 'object') return []
    const bounds = `${allowed}${unit === null ? '' : ` ${unit}`}`
    const said = `${description}\n\nAllowed: ${bounds}. Default: ${OWN_DEFAULTS.get(name) ?? defaultText}.`
    return [...comment(said, '  '), `  readonly ${name}?: ${text.typeOf(schema, name)} | undefined`]
  })
  return [
    ...comment('What an embedded runtime may be given. What is left out has its default.', ''),
    'export interface RuntimeOptions {',
    ...fields,
    ...OWN_OPTIONS,
    '}',
  ].join('\n')
}

/** Defaults that differ from those of the service. */
const OWN_DEFAULTS: ReadonlyMap<string, string> = new Map([['logLevel', 'warn, and debug with a logger']])

function errorCodes(): readonly string[] {
  const union = (name: string, rows: readonly (readonly [string, string])[]) =>
    [
      `export type ${name} =`,
      ...rows.flatMap(([code, meaning]) => [...comment(meaning, '  '), `  | '${code}'`]),
    ].join('\n')
  return [
    union(
      'ErrorCode',
      ERROR_CODES.map((code) => [code, ERRORS[code].meaning]),
    ),
    union('StartErrorCode', Object.entries(START_ERRORS)),
  ]
}

// The types of `memgov/client`, derived from its source. What it takes and gives is what an embedded runtime takes and gives:
// those types are in `index.d.ts` of the package, and are named here only.

const SERVICE_TYPES = '../service/index.js'

/** The files of declarations by their names, over the types of the package at `types`. */
export function clientDeclarations(
  folder: URL,
  types: string = SERVICE_TYPES,
): Readonly<Record<'index.d.ts' | 'client-error.d.ts', string>> {
  const of = (name: string) => moduleDeclarations(new URL(name, folder), types, ['client-error'])
  return {
    'index.d.ts': `/// <reference lib="esnext.disposable" />\n${of('client.ts')}`,
    'client-error.d.ts': of('client-error.ts'),
  }
}

// The types of a module that stands beside the service, derived from its source.

/** What the sources call the types of the package. */
const OWN_TYPES = "'../index.ts'"

/**
 * The declarations of a source whose exports say their types, over those of the package at `types`.
 * @param beside sources of which there are declarations in the same folder
 * @throws Error when an export does not, or another source is named
 */
export function moduleDeclarations(source: URL, types: string, beside: readonly string[] = []): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(source, 'utf8'), {
    fileName: source.pathname,
    reportDiagnostics: true,
    compilerOptions: { strict: true, target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext },
  })
  const complaints = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  const text = beside.reduce(
    (named, name) => named.replaceAll(`'./${name}.ts'`, `'./${name}.js'`),
    outputText.replaceAll(OWN_TYPES, `'${types}'`),
  )
  const others = text.match(/ from '[^']*\.ts'/g) ?? []
  if (complaints.length + others.length > 0) {
    throw new Error(`${source.pathname} has no types of its own: ${[...complaints, ...others].join('; ')}`)
  }
  return `// Generated by the build of memgov.\n${text}`
}
