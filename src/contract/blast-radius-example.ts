// What the memory of the other examples has touched, after its one loop.

const MEMORY_ID = '01980f1c-6f0a-7c31-9d52-3f6f0c8e4a11'
const TRACE_ID = 'guide_trace:01980f1c-8a44-7d0e-8b7e-52f1a2c3d4e5'
const AT = '2026-01-31T12:00:00.000Z'

export const BLAST_RADIUS_REQUEST = { tenant_id: 'acme', scope: 'web-shop', memory_id: MEMORY_ID }

export const BLAST_RADIUS_RESPONSE = {
  contract_version: 'svc_blast_radius_result_v1',
  tenant_id: 'acme',
  scope: 'web-shop',
  blast_radius: {
    contract_version: 'svc_blast_radius_report_v1',
    intended_use: 'blast_radius_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    at: AT,
    asked: {
      by: 'memory_id',
      value: MEMORY_ID,
    },
    seen_as: {
      consumer_agent_id: null,
      consumer_team_id: null,
    },
    memory_count: 1,
    memories: [
      {
        memory_id: MEMORY_ID,
        client_id: null,
        title: 'How to run the tests',
        memory_type: 'project_context',
        memory_lane: 'shared',
        lifecycle_state: 'active',
        trust: 'trusted',
        written: {
          producer_agent_id: null,
          producer_team_id: null,
          actor: 'ci-agent',
          origin: 'agent',
          source: 'observe',
          run_id: null,
          at: AT,
          revision: 1,
          revised_at: null,
        },
        derived_from: [],
      },
    ],
    derivative_count: 0,
    derivatives: [],
    guides: {
      count: 1,
      scanned_count: 1,
      is_cut: false,
      entries: [
        {
          guide_trace_id: TRACE_ID,
          consumer_agent_id: 'worker-1',
          consumer_team_id: null,
          run_id: 'run-42',
          task_signature: null,
          at: AT,
          held_out: false,
          exposed: [
            {
              memory_id: MEMORY_ID,
              surface: 'use_now',
              is_derivative: false,
            },
          ],
        },
      ],
    },
    runs: {
      count: 1,
      entries: [
        {
          run_id: 'run-42',
          ended: null,
          outcomes: [
            {
              memory_id: MEMORY_ID,
              outcome: 'positive',
              used_surface: 'use_now',
              verifier_status: 'passed',
              strong: false,
              direct: true,
              guide_trace_id: TRACE_ID,
              at: AT,
            },
          ],
        },
      ],
    },
    dry_run: {
      operation: 'suppress',
      basis: 'recorded_guides',
      note: 'Computed from the recorded guides, not by running them again: each line of a suppressed memory is taken as do_not_use. What would have stood in its place is not computed. Memory derived from it is not touched by suppression.',
      guides_considered: 1,
      differing_count: 1,
      changed_line_count: 1,
      entries: [
        {
          guide_trace_id: TRACE_ID,
          consumer_agent_id: 'worker-1',
          run_id: 'run-42',
          at: AT,
          lines: [
            {
              memory_id: MEMORY_ID,
              surface: 'use_now',
              surface_if_suppressed: 'do_not_use',
            },
          ],
          use_now_left: 0,
          usable_left: 0,
        },
      ],
    },
  },
  source_map: {
    routes_used: ['/v1/audit/blast-radius'],
    internal_surfaces_used: ['memory_lookup', 'exposure_ledger'],
    omitted_internal_surfaces: ['agent_prompt_text', 'raw_payloads'],
  },
}
