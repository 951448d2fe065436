import { constants } from 'node:os'
import type { Files } from '../../src/ports/files.ts'

export type FaultKind = 'EIO' | 'ENOSPC' | 'EDQUOT' | 'EMFILE' | 'short'

/** A call of the port; to open a file that may have to be made is another one. */
export type CallName = keyof Files | 'create'

const GROWING = ['create', 'pwrite', 'mkdir', 'rename', 'fdatasync', 'fsync', 'fsyncDir', 'truncate'] as const

/** The calls that a system answers so. */
export const CALLS_THAT_FAIL: Readonly<Record<FaultKind, ReadonlySet<CallName> | null>> = {
  EIO: null,
  ENOSPC: new Set(GROWING),
  EDQUOT: new Set(GROWING),
  EMFILE: new Set(['open', 'create', 'readdir', 'fsyncDir']),
  short: new Set(['pwrite']),
}

/** As Node throws it: a full quota has no name there. */
export function systemError(code: 'EDQUOT' | keyof typeof constants.errno, call: string): Error {
  const errno = -constants.errno[code]
  const name = code === 'EDQUOT' ? `Unknown system error ${errno}` : code
  return Object.assign(new Error(`${name}: simulated, ${call}`), { code: name, errno, syscall: call })
}

export function failing<T>(kind: FaultKind, name: string, damage: () => T | null): T {
  const result = damage()
  if (kind === 'short' && name === 'pwrite' && result !== null) return result
  throw systemError(kind === 'short' ? 'EIO' : kind, name)
}
