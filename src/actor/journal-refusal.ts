import { DomainError, type ErrorCode } from '../core/base/errors.ts'
import type { JournalFailureKind } from '../ports/journal.ts'

const CODE_OF: Record<JournalFailureKind, ErrorCode> = {
  overloaded: 'overloaded',
  too_large: 'body_too_large',
  closed: 'shutting_down',
  // After these the record may be on disk or not: the actor is read again, a caller repeats with its operation id.
  in_doubt: 'storage_read_only',
  fenced: 'storage_read_only',
  conflict: 'storage_read_only',
}

/** What a caller is told when the journal did not acknowledge. */
export function refusalOf(cause: unknown): Error {
  const kind = failureKindOf(cause)
  if (kind === null) return cause instanceof Error ? cause : new Error(String(cause))
  const isInDoubt = CODE_OF[kind] === 'storage_read_only'
  return new DomainError(CODE_OF[kind], isInDoubt ? { outcome: 'unknown', journal: kind } : { journal: kind })
}

function failureKindOf(cause: unknown): JournalFailureKind | null {
  if (!(cause instanceof Error) || !('journalFailure' in cause)) return null
  const kind = String(cause.journalFailure)
  return isKind(kind) ? kind : null
}

function isKind(kind: string): kind is JournalFailureKind {
  return Object.hasOwn(CODE_OF, kind)
}
