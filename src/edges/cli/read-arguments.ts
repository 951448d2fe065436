import type { ReadCommandName } from './command-names.ts'
import {
  type Flags,
  filledTextOf,
  onlyArgument,
  refuseArguments,
  type StoreChoice,
  serviceOf,
  storeOf,
  UsageError,
} from './flags.ts'
import { READ_LISTS, type ReadList } from './read-text.ts'
import type { ReadCommand, Reading } from './reads.ts'

/** What a command that reads shows, and of which service or folder; null: not named on the command line. */
export interface ReadInvocation {
  readonly kind: 'read'
  readonly command: ReadCommand
  readonly url: string | null
  readonly socketPath: string | null
  readonly dataDir: string | null
  /** A database instead of a service; null: none. */
  readonly store: StoreChoice | null
}

const LISTED = 50
const COUNT = /^[1-9]\d{0,5}$/

/** @throws UsageError */
export function parseRead(command: ReadCommandName, rest: readonly string[], flags: Flags): ReadInvocation {
  const { url, socketPath } = serviceOf(flags)
  const dataDir = filledTextOf(flags, 'data-dir')
  const store = storeOf(flags)
  if ([dataDir, store, url ?? socketPath].filter((place) => place !== null).length > 1) {
    throw new UsageError('Name a service, a folder or a database: one, not both.')
  }
  const reading = readingOf(command, rest, flags)
  const tenant = filledTextOf(flags, 'tenant')
  const scope = filledTextOf(flags, 'scope')
  const isOfScope = reading.show !== 'list' || reading.list !== 'scopes'
  if (scope !== null && !isOfScope) throw new UsageError('ls scopes has no flag --scope.')
  const place = {
    ...(tenant === null ? {} : { tenant_id: tenant }),
    // Reads of a scope name it, also where it is the default.
    ...(isOfScope ? { scope: scope ?? 'default' } : {}),
  }
  const isJson = flags['json'] === true
  return { kind: 'read', command: { reading, place, isJson }, url, socketPath, dataDir, store }
}

function readingOf(command: ReadCommandName, rest: readonly string[], flags: Flags): Reading {
  switch (command) {
    case 'ls':
      return listReading(rest, flags)
    case 'show':
      return { show: 'one', id: onlyArgument(command, 'ID', rest) }
    case 'tail':
      refuseArguments(command, rest, ', only flags')
      return { show: 'tail' }
  }
}

function listReading(rest: readonly string[], flags: Flags): Reading {
  const list = listNamed(rest)
  const text = filledTextOf(flags, 'text')
  if (text !== null && list !== 'memories') throw new UsageError(`ls ${list} has no flag --text.`)
  const limit = filledTextOf(flags, 'limit')
  if (limit !== null && !COUNT.test(limit)) throw new UsageError('--limit is a number from 1 to 999999.')
  return { show: 'list', list, limit: limit === null ? LISTED : Number(limit), text }
}

function listNamed([word = 'memories', ...more]: readonly string[]): ReadList {
  const list = READ_LISTS.find((each) => each === word)
  if (list === undefined || more.length > 0) throw new UsageError(`ls takes one of ${READ_LISTS.join(', ')}.`)
  return list
}
