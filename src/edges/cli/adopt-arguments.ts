import { ADOPT_SOURCES, type AdoptSource } from './command-names.ts'
import { type Flags, filledTextOf, onlyArgument, serviceOf, UsageError } from './flags.ts'

/** Which file becomes candidates, and of which service; null: not named on the command line. */
export interface AdoptInvocation {
  readonly kind: 'adopt'
  readonly from: AdoptSource
  readonly file: string
  readonly url: string | null
  readonly socketPath: string | null
  readonly keyFile: string | null
  /** Holds the key by which what was adopted before is read; null: the one that writes. */
  readonly readerKeyFile: string | null
  readonly tenantId: string | null
  readonly scope: string | null
  /** With mem0 only. */
  readonly userId: string | null
  readonly isAgreed: boolean
  /** Memory whose entry is gone from the file is suppressed. */
  readonly isSuppressing: boolean
  readonly isJson: boolean
}

/** @throws UsageError */
export function parseAdopt(rest: readonly string[], flags: Flags): AdoptInvocation {
  const word = filledTextOf(flags, 'from')
  const from = ADOPT_SOURCES.find((each) => each === word)
  if (from === undefined) throw new UsageError(`adopt needs --from, one of ${ADOPT_SOURCES.join(', ')}.`)
  const userId = filledTextOf(flags, 'user-id')
  if (userId !== null && from !== 'mem0') throw new UsageError(`adopt --from ${from} has no flag --user-id.`)
  return {
    kind: 'adopt',
    from,
    file: onlyArgument('adopt', 'FILE', rest),
    ...serviceOf(flags),
    keyFile: filledTextOf(flags, 'key-file'),
    readerKeyFile: filledTextOf(flags, 'reader-key-file'),
    tenantId: filledTextOf(flags, 'tenant'),
    scope: filledTextOf(flags, 'scope'),
    userId,
    isAgreed: flags['yes'] === true,
    isSuppressing: flags['suppress-removed'] === true,
    isJson: flags['json'] === true,
  }
}
