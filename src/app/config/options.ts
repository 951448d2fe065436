import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { messageOf, StartError } from '../../core/base/errors.ts'
import { DURABILITIES } from '../../ports/store.ts'
import {
  integer,
  integerFromText,
  integerOrNull,
  isLoopback,
  isOrigin,
  isProviderUrl,
  listOf,
  path,
  STORE_OPTIONS,
  switchOf,
} from './store-options.ts'

/** The data folder that is none: the store is in memory. */
export const IN_MEMORY = ':memory:'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB
const WORD = /^[\x21-\x7e]{1,256}$/
/** Sent as it is in a header, so it may hold what a header may. */
const SECRET = /^[\x21-\x7e]{1,4096}$/
/** Words of a command line that a shell would not change. */
const COMMAND = /^[\w@%+=:./-]+(?: [\w@%+=:./-]+){0,7}$/
/** Labels of at most 63 characters (RFC 1123). */
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/i
/** `tenant/scope`; neither of them alone. */
const ACTOR_KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\/.{1,256}$/s

/**
 * Every option of memgov, once: default, unit, bounds, meaning. The name gives the environment variable
 * (`dataDir` is MEMGOV_DATA_DIR) and the flag (`--data-dir`).
 */
export const Options = z.strictObject({
  host: z
    .string()
    .refine((host) => isLoopback(host) || isIP(host) !== 0 || HOST_NAME.test(host), {
      message: 'is neither an address nor a name',
    })
    .default('127.0.0.1')
    .meta({
      description:
        'Address to listen on; localhost means 127.0.0.1. Any but a loopback address needs keys (memgov keys create), and tlsCert with tlsKey or insecure.',
      allowed: 'an address or a name',
    }),
  port: integer(0, 65_535).default(3001).describe('TCP port; 0 takes a free one.'),
  allowedHosts: listOf(
    z.string().regex(HOST_NAME),
    'Host names by which clients may ask over TCP besides addresses and names without a dot, such as the name of a proxy before it. Any other is refused: a web page could have a name of its own point at this machine.',
    'a list of host names without port, with commas between',
  ),
  allowedOrigins: listOf(
    z.string().toLowerCase().refine(isOrigin, { message: 'is no list of origins' }),
    'Origins whose web pages may ask and read the answers (CORS). Any other page of another site is refused. Never *: a key in a page is as public as the page.',
    'a list of origins such as https://app.example.org, with commas between',
  ),
  keyRatePerMinute: integerOrNull(1, 10_000_000, {
    unit: 'requests per minute',
    description:
      'Requests that one key may send in a minute; a resolve counts a tenth. One more is answered 429 rate_limited. Without keys all callers count as one. None: no limit.',
  }),
  tenantRatePerMinute: integerOrNull(1, 10_000_000, {
    unit: 'requests per minute',
    description: 'The same for all keys of one tenant together.',
  }),
  keyConcurrencyMax: integerOrNull(1, 100_000, {
    description:
      'Requests of one key that may be inside at the same time; one more is answered 429 rate_limited. None: no limit.',
  }),
  clusterSecret: z
    .string()
    .regex(SECRET, { message: 'is not a secret' })
    .refine((text) => text.length >= 32, { message: 'has fewer than 32 characters' })
    .nullable()
    .default(null)
    .meta({
      description:
        'Signs what one node of a shared store sends on to another; the same on each of them. None: a request for an actor of another node is answered 421 with its address.',
      allowed: 'at least 32 printable characters without spaces',
      isSecret: true,
    }),
  tlsCert: path().nullable().default(null).meta({
    description:
      'Certificate with its chain, PEM: TCP is then served by TLS only. Read anew when the file changes.',
    allowed: 'a path',
  }),
  tlsKey: path().nullable().default(null).meta({
    description: 'Private key of tlsCert, PEM.',
    allowed: 'a path',
  }),
  insecure: switchOf(
    'Listen on other than a loopback address without TLS: keys and memory can then be read on the way. For networks of which every part is trusted, or behind a proxy that encrypts.',
  ),
  socket: path()
    // The operating system holds 104 to 108 bytes of it.
    .refine((text) => Buffer.byteLength(text) <= 100, { message: 'is too long for a socket' })
    .nullable()
    .default(null)
    .meta({
      description: 'Unix socket to listen on as well as TCP.',
      allowed: 'a path of at most 100 bytes',
    }),
  socketMode: z
    .string()
    .regex(/^0?[0-7]{3}$/)
    .default('600')
    .meta({
      description:
        'Who may ask on that socket, as bits of a file: 600 is the user of the service, 660 its group too.',
      allowed: 'three octal digits',
    }),
  dataDir: path().default('./snapshots').meta({
    description:
      'Folder of journal, snapshots, recall indexes, exposure ledger and history; :memory: writes no file and forgets all at the end of the process.',
    allowed: 'a path, or :memory:',
  }),
  ...STORE_OPTIONS,
  durability: z
    .enum(DURABILITIES)
    .default('sync')
    .describe(
      'When a write is acknowledged: sync after the flush; interval and none before it, and the answer says so.',
    ),
  intervalMs: integer(1, 60_000)
    .default(50)
    .meta({ unit: 'ms', description: 'Time between two flushes with durability interval.' }),
  segmentBytes: integer(64 * KIB, 512 * MIB)
    .default(64 * MIB)
    .meta({ unit: 'bytes', description: 'Size of a journal segment.' }),
  padTo: z
    .preprocess(integerFromText, z.literal([512, 4096]))
    .default(4096)
    .meta({
      unit: 'bytes',
      description: 'Journal batches are padded to a multiple of this; 512 for small disks.',
    }),
  journalChain: z
    .enum(['off', 'sha256'])
    .default('off')
    .describe(
      'Keep a SHA-256 chain over the journal, so that memgov verify finds a store that was rewritten with right checksums.',
    ),
  lowSpaceBytes: integer(0, 1024 * GIB)
    .default(GIB)
    .meta({
      unit: 'bytes',
      description:
        'With less free disk space than this, and less than 5 % of the volume, only forget and erase may write; 0 switches it off.',
    }),
  scopesPerTenantMax: integer(1, 10_000_000)
    .default(100_000)
    .describe(
      'Scopes that a tenant may have; the first write to one more is answered 403 too_many_scopes. memgov scopes prune removes unused ones.',
    ),
  scopesMax: integer(1, 10_000_000).default(1_000_000).describe('Scopes that all tenants together may have.'),
  residentActorsMax: integer(1, 1_000_000)
    .default(1024)
    .describe('Actors (tenant and scope) held in memory; above it the least recently used leave.'),
  residentBytesMax: integer(MIB, 64 * GIB)
    .default(512 * MIB)
    .meta({ unit: 'bytes', description: 'Estimated size of all actors held in memory.' }),
  mailboxDepthMax: integer(1, 100_000)
    .default(256)
    .describe('Requests that may wait for one actor; above it 503 overloaded.'),
  concurrentLoadsMax: integer(1, 256).default(8).describe('Actors that are read from disk at the same time.'),
  snapshotMinBytes: integer(4 * KIB, GIB)
    .default(MIB)
    .meta({
      unit: 'bytes',
      description:
        'A snapshot of a scope is written once its part of the journal exceeds this size, or a share of it from three quarters on that each scope has of its own.',
    }),
  workerMemoriesMin: integer(0, 10_000_000).default(2_000).meta({
    unit: 'memories',
    description: 'A scope with more memories is snapshotted in a worker thread.',
  }),
  workers: integer(1, 64)
    .default(1)
    .describe(
      'Worker threads for what requests wait for: ranking, screening, scoring. One more makes snapshots and history; threads without work end.',
    ),
  inlineRankMaxNs: integer(0, 1_000_000_000)
    .default(300_000)
    .meta({ unit: 'ns', description: 'Estimated ranking time above which a worker does the ranking.' }),
  bodyLimitBytes: integer(KIB, 8 * MIB)
    .default(5 * MIB)
    .meta({ unit: 'bytes', description: 'Largest request body; above it 413 body_too_large.' }),
  connectionsMax: integer(1, 65_535)
    .default(1024)
    .describe(
      'Open connections; a request on one more is answered 503 overloaded. Fewer when the limit of open files (ulimit -n) leaves no room; health says how many.',
    ),
  transitBytesMax: integer(MIB, 64 * GIB)
    .default(64 * MIB)
    .meta({
      unit: 'bytes',
      description:
        'Answers that wait for their readers, over all connections: above it the slowest readers are cut off. As much room have bodies above 64 KiB on their way in; without room 503 overloaded.',
    }),
  requestTimeoutMs: integer(100, 600_000).default(30_000).meta({
    unit: 'ms',
    description:
      'Time in which a request must have arrived whole. A reader that takes nothing of its answer for so long is cut off.',
  }),
  shutdownDeadlineMs: integer(100, 600_000)
    .default(10_000)
    .meta({ unit: 'ms', description: 'Time for finishing requests and snapshots after SIGTERM or SIGINT.' }),
  hookVerify: listOf(
    z.string().regex(COMMAND, { message: 'is not a command' }),
    'Commands by which the run of a prompt is judged where the hooks of a coding agent see one end: the last of them sets its outcome. None: outcomes of such runs are unknown.',
    'a list of commands as they begin, such as npm test, with commas between',
  ),
  noConsole: switchOf('Leave out the operator console, the page at /console.'),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
  metrics: switchOf(
    'Count what the service does, and answer GET /metrics on the main address with the numbers, in the text format of Prometheus.',
  ),
  metricsHost: z
    .string()
    .refine(isLoopback, {
      message:
        'is not a loopback address, and no key is asked for there: a key with metrics reads /metrics on the main address',
    })
    .default('127.0.0.1')
    .meta({
      description: 'Address of metricsPort; localhost means 127.0.0.1.',
      allowed: 'localhost, 127.x.x.x or ::1',
    }),
  metricsPort: integerOrNull(0, 65_535, {
    description:
      'TCP port with GET /metrics and nothing else, besides the main address; 0 takes a free one. None: there is no such port.',
  }),
  requestLog: path().nullable().default(null).meta({
    description:
      'Where one JSON line is written for each request, with ids, codes and times but no text: stderr, or a file to whose end lines are added. None: nowhere.',
    allowed: 'stderr or a path',
  }),
  requestLogSlowMs: integer(1, 600_000).default(1_000).meta({
    unit: 'ms',
    description: 'A phase of a request that took so long is named as slow in the request log.',
  }),
  requestLogKey: z.string().regex(SECRET, { message: 'is not a key' }).nullable().default(null).meta({
    description:
      'Key of the hashes that stand for tenant and scope in the request log and in spans. None: a new one with each start.',
    allowed: 'printable characters without spaces',
    isSecret: true,
  }),
  exposureRetentionDays: integer(1, 3650)
    .default(30)
    .meta({ unit: 'days', description: 'How long feedback may still name a guide.' }),
  exposureBudgetBytes: integer(MIB, 1024 * GIB)
    .default(GIB)
    .meta({ unit: 'bytes', description: 'Disk space for exposure sets of this node; the oldest go first.' }),
  historyRetentionDays: integer(1, 3650).default(30).meta({
    unit: 'days',
    description: 'How long turns and audit notes are kept after they have left the journal.',
  }),
  historyBudgetBytes: integer(MIB, 1024 * GIB)
    .default(GIB)
    .meta({ unit: 'bytes', description: 'Disk space for the history of this node; the oldest goes first.' }),
  holdoutPercent: integer(0, 100).default(0).meta({
    unit: '%',
    description:
      'Share of runs whose guides withhold memory (never warnings), so that measure has runs to compare with; 0 switches it off.',
  }),
  holdoutScopes: listOf(
    z.string().regex(ACTOR_KEY),
    'Actors whose runs holdoutPercent applies to; none named: all.',
    'a list of tenant/scope, with commas between or in JSON',
  ),
  embeddingsUrl: z
    .string()
    .refine(isProviderUrl, {
      message: 'is not a http or https URL without name and password, or the file URL of a folder',
    })
    .nullable()
    .default(null)
    .meta({
      description:
        'Provider of embeddings: any OpenAI-compatible address, with or without /v1/embeddings, which memory text and queries are sent to; or file:///path, a folder of this machine with the ONNX model and its tokenizer. None: recall is by words alone.',
      allowed: 'a http, https or file URL',
    }),
  embeddingsModel: z
    .string()
    .regex(WORD, { message: 'is not a name' })
    .default('text-embedding-3-small')
    .meta({
      description: 'Model that the provider is asked for; a folder names its own.',
      allowed: 'a name of at most 256 characters without spaces',
    }),
  embeddingsKey: z.string().regex(SECRET, { message: 'is not a key' }).nullable().default(null).meta({
    description: 'Sent to the provider as bearer token. Never printed or logged.',
    allowed: 'printable characters without spaces',
    isSecret: true,
  }),
  embeddingsDimensions: integerOrNull(8, 8192, {
    description: 'Numbers in a vector, asked of the provider. None: not asked, the first answer tells.',
  }),
  embeddingsTimeoutMs: integer(10, 60_000).default(1_000).meta({
    unit: 'ms',
    description:
      'Time a guide waits for the vector of its query; the embedding of memory waits ten times that.',
  }),
})

export type Config = Readonly<z.output<typeof Options>>

/**
 * The URL of the shared store, from its file or else the environment; null: a data folder is the store. @throws StartError when
 * the file cannot be read
 */
export function storeUrlOf({ store, storeFile }: Pick<Config, 'store' | 'storeFile'>): string | null {
  if (storeFile === null) return store
  try {
    return readFileSync(storeFile, 'utf8').trim()
  } catch (cause) {
    // Of a folder the system does not say which one.
    const why = `The address of the store cannot be read from ${storeFile}: ${messageOf(cause)}.`
    throw new StartError('store_refused', why, {}, cause)
  }
}

const DAY_MS = 86_400_000

/** For how long a store keeps exposure sets, and what its records said before. */
export function retentionOf(config: Config) {
  return {
    exposureRetentionMs: config.exposureRetentionDays * DAY_MS,
    historyRetentionMs: config.historyRetentionDays * DAY_MS,
  }
}

/** For a command that opens a store: what is kept for how long is decided by the service alone. */
export function keptForever(config: Config): Config {
  const forever = Number.POSITIVE_INFINITY
  return {
    ...config,
    exposureRetentionDays: forever,
    exposureBudgetBytes: forever,
    historyRetentionDays: forever,
    historyBudgetBytes: forever,
  }
}

/** The model whose vectors a store keeps. Null: it keeps none. */
export function vectorModelOf({ embeddingsUrl, embeddingsModel }: Config): string | null {
  return embeddingsUrl === null ? null : embeddingsModel
}

/** Options of the network and of a process of its own, which an embedded runtime has not. */
export const SERVER_OPTIONS = [
  'host',
  'port',
  'allowedHosts',
  'allowedOrigins',
  'keyRatePerMinute',
  'tenantRatePerMinute',
  'keyConcurrencyMax',
  'clusterSecret',
  'tlsCert',
  'tlsKey',
  'insecure',
  'socket',
  'socketMode',
  'bodyLimitBytes',
  'connectionsMax',
  'requestTimeoutMs',
  'transitBytesMax',
  'shutdownDeadlineMs',
  'hookVerify',
  'noConsole',
  'metricsHost',
  'metricsPort',
] as const satisfies readonly (keyof Config)[]

export { isLoopback } from './store-options.ts'
