// The loop of the other examples, reported on. A test parses it.

const MEMORY_ID = '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11'
const TRACE_ID = 'guide_trace:01980f1c-8a44-7d0e-8b7e-52f1a2c3d4e5'
const actor = { tenant_id: 'acme', scope: 'web-shop' }

export const DECISION_REPORT_REQUEST = { ...actor, guide_trace_id: TRACE_ID }

export const DECISION_REPORT_RESPONSE = {
  contract_version: 'svc_memory_decision_audit_result_v1',
  tenant_id: 'acme',
  scope: 'web-shop',
  memory_decision_audit: {
    contract_version: 'svc_memory_decision_audit_report_v1',
    intended_use: 'operator_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    guide_trace_id: TRACE_ID,
    run_id: 'run-42',
    replay_source: 'runtime_record',
    verdict: 'learning_control_visible',
    claims: [
      {
        claim: 'agent_prompt_excluded',
        status: 'pass',
        evidence: 'The report is made of ids, codes and sentences of the rules.',
      },
      { claim: 'runtime_state_unchanged', status: 'pass', evidence: 'It was read in a turn without events.' },
      {
        claim: 'artifacts_match_records',
        status: 'not_applicable',
        evidence: '0 fields of what was supplied differ from the record.',
      },
      {
        claim: 'memory_lifecycle_visible',
        status: 'pass',
        evidence: 'The lifecycle state at that moment is known of 1 of 1 memories.',
      },
      {
        claim: 'negative_transfer_control_visible',
        status: 'not_applicable',
        evidence: '0 memories were held back and 0 relations touch what was shown.',
      },
      {
        claim: 'feedback_attribution_visible',
        status: 'pass',
        evidence: 'Outcomes name 1 of 1 shown memories; the others get no credit and no blame.',
      },
      {
        claim: 'history_surface_compact',
        status: 'pass',
        evidence: 'The prompt had 406 characters; 4096 are compact.',
      },
    ],
    counters: {
      total_memory_count: 1,
      controlled_memory_count: 0,
      omitted_count: 0,
      relation_count: 0,
      feedback_attribution_count: 1,
      feedback_threshold_met_count: 0,
      prompt_char_count: 406,
    },
    risks: {
      negative_transfer_risk: 'low',
      unresolved_inspection_count: 0,
      blocked_or_suppressed_count: 0,
      reasons: [],
    },
    artifact_mismatch: [],
    artifact_unverified: [],
    hold_out: { held_out: false, withheld_memory_ids: [] },
    erased_memories: [],
    feedback_signal_review: {
      present: true,
      authority_mutation: false,
      positive_attributed_memories: [
        { memory_id: MEMORY_ID, title: null, reason: 'A run succeeded with it.' },
      ],
      weak_counter_signal_memories: [],
      strong_counter_signal_memories: [],
      relation_counter_signal_memories: [],
      contradiction_warning_memories: [],
      repeated_unattributed_memories: [],
      read_only_signal_memories: [],
    },
    judgment_calibration_review: {
      authority: 'read_only',
      supported_memories: [{ memory_id: MEMORY_ID, title: null, reason: 'Outcomes speak for it.' }],
      contradicted_memories: [],
      weak_memories: [],
      unused_memories: [],
      inconclusive_memories: [],
    },
    neighborhood_drift_review: [],
    confidence_decay_candidate_review: [],
    decision_reviews: {
      used_memories: [{ memory_id: MEMORY_ID, title: null, reason: 'live, trusted and not contested' }],
      downgraded_memories: [],
      blocked_memories: [],
      rehydrate_memories: [],
    },
  },
  source_map: {
    routes_used: ['/v1/audit/memory-decision-report'],
    internal_surfaces_used: [
      'exposure_ledger',
      'guide_decisions',
      'feedback_attribution',
      'memory_lifecycle',
      'memory_decision_trace',
    ],
    omitted_internal_surfaces: ['agent_prompt_text', 'memory_text', 'query_text'],
  },
}
