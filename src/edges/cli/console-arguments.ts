import { type Flags, filledTextOf, refuseArguments, serviceOf, UsageError } from './flags.ts'

/** Which service's console is meant, and what the demonstration does with it; null: not named on the command line. */
export interface ConsoleInvocation {
  readonly kind: 'console' | 'demo'
  readonly url: string | null
  readonly socketPath: string | null
  readonly tenantId: string | null
  /** With `demo` only. */
  readonly isKept: boolean
}

/** @throws UsageError */
export function parseConsole(
  kind: ConsoleInvocation['kind'],
  rest: readonly string[],
  flags: Flags,
): ConsoleInvocation {
  refuseArguments(kind, rest, ', only flags')
  const service = serviceOf(flags)
  if (kind === 'console' && service.socketPath !== null)
    throw new UsageError('A browser cannot ask a Unix socket: name the service by --url.')
  return { kind, ...service, tenantId: filledTextOf(flags, 'tenant'), isKept: flags['keep'] === true }
}
