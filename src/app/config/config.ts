import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { meaning } from '../../contract/parse.ts'
import { nearName } from '../../contract/unknown-fields.ts'
import { StartError } from '../../core/base/errors.ts'
import type { OptionFlag, OptionRow } from '../../edges/cli/commands.ts'
import { type Config, isLoopback, Options, SERVER_OPTIONS } from './options.ts'

/** Every option that is also a flag. */
export function optionFlags(): OptionFlag[] {
  return Object.keys(Options.shape)
    .filter((name) => !isSecret(name))
    .map((name) => ({ name, flag: flagOf(name), isSwitch: isSwitch(name) }))
}

/** The same with the words that help and documentation need. */
export function optionRows(): OptionRow[] {
  return allRows().filter(({ name }) => !isSecret(name))
}

/** Options that are variables only. */
export function secretRows(): Omit<OptionRow, 'flag'>[] {
  return allRows().filter(({ name }) => isSecret(name))
}

/** Every option, secrets as well. */
export function allRows(): OptionRow[] {
  const properties = z.toJSONSchema(Options, { io: 'output' }).properties ?? {}
  return Object.entries(properties).map(([name, schema]) => {
    const property = typeof schema === 'boolean' ? {} : schema
    const preset = property.default ?? null
    return {
      name,
      flag: flagOf(name),
      isSwitch: isSwitch(name),
      env: envName(name),
      unit: typeof property['unit'] === 'string' ? property['unit'] : null,
      defaultText: textOf(preset),
      allowed: allowedValues(property),
      choices: choicesOf(property),
      description: property.description ?? '',
    }
  })
}

/** A secret comes from the environment only, where other processes and shells do not show it, and is never printed. */
export function isSecret(name: string): boolean {
  return isMarked(name, 'isSecret')
}

/** On the command line a switch has no value: to name it means true. */
function isSwitch(name: string): boolean {
  return isMarked(name, 'isSwitch')
}

function isMarked(name: string, mark: 'isSecret' | 'isSwitch'): boolean {
  return Object.entries(Options.shape).some(
    ([known, schema]) => known === name && schema.meta()?.[mark] === true,
  )
}

/** `dataDir` is MEMGOV_DATA_DIR. */
export function envName(name: string): string {
  return `MEMGOV_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function textOf(preset: unknown): string {
  if (preset === null || (Array.isArray(preset) && preset.length === 0)) return 'none'
  return typeof preset === 'string' ? preset : JSON.stringify(preset)
}

interface PropertySchema {
  readonly [key: string]: unknown
}

function choicesOf(property: PropertySchema): readonly string[] {
  return Array.isArray(property['enum']) ? property['enum'].map(String) : []
}

function allowedValues(property: PropertySchema): string {
  if (typeof property['allowed'] === 'string') return property['allowed']
  if (Array.isArray(property['enum'])) return property['enum'].join(', ')
  return `an integer from ${String(property['minimum'])} to ${String(property['maximum'])}`
}

export type ConfigSource = 'default' | 'env' | 'option'

export type EffectiveConfig = ReturnType<typeof readConfig>

/** An option has a value that is not allowed. The message has one line for each. */
export class ConfigError extends StartError {
  constructor(lines: readonly string[]) {
    super('invalid_option', lines.join('\n'))
  }
}

/**
 * The configuration from options (flags, or what an embedder passes) and environment; an option wins. Numbers may
 * come as text. An empty variable counts as not set. Throws ConfigError naming the variable, the value and what is allowed.
 */
export function readConfig(given: Readonly<Record<string, unknown>> = {}, env: Environment = process.env) {
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
      ...unknown.map(unknownOption),
      ...outOfPlace.map((name) => `${name} is read from the environment only: ${envName(name)}.`),
      ...refusals,
    ]
    throw new ConfigError(lines)
  }
  /** Sentences for the operator, such as a variable that no option reads. */
  const warnings: readonly string[] = [
    ...unknownVariables(env),
    ...unencrypted(parsed.data, envName('embeddingsUrl')),
  ]
  return { config: parsed.data, sources, warnings }
}

/** What an embedded runtime is given: its options alone, named as its caller names them. Throws ConfigError. */
export function readOptions(
  given: Readonly<Record<string, unknown>>,
): Pick<EffectiveConfig, 'config' | 'warnings'> {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  const refused = set.map(([name]) => name).flatMap(misplaced)
  const values = Object.fromEntries(set.filter(([name]) => Object.hasOwn(Options.shape, name)))
  const parsed = Options.safeParse(values)
  if (refused.length > 0 || !parsed.success) {
    const issues = parsed.success ? [] : parsed.error.issues
    throw new ConfigError([
      ...refused,
      ...issues.map((issue) => whyRefused(issue, values, String(issue.path[0]))),
    ])
  }
  if (set.some(([name]) => name === 'dataDir')) requireOnePlace(parsed.data, 'dataDir', (name) => name)
  return { config: parsed.data, warnings: unencrypted(parsed.data, 'embeddingsUrl') }
}

/** Where somebody has named a folder by `folder`. @throws ConfigError when a database is named as well */
export function requireOnePlace(config: Config, folder: string, placeOf: (name: string) => string): void {
  const store = (['storeFile', 'store'] as const).find((name) => config[name] !== null)
  if (store !== undefined)
    throw new ConfigError([
      `${folder} names a folder and ${placeOf(store)} a database: take one of them away.`,
    ])
}

function misplaced(name: string): readonly string[] {
  if (!Object.hasOwn(Options.shape, name)) return [unknownOption(name)]
  return SERVER_OPTIONS.some((server) => server === name)
    ? [`${name} is an option of memgov serve: an embedded runtime does not listen.`]
    : []
}

function unknownOption(name: string): string {
  return `Unknown option ${name}${meaning(nearName(name, Object.keys(Options.shape))) || '.'}`
}

type Environment = Readonly<Record<string, string | undefined>>

/** In the place of a secret that is set. */
const HIDDEN = 'hidden'

/** Variable that names the service for the commands that ask one. */
const URL_VARIABLE = 'MEMGOV_URL'
/** And the one with the key that they show it. */
const KEY_VARIABLE = 'MEMGOV_KEY'

/** Where the commands that ask a running service find it, when they are not told. */
export function serviceUrl(env: Environment = process.env): string {
  const named = env[URL_VARIABLE]
  if (named !== undefined && named !== '') return named
  const { host, port } = Options.parse({})
  const at = env[envName('host')] || host
  return `http://${at.includes(':') ? `[${at}]` : at}:${env[envName('port')] || port}`
}

/** The key with which they ask; null: none. */
export function serviceKey(): string | null {
  return process.env[KEY_VARIABLE]?.trim() || null
}

/** Where the programs of a user keep what they are told. */
export type UserFolders = Readonly<ReturnType<typeof userFolders>>

export function userFolders() {
  const { env } = process
  const home = homedir()
  const config =
    platform() === 'win32'
      ? env['APPDATA'] || join(home, 'AppData/Roaming')
      : env['XDG_CONFIG_HOME'] || join(home, '.config')
  const claude = env['CLAUDE_CONFIG_DIR']
  return {
    home,
    /** Of Claude Code; `.claude.json` is beside it unless the environment names another folder, and in it then. */
    claude: claude || join(home, '.claude'),
    claudeState: claude ? join(claude, '.claude.json') : join(home, '.claude.json'),
    codex: env['CODEX_HOME'] || join(home, '.codex'),
    /** Of programs by the rules of the system. */
    config,
    /** What programs keep about their own doings. */
    state: env['XDG_STATE_HOME'] || join(home, '.local/state'),
  }
}

/** True when the environment asks for output without colour (https://no-color.org). */
export function isColourRefused(env: Environment = process.env): boolean {
  return (env['NO_COLOR'] ?? '') !== ''
}

/** One JSON object a line: name, value, source. */
export function configLines(effective: EffectiveConfig): string[] {
  return Object.entries(effective.config).map(([name, value]) =>
    withoutQuery(
      JSON.stringify({
        option: name,
        env: envName(name),
        value: isSecret(name) && value !== null ? HIDDEN : value,
        source: effective.sources[name],
      }),
    ),
  )
}

function refusal(
  issue: z.core.$ZodIssue,
  values: Readonly<Record<string, unknown>>,
  sources: Readonly<Record<string, ConfigSource>>,
): string {
  const name = String(issue.path[0])
  const row = allRows().find((candidate) => candidate.name === name)
  const place = sources[name] === 'env' || row === undefined ? envName(name) : `${row.flag} (${row.env})`
  return whyRefused(issue, values, place)
}

function whyRefused(
  issue: z.core.$ZodIssue,
  values: Readonly<Record<string, unknown>>,
  place: string,
): string {
  const name = String(issue.path[0])
  const row = allRows().find((candidate) => candidate.name === name)
  const why = issue.code === 'custom' ? issue.message : 'is not allowed'
  const value = isSecret(name) ? 'the value' : withoutQuery(withoutPassword(toldOf(values[name])))
  return `${place}: ${value} ${why}. Allowed: ${row?.allowed}.`
}

/** As JSON; what JSON has no word for is told by its kind. */
function toldOf(value: unknown): string {
  const hasJson = ['string', 'number', 'boolean', 'object'].includes(typeof value)
  return hasJson ? JSON.stringify(value) : `a value of the type ${typeof value}`
}

/** A URL is refused for the name and password in it: the log of a service keeps the refusal. */
function withoutPassword(text: string): string {
  return text.replace(/:\/\/.*@/, `://${HIDDEN}@`)
}

/** Some providers take their key in the query of a URL; the text is JSON. */
function withoutQuery(text: string): string {
  return text.replace(/(:\/\/[^?"]*\?)(?:[^"\\]|\\.)*/g, `$1${HIDDEN}`)
}

function unknownVariables(env: Environment): string[] {
  const known = new Set([...Object.keys(Options.shape).map(envName), URL_VARIABLE, KEY_VARIABLE])
  return Object.keys(env)
    .filter((name) => name.startsWith('MEMGOV_') && !known.has(name))
    .map((name) => `${name} is set, but no option reads it.`)
}

function unencrypted({ embeddingsUrl }: Config, place: string): string[] {
  if (embeddingsUrl === null) return []
  const { protocol, hostname } = new URL(embeddingsUrl)
  const isLocal = isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
  return ['https:', 'file:'].includes(protocol) || isLocal
    ? []
    : [`${place} is not https: memory text and the key can be read on the way.`]
}
