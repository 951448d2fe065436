import { DomainError, type ErrorCode, type ErrorDetails } from '../core/base/errors.ts'
import type { JournalFailure, JournalFailureKind } from '../ports/store.ts'

const CODE_OF: Record<JournalFailureKind, ErrorCode> = {
  overloaded: 'overloaded',
  too_large: 'body_too_large',
  closed: 'shutting_down',
  fenced: 'not_owner',
  unavailable: 'storage_unavailable',
  // After these the record may be stored or not: the actor is read again, a caller repeats with its operation id.
  in_doubt: 'storage_read_only',
  conflict: 'storage_unavailable',
  unknown: 'storage_unavailable',
  damaged: 'scope_damaged',
}

/** What a caller is told when the store refused or did not acknowledge; anything else that was thrown stays as it is. */
export function refusalOf(cause: unknown): Error {
  if (!isStoreFailure(cause)) return cause instanceof Error ? cause : new Error(String(cause))
  const kind = cause.journalFailure
  return new DomainError(CODE_OF[kind], { ...detailsOf(cause), journal: kind })
}

function detailsOf({ journalFailure: kind, owner, shard }: JournalFailure): ErrorDetails {
  if (kind === 'in_doubt' || kind === 'conflict' || kind === 'unknown') return { outcome: 'unknown' }
  if (kind !== 'fenced') return {}
  return {
    ...(typeof owner === 'string' ? { owner } : {}),
    ...(typeof shard === 'number' ? { shard } : {}),
  }
}

function isStoreFailure(cause: unknown): cause is JournalFailure {
  return (
    cause instanceof Error &&
    'journalFailure' in cause &&
    Object.hasOwn(CODE_OF, String(cause.journalFailure))
  )
}
