import { isIPv4 } from 'node:net'
import { z } from 'zod'
import type { OptionFlag, OptionRow } from '../edges/cli/arguments.ts'
import { DURABILITIES } from '../ports/journal.ts'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB
const WORD = /^[\x21-\x7e]{1,256}$/
/** Sent as it is in a header, so it may hold what a header may. */
const SECRET = /^[\x21-\x7e]{1,4096}$/
/** Labels of at most 63 characters (RFC 1123). */
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/i
/** `tenant/scope`; neither of them alone. */
const ACTOR_KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\/.{1,256}$/s

/**
 * Every option of memgov, once: default, unit, bounds, meaning. The name gives the environment variable
 * (`dataDir` is MEMGOV_DATA_DIR) and the flag (`--data-dir`).
 */
export const Options = z.strictObject({
  host: z
    .string()
    .refine(isLoopback, {
      message:
        'is not a loopback address. There are no keys yet, so whoever reaches the port could read and change every memory',
    })
    .default('127.0.0.1')
    .meta({
      description: 'Address to listen on; localhost means 127.0.0.1.',
      allowed: 'localhost, 127.x.x.x or ::1',
    }),
  port: integer(0, 65_535).default(3001).meta({ description: 'TCP port; 0 takes a free one.' }),
  allowedHosts: z
    .preprocess(listFromText, z.array(z.string().regex(HOST_NAME)))
    .default([])
    .meta({
      description:
        'Host names by which clients may ask over TCP besides addresses and names without a dot, such as the name of a proxy before it. Any other is refused: a web page could have a name of its own point at this machine.',
      allowed: 'a list of host names without port, with commas between',
    }),
  socket: path()
    // The operating system holds 104 to 108 bytes of it.
    .refine((text) => Buffer.byteLength(text) <= 100, { message: 'is too long for a socket' })
    .nullable()
    .default(null)
    .meta({
      description: 'Unix socket to listen on as well as TCP.',
      allowed: 'a path of at most 100 bytes',
    }),
  dataDir: path().default('./snapshots').meta({
    description: 'Folder of journal, snapshots, recall indexes, exposure ledger and history.',
    allowed: 'a path',
  }),
  durability: z.enum(DURABILITIES).default('sync').meta({
    description:
      'When a write is acknowledged: sync after the flush; interval and none before it, and the answer says so.',
  }),
  intervalMs: integer(1, 60_000)
    .default(50)
    .meta({ unit: 'ms', description: 'Time between two flushes with durability interval.' }),
  segmentBytes: integer(64 * KIB, 512 * MIB)
    .default(64 * MIB)
    .meta({ unit: 'bytes', description: 'Size of a journal segment.' }),
  padTo: z
    .preprocess(integerFromText, z.literal([512, 4096]))
    .default(4096)
    .meta({
      unit: 'bytes',
      description: 'Journal batches are padded to a multiple of this; 512 for small disks.',
    }),
  journalChain: z.enum(['off', 'sha256']).default('off').meta({
    description:
      'Keep a SHA-256 chain over the journal, so that memgov verify finds a store that was rewritten with right checksums.',
  }),
  lowSpaceBytes: integer(0, 1024 * GIB)
    .default(GIB)
    .meta({
      unit: 'bytes',
      description:
        'With less free disk space than this, and less than 5 % of the volume, only forget and erase may write; 0 switches it off.',
    }),
  residentActorsMax: integer(1, 1_000_000).default(1024).meta({
    description: 'Actors (tenant and scope) held in memory; above it the least recently used leave.',
  }),
  residentBytesMax: integer(MIB, 64 * GIB)
    .default(512 * MIB)
    .meta({ unit: 'bytes', description: 'Estimated size of all actors held in memory.' }),
  mailboxDepthMax: integer(1, 100_000)
    .default(256)
    .meta({ description: 'Requests that may wait for one actor; above it 503 overloaded.' }),
  concurrentLoadsMax: integer(1, 256)
    .default(8)
    .meta({ description: 'Actors that are read from disk at the same time.' }),
  snapshotMinBytes: integer(4 * KIB, GIB)
    .default(MIB)
    .meta({
      unit: 'bytes',
      description: 'Journal bytes of an actor below which no snapshot is written while it stays in memory.',
    }),
  workerMemoriesMin: integer(0, 10_000_000).default(2_000).meta({
    unit: 'memories',
    description:
      'An actor with more memories is snapshot in a worker, from disk, and its recall index is stored; a smaller one is snapshot from memory.',
  }),
  workers: integer(1, 64).default(1).meta({
    description:
      'Worker threads for what requests wait for: ranking, screening, scoring. One more makes snapshots and history; threads without work end.',
  }),
  inlineRankMaxNs: integer(0, 1_000_000_000)
    .default(300_000)
    .meta({ unit: 'ns', description: 'Estimated ranking time above which a worker does the ranking.' }),
  bodyLimitBytes: integer(KIB, 8 * MIB)
    .default(5 * MIB)
    .meta({ unit: 'bytes', description: 'Largest request body; above it 413 body_too_large.' }),
  connectionsMax: integer(1, 65_535)
    .default(1024)
    .meta({ description: 'Open connections; a request on one more is answered 503 overloaded.' }),
  requestTimeoutMs: integer(100, 600_000)
    .default(30_000)
    .meta({ unit: 'ms', description: 'Time in which a request must have arrived whole.' }),
  shutdownDeadlineMs: integer(100, 600_000)
    .default(10_000)
    .meta({ unit: 'ms', description: 'Time for finishing requests and snapshots after SIGTERM or SIGINT.' }),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .meta({ description: 'Least severe level that is logged.' }),
  exposureRetentionDays: integer(1, 3650)
    .default(30)
    .meta({ unit: 'days', description: 'How long feedback may still name a guide.' }),
  exposureBudgetBytes: integer(MIB, 1024 * GIB)
    .default(GIB)
    .meta({ unit: 'bytes', description: 'Disk space for exposure sets of this node; the oldest go first.' }),
  historyRetentionDays: integer(1, 3650).default(30).meta({
    unit: 'days',
    description: 'How long turns and audit notes are kept after they have left the journal.',
  }),
  historyBudgetBytes: integer(MIB, 1024 * GIB)
    .default(GIB)
    .meta({ unit: 'bytes', description: 'Disk space for the history of this node; the oldest goes first.' }),
  holdoutPercent: integer(0, 100).default(0).meta({
    unit: '%',
    description:
      'Share of runs whose guides withhold memory (never warnings), so that measure has runs to compare with; 0 switches it off.',
  }),
  holdoutScopes: z
    .preprocess(listFromText, z.array(z.string().regex(ACTOR_KEY)))
    .default([])
    .meta({
      description: 'Actors whose runs holdoutPercent applies to; none named: all.',
      allowed: 'a list of tenant/scope, with commas between',
    }),
  embeddingsUrl: z
    .string()
    .refine(isProviderUrl, { message: 'is not a http or https URL without name and password' })
    .nullable()
    .default(null)
    .meta({
      description:
        'Provider of embeddings: any OpenAI-compatible address, with or without /v1/embeddings. Memory text and queries are sent to it. None: recall is by words alone.',
      allowed: 'a http or https URL',
    }),
  embeddingsModel: z
    .string()
    .regex(WORD, { message: 'is not a name' })
    .default('text-embedding-3-small')
    .meta({
      description: 'Model that the provider is asked for.',
      allowed: 'a name of at most 256 characters without spaces',
    }),
  embeddingsKey: z.string().regex(SECRET, { message: 'is not a key' }).nullable().default(null).meta({
    description: 'Sent to the provider as bearer token. Never printed or logged.',
    allowed: 'printable characters without spaces',
    isSecret: true,
  }),
  embeddingsDimensions: integer(8, 8192).nullable().default(null).meta({
    description: 'Numbers in a vector, asked of the provider. None: not asked, the first answer tells.',
    allowed: 'an integer from 8 to 8192',
  }),
  embeddingsTimeoutMs: integer(10, 60_000).default(1_000).meta({
    unit: 'ms',
    description:
      'Time a guide waits for the vector of its query; the embedding of memory waits ten times that.',
  }),
})

export type Config = Readonly<z.output<typeof Options>>
export type ConfigSource = 'default' | 'env' | 'option'

export interface EffectiveConfig {
  readonly config: Config
  readonly sources: Readonly<Record<string, ConfigSource>>
  /** Sentences for the operator, such as a variable that no option reads. */
  readonly warnings: readonly string[]
}

/** An option has a value that is not allowed. The message has one line for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * The configuration from options (flags, or what an embedder passes) and environment; an option wins. Numbers may
 * come as text. An empty variable counts as not set. Throws ConfigError naming the variable, the value and what is allowed.
 */
export function readConfig(
  given: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
): EffectiveConfig {
  const values: Record<string, unknown> = {}
  const sources: Record<string, ConfigSource> = {}
  for (const name of Object.keys(Options.shape)) {
    const fromEnv = env[envName(name)]
    sources[name] = 'default'
    if (fromEnv !== undefined && fromEnv !== '') {
      values[name] = fromEnv
      sources[name] = 'env'
    }
    if (given[name] !== undefined && !isSecret(name)) {
      values[name] = given[name]
      sources[name] = 'option'
    }
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(Options.shape, name))
  const outOfPlace = Object.keys(given).filter((name) => isSecret(name) && given[name] !== undefined)
  const parsed = Options.safeParse(values)
  if (unknown.length + outOfPlace.length > 0 || !parsed.success) {
    const refusals = parsed.success ? [] : parsed.error.issues.map((issue) => refusal(issue, values, sources))
    const lines = [
      ...unknown.map((name) => `Unknown option ${name}.`),
      ...outOfPlace.map((name) => `${name} is read from the environment only: ${envName(name)}.`),
      ...refusals,
    ]
    throw new ConfigError(lines.join('\n'))
  }
  const warnings = [...unknownVariables(env), ...unencrypted(parsed.data)]
  return { config: parsed.data, sources, warnings }
}

type Environment = Readonly<Record<string, string | undefined>>

/** In the place of a secret that is set. */
const HIDDEN = 'hidden'

/** Variable that names the service for the commands that ask one. */
const URL_VARIABLE = 'MEMGOV_URL'

/** Where the commands that ask a running service find it, when they are not told. */
export function serviceUrl(env: Environment = process.env): string {
  const named = env[URL_VARIABLE]
  if (named !== undefined && named !== '') return named
  const { host, port } = Options.parse({})
  const at = env[envName('host')] || host
  return `http://${at.includes(':') ? `[${at}]` : at}:${env[envName('port')] || port}`
}

/** True when the environment asks for output without colour (https://no-color.org). */
export function isColourRefused(env: Environment = process.env): boolean {
  return (env['NO_COLOR'] ?? '') !== ''
}

/** One JSON object a line: name, value, source. */
export function configLines(effective: EffectiveConfig): string[] {
  return Object.entries(effective.config).map(([name, value]) =>
    JSON.stringify({
      option: name,
      env: envName(name),
      value: isSecret(name) && value !== null ? HIDDEN : value,
      source: effective.sources[name],
    }),
  )
}

/** Every option that is also a flag. */
export function optionFlags(): OptionFlag[] {
  return Object.keys(Options.shape)
    .filter((name) => !isSecret(name))
    .map((name) => ({ name, flag: flagOf(name) }))
}

/** The same with the words that help and documentation need. */
export function optionRows(): OptionRow[] {
  return rows().filter(({ name }) => !isSecret(name))
}

/** Options that are variables only. */
export function secretRows(): Omit<OptionRow, 'flag'>[] {
  return rows().filter(({ name }) => isSecret(name))
}

function rows(): OptionRow[] {
  const properties = z.toJSONSchema(Options, { io: 'output' }).properties ?? {}
  return Object.entries(properties).map(([name, schema]) => {
    const property = typeof schema === 'boolean' ? {} : schema
    const preset = property.default ?? null
    return {
      name,
      flag: flagOf(name),
      env: envName(name),
      unit: typeof property['unit'] === 'string' ? property['unit'] : null,
      defaultText: textOf(preset),
      allowed: allowedValues(property),
      description: property.description ?? '',
    }
  })
}

function textOf(preset: unknown): string {
  if (preset === null || (Array.isArray(preset) && preset.length === 0)) return 'none'
  return typeof preset === 'string' ? preset : JSON.stringify(preset)
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function refusal(
  issue: z.core.$ZodIssue,
  values: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, ConfigSource>>,
): string {
  const name = String(issue.path[0])
  const row = rows().find((candidate) => candidate.name === name)
  const place = sources[name] === 'env' || row === undefined ? envName(name) : `${row.flag} (${row.env})`
  const why = issue.code === 'custom' ? issue.message : 'is not allowed'
  return `${place}: ${isSecret(name) ? 'the value' : JSON.stringify(values[name])} ${why}. Allowed: ${row?.allowed}.`
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...Object.keys(Options.shape).map(envName), URL_VARIABLE])
  return Object.keys(env)
    .filter((name) => name.startsWith('MEMGOV_') && !known.has(name))
    .map((name) => `${name} is set, but no option reads it.`)
}

/** A secret comes from the environment only, where other processes and shells do not show it, and is never printed. */
function isSecret(name: string): boolean {
  return Object.entries(Options.shape).some(
    ([known, schema]) => known === name && schema.meta()?.['isSecret'] === true,
  )
}

function isProviderUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

function unencrypted({ embeddingsUrl }: Config): string[] {
  if (embeddingsUrl === null) return []
  const { protocol, hostname } = new URL(embeddingsUrl)
  const isLocal = isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
  return protocol === 'https:' || isLocal
    ? []
    : [`${envName('embeddingsUrl')} is not https: memory text and the key can be read on the way.`]
}

function envName(name: string): string {
  return `MEMGOV_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

interface PropertySchema {
  readonly [key: string]: unknown
}

function allowedValues(property: PropertySchema): string {
  if (typeof property['allowed'] === 'string') return property['allowed']
  if (Array.isArray(property['enum'])) return property['enum'].join(', ')
  return `an integer from ${String(property['minimum'])} to ${String(property['maximum'])}`
}

function integer(min: number, max: number) {
  return z.preprocess(integerFromText, z.int().min(min).max(max))
}

/** Environment and flags carry text; what is not a plain integer stays text, so that the schema refuses it. */
function integerFromText(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

function listFromText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function path() {
  // A NUL byte would cut the path off in the operating system.
  return z
    .string()
    .min(1)
    .refine((text) => !text.includes('\0'), { message: 'contains a NUL byte' })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
