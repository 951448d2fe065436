import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { CandidateDecision } from '../../src/core/external/govern.ts'
import { admissionRecord, admissionRecordObject } from '../../src/core/external/govern-record.ts'
import { answerTo, EACH_KIND, proveAnswers } from '../support/govern-answers.ts'
import {
  commandOf,
  decide,
  MARKED,
  MARKS,
  offeredOf,
  renderAdmission,
  stateWith,
  storedOf,
} from '../support/govern-samples.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('govern answers')
const idOf = ({ facts }: CandidateDecision): string => facts.candidate.externalId

// id, surface, row, state, authority, what decided, in standard mode; what differs in firewall mode below.
const STANDARD = `
  current          use_now            K12  active                 trusted   trusted_current_or_procedure_candidate
  procedure        use_now            K12  active                 trusted   trusted_current_or_procedure_candidate
  unsaid           inspect_before_use K14  unknown                advisory  candidate_requires_inspection_before_direct_use
  stale            inspect_before_use K6   demoted                advisory  negative_hint
  contested        inspect_before_use K6   contested              advisory  negative_hint
  failed           inspect_before_use K6   contested              advisory  negative_hint
  archived         do_not_use         K1   archived               blocked   blocked_by_source
  suppressed       do_not_use         K1   suppressed             blocked   blocked_by_source
  forbidden        do_not_use         K1   active                 blocked   blocked_by_source
  pointer          rehydrate          K5   rehydration_candidate  advisory  rehydration_required_by_source
  unproven         inspect_before_use K11  active                 advisory  inspection_required_by_source
  unknown          inspect_before_use K14  active                 advisory  candidate_requires_inspection_before_direct_use
  ordering         inspect_before_use K9   active                 advisory  content_screening:instruction_override
  elsewhere        inspect_before_use K8   active                 advisory  scope_mismatch
  self-stale       inspect_before_use K7   active                 advisory  lifecycle_candidate_signal:unsafe_direct_use
  self-failed      inspect_before_use K7   active                 advisory  lifecycle_candidate_signal:unsafe_direct_use
  here-failed      do_not_use         K2   failed                 blocked   runtime_history:failed
  here-superseded  do_not_use         K2   superseded             blocked   runtime_history:superseded
  here-suppressed  do_not_use         K2   suppressed             blocked   runtime_history:suppressed
  here-contested   inspect_before_use K10  contested              advisory  runtime_history:contested
  one              inspect_before_use K16  active                 advisory  candidate_contradiction
  other            inspect_before_use K16  active                 advisory  candidate_contradiction
`
const FIREWALL: Readonly<Record<string, string>> = {
  stale: 'K6',
  contested: 'K6',
  failed: 'K6',
  ordering: 'K4',
  elsewhere: 'K3',
  'self-stale': 'K7',
  'self-failed': 'K7',
}
const SURFACE_CODE: Readonly<Record<Surface, string>> = {
  use_now: 'trusted_current_or_procedure_candidate',
  inspect_before_use: 'candidate_requires_inspection_before_direct_use',
  do_not_use: 'candidate_blocked_from_agent_action',
  rehydrate: 'candidate_requires_rehydration_before_exact_use',
}

describe('a record for each kind of candidate', () => {
  const rows = STANDARD.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

  test('in standard mode', () => {
    const told = answerTo(EACH_KIND).records.map((record) => [
      record.memory_id,
      record.admission_action,
      record.rule_id,
      record.lifecycle_state,
      record.authority,
      record.reason_codes[7],
    ])
    expect(told).toEqual(rows)
  })

  test('in firewall mode what speaks against a text blocks it', () => {
    const { records } = answerTo(EACH_KIND, 'firewall')
    for (const [at, [id = '', surface, rule]] of rows.entries()) {
      const blocking = FIREWALL[id]
      expect([id, records[at]?.admission_action, records[at]?.rule_id]).toEqual(
        blocking === undefined ? [id, surface, rule] : [id, 'do_not_use', blocking],
      )
    }
  })

  test('the codes say what the source said, what was weighed, and the surface', () => {
    proveAnswers(prove, ({ decisions, records }, mode) => {
      for (const [at, { facts, surface }] of decisions.entries()) {
        const codes = records[at]?.reason_codes ?? []
        const { candidate } = facts
        expect(codes.slice(0, 2)).toEqual(['external_candidate_admission', `mode:${mode}`])
        expect(codes[2]).toMatch(/^source_backend:/)
        expect(codes.slice(3, 7)).toEqual([
          `source_trust:${candidate.sourceTrust}`,
          `scope:${candidate.authorityScope}`,
          `evidence_requirement:${candidate.requirement}`,
          `lifecycle_hint:${candidate.hint}`,
        ])
        expect(codes.at(-1)).toBe(SURFACE_CODE[surface])
        expect(new Set(codes).size).toBe(codes.length)
        const isSaid = (code: string, isTrue: boolean): void => expect(codes.includes(code)).toBe(isTrue)
        isSaid('lifecycle_candidate_signal:unsafe_direct_use', facts.selfClaim !== null)
        isSaid('scope_mismatch', facts.hasOtherScope)
        isSaid('content_screening:instruction_override', facts.findings.length > 0)
        isSaid(`runtime_history:${facts.history?.state}`, facts.history !== null)
        for (const family of ['lifecycle_candidate_signal', 'content_screening', 'runtime_history'])
          isSaid(family, false)
      }
    })
  })

  test('what it tells of a candidate is what the candidate said and what was decided', () => {
    const decisionKinds = {
      use_now: 'used',
      inspect_before_use: 'downgraded',
      do_not_use: 'blocked',
      rehydrate: 'rehydrate',
    }
    proveAnswers(prove, ({ decisions, records, rendered, object }) => {
      expect(records.map((record) => record.memory_id)).toEqual(decisions.map(idOf))
      for (const [at, decision] of decisions.entries()) {
        const { facts, surface } = decision
        expect(records[at]).toMatchObject({
          memory_origin: 'external',
          source_backend: facts.candidate.sourceBackend,
          domain: facts.candidate.domain,
          memory_type: facts.candidate.hint === 'procedure' ? 'procedure' : 'unknown',
          decision_kind: decisionKinds[surface],
          actionable: surface === 'use_now',
          prompt_included: true,
          prompt_surface: surface,
          agent_used: false,
          feedback_outcome: null,
          attribution_strength: null,
          reason: decision.reason,
          evidence_ids: facts.candidate.evidenceRefs,
          recall_sources: [],
          runtime_memory_id: facts.history?.memoryId ?? null,
          contradicted_memory_ids: decision.disputes.map(({ externalId }) => externalId),
        })
        if (surface === 'do_not_use') expect(records[at]?.title).toBe(null)
        expect(records[at]?.screening_findings).toEqual(
          facts.findings.map(({ kind, place, start, end }) => ({ kind, place, start, end })),
        )
      }
      expect(object).toMatchObject({
        contract_version: 'svc_memory_admission_record_v1',
        intended_use: 'memory_admission_audit_dataset',
        source: 'external_candidate_admission',
        agent_prompt_included: false,
        runtime_mutation: false,
        tenant_id: 't',
        scope: 's',
        guide_trace_id: null,
        prompt_char_count: rendered.promptText.length,
        history_used: true,
        actionable_history_used: decisions.some(({ surface }) => surface !== 'do_not_use'),
        candidate_memory_count: decisions.length,
        prompt_included_memory_count: decisions.length,
        agent_used_memory_count: 0,
      })
      expect(object.entries).toBe(records)
    })
  })

  test('the receipt names the family of what decided, the record the member and the place', () => {
    const { receipt } = answerTo(EACH_KIND)
    const codesOf = (id: string): readonly string[] =>
      receipt.decision_summaries.find((each) => each.memory_id === id)?.reason_codes ?? []
    expect(codesOf('ordering')).toEqual(['content_screening'])
    expect(codesOf('self-stale')).toEqual(['lifecycle_candidate_signal'])
    expect(codesOf('here-contested')).toEqual(['runtime_history'])
    expect(codesOf('current')).toEqual(['trusted_current_or_procedure_candidate'])
    const blocked = answerTo(EACH_KIND, 'firewall').receipt.decision_summaries
    expect(blocked.find((each) => each.memory_id === 'ordering')?.reason_codes).toEqual(['content_screening'])
    const [record] = answerTo([offeredOf({ text: `a ${MARKS.finding}`, title: MARKS.finding })]).records
    expect(record?.screening_findings.map(({ place, start }) => `${place} ${start}`)).toEqual([
      'text 2',
      'title 0',
    ])
  })

  test('a known source is told by the same code as a trusted one', () => {
    const [decision] = decide(commandOf({ candidates: [offeredOf({ sourceTrust: 'known' })] }))
    expect(decision).toMatchObject({ ruleId: 'K13', reasonCode: 'trusted_current_or_procedure_candidate' })
  })

  test('a candidate with the id of a visible memory is told as one of the runtime', () => {
    const state = stateWith(storedOf('m1', 'The service listens on port 5432.'))
    const command = commandOf({ candidates: [offeredOf({ externalId: 'm1' })] })
    const decisions = decide(command, { state })
    const records = decisions.map((each) =>
      admissionRecord(each, renderAdmission(decisions, command), command),
    )
    expect(records[0]).toMatchObject({ memory_origin: 'runtime', runtime_memory_id: 'm1' })
  })

  test('a declared type is told as it is, and the first thirty-two findings of a text', () => {
    const findings = Array.from({ length: 33 }, (_, at) => ({
      kind: 'secret' as const,
      start: at,
      end: at + 1,
      sentence: 's',
    }))
    const command = commandOf({ candidates: [offeredOf({ declaredType: 'fact', hint: 'procedure' })] })
    const [decision] = decide(command, { screen: () => findings })
    if (decision === undefined) throw new Error('no decision')
    const record = admissionRecord(decision, renderAdmission([decision], command), command)
    expect(record.memory_type).toBe('fact')
    expect(record.screening_findings.map(({ start }) => start)).toEqual(
      findings.slice(0, 32).map(({ start }) => start),
    )
  })

  test('what is not printed is not told as printed', () => {
    const command = commandOf({ candidates: [offeredOf()] })
    const decisions = decide(command, MARKED)
    const nothing = renderAdmission([], command)
    const records = decisions.map((decision) => admissionRecord(decision, nothing, command))
    expect(records[0]).toMatchObject({ prompt_included: false, prompt_surface: null })
    expect(admissionRecordObject(records, nothing, command).prompt_included_memory_count).toBe(0)
  })

  test('names of backends and scopes are cut at eighty characters in codes', () => {
    for (const length of [80, 81]) {
      const { records } = answerTo([
        offeredOf({ sourceBackend: 'b'.repeat(length), authorityScope: 's'.repeat(length) }),
      ])
      const [, , backend = '', , scope = ''] = records[0]?.reason_codes ?? []
      expect([backend.length, scope.length]).toEqual(['source_backend:'.length + 80, 'scope:'.length + 80])
    }
  })
})
