import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { Candidate, CandidateDecision } from '../../src/core/external/govern.ts'
import { type Answer, answerTo, EACH_KIND, proveAnswers } from '../support/govern-answers.ts'
import { MARKS, offeredOf } from '../support/govern-samples.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('govern context')
const idOf = ({ facts }: CandidateDecision): string => facts.candidate.externalId
const on = ({ decisions }: Answer, surface: Surface): readonly CandidateDecision[] =>
  decisions.filter((decision) => decision.surface === surface)
const many = (count: number, said: Partial<Candidate>): readonly Candidate[] =>
  Array.from({ length: count }, (_, n) => offeredOf({ externalId: `ext:${n}`, ...said }))

// id, surface, row, state, authority, what decided, in standard mode; what differs in firewall mode below.
describe('the agent context of a governed request', () => {
  test('tells who asked, and lists every candidate once, in the order of the request', () => {
    proveAnswers(prove, (answer) => {
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
    proveAnswers(prove, (answer) => {
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
    proveAnswers(prove, ({ context, decisions }) => {
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
    proveAnswers(prove, ({ context, decisions }) => {
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
