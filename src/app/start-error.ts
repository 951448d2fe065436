import { DamagedFileError, NewerFileError } from '../adapters/files/damage.ts'
import { isDiskFull } from '../adapters/files/free-space.ts'
import { HistoryGapError } from '../adapters/history/archive.ts'
import { JournalCorruptError, JournalGapError } from '../adapters/journal/failure.ts'
import { MemgovError, messageOf, StartError, type StartErrorCode } from '../core/base/errors.ts'
import { StoreIncompleteError } from './store/completeness.ts'

type ErrorClass = abstract new (...args: never[]) => Error

const CODES: readonly (readonly [StartErrorCode, readonly ErrorClass[]])[] = [
  ['store_newer', [NewerFileError]],
  [
    'store_damaged',
    [JournalCorruptError, JournalGapError, HistoryGapError, DamagedFileError, StoreIncompleteError],
  ],
]

/** Whatever kept a runtime from starting, with a code; `dataDir` is the folder it was to use. */
export function startErrorOf(error: unknown, dataDir: string): MemgovError {
  if (error instanceof MemgovError) return error
  const details = { data_dir: dataDir }
  const what = messageOf(error)
  for (const [code, classes] of CODES) {
    if (classes.some((each) => error instanceof each)) return new StartError(code, what, details, error)
  }
  if (isDiskFull(error)) {
    return new StartError('disk_full', `the volume of ${dataDir} is full: ${what}`, details, error)
  }
  // What the system refuses has the name of the call.
  if (error instanceof Error && 'syscall' in error) {
    return new StartError('file_unusable', `memgov cannot use ${dataDir}: ${what}`, details, error)
  }
  return new StartError('start_failed', `memgov cannot start: ${what}`, details, error)
}
