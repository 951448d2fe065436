import { systemSchedule } from '../files/concurrency.ts'
import type { DatabaseAddress } from './address.ts'
import { liveNodes } from './arrival.ts'
import { connected, Database, type DatabaseOptions } from './database.ts'
import { Lease } from './lease.ts'
import { knownSteps, newestOf } from './migrate.ts'

const TAKE_ALL = 'update memgov.shard set owner = $1, epoch = epoch + 1'
const GIVE_BACK = 'update memgov.shard set owner = null where owner = $1'

/** Every shard of a store, held so that no node serves from it meanwhile. */
export type HeldStore = Awaited<ReturnType<typeof holdStore>>

interface HoldOptions extends Required<Pick<DatabaseOptions, 'log' | 'leaseMs' | 'connectMs'>> {
  readonly version: string
}

/** Takes every shard, as a node that serves nothing. @throws while other nodes live */
export async function holdStore(address: DatabaseAddress, { log, leaseMs, connectMs, version }: HoldOptions) {
  const database = await Database.over({ address, leaseMs, connectMs, durability: 'sync', log })
  let isLost = false
  const lease = new Lease({
    database,
    log,
    schedule: systemSchedule,
    monotonicMs: () => performance.now(),
    leaseMs,
    url: '',
    version,
    reads: newestOf(await knownSteps()),
    shared: {},
    onLapsed: () => {
      isLost = true
    },
  })
  const release = async (): Promise<void> => {
    await database.lease(GIVE_BACK, [lease.nodeId]).catch(() => undefined)
    await lease.close()
    await database.close()
  }
  try {
    await lease.renew()
    await requireNobodyElse(address, connectMs, lease.nodeId)
    // One that comes from now on finds every shard with this one.
    await database.lease(TAKE_ALL, [lease.nodeId])
    await requireNobodyElse(address, connectMs, lease.nodeId)
    lease.keep()
    /** `isLost`: somebody else may have served, and what was read may be out of date. */
    return { isLost: () => isLost || !lease.isValid, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** @throws an Error that names the nodes that live, other than the one that asks */
export async function requireNobodyElse(
  address: DatabaseAddress,
  connectMs: number,
  me: string | null = null,
): Promise<void> {
  const client = await connected(address, connectMs)
  try {
    const others = await liveNodes(client, me)
    if (others.length === 0) return
    throw new Error(
      `nodes serve from it: ${others.join(', ')}. Stop them first; one that was killed counts as alive until its lease ends`,
    )
  } finally {
    await client.end()
  }
}
