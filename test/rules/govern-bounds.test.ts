import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Candidate } from '../../src/domain/governance/govern.ts'
import { governContext, governReceipt } from '../../src/domain/governance/govern-context.ts'
import { examineCandidates } from '../../src/domain/governance/govern-examination.ts'
import { admissionRecord } from '../../src/domain/governance/govern-record.ts'
import { isAboutWork, selfClaimOf } from '../../src/domain/governance/govern-signal.ts'
import { admissionSummary, firewallSummary } from '../../src/domain/governance/govern-summary.ts'
import { renderAdmission } from '../../src/domain/prompt/govern-prompt.ts'
import {
  candidateOf,
  commandOf,
  decide,
  decideOne,
  MARKED,
  MARKS,
  offeredOf,
} from '../support/govern-samples.ts'

const many = (count: number, said: Partial<Candidate>): readonly Candidate[] =>
  Array.from({ length: count }, (_, n) =>
    offeredOf({ externalId: `ext:${String(n).padStart(3, '0')}`, ...said }),
  )

/** A request for each kind of thing that an answer may have to tell, and for each bound of a list. */
const REQUESTS: Readonly<Record<string, readonly Candidate[]>> = {
  nothing: [],
  usable: [
    offeredOf({ targetFiles: ['src/a.ts'], evidenceRefs: ['log:1', 'log:2'], title: 'A title' }),
    offeredOf({
      externalId: 'ext:2',
      hint: 'procedure',
      declaredType: 'fact',
      targetFiles: ['src/a.ts', 'src/b.ts'],
    }),
    offeredOf({ externalId: 'ext:3', hint: 'procedure' }),
  ],
  inspected: [offeredOf({ sourceTrust: 'unknown' }), offeredOf({ externalId: 'ext:2', hint: 'unknown' })],
  pointer: [offeredOf({ requirement: 'rehydrate_before_use', evidenceRefs: ['log:1'] })],
  blocked: [offeredOf({ requirement: 'blocked', evidenceRefs: ['log:1'], targetFiles: ['src/a.ts'] })],
  mixed: [
    offeredOf({ externalId: 'a' }),
    offeredOf({ externalId: 'b', hint: 'stale' }),
    offeredOf({ externalId: 'c', hint: 'contested', sourceTrust: 'untrusted' }),
    offeredOf({ externalId: 'd', hint: 'failed', sourceBackend: 'another' }),
    offeredOf({ externalId: 'e', hint: 'archived' }),
    offeredOf({ externalId: 'f', hint: 'suppressed', sourceTrust: 'unknown' }),
    offeredOf({ externalId: 'g', text: `an order ${MARKS.finding}`, title: `${MARKS.finding}` }),
    offeredOf({ externalId: 'h', metadataScope: 'elsewhere' }),
    offeredOf({ externalId: 'i', requirement: 'rehydrate_before_use' }),
    offeredOf({ externalId: 'j', requirement: 'inspect_before_use', sourceTrust: 'known' }),
    offeredOf({ externalId: 'k', text: 'This workflow is obsolete.', readsSelfClaims: true }),
    offeredOf({ externalId: 'l', text: 'The approach failed.', readsSelfClaims: true }),
    offeredOf({ externalId: 'm', text: 'This plan is disputed.', readsSelfClaims: true }),
    offeredOf({ externalId: 'n', text: '\u00a7slot=1' }),
    offeredOf({ externalId: 'o', text: '\u00a7slot=2' }),
    ...(['suppressed', 'failed', 'superseded', 'contested'] as const).map((state) =>
      offeredOf({ externalId: `p-${state}`, text: `${MARKS.history}${state}` }),
    ),
  ],
  manyUsable: many(40, { targetFiles: ['src/a.ts'] }),
  manyFiles: [offeredOf({ targetFiles: Array.from({ length: 70 }, (_, n) => `src/${n}.ts`) })],
  manyHeld: many(40, { hint: 'stale' }),
  manyReasons: many(40, {}).map((each, n) => ({ ...each, hint: n % 2 === 0 ? 'failed' : 'archived' })),
}

/** Of longer lists only what has a bound is on file. */
const BRIEF_ABOVE = 30

function answerTo(candidates: readonly Candidate[], mode: 'standard' | 'strict' | 'firewall') {
  const command = commandOf({ mode, candidates, isCompact: mode !== 'strict' })
  const decisions = decide(command, MARKED)
  const rendered = renderAdmission(decisions, command)
  if (candidates.length > BRIEF_ABOVE) {
    const { command_posture, risk, target_files, summary, ...rest } = governContext(
      decisions,
      rendered,
      command,
    )
    return [command_posture.length, risk, target_files, summary, rest.recommended_posture, rest.authority]
  }
  return {
    context: { ...governContext(decisions, rendered, command), prompt_text: null },
    receipt: { ...governReceipt(decisions, rendered), prompt_char_count: null },
    records: decisions.map((decision) => admissionRecord(decision, rendered, command)),
    admission: admissionSummary(decisions, command),
    firewall: firewallSummary(decisions, command),
  }
}

const FILE = new URL('../fixtures/govern-answers.json', import.meta.url)
const EXPECTED: unknown = JSON.parse(readFileSync(FILE, 'utf8'))

describe('the answers to fixed requests are those on file, word by word', () => {
  for (const [name, candidates] of Object.entries(REQUESTS)) {
    test(`${name}: as on file`, () => {
      const modes = name === 'mixed' ? (['standard', 'firewall'] as const) : (['standard'] as const)
      const answers = modes.map((mode) => answerTo(candidates, mode))
      expect(EXPECTED).toHaveProperty([name])
      expect(Object(EXPECTED)[name]).toEqual(JSON.parse(JSON.stringify(answers)))
    })
  }
})

describe('where contradictions are looked for', () => {
  /** The texts that are compared, as they are given. */
  function comparedOf(candidates: readonly Candidate[], mode: 'standard' | 'strict' = 'standard') {
    const given: string[][] = []
    const contradictionsAmong = (texts: readonly string[]) => {
      given.push([...texts])
      return [{ first: 0, second: 1, dispute: 'value' }]
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
      contradictions: [{ first: 2, second: 0, dispute: 'value' }],
    })
    expect(comparedOf([offered('a', 'A.', 'known'), offered('b', 'B.')]).texts).toHaveLength(2)
    expect(comparedOf([offered('a', 'A.', 'known'), offered('b', 'B.')], 'strict').texts).toBeNull()
    expect(comparedOf([offered('a', 'A.')]).texts).toBeNull()
  })

  test('each text up to its share of a million characters, in whole sentences', () => {
    const sentence = `${'word '.repeat(19)}end. `
    const long = sentence.repeat(2_000)
    expect(long).toHaveLength(200_000)
    const ids = Array.from({ length: 10 }, (_, at) => `id-${at}`)
    const texts = comparedOf(ids.map((id) => offered(id, long))).texts ?? []
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(100_000)
      expect(text.length).toBeGreaterThan(100_000 - sentence.length)
      expect(text.endsWith('end.')).toBe(true)
    }
    const [lines] =
      comparedOf(ids.map((id) => offered(id, `${'x'.repeat(99_000)}\n${'y'.repeat(50_000)}`))).texts ?? []
    expect(lines).toBe('x'.repeat(99_000))
    expect(comparedOf(ids.slice(0, 5).map((id) => offered(id, long))).texts?.[0]).toBe(long)
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
