// One table of commands and one of flags: parsing (arguments.ts), help (help.ts), completion (completion.ts), usage errors
// and docs/reference/command-line.md all come from here.

import { HOOK_HOSTS } from '../../ports/telemetry.ts'
import { BACKENDS } from '../proxy/upstreams.ts'
import {
  ADOPT_SOURCES,
  BRIDGE_COMMANDS,
  COMMANDS,
  CONSOLE_COMMANDS,
  type Command,
  HOST_COMMANDS,
  HOST_NAMES,
  ID_COMMANDS,
  isOneOf,
  KEY_COMMANDS,
  OFFLINE_COMMANDS,
  type OfflineCommand,
  PROXY_COMMANDS,
  READ_COMMANDS,
  STORE_COMMANDS,
  WRITE_COMMANDS,
} from './command-names.ts'
import { READ_LISTS } from './read-text.ts'

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
  /** The words that are allowed; empty when the value is free. */
  readonly choices: readonly string[]
  readonly description: string
}

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
  ...PROXY_COMMANDS,
  ...WRITE_COMMANDS,
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
    [...BRIDGE_COMMANDS, ...WRITE_COMMANDS],
    'scope (that of the key, else of the folder that it is started in)',
  ),
  flag(
    'agent',
    'ID',
    BRIDGE_COMMANDS,
    'the agent that calls (that of the key, else local-agent, or the host of a hook)',
  ),
  flag(
    'key-file',
    'FILE',
    [...BRIDGE_COMMANDS, ...WRITE_COMMANDS],
    'a file with the key, instead of MEMGOV_KEY',
  ),
  ...flagsFor(WRITE_COMMANDS, [
    ['from', 'KIND', `what the file is: ${ADOPT_SOURCES.join(', ')}`],
    ['user-id', 'ID', 'of an export of mem0 only the memory of this user'],
    ['yes', '', 'write; without it the entries are shown and nothing is changed'],
    ['suppress-removed', '', 'suppress the memory of entries that are gone from the file'],
    [
      'reader-key-file',
      'FILE',
      'a file with the key of an operator, to read what was adopted before; it writes nothing',
    ],
  ]),
  ...flagsFor(PROXY_COMMANDS, [
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
  ]),
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
  flag('json', '', WRITE_COMMANDS, 'print the answer as JSON'),
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
  flag('store-file', 'FILE', LOOKING, 'a file with that URL'),
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

const KEY_FLAGS = flagsFor(KEY_COMMANDS, [
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
])

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

/** The flag without which a command has nothing to do. */
export const TARGET_FLAGS: Readonly<Partial<Record<OfflineCommand, string>>> = {
  export: 'out',
  import: 'in',
  backup: 'to',
}

/** What `scopes` is to do. */
export const SCOPES_ACTIONS = ['list', 'prune'] as const

/** What `keys` is to do. */
export const KEY_ACTIONS = ['create', 'list', 'rotate', 'revoke'] as const

/** What `store` is to do. */
export const STORE_ACTIONS = ['setup', 'fence'] as const

/** Shells for which there is a completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Arguments that are one of some words. */
export const ARGUMENT_WORDS: Readonly<Partial<Record<Command, readonly string[]>>> = {
  init: HOST_NAMES,
  ls: READ_LISTS,
  hook: HOOK_HOSTS,
  proxy: BACKENDS,
  scopes: SCOPES_ACTIONS,
  keys: KEY_ACTIONS,
  store: STORE_ACTIONS,
  completion: SHELLS,
}

/** Another name of a flag, which every command with that flag takes. */
export const ALIASES: Readonly<Record<string, string>> = { data: 'data-dir' }

/** As `node:util` parses a flag. What is given twice is seen twice, so that nothing is dropped without a word. */
export const TEXT = { type: 'string', multiple: true } as const
export const SWITCH = { type: 'boolean' } as const

/** Every flag of the tables. */
export function parsedFlags(): Readonly<Record<string, typeof TEXT | typeof SWITCH>> {
  return Object.fromEntries([
    ...COMMANDS.flatMap(tableOf).map(({ name, value }) => [name, value === '' ? SWITCH : TEXT] as const),
    ...Object.keys(ALIASES).map((name) => [name, TEXT] as const),
  ])
}

/** The flags of a command other than `serve`, whose flags are the options of the service. */
export function flagsOf(command: Command): readonly CommandFlag[] {
  return tableOf(command).filter(({ commands }) => commands.includes(command))
}

function tableOf(command: Command): readonly CommandFlag[] {
  if (isOneOf(HOST_COMMANDS, command)) return HOST_FLAGS
  if (isOneOf(STORE_COMMANDS, command)) return STORE_FLAGS
  if (isOneOf(KEY_COMMANDS, command)) return KEY_FLAGS
  return [...(ASKING.includes(command) ? QUERY_FLAGS : OFFLINE_FLAGS), ...LOOKING_FLAGS]
}

const USAGE = [
  ['serve [flags]', 'start the service'],
  ['serve --print-config', 'print the effective configuration and its sources, start nothing'],
  ['init [AGENT]', 'tell a program that runs agents of memgov, or take that back; alone it lists them'],
  ['doctor', 'tell what answers, which hooks have fired, and whether a key lies in a tracked file'],
  ['console', 'print where the operator console of a running service is'],
  ['demo', 'tell a story in a scope of its own: what operators ask, and where the console answers it'],
  ['ls [LIST]', 'list scopes, memories (unless told), guides, external memory or what waits for review'],
  ['show ID', 'show one memory, guide or run whole'],
  ['tail', 'follow what is written and asked'],
  ['explain GUIDE_TRACE_ID', 'tell what a guide showed, why, and what came of it'],
  ['blast-radius MEMORY_ID', 'tell what a memory has touched; also --origin, --source, --external'],
  ['mcp', 'let an agent use a running service by the Model Context Protocol over stdio'],
  ['hook HOST [EVENT]', 'answer a hook of a coding agent from a running service: reads stdin, exits with 0'],
  ['proxy STORE --upstream URL', 'stand before mem0, graphiti or zep: what is read from it is judged first'],
  [
    'adopt --from KIND FILE',
    'show which candidates a file of memory or rules would become; with --yes they do',
  ],
  ['verify', 'check every file of a data folder that no service uses; changes nothing'],
  ['repair', 'set aside what is damaged, so that a service can start with what is whole'],
  ['inspect', 'show what a data folder holds, also a damaged one; changes nothing'],
  ['scopes list', 'list the scopes of a data folder that no service uses, with size and last use'],
  ['scopes prune --unused-for 90d', 'say which of them would go for good; with --yes they do'],
  ['export --out FILE', 'write every actor of a data folder that no service uses into one archive'],
  ['import --in FILE', 'put the actors of an archive into a data folder that no service uses'],
  ['backup --to DIR', 'copy the data folder of a running service, consistent and verified'],
  ['keys create [flags]', 'make a key and print it, once; from the first one on every request needs one'],
  ['keys list', 'list the keys of a data folder, also of a running service; never a secret'],
  ['keys rotate KEY_ID', 'give a key another secret and print it, once'],
  ['keys revoke KEY_ID', 'end a key for good; a running service knows within a second'],
  [
    'store setup',
    'make the tables of a shared store in the database of MEMGOV_STORE, or bring them up to date',
  ],
  [
    'store fence',
    'after a database was restored to an earlier time, before a node starts: shut out all that went on since',
  ],
  [
    'migrate --from PLACE --to PLACE',
    'move a store from a data folder to a database, or back; a repeat goes on',
  ],
  ['completion SHELL', 'print what lets bash, zsh or fish complete commands and flags'],
] as const

export interface Usage {
  /** What is typed behind `memgov`. */
  readonly words: string
  readonly description: string
}

/** How a command is called, without flags that may be left out. */
export function usageOf(command: Command): readonly Usage[] {
  return USAGE.filter(([words]) => words.split(' ', 1)[0] === command).map(([words, description]) => ({
    words,
    description,
  }))
}

/** A call of each command that works as it stands, but for its names. */
export const EXAMPLES: Readonly<Record<Command, readonly string[]>> = {
  serve: ['serve --data-dir ./memory --port 3001', 'serve --print-config'],
  init: ['init', 'init claude-code', 'init codex --user --yes', 'init codex --user --undo'],
  doctor: ['doctor', 'doctor --url http://127.0.0.1:4000'],
  console: ['console', 'console --url https://memory.example.org'],
  demo: ['demo', 'demo --keep'],
  ls: ['ls', 'ls guides --scope shop --limit 200', 'ls memories --text staging --json'],
  show: [
    'show 019c13ec-a5d0-7000-8000-000000000002 --scope shop',
    'show guide_trace:019c13ec-a5d0-7000-8000-000000000007 --data-dir ./memory',
  ],
  tail: ['tail --scope shop'],
  explain: [
    'explain 019c13ec-a5d0-7000-8000-000000000007',
    'explain guide_trace:019c13ec-a5d0-7000-8000-000000000007 --scope shop --json',
  ],
  'blast-radius': [
    'blast-radius 019c13ec-a5d0-7000-8000-000000000002',
    'blast-radius svc://default/shop/memory/019c13ec-a5d0-7000-8000-000000000002',
    'blast-radius --source crawler --scope shop',
  ],
  adopt: [
    'adopt --from agents-md AGENTS.md',
    'adopt --from agents-md AGENTS.md --yes',
    'adopt --from mem0 export.json --user-id alice --scope shop --yes',
  ],
  mcp: ['mcp', 'mcp --url http://127.0.0.1:3001 --key-file ~/.config/memgov/key --scope shop'],
  hook: ['hook codex', 'hook copilot userPromptSubmitted --url http://127.0.0.1:3001'],
  proxy: [
    'proxy mem0 --upstream http://127.0.0.1:8888',
    'proxy zep --upstream https://api.getzep.com/api/v2 --scope shop --port 3010',
  ],
  verify: ['verify --data-dir ./memory', 'verify --data-dir ./memory --deep --json'],
  repair: ['repair --data-dir ./memory --dry-run'],
  inspect: ['inspect --data-dir ./memory'],
  scopes: ['scopes list --data-dir ./memory', 'scopes prune --data-dir ./memory --unused-for 90d'],
  export: ['export --data-dir ./memory --out store.jsonl'],
  import: ['import --data-dir ./new --in store.jsonl'],
  backup: ['backup --data-dir ./memory --to /backups/memory-1'],
  store: ['store setup --role memgov', 'store fence'],
  migrate: [
    'migrate --from ./memory --to postgres://memgov@db.example.org/memgov --dry-run',
    'migrate --to ./memory --store-file /run/secrets/memgov-store',
  ],
  keys: [
    'keys create --operator --name me',
    'keys create --tenant acme --scope shop --agent planner --expires-in 90d',
    'keys revoke 9k2f0c3v1t7a',
  ],
  completion: ['completion bash > ~/.local/share/bash-completion/completions/memgov'],
}
