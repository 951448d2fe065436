// A skill candidate from proposal to review, as it goes over the wire.

const CANDIDATE_ID = 'skill:01980f1d-1b20-7a4c-8c11-9e0d5a6b7c8d'
const MEMORY_ID = '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11'
const place = { tenant_id: 'acme', scope: 'web-shop' }

const pending = {
  candidate_id: CANDIDATE_ID,
  candidate_type: 'trace_derived_skill',
  status: 'pending_review',
  task_signature: 'fix:login',
  workflow_signature: null,
  source_memory_ids: [MEMORY_ID],
  proposed_at: '2026-01-31T12:00:00.000Z',
  review: null,
  trace_derived_skill: {
    contract_version: 'svc_trace_derived_skill_candidate_v1',
    skill_name: 'Continue fix:login',
    applies_when: ['task_signature:fix:login', 'A later session takes up the same work.'],
    does_not_apply_when: ['Run run-41 failed: A longer token lifetime hid the fault.'],
    procedure_steps: ['Reproduce the failure with a fixed clock', 'Inject the clock into the session'],
    acceptance_checks: ['pnpm test login'],
    authority_state: 'candidate',
    export_policy: {
      agent_prompt_included: false,
      runtime_mutation: false,
      required_gate: 'admission_and_promotion_gate',
    },
    source_trace_ids: ['run:run-42', 'task_signature:fix:login'],
    source_signal_ids: [],
    target_files: ['src/auth/session.ts'],
    failure_counterexamples: ['Run run-41 failed: A longer token lifetime hid the fault.'],
    evidence_refs: ['ci://42'],
    promotion_status: 'candidate_only',
  },
  text_withheld: false,
}

const answered = (route: string, surfaces: readonly string[], candidate: object) => ({
  contract_version: 'svc_trace_derived_skill_review_result_v1',
  ...place,
  candidates: [candidate],
  candidate_count: 1,
  safety: {
    agent_prompt_included: false,
    runtime_mutation: false,
    authority_mutation: false,
    required_gate: 'admission_and_promotion_gate',
  },
  source_map: { routes_used: [route], internal_surfaces_used: surfaces, omitted_internal_surfaces: [] },
})

const ROUTE = '/v1/skills/candidates'
const DERIVED = ['run_records', 'skill_review']
const REASON = 'The steps are those of both runs.'
const review = { candidate_id: CANDIDATE_ID, reviewer_id: 'ann', reason: REASON }
const reviewed = (decision: 'promoted' | 'rejected') => ({
  ...pending,
  status: decision,
  review: { decision, reviewer_id: 'ann', reason: REASON, reviewed_at: '2026-01-31T13:00:00.000Z' },
})

export const SKILL_EXAMPLES = {
  proposeSkills: {
    request: { ...place, task_signature: 'fix:login' },
    response: { ...answered(ROUTE, DERIVED, pending), inserted_count: 1, updated_count: 0, refused: [] },
  },
  listSkills: {
    request: { ...place, status: 'pending_review', limit: 50 },
    response: answered(ROUTE, ['skill_review'], pending),
  },
  promoteSkill: {
    request: { ...place, ...review },
    response: answered(`${ROUTE}/:candidate_id/promote`, DERIVED, reviewed('promoted')),
  },
  rejectSkill: {
    request: { ...place, ...review },
    response: answered(`${ROUTE}/:candidate_id/reject`, DERIVED, reviewed('rejected')),
  },
}
