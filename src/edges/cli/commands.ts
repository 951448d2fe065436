// One table of commands and one of flags: parsing (arguments.ts), help and usage errors all come from here.

/** The commands that ask a running service. */
const QUERY_COMMANDS = ['explain', 'blast-radius'] as const
export type QueryCommand = (typeof QUERY_COMMANDS)[number]

/** The commands that show what is stored: of a running service, or of a data folder that nobody uses. */
const READ_COMMANDS = ['ls', 'show', 'tail'] as const
export type ReadCommandName = (typeof READ_COMMANDS)[number]

/** The commands over a data folder that no service uses meanwhile, except with `backup`. */
const OFFLINE_COMMANDS = ['verify', 'repair', 'inspect', 'scopes', 'export', 'import', 'backup'] as const
export type OfflineCommand = (typeof OFFLINE_COMMANDS)[number]

export const COMMANDS: readonly string[] = ['serve', ...READ_COMMANDS, ...QUERY_COMMANDS, ...OFFLINE_COMMANDS]

export function isQueryCommand(word: string): word is QueryCommand {
  return QUERY_COMMANDS.some((command) => command === word)
}

export function isReadCommand(word: string): word is ReadCommandName {
  return READ_COMMANDS.some((command) => command === word)
}

export function isOfflineCommand(word: string): word is OfflineCommand {
  return OFFLINE_COMMANDS.some((command) => command === word)
}

/** An option of the service that the command line knows. */
export interface OptionFlag {
  readonly name: string
  /** `--data-dir` */
  readonly flag: string
  /** It takes no value: to name it means true. */
  readonly isSwitch: boolean
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

/** A flag of a command other than `serve`. */
interface CommandFlag {
  readonly name: string
  /** What stands for the value in help, `DIR`; empty for a switch. */
  readonly value: string
  readonly commands: readonly string[]
  readonly description: string
}

function flag(name: string, value: string, commands: readonly string[], description: string): CommandFlag {
  return { name, value, commands, description }
}

const ASKING = [...QUERY_COMMANDS, ...READ_COMMANDS]

const QUERY_FLAGS: readonly CommandFlag[] = [
  flag(
    'url',
    'URL',
    ASKING,
    'the service (MEMGOV_URL, else MEMGOV_HOST and MEMGOV_PORT, else http://127.0.0.1:3001)',
  ),
  flag('socket', 'PATH', ASKING, 'the Unix socket of the service instead'),
  flag('tenant', 'ID', ASKING, 'tenant (default)'),
  flag('scope', 'NAME', ASKING, 'scope (default)'),
  flag('data-dir', 'DIR', ['ls', 'show'], 'a data folder that no service uses, instead of a service'),
  flag('limit', 'COUNT', ['ls'], 'how many are listed (50)'),
  flag('text', 'TEXT', ['ls'], 'ls memories: only those that say this'),
  flag('origin', 'ORIGIN', ['blast-radius'], 'every memory of this origin instead of one memory'),
  flag('source', 'NAME', ['blast-radius'], 'everything from this agent, actor, reference or source memory'),
  flag('json', '', ASKING, 'print the answer as JSON, of ls and tail one object a line'),
]

const OFFLINE_FLAGS: readonly CommandFlag[] = [
  flag('data', 'DIR', OFFLINE_COMMANDS, 'the data folder (MEMGOV_DATA_DIR, else ./snapshots)'),
  flag(
    'deep',
    '',
    ['verify'],
    'also decode every turn, rebuild every actor and compare digests and exposure sets',
  ),
  flag('chain', '', ['verify'], 'also recompute the SHA-256 chain of the journal and print its head'),
  flag('head', 'HASH', ['verify'], 'compare the chain with a head that was kept elsewhere; implies --chain'),
  flag(
    'dry-run',
    '',
    ['repair', 'scopes'],
    'say what would be done and lost, change nothing; scopes prune does so unless told --yes',
  ),
  flag('yes', '', ['repair', 'scopes'], 'go on also when turns that were answered are lost'),
  flag('unused-for', 'TIME', ['scopes'], 'prune: scopes without a write or guide for so long, as 90d or 12h'),
  flag('json', '', ['verify', 'inspect', 'scopes', 'export', 'import', 'backup'], 'print one JSON object'),
  flag(
    'out',
    'FILE',
    ['export'],
    'the archive to write; FILE.part grows beside it and is gone on with after an interruption',
  ),
  flag('tenant', 'ID', ['export', 'scopes'], 'only the actors of this tenant'),
  flag('scope', 'NAME', ['export'], 'only the actors of this scope'),
  flag(
    'skip-damaged',
    '',
    ['export'],
    'leave damaged actors out and name them in the archive, instead of refusing',
  ),
  flag('in', 'FILE', ['import'], 'the archive to read'),
  flag('to', 'DIR', ['backup'], 'the folder to make: a data folder of its own, empty or not there yet'),
]

/** The flag without which a command has nothing to do. */
export const TARGET_FLAGS: Readonly<Partial<Record<OfflineCommand, string>>> = {
  export: 'out',
  import: 'in',
  backup: 'to',
}

/** Every flag of the tables as `node:util` parses it. */
export function parsedFlags(): Readonly<Record<string, { readonly type: 'string' | 'boolean' }>> {
  return Object.fromEntries(
    [...QUERY_FLAGS, ...OFFLINE_FLAGS].map(({ name, value }) => {
      return [name, { type: value === '' ? 'boolean' : 'string' }]
    }),
  )
}

/** Names of the flags that a command other than `serve` has. */
export function flagNamesOf(command: QueryCommand | ReadCommandName | OfflineCommand): readonly string[] {
  const flags = isOfflineCommand(command) ? OFFLINE_FLAGS : QUERY_FLAGS
  return flags.filter(({ commands }) => commands.includes(command)).map(({ name }) => name)
}

const USAGE = [
  ['serve [flags]', 'start the service'],
  ['serve --print-config', 'print the effective configuration and its sources, start nothing'],
  ['ls [scopes|memories|guides|review]', 'list what a running service holds; memories unless told'],
  ['show ID', 'show one memory, guide or run whole'],
  ['tail', 'follow what is written and asked'],
  ['explain GUIDE_TRACE_ID', 'ask a running service what a guide showed, why, and what came of it'],
  ['blast-radius MEMORY_ID', 'ask it what a memory has touched; also --origin, --source'],
  ['verify', 'check every file of a data folder that no service uses; changes nothing'],
  ['repair', 'set aside what is damaged, so that a service can start with what is whole'],
  ['inspect', 'show what a data folder holds, also a damaged one; changes nothing'],
  ['scopes list', 'list the scopes of a data folder that no service uses, with size and last use'],
  ['scopes prune --unused-for 90d', 'say which of them would go for good; with --yes they do'],
  ['export --out FILE', 'write every actor of a data folder that no service uses into one archive'],
  ['import --in FILE', 'put the actors of an archive into a data folder that no service uses'],
  ['backup --to DIR', 'copy the data folder of a running service, consistent and verified'],
] as const

/** The text of `memgov --help`. */
export function helpText(options: readonly OptionRow[]): string {
  const usage = USAGE.map(([words, description]) => [`memgov ${words}`, description] as const)
  const serveFlags = options.map(({ flag: name, unit, description, defaultText }) => {
    return [name, `${description} (${defaultText}${unit === null ? '' : ` ${unit}`})`] as const
  })
  return [
    'memgov: the memory governance runtime for software agents',
    '',
    'Usage:',
    ...inColumns(usage, 3),
    '  memgov --help | --version',
    '',
    'Flags of serve (default in brackets); each can also be set in the environment, --data-dir as MEMGOV_DATA_DIR:',
    ...inColumns(serveFlags),
    '',
    'Flags of ls, show, tail, explain and blast-radius:',
    ...flagLines(QUERY_FLAGS, () => ''),
    '',
    'Flags of verify, repair, inspect, scopes, export, import and backup:',
    ...flagLines(OFFLINE_FLAGS, ({ commands }) => (commands.length === 1 ? `${commands[0]}: ` : '')),
    '',
    'A flag wins over the environment. Bounds of every option: docs/configuration.md',
    '',
  ].join('\n')
}

function flagLines(flags: readonly CommandFlag[], prefix: (flag: CommandFlag) => string): readonly string[] {
  return inColumns(
    flags.map((row) => [`--${row.name} ${row.value}`.trimEnd(), `${prefix(row)}${row.description}`]),
  )
}

/** Lines of two columns, the second one behind the longest entry of the first. */
function inColumns(rows: readonly (readonly [string, string])[], gap = 2): readonly string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + gap
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`)
}
