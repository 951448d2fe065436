import type { OPERATIONS, RequestedName } from '../contract/operations.ts'

type Row<Name extends RequestedName> = readonly [
  method: (typeof OPERATIONS)[Name]['method'],
  path: (typeof OPERATIONS)[Name]['path'],
  writes: (typeof OPERATIONS)[Name]['writes'],
]

/**
 * What a client has to know of the operations table: method, path, and whether a 200 has changed the state. It stands here
 * once more, because the table brings every schema along; the compiler holds each row against it.
 */
export const ROUTES = {
  observe: ['POST', '/v1/observe', true],
  guide: ['POST', '/v1/guide', true],
  feedback: ['POST', '/v1/feedback', true],
  finish: ['POST', '/v1/finish', true],
  govern: ['POST', '/v1/memory/govern', false],
  forget: ['POST', '/v1/forget', true],
  erase: ['POST', '/v1/memory/erase', true],
  rehydrate: ['POST', '/v1/rehydrate', true],
  resolve: ['POST', '/v1/memory/resolve', false],
  measure: ['POST', '/v1/measure', false],
  proposeSkills: ['POST', '/v1/skills/candidates', true],
  listSkills: ['GET', '/v1/skills/candidates', false],
  promoteSkill: ['POST', '/v1/skills/candidates/:candidate_id/promote', true],
  rejectSkill: ['POST', '/v1/skills/candidates/:candidate_id/reject', true],
  operatorSnapshot: ['POST', '/v1/operator/snapshot', false],
  listActors: ['GET', '/v1/operator/actors', false],
  listMemories: ['GET', '/v1/operator/memories', false],
  searchMemories: ['POST', '/v1/operator/memories', false],
  listGuides: ['GET', '/v1/operator/guides', false],
  listExternal: ['GET', '/v1/operator/external', false],
  listReview: ['GET', '/v1/operator/review', false],
  countRules: ['GET', '/v1/operator/rules', false],
  compareEffect: ['GET', '/v1/operator/effect', false],
  settle: ['POST', '/v1/operator/settle', true],
  blastRadius: ['POST', '/v1/audit/blast-radius', false],
  decisionTrace: ['POST', '/v1/debug/memory-decision-trace', false],
  decisionReport: ['POST', '/v1/audit/memory-decision-report', false],
  flightRecorder: ['POST', '/v1/audit/flight-recorder', false],
} as const satisfies { readonly [Name in RequestedName]: Row<Name> }
