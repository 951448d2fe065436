import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { StartError } from '../../core/base/errors.ts'

export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  /** False: over loopback or a socket, or on a network that the operator trusts. */
  readonly ssl: false | { readonly rejectUnauthorized: true; readonly ca?: string; readonly host: string }
}

const SCHEME = /^postgres(ql)?:$/
const DEFAULT_PORT = 5432
const PARAMETERS: ReadonlySet<string> = new Set(['host', 'port', 'user', 'sslmode', 'sslrootcert'])
const SSL_MODES: ReadonlySet<string> = new Set(['verify-full', 'disable'])

export function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && SCHEME.test(new URL(text).protocol)
}

/**
 * What a URL such as postgres://user:password@host:5432/name says; postgres:///name?host=/run/postgresql&user=NAME goes over a socket.
 * Other than over loopback or a socket the certificate of the server is compared. Nothing that is thrown quotes the URL.
 * @throws StartError
 */
export function parseAddress(text: string, isInsecureAllowed: boolean): DatabaseAddress {
  if (!isDatabaseUrl(text)) throw refused('it is no URL such as postgres://user@host:5432/name')
  const url = new URL(text)
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name))
      throw refused(`it has the parameter ${name}; known are ${[...PARAMETERS].join(', ')}`)
  }
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replace(/^\[(.*)\]$/, '$1')
  const database = decoded(url.pathname.slice(1))
  const user = url.searchParams.get('user') ?? decoded(url.username)
  if (host === '' || user === '' || database === '')
    throw refused('it has to name a host, a user and a database')
  const port = Number(url.searchParams.get('port') ?? (url.port || DEFAULT_PORT))
  // The driver would take its own instead of one that is none.
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw refused('its port is no number from 1 to 65535')
  // Who names an authority wants a certificate to be compared, wherever the server is.
  const isFree = (isNear(host) || isInsecureAllowed) && !url.searchParams.has('sslrootcert')
  const mode = url.searchParams.get('sslmode') ?? (isFree ? 'disable' : 'verify-full')
  if (!SSL_MODES.has(mode)) throw refused('sslmode is verify-full or disable')
  if (mode === 'disable' && !isNear(host) && !isInsecureAllowed) {
    throw refused(
      'what is sent to another machine without TLS can be read on the way: leave out sslmode, or set --insecure-store where every part of the network is trusted',
    )
  }
  return {
    host,
    port,
    user,
    password: url.password === '' ? undefined : decoded(url.password),
    database,
    // The certificate has to name it; a server name to ask for may only be a name, which the client adds itself.
    ssl: mode === 'disable' ? false : { rejectUnauthorized: true, host, ...authority(url) },
  }
}

/** Passwords hold a bare % more often than any other sign that a URL has to escape. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refused('a % in it begins no escape of a byte: write %25 for the sign itself')
  }
}

/** For people: without a password. */
export function placeOf({ database, host, port }: DatabaseAddress): string {
  return `the database ${database} at ${host}:${port}`
}

function isNear(host: string): boolean {
  return (
    host.startsWith('/') ||
    host === 'localhost' ||
    host === '::1' ||
    (isIPv4(host) && host.startsWith('127.'))
  )
}

function authority(url: URL): { readonly ca?: string } {
  const path = url.searchParams.get('sslrootcert')
  if (path === null) return {}
  try {
    const ca = readFileSync(path, 'utf8')
    // Without one any authority that the system knows would do.
    if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it holds no certificate in PEM')
    return { ca }
  } catch (cause) {
    throw refused(`the certificate ${path} cannot be read`, cause)
  }
}

function refused(why: string, cause?: unknown): StartError {
  return new StartError('store_refused', `The address of the store is refused: ${why}.`, {}, cause)
}
