import { join } from 'node:path'
import type { HostName } from '../../../edges/cli/command-flags.ts'
import type { UserFolders } from '../../config/config.ts'
import type { Addition } from './json-text.ts'

// What each program that runs agents is told of memgov, and where it reads it. Names of events, shapes and units of time
// are those of the programs: Claude Code 2.1, Codex 0.169, Gemini CLI 0.61, Cursor, VS Code and OpenCode 1.18.

/** What the entries say. */
export interface Entries {
  /** The program that is started, with the arguments before those of memgov. */
  readonly program: readonly string[]
  /** Where the service listens, without a slash at its end. */
  readonly url: string
  /** True: memgov asks there unless it is told otherwise. */
  readonly isDefaultUrl: boolean
  /** Null: that of the folder that the agent works in. */
  readonly scope: string | null
  /** Null: the key is in the environment. */
  readonly keyFile: string | null
}

/** Where a program looks. */
export interface Where {
  readonly isUser: boolean
  readonly project: string
  readonly folders: UserFolders
  readonly platform: NodeJS.Platform
}

/** One file, and what is put into it. */
export type Target =
  | { readonly path: string; readonly additions: readonly Addition[] }
  | { readonly path: string; readonly table: string; readonly lines: readonly string[] }

interface Host {
  readonly title: string
  /** Folders or files by which it is seen that the program is used here. */
  readonly signs: (where: Where) => readonly string[]
  readonly targets: (where: Where, entries: Entries) => readonly Target[]
  /** What a person has to know of it, a sentence each. */
  readonly told: (where: Where) => readonly string[]
}

/** Seconds that a program waits for a hook over HTTP. */
const HTTP_HOOK_S = 2
/** And for one that is a process, which has to start first. */
const COMMAND_HOOK_S = 5

const KEY = 'MEMGOV_KEY'
const PASSED = [KEY, 'MEMGOV_URL']

/** The command line of a command of memgov, in words. */
function wordsOf(
  command: readonly string[],
  { program, url, isDefaultUrl, scope, keyFile }: Entries,
): readonly string[] {
  return [
    ...program,
    ...command,
    ...(isDefaultUrl ? [] : ['--url', url]),
    ...(scope === null ? [] : ['--scope', scope]),
    ...(keyFile === null ? [] : ['--key-file', keyFile]),
  ]
}

/** What a shell starts as a hook. */
function hookCommand(host: string, entries: Entries): string {
  const words = wordsOf(['hook', host], entries)
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`)).join(' ')
}

function stdioServer(entries: Entries): { readonly command: string; readonly args: readonly string[] } {
  const [command = '', ...args] = wordsOf(['mcp'], entries)
  return { command, args }
}

function member(path: readonly string[], name: string, value: unknown): Addition {
  return { path, name, value }
}

function hooks(events: readonly string[], value: unknown): readonly Addition[] {
  return events.map((event) => ({ path: ['hooks', event], name: null, value }))
}

const CLAUDE_CODE: Host = {
  title: 'Claude Code',
  signs: ({ project, folders }) => [folders.claude, join(project, '.claude'), join(project, '.mcp.json')],
  targets({ isUser, project, folders }, entries) {
    const { url, scope } = entries
    const handler = {
      type: 'http',
      url: `${url}/hooks/claude-code`,
      timeout: HTTP_HOOK_S,
      headers: {
        authorization: `Bearer $${KEY}`,
        ...(scope === null ? {} : { 'x-memgov-scope': scope }),
      },
      allowedEnvVars: [KEY],
    }
    const server = { type: 'stdio', ...stdioServer(entries) }
    return [
      {
        path: isUser ? folders.claudeState : join(project, '.mcp.json'),
        additions: [member(['mcpServers'], 'memgov', server)],
      },
      {
        path: isUser ? join(folders.claude, 'settings.json') : join(project, '.claude/settings.json'),
        additions: hooks(['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'PreCompact', 'Stop'], {
          hooks: [handler],
        }),
      },
    ]
  },
  told: ({ isUser }) => [
    `A hook over HTTP reads the key from ${KEY} in the environment of Claude Code, never from a file.`,
    'SessionStart and Setup are left out: Claude Code calls no HTTP hook for them. SessionEnd is left out: where the service is down it writes a failure on the terminal.',
    `A hook that takes longer than ${HTTP_HOOK_S} seconds is dropped without a word, and the prompt goes on without memory: memgov doctor tells how many came late.`,
    ...(isUser ? [] : ['Claude Code asks once whether it may start the server of .mcp.json.']),
  ],
}

const CODEX: Host = {
  title: 'Codex',
  signs: ({ project, folders }) => [folders.codex, join(project, '.codex')],
  targets({ isUser, project, folders }, entries) {
    const folder = isUser ? folders.codex : join(project, '.codex')
    const { command, args } = stdioServer(entries)
    const handler = { type: 'command', command: hookCommand('codex', entries), timeout: COMMAND_HOOK_S }
    return [
      {
        path: join(folder, 'config.toml'),
        table: 'mcp_servers.memgov',
        lines: [
          `command = ${JSON.stringify(command)}`,
          `args = ${JSON.stringify(args)}`,
          // Codex hands a server only the variables that are named.
          `env_vars = ${JSON.stringify(PASSED)}`,
        ],
      },
      {
        path: join(folder, 'hooks.json'),
        additions: hooks(['UserPromptSubmit', 'PostToolUse', 'PreCompact', 'Stop'], { hooks: [handler] }),
      },
    ]
  },
  told: ({ isUser }) => [
    'Codex runs no hook that is not trusted, and says nothing of it: open /hooks in Codex and trust those of memgov, again after each change.',
    'One entry of type http makes Codex read no hook of the whole file: keep to type command.',
    ...(isUser ? [] : ['Codex reads .codex of a project only when the project is trusted.']),
  ],
}

const CURSOR: Host = {
  title: 'Cursor',
  signs: ({ project, folders }) => [join(folders.home, '.cursor'), join(project, '.cursor')],
  targets({ isUser, project, folders }, entries) {
    const folder = join(isUser ? folders.home : project, '.cursor')
    const server = { ...stdioServer(entries), env: { [KEY]: `\${env:${KEY}}` } }
    const handler = { command: hookCommand('cursor', entries), timeout: COMMAND_HOOK_S }
    const events = [
      'sessionStart',
      'beforeSubmitPrompt',
      'postToolUse',
      'postToolUseFailure',
      'afterAgentResponse',
      'preCompact',
      'stop',
    ]
    return [
      { path: join(folder, 'mcp.json'), additions: [member(['mcpServers'], 'memgov', server)] },
      {
        path: join(folder, 'hooks.json'),
        additions: [member([], 'version', 1), ...hooks(events, handler)],
      },
    ]
  },
  told: () => [
    'Cursor shows the agent what a hook says at the start of a session; what one says to a prompt it may drop. The tool guide of memgov always works.',
    `Cursor hands on only what it was started with: set ${KEY} where Cursor is started, not only in a terminal.`,
  ],
}

const GEMINI: Host = {
  title: 'Gemini CLI',
  signs: ({ project, folders }) => [join(folders.home, '.gemini'), join(project, '.gemini')],
  targets({ isUser, project, folders }, entries) {
    const server = { ...stdioServer(entries), env: { [KEY]: `$${KEY}` } }
    const handler = {
      name: 'memgov',
      type: 'command',
      command: hookCommand('gemini', entries),
      // Milliseconds, as with no other program.
      timeout: COMMAND_HOOK_S * 1000,
    }
    return [
      {
        path: join(isUser ? folders.home : project, '.gemini/settings.json'),
        additions: [
          member(['mcpServers'], 'memgov', server),
          ...hooks(['BeforeAgent', 'AfterTool', 'PreCompress', 'AfterAgent'], { hooks: [handler] }),
        ],
      },
    ]
  },
  told: ({ isUser }) => [
    'Times of hooks are milliseconds in Gemini CLI.',
    ...(isUser
      ? []
      : ['Gemini CLI warns of hooks of a project that are new or have changed: agree to them once.']),
  ],
}

const VSCODE: Host = {
  title: 'VS Code',
  signs: ({ project, folders, platform }) => [codeFolder(folders, platform), join(project, '.vscode')],
  targets({ isUser, project, folders, platform }, entries) {
    const folder = isUser ? join(codeFolder(folders, platform), 'User') : join(project, '.vscode')
    const server = { type: 'stdio', ...stdioServer(entries) }
    return [{ path: join(folder, 'mcp.json'), additions: [member(['servers'], 'memgov', server)] }]
  },
  told: () => [
    'Hooks of VS Code are a preview that shows an agent nothing with its prompt: only the MCP server is set up.',
    `VS Code hands on only what it was started with: set ${KEY} where it is started.`,
    'VS Code also reads the hooks of .claude/settings.json, those of type command only: the ones of memgov there are of type http.',
  ],
}

const OPENCODE: Host = {
  title: 'OpenCode',
  signs: ({ project, folders }) => [join(folders.config, 'opencode'), join(project, 'opencode.json')],
  targets({ isUser, project, folders }, entries) {
    const server = { type: 'local', command: wordsOf(['mcp'], entries), enabled: true }
    return [
      {
        path: join(isUser ? join(folders.config, 'opencode') : project, 'opencode.json'),
        additions: [member(['mcp'], 'memgov', server)],
      },
    ]
  },
  told: () => [
    'OpenCode has plugins in the place of hooks: only the MCP server is set up.',
    'The entry has the form of OpenCode 1, which OpenCode 2 reads too. In a file with mcp.servers move it in there, without enabled.',
  ],
}

/** Every program that `init` knows. */
export const HOSTS: Readonly<Record<HostName, Host>> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  cursor: CURSOR,
  gemini: GEMINI,
  vscode: VSCODE,
  opencode: OPENCODE,
}

function codeFolder({ home, config }: UserFolders, platform: NodeJS.Platform): string {
  return platform === 'darwin' ? join(home, 'Library/Application Support/Code') : join(config, 'Code')
}
