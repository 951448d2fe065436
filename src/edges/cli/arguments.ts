import { parseArgs } from 'node:util'
import { ALIASES, flagsOf, parsedFlags, SWITCH, TEXT } from './command-flags.ts'
import {
  BRIDGE_COMMANDS,
  COMMANDS,
  CONSOLE_COMMANDS,
  type Command,
  HOST_COMMANDS,
  isOneOf,
  KEY_COMMANDS,
  OFFLINE_COMMANDS,
  PROXY_COMMANDS,
  READ_COMMANDS,
  STORE_COMMANDS,
  WRITE_COMMANDS,
} from './command-names.ts'
import { type OptionFlag, SHELLS, type Shell } from './commands.ts'
import { type Flags, refuseArguments, refuseOtherFlags, textOf, UsageError } from './flags.ts'
import { parseRead } from './read-arguments.ts'
import {
  parseAdopt,
  parseConsole,
  parseDoctor,
  parseInit,
  parseMcp,
  parseProxy,
} from './service-arguments.ts'
import { parseKeys, parseMigrate, parseOffline, parseStore } from './store-arguments.ts'

export { UsageError } from './flags.ts'

/** What the command line asks for. Values of options are still text: the configuration parses them. */
export type Invocation =
  /** Null: of the whole program. */
  | { readonly kind: 'help'; readonly command: Command | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'completion'; readonly shell: Shell }
  /** What it is asked it reads itself. */
  | { readonly kind: 'hook' }
  | ReturnType<
      | typeof parseServe
      | typeof parseRead
      | typeof parseInit
      | typeof parseDoctor
      | typeof parseConsole
      | typeof parseMcp
      | typeof parseAdopt
      | typeof parseProxy
      | typeof parseOffline
      | typeof parseKeys
      | typeof parseStore
      | typeof parseMigrate
    >

/** Reads the arguments after the program's name. Throws UsageError with a sentence for the person who typed. */
export function parseArguments(argv: readonly string[], options: readonly OptionFlag[]): Invocation {
  const { flags, positionals } = parseFlags(argv, options)
  const [command, ...rest] = positionals
  if (flags['help'] === true) return { kind: 'help', command: isOneOf(COMMANDS, command) ? command : null }
  if (flags['version'] === true) return { kind: 'version' }
  if (command === undefined) throw new UsageError('A command is missing: memgov serve.')
  if (!isOneOf(COMMANDS, command)) {
    throw new UsageError(
      `Unknown command ${JSON.stringify(command)}: the commands are ${COMMANDS.join(', ')}.`,
    )
  }
  if (command === 'serve') return parseServe(rest, flags, options)
  const own = flagsOf(command).map(({ name }) => name)
  refuseOtherFlags(command, flags, own)
  if (isOneOf(HOST_COMMANDS, command))
    return command === 'init' ? parseInit(rest, flags) : parseDoctor(rest, flags)
  if (isOneOf(CONSOLE_COMMANDS, command)) return parseConsole(command, rest, flags)
  if (isOneOf(READ_COMMANDS, command)) return parseRead(command, rest, flags)
  if (isOneOf(BRIDGE_COMMANDS, command)) return command === 'hook' ? { kind: 'hook' } : parseMcp(rest, flags)
  if (isOneOf(PROXY_COMMANDS, command)) return parseProxy(rest, flags)
  if (isOneOf(WRITE_COMMANDS, command)) return parseAdopt(rest, flags)
  if (isOneOf(OFFLINE_COMMANDS, command)) return parseOffline(command, rest, flags)
  if (isOneOf(KEY_COMMANDS, command)) return parseKeys(rest, flags)
  if (isOneOf(STORE_COMMANDS, command))
    return command === 'store' ? parseStore(rest, flags) : parseMigrate(rest, flags)
  const shell = SHELLS.find((each) => each === rest[0])
  if (shell === undefined || rest.length > 1) {
    throw new UsageError(`completion needs one of ${SHELLS.join(', ')}.`)
  }
  return { kind: 'completion', shell }
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
