// The names of the commands, by what they work on.

/** The commands that show one id whole, in whichever scope it is. */
export const ID_COMMANDS = ['show', 'explain', 'blast-radius'] as const

/** The commands that show what is stored: of a running service, or of a data folder that nobody uses. */
export const READ_COMMANDS = ['ls', 'tail', ...ID_COMMANDS] as const
export type ReadCommandName = (typeof READ_COMMANDS)[number]

/** The commands that stand between an agent and a running service. */
export const BRIDGE_COMMANDS = ['mcp', 'hook'] as const

/** The commands that stand between an agent and another store. */
export const PROXY_COMMANDS = ['proxy'] as const

/** The commands that write into a running service. */
export const WRITE_COMMANDS = ['adopt'] as const

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

/** The commands over the keys of a data folder, which a service may use meanwhile. */
export const KEY_COMMANDS = ['keys'] as const

/** The commands over a database that nodes share. */
export const STORE_COMMANDS = ['store', 'migrate'] as const

/** The commands that tell programs that run agents of memgov, and whether that works. */
export const HOST_COMMANDS = ['init', 'doctor'] as const

/** The programs that `init` knows. */
export const HOST_NAMES = ['claude-code', 'codex', 'cursor', 'gemini', 'vscode', 'opencode'] as const
export type HostName = (typeof HOST_NAMES)[number]

/** The commands that show the operator console of a running service. */
export const CONSOLE_COMMANDS = ['console', 'demo'] as const

/** The commands that only print something about memgov itself. */
const OTHER_COMMANDS = ['completion'] as const

export const COMMANDS = [
  'serve',
  ...HOST_COMMANDS,
  ...CONSOLE_COMMANDS,
  ...READ_COMMANDS,
  ...BRIDGE_COMMANDS,
  ...PROXY_COMMANDS,
  ...WRITE_COMMANDS,
  ...OFFLINE_COMMANDS,
  ...KEY_COMMANDS,
  ...STORE_COMMANDS,
  ...OTHER_COMMANDS,
] as const
export type Command = (typeof COMMANDS)[number]

/** Whether a word is one of a list of names. */
export function isOneOf<Name extends string>(names: readonly Name[], word: string | undefined): word is Name {
  return names.some((name) => name === word)
}
