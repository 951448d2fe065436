import { z } from 'zod'
import { isDatabaseUrl } from '../../adapters/postgres/address.ts'
import { STORE_SYNCS } from '../../adapters/postgres/settings.ts'
import { integer, isOrigin, path, switchOf } from './option-kinds.ts'

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
    .meta({ description: 'File with that URL, instead of MEMGOV_STORE.', allowed: 'a path' }),
  insecureStore: switchOf(
    'Reach a database on another machine without TLS: memory can then be read on the way. For networks of which every part is trusted.',
  ),
  storeSync: z.enum(STORE_SYNCS).default('local').meta({
    description:
      'What the database has to promise: local, that a commit is on its disk; replicated, that it is on a standby too. A weaker one is refused at the start.',
  }),
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
