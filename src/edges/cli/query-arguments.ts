import { type MemoryUri, parseMemoryUri } from '../../contract/memory-uri.ts'
import type { QueryCommand } from './command-names.ts'
import {
  type Flags,
  filledTextOf,
  onlyArgument,
  type StoreChoice,
  serviceOf,
  storeOf,
  UsageError,
} from './flags.ts'
import type { Query } from './query.ts'

/** What a query command asks, and where; null: not named on the command line. */
export interface QueryInvocation {
  readonly kind: 'query'
  readonly query: Query
  readonly url: string | null
  readonly socketPath: string | null
  /** A database instead of a service; null: a service is asked. */
  readonly store: StoreChoice | null
  /** Where an id whose scope is not named is looked for; null: it is in the place that the query names. */
  readonly anywhere: Anywhere | null
}

/** Every scope of a data folder, or those of one tenant. */
export interface Anywhere {
  readonly dataDir: string | null
  readonly tenantId: string | null
}

/** @throws UsageError */
export function parseQuery(command: QueryCommand, rest: readonly string[], flags: Flags): QueryInvocation {
  const { url, socketPath } = serviceOf(flags)
  const store = storeOf(flags)
  if (store !== null && (url !== null || socketPath !== null))
    throw new UsageError('Name a service or a database, not both.')
  const isJson = flags['json'] === true
  const tenantId = filledTextOf(flags, 'tenant')
  const dataDir = filledTextOf(flags, 'data-dir')
  const scope = filledTextOf(flags, 'scope')
  const { path, print, subject, place } = askedBy(command, rest, flags)
  const named = {
    ...(tenantId === null ? {} : { tenant_id: tenantId }),
    ...(scope === null ? {} : { scope }),
  }
  if (
    place !== null &&
    (place.tenant_id !== (tenantId ?? place.tenant_id) || place.scope !== (scope ?? place.scope))
  ) {
    throw new UsageError('The URI names another tenant or scope than the flags: leave the flags out.')
  }
  const query: Query = { path, body: { ...named, ...place, ...subject }, print: isJson ? 'json' : print }
  const isPlaced = scope !== null || place !== null || !isUnique(subject)
  return { kind: 'query', query, url, socketPath, store, anywhere: isPlaced ? null : { dataDir, tenantId } }
}

/** What a command asks about, and the place that its argument names. */
interface Asked extends Pick<Query, 'path' | 'print'> {
  readonly subject: object
  readonly place: { readonly tenant_id: string; readonly scope: string } | null
}

const TRACE_PREFIX = 'guide_trace:'

function askedBy(command: QueryCommand, rest: readonly string[], flags: Flags): Asked {
  if (command === 'explain') {
    const id = onlyArgument(command, 'GUIDE_TRACE_ID', rest)
    return {
      path: '/v1/audit/flight-recorder',
      print: 'explain',
      subject: {
        replay_source: 'journal',
        guide_trace_id: id.startsWith(TRACE_PREFIX) ? id : `${TRACE_PREFIX}${id}`,
      },
      place: null,
    }
  }
  const subject = subjectOf(rest, flags)
  const uri = 'memory_id' in subject ? uriOf(subject.memory_id) : null
  return {
    path: '/v1/audit/blast-radius',
    print: 'blast-radius',
    subject: uri === null ? subject : { memory_id: uri.id },
    place: uri === null ? null : { tenant_id: uri.tenantId, scope: uri.scope },
  }
}

/** Null: it is an id. */
function uriOf(argument: string): MemoryUri | null {
  if (!argument.includes('://')) return null
  const uri = parseMemoryUri(argument)
  if (uri === null) {
    throw new UsageError(`${JSON.stringify(argument)} is no memory URI such as svc://tenant/scope/memory/id.`)
  }
  return uri
}

/** An id of ours is of one scope only; a source or an origin may be anywhere. */
function isUnique(subject: object): boolean {
  return 'guide_trace_id' in subject || 'memory_id' in subject
}

function subjectOf(
  rest: readonly string[],
  flags: Flags,
): Readonly<Partial<Record<'memory_id' | 'origin' | 'source' | 'external_memory_id', string>>> {
  const origin = filledTextOf(flags, 'origin')
  const source = filledTextOf(flags, 'source')
  const external = filledTextOf(flags, 'external')
  const named = rest.length + [origin, source, external].filter((said) => said !== null).length
  if (named > 1)
    throw new UsageError('blast-radius takes one of MEMORY_ID, --origin, --source and --external.')
  if (external !== null) return { external_memory_id: external }
  if (origin !== null) return { origin }
  if (source !== null) return { source }
  return { memory_id: onlyArgument('blast-radius', 'MEMORY_ID', rest) }
}
