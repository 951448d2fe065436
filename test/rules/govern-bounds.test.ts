import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { Candidate, CandidateDecision } from '../../src/core/external/govern.ts'
import { firewallSummary } from '../../src/core/external/govern-context.ts'
import { heldBackHistory } from '../../src/core/external/govern-decision.ts'
import { examineCandidates } from '../../src/core/external/govern-examination.ts'
import { isAboutWork, selfClaimOf } from '../../src/core/external/govern-signal.ts'
import type { Facets, MemoryRecord } from '../../src/core/model/record.ts'
import { readForDispute } from '../../src/core/similarity/dispute.ts'
import { minHash } from '../../src/core/similarity/text-signature.ts'
import type { Similar } from '../../src/core/write/similar.ts'
import { heldText, MEMORY_TEXT_MAX } from '../../src/core/write/write-memory.ts'
import { type Answer, answerTo, EACH_KIND, proveAnswers } from '../support/govern-answers.ts'
import {
  candidateOf,
  commandOf,
  decide,
  decideOne,
  MARKED,
  MARKS,
  NOW_MS,
  offeredOf,
  SUPPRESSED,
  stateWith,
  storedOf,
} from '../support/govern-samples.ts'
import { proofsOf } from '../support/prove.ts'

const SAID = { dispute: 'value', firstStatement: 'one', secondStatement: 'other' }

describe('where contradictions are looked for', () => {
  /** The texts that are compared, as they are given. */
  function comparedOf(candidates: readonly Candidate[], mode: 'standard' | 'strict' = 'standard') {
    const given: string[][] = []
    const contradictionsAmong = (texts: readonly string[]) => {
      given.push([...texts])
      return [{ first: 0, second: 1, ...SAID }]
    }
    const readers = { screen: () => [], contradictionsAmong }
    const { contradictions } = examineCandidates(commandOf({ candidates, mode }), readers)
    expect(given.length).toBeLessThanOrEqual(1)
    return { texts: given[0] ?? null, contradictions }
  }
  const offered = (externalId: string, text: string, sourceTrust: 'trusted' | 'known' = 'trusted') =>
    offeredOf({ externalId, text, sourceTrust })

  test('among the candidates that the table lets be used, in the order of their ids, told by their places', () => {
    const candidates = [
      offered('c', 'C.'),
      candidateOf({ externalId: 'b' }),
      offered('a', 'A.'),
      offered('d', 'D.'),
    ]
    expect(comparedOf(candidates)).toEqual({
      texts: ['A.', 'C.', 'D.'],
      contradictions: [{ first: 2, second: 0, ...SAID }],
    })
    expect(comparedOf([offered('a', 'A.', 'known'), offered('b', 'B.')]).texts).toHaveLength(2)
    expect(comparedOf([offered('a', 'A.', 'known'), offered('b', 'B.')], 'strict').texts).toBeNull()
    expect(comparedOf([offered('a', 'A.')]).texts).toBeNull()
  })
})

describe('how far a word reaches', () => {
  const filler = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')
  test('a subject reaches ten words and a pronoun four', () => {
    expect(selfClaimOf(`The approach ${filler(9)} failed.`)).toBe('negative')
    expect(selfClaimOf(`The approach ${filler(10)} failed.`)).toBeNull()
    expect(selfClaimOf(`So this ${filler(3)} failed.`)).toBe('negative')
    expect(selfClaimOf(`So this ${filler(4)} failed.`)).toBeNull()
  })
  test('a denial reaches three words', () => {
    expect(selfClaimOf(`The approach never ${filler(2)} failed.`)).toBeNull()
    expect(selfClaimOf(`The approach never ${filler(3)} failed.`)).toBe('negative')
  })
  test('a condition ends at a comma, and a colon ends nothing', () => {
    expect(selfClaimOf('If slow, the approach failed.')).toBe('negative')
    expect(selfClaimOf('The approach: failed.')).toBe('negative')
    expect(selfClaimOf('If slow: the approach failed.')).toBeNull()
    expect(selfClaimOf('Yes: failed.')).toBeNull()
  })
  test('a text is about work by its type, its files or a path', () => {
    expect(isAboutWork('x', null, false, false)).toBe(false)
    expect(isAboutWork('x', 'event', false, false)).toBe(false)
    expect(isAboutWork('x', 'procedure', false, false)).toBe(true)
    expect(isAboutWork('x', null, true, false)).toBe(true)
    expect(isAboutWork('x', null, false, true)).toBe(true)
    expect(isAboutWork('src/a.ts', 'fact', true, true)).toBe(false)
  })
})

test('the reason code of what the runtime knows names the family', () => {
  for (const state of ['suppressed', 'failed', 'superseded', 'contested'] as const)
    expect(decideOne(offeredOf({ text: `${MARKS.history}${state}` }), 'standard', MARKED).reasonCode).toBe(
      'runtime_history',
    )
  expect(decideOne(offeredOf({ hint: 'failed' })).reasonCode).toBe('negative_hint')
})

const EYES = { agentId: 'local-agent', teamId: null }
const FAILED: Partial<Facets> = { standing: 'failed' }

/** What is known of a text when these memories have the same words, or nearly the same. */
function historyOf(text: string, exact: readonly MemoryRecord[], near: readonly MemoryRecord[] = []) {
  const asked: string[] = []
  const similar: Similar = {
    exact: () => exact.map(({ memoryId }) => memoryId),
    related: () => [],
    reading: readForDispute,
    inOtherLanguages: () => [],
    disputedBy: () => null,
    nearDuplicates: (words) => {
      asked.push(words)
      return near.map(({ memoryId }) => memoryId)
    },
  }
  const state = stateWith(...exact, ...near)
  return {
    found: heldBackHistory(state, similar, EYES, NOW_MS)(text, minHash(heldText(text))),
    isNearAsked: asked.length > 0,
  }
}

describe('what the actor knows against a text', () => {
  test('of equally grave ones the first counts: the same words before nearly the same', () => {
    const [one, two, three] = ['m1', 'm2', 'm3'].map((id) => storedOf(id, 'ran it', FAILED))
    if (one === undefined || two === undefined || three === undefined) throw new Error('three')
    expect(historyOf('ran it', [two, one], [three]).found).toEqual({
      state: 'failed',
      isNear: false,
      memoryId: 'm2',
    })
    expect(historyOf('ran it', [], [three, one]).found).toEqual({
      state: 'failed',
      isNear: true,
      memoryId: 'm3',
    })
    const graver = storedOf('m4', 'ran it', SUPPRESSED)
    expect(historyOf('ran it', [one], [graver]).found?.memoryId).toBe('m1')
    expect(historyOf('ran it', [one, graver]).found?.memoryId).toBe('m4')
  })

  test('a memory that nothing is known against counts nothing, however near it is', () => {
    const live = storedOf('m1', 'ran it')
    expect(historyOf('ran it', [live]).found).toBe(null)
    expect(historyOf('ran it', [], [live]).found).toBe(null)
  })

  test('nothing is known against a text that a memory says which may be used', () => {
    const held = storedOf('m1', 'ran it', SUPPRESSED)
    expect(historyOf('ran it', [held, storedOf('m2', 'ran it')]).found).toBe(null)
    expect(historyOf('ran it', [storedOf('m2', 'ran it')], [held]).found).toBe(null)
    const doubtful = storedOf('m2', 'ran it', { trust: 'candidate' })
    expect(historyOf('ran it', [held, doubtful]).found?.memoryId).toBe('m1')
  })

  test('a run that ended failed or blocked counts as failed', () => {
    const run = storedOf('m1', 'ran it')
    const ended = (outcome: 'failed' | 'blocked' | 'succeeded') =>
      historyOf('ran it', [{ ...run, content: { ...run.content, outcome } }]).found?.state ?? null
    expect([ended('failed'), ended('blocked'), ended('succeeded')]).toEqual(['failed', 'failed', null])
  })

  test('a text of 32 000 characters is compared by its words, a longer one only with the same', () => {
    const long = (length: number): string => 'word '.repeat(length).slice(0, length)
    const held = storedOf('m1', 'other words', SUPPRESSED)
    expect(historyOf(long(MEMORY_TEXT_MAX), [], [held])).toMatchObject({
      found: { memoryId: 'm1' },
      isNearAsked: true,
    })
    expect(historyOf(long(MEMORY_TEXT_MAX + 1), [], [held])).toEqual({ found: null, isNearAsked: false })
    expect(historyOf(long(MEMORY_TEXT_MAX), [held]).found?.memoryId).toBe('m1')
    expect(historyOf(long(MEMORY_TEXT_MAX + 1), [held]).found).toBe(null)
  })

  test('a payload that happens to hold a full text of its own does not speak for a memory that is whole', () => {
    const held = storedOf('m1', 'ran it', SUPPRESSED)
    const content = { ...held.content, payload: { full_text: 'other words' } }
    expect(historyOf('ran it', [{ ...held, content }]).found?.state).toBe('suppressed')
  })
})

/** Candidates that nothing but a contradiction holds back, in the order of their ids. */
function contradictionsIn(texts: readonly string[]) {
  const candidates = texts.map((text, at) =>
    offeredOf({ text, externalId: `ext:${String(at).padStart(3, '0')}` }),
  )
  return examineCandidates({ mode: 'standard', candidates, queryText: 'deploy', scope: 'default' })
    .contradictions
}

describe('contradictions among candidates', () => {
  const SAID = 'The service listens on port 5432.'
  const OTHER = 'The service listens on port 6543.'
  const isFound = (a: string, b: string): boolean => contradictionsIn([a, b]).length > 0
  /** So many characters of sentences that say nothing of a port. */
  const padded = (length: number): string =>
    'Nothing more. '.repeat(Math.floor(length / 14)).padEnd(length, ' ')

  test('two are enough, and one contradicts nobody', () => {
    expect(isFound(SAID, OTHER)).toBe(true)
    expect(isFound(SAID, SAID)).toBe(false)
    expect(contradictionsIn([SAID])).toEqual([])
    expect(contradictionsIn([])).toEqual([])
  })

  test('the beginning of a text is compared, up to its last whole sentence or line', () => {
    expect(isFound(`${padded(4_000 - SAID.length - 1)} ${SAID}`, OTHER)).toBe(true)
    expect(isFound(`${padded(4_001 - SAID.length - 1)} ${SAID}`, OTHER)).toBe(false)
    expect(isFound(`${SAID} ${padded(100_000)}`, OTHER)).toBe(true)
    expect(isFound(`${SAID.slice(0, -1)}\n${'x'.repeat(100_000)}`, OTHER)).toBe(true)
    // The cut falls inside the number: half a sentence says nothing.
    const cut = `${padded(4_000 - 'The service listens on port 543'.length)}${SAID} ${padded(20)}`
    expect(cut.slice(0, 4_000).endsWith('port 543')).toBe(true)
    expect(isFound(cut, SAID)).toBe(false)
  })
})

describe('what a text says of itself', () => {
  test.each([
    ['The approach has "failed".', 'negative'],
    ['If it is x. The plan failed.', 'negative'],
    ['The plan, we saw, has failed.', 'negative'],
    ['The approach did not stall; count the failures.', null],
    ['The plan is no longer late.', null],
    ['This plan is older.', null],
  ])('%s', (text, claim) => {
    expect(selfClaimOf(text)).toBe(claim)
  })
})

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
