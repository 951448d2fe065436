import { parseArgs } from 'node:util'
import { DEFAULT_SCOPE } from '../../contract/fields.ts'
import { meaning } from '../../contract/parse.ts'
import { type MemoryUri, parseMemoryUri } from '../../contract/resolve.ts'
import { nearName } from '../../contract/unknown-fields.ts'
import {
  ALIASES,
  COMMANDS,
  CONSOLE_COMMANDS,
  type Command,
  type Flags,
  filledTextOf,
  flagsOf,
  isOneOf,
  OFFLINE_COMMANDS,
  oneOf,
  onlyArgument,
  parsedFlags,
  READ_COMMANDS,
  type ReadCommandName,
  refuseArguments,
  refuseOtherFlags,
  SWITCH,
  serviceOf,
  storeOf,
  TEXT,
  textOf,
  UsageError,
} from './command-flags.ts'
import { type OptionFlag, SHELLS } from './commands.ts'
import { TRACE_PREFIX } from './look-up.ts'
import { READ_LISTS } from './read-text.ts'
import type { ReadCommand, Reading } from './reads.ts'
import {
  parseAdopt,
  parseConsole,
  parseDoctor,
  parseInit,
  parseKeys,
  parseMcp,
  parseMigrate,
  parseOffline,
  parseProxy,
  parseStore,
} from './service-arguments.ts'

export type ReadInvocation = ReturnType<typeof parseRead>

const LISTED = 50
const COUNT = /^[1-9]\d{0,5}$/

/** What a command that reads shows, and of which service, folder or database; null: not named. @throws UsageError */
function parseRead(command: ReadCommandName, rest: readonly string[], flags: Flags) {
  const { url, socketPath } = serviceOf(flags)
  const dataDir = filledTextOf(flags, 'data-dir')
  const store = storeOf(flags)
  if ([dataDir, store, url ?? socketPath].filter((place) => place !== null).length > 1) {
    throw new UsageError('Name a service, a folder or a database: one, not both.')
  }
  const { reading, uri } = readingOf(command, rest, flags)
  const tenant = filledTextOf(flags, 'tenant') ?? uri?.tenantId ?? null
  const scope = filledTextOf(flags, 'scope') ?? uri?.scope ?? null
  if (uri !== null && (tenant !== uri.tenantId || scope !== uri.scope)) {
    throw new UsageError('The URI names another tenant or scope than the flags: leave the flags out.')
  }
  const isOfScope = reading.show !== 'list' || reading.list !== 'scopes'
  if (scope !== null && !isOfScope) throw new UsageError('ls scopes has no flag --scope.')
  const place = {
    ...(tenant === null ? {} : { tenant_id: tenant }),
    // Lists of a scope name it, also where it is the default; elsewhere it is that of the key.
    ...(isOfScope && (scope !== null || !isQuestion(reading)) ? { scope: scope ?? DEFAULT_SCOPE } : {}),
  }
  const isAnywhere = scope === null && isOfOneScope(reading)
  const shown: ReadCommand = { reading, place, isAnywhere, isJson: flags['json'] === true }
  return { kind: 'read' as const, command: shown, url, socketPath, dataDir, store }
}

/** Whether it is asked of an operation that works without a scope. */
function isQuestion({ show }: Reading): boolean {
  return show === 'explain' || show === 'blast-radius'
}

/** An id of ours is of one scope only; a source or an origin may be anywhere. */
function isOfOneScope(reading: Reading): boolean {
  return reading.show === 'blast-radius'
    ? 'memory_id' in reading.subject
    : reading.show === 'one' || isQuestion(reading)
}

/** What is read, and the place that the argument names. */
interface Asked {
  readonly reading: Reading
  readonly uri: MemoryUri | null
}

function readingOf(command: ReadCommandName, rest: readonly string[], flags: Flags): Asked {
  switch (command) {
    case 'ls':
      return { reading: listReading(rest, flags), uri: null }
    case 'tail':
      refuseArguments(command, rest, ', only flags')
      return { reading: { show: 'tail' }, uri: null }
    case 'show': {
      const { id, uri } = idNamed(onlyArgument(command, 'ID', rest))
      return { reading: { show: 'one', id }, uri }
    }
    case 'explain': {
      const id = onlyArgument(command, 'GUIDE_TRACE_ID', rest)
      const guideTraceId = id.startsWith(TRACE_PREFIX) ? id : `${TRACE_PREFIX}${id}`
      return { reading: { show: 'explain', guideTraceId }, uri: null }
    }
    case 'blast-radius':
      return blastRadiusAsked(rest, flags)
  }
}

function blastRadiusAsked(rest: readonly string[], flags: Flags): Asked {
  const said = Object.entries(SUBJECTS).flatMap(([flag, name]) => {
    const value = filledTextOf(flags, flag)
    return value === null ? [] : [[name, value]]
  })
  if (rest.length + said.length > 1)
    throw new UsageError('blast-radius takes one of MEMORY_ID, --origin, --source and --external.')
  if (said.length > 0) {
    return { reading: { show: 'blast-radius', subject: Object.fromEntries(said) }, uri: null }
  }
  const { id, uri } = idNamed(onlyArgument('blast-radius', 'MEMORY_ID', rest))
  return { reading: { show: 'blast-radius', subject: { memory_id: id } }, uri }
}

/** What else than a memory `blast-radius` takes: the flag, and the field of the request. */
const SUBJECTS = { origin: 'origin', source: 'source', external: 'external_memory_id' } as const

/** An argument that is an id, or the URI of one. */
function idNamed(argument: string): { readonly id: string; readonly uri: MemoryUri | null } {
  if (!argument.includes('://')) return { id: argument, uri: null }
  const uri = parseMemoryUri(argument)
  if (uri === null) {
    throw new UsageError(`${JSON.stringify(argument)} is no memory URI such as svc://tenant/scope/memory/id.`)
  }
  return { id: uri.id, uri }
}

function listReading([word = 'memories', ...more]: readonly string[], flags: Flags): Reading {
  const list = oneOf('ls takes', READ_LISTS, more.length > 0 ? null : word)
  const text = filledTextOf(flags, 'text')
  if (text !== null && list !== 'memories') throw new UsageError(`ls ${list} has no flag --text.`)
  const limit = filledTextOf(flags, 'limit')
  if (limit !== null && !COUNT.test(limit)) throw new UsageError('--limit is a number from 1 to 999999.')
  return { show: 'list', list, limit: limit === null ? LISTED : Number(limit), text }
}

/** What the command line asks for. Values of options are still text: the configuration parses them. */
export type Invocation =
  /** Null: of the whole program. */
  | { readonly kind: 'help'; readonly command: Command | null }
  | { readonly kind: 'version' }
  | ReturnType<typeof parseServe | typeof parseRead | typeof parseConsole | typeof parseOffline>
  /** `hook` reads itself what it is asked. */
  | ReturnType<(typeof PARSERS)[keyof typeof PARSERS]>

/** Reads the arguments after the program's name. Throws UsageError with a sentence for the person who typed. */
export function parseArguments(argv: readonly string[], options: readonly OptionFlag[]): Invocation {
  const { flags, positionals } = parseFlags(argv, options)
  const [command, ...rest] = positionals
  if (flags['help'] === true) return { kind: 'help', command: isOneOf(COMMANDS, command) ? command : null }
  if (flags['version'] === true) return { kind: 'version' }
  if (command === undefined) throw new UsageError('A command is missing: memgov serve.')
  if (command === 'help') return { kind: 'help', command: rest[0] === undefined ? null : commandOf(rest[0]) }
  return parseCommand(commandOf(command), rest, flags, options)
}

function commandOf(word: string): Command {
  if (isOneOf(COMMANDS, word)) return word
  throw new UsageError(`Unknown command ${JSON.stringify(word)}: the commands are ${COMMANDS.join(', ')}.`)
}

function parseCommand(
  command: Command,
  rest: readonly string[],
  flags: Flags,
  options: readonly OptionFlag[],
): Invocation {
  if (command === 'serve') return parseServe(rest, flags, options)
  const own = flagsOf(command).map(({ name }) => name)
  refuseOtherFlags(command, flags, own)
  if (isOneOf(CONSOLE_COMMANDS, command)) return parseConsole(command, rest, flags)
  if (isOneOf(READ_COMMANDS, command)) return parseRead(command, rest, flags)
  if (isOneOf(OFFLINE_COMMANDS, command)) return parseOffline(command, rest, flags)
  return PARSERS[command](rest, flags)
}

/** Of the commands that have one of their own. */
const PARSERS = {
  init: parseInit,
  doctor: parseDoctor,
  mcp: parseMcp,
  hook: () => ({ kind: 'hook' as const }),
  proxy: parseProxy,
  adopt: parseAdopt,
  keys: parseKeys,
  store: parseStore,
  migrate: parseMigrate,
  completion: parseCompletion,
}

function parseCompletion([word, ...others]: readonly string[]) {
  const shell = oneOf('completion needs', SHELLS, others.length > 0 ? null : word)
  return { kind: 'completion' as const, shell }
}

function parseServe(rest: readonly string[], flags: Flags, options: readonly OptionFlag[]) {
  refuseOtherFlags('serve', flags, ['print-config', ...options.map(({ flag }) => flag.slice(2))])
  refuseArguments('serve', rest, ', only flags')
  const given: Record<string, string> = {}
  for (const { name, flag, isSwitch } of options) {
    const value = isSwitch && flags[flag.slice(2)] === true ? 'true' : textOf(flags, flag.slice(2))
    if (value !== null) given[name] = value
  }
  return { kind: 'serve' as const, given, printConfig: flags['print-config'] === true }
}

function parseFlags(
  argv: readonly string[],
  options: readonly OptionFlag[],
): { readonly flags: Flags; readonly positionals: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(options.map(({ flag, isSwitch }) => [flag.slice(2), isSwitch ? SWITCH : TEXT])),
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        'print-config': { type: 'boolean' },
        ...parsedFlags(),
      },
    })
    return { flags: withoutAliases(values), positionals }
  } catch (error) {
    // Node's own sentence, without its second half about positional arguments.
    const [sentence = '', ...rest] =
      error instanceof Error ? error.message.split(/\.\s|\n/) : ['The arguments are malformed']
    const instead = rest.find((line) => line.includes('starting with a dash'))
    const hint = meaning(flagMeantIn(sentence, argv, options)) || '.'
    throw new UsageError(`${sentence}${hint}${instead === undefined ? '' : ` ${instead}`}`)
  }
}

/** The flag of the named command that an unknown one most likely means; null: none, or something else is wrong. */
function flagMeantIn(
  sentence: string,
  argv: readonly string[],
  options: readonly OptionFlag[],
): string | null {
  const [, unknown] = /^Unknown option '(--[^']+)'/.exec(sentence) ?? []
  if (unknown === undefined) return null
  const command = argv.find((word): word is Command => isOneOf(COMMANDS, word))
  const own =
    command === undefined || command === 'serve' ? [] : flagsOf(command).map(({ name }) => `--${name}`)
  const ofServe = command === 'serve' ? ['--print-config', ...options.map(({ flag }) => flag)] : []
  return nearName(unknown, [...own, ...ofServe, '--help', '--version'])
}

/** A flag under another name counts as the flag. */
function withoutAliases(values: Flags): Flags {
  const flags: Record<string, unknown> = { ...values }
  for (const [alias, name] of Object.entries(ALIASES)) {
    if (flags[alias] === undefined) continue
    if (flags[name] !== undefined) throw new UsageError(`--${alias} and --${name} are the same: name one`)
    flags[name] = flags[alias]
    delete flags[alias]
  }
  return flags
}
