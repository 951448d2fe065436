import { BACKENDS } from '../proxy/upstreams.ts'
import {
  ADOPT_SOURCES,
  type Flags,
  filledTextOf,
  HOST_NAMES,
  listOf,
  type OfflineCommand,
  oneOf,
  onlyArgument,
  refuseArguments,
  refuseOtherFlags,
  serviceOf,
  spanMs,
  storeOf,
  textOf,
  UsageError,
} from './command-flags.ts'
import { KEY_ACTIONS, SCOPES_ACTIONS, STORE_ACTIONS, TARGET_FLAGS } from './commands.ts'

// What is asked of commands over a data folder or a database. Null: not named on the command line.

export type OfflineInvocation = ReturnType<typeof parseOffline>
export type KeysInvocation = ReturnType<typeof parseKeys>
export type StoreInvocation = ReturnType<typeof parseStore>
export type MigrateInvocation = ReturnType<typeof parseMigrate>

const HEAD = /^[0-9a-f]{64}$/

/** @throws UsageError */
export function parseOffline(command: OfflineCommand, rest: readonly string[], flags: Flags) {
  const [first, ...others] = rest
  const action = command === 'scopes' ? oneOf('scopes needs', SCOPES_ACTIONS, first) : null
  refuseArguments(command, action === null ? rest : others, '; name the folder by --data-dir')
  const dataDir = filledTextOf(flags, 'data-dir')
  const store = storeOf(flags)
  if (dataDir !== null && store !== null) throw new UsageError('Name a folder or a database, not both.')
  const head = textOf(flags, 'head')?.toLowerCase() ?? null
  if (head !== null && !HEAD.test(head)) throw new UsageError('--head is not 64 hex digits.')
  const targetFlag = TARGET_FLAGS[command]
  const target = targetFlag === undefined ? '' : (textOf(flags, targetFlag) ?? '')
  if (targetFlag !== undefined && target === '') throw new UsageError(`${command} needs --${targetFlag}.`)
  return {
    kind: 'offline' as const,
    command,
    dataDir,
    /** A database instead of a folder. */
    store,
    isDeep: flags['deep'] === true,
    isChain: flags['chain'] === true || head !== null,
    /** 64 hex digits, lower case. */
    head,
    isDryRun: flags['dry-run'] === true,
    isAgreed: flags['yes'] === true,
    isJson: flags['json'] === true,
    isSkippingDamaged: flags['skip-damaged'] === true,
    /** With `backup` only. */
    isWithoutKeys: flags['without-keys'] === true,
    tenantId: textOf(flags, 'tenant'),
    scope: textOf(flags, 'scope'),
    /** What `export` writes, `import` reads or `backup` makes; empty with other commands. */
    target,
    /** Milliseconds; with `scopes prune` only. */
    unusedForMs: unusedForMs(action, flags),
  }
}

/** Flags that say nothing of a key that is there. */
const CREATE_ONLY = ['name', 'scope', 'scope-prefix', 'agent', 'team', 'origin', 'expires-in']
const CREATE_SWITCHES = ['read-only', 'operator', 'metrics']

/** @throws UsageError */
export function parseKeys(rest: readonly string[], flags: Flags) {
  const [word, ...others] = rest
  const action = oneOf('keys needs', KEY_ACTIONS, word)
  const isOfOne = action === 'rotate' || action === 'revoke'
  if (!isOfOne) refuseArguments(`keys ${action}`, others, '')
  if (action !== 'create') {
    const own = ['data-dir', 'json', ...(action === 'list' ? ['tenant'] : [])]
    const foreign = [...CREATE_ONLY, ...CREATE_SWITCHES, 'tenant'].filter((name) => !own.includes(name))
    const other = foreign.find((name) => flags[name] !== undefined)
    if (other !== undefined) throw new UsageError(`keys ${action} has no flag --${other}.`)
  }
  const keyId = isOfOne ? onlyArgument(`keys ${action}`, 'KEY_ID', others) : null
  return {
    kind: 'keys' as const,
    action,
    /** The key that is meant; null: with `create` and `list`. */
    keyId,
    dataDir: filledTextOf(flags, 'data-dir'),
    isJson: flags['json'] === true,
    name: filledTextOf(flags, 'name'),
    tenantId: filledTextOf(flags, 'tenant'),
    scopes: listOf(flags, 'scope'),
    scopePrefixes: listOf(flags, 'scope-prefix'),
    agentId: filledTextOf(flags, 'agent'),
    teamId: filledTextOf(flags, 'team'),
    origins: listOf(flags, 'origin'),
    isReadOnly: flags['read-only'] === true,
    isOperator: flags['operator'] === true,
    readsMetrics: flags['metrics'] === true,
    expiresInMs: spanMs('keys create needs --expires-in', textOf(flags, 'expires-in')),
  }
}

function unusedForMs(action: (typeof SCOPES_ACTIONS)[number] | null, flags: Flags): number | null {
  const text = textOf(flags, 'unused-for')
  if (action === 'list') refuseOtherFlags('scopes list', flags, ['data-dir', 'json', 'tenant'])
  if (action !== 'prune') return null
  if (flags['yes'] === true && flags['dry-run'] === true) {
    throw new UsageError('scopes prune takes one of --dry-run and --yes.')
  }
  return spanMs('scopes prune needs --unused-for', text ?? '')
}

/** @throws UsageError */
export function parseStore([word, ...others]: readonly string[], flags: Flags) {
  const action = oneOf('store needs', STORE_ACTIONS, word)
  refuseArguments(`store ${action}`, others, '; name the database by MEMGOV_STORE')
  // The role by which nodes serve; null: that of the URL.
  return { kind: 'store' as const, action, role: filledTextOf(flags, 'role') }
}

/** Null for an end: the database of the configuration. @throws UsageError */
export function parseMigrate(rest: readonly string[], flags: Flags) {
  refuseArguments('migrate', rest, '; name the ends by --from and --to')
  return {
    kind: 'migrate' as const,
    from: filledTextOf(flags, 'from'),
    to: filledTextOf(flags, 'to'),
    storeFile: filledTextOf(flags, 'store-file'),
    isDryRun: flags['dry-run'] === true,
    isJson: flags['json'] === true,
  }
}

// What is asked of commands that work with a running service. Null: not named on the command line.

export type InitInvocation = ReturnType<typeof parseInit>
export type ConsoleInvocation = ReturnType<typeof parseConsole>
export type McpInvocation = ReturnType<typeof parseMcp>
export type AdoptInvocation = ReturnType<typeof parseAdopt>
export type ProxyInvocation = ReturnType<typeof parseProxy>

/** Which program is told of memgov, and how; null for the program: list what is there. @throws UsageError */
export function parseInit([word, ...others]: readonly string[], flags: Flags) {
  refuseArguments('init', others, '')
  const host = word === undefined ? null : oneOf('init takes', HOST_NAMES, word)
  const isSaying = ['user', 'undo', 'yes', 'scope', 'url'].find((name) => flags[name] !== undefined)
  if (host === null && isSaying !== undefined) {
    throw new UsageError(`init needs one of ${HOST_NAMES.join(', ')} for --${isSaying}.`)
  }
  return {
    kind: 'init' as const,
    host,
    isUser: flags['user'] === true,
    isUndone: flags['undo'] === true,
    isAgreed: flags['yes'] === true,
    url: filledTextOf(flags, 'url'),
    scope: filledTextOf(flags, 'scope'),
  }
}

/** @throws UsageError */
export function parseDoctor(rest: readonly string[], flags: Flags) {
  refuseArguments('doctor', rest, ', only flags')
  return { kind: 'doctor' as const, ...serviceOf(flags) }
}

/** Which service's console is meant, and with `demo` whether what it wrote is kept. @throws UsageError */
export function parseConsole(kind: 'console' | 'demo', rest: readonly string[], flags: Flags) {
  refuseArguments(kind, rest, ', only flags')
  const service = serviceOf(flags)
  if (kind === 'console' && service.socketPath !== null)
    throw new UsageError('A browser cannot ask a Unix socket: name the service by --url.')
  return { kind, ...service, tenantId: filledTextOf(flags, 'tenant'), isKept: flags['keep'] === true }
}

/** Which service is asked, by which key and in which scope. @throws UsageError */
function placeOf(flags: Flags) {
  return {
    ...serviceOf(flags),
    keyFile: filledTextOf(flags, 'key-file'),
    tenantId: filledTextOf(flags, 'tenant'),
    scope: filledTextOf(flags, 'scope'),
  }
}

/** Which service an agent is to use, and as whom. @throws UsageError */
export function parseMcp(rest: readonly string[], flags: Flags) {
  refuseArguments('mcp', rest, ', only flags')
  return {
    kind: 'mcp' as const,
    ...placeOf(flags),
    agentId: filledTextOf(flags, 'agent'),
  }
}

/** Which file becomes candidates, and of which service. @throws UsageError */
export function parseAdopt(rest: readonly string[], flags: Flags) {
  const from = oneOf('adopt needs --from,', ADOPT_SOURCES, filledTextOf(flags, 'from'))
  const userId = filledTextOf(flags, 'user-id')
  if (userId !== null && from !== 'mem0') throw new UsageError(`adopt --from ${from} has no flag --user-id.`)
  return {
    kind: 'adopt' as const,
    from,
    file: onlyArgument('adopt', 'FILE', rest),
    ...placeOf(flags),
    /** Holds the key by which what was adopted before is read; null: the one that writes. */
    readerKeyFile: filledTextOf(flags, 'reader-key-file'),
    /** With mem0 only. */
    userId,
    isAgreed: flags['yes'] === true,
    /** Memory whose entry is gone from the file is suppressed. */
    isSuppressing: flags['suppress-removed'] === true,
    isJson: flags['json'] === true,
  }
}

const PORT = 3002
const PORT_MAX = 65_535
const TIMEOUT_MS = 60_000
const TIMEOUT_MS_MAX = 600_000

/** Which store is to be judged by which service. @throws UsageError */
export function parseProxy([word, ...others]: readonly string[], flags: Flags) {
  const backend = oneOf('proxy needs', BACKENDS, word)
  refuseArguments(`proxy ${backend}`, others, '; name the store by --upstream')
  return {
    kind: 'proxy' as const,
    backend,
    upstream: upstreamIn(flags),
    port: numberIn(flags, 'port', 0, PORT_MAX) ?? PORT,
    timeoutMs: numberIn(flags, 'timeout-ms', 1, TIMEOUT_MS_MAX) ?? TIMEOUT_MS,
    ...placeOf(flags),
    agentId: filledTextOf(flags, 'agent'),
    isTrusted: flags['trusted'] === true,
    passesUnknown: flags['pass-unknown'] === true,
    failsOpen: flags['fail-open'] === true,
  }
}

function upstreamIn(flags: Flags): URL {
  const text = filledTextOf(flags, 'upstream')
  if (text === null) throw new UsageError('proxy needs --upstream, the URL of the store.')
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && ['http:', 'https:'].includes(url.protocol) && url.search + url.hash === ''
  if (url === null || !isPlain)
    throw new UsageError('--upstream is no URL of a store, as http://127.0.0.1:8888.')
  if (url.username + url.password !== '') {
    throw new UsageError(
      '--upstream names a user: leave that out, the client of the store sends its own key.',
    )
  }
  return url
}

function numberIn(flags: Flags, name: string, min: number, max: number): number | null {
  const text = filledTextOf(flags, name)
  if (text === null) return null
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(number >= min && number <= max))
    throw new UsageError(`--${name} takes a number from ${min} to ${max}.`)
  return number
}
