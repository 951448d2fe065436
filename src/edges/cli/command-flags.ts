// What the parsers of the command line share: flags as they were typed, and what is refused.

/** The command line cannot be understood; the process ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Flags = Readonly<Record<string, unknown>>

export function onlyArgument(command: string, name: string, rest: readonly string[]): string {
  const [argument, ...more] = rest
  if (argument === undefined || argument === '')
    throw new UsageError(`${command} needs ${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}.`)
  if (more.length > 0) throw new UsageError(`${command} takes one ${name}.`)
  return argument
}

export function refuseOtherFlags(command: string, flags: Flags, own: readonly string[]): void {
  const other = Object.keys(flags).find((name) => !own.includes(name))
  if (other !== undefined) throw new UsageError(`${command} has no flag --${other}.`)
}

export function refuseArguments(command: string, rest: readonly string[], instead: string): void {
  if (rest.length === 0) return
  throw new UsageError(`${command} takes no argument ${JSON.stringify(rest.join(' '))}${instead}.`)
}

export function textOf(flags: Flags, name: string): string | null {
  const [value = null, ...others] = listOf(flags, name)
  if (others.length > 0) throw new UsageError(`--${name} is given ${others.length + 1} times: give it once.`)
  return value
}

/** The values of a flag that may be given more than once. */
export function listOf(flags: Flags, name: string): readonly string[] {
  const values = flags[name]
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

export function filledTextOf(flags: Flags, name: string): string | null {
  const value = textOf(flags, name)
  if (value === '') throw new UsageError(`--${name} is empty.`)
  return value
}

/** Where the service is that a command asks; null: not named. */
export function serviceOf(flags: Flags): {
  readonly url: string | null
  readonly socketPath: string | null
} {
  const url = filledTextOf(flags, 'url')
  const socketPath = filledTextOf(flags, 'socket')
  if (url !== null && socketPath !== null) throw new UsageError('Name the service by --url or by --socket.')
  return { url, socketPath }
}

/** A database that is named on the command line: by its URL, or by a file with it. */
export interface StoreChoice {
  readonly url: string | null
  readonly file: string | null
}

/** Null: none is named. */
export function storeOf(flags: Flags): StoreChoice | null {
  const url = filledTextOf(flags, 'store')
  const file = filledTextOf(flags, 'store-file')
  if (url !== null && file !== null) throw new UsageError('Name the database by --store or by --store-file.')
  return url === null && file === null ? null : { url, file }
}

const HOUR_MS = 3_600_000
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS }
const SPAN = /^([1-9]\d{0,5})([hd])$/

/** Null: the flag is not there. */
export function spanMs(need: string, text: string | null): number | null {
  if (text === null) return null
  const [, number = '', unit = ''] = SPAN.exec(text) ?? []
  const unitMs = UNITS_MS[unit]
  if (unitMs === undefined) throw new UsageError(`${need} with days or hours, as 90d or 12h.`)
  return Number(number) * unitMs
}

// The names of the commands, by what they work on.

/** The commands that show one id whole, in whichever scope it is. */
const ID_COMMANDS = ['show', 'explain', 'blast-radius'] as const

/** The commands that show what is stored: of a running service, or of a data folder that nobody uses. */
export const READ_COMMANDS = ['ls', 'tail', ...ID_COMMANDS] as const
export type ReadCommandName = (typeof READ_COMMANDS)[number]

/** The commands that stand between an agent and a running service. */
const BRIDGE_COMMANDS = ['mcp', 'hook'] as const

/** What `adopt` reads. */
export const ADOPT_SOURCES = ['mem0', 'server-memory', 'markdown', 'agents-md'] as const
export type AdoptSource = (typeof ADOPT_SOURCES)[number]

/** The commands over a data folder that no service uses meanwhile, except with `backup`. */
export const OFFLINE_COMMANDS = [
  'verify',
  'repair',
  'inspect',
  'scopes',
  'export',
  'import',
  'backup',
] as const
export type OfflineCommand = (typeof OFFLINE_COMMANDS)[number]

/** The commands over a database that nodes share. */
const STORE_COMMANDS = ['store', 'migrate'] as const

/** The commands that tell programs that run agents of memgov, and whether that works. */
const HOST_COMMANDS = ['init', 'doctor'] as const

/** The programs that `init` knows. */
export const HOST_NAMES = ['claude-code', 'codex', 'cursor', 'gemini', 'vscode', 'opencode'] as const
export type HostName = (typeof HOST_NAMES)[number]

/** The commands that show the operator console of a running service. */
export const CONSOLE_COMMANDS = ['console', 'demo'] as const

export const COMMANDS = [
  'serve',
  ...HOST_COMMANDS,
  ...CONSOLE_COMMANDS,
  ...READ_COMMANDS,
  ...BRIDGE_COMMANDS,
  'proxy',
  'adopt',
  ...OFFLINE_COMMANDS,
  'keys',
  ...STORE_COMMANDS,
  'completion',
] as const
export type Command = (typeof COMMANDS)[number]

/** Whether a word is one of a list of names. */
export function isOneOf<Name extends string>(names: readonly Name[], word: string | undefined): word is Name {
  return names.some((name) => name === word)
}

/** The word that has to be one of a list of names; `asked` says so. @throws UsageError */
export function oneOf<Name extends string>(
  asked: string,
  names: readonly Name[],
  word: string | null | undefined,
): Name {
  const named = names.find((name) => name === word)
  if (named === undefined) throw new UsageError(`${asked} one of ${names.join(', ')}.`)
  return named
}

// The flags of each command other than `serve`, whose flags are the options of the service.

/** A flag of a command other than `serve`. */
export interface CommandFlag {
  readonly name: string
  /** What stands for the value in help, `DIR`; empty for a switch. */
  readonly value: string
  readonly commands: readonly string[]
  readonly description: string
}

function flag(name: string, value: string, commands: readonly string[], description: string): CommandFlag {
  return { name, value, commands, description }
}

/** Flags of the same commands: name, value and description of each. */
function flagsFor(
  commands: readonly string[],
  rows: readonly (readonly [name: string, value: string, description: string])[],
): readonly CommandFlag[] {
  return rows.map(([name, value, description]) => flag(name, value, commands, description))
}

const ASKING: readonly string[] = [
  ...READ_COMMANDS,
  ...BRIDGE_COMMANDS,
  'proxy',
  'adopt',
  ...CONSOLE_COMMANDS,
]

const QUERY_FLAGS: readonly CommandFlag[] = [
  ...flagsFor(ASKING, [
    [
      'url',
      'URL',
      'the service (MEMGOV_URL, else MEMGOV_HOST and MEMGOV_PORT, else http://127.0.0.1:3001); MEMGOV_KEY is the key for it',
    ],
    ['socket', 'PATH', 'the Unix socket of the service instead'],
    ['tenant', 'ID', 'tenant (default)'],
  ]),
  flag('scope', 'NAME', ID_COMMANDS, 'scope (an id is looked for in every scope of the tenant)'),
  flag('scope', 'NAME', ['ls', 'tail'], 'scope (default)'),
  flag(
    'scope',
    'NAME',
    [...BRIDGE_COMMANDS, 'adopt'],
    'scope (that of the key, else of the folder that it is started in)',
  ),
  flag(
    'agent',
    'ID',
    BRIDGE_COMMANDS,
    'the agent that calls (that of the key, else local-agent, or the host of a hook)',
  ),
  flag('key-file', 'FILE', [...BRIDGE_COMMANDS, 'adopt'], 'a file with the key, instead of MEMGOV_KEY'),
  ...flagsFor(
    ['adopt'],
    [
      ['from', 'KIND', `what the file is: ${ADOPT_SOURCES.join(', ')}`],
      ['user-id', 'ID', 'of an export of mem0 only the memory of this user'],
      ['yes', '', 'write; without it the entries are shown and nothing is changed'],
      ['suppress-removed', '', 'suppress the memory of entries that are gone from the file'],
      [
        'reader-key-file',
        'FILE',
        'a file with the key of an operator, to read what was adopted before; it writes nothing',
      ],
    ],
  ),
  ...flagsFor(
    ['proxy'],
    [
      ['upstream', 'URL', 'the store; nothing that a caller sends leads anywhere else'],
      ['port', 'PORT', 'where the proxy listens on 127.0.0.1 (3002)'],
      [
        'scope',
        'NAME',
        'the scope of all its memory (one for each user or group of the store, as mem0:user_id:alice)',
      ],
      ['agent', 'ID', 'the agent that asks (that of the key, else local-agent)'],
      ['key-file', 'FILE', 'a file with the key, instead of MEMGOV_KEY'],
      ['trusted', '', 'you vouch for what the store holds: rows that nothing speaks against are use_now'],
      ['pass-unknown', '', 'pass routes that the proxy does not know, instead of refusing them'],
      ['fail-open', '', 'pass rows that memgov could not judge, with a label that says so'],
      ['timeout-ms', 'MS', 'how long the store may take (60000)'],
    ],
  ),
  flag('keep', '', ['demo'], 'leave what it wrote, instead of erasing it at the end'),
  flag('limit', 'COUNT', ['ls'], 'how many are listed (50)'),
  flag('text', 'TEXT', ['ls'], 'ls memories: only those that say this'),
  ...flagsFor(
    ['blast-radius'],
    [
      ['origin', 'ORIGIN', 'every memory of this origin instead of one memory'],
      ['source', 'NAME', 'everything from this agent, actor, reference or source memory'],
      ['external', 'ID', 'memory of another store, by the id that it has there'],
    ],
  ),
  flag('json', '', ['adopt'], 'print the answer as JSON'),
  flag('json', '', READ_COMMANDS, 'print JSON, one object a line'),
  flag('data-dir', 'DIR', ['ls', ...ID_COMMANDS], 'a data folder that no service uses, instead of a service'),
  flag(
    'data-dir',
    'DIR',
    ['tail'],
    'a data folder that no service uses, instead of a service: its newest entries, and no more come',
  ),
]

/** Commands that look into a database beside the nodes that serve from it; `import` writes as one of them. */
const LOOKING = [...READ_COMMANDS, 'verify', 'inspect', 'export', 'import'] as const

const LOOKING_FLAGS: readonly CommandFlag[] = [
  flag('store', 'URL', LOOKING, 'a database that nodes share, instead: postgres://user@host/name'),
  flag('store-file', 'FILE', LOOKING, 'a file with the URL of --store'),
]

const OFFLINE_FLAGS: readonly CommandFlag[] = [
  flag('data-dir', 'DIR', OFFLINE_COMMANDS, 'the data folder (MEMGOV_DATA_DIR, else ./snapshots)'),
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
  flag('without-keys', '', ['backup'], 'leave the keys out'),
]

const KEY_FLAGS = flagsFor(
  ['keys'],
  [
    ['data-dir', 'DIR', 'the data folder (MEMGOV_DATA_DIR, else ./snapshots)'],
    ['name', 'TEXT', 'create: what the key is for, for people'],
    ['tenant', 'ID', 'create: the tenant of the key (default); list: only keys of this tenant'],
    ['scope', 'NAME', 'create: a scope that it may enter; again for another one (none: every scope)'],
    ['scope-prefix', 'TEXT', 'create: every scope whose name begins so; again for another one'],
    ['agent', 'ID', 'create: the agent that it speaks for (none: for every agent of its host)'],
    ['team', 'ID', 'create: the team of that agent'],
    [
      'origin',
      'ORIGIN',
      'create: whose words it may bring; again for another one (agent and tool; of an operator all)',
    ],
    ['read-only', '', 'create: it guides and reads, and writes nothing else'],
    ['operator', '', 'create: it may do what operators do'],
    ['metrics', '', 'create: it reads /metrics'],
    ['expires-in', 'TIME', 'create: it ends after so long, as 90d or 12h'],
    ['json', '', 'print one JSON object'],
  ],
)

const STORE_FLAGS: readonly CommandFlag[] = [
  flag('role', 'NAME', ['store'], 'setup: the role by which nodes serve (the role of the URL itself)'),
  ...flagsFor(
    ['migrate'],
    [
      ['from', 'PLACE', 'a data folder, or a database (MEMGOV_STORE); nobody may serve from it'],
      ['to', 'PLACE', 'the other of both: a new folder, or empty tables (MEMGOV_STORE)'],
      ['store-file', 'FILE', 'a file with the URL of the database, instead of MEMGOV_STORE'],
      ['dry-run', '', 'say what there is and how long it would take, change nothing'],
      ['json', '', 'print one JSON object'],
    ],
  ),
]

const HOST_FLAGS: readonly CommandFlag[] = [
  flag('user', '', ['init'], 'for every project of this user, in the files of the home folder'),
  flag('undo', '', ['init'], 'take back what init wrote'),
  flag('yes', '', ['init'], 'write without asking'),
  flag('scope', 'NAME', ['init'], 'the scope of its memory (that of the repository or folder)'),
  flag(
    'url',
    'URL',
    HOST_COMMANDS,
    'the service (MEMGOV_URL, else MEMGOV_HOST and MEMGOV_PORT, else http://127.0.0.1:3001)',
  ),
  flag('socket', 'PATH', ['doctor'], 'the Unix socket of the service instead'),
]

/** Another name of a flag, which every command with that flag takes. */
export const ALIASES: Readonly<Record<string, string>> = { data: 'data-dir' }

/** As `node:util` parses a flag. What is given twice is seen twice, so that nothing is dropped without a word. */
export const TEXT = { type: 'string', multiple: true } as const
export const SWITCH = { type: 'boolean' } as const

const FLAGS: readonly CommandFlag[] = [
  ...QUERY_FLAGS,
  ...OFFLINE_FLAGS,
  ...LOOKING_FLAGS,
  ...KEY_FLAGS,
  ...STORE_FLAGS,
  ...HOST_FLAGS,
]

/** Every flag of the tables. */
export function parsedFlags(): Readonly<Record<string, typeof TEXT | typeof SWITCH>> {
  return Object.fromEntries([
    ...FLAGS.map(({ name, value }) => [name, value === '' ? SWITCH : TEXT] as const),
    ...Object.keys(ALIASES).map((name) => [name, TEXT] as const),
  ])
}

/** The flags of a command other than `serve`, whose flags are the options of the service. */
export function flagsOf(command: Command): readonly CommandFlag[] {
  return FLAGS.filter(({ commands }) => commands.includes(command))
}
