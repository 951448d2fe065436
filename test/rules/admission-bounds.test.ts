import { describe, expect, test } from 'vitest'
import { compactRecord, RecentParts } from '../../src/core/model/compact-record.ts'
import type { Content, Facets, MemoryRecord, Relation } from '../../src/core/model/record.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { admit, CONFIDENCE_MIN, type GateFacts, isPayloadOnly } from '../../src/core/policy/admission.ts'
import { isTrustedThrough } from '../../src/core/policy/lineage.ts'
import { idOf, sampleRecord } from '../support/guide-samples.ts'

const LIVE: Facets = {
  trust: 'trusted',
  standing: 'active',
  validity: 'live',
  validUntilMs: null,
  availability: 'resident',
  suppression: null,
}

interface Shape {
  readonly content?: Partial<Content>
  readonly facets?: Partial<Facets>
  readonly record?: Partial<Omit<MemoryRecord, 'content' | 'facets'>>
  readonly facts?: Partial<GateFacts>
}

function admitted({ content, facets, record, facts }: Shape) {
  const whole = sampleRecord(
    idOf(1),
    { text: 'a text', ...content },
    { ...record, facets: { ...LIVE, ...facets } },
  )
  return admit({
    record: whole,
    nowMs: 10,
    isTrusted: true,
    askedSignature: null,
    consumer: null,
    disputes: [],
    ...facts,
  })
}

const run = { domain: 'execution', memoryType: 'execution_memory' } as const
const SUPPRESSION = { reason: 'r', by: null, sinceMs: 0, untilMs: null }

describe('why, in words', () => {
  const found = { findings: ['instruction_override', 'hidden_characters'] }
  const told = 'content screening found instruction override, hidden characters'
  const candidate = { facets: { trust: 'candidate' as const }, facts: { isTrusted: false } }

  test('what screening found is told whatever held the text back first, but not on a warning', () => {
    expect(admitted({ record: found }).reason).toBe(told)
    expect(admitted({ ...candidate, record: found })).toMatchObject({
      ruleId: 'S5',
      reason: `${told}; not yet confirmed (origin: agent)`,
    })
    expect(admitted({ facets: { availability: 'archived' }, record: found }).reason).toBe(told)
    expect(admitted({ facets: { suppression: SUPPRESSION }, record: found }).reason).toBe('suppressed: r')
    expect(admitted(candidate).reason).toBe('not yet confirmed (origin: agent)')
  })

  test('how a run ended', () => {
    const told = (outcome: Content['outcome']) => admitted({ record: run, content: { outcome } }).reason
    expect(told('failed')).toBe('the run failed')
    expect(told('blocked')).toBe('the run was blocked')
    expect(told('interrupted')).toBe('the run was interrupted')
    expect(told('unknown')).toBe('how the run ended is not known')
  })
})

describe('each rule with the one fact that makes it hold', () => {
  const rows: readonly (readonly [string, string, string, Shape])[] = [
    ['S1', 'do_not_use', 'suppressed', { facets: { suppression: SUPPRESSION } }],
    ['S2', 'do_not_use', 'failed', { facets: { standing: 'failed' } }],
    ['S2', 'do_not_use', 'failed', { record: run, content: { outcome: 'failed' } }],
    ['S2', 'do_not_use', 'failed', { record: run, content: { outcome: 'blocked' } }],
    ['S3', 'do_not_use', 'superseded_or_expired', { facets: { validity: 'superseded' } }],
    ['S3', 'do_not_use', 'superseded_or_expired', { facets: { validUntilMs: 10 } }],
    ['S4', 'inspect_before_use', 'contested', { facets: { standing: 'contested' } }],
    ['S5', 'inspect_before_use', 'not_trusted_enough', { facts: { isTrusted: false } }],
    ['S5', 'inspect_before_use', 'not_trusted_enough', { facets: { standing: 'demoted' } }],
    ['S5', 'inspect_before_use', 'not_trusted_enough', { content: { confidence: CONFIDENCE_MIN - 0.001 } }],
    ['S6', 'inspect_before_use', 'screening_finding', { record: { findings: ['override'] } }],
    ['S7', 'rehydrate', 'rehydrate_first', { facets: { availability: 'archived' } }],
    ['S7', 'rehydrate', 'rehydrate_first', { content: { text: '', rawRef: 'blob://1' } }],
    ['S8', 'inspect_before_use', 'execution_not_confirmed', { record: run }],
    [
      'S8',
      'inspect_before_use',
      'execution_not_confirmed',
      {
        record: { ...run, taskSignature: 'a' },
        content: { outcome: 'succeeded' },
        facts: { askedSignature: 'b' },
      },
    ],
    ['S9', 'inspect_before_use', 'observation_only', { record: { memoryType: 'event' } }],
    ['S9', 'inspect_before_use', 'observation_only', { record: { memoryType: 'evidence' } }],
    ['S13', 'inspect_before_use', 'weak_match', { facts: { match: { isWeak: true, isOtherEntity: true } } }],
    [
      'S14',
      'inspect_before_use',
      'other_entity',
      { facts: { match: { isWeak: false, isOtherEntity: true } } },
    ],
    [
      'S16',
      'inspect_before_use',
      'said_anew',
      { facts: { match: { isWeak: false, isOtherEntity: false, isSaidAnew: true } } },
    ],
    ['S10', 'use_now', 'clear', { facts: { match: { isWeak: false, isOtherEntity: false } } }],
    ['S10', 'use_now', 'clear', {}],
    ['S10', 'use_now', 'clear', { content: { confidence: CONFIDENCE_MIN } }],
    [
      'S10',
      'use_now',
      'clear',
      { record: run, content: { outcome: 'succeeded' }, facts: { askedSignature: null } },
    ],
    ['S10', 'use_now', 'clear', { record: { ...run, source: 'handoff' } }],
    ['S10', 'use_now', 'clear', { facts: { askedSignature: 'b' } }],
  ]
  for (const [ruleId, surface, reasonCode, shape] of rows) {
    test(`${ruleId} ${surface} ${reasonCode}: ${JSON.stringify(shape)}`, () => {
      expect(admitted(shape)).toMatchObject({ ruleId, surface, reasonCode })
    })
  }
  test('confidence of six tenths is enough', () => {
    expect(CONFIDENCE_MIN).toBe(0.6)
    expect(admitted({ content: { confidence: 0.6 } }).surface).toBe('use_now')
    expect(admitted({ content: { confidence: 0.595 } }).surface).toBe('inspect_before_use')
  })
})

describe('a memory is a pointer only', () => {
  const isPointer = (content: Partial<Content>): boolean => isPayloadOnly(sampleRecord(idOf(1), content))
  test('when it has neither text nor summary, but a payload, a reference or evidence', () => {
    expect(isPointer({ payload: {} })).toBe(true)
    expect(isPointer({ rawRef: 'blob://1' })).toBe(true)
    expect(isPointer({ evidenceRefs: ['blob://1'] })).toBe(true)
    expect(isPointer({})).toBe(false)
    expect(isPointer({ payload: {}, text: 'x' })).toBe(false)
    expect(isPointer({ payload: {}, summary: 'x' })).toBe(false)
  })
})

describe('trust through the lineage', () => {
  const [child, source] = [idOf(1), idOf(2)]
  const eyes = { agentId: 'ann', teamId: null }
  const ownedBy = (ownerAgentId: string) => ({ lane: 'private', ownerAgentId, ownerTeamId: null }) as const

  function isTrusted(
    one: Partial<MemoryRecord>,
    other: Partial<MemoryRecord> | null,
    relation: Partial<Relation> | null = null,
    asWhom: typeof eyes | null = eyes,
  ): boolean {
    const record = sampleRecord(child, {}, one)
    const memories = new Map([[child, compactRecord(record, record.audience, new RecentParts())]])
    if (other !== null) {
      const cited = sampleRecord(source, {}, other)
      memories.set(source, compactRecord(cited, cited.audience, new RecentParts()))
    }
    const type = 'derived_from'
    const base: Relation = { type, srcId: child, dstId: source, confidence: 1, effective: true, seq: 1 }
    const relationsBySource = new Map(relation === null ? [] : [[child, [{ ...base, ...relation }]]])
    return isTrustedThrough({ ...emptyState('t', 's'), memories, relationsBySource }, record, asWhom)
  }
  const candidate = { facets: { ...LIVE, trust: 'candidate' } } as const

  test('ends at a candidate, a missing source, and one that these eyes cannot see', () => {
    const derived = { derivedFrom: [source] }
    expect(isTrusted({}, null)).toBe(true)
    expect(isTrusted(candidate, null)).toBe(false)
    expect(isTrusted(derived, {})).toBe(true)
    expect(isTrusted(derived, candidate)).toBe(false)
    expect(isTrusted(derived, null)).toBe(false)
    expect(isTrusted(derived, { audience: ownedBy('bob') })).toBe(false)
    expect(isTrusted(derived, { audience: ownedBy('ann') })).toBe(true)
    expect(isTrusted(derived, { audience: ownedBy('bob') }, null, null)).toBe(true)
    expect(isTrusted(derived, { derivedFrom: [child] })).toBe(true)
  })

  test('follows a declared derivation that has effect, and no other relation', () => {
    expect(isTrusted({}, candidate, {})).toBe(false)
    expect(isTrusted({}, candidate, { effective: false })).toBe(true)
    expect(isTrusted({}, candidate, { type: 'related_to' })).toBe(true)
    expect(isTrusted({ derivedFrom: [source] }, candidate, { type: 'related_to' })).toBe(false)
  })
})
