import type { Query } from './query.ts'
import { UsageError } from './usage-error.ts'

/** A flag of the commands that ask a running service. */
export interface QueryFlag {
  readonly name: string
  readonly type: 'string' | 'boolean'
  /** `URL`, for help; empty for a switch. */
  readonly value: string
  readonly commands: readonly QueryCommand[]
  readonly description: string
}

export const QUERY_COMMANDS = ['explain', 'blast-radius'] as const
export type QueryCommand = (typeof QUERY_COMMANDS)[number]

export function isQueryCommand(word: string): word is QueryCommand {
  return QUERY_COMMANDS.some((command) => command === word)
}

export const QUERY_FLAGS: readonly QueryFlag[] = [
  {
    name: 'url',
    type: 'string',
    value: 'URL',
    commands: QUERY_COMMANDS,
    description: 'the service (MEMGOV_URL, else MEMGOV_HOST and MEMGOV_PORT, else http://127.0.0.1:3001)',
  },
  {
    name: 'socket',
    type: 'string',
    value: 'PATH',
    commands: QUERY_COMMANDS,
    description: 'the Unix socket of the service instead',
  },
  { name: 'tenant', type: 'string', value: 'ID', commands: QUERY_COMMANDS, description: 'tenant (default)' },
  { name: 'scope', type: 'string', value: 'NAME', commands: QUERY_COMMANDS, description: 'scope (default)' },
  {
    name: 'origin',
    type: 'string',
    value: 'ORIGIN',
    commands: ['blast-radius'],
    description: 'every memory of this origin instead of one memory',
  },
  {
    name: 'source',
    type: 'string',
    value: 'NAME',
    commands: ['blast-radius'],
    description: 'everything from this agent, actor, reference or source memory',
  },
  {
    name: 'json',
    type: 'boolean',
    value: '',
    commands: QUERY_COMMANDS,
    description: 'print the answer as JSON',
  },
]

/** What a query command asks, and where; null: not named on the command line. */
export interface QueryInvocation {
  readonly kind: 'query'
  readonly query: Query
  readonly url: string | null
  readonly socketPath: string | null
}

type Flags = Readonly<Record<string, unknown>>

/** Reads the arguments of a query command. @throws UsageError */
export function parseQuery(command: QueryCommand, rest: readonly string[], flags: Flags): QueryInvocation {
  const url = textFlag(flags, 'url')
  const socketPath = textFlag(flags, 'socket')
  if (url !== null && socketPath !== null) throw new UsageError('Name the service by --url or by --socket.')
  const isJson = flags['json'] === true
  const tenant = textFlag(flags, 'tenant')
  const scope = textFlag(flags, 'scope')
  const place = {
    ...(tenant === null ? {} : { tenant_id: tenant }),
    ...(scope === null ? {} : { scope }),
  }
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

function subjectOf(rest: readonly string[], flags: Flags): object {
  const origin = textFlag(flags, 'origin')
  const source = textFlag(flags, 'source')
  const named = rest.length + (origin === null ? 0 : 1) + (source === null ? 0 : 1)
  if (named > 1) throw new UsageError('blast-radius takes one of MEMORY_ID, --origin and --source.')
  if (origin !== null) return { origin }
  if (source !== null) return { source }
  return { memory_id: onlyArgument('blast-radius', 'MEMORY_ID', rest) }
}

function onlyArgument(command: QueryCommand, name: string, rest: readonly string[]): string {
  const [argument, ...more] = rest
  if (argument === undefined || argument === '') throw new UsageError(`${command} needs a ${name}.`)
  if (more.length > 0) throw new UsageError(`${command} takes one ${name}.`)
  return argument
}

function textFlag(flags: Flags, name: string): string | null {
  const value = flags[name]
  if (typeof value !== 'string') return null
  if (value === '') throw new UsageError(`--${name} is empty.`)
  return value
}
