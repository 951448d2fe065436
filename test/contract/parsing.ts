import type { z } from 'zod'
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts'
import { type ParsedRequest, parseRequest } from '../../src/contract/parse.ts'
import { DomainError, type RequestIssue } from '../../src/core/base/errors.ts'

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
  'listActors',
  'listMemories',
  'searchMemories',
  'listGuides',
  'listReview',
  'countRules',
  'compareEffect',
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
}

/** What a refused request is told; fails when it is not refused, or by anything else than a DomainError. */
export function refusalOf(run: () => unknown): Refusal {
  try {
    run()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const issues: unknown = error.details['issues']
    return { code: error.code, message: error.message, issues: Array.isArray(issues) ? issues : [] }
  }
  throw new Error('the request was accepted')
}
