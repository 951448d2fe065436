import { HOST_NAMES, type HostName } from './command-names.ts'
import { type Flags, filledTextOf, refuseArguments, serviceOf, UsageError } from './flags.ts'

/** Which program is told of memgov, and how; null: not named on the command line. */
export interface InitInvocation {
  readonly kind: 'init'
  /** Null: list what is there. */
  readonly host: HostName | null
  readonly isUser: boolean
  readonly isUndone: boolean
  readonly isAgreed: boolean
  readonly url: string | null
  readonly scope: string | null
}

export interface DoctorInvocation {
  readonly kind: 'doctor'
  readonly url: string | null
  readonly socketPath: string | null
}

export function parseInit([word, ...others]: readonly string[], flags: Flags): InitInvocation {
  refuseArguments('init', others, '')
  const host = HOST_NAMES.find((each) => each === word) ?? null
  if (word !== undefined && host === null) throw new UsageError(`init takes one of ${HOST_NAMES.join(', ')}.`)
  const isSaying = ['user', 'undo', 'yes', 'scope', 'url'].find((name) => flags[name] !== undefined)
  if (host === null && isSaying !== undefined) {
    throw new UsageError(`init needs one of ${HOST_NAMES.join(', ')} for --${isSaying}.`)
  }
  return {
    kind: 'init',
    host,
    isUser: flags['user'] === true,
    isUndone: flags['undo'] === true,
    isAgreed: flags['yes'] === true,
    url: filledTextOf(flags, 'url'),
    scope: filledTextOf(flags, 'scope'),
  }
}

export function parseDoctor(rest: readonly string[], flags: Flags): DoctorInvocation {
  refuseArguments('doctor', rest, ', only flags')
  return { kind: 'doctor', ...serviceOf(flags) }
}
