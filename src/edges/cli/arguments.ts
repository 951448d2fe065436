import { parseArgs } from 'node:util'
import {
  COMMANDS,
  flagNamesOf,
  isOfflineCommand,
  isQueryCommand,
  isReadCommand,
  type OfflineCommand,
  type OptionFlag,
  parsedFlags,
  type QueryCommand,
  type ReadCommandName,
  TARGET_FLAGS,
} from './commands.ts'
import type { Query } from './query.ts'
import { READ_LISTS, type ReadList } from './read-text.ts'
import type { ReadCommand, Reading } from './reads.ts'

/** The command line cannot be understood; the process ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What the command line asks for. Values of options are still text: the configuration parses them. */
export type Invocation =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'serve'
      readonly given: Readonly<Record<string, string>>
      readonly printConfig: boolean
    }
  | QueryInvocation
  | ReadInvocation
  | OfflineInvocation

/** What a query command asks, and where; null: not named on the command line. */
export interface QueryInvocation {
  readonly kind: 'query'
  readonly query: Query
  readonly url: string | null
  readonly socketPath: string | null
}

/** What a command that reads shows, and of which service or folder; null: not named on the command line. */
export interface ReadInvocation {
  readonly kind: 'read'
  readonly command: ReadCommand
  readonly url: string | null
  readonly socketPath: string | null
  readonly dataDir: string | null
}

/** What a command over a data folder is to do; null: not named on the command line. */
export interface OfflineInvocation {
  readonly kind: 'offline'
  readonly command: OfflineCommand
  readonly dataDir: string | null
  readonly isDeep: boolean
  readonly isChain: boolean
  /** 64 hex digits, lower case. */
  readonly head: string | null
  readonly isDryRun: boolean
  readonly isAgreed: boolean
  readonly isJson: boolean
  readonly isSkippingDamaged: boolean
  readonly tenantId: string | null
  readonly scope: string | null
  /** What `export` writes, `import` reads or `backup` makes; empty with other commands. */
  readonly target: string
  /** With `scopes` only. */
  readonly action: ScopesAction | null
  /** Milliseconds; with `scopes prune` only. */
  readonly unusedForMs: number | null
}

/** What `scopes` is to do. */
const SCOPES_ACTIONS = ['list', 'prune'] as const
export type ScopesAction = (typeof SCOPES_ACTIONS)[number]

type Flags = Readonly<Record<string, unknown>>

const HOUR_MS = 3_600_000
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS }
const SPAN = /^([1-9]\d{0,5})([hd])$/
const HEAD = /^[0-9a-f]{64}$/

/** Reads the arguments after the program's name. Throws UsageError with a sentence for the person who typed. */
export function parseArguments(argv: readonly string[], options: readonly OptionFlag[]): Invocation {
  const { flags, positionals } = parseFlags(argv, options)
  if (flags['help'] === true) return { kind: 'help' }
  if (flags['version'] === true) return { kind: 'version' }
  const [command, ...rest] = positionals
  if (command === undefined) throw new UsageError('A command is missing: memgov serve.')
  if (isQueryCommand(command)) {
    refuseOtherFlags(command, flags, flagNamesOf(command))
    return parseQuery(command, rest, flags)
  }
  if (isReadCommand(command)) {
    refuseOtherFlags(command, flags, flagNamesOf(command))
    return parseRead(command, rest, flags)
  }
  if (isOfflineCommand(command)) {
    refuseOtherFlags(command, flags, flagNamesOf(command))
    return parseOffline(command, rest, flags)
  }
  if (command !== 'serve') {
    throw new UsageError(
      `Unknown command ${JSON.stringify(command)}: the commands are ${COMMANDS.join(', ')}.`,
    )
  }
  refuseOtherFlags(command, flags, ['print-config', ...options.map(({ flag }) => flag.slice(2))])
  refuseArguments(command, rest, ', only flags')
  const given: Record<string, string> = {}
  for (const { name, flag, isSwitch } of options) {
    const value = isSwitch && flags[flag.slice(2)] === true ? 'true' : textOf(flags, flag.slice(2))
    if (value !== null) given[name] = value
  }
  return { kind: 'serve', given, printConfig: flags['print-config'] === true }
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
        ...Object.fromEntries(
          options.map(({ flag, isSwitch }) => [
            flag.slice(2),
            isSwitch ? { type: 'boolean' as const } : { type: 'string' as const },
          ]),
        ),
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        'print-config': { type: 'boolean' },
        ...parsedFlags(),
      },
    })
    return { flags: values, positionals }
  } catch (error) {
    // Node's own sentence, without its second half about positional arguments.
    const sentence =
      error instanceof Error ? error.message.split(/\.\s|\n/)[0] : 'The arguments are malformed'
    throw new UsageError(`${sentence}.`)
  }
}

function parseQuery(command: QueryCommand, rest: readonly string[], flags: Flags): QueryInvocation {
  const { url, socketPath } = serviceOf(flags)
  const isJson = flags['json'] === true
  const place = placeOf(flags)
  const query: Query =
    command === 'explain'
      ? {
          path: '/v1/audit/flight-recorder',
          body: {
            ...place,
            replay_source: 'journal',
            guide_trace_id: onlyArgument(command, 'GUIDE_TRACE_ID', rest),
          },
          print: isJson ? 'json' : 'explain',
        }
      : {
          path: '/v1/audit/blast-radius',
          body: { ...place, ...subjectOf(rest, flags) },
          print: isJson ? 'json' : 'blast-radius',
        }
  return { kind: 'query', query, url, socketPath }
}

function serviceOf(flags: Flags): { readonly url: string | null; readonly socketPath: string | null } {
  const url = filledTextOf(flags, 'url')
  const socketPath = filledTextOf(flags, 'socket')
  if (url !== null && socketPath !== null) throw new UsageError('Name the service by --url or by --socket.')
  return { url, socketPath }
}

function placeOf(flags: Flags): Readonly<Record<string, string>> {
  const tenant = filledTextOf(flags, 'tenant')
  const scope = filledTextOf(flags, 'scope')
  return {
    ...(tenant === null ? {} : { tenant_id: tenant }),
    ...(scope === null ? {} : { scope }),
  }
}

function parseRead(command: ReadCommandName, rest: readonly string[], flags: Flags): ReadInvocation {
  const { url, socketPath } = serviceOf(flags)
  const dataDir = filledTextOf(flags, 'data-dir')
  if (dataDir !== null && (url !== null || socketPath !== null)) {
    throw new UsageError('Name a service or a folder, not both.')
  }
  const reading = readingOf(command, rest, flags)
  const isOfScope = reading.show !== 'list' || reading.list !== 'scopes'
  // Reads of a scope name it, also where it is the default.
  const place = { ...(isOfScope ? { scope: 'default' } : {}), ...placeOf(flags) }
  return {
    kind: 'read',
    command: { reading, place, isJson: flags['json'] === true },
    url,
    socketPath,
    dataDir,
  }
}

function readingOf(command: ReadCommandName, rest: readonly string[], flags: Flags): Reading {
  switch (command) {
    case 'ls':
      return readList(rest, flags)
    case 'show':
      return { show: 'one', id: onlyArgument(command, 'ID', rest) }
    case 'tail':
      refuseArguments(command, rest, ', only flags')
      return { show: 'tail' }
  }
}

function readList(rest: readonly string[], flags: Flags): Reading {
  const list = listOf(rest)
  const text = filledTextOf(flags, 'text')
  if (text !== null && list !== 'memories') throw new UsageError(`ls ${list} has no flag --text.`)
  return { show: 'list', list, limit: limitOf(flags), text }
}

function listOf([word = 'memories', ...more]: readonly string[]): ReadList {
  const list = READ_LISTS.find((each) => each === word)
  if (list === undefined || more.length > 0) throw new UsageError(`ls takes one of ${READ_LISTS.join(', ')}.`)
  return list
}

const LISTED = 50
const COUNT = /^[1-9]\d{0,5}$/

function limitOf(flags: Flags): number {
  const text = filledTextOf(flags, 'limit')
  if (text !== null && !COUNT.test(text)) throw new UsageError('--limit is a number from 1 to 999999.')
  return text === null ? LISTED : Number(text)
}

function subjectOf(rest: readonly string[], flags: Flags): object {
  const origin = filledTextOf(flags, 'origin')
  const source = filledTextOf(flags, 'source')
  const named = rest.length + (origin === null ? 0 : 1) + (source === null ? 0 : 1)
  if (named > 1) throw new UsageError('blast-radius takes one of MEMORY_ID, --origin and --source.')
  if (origin !== null) return { origin }
  if (source !== null) return { source }
  return { memory_id: onlyArgument('blast-radius', 'MEMORY_ID', rest) }
}

function onlyArgument(
  command: QueryCommand | ReadCommandName,
  name: string,
  rest: readonly string[],
): string {
  const [argument, ...more] = rest
  if (argument === undefined || argument === '') throw new UsageError(`${command} needs a ${name}.`)
  if (more.length > 0) throw new UsageError(`${command} takes one ${name}.`)
  return argument
}

function parseOffline(command: OfflineCommand, rest: readonly string[], flags: Flags): OfflineInvocation {
  const [first, ...others] = rest
  const action = command === 'scopes' ? scopesAction(first) : null
  refuseArguments(command, action === null ? rest : others, '; name the folder by --data')
  const dataDir = filledTextOf(flags, 'data')
  const head = textOf(flags, 'head')?.toLowerCase() ?? null
  if (head !== null && !HEAD.test(head)) throw new UsageError('--head is not 64 hex digits.')
  const targetFlag = TARGET_FLAGS[command]
  const target = targetFlag === undefined ? '' : (textOf(flags, targetFlag) ?? '')
  if (targetFlag !== undefined && target === '') throw new UsageError(`${command} needs --${targetFlag}.`)
  return {
    kind: 'offline',
    command,
    dataDir,
    isDeep: flags['deep'] === true,
    isChain: flags['chain'] === true || head !== null,
    head,
    isDryRun: flags['dry-run'] === true,
    isAgreed: flags['yes'] === true,
    isJson: flags['json'] === true,
    isSkippingDamaged: flags['skip-damaged'] === true,
    tenantId: textOf(flags, 'tenant'),
    scope: textOf(flags, 'scope'),
    target,
    action,
    unusedForMs: unusedForMs(action, flags),
  }
}

function scopesAction(word: string | undefined): ScopesAction {
  const action = SCOPES_ACTIONS.find((each) => each === word)
  if (action === undefined) throw new UsageError(`scopes needs one of ${SCOPES_ACTIONS.join(', ')}.`)
  return action
}

function unusedForMs(action: ScopesAction | null, flags: Flags): number | null {
  const text = textOf(flags, 'unused-for')
  if (action === 'list') refuseOtherFlags('scopes list', flags, ['data', 'json', 'tenant'])
  if (action !== 'prune') return null
  if (flags['yes'] === true && flags['dry-run'] === true) {
    throw new UsageError('scopes prune takes one of --dry-run and --yes.')
  }
  const [, number = '', unit = ''] = SPAN.exec(text ?? '') ?? []
  const unitMs = UNITS_MS[unit]
  if (unitMs === undefined) {
    throw new UsageError('scopes prune needs --unused-for with days or hours, as 90d or 12h.')
  }
  return Number(number) * unitMs
}

function refuseOtherFlags(command: string, flags: Flags, own: readonly string[]): void {
  const other = Object.keys(flags).find((name) => !own.includes(name))
  if (other !== undefined) throw new UsageError(`${command} has no flag --${other}.`)
}

function refuseArguments(command: string, rest: readonly string[], instead: string): void {
  if (rest.length === 0) return
  throw new UsageError(`${command} takes no argument ${JSON.stringify(rest.join(' '))}${instead}.`)
}

function textOf(flags: Flags, name: string): string | null {
  const value = flags[name]
  return typeof value === 'string' ? value : null
}

function filledTextOf(flags: Flags, name: string): string | null {
  const value = textOf(flags, name)
  if (value === '') throw new UsageError(`--${name} is empty.`)
  return value
}
