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
