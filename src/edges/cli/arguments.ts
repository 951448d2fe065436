import { parseArgs } from 'node:util'
import { type AdoptInvocation, parseAdopt } from './adopt-arguments.ts'
import {
  COMMANDS,
  type Command,
  isBridgeCommand,
  isCommand,
  isConsoleCommand,
  isHostCommand,
  isKeyCommand,
  isOfflineCommand,
  isProxyCommand,
  isReadCommand,
  isStoreCommand,
  isWriteCommand,
  type OfflineCommand,
} from './command-names.ts'
import {
  ALIASES,
  flagsOf,
  KEY_ACTIONS,
  type OptionFlag,
  parsedFlags,
  SCOPES_ACTIONS,
  SHELLS,
  type Shell,
  SWITCH,
  TARGET_FLAGS,
  TEXT,
} from './commands.ts'
import { type ConsoleInvocation, parseConsole } from './console-arguments.ts'
import {
  type Flags,
  filledTextOf,
  listOf,
  onlyArgument,
  refuseArguments,
  refuseOtherFlags,
  type StoreChoice,
  storeOf,
  textOf,
  UsageError,
} from './flags.ts'
import { type DoctorInvocation, type InitInvocation, parseDoctor, parseInit } from './host-arguments.ts'
import { type McpInvocation, parseMcp } from './mcp-arguments.ts'
import { type ProxyInvocation, parseProxy } from './proxy-arguments.ts'
import { parseRead, type ReadInvocation } from './read-arguments.ts'
import { spanMs } from './span.ts'
import { type MigrateInvocation, parseMigrate, parseStore, type StoreInvocation } from './store-arguments.ts'

export { UsageError } from './flags.ts'
export type { McpInvocation } from './mcp-arguments.ts'
export type { ProxyInvocation } from './proxy-arguments.ts'
export type { ReadInvocation } from './read-arguments.ts'
export type { MigrateInvocation, StoreInvocation } from './store-arguments.ts'

/** What the command line asks for. Values of options are still text: the configuration parses them. */
export type Invocation =
  /** Null: of the whole program. */
  | { readonly kind: 'help'; readonly command: Command | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'completion'; readonly shell: Shell }
  | {
      readonly kind: 'serve'
      readonly given: Readonly<Record<string, string>>
      readonly printConfig: boolean
    }
  | ReadInvocation
  | InitInvocation
  | DoctorInvocation
  | ConsoleInvocation
  | McpInvocation
  | AdoptInvocation
  /** What it is asked it reads itself. */
  | { readonly kind: 'hook' }
  | ProxyInvocation
  | OfflineInvocation
  | KeysInvocation
  | StoreInvocation
  | MigrateInvocation

/** What a command over a data folder is to do; null: not named on the command line. */
export interface OfflineInvocation {
  readonly kind: 'offline'
  readonly command: OfflineCommand
  readonly dataDir: string | null
  /** A database instead of a folder. */
  readonly store: StoreChoice | null
  readonly isDeep: boolean
  readonly isChain: boolean
  /** 64 hex digits, lower case. */
  readonly head: string | null
  readonly isDryRun: boolean
  readonly isAgreed: boolean
  readonly isJson: boolean
  readonly isSkippingDamaged: boolean
  /** With `backup` only. */
  readonly isWithoutKeys: boolean
  readonly tenantId: string | null
  readonly scope: string | null
  /** What `export` writes, `import` reads or `backup` makes; empty with other commands. */
  readonly target: string
  /** With `scopes` only. */
  readonly action: ScopesAction | null
  /** Milliseconds; with `scopes prune` only. */
  readonly unusedForMs: number | null
}

/** What is to be done with the keys of a data folder; null: not named on the command line. */
export interface KeysInvocation {
  readonly kind: 'keys'
  readonly action: (typeof KEY_ACTIONS)[number]
  /** The key that is meant; null: with `create` and `list`. */
  readonly keyId: string | null
  readonly dataDir: string | null
  readonly isJson: boolean
  readonly name: string | null
  readonly tenantId: string | null
  readonly scopes: readonly string[]
  readonly scopePrefixes: readonly string[]
  readonly agentId: string | null
  readonly teamId: string | null
  readonly origins: readonly string[]
  readonly isReadOnly: boolean
  readonly isOperator: boolean
  readonly readsMetrics: boolean
  readonly expiresInMs: number | null
}

export type ScopesAction = (typeof SCOPES_ACTIONS)[number]

const HEAD = /^[0-9a-f]{64}$/

/** Reads the arguments after the program's name. Throws UsageError with a sentence for the person who typed. */
export function parseArguments(argv: readonly string[], options: readonly OptionFlag[]): Invocation {
  const { flags, positionals } = parseFlags(argv, options)
  const [command, ...rest] = positionals
  if (flags['help'] === true) return { kind: 'help', command: isCommand(command) ? command : null }
  if (flags['version'] === true) return { kind: 'version' }
  if (command === undefined) throw new UsageError('A command is missing: memgov serve.')
  if (!isCommand(command)) {
    throw new UsageError(
      `Unknown command ${JSON.stringify(command)}: the commands are ${COMMANDS.join(', ')}.`,
    )
  }
  if (command === 'serve') return parseServe(rest, flags, options)
  const own = flagsOf(command).map(({ name }) => name)
  refuseOtherFlags(command, flags, own)
  if (isHostCommand(command)) return command === 'init' ? parseInit(rest, flags) : parseDoctor(rest, flags)
  if (isConsoleCommand(command)) return parseConsole(command, rest, flags)
  if (isReadCommand(command)) return parseRead(command, rest, flags)
  if (isBridgeCommand(command)) return command === 'hook' ? { kind: 'hook' } : parseMcp(rest, flags)
  if (isProxyCommand(command)) return parseProxy(rest, flags)
  if (isWriteCommand(command)) return parseAdopt(rest, flags)
  if (isOfflineCommand(command)) return parseOffline(command, rest, flags)
  if (isKeyCommand(command)) return parseKeys(rest, flags)
  if (isStoreCommand(command))
    return command === 'store' ? parseStore(rest, flags) : parseMigrate(rest, flags)
  const shell = SHELLS.find((each) => each === rest[0])
  if (shell === undefined || rest.length > 1) {
    throw new UsageError(`completion needs one of ${SHELLS.join(', ')}.`)
  }
  return { kind: 'completion', shell }
}

function parseServe(rest: readonly string[], flags: Flags, options: readonly OptionFlag[]): Invocation {
  refuseOtherFlags('serve', flags, ['print-config', ...options.map(({ flag }) => flag.slice(2))])
  refuseArguments('serve', rest, ', only flags')
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
    const sentence =
      error instanceof Error ? error.message.split(/\.\s|\n/)[0] : 'The arguments are malformed'
    throw new UsageError(`${sentence}.`)
  }
}

/** A flag under another name counts as the flag. */
function withoutAliases(values: Flags): Flags {
  const flags: Record<string, unknown> = { ...values }
  for (const [alias, name] of Object.entries(ALIASES)) {
    if (flags[alias] === undefined) continue
    if (flags[name] !== undefined) throw new UsageError(`--${alias} and --${name} are the same: name one.`)
    flags[name] = flags[alias]
    delete flags[alias]
  }
  return flags
}

function parseOffline(command: OfflineCommand, rest: readonly string[], flags: Flags): OfflineInvocation {
  const [first, ...others] = rest
  const action = command === 'scopes' ? scopesAction(first) : null
  refuseArguments(command, action === null ? rest : others, '; name the folder by --data-dir')
  const dataDir = filledTextOf(flags, 'data-dir')
  const store = storeOf(flags)
  if (dataDir !== null && store !== null) throw new UsageError('Name a folder or a database, not both.')
  const head = textOf(flags, 'head')?.toLowerCase() ?? null
  if (head !== null && !HEAD.test(head)) throw new UsageError('--head is not 64 hex digits.')
  const targetFlag = TARGET_FLAGS[command]
  const target = targetFlag === undefined ? '' : (textOf(flags, targetFlag) ?? '')
  if (targetFlag !== undefined && target === '') throw new UsageError(`${command} needs --${targetFlag}.`)
  return {
    kind: 'offline',
    command,
    dataDir,
    store,
    isDeep: flags['deep'] === true,
    isChain: flags['chain'] === true || head !== null,
    head,
    isDryRun: flags['dry-run'] === true,
    isAgreed: flags['yes'] === true,
    isJson: flags['json'] === true,
    isSkippingDamaged: flags['skip-damaged'] === true,
    isWithoutKeys: flags['without-keys'] === true,
    tenantId: textOf(flags, 'tenant'),
    scope: textOf(flags, 'scope'),
    target,
    action,
    unusedForMs: unusedForMs(action, flags),
  }
}

/** Flags that say nothing of a key that is there. */
const CREATE_ONLY = ['name', 'scope', 'scope-prefix', 'agent', 'team', 'origin', 'expires-in']
const CREATE_SWITCHES = ['read-only', 'operator', 'metrics']

function parseKeys(rest: readonly string[], flags: Flags): KeysInvocation {
  const [word, ...others] = rest
  const action = KEY_ACTIONS.find((each) => each === word)
  if (action === undefined) throw new UsageError(`keys needs one of ${KEY_ACTIONS.join(', ')}.`)
  const isOfOne = action === 'rotate' || action === 'revoke'
  if (!isOfOne) refuseArguments(`keys ${action}`, others, '')
  if (action !== 'create') {
    const own = ['data-dir', 'json', ...(action === 'list' ? ['tenant'] : [])]
    const foreign = [...CREATE_ONLY, ...CREATE_SWITCHES, 'tenant'].filter((name) => !own.includes(name))
    const other = foreign.find((name) => flags[name] !== undefined)
    if (other !== undefined) throw new UsageError(`keys ${action} has no flag --${other}.`)
  }
  const keyId = isOfOne ? onlyArgument(`keys ${action}`, 'KEY_ID', others) : null
  return {
    kind: 'keys',
    action,
    keyId,
    dataDir: filledTextOf(flags, 'data-dir'),
    isJson: flags['json'] === true,
    name: filledTextOf(flags, 'name'),
    tenantId: filledTextOf(flags, 'tenant'),
    scopes: listOf(flags, 'scope'),
    scopePrefixes: listOf(flags, 'scope-prefix'),
    agentId: filledTextOf(flags, 'agent'),
    teamId: filledTextOf(flags, 'team'),
    origins: listOf(flags, 'origin'),
    isReadOnly: flags['read-only'] === true,
    isOperator: flags['operator'] === true,
    readsMetrics: flags['metrics'] === true,
    expiresInMs: spanMs('keys create needs --expires-in', textOf(flags, 'expires-in')),
  }
}

function scopesAction(word: string | undefined): ScopesAction {
  const action = SCOPES_ACTIONS.find((each) => each === word)
  if (action === undefined) throw new UsageError(`scopes needs one of ${SCOPES_ACTIONS.join(', ')}.`)
  return action
}

function unusedForMs(action: ScopesAction | null, flags: Flags): number | null {
  const text = textOf(flags, 'unused-for')
  if (action === 'list') refuseOtherFlags('scopes list', flags, ['data-dir', 'json', 'tenant'])
  if (action !== 'prune') return null
  if (flags['yes'] === true && flags['dry-run'] === true) {
    throw new UsageError('scopes prune takes one of --dry-run and --yes.')
  }
  return spanMs('scopes prune needs --unused-for', text ?? '')
}
