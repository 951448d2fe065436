import { UsageError } from './usage-error.ts'

export const OFFLINE_COMMANDS = ['verify', 'repair', 'inspect', 'export', 'import', 'backup'] as const
export type OfflineCommand = (typeof OFFLINE_COMMANDS)[number]

export function isOfflineCommand(word: string): word is OfflineCommand {
  return OFFLINE_COMMANDS.some((command) => command === word)
}

/** A flag of the commands over a data folder; no service may use it meanwhile, except with `backup`. */
export interface OfflineFlag {
  readonly name: string
  readonly type: 'string' | 'boolean'
  /** `DIR`, for help; empty for a switch. */
  readonly value: string
  readonly commands: readonly OfflineCommand[]
  readonly description: string
}

export const OFFLINE_FLAGS: readonly OfflineFlag[] = [
  {
    name: 'data',
    type: 'string',
    value: 'DIR',
    commands: OFFLINE_COMMANDS,
    description: 'the data folder (MEMGOV_DATA_DIR, else ./snapshots)',
  },
  {
    name: 'deep',
    type: 'boolean',
    value: '',
    commands: ['verify'],
    description: 'also decode every turn, rebuild every actor and compare digests and exposure sets',
  },
  {
    name: 'chain',
    type: 'boolean',
    value: '',
    commands: ['verify'],
    description: 'also recompute the SHA-256 chain of the journal and print its head',
  },
  {
    name: 'head',
    type: 'string',
    value: 'HASH',
    commands: ['verify'],
    description: 'compare the chain with a head that was kept elsewhere; implies --chain',
  },
  {
    name: 'dry-run',
    type: 'boolean',
    value: '',
    commands: ['repair'],
    description: 'say what would be done and lost, change nothing',
  },
  {
    name: 'yes',
    type: 'boolean',
    value: '',
    commands: ['repair'],
    description: 'go on also when turns that were answered are lost',
  },
  {
    name: 'json',
    type: 'boolean',
    value: '',
    commands: ['verify', 'inspect', 'export', 'import', 'backup'],
    description: 'print one JSON object',
  },
  {
    name: 'out',
    type: 'string',
    value: 'FILE',
    commands: ['export'],
    description: 'the archive to write; FILE.part grows beside it and is gone on with after an interruption',
  },
  {
    name: 'tenant',
    type: 'string',
    value: 'ID',
    commands: ['export'],
    description: 'only the actors of this tenant',
  },
  {
    name: 'scope',
    type: 'string',
    value: 'NAME',
    commands: ['export'],
    description: 'only the actors of this scope',
  },
  {
    name: 'skip-damaged',
    type: 'boolean',
    value: '',
    commands: ['export'],
    description: 'leave damaged actors out and name them in the archive, instead of refusing',
  },
  {
    name: 'in',
    type: 'string',
    value: 'FILE',
    commands: ['import'],
    description: 'the archive to read',
  },
  {
    name: 'to',
    type: 'string',
    value: 'DIR',
    commands: ['backup'],
    description: 'the folder to make: a data folder of its own, empty or not there yet',
  },
]

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
}

/** The flag without which a command has nothing to do. */
const TARGETS: Readonly<Partial<Record<OfflineCommand, string>>> = {
  export: 'out',
  import: 'in',
  backup: 'to',
}

const HEAD = /^[0-9a-f]{64}$/

/** Reads the arguments of an offline command. @throws UsageError */
export function parseOffline(
  command: OfflineCommand,
  rest: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): OfflineInvocation {
  if (rest.length > 0) {
    throw new UsageError(
      `${command} takes no argument ${JSON.stringify(rest.join(' '))}; name the folder by --data.`,
    )
  }
  const dataDir = flags['data']
  if (dataDir === '') throw new UsageError('--data is empty.')
  const head = typeof flags['head'] === 'string' ? flags['head'].toLowerCase() : null
  if (head !== null && !HEAD.test(head)) throw new UsageError('--head is not 64 hex digits.')
  const target = TARGETS[command]
  return {
    kind: 'offline',
    command,
    dataDir: typeof dataDir === 'string' ? dataDir : null,
    isDeep: flags['deep'] === true,
    isChain: flags['chain'] === true || head !== null,
    head,
    isDryRun: flags['dry-run'] === true,
    isAgreed: flags['yes'] === true,
    isJson: flags['json'] === true,
    isSkippingDamaged: flags['skip-damaged'] === true,
    tenantId: textOf(flags, 'tenant'),
    scope: textOf(flags, 'scope'),
    target: target === undefined ? '' : required(command, flags, target),
  }
}

function required(command: OfflineCommand, flags: Readonly<Record<string, unknown>>, name: string): string {
  const text = textOf(flags, name)
  if (text === null || text === '') throw new UsageError(`${command} needs --${name}.`)
  return text
}

function textOf(flags: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = flags[name]
  return typeof value === 'string' ? value : null
}
