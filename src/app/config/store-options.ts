import { isIPv4 } from 'node:net'
import { z } from 'zod'
import { isDatabaseUrl } from '../../adapters/postgres/address.ts'
import { STORE_SYNCS } from '../../adapters/postgres/settings.ts'
import { jsonOf } from '../../core/base/collections.ts'

export function integer(min: number, max: number) {
  return z.preprocess(integerFromText, z.int().min(min).max(max))
}

/** The same, or nothing unless it is set. */
export function integerOrNull(min: number, max: number, meta: { description: string; unit?: string }) {
  const allowed = `an integer from ${min} to ${max}`
  return integer(min, max)
    .nullable()
    .default(null)
    .meta({ ...meta, allowed })
}

/** False unless it is set; on the command line to name it means true. */
export function switchOf(description: string) {
  return z
    .preprocess(booleanFromText, z.boolean())
    .default(false)
    .meta({ description, allowed: 'true or false', isSwitch: true })
}

/** Values with commas between, or a list in JSON, whose values may hold a comma; none unless they are set. */
export function listOf<Item extends z.ZodType>(item: Item, description: string, allowed: string) {
  return z.preprocess(listFromText, z.array(item)).default([]).meta({ description, allowed })
}

/** Environment and flags carry text; what is not a plain integer stays text, so that the schema refuses it. */
export function integerFromText(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

function booleanFromText(value: unknown): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value
}

function listFromText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const listed = value.trimStart().startsWith('[') ? jsonOf(value) : undefined
  if (Array.isArray(listed)) return listed
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function path() {
  // A NUL byte would cut the path off in the operating system.
  return z
    .string()
    .min(1)
    .refine((text) => !text.includes('\0'), { message: 'contains a NUL byte' })
}

export function isProviderUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  if (protocol === 'file:') return host === ''
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** As a browser names it: scheme, name and port, in lower case, without a slash at its end. */
export function isOrigin(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Options of a store that nodes share. */
export const STORE_OPTIONS = {
  store: z
    .string()
    .refine(isDatabaseUrl, { message: 'is no URL of a PostgreSQL database' })
    .nullable()
    .default(null)
    .meta({
      description:
        'PostgreSQL database that one or more nodes share, instead of a data folder: nothing is kept on the disk of a node. It needs the package pg, and tables by memgov store setup.',
      allowed:
        'a URL such as postgres://user:password@host:5432/name, or postgres:///name?host=FOLDER&user=NAME for a socket',
      isSecret: true,
    }),
  storeFile: path()
    .nullable()
    .default(null)
    .meta({ description: 'File with the URL of MEMGOV_STORE, instead of it.', allowed: 'a path' }),
  insecureStore: switchOf(
    'Reach a database on another machine without TLS: memory can then be read on the way. For networks of which every part is trusted.',
  ),
  storeSync: z
    .enum(STORE_SYNCS)
    .default('local')
    .describe(
      'What the database has to promise: local, that a commit is on its disk; replicated, that it is on a standby too. A weaker one is refused at the start.',
    ),
  storeCopiesDays: integer(0, 3650).default(7).meta({
    unit: 'days',
    description:
      'How long the log, archives and backups of the database are kept: until then they may hold what was erased, and the answer to an erase says so.',
  }),
  nodeUrl: z
    .string()
    .refine(isOrigin, { message: 'is not a http or https URL of a host alone' })
    .nullable()
    .default(null)
    .meta({
      description:
        'Where other nodes and clients reach this one, told to whoever asks another node. None: nobody is told.',
      allowed: 'a URL such as https://node-1.example.org:3001',
    }),
  leaseMs: integer(1_000, 60_000).default(5_000).meta({
    unit: 'ms',
    description: 'Time after which other nodes take over from one that is not heard of any more.',
  }),
}
