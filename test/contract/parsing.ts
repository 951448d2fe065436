import type { z } from 'zod'
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts'
import { type ParsedRequest, parseRequest } from '../../src/contract/parse.ts'
import { DomainError, type ErrorDetails, type RequestIssue } from '../../src/core/base/errors.ts'

export type BodyOperation = Exclude<OperationName, 'health' | 'ready' | 'openapi' | 'followEvents'>
export const BODY_OPERATIONS: readonly BodyOperation[] = [
  'observe',
  'guide',
  'feedback',
  'finish',
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
  'listExternal',
  'listReview',
  'countRules',
  'compareEffect',
  'settle',
  'blastRadius',
  'decisionTrace',
  'decisionReport',
  'flightRecorder',
]

/** The least that each operation takes. */
export const least: Record<BodyOperation, Record<string, unknown>> = {
  observe: { input_text: 'x' },
  guide: { query_text: 'x' },
  feedback: { reason: 'x', run_id: 'r', outcome: 'neutral', used_surface: 'use_now' },
  govern: { query_text: 'x', candidates: [{ external_memory_id: 'e', source_backend: 'b', text: 't' }] },
  forget: { operation: 'suppress', target: 'memory', reason: 'x', memory_ids: ['m'] },
  erase: { reason: 'x', memory_ids: ['m'] },
  rehydrate: { reason: 'x', memory_ids: ['m'] },
  resolve: { uri: 'svc://acme/web/memory/m' },
  measure: { baseline: {}, guided: {} },
  proposeSkills: { task_signature: 't' },
  listSkills: {},
  promoteSkill: { candidate_id: 'skill:1', reviewer_id: 'ann', reason: 'x' },
  rejectSkill: { candidate_id: 'skill:1', reviewer_id: 'ann', reason: 'x' },
  finish: { guide_trace_id: 'guide_trace:x', outcome: 'succeeded' },
  settle: { memory_ids: ['m1', 'm2'], verdict: 'a', reason: 'r' },
  operatorSnapshot: {},
  listActors: {},
  listMemories: { scope: 's' },
  searchMemories: { scope: 's' },
  listGuides: { scope: 's' },
  listExternal: { scope: 's' },
  listReview: { scope: 's' },
  countRules: { scope: 's' },
  compareEffect: { scope: 's' },
  blastRadius: { memory_id: 'm' },
  decisionTrace: { guide_trace_id: 'guide_trace:x' },
  decisionReport: { guide_trace_id: 'guide_trace:x' },
  flightRecorder: { agent_context: {} },
}

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
  return Object.keys(body).length === 0
    ? ' Nothing was sent: send the fields as one JSON object, with GET as query parameters.'
    : ''
}
