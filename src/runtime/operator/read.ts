import { PAGE_LIMIT } from '../../contract/operator-page.ts'
import type { Viewer } from '../../core/report/viewer.ts'
import { consumerOf, identityOf, isConsumerGiven } from '../normalise/identity.ts'
import { type CursorScope, cursorScope } from './cursor.ts'

type Request = Parameters<typeof identityOf>[0] &
  Parameters<typeof consumerOf>[0] & {
    readonly cursor?: string | null | undefined
    readonly limit?: number | null | undefined
  }

/** What every operator read is asked for. */
export interface OperatorRead {
  readonly tenantId: string
  readonly scope: string
  /** Null: an operator, who sees every lane. */
  readonly viewer: Viewer
  readonly limit: number
  readonly cursor: CursorScope
}

/** @throws invalid_request for a cursor of another list */
export function operatorRead(name: string, request: Request): OperatorRead {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: isConsumerGiven(request) ? consumerOf(request) : null,
    limit: request.limit ?? PAGE_LIMIT,
    cursor: cursorScope(name, request),
  }
}
