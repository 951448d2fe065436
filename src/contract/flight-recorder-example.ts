// One incident: a memory that a guide gave for direct use, and what its failure changed since.

const USED_ID = '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11'
const BLOCKED_ID = '01980f1c-7102-7b44-8c1e-9a0b1c2d3e4f'
const TRACE_ID = 'guide_trace:01980f1c-8a44-7d0e-8b7e-52f1a2c3d4e5'
const GUIDE_AT = '2026-01-31T12:00:02.000Z'
const FEEDBACK_AT = '2026-01-31T12:00:03.000Z'
const place = { tenant_id: 'acme', scope: 'web-shop' }

const change = {
  facet: 'standing',
  from: 'active',
  to: 'demoted',
  cause: 'weak_negative',
  reason: 'run run-42 reported against it: Two tests failed',
  at: FEEDBACK_AT,
  seq: 5,
  by_memory_id: null,
}
const blocked = {
  position: 1,
  agent_surface: 'do_not_use',
  rule_id: 'S1',
  reason_codes: ['suppressed'],
  lifecycle_state: 'suppressed',
}
const source_map = {
  routes_used: ['/v1/audit/flight-recorder'],
  internal_surfaces_used: ['exposure_ledger', 'journal', 'history', 'lexical_recall', 'admission'],
  omitted_internal_surfaces: ['agent_prompt_text', 'query_text', 'raw_memory_rows'],
}

export const FLIGHT_RECORDER_REQUEST = { ...place, replay_source: 'journal', guide_trace_id: TRACE_ID }

export const FLIGHT_RECORDER_RESPONSE = {
  contract_version: 'svc_agent_flight_recorder_result_v1',
  ...place,
  agent_flight_recorder: {
    contract_version: 'svc_agent_flight_recorder_report_v1',
    ...place,
    intended_use: 'incident_replay_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    record_source: 'runtime',
    explanation: 'recorded',
    guide_trace_id: TRACE_ID,
    run_id: 'run-42',
    task_signature: null,
    consumer_agent_id: 'worker-1',
    consumer_team_id: null,
    decision_time: GUIDE_AT,
    guide_at: GUIDE_AT,
    guide_seq: 4,
    held_out: false,
    agent_view: {
      history_used: true,
      actionable_history_used: true,
      recommended_posture: 'use_as_context',
      authority: 'advisory',
      prompt_char_count: 584,
      prompt_sha256: 'ed38752daf8528036e7ed78e2e6ae05eb7ae97161ee21377a00861bebea89c25',
      exposed_memory_ids: [USED_ID, BLOCKED_ID],
      use_now_memory_ids: [USED_ID],
      inspect_before_use_memory_ids: [],
      do_not_use_memory_ids: [BLOCKED_ID],
      rehydrate_memory_ids: [],
      prompt_text_included: false,
      query_sha256: 'f31067c7cdc0831aec0e70e53e3fa649b52bf9bcd3aa59c6e099c9bc05ab8b55',
      query_char_count: 37,
      target_files: [],
      recall_sources_by_memory_id: [
        { memory_id: USED_ID, recall_sources: [{ kind: 'lexical', score: 2.31, reason: 'text_match' }] },
        { memory_id: BLOCKED_ID, recall_sources: [{ kind: 'recent', score: 0, reason: 'small_scope' }] },
      ],
      rules_by_memory_id: [
        { memory_id: USED_ID, rule_id: 'S10', reason_codes: ['clear'] },
        { memory_id: BLOCKED_ID, rule_id: 'S1', reason_codes: ['suppressed'] },
      ],
    },
    blocked_or_suppressed: [
      {
        memory_id: BLOCKED_ID,
        title: 'Release tags',
        lifecycle_state: 'suppressed',
        authority: 'blocked',
        agent_surface: 'do_not_use',
        rule_id: 'S1',
        reason_codes: ['suppressed'],
        reason: 'suppressed: The pipeline tags releases now',
        recall_sources: [{ kind: 'recent', score: 0, reason: 'small_scope' }],
        omitted: null,
      },
    ],
    omitted: [],
    attribution: {
      present: true,
      outcome: 'negative',
      used_memory_ids: [USED_ID],
      attributed_memory_ids: [USED_ID],
      unattributed_memory_ids: [BLOCKED_ID],
      supported_memory_ids: [],
      contradicted_memory_ids: [USED_ID],
      reason: '1 recorded outcomes name 1 of the 2 memories that were shown.',
    },
    effects: {
      outcomes: [
        {
          memory_id: USED_ID,
          run_id: 'run-42',
          outcome: 'negative',
          used_surface: 'use_now',
          verifier_status: null,
          direct: false,
          strong: false,
          names_guide: true,
          at: FEEDBACK_AT,
          seq: 5,
        },
      ],
      facet_changes: [{ memory_id: USED_ID, ...change, by_this_guide: true }],
      unnamed_outcomes: [],
      later_guides: [],
      cut: false,
    },
    now: {
      at: '2026-01-31T12:00:04.000Z',
      held_out: false,
      actionable_history_used: true,
      recommended_posture: 'inspect_before_use',
      authority: 'candidate',
      prompt_char_count: 630,
      prompt_sha256: '322d2500fe3f182c1bd1f3e9a69499350062d5d7592ca661ccb7201aa9e402bd',
      exposed_memory_ids: [USED_ID, BLOCKED_ID],
      use_now_memory_ids: [],
      inspect_before_use_memory_ids: [USED_ID],
      do_not_use_memory_ids: [BLOCKED_ID],
      rehydrate_memory_ids: [],
      omitted: [],
    },
    now_missing: null,
    differences: [
      {
        memory_id: USED_ID,
        change: 'moved',
        order_changed: false,
        before: {
          position: 0,
          agent_surface: 'use_now',
          rule_id: 'S10',
          reason_codes: ['clear'],
          lifecycle_state: 'active',
        },
        now: {
          position: 0,
          agent_surface: 'inspect_before_use',
          rule_id: 'S5',
          reason_codes: ['not_trusted_enough'],
          lifecycle_state: 'demoted',
        },
        causes: [{ kind: 'facet_changed', ...change }],
        causes_cut: false,
      },
      {
        memory_id: BLOCKED_ID,
        change: 'same',
        order_changed: false,
        before: blocked,
        now: blocked,
        causes: [],
        causes_cut: false,
      },
    ],
    erased_memories: [],
    other_guides: [],
    guides_cut: false,
    govern_decisions: [],
    replay_sources: {
      has_agent_context: false,
      has_memory_decision_trace: false,
      has_memory_use_receipt: false,
      has_memory_admission_record: false,
      has_operator_snapshot: false,
      has_feedback_result: false,
    },
    artifact_mismatch: [],
    claims: [
      {
        claim: 'agent_view_reconstructable',
        status: 'pass',
        evidence: 'The records hold 2 memories in order, with surface, rule and reason.',
      },
      {
        claim: 'runtime_read_only',
        status: 'pass',
        evidence: '0 events were decided; the sequence stood at 5 before and 5 after.',
      },
    ],
    source_map,
    summary:
      '2 memories were shown, 1 were held back, outcome negative; asked now, 1 would be shown otherwise.',
  },
  source_map,
}
