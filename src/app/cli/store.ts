import { parseAddress } from '../../adapters/postgres/address.ts'
import { fenceEverybody } from '../../adapters/postgres/arrival.ts'
import { connected } from '../../adapters/postgres/database.ts'
import {
  type Migrated,
  migrate,
  namesOf,
  refuseDenied,
  requireMigrated,
} from '../../adapters/postgres/migrate.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { StoreInvocation } from '../../edges/cli/service-arguments.ts'
import { readConfig } from '../config/config.ts'
import { storeUrlOf } from '../config/options.ts'
import type { Terminal } from './offline.ts'

/**
 * `memgov store setup`: makes the tables of a shared store, or brings them up to date, by a role that may. `memgov store fence`: after
 * a restore to an earlier time. The exit code: 0 done, 2 the database cannot be used.
 */
export async function storeCommand(
  { action, role }: StoreInvocation,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const refuse = (why: string): number => {
    stderr.write(`memgov store ${action}: ${why}\n`)
    return 2
  }
  if (role === 'public')
    return refuse('public is every role of the database: name the one by which nodes serve.')
  try {
    const { config } = readConfig()
    const url = storeUrlOf(config)
    if (url === null) return refuse('name the database by MEMGOV_STORE=postgres://user:password@host/name.')
    const client = await connected(parseAddress(url, config.insecureStore))
    try {
      if (action === 'fence') return await fence(client, stdout)
      const done = await migrate(client, role)
      stdout.write(saidOf(done, role))
      return 0
    } finally {
      await client.end()
    }
  } catch (error) {
    return refuse(messageOf(error))
  }
}

function saidOf({ made, older }: Migrated, role: string | null): string {
  const what = made.length === 0 ? 'the tables are those of this version' : `made ${made.join(', ')}`
  const who = role === null ? '' : `; ${role} may serve from them`
  const next =
    older.length === 0
      ? ''
      : `\nNodes of an older version serve on: ${namesOf(older)}. Replace them, then run memgov store setup again: it lets nodes write what older ones cannot read, and refuses those.`
  return `${what}${who}${next}\n`
}

/** A node that went on behind the copy has more in mind than the database: nothing of it may be written or served again. */
async function fence(
  client: Awaited<ReturnType<typeof connected>>,
  stdout: Terminal['stdout'],
): Promise<number> {
  await requireMigrated(client)
  const shards = await fenceEverybody(client).catch(refuseDenied)
  stdout.write(`${shards} shards are free, and every node of before is shut out: nodes may start\n`)
  return 0
}
