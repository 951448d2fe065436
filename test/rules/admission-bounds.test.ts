import { describe, expect, test } from 'vitest'
import { compactRecord, RecentParts } from '../../src/core/model/compact-record.ts'
import type { Content, Facets, MemoryRecord, Relation } from '../../src/core/model/record.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { admit, type GateFacts } from '../../src/core/policy/admission.ts'
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
