import { type Address, getJson, postJson } from './query.ts'
import { type Ask, READS } from './reads.ts'

/** Asks a service that runs. */
export function askService(address: Address): Ask {
  return (name, fields) => {
    const { method, path } = READS[name]
    return method === 'GET' ? getJson(address, path, fields) : postJson(address, path, fields)
  }
}
