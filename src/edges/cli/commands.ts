import { HOOK_HOSTS } from '../../ports/telemetry.ts'
import { BACKENDS } from '../proxy/upstreams.ts'
import {
  ALIASES,
  COMMANDS,
  type Command,
  type CommandFlag,
  flagsOf,
  HOST_NAMES,
  type OfflineCommand,
} from './command-flags.ts'
import { READ_LISTS } from './read-text.ts'

// The table of commands. With that of flags (command-flags.ts) parsing (arguments.ts), help (help.ts), completion
// (completion.ts), usage errors and docs/reference/command-line.md all come from here.

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

/** How a command is called behind `memgov`, without flags that may be left out. */
export function usageOf(command: Command) {
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

/** One flag of a command as a person reads it. */
export interface FlagLine {
  /** `--url URL` */
  readonly flag: string
  readonly meaning: string
}

/** The text of `memgov --help`: every command, and where its flags are. */
export function helpText(): string {
  return [
    'memgov: the memory governance runtime for software agents',
    '',
    'Usage:',
    ...inColumns(COMMANDS.flatMap(usageRows), 3),
    '  memgov --help | --version',
    '',
    'memgov COMMAND --help tells the flags of a command, with an example.',
    '',
  ].join('\n')
}

/** The text of `memgov COMMAND --help`. */
export function commandHelp(command: Command, options: readonly OptionRow[]): string {
  const lines = flagLines(command, options).map(({ flag, meaning }) => [flag, meaning] as const)
  const examples = EXAMPLES[command]
  return [
    'Usage:',
    ...inColumns(usageRows(command), 3),
    ...(lines.length === 0 ? [] : ['', 'Flags:', ...inColumns(lines)]),
    '',
    examples.length === 1 ? 'Example:' : 'Examples:',
    ...examples.map((example) => `  memgov ${example}`),
    ...(command === 'serve' ? ['', SERVE_NOTE] : []),
    '',
  ].join('\n')
}

const SERVE_NOTE =
  'Defaults are in brackets. A flag wins over the environment (--data-dir over MEMGOV_DATA_DIR). Bounds of every option: docs/reference/configuration.md'

/** Every flag of a command with its meaning. */
export function flagLines(command: Command, options: readonly OptionRow[]): readonly FlagLine[] {
  if (command === 'serve') return [...options.map(optionLine), PRINT_CONFIG]
  return flagsOf(command).map(commandLine)
}

const PRINT_CONFIG: FlagLine = {
  flag: '--print-config',
  meaning: 'print the effective configuration and its sources, start nothing',
}

function optionLine({ flag, unit, description, defaultText }: OptionRow): FlagLine {
  const preset = `${defaultText}${unit === null ? '' : ` ${unit}`}`
  const alias = aliasOf(flag.slice(2))
  return { flag, meaning: `${alias === '' ? description : description.replace(/\.$/, alias)} (${preset})` }
}

function commandLine({ name, value, description }: CommandFlag): FlagLine {
  return { flag: `--${name} ${value}`.trimEnd(), meaning: `${description}${aliasOf(name)}` }
}

function aliasOf(name: string): string {
  const alias = Object.keys(ALIASES).find((each) => ALIASES[each] === name)
  return alias === undefined ? '' : `; --${alias} for short`
}

function usageRows(command: Command): readonly (readonly [string, string])[] {
  return usageOf(command).map(({ words, description }) => [`memgov ${words}`, description])
}

/** Lines of two columns, the second one behind the longest entry of the first. */
function inColumns(rows: readonly (readonly [string, string])[], gap = 2): readonly string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + gap
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`)
}
