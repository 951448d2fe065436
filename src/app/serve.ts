import { existsSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import { isDiskFull } from '../adapters/files/folder-watch.ts'
import { isWithin } from '../adapters/files/folders.ts'
import { packageFile, packageVersion } from '../adapters/files/package-file.ts'
import { type KeyPlace, keyFolderOf } from '../adapters/keys/key-folder.ts'
import { openLiveKeys } from '../adapters/keys/live-keys.ts'
import { systemClock, systemEntropy } from '../adapters/system/clock-and-entropy.ts'
import { type LogTarget, pinoLog } from '../adapters/system/log.ts'
import { screen } from '../core/screening/screen.ts'
import { maskSecrets } from '../core/screening/secrets.ts'
import type { HopOptions } from '../edges/http/hop/incoming.ts'
import type { MetricsText } from '../edges/http/metrics-server.ts'
import type { HttpOperation, Served } from '../edges/http/server.ts'
import type { TlsPaths } from '../edges/http/tls.ts'
import type { Cluster } from '../ports/cluster.ts'
import type { Keys } from '../ports/keys.ts'
import type { Clock, Entropy, Log } from '../ports/system.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { readConfig } from './config/config.ts'
import { type Config, IN_MEMORY, isLoopback, storeUrlOf } from './config/options.ts'

/** Standard streams, the event loop, lock, journal and ledger take about 30; upkeep and a provider of embeddings some more. */
const PROCESS_FILES = 64
/** An event loop of its own, with its pipes, for each worker thread; and for each load what it reads. */
const FILES_EACH = 4
/** With room for fewer connections a service is of no use. */
const CONNECTIONS_MIN = 16
/** Room for connections above the bound, which are told so; a half of what there is when there is little. */
const SURPLUS_CONNECTIONS = 64

/**
 * Files that this process may have open, sockets among them; null where the system does not tell. It is the hard limit:
 * Node raises the soft one to it.
 */
export function openFilesMax(): number | null {
  try {
    const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return hard === undefined ? null : Number(hard)
  } catch {
    return null
  }
}

/**
 * How many connections may be open at once, so that the store can still open its files and start its threads.
 * @throws when the process may not open enough files to be of use
 */
export function connectionsWithin(
  filesMax: number | null,
  { connectionsMax, workers, concurrentLoadsMax }: Config,
): number {
  if (filesMax === null) return connectionsMax
  const reserve = PROCESS_FILES + FILES_EACH * (workers + concurrentLoadsMax)
  const room = filesMax - reserve
  if (room < 2 * CONNECTIONS_MIN) {
    throw new Error(
      `this process may open ${filesMax} files (ulimit -n), and needs ${reserve + 2 * CONNECTIONS_MIN}: raise the limit`,
    )
  }
  return Math.min(connectionsMax, Math.max(room - SURPLUS_CONNECTIONS, Math.floor(room / 2)))
}

/** How text is screened of which nobody says what it is. */
const ANY_TEXT = { domain: 'general', declaredType: null, queryText: null } as const

export interface SystemPorts {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly log: Log
}

export interface Composition {
  readonly runtime: Served
  readonly telemetry: Telemetry
  /** Null: nothing is counted. */
  readonly metrics: (MetricsText & { addProcess(): void }) | null
  /** Null: this node is the only one. */
  readonly cluster: Cluster | null
  /** Where the store keeps keys; null: in the data folder, if there is one. */
  readonly keys: KeyPlace | null
  /** Closes the runtime and everything below it, within its own deadline. */
  close(): Promise<void>
}

/** What `serve` puts together. */
export interface ServeParts {
  readonly compose: (config: Config, system: SystemPorts) => Promise<Composition>
  readonly operations: readonly HttpOperation[]
  readonly openapi: () => object | Promise<object>
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Composes the runtime and listens. Rejects, with everything closed again, when either fails. */
export async function startService(given: Config, parts: ServeParts, system: SystemPorts) {
  const config = withinOpenFiles(given, system.log)
  const paths = pathsBeforeStart(config)
  // The edge is loaded while the lock and the journal wait for the system.
  const composing = parts.compose(config, system)
  const [composition, edge] = await Promise.all([composing, loadEdge()])
  const { createServer } = edge
  const { metrics, telemetry } = composition
  metrics?.addProcess()
  const { keys, tls, hops, console } = await openEntrance(config, composition, system, paths).catch(
    async (error: unknown) => {
      await composition.close()
      throw error
    },
  )
  const app = createServer(composition.runtime, parts.operations, {
    ...config,
    keys,
    hops,
    // Its peers ask by the name that it gives them.
    allowedHosts: hops === null ? config.allowedHosts : [...config.allowedHosts, hostOf(hops.cluster.url)],
    drainDeadlineMs: Math.floor(config.shutdownDeadlineMs / 2),
    tls,
    socketPath: config.socket,
    socketMode: Number.parseInt(config.socketMode, 8),
    openapi: parts.openapi,
    metrics: config.metrics ? metrics : null,
    console,
    version: packageVersion(),
    hooks: {
      verifiers: config.hookVerify,
      masked: maskSecrets,
      isHarmless: (text) => screen(text, ANY_TEXT).length === 0,
      onEnded: (host, outcome) => telemetry.hookEnded(host, outcome),
    },
    onRefused: (requestId, code) => telemetry.refused(requestId, code),
    ...system,
  })
  const apart = metricsServerOf(config, metrics, edge)
  /** Stops accepting, finishes requests within half of the shutdown deadline, then closes the runtime. */
  const close = async () => {
    await app.close()
    keys?.close()
    await apart?.close()
    await composition.close()
  }
  let metricsUrl: string | null = null
  try {
    // For `localhost` Fastify would open a second server of its own that has none of our limits.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host
    await app.listen({ host, port: config.port })
    metricsUrl = (await apart?.listen()) ?? null
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
  const sockets = config.socket === null ? [] : [config.socket]
  return {
    /** Where it listens: a URL, and the path of the Unix socket if there is one. */
    addresses: [
      ...app.addresses().map((address) => urlOf(address, tls === null ? 'http' : 'https')),
      ...sockets,
    ],
    /** The URL of the numbers on an address of their own; null: there is none. */
    metricsUrl,
    close,
  }
}

/** Null: metrics are off, or answered where everything else is. */
function metricsServerOf(
  { metricsHost: host, metricsPort: port, allowedHosts }: Config,
  metrics: Composition['metrics'],
  { createMetricsServer }: Awaited<ReturnType<typeof loadEdge>>,
) {
  return port === null || metrics === null ? null : createMetricsServer(metrics, { host, port, allowedHosts })
}

/** Who may come in, and by what: keys of the folder or of the shared store, of which a store in memory has none, TLS, and the page of operators. */
async function openEntrance(
  config: Config,
  { cluster, keys: shared }: Composition,
  { clock, log }: SystemPorts,
  paths: TlsPaths | null,
) {
  const { host, dataDir, insecure } = config
  const hops = hopsOf(config, cluster)
  const tls =
    paths === null ? null : await (await import('../edges/http/tls.ts')).openTls(paths, { clock, log })
  const home = shared ?? (dataDir === IN_MEMORY ? null : resolve(dataDir))
  const keys = home === null ? null : await openLiveKeys(home, log)
  const console = await openPage(config, keys, tls !== null, clock).catch((error: unknown) => {
    keys?.close()
    throw error
  })
  const entrance = { keys, tls, hops, console }
  if (isLoopback(host)) return entrance
  const isKeyed = keys?.areUsed ?? false
  if (isKeyed && (tls !== null || insecure)) return entrance
  keys?.close()
  if (!isKeyed) throw keyless(config)
  throw new Error(
    `${host} is not a loopback address, and what is sent there can be read on the way: set --tls-cert and --tls-key, or --insecure where every part of the network is trusted.`,
  )
}

/** What is known before the store is opened: nothing is made for a service that will not start. */
function pathsBeforeStart(config: Config): TlsPaths | null {
  const { host, dataDir } = config
  // Where there is no folder of keys there is no key.
  if (!isLoopback(host) && storeUrlOf(config) === null && !existsSync(keyFolderOf(dataDir)))
    throw keyless(config)
  return tlsPaths(config)
}

function keyless({ host }: Config): Error {
  return new Error(
    `${host} is not a loopback address, and whoever reaches it could read and change every memory: make a key first with memgov keys create.`,
  )
}

/** What requests are sent on by to other nodes; null: they are told where to ask. */
function hopsOf({ clusterSecret: secret, insecure }: Config, cluster: Cluster | null): HopOptions | null {
  if (cluster === null || cluster.url === '' || secret === null) return null
  const isNear = isLoopback(hostOf(cluster.url).replace(/^\[(.*)\]$/, '$1'))
  if (isNear || insecure || cluster.url.startsWith('https:')) return { cluster, secret }
  throw new Error(
    `${cluster.url} is not encrypted, and what nodes send each other there can be read on the way: give the node a https URL with --tls-cert and --tls-key, or set --insecure where every part of the network is trusted.`,
  )
}

function hostOf(url: string): string {
  return new URL(url).hostname
}

function tlsPaths({ tlsCert, tlsKey }: Config): TlsPaths | null {
  if (tlsCert === null && tlsKey === null) return null
  if (tlsCert === null || tlsKey === null) {
    throw new Error('TLS needs a certificate and its key: set both --tls-cert and --tls-key, or neither.')
  }
  return { certPath: tlsCert, keyPath: tlsKey }
}

async function loadEdge() {
  const [{ createServer }, { createMetricsServer }] = await Promise.all([
    import('../edges/http/server.ts'),
    import('../edges/http/metrics-server.ts'),
  ])
  return { createServer, createMetricsServer }
}

/** Null: nothing of it is loaded. */
async function openPage({ noConsole }: Config, keys: Keys | null, isSecure: boolean, clock: Clock) {
  if (noConsole) return null
  const { openConsole } = await import('../edges/console-host/console.ts')
  return openConsole({ folder: packageFile('dist/service/console/'), keys, isSecure, clock })
}

function withinOpenFiles(config: Config, log: Log): Config {
  const filesMax = openFilesMax()
  const connectionsMax = connectionsWithin(filesMax, config)
  if (connectionsMax < config.connectionsMax) {
    const fields = {
      open_files_max: filesMax,
      wanted: config.connectionsMax,
      connections_max: connectionsMax,
    }
    log.warn(
      fields,
      'fewer connections than wanted: the limit of open files has to leave room for files and threads',
    )
  }
  return { ...config, connectionsMax }
}

/** One sentence for the operator about why the service did not start. */
export function startFailure(error: unknown, config: Config): string {
  if (!(error instanceof Error)) return `memgov cannot start: ${String(error)}`
  if (isDiskFull(error))
    return `memgov cannot start: the volume of ${config.dataDir} is full. Make room and start again.`
  const code = 'code' in error ? error.code : null
  const isSocket = 'address' in error && error.address === config.socket
  const isMetrics = !isSocket && 'port' in error && error.port === config.metricsPort
  const place = isSocket
    ? `the socket ${config.socket}`
    : isMetrics
      ? `${config.metricsHost}:${config.metricsPort}`
      : `${config.host}:${config.port}`
  const flag = isSocket ? '--socket' : isMetrics ? '--metrics-port' : '--port'
  switch (code) {
    case 'EADDRINUSE':
      return `memgov cannot listen on ${place}: it is in use. Stop the other process or choose another with ${flag}.`
    case 'EADDRNOTAVAIL':
      return `memgov cannot listen on ${place}: this machine has no such address.`
    default:
      return `memgov cannot start: ${error.message.split('\n', 1)[0]}${'path' in error ? hintOf(String(error.path), config) : ''}`
  }
}

/** What to do about a path that the system refuses, by the option that named it. */
function hintOf(path: string, { requestLog, socket, dataDir }: Config): string {
  const data = resolve(dataDir)
  if (path === requestLog) return '. Name a file that can be written with --request-log.'
  if (socket !== null && path === dirname(socket)) return '. Make it, or choose another with --socket.'
  return resolve(path) === data || isWithin(data, resolve(path))
    ? '. Give the folder and all in it to the user of the service, or choose another with --data-dir.'
    : ''
}

function urlOf(address: AddressInfo | string, scheme: 'http' | 'https'): string {
  if (typeof address === 'string') return address
  return `${scheme}://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

/** What a service needs of its process. */
interface ServingHost {
  readonly stdout: LogTarget
  readonly stderr: LogTarget
  kill(): void
}

/** Starts the service, and ends it when it is told to. Resolves with the exit code. */
export async function serveUntilStopped(
  { config, warnings }: ReturnType<typeof readConfig>,
  host: ServingHost,
  parts: ServeParts,
  stopped: Promise<void>,
): Promise<number> {
  const log = pinoLog(config.logLevel, host.stderr)
  for (const warning of warnings) log.warn({}, warning)
  let service: Service
  try {
    service = await startService(config, parts, { clock: systemClock(), entropy: systemEntropy(), log })
  } catch (error) {
    log.debug({ err: error }, 'start failed')
    host.stderr.write(`${startFailure(error, config)}\n`)
    return 1
  }
  host.stdout.write(`${startupLine(service, config)}\n`)
  if (service.metricsUrl !== null) host.stdout.write(`metrics at ${service.metricsUrl}\n`)
  await stopped
  log.info({ deadline_ms: config.shutdownDeadlineMs }, 'shutting down')
  return closeWithin(config.shutdownDeadlineMs, service, host, log)
}

/** All that whoever reads a log of many services has to know of this one. */
function startupLine({ addresses }: Service, config: Config): string {
  const { dataDir, durability } = config
  const isShared = storeUrlOf(config) !== null
  const isFolder = isShared || dataDir !== IN_MEMORY
  const data = isShared ? 'in PostgreSQL' : isFolder ? resolve(dataDir) : 'in memory'
  // What is in memory is never durable.
  const about = [
    `data ${data}`,
    `durability ${isFolder ? durability : 'none'}`,
    `Node ${process.versions.node}`,
  ]
  return `memgov ${packageVersion()} listens on ${addresses.join(' and ')} (${about.join(', ')})`
}

/** The exit code: 0 when everything closed in time. */
async function closeWithin(
  deadlineMs: number,
  service: Service,
  host: ServingHost,
  log: Log,
): Promise<number> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<number>((resolve) => {
    timer = setTimeout(() => {
      log.error(
        { deadline_ms: deadlineMs },
        'shutdown was cut off at its deadline; the journal holds what was durable',
      )
      host.kill()
      resolve(1)
    }, deadlineMs)
  })
  const closed = service.close().then(
    () => 0,
    (error: unknown) => {
      log.error({ err: error }, 'shutdown failed; the journal holds what was durable')
      return 1
    },
  )
  const code = await Promise.race([closed, deadline])
  clearTimeout(timer)
  return code
}
