import type { RequestOf } from '../../contract/operations.ts'
import { assert } from '../../core/base/assert.ts'
import { BLAST_SUBJECTS, type BlastSubject } from '../../core/report/blast-radius.ts'
import type { Viewer } from '../../core/report/viewer.ts'
import { consumerOf, identityOf, isConsumerGiven } from './identity.ts'

/** What a blast radius is asked about. */
export interface BlastQuery {
  readonly tenantId: string
  readonly scope: string
  /** Null: an operator, who sees the whole actor. */
  readonly viewer: Viewer
  readonly subject: BlastSubject
}

export function blastQuery(request: RequestOf<'blastRadius'>): BlastQuery {
  const { tenantId, scope } = identityOf(request)
  const [subject] = BLAST_SUBJECTS.flatMap((by): readonly BlastSubject[] => {
    const value = request[by] ?? null
    return value === null ? [] : [{ by, value }]
  })
  assert(subject !== undefined, 'the schema demands one subject')
  return { tenantId, scope, viewer: isConsumerGiven(request) ? consumerOf(request) : null, subject }
}
