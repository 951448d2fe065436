import { BACKENDS, type Backend } from '../proxy/upstreams.ts'
import { type Flags, filledTextOf, refuseArguments, serviceOf, UsageError } from './flags.ts'

/** Which store is to be judged by which service; null: not named on the command line. */
export interface ProxyInvocation {
  readonly kind: 'proxy'
  readonly backend: Backend
  readonly upstream: URL
  readonly port: number
  readonly timeoutMs: number
  readonly url: string | null
  readonly socketPath: string | null
  readonly keyFile: string | null
  readonly tenantId: string | null
  readonly scope: string | null
  readonly agentId: string | null
  readonly isTrusted: boolean
  readonly passesUnknown: boolean
  readonly failsOpen: boolean
}

const PORT = 3002
const PORT_MAX = 65_535
const TIMEOUT_MS = 60_000
const TIMEOUT_MS_MAX = 600_000

/** @throws UsageError */
export function parseProxy([word, ...others]: readonly string[], flags: Flags): ProxyInvocation {
  const backend = BACKENDS.find((each) => each === word)
  if (backend === undefined) throw new UsageError(`proxy needs one of ${BACKENDS.join(', ')}.`)
  refuseArguments(`proxy ${backend}`, others, '; name the store by --upstream')
  return {
    kind: 'proxy',
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
