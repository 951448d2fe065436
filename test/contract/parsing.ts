import type { z } from 'zod'
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts'
import { type ParsedRequest, parseRequest } from '../../src/contract/parse.ts'
import { DomainError, type ErrorDetails, type RequestIssue } from '../../src/core/base/errors.ts'

export type BodyOperation = Exclude<OperationName, 'health' | 'ready' | 'openapi'>
export const BODY_OPERATIONS: readonly BodyOperation[] = [
  'observe',
  'guide',
  'feedback',
  'govern',
  'forget',
  'erase',
  'rehydrate',
  'resolve',
  'measure',
  'proposeSkills',
  'listSkills',
  'promoteSkill',
  'rejectSkill',
  'operatorSnapshot',
  'settle',
  'blastRadius',
  'decisionTrace',
  'decisionReport',
  'flightRecorder',
]

const ROWS: Readonly<Record<BodyOperation, { readonly request: z.ZodObject }>> = OPERATIONS

export function parse(operation: BodyOperation, body: unknown): ParsedRequest<unknown> {
  return parseRequest(ROWS[operation], body)
}

export interface Refusal {
  readonly code: string
  readonly message: string
  readonly issues: readonly RequestIssue[]
  readonly details: ErrorDetails
}

/** What a refused request is told; fails when it is not refused, or by anything else than a DomainError. */
export function refusalOf(run: () => unknown): Refusal {
  try {
    run()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { code, message, details } = error
    const issues: unknown = details['issues']
    return { code, message, details, issues: Array.isArray(issues) ? issues : [] }
  }
  throw new Error('the request was accepted')
}

/** What a refusal adds when nothing at all was sent. */
export function emptinessOf(body: object): string {
  return Object.keys(body).length === 0 ? ' The body is empty: send the fields as one JSON object.' : ''
}
