import { readFileSync } from 'node:fs'
import type { Config } from './config/options.ts'

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
