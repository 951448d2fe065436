import type { IncomingHttpHeaders } from 'node:http'
import type { Log } from '../../ports/log.ts'

const CLIENT = /^[a-z][a-z-]{0,30}\/(\d{1,6})\.[\x21-\x7e]{1,40}$/

/** Clients that the log is told of, once each. */
const TOLD_MAX = 16

/** Warns of clients that name another major version than that of the service: they may not understand its answers. */
export function clientWatch(version: string, log: Log): (headers: IncomingHttpHeaders) => void {
  const [major] = version.split('.', 1)
  const told = new Set<string>()
  return ({ 'x-memgov-client': client }) => {
    if (typeof client !== 'string') return
    const [, of = major] = CLIENT.exec(client) ?? []
    if (of === major || told.has(client) || told.size >= TOLD_MAX) return
    told.add(client)
    log.warn({ client, version }, 'a client of another major version asks')
  }
}
