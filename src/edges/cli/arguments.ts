import { parseArgs } from 'node:util'
import {
  isOfflineCommand,
  OFFLINE_COMMANDS,
  OFFLINE_FLAGS,
  type OfflineInvocation,
  parseOffline,
} from './offline-arguments.ts'
import {
  isQueryCommand,
  parseQuery,
  QUERY_COMMANDS,
  QUERY_FLAGS,
  type QueryInvocation,
} from './query-arguments.ts'
import { UsageError } from './usage-error.ts'

/** An option that the command line knows. */
export interface OptionFlag {
  readonly name: string
  /** `--data-dir` */
  readonly flag: string
}

/** One option as a person sees it: on the command line, in the environment and in the documentation. */
export interface OptionRow extends OptionFlag {
  /** `MEMGOV_DATA_DIR` */
  readonly env: string
  /** Unit of the value, null for words and plain numbers. */
  readonly unit: string | null
  readonly defaultText: string
  readonly allowed: string
  readonly description: string
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
  | OfflineInvocation

/** Reads the arguments after the program's name. Throws UsageError with a sentence for the person who typed. */
export function parseArguments(argv: readonly string[], rows: readonly OptionFlag[]): Invocation {
  const { values, positionals } = parseFlags(argv, rows)
  if (values['help'] === true) return { kind: 'help' }
  if (values['version'] === true) return { kind: 'version' }
  const [command, ...rest] = positionals
  if (command === undefined) throw new UsageError('A command is missing: memgov serve.')
  if (isQueryCommand(command)) {
    const own = QUERY_FLAGS.filter((flag) => flag.commands.includes(command)).map((flag) => flag.name)
    refuseOtherFlags(command, values, own)
    return parseQuery(command, rest, values)
  }
  if (isOfflineCommand(command)) {
    const own = OFFLINE_FLAGS.filter((flag) => flag.commands.includes(command)).map((flag) => flag.name)
    refuseOtherFlags(command, values, own)
    return parseOffline(command, rest, values)
  }
  if (command !== 'serve') {
    const known = ['serve', ...QUERY_COMMANDS, ...OFFLINE_COMMANDS]
    throw new UsageError(`Unknown command ${quoted(command)}: the commands are ${known.join(', ')}.`)
  }
  refuseOtherFlags(command, values, ['print-config', ...rows.map((row) => row.flag.slice(2))])
  if (rest.length > 0) throw new UsageError(`serve takes no argument ${quoted(rest.join(' '))}, only flags.`)
  const given: Record<string, string> = {}
  for (const row of rows) {
    const value = values[row.flag.slice(2)]
    if (typeof value === 'string') given[row.name] = value
  }
  return { kind: 'serve', given, printConfig: values['print-config'] === true }
}

function refuseOtherFlags(command: string, values: ParsedFlags['values'], own: readonly string[]): void {
  const other = Object.keys(values).find((name) => !own.includes(name))
  if (other !== undefined) throw new UsageError(`${command} has no flag --${other}.`)
}

interface ParsedFlags {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

function parseFlags(argv: readonly string[], rows: readonly OptionFlag[]): ParsedFlags {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(rows.map((row) => [row.flag.slice(2), { type: 'string' as const }])),
        help: { type: 'boolean' as const, short: 'h' },
        version: { type: 'boolean' as const, short: 'v' },
        'print-config': { type: 'boolean' as const },
        ...Object.fromEntries([...QUERY_FLAGS, ...OFFLINE_FLAGS].map(({ name, type }) => [name, { type }])),
      },
    })
  } catch (error) {
    // Node's own sentence, without its second half about positional arguments.
    const sentence =
      error instanceof Error ? error.message.split(/\.\s|\n/)[0] : 'The arguments are malformed'
    throw new UsageError(`${sentence}.`)
  }
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
