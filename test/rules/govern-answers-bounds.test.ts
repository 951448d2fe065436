import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/domain/closed-sets.ts'
import type { Candidate, CandidateDecision } from '../../src/domain/governance/govern.ts'
import { governContext, governReceipt } from '../../src/domain/governance/govern-context.ts'
import { admissionRecord, admissionRecordObject } from '../../src/domain/governance/govern-record.ts'
import { admissionSummary, firewallSummary } from '../../src/domain/governance/govern-summary.ts'
import { GOVERN_MODES, type GovernMode } from '../../src/domain/governance/govern-words.ts'
import { renderAdmission } from '../../src/domain/prompt/govern-prompt.ts'
import {
  anyCandidates,
  anyMode,
  commandOf,
  decide,
  MARKED,
  MARKS,
  offeredOf,
  stateWith,
  storedOf,
} from '../support/govern-samples.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('govern answers')

function answerTo(candidates: readonly Candidate[], mode: GovernMode = 'standard', isCompact = true) {
  const command = commandOf({
    mode,
    candidates,
    isCompact,
    tenantId: 't',
    scope: 's',
    role: 'worker',
    profile: 'long_qa',
  })
  const decisions = decide(command, MARKED)
  const rendered = renderAdmission(decisions, command)
  const records = decisions.map((decision) => admissionRecord(decision, rendered, command))
  return {
    decisions,
    rendered,
    context: governContext(decisions, rendered, command),
    receipt: governReceipt(decisions, rendered),
    records,
    object: admissionRecordObject(records, rendered, command),
    admission: admissionSummary(decisions, command),
    firewall: firewallSummary(decisions, command),
  }
}
type Answer = ReturnType<typeof answerTo>

/** A law of the answer to any candidates in any mode. */
function proveAnswers(law: (answer: Answer, mode: GovernMode) => void): void {
  for (const mode of GOVERN_MODES) {
    law(answerTo(EACH_KIND, mode), mode)
    for (const candidate of EACH_KIND) law(answerTo([candidate], mode), mode)
  }
  prove(
    fc.tuple(anyCandidates, anyMode, fc.boolean()),
    ([candidates, mode, isCompact]) => law(answerTo(candidates, mode, isCompact), mode),
    120,
  )
}

const idOf = ({ facts }: CandidateDecision): string => facts.candidate.externalId
const on = ({ decisions }: Answer, surface: Surface): readonly CandidateDecision[] =>
  decisions.filter((decision) => decision.surface === surface)
const many = (count: number, said: Partial<Candidate>): readonly Candidate[] =>
  Array.from({ length: count }, (_, n) => offeredOf({ externalId: `ext:${n}`, ...said }))

/** One candidate for each thing that can be known of one. */
const EACH_KIND: readonly Candidate[] = [
  offeredOf({ externalId: 'current' }),
  offeredOf({ externalId: 'procedure', hint: 'procedure' }),
  offeredOf({ externalId: 'unsaid', hint: 'unknown' }),
  offeredOf({ externalId: 'stale', hint: 'stale' }),
  offeredOf({ externalId: 'contested', hint: 'contested', sourceTrust: 'untrusted' }),
  offeredOf({ externalId: 'failed', hint: 'failed' }),
  offeredOf({ externalId: 'archived', hint: 'archived' }),
  offeredOf({ externalId: 'suppressed', hint: 'suppressed' }),
  offeredOf({ externalId: 'forbidden', requirement: 'blocked' }),
  offeredOf({ externalId: 'pointer', requirement: 'rehydrate_before_use' }),
  offeredOf({ externalId: 'unproven', requirement: 'inspect_before_use' }),
  offeredOf({ externalId: 'unknown', sourceTrust: 'unknown' }),
  offeredOf({ externalId: 'ordering', text: `an order ${MARKS.finding}` }),
  offeredOf({ externalId: 'elsewhere', metadataScope: 'elsewhere' }),
  offeredOf({ externalId: 'self-stale', text: 'This workflow is obsolete.', readsSelfClaims: true }),
  offeredOf({ externalId: 'self-failed', text: 'The approach failed.', readsSelfClaims: true }),
  offeredOf({ externalId: 'here-failed', text: `${MARKS.history}failed` }),
  offeredOf({ externalId: 'here-superseded', text: `${MARKS.history}superseded` }),
  offeredOf({ externalId: 'here-suppressed', text: `${MARKS.history}suppressed` }),
  offeredOf({ externalId: 'here-contested', text: `${MARKS.history}contested` }),
  offeredOf({ externalId: 'one', text: '\u00a7slot=1' }),
  offeredOf({ externalId: 'other', text: '\u00a7slot=2' }),
]

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
    proveAnswers(({ decisions, records }, mode) => {
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
    proveAnswers(({ decisions, records, rendered, object }) => {
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
          contradicted_memory_ids: decision.contradictedIds,
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
      kind: 'k',
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

describe('the agent context of a governed request', () => {
  test('tells who asked, and lists every candidate once, in the order of the request', () => {
    proveAnswers((answer) => {
      const { context, receipt, decisions, rendered } = answer
      const lists = {
        use_now_memory_ids: on(answer, 'use_now').map(idOf),
        inspect_before_use_memory_ids: on(answer, 'inspect_before_use').map(idOf),
        do_not_use_memory_ids: on(answer, 'do_not_use').map(idOf),
        rehydrate_memory_ids: on(answer, 'rehydrate').map(idOf),
      }
      expect(context).toMatchObject({
        contract_version: 'svc_agent_context_v1',
        tenant_id: 't',
        scope: 's',
        agent_role: 'worker',
        task_context_profile: 'long_qa',
        prompt_text: rendered.promptText,
        history_used: true,
        memory_ids: decisions.map(idOf),
        use_now: rendered.lines.use_now,
        inspect_before_use: rendered.lines.inspect_before_use,
        do_not_use: rendered.lines.do_not_use,
        ...lists,
        rehydrate_hints: on(answer, 'rehydrate').map((each) => ({
          memory_id: idOf(each),
          reason: each.reason,
          required: true,
        })),
      })
      expect(context.evidence_refs.memory_ids).toEqual(decisions.map(idOf))
      expect(receipt).toMatchObject({
        contract_version: 'svc_memory_use_receipt_v1',
        intended_use: 'memory_use_audit',
        agent_prompt_included: false,
        runtime_mutation: false,
        guide_trace_id: null,
        history_used: true,
        actionable_history_used: context.actionable_history_used,
        prompt_char_count: rendered.promptText.length,
        exposed_memory_ids: decisions.map(idOf),
        ...lists,
        attributed_memory_ids: [],
        unattributed_recalled_memory_ids: [],
        read_only_signal_memory_ids: [],
        omitted: [],
        risk_flags: context.risk.reasons,
        summary: context.summary,
      })
      expect(receipt.decision_summaries).toEqual(
        answer.records.map((record, at) => ({
          memory_id: record.memory_id,
          agent_surface: record.admission_action,
          decision_kind: record.decision_kind,
          actionable: record.actionable,
          rule_id: record.rule_id,
          reason_codes: [decisions[at]?.reasonCode],
          recall_sources: [],
        })),
      )
    })
    expect(answerTo([], 'standard', true).context.agent_context_mode).toBe('compact_agent')
    expect(answerTo([], 'standard', false).context.agent_context_mode).toBe('standard')
  })

  test('posture, authority, risk and what can affect the next action follow from the surfaces', () => {
    proveAnswers((answer) => {
      const { context, decisions } = answer
      const has = (surface: Surface): boolean => on(answer, surface).length > 0
      expect(context.recommended_posture).toBe(
        has('use_now')
          ? 'reuse_supported_history'
          : has('rehydrate')
            ? 'rehydrate_before_use'
            : has('inspect_before_use')
              ? 'inspect_before_use'
              : 'ignore_history',
      )
      expect(context.authority).toBe(
        has('inspect_before_use') || has('rehydrate')
          ? 'advisory'
          : has('do_not_use')
            ? 'blocked'
            : 'trusted',
      )
      const isAgainst = ({ facts }: CandidateDecision): boolean =>
        ['stale', 'contested', 'failed', 'archived', 'suppressed'].includes(facts.candidate.hint) ||
        facts.candidate.requirement === 'blocked' ||
        facts.selfClaim !== null ||
        facts.findings.length > 0 ||
        facts.history !== null
      const isMedium = has('inspect_before_use') || has('rehydrate')
      expect(context.risk).toMatchObject({
        negative_transfer_risk:
          has('do_not_use') || decisions.some(isAgainst) ? 'high' : isMedium ? 'medium' : 'low',
        blocked_authority_count: on(answer, 'do_not_use').length,
        stale_memory_count: decisions.filter(
          ({ facts }) =>
            facts.candidate.hint === 'stale' ||
            facts.candidate.hint === 'archived' ||
            facts.selfClaim === 'stale' ||
            facts.history?.state === 'superseded',
        ).length,
      })
      expect(context.actionable_history_used).toBe(decisions.some(({ surface }) => surface !== 'do_not_use'))
      expect(context.summary).toBe(
        `Candidates: ${on(answer, 'use_now').length} usable now, ${on(answer, 'inspect_before_use').length} to verify first, ` +
          `${on(answer, 'do_not_use').length} as warnings, ${on(answer, 'rehydrate').length} to rehydrate.`,
      )
    })
  })

  test('each kind alone has its posture, authority and risk', () => {
    const told = (said: Partial<Candidate>): readonly unknown[] => {
      const { context } = answerTo([offeredOf(said)])
      const { recommended_posture, authority, risk, actionable_history_used } = context
      return [recommended_posture, authority, risk.negative_transfer_risk, actionable_history_used]
    }
    expect(told({})).toEqual(['reuse_supported_history', 'trusted', 'low', true])
    expect(told({ hint: 'unknown' })).toEqual(['inspect_before_use', 'advisory', 'medium', true])
    expect(told({ hint: 'failed' })).toEqual(['inspect_before_use', 'advisory', 'high', true])
    expect(told({ requirement: 'rehydrate_before_use' })).toEqual([
      'rehydrate_before_use',
      'advisory',
      'medium',
      true,
    ])
    expect(told({ requirement: 'blocked' })).toEqual(['ignore_history', 'blocked', 'high', false])
    // One is enough for a high risk: what is blocked although nothing speaks against it, and what is only doubtful.
    const elsewhere = answerTo([offeredOf({ metadataScope: 'elsewhere' })], 'firewall')
    expect(elsewhere.context.risk.negative_transfer_risk).toBe('high')
    const doubtful = answerTo([offeredOf({ externalId: 'a' }), offeredOf({ externalId: 'b', hint: 'stale' })])
    expect(doubtful.context.risk).toMatchObject({ negative_transfer_risk: 'high', stale_memory_count: 1 })
    const selfStale = answerTo([offeredOf({ text: 'This workflow is obsolete.', readsSelfClaims: true })])
    expect(selfStale.context.risk.stale_memory_count).toBe(1)
  })

  test('one posture for each of the first fourteen candidates', () => {
    const words: Readonly<Record<Surface, readonly string[]>> = {
      use_now: ['should_continue', 'Continue from this candidate.'],
      inspect_before_use: ['inspect_first', 'Verify this candidate against the current state before use.'],
      do_not_use: ['must_not', 'Do not act on this candidate.'],
      rehydrate: ['rehydrate_first', 'Fetch the evidence of this candidate before you rely on it.'],
    }
    proveAnswers(({ context, decisions }) => {
      expect(
        context.command_posture.map((each) => [
          each.posture,
          each.instruction,
          each.surface,
          each.memory_id,
          each.reason,
        ]),
      ).toEqual(
        decisions.slice(0, 14).map((each) => [...words[each.surface], each.surface, idOf(each), each.reason]),
      )
    })
    for (const count of [14, 15, 40])
      expect(answerTo(many(count, {})).context.command_posture).toHaveLength(14)
  })

  test('at most eight target files, those of usable candidates first, and none of what is blocked or found', () => {
    const paths = (name: string, count: number): readonly string[] =>
      Array.from({ length: count }, (_, n) => `src/${name}-${n}.ts`)
    const filesOf = (candidates: readonly Candidate[]): readonly string[] =>
      answerTo(candidates).context.target_files
    const toVerify = offeredOf({ externalId: 'a', hint: 'unknown', targetFiles: paths('verify', 3) })
    const usable = offeredOf({ externalId: 'b', targetFiles: paths('use', 7) })
    expect(filesOf([toVerify, usable])).toEqual([...paths('use', 7), ...paths('verify', 1)])
    expect(filesOf([offeredOf({ targetFiles: paths('use', 9) })])).toEqual(paths('use', 8))
    expect(filesOf([offeredOf({ hint: 'unknown', targetFiles: paths('verify', 9) })])).toEqual(
      paths('verify', 8),
    )
    expect(filesOf([usable, offeredOf({ externalId: 'c', targetFiles: paths('use', 2) })])).toEqual(
      paths('use', 7),
    )
    for (const said of [
      { requirement: 'blocked' },
      { requirement: 'rehydrate_before_use' },
      { text: MARKS.finding },
    ] as const)
      expect(filesOf([offeredOf({ ...said, targetFiles: paths('x', 2) })])).toEqual([])
    const postureFiles = (said: Partial<Candidate>): readonly string[] =>
      answerTo([offeredOf({ targetFiles: paths('x', 9), ...said })]).context.command_posture[0]
        ?.target_files ?? ['none']
    expect(postureFiles({})).toEqual(paths('x', 8))
    expect(postureFiles({ requirement: 'blocked' })).toEqual([])
    expect(postureFiles({ text: MARKS.finding })).toEqual([])
    for (const length of [256, 257]) {
      const [path = ''] = postureFiles({ targetFiles: ['p'.repeat(length)] })
      expect(path).toHaveLength(256)
    }
  })

  test('evidence is counted of what may guide, and not of what is blocked or found', () => {
    const countOf = (candidates: readonly Candidate[]): number =>
      answerTo(candidates).context.evidence_refs.evidence_count
    const two = { evidenceRefs: ['log:1', 'log:2'] }
    expect(
      countOf([
        offeredOf({ externalId: 'a', ...two }),
        offeredOf({ externalId: 'b', hint: 'unknown', ...two }),
      ]),
    ).toBe(4)
    expect(countOf([offeredOf({ requirement: 'rehydrate_before_use', ...two })])).toBe(2)
    expect(countOf([offeredOf({ requirement: 'blocked', ...two })])).toBe(0)
    expect(countOf([offeredOf({ text: MARKS.finding, ...two })])).toBe(0)
  })

  test('what held candidates back is named once each, in their order, eight at most', () => {
    proveAnswers(({ context, decisions }) => {
      const held = decisions
        .filter(({ surface }) => surface !== 'use_now')
        .map(({ reasonCode }) => reasonCode)
      expect(context.risk.reasons).toEqual([...new Set(held)].slice(0, 8))
    })
    // Nine different codes.
    expect(new Set(answerTo(EACH_KIND).decisions.map(({ reasonCode }) => reasonCode)).size).toBeGreaterThan(9)
    expect(answerTo(EACH_KIND).context.risk.reasons).toHaveLength(8)
  })
})

describe('the summaries of a pass', () => {
  test('count the surfaces and name the backends in their order', () => {
    proveAnswers((answer, mode) => {
      const { decisions } = answer
      const [used, inspected] = [on(answer, 'use_now').length, on(answer, 'inspect_before_use').length]
      const [blocked, pointers] = [on(answer, 'do_not_use').length, on(answer, 'rehydrate').length]
      expect(answer.admission).toEqual({
        contract_version: 'svc_external_memory_admission_summary_v1',
        candidate_count: decisions.length,
        use_now_count: used,
        inspect_before_use_count: inspected,
        do_not_use_count: blocked,
        rehydrate_count: pointers,
        source_backends: [...new Set(decisions.map(({ facts }) => facts.candidate.sourceBackend))].sort(),
        agent_prompt_included: false,
        runtime_mutation: false,
        reason: answer.admission.reason,
      })
      expect(answer.firewall).toMatchObject({
        contract_version: 'svc_memory_firewall_summary_v1',
        intended_use: 'memory_firewall_audit',
        mode,
        candidate_count: decisions.length,
        direct_use_count: used,
        inspect_count: inspected,
        blocked_count: blocked,
        rehydrate_count: pointers,
        unsafe_direct_use_count: 0,
        agent_prompt_included: false,
        runtime_mutation: false,
      })
    })
  })

  test('every flag counts what it names and is left out at nothing', () => {
    expect(answerTo(EACH_KIND).firewall.risk_flags).toEqual([
      // Five hints, one blocked, two by their own text, one found, four by history.
      'unsafe_candidate_count:13',
      'blocked_count:6',
      'untrusted_or_unknown_count:2',
      'screening_finding_count:1',
      'runtime_history_count:4',
      'scope_mismatch_count:1',
      'contradiction_count:2',
    ])
    expect(answerTo([offeredOf()]).firewall.risk_flags).toEqual([])
    expect(answerTo([offeredOf({ hint: 'stale' })]).firewall).toMatchObject({
      risk_flags: ['unsafe_candidate_count:1'],
      unsafe_candidate_count: 1,
    })
  })

  test('a claim passes on what it was tried on, and warns when there was nothing', () => {
    const claimsOf = (candidates: readonly Candidate[]): readonly (readonly string[])[] =>
      answerTo(candidates).firewall.claims.map(({ claim, status, evidence }) => [claim, status, evidence])
    expect(claimsOf([offeredOf()])).toEqual([
      ['unsafe_candidates_never_in_direct_use', 'pass', '0 candidates'],
      ['suppressed_archived_and_blocked_are_blocked', 'warn', '0 candidates'],
      ['unknown_or_untrusted_never_in_direct_use', 'warn', '0 candidates'],
      ['rehydrate_required_stays_a_pointer', 'warn', '0 candidates'],
      ['read_only', 'pass', 'no event was decided'],
    ])
    expect(claimsOf(EACH_KIND)).toEqual([
      ['unsafe_candidates_never_in_direct_use', 'pass', '0 candidates'],
      ['suppressed_archived_and_blocked_are_blocked', 'pass', '3 candidates'],
      ['unknown_or_untrusted_never_in_direct_use', 'pass', '2 candidates'],
      ['rehydrate_required_stays_a_pointer', 'pass', '1 candidates'],
      ['read_only', 'pass', 'no event was decided'],
    ])
  })

  test('a claim that does not hold is told as failed, with the number that broke it', () => {
    const command = commandOf({ candidates: EACH_KIND })
    const used = decide(command, MARKED).map((decision) => ({ ...decision, surface: 'use_now' as const }))
    const { claims, unsafe_direct_use_count } = firewallSummary(used, command)
    expect(unsafe_direct_use_count).toBe(13)
    expect(claims.map(({ status, evidence }) => `${status} ${evidence}`)).toEqual([
      'fail 13 candidates',
      'fail 3 candidates',
      'fail 2 candidates',
      'fail 1 candidates',
      'pass no event was decided',
    ])
    const held = used.map((decision) => ({ ...decision, surface: 'do_not_use' as const }))
    expect(firewallSummary(held, command).claims.map(({ status }) => status)).toEqual(Array(5).fill('pass'))
  })
})

describe('candidates that contradict each other', () => {
  const dispute = (a: string, b: string): string => [a, b].sort().join('/')
  const world = {
    contradictions: (texts: readonly string[]) =>
      texts.flatMap((a, first) =>
        texts.flatMap((b, second) =>
          first < second && a !== b ? [{ first, second, dispute: dispute(a, b) }] : [],
        ),
      ),
  }
  const [a, b, c] = ['a', 'b', 'c'].map((id) => offeredOf({ externalId: id, text: `of ${id}` }))
  if (a === undefined || b === undefined || c === undefined) throw new Error('three')
  const told = (candidates: readonly Candidate[]) =>
    decide(commandOf({ candidates }), world)
      .map((each) => [idOf(each), each.surface, each.reason, each.contradictedIds.join()])
      .sort()

  test('two are enough, and each is told whom it contradicts and in what', () => {
    expect(told([b, a])).toEqual([
      ['a', 'inspect_before_use', 'it contradicts b (of a/of b)', 'b'],
      ['b', 'inspect_before_use', 'it contradicts a (of a/of b)', 'a'],
    ])
    expect(told([a])).toEqual([['a', 'use_now', 'its trusted source marks it as current', '']])
  })

  test('of several the first by id is named with what it disputes, whatever the order of the request', () => {
    const three = told([a, b, c])
    expect(three.map(([, , reason, ids]) => [reason, ids])).toEqual([
      ['it contradicts b and 1 more (of a/of b)', 'b,c'],
      ['it contradicts a and 1 more (of a/of b)', 'a,c'],
      ['it contradicts a and 1 more (of a/of c)', 'a,b'],
    ])
    for (const order of [
      [c, b, a],
      [b, c, a],
      [b, a, c],
      [c, a, b],
      [a, c, b],
    ])
      expect(told(order)).toEqual(three)
  })

  test('who is held back already contests nobody', () => {
    expect(told([a, { ...b, hint: 'stale' }]).map(([, surface]) => surface)).toEqual([
      'use_now',
      'inspect_before_use',
    ])
    expect(told([{ ...a, requirement: 'blocked' }, b]).map(([, surface]) => surface)).toEqual([
      'do_not_use',
      'use_now',
    ])
  })

  test('a dispute is cut at sixteen characters', () => {
    const long = { contradictions: () => [{ first: 0, second: 1, dispute: 'd'.repeat(41) }] }
    const [decision] = decide(commandOf({ candidates: [a, b] }), long)
    expect(decision?.reason).toBe(`it contradicts b (${'d'.repeat(15)}…)`)
  })
})
