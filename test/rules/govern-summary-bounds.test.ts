import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { Candidate, CandidateDecision } from '../../src/core/external/govern.ts'
import { firewallSummary } from '../../src/core/external/govern-summary.ts'
import { type Answer, answerTo, EACH_KIND, proveAnswers } from '../support/govern-answers.ts'
import { commandOf, decide, MARKED, offeredOf } from '../support/govern-samples.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('govern summary')

const idOf = ({ facts }: CandidateDecision): string => facts.candidate.externalId
const on = ({ decisions }: Answer, surface: Surface): readonly CandidateDecision[] =>
  decisions.filter((decision) => decision.surface === surface)

// id, surface, row, state, authority, what decided, in standard mode; what differs in firewall mode below.
describe('the summaries of a pass', () => {
  test('count the surfaces and name the backends in their order', () => {
    proveAnswers(prove, (answer, mode) => {
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
          first < second && a !== b
            ? [{ first, second, dispute: dispute(a, b), firstStatement: a, secondStatement: b }]
            : [],
        ),
      ),
  }
  const [a, b, c] = ['a', 'b', 'c'].map((id) => offeredOf({ externalId: id, text: `of ${id}` }))
  if (a === undefined || b === undefined || c === undefined) throw new Error('three')
  const told = (candidates: readonly Candidate[]) =>
    decide(commandOf({ candidates }), world)
      .map((each) => [
        idOf(each),
        each.surface,
        each.reason,
        each.disputes.map(({ externalId }) => externalId).join(),
      ])
      .sort((a, b) => (String(a) < String(b) ? -1 : 1))

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
    const long = {
      contradictions: () => [
        { first: 0, second: 1, dispute: 'd'.repeat(41), firstStatement: 'a', secondStatement: 'b' },
      ],
    }
    const [decision] = decide(commandOf({ candidates: [a, b] }), long)
    expect(decision?.reason).toBe(`it contradicts b (${'d'.repeat(15)}…)`)
  })
})
