import { type Flags, filledTextOf, refuseArguments, serviceOf } from './flags.ts'

/** Which service an agent is to use, and as whom; null: not named on the command line. */
export interface McpInvocation {
  readonly kind: 'mcp'
  readonly url: string | null
  readonly socketPath: string | null
  readonly keyFile: string | null
  readonly tenantId: string | null
  readonly scope: string | null
  readonly agentId: string | null
}

/** @throws UsageError */
export function parseMcp(rest: readonly string[], flags: Flags): McpInvocation {
  refuseArguments('mcp', rest, ', only flags')
  return {
    kind: 'mcp',
    ...serviceOf(flags),
    keyFile: filledTextOf(flags, 'key-file'),
    tenantId: filledTextOf(flags, 'tenant'),
    scope: filledTextOf(flags, 'scope'),
    agentId: filledTextOf(flags, 'agent'),
  }
}
