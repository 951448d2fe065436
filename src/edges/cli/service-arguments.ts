import { BACKENDS } from '../proxy/upstreams.ts'
import { ADOPT_SOURCES, HOST_NAMES } from './command-names.ts'
import { type Flags, filledTextOf, onlyArgument, refuseArguments, serviceOf, UsageError } from './flags.ts'

// What is asked of commands that work with a running service. Null: not named on the command line.

export type InitInvocation = ReturnType<typeof parseInit>
export type ConsoleInvocation = ReturnType<typeof parseConsole>
export type McpInvocation = ReturnType<typeof parseMcp>
export type AdoptInvocation = ReturnType<typeof parseAdopt>
export type ProxyInvocation = ReturnType<typeof parseProxy>

/** Which program is told of memgov, and how; null for the program: list what is there. @throws UsageError */
export function parseInit([word, ...others]: readonly string[], flags: Flags) {
  refuseArguments('init', others, '')
  const host = HOST_NAMES.find((each) => each === word) ?? null
  if (word !== undefined && host === null) throw new UsageError(`init takes one of ${HOST_NAMES.join(', ')}.`)
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

/** Which service an agent is to use, and as whom. @throws UsageError */
export function parseMcp(rest: readonly string[], flags: Flags) {
  refuseArguments('mcp', rest, ', only flags')
  return {
    kind: 'mcp' as const,
    ...serviceOf(flags),
    keyFile: filledTextOf(flags, 'key-file'),
    tenantId: filledTextOf(flags, 'tenant'),
    scope: filledTextOf(flags, 'scope'),
    agentId: filledTextOf(flags, 'agent'),
  }
}

/** Which file becomes candidates, and of which service. @throws UsageError */
export function parseAdopt(rest: readonly string[], flags: Flags) {
  const word = filledTextOf(flags, 'from')
  const from = ADOPT_SOURCES.find((each) => each === word)
  if (from === undefined) throw new UsageError(`adopt needs --from, one of ${ADOPT_SOURCES.join(', ')}.`)
  const userId = filledTextOf(flags, 'user-id')
  if (userId !== null && from !== 'mem0') throw new UsageError(`adopt --from ${from} has no flag --user-id.`)
  return {
    kind: 'adopt' as const,
    from,
    file: onlyArgument('adopt', 'FILE', rest),
    ...serviceOf(flags),
    keyFile: filledTextOf(flags, 'key-file'),
    /** Holds the key by which what was adopted before is read; null: the one that writes. */
    readerKeyFile: filledTextOf(flags, 'reader-key-file'),
    tenantId: filledTextOf(flags, 'tenant'),
    scope: filledTextOf(flags, 'scope'),
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
  const backend = BACKENDS.find((each) => each === word)
  if (backend === undefined) throw new UsageError(`proxy needs one of ${BACKENDS.join(', ')}.`)
  refuseArguments(`proxy ${backend}`, others, '; name the store by --upstream')
  return {
    kind: 'proxy' as const,
    backend,
    upstream: upstreamIn(flags),
    port: numberIn(flags, 'port', 0, PORT_MAX) ?? PORT,
    timeoutMs: numberIn(flags, 'timeout-ms', 1, TIMEOUT_MS_MAX) ?? TIMEOUT_MS,
    ...serviceOf(flags),
    keyFile: filledTextOf(flags, 'key-file'),
    tenantId: filledTextOf(flags, 'tenant'),
    scope: filledTextOf(flags, 'scope'),
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
