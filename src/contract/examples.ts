import { BLAST_RADIUS_REQUEST, BLAST_RADIUS_RESPONSE } from './blast-radius-example.ts'
import { DECISION_REPORT_REQUEST, DECISION_REPORT_RESPONSE } from './decision-audit-example.ts'
import { DECISION_TRACE_REQUEST, DECISION_TRACE_RESPONSE } from './decision-trace-example.ts'
import { FLIGHT_RECORDER_REQUEST, FLIGHT_RECORDER_RESPONSE } from './flight-recorder-example.ts'
import { GOVERN_REQUEST, GOVERN_RESPONSE } from './govern-example.ts'
import { MEASURE_EXAMPLE } from './measure-example.ts'
import type { OperationName } from './operations.ts'
import { OPERATOR_SNAPSHOT_REQUEST, OPERATOR_SNAPSHOT_RESPONSE } from './operator-snapshot-example.ts'
import { SKILL_EXAMPLES } from './skills-example.ts'

// One loop of two agents' work, as it goes over the wire. The documents print these; a test parses each of them.

const MEMORY_ID = '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11'
const TRACE_ID = 'guide_trace:01980f1c-8a44-7d0e-8b7e-52f1a2c3d4e5'
const TEXT = 'Run the tests with pnpm test; npm test skips the integration suite.'
const actor = { tenant_id: 'acme', scope: 'web-shop' }

const sourceMap = (route: string, ...surfaces: readonly string[]) => ({
  routes_used: [route],
  internal_surfaces_used: surfaces,
  omitted_internal_surfaces: [],
})

const forgetEffect = (action: string, reason: string) => ({
  agent_prompt_included: false,
  action,
  target: 'memory',
  reason,
  changed_count: 1,
  reversible: action !== 'activate',
  affected_memory_ids: [MEMORY_ID],
  affected_client_ids: [],
  missing_memory_ids: [],
  missing_client_ids: [],
  anchor_id: null,
  anchor_uri: null,
})

const observe = {
  request: { ...actor, actor: 'ci-agent', input_text: TEXT, memory: { kind: 'project_context' } },
  response: {
    contract_version: 'svc_observe_result_v1',
    ...actor,
    observed: {
      memory_written: true,
      handoff_stored: false,
      general_memory_count: 1,
      execution_memory_count: 0,
      claim_count: 0,
      echo_count: 0,
    },
    memory_ids: [MEMORY_ID],
    client_id_map: {},
    handoff_id: null,
    claim_ids: [],
    source_map: sourceMap('/v1/observe', 'memory_write'),
  },
}

const surfaces = {
  use_now_memory_ids: [MEMORY_ID],
  inspect_before_use_memory_ids: [],
  do_not_use_memory_ids: [],
  rehydrate_memory_ids: [],
}
const PROMPT = `Memory of this scope.\n\nUse now:\n- [${MEMORY_ID}] ${TEXT}`

const guide = {
  request: {
    ...actor,
    query_text: 'Run the test suite before the release',
    consumer_agent_id: 'worker-1',
    run_id: 'run-42',
  },
  response: {
    contract_version: 'svc_guide_result_v1',
    ...actor,
    consumer_agent_id: 'worker-1',
    guide_trace_id: TRACE_ID,
    agent_context: {
      contract_version: 'svc_agent_context_v1',
      ...actor,
      agent_role: 'agent',
      agent_context_mode: 'standard',
      task_context_profile: 'general',
      prompt_text: PROMPT,
      summary: 'One memory may be used now.',
      history_used: true,
      actionable_history_used: true,
      recommended_posture: 'use_as_context',
      authority: 'advisory',
      target_files: [],
      use_now: [`[${MEMORY_ID}] ${TEXT}`],
      inspect_before_use: [],
      do_not_use: [],
      memory_ids: [MEMORY_ID],
      ...surfaces,
      rehydrate_hints: [],
      command_posture: [
        {
          posture: 'should_continue',
          surface: 'use_now',
          memory_id: MEMORY_ID,
          instruction: TEXT,
          reason: 'clear',
          target_files: [],
        },
      ],
      route_contract: {
        active_targets: [],
        pending_artifacts: [],
        reference_only_targets: [],
        blocked_direction_targets: [],
        evidence_sources: [],
        blocked_routes: [],
        conflict_policy: 'Blocked targets win over active ones.',
        fallback_policy: 'Without an active target, choose by the task.',
        action_policy: 'Act on active targets, verify reference targets first.',
      },
      risk: {
        negative_transfer_risk: 'low',
        blocked_authority_count: 0,
        stale_memory_count: 0,
        reasons: [],
      },
      evidence_refs: { memory_ids: [MEMORY_ID], workflow_ids: [], evidence_count: 0 },
    },
    memory_use_receipt: {
      contract_version: 'svc_memory_use_receipt_v1',
      intended_use: 'memory_use_audit',
      agent_prompt_included: false,
      runtime_mutation: false,
      guide_trace_id: TRACE_ID,
      history_used: true,
      actionable_history_used: true,
      prompt_char_count: PROMPT.length,
      exposed_memory_ids: [MEMORY_ID],
      ...surfaces,
      attributed_memory_ids: [],
      unattributed_recalled_memory_ids: [MEMORY_ID],
      read_only_signal_memory_ids: [],
      decision_summaries: [
        {
          memory_id: MEMORY_ID,
          agent_surface: 'use_now',
          decision_kind: 'used',
          actionable: true,
          rule_id: 'S10',
          reason_codes: ['clear'],
          recall_sources: [{ kind: 'lexical', score: 4.2, reason: 'text_match' }],
        },
      ],
      omitted: [],
      risk_flags: [],
      summary: '1 memory exposed, 1 of it to use now.',
    },
    source_map: sourceMap('/v1/guide', 'recall', 'guide_exposure_ledger'),
  },
}

const outcome = {
  run_id: 'run-42',
  outcome: 'positive',
  used_surface: 'use_now',
  guide_trace_id: TRACE_ID,
  used_memory_ids: [MEMORY_ID],
}

const feedback = {
  request: { ...actor, reason: 'The suite ran completely', ...outcome, verifier_status: 'passed' },
  response: {
    contract_version: 'svc_feedback_result_v1',
    ...actor,
    operation: 'activate',
    target: 'memory',
    ...outcome,
    forget_effect: {
      ...forgetEffect('activate', 'The suite ran completely'),
      attribution: {
        run_id: 'run-42',
        outcome: 'positive',
        used_surface: 'use_now',
        verifier_status: 'passed',
      },
    },
    source_map: sourceMap('/v1/feedback', 'guide_exposure_ledger'),
  },
}

const forget = {
  request: {
    ...actor,
    operation: 'suppress',
    target: 'memory',
    reason: 'The project moved to another test runner',
    memory_ids: [MEMORY_ID],
  },
  response: {
    contract_version: 'svc_forget_result_v1',
    ...actor,
    operation: 'suppress',
    target: 'memory',
    forget_effect: {
      ...forgetEffect('suppress', 'The project moved to another test runner'),
      until: null,
    },
    source_map: sourceMap('/v1/forget', 'memory_lifecycle'),
  },
}

const erase = {
  request: { ...actor, reason: 'The customer asked for it', memory_ids: [MEMORY_ID], actor: 'operator' },
  response: {
    contract_version: 'svc_erase_result_v1',
    ...actor,
    agent_prompt_included: false,
    erased_memory_ids: [MEMORY_ID],
    already_erased_memory_ids: [],
    missing_memory_ids: [],
    tombstones: [
      {
        memory_id: MEMORY_ID,
        erased_at: '2026-01-31T09:00:00.000Z',
        reason: 'The customer asked for it',
        actor: 'operator',
      },
    ],
    purged: { snapshots: 2, journal_segments: 3, history_files: 4 },
    source_map: sourceMap('/v1/memory/erase', 'memory_erasure'),
  },
}

const rehydrate = {
  request: { ...actor, reason: 'Read the whole note', memory_ids: [MEMORY_ID], mode: 'summary_only' },
  response: {
    contract_version: 'svc_rehydrate_result_v1',
    ...actor,
    operation: 'rehydrate',
    target: 'memory',
    forget_effect: { ...forgetEffect('rehydrate', 'Read the whole note'), changed_count: 0 },
    result: {
      mode: 'summary_only',
      memories: [
        {
          memory_id: MEMORY_ID,
          client_id: null,
          uri: `svc://acme/web-shop/memory/${MEMORY_ID}`,
          domain: 'general',
          memory_type: 'project_context',
          kind: 'project_context',
          title: null,
          summary: null,
          lifecycle: {
            lifecycle_state: 'active',
            trust: 'trusted',
            standing: 'active',
            validity: 'live',
            valid_until: null,
            availability: 'resident',
            suppression: null,
          },
          provenance: {
            source: 'observe',
            origin: 'agent',
            actor: 'ci-agent',
            producer_agent_id: null,
            producer_team_id: null,
            memory_lane: 'shared',
            owner_agent_id: null,
            owner_team_id: null,
            run_id: null,
            task_id: null,
            task_family: null,
            task_signature: null,
            workflow_signature: null,
            derived_from: [],
            created_at: '2026-01-31T12:00:00.000Z',
            observed_at: '2026-01-31T12:00:00.000Z',
            updated_at: '2026-01-31T12:00:00.000Z',
            revision: 1,
          },
        },
      ],
      missing_memory_ids: [],
      missing_client_ids: [],
      rehydrated: { moved_ids: [], unchanged_ids: [MEMORY_ID] },
    },
    source_map: sourceMap('/v1/rehydrate', 'memory_lifecycle'),
  },
}

const resolve = {
  request: { uri: `svc://acme/web-shop/topic/${MEMORY_ID}`, consumer_agent_id: 'worker-1' },
  response: {
    contract_version: 'svc_memory_resolve_result_v1',
    ...actor,
    uri: `svc://acme/web-shop/topic/${MEMORY_ID}`,
    type: 'topic',
    node: {
      id: MEMORY_ID,
      uri: `svc://acme/web-shop/topic/${MEMORY_ID}`,
      type: 'topic',
      client_id: null,
      title: null,
      text_summary: TEXT,
    },
    resolve_summary: {
      summary_version: 'resolve_summary_v1',
      resolved_type: 'topic',
      payload_kind: 'node',
      include_meta: false,
      slots_mode: 'none',
      related_uris: [],
      related_uri_count: 0,
      object_keys: ['id', 'uri', 'type', 'client_id', 'title', 'text_summary'],
    },
    source_map: sourceMap('/v1/memory/resolve', 'memory_lookup'),
  },
}

const health = {
  request: null,
  response: {
    ok: true,
    status: 'ready',
    version: '0.1.0',
    uptime_s: 12.5,
    runtime: {
      edition: 'node',
      mode: 'local',
      package_name: 'memgov',
      package_version: '0.1.0',
      started_at: '2026-01-31T12:00:00.000Z',
    },
    storage: {
      backend: 'journal',
      durability: 'sync',
      read_only: false,
      low_space: false,
      last_snapshot_at: null,
      journal_chain_head: null,
    },
    actors: { resident: 1, known: 1 },
    workers: { threads: 1, waiting: 0, upkeep_waiting: 0 },
    providers: { embedding: { configured: false, provider: null, model: null } },
    limits: { body_bytes: 5_242_880, guide_limit: 200 },
  },
}

const openapi = { request: null, response: { openapi: '3.1.0' } }

export const EXAMPLES: Readonly<
  Record<OperationName, { readonly request: object | null; readonly response: object }>
> = {
  observe,
  guide,
  feedback,
  govern: { request: GOVERN_REQUEST, response: GOVERN_RESPONSE },
  forget,
  erase,
  rehydrate,
  resolve,
  measure: MEASURE_EXAMPLE,
  ...SKILL_EXAMPLES,
  operatorSnapshot: { request: OPERATOR_SNAPSHOT_REQUEST, response: OPERATOR_SNAPSHOT_RESPONSE },
  blastRadius: { request: BLAST_RADIUS_REQUEST, response: BLAST_RADIUS_RESPONSE },
  decisionTrace: { request: DECISION_TRACE_REQUEST, response: DECISION_TRACE_RESPONSE },
  decisionReport: { request: DECISION_REPORT_REQUEST, response: DECISION_REPORT_RESPONSE },
  flightRecorder: { request: FLIGHT_RECORDER_REQUEST, response: FLIGHT_RECORDER_RESPONSE },
  health,
  openapi,
}
