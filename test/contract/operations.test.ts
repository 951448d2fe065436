import { describe, expect, test } from 'vitest'
import { errorsOf, methodsOf, OPERATIONS, type OperationSpec } from '../../src/contract/operations.ts'
import { ErrorResponse } from '../../src/contract/vocabulary.ts'
import { DomainError, ERROR_CODES, ERRORS, invalidRequest } from '../../src/core/base/errors.ts'
import { example } from '../support/examples.ts'
import { BODY_OPERATIONS, parse } from './parsing.ts'

describe('the public surface', () => {
  test('operations, methods, paths and contract versions are pinned', () => {
    const rows = Object.values(OPERATIONS).map((operation) => {
      const { name, path, writes, access } = operation
      // Its schema takes no other one.
      const { contract_version } = Object(example(name).response)
      const methods = methodsOf(operation).join('|')
      return `${name} ${methods} ${path} ${contract_version ?? '-'} ${writes ? 'writes' : 'reads'} ${access}`
    })
    expect(rows).toEqual([
      'observe POST /v1/observe svc_observe_result_v1 writes agent',
      'guide POST /v1/guide svc_guide_result_v1 writes agent',
      'feedback POST /v1/feedback svc_feedback_result_v1 writes agent',
      'finish POST /v1/finish svc_finish_result_v1 writes agent',
      'govern POST /v1/memory/govern svc_memory_admission_result_v1 reads agent',
      'forget POST /v1/forget svc_forget_result_v1 writes consumer',
      'erase POST /v1/memory/erase svc_erase_result_v1 writes operator',
      'rehydrate POST /v1/rehydrate svc_rehydrate_result_v1 writes agent',
      'resolve POST /v1/memory/resolve svc_memory_resolve_result_v1 reads agent',
      'measure POST /v1/measure svc_measure_result_v1 reads consumer',
      'proposeSkills POST /v1/skills/candidates svc_trace_derived_skill_review_result_v1 writes consumer',
      'listSkills GET /v1/skills/candidates svc_trace_derived_skill_review_result_v1 reads consumer',
      'promoteSkill POST /v1/skills/candidates/:candidate_id/promote svc_trace_derived_skill_review_result_v1 writes operator',
      'rejectSkill POST /v1/skills/candidates/:candidate_id/reject svc_trace_derived_skill_review_result_v1 writes operator',
      'operatorSnapshot POST|GET /v1/operator/snapshot svc_operator_snapshot_result_v1 reads consumer',
      'listActors GET /v1/operator/actors svc_operator_actors_v1 reads operator',
      'listMemories GET /v1/operator/memories svc_operator_memories_v1 reads operator',
      'searchMemories POST /v1/operator/memories svc_operator_memories_v1 reads operator',
      'listGuides GET /v1/operator/guides svc_operator_guides_v1 reads operator',
      'listReview GET /v1/operator/review svc_operator_review_v1 reads operator',
      'listExternal GET /v1/operator/external svc_operator_external_v1 reads operator',
      'countRules GET /v1/operator/rules svc_operator_rules_v1 reads operator',
      'compareEffect GET /v1/operator/effect svc_operator_effect_v1 reads operator',
      'followEvents GET /v1/operator/events svc_operator_events_v1 reads operator',
      'settle POST /v1/operator/settle svc_settle_result_v1 writes operator',
      'blastRadius POST /v1/audit/blast-radius svc_blast_radius_result_v1 reads consumer',
      'decisionTrace POST /v1/debug/memory-decision-trace svc_memory_decision_trace_result_v1 reads consumer',
      'decisionReport POST /v1/audit/memory-decision-report svc_memory_decision_audit_result_v1 reads consumer',
      'flightRecorder POST /v1/audit/flight-recorder svc_agent_flight_recorder_result_v1 reads consumer',
      'health GET /health - reads everyone',
      'ready GET /ready - reads everyone',
      'openapi GET /openapi.json - reads agent',
    ])
  })

  test('error codes, statuses and retries are pinned', () => {
    expect(
      ERROR_CODES.map((code) => `${ERRORS[code].status} ${code} ${ERRORS[code].retryAfterS ?? '-'}`),
    ).toEqual([
      '400 invalid_request -',
      '400 invalid_json -',
      '400 observe_requires_memory_or_handoff -',
      '400 guide_trace_not_found -',
      '400 guide_trace_used_memory_not_exposed -',
      '400 feedback_surface_not_attributable -',
      '400 reference_required -',
      '400 replay_artifact_required -',
      '401 unauthorized -',
      '403 tenant_forbidden -',
      '403 scope_forbidden -',
      '403 agent_forbidden -',
      '403 operator_key_required -',
      '403 read_only_key -',
      '403 cross_site_request -',
      '403 too_many_scopes -',
      '403 unknown_upstream_route -',
      '404 not_found -',
      '404 memory_not_found -',
      '404 anchor_not_found -',
      '404 skill_candidate_not_found -',
      '405 method_not_allowed -',
      '408 request_timeout 1',
      '409 operation_conflict -',
      '409 skill_candidate_already_reviewed -',
      '409 skill_candidate_outdated -',
      '413 body_too_large -',
      '415 unsupported_media_type -',
      '421 host_not_allowed -',
      '421 not_owner 1',
      '429 rate_limited 1',
      '431 headers_too_large -',
      '502 upstream_unavailable 5',
      '502 upstream_answer_refused -',
      '503 not_governed 1',
      '503 overloaded 1',
      '503 erase_incomplete 5',
      '503 storage_read_only 30',
      '503 storage_unavailable 1',
      '503 shutting_down 5',
      '500 scope_damaged -',
      '500 internal_error -',
    ])
  })

  test('an error that says after how many seconds to repeat is worth repeating', () => {
    const timed = ERROR_CODES.filter((code) => ERRORS[code].retryAfterS !== null)
    expect(timed.filter((code) => !ERRORS[code].retryable)).toEqual([])
  })

  test('every code but that of an unknown route and those of the proxy belongs to an operation', () => {
    const used = new Set(Object.values(OPERATIONS).flatMap((operation) => [...errorsOf(operation)]))
    expect(ERROR_CODES.filter((code) => !used.has(code))).toEqual([
      'unknown_upstream_route',
      'not_found',
      'upstream_unavailable',
      'upstream_answer_refused',
      'not_governed',
    ])
  })

  test('every writing operation can refuse a repeated operation id and read-only storage', () => {
    const able = Object.values(OPERATIONS).filter((operation) => {
      const codes = errorsOf(operation)
      return codes.includes('operation_conflict') && codes.includes('storage_read_only')
    })
    const writing = Object.values<OperationSpec>(OPERATIONS).filter(
      ({ writes, writesWith }) => writes || writesWith !== undefined,
    )
    expect(able).toEqual(writing)
  })

  test('a refusal carries the sentence of the table unless the place knows a better one', () => {
    expect(new DomainError('memory_not_found').message).toBe(ERRORS.memory_not_found.message)
    expect(new DomainError('memory_not_found', {}, 'Gone.')).toMatchObject({ message: 'Gone.', details: {} })
    const issue = { path: 'limit', message: 'limit: Send a number of at most 200.' }
    expect(invalidRequest([issue])).toMatchObject({ message: issue.message, details: { issues: [issue] } })
    expect(invalidRequest([]).message).toBe(ERRORS.invalid_request.message)
  })
})

describe('examples', () => {
  test.each(BODY_OPERATIONS)('the request of %s parses without a warning', (name) => {
    expect(parse(name, example(name).request).warnings).toEqual([])
  })

  test.each(Object.values(OPERATIONS))('the answer of $name fits its schema', (operation) => {
    expect(operation.response.parse(example(operation.name).response)).toEqual(
      example(operation.name).response,
    )
  })

  test.each(BODY_OPERATIONS)('the answer schema of %s demands the envelope', (name) => {
    const { contract_version, tenant_id, scope, source_map, ...rest } = Object(example(name).response)
    for (const lacking of [
      { ...rest, tenant_id, scope, source_map },
      { ...rest, contract_version: 'svc_other_v1', tenant_id, scope, source_map },
      { ...rest, contract_version, scope, source_map },
      { ...rest, contract_version, tenant_id, source_map },
      { ...rest, contract_version, tenant_id, scope },
      { ...rest, contract_version, tenant_id, scope, source_map, warnings: [] },
      { ...rest, contract_version, tenant_id, scope, source_map, durable: true },
      { ...rest, contract_version, tenant_id, scope, source_map, surprise: 1 },
    ]) {
      expect(OPERATIONS[name].response.safeParse(lacking).success).toBe(false)
    }
  })

  test('every code fits the error body', () => {
    for (const code of ERROR_CODES) {
      const body = { error: code, message: ERRORS[code].message, details: { any: 1 } }
      expect(ErrorResponse.parse(body)).toEqual(body)
    }
  })
})
