import { silentLog } from '../../adapters/files/silent-log.ts'
import { keyIn, keyText } from '../../adapters/keys/key-file.ts'
import type { FoundKeys, KeyPlace, ListedKey } from '../../adapters/keys/key-folder.ts'
import { parseAddress } from '../../adapters/postgres/address.ts'
import { Database } from '../../adapters/postgres/database.ts'
import { keyRows } from '../../adapters/postgres/key-rows.ts'
import { messageOf } from '../../core/base/errors.ts'
import { type Config, storeUrlOf } from '../config/options.ts'

/** The keys of a shared store, as every node of it sees them. */
export function storeKeys(database: Database): KeyPlace {
  const rows = keyRows(database)
  return {
    ...rows,
    read: async () => found(await rows.read()),
    write: (key) => rows.write(key.keyId, keyText(key)),
  }
}

export async function withStoreKeys<T>(config: Config, work: (place: KeyPlace) => Promise<T>): Promise<T> {
  const address = parseAddress(storeUrlOf(config) ?? '', config.insecureStore)
  const { leaseMs } = config
  const database = await Database.over({ address, leaseMs, durability: 'sync', log: silentLog })
  try {
    return await work(storeKeys(database))
  } finally {
    await database.close()
  }
}

function found(rows: Awaited<ReturnType<ReturnType<typeof keyRows>['read']>>): FoundKeys {
  const keys: ListedKey[] = []
  const damaged: { file: string; cause: string }[] = []
  for (const { id, body, isRevoked } of rows) {
    try {
      const key = keyIn(body)
      if (key.keyId !== id) throw new Error(`it is the key ${key.keyId}`)
      keys.push({ ...key, isRevoked })
    } catch (error) {
      damaged.push({ file: `key ${id}.json`, cause: messageOf(error) })
    }
  }
  return { keys: keys.toSorted((a, b) => a.createdAtMs - b.createdAtMs), damaged }
}
