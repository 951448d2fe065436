import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import { type DisputeSide, disputesOf } from '../../src/core/model/dispute.ts'
import type { Consumer, Content, Facets, HandoffFacts, MemoryRecord } from '../../src/core/model/record.ts'
import { admit, type GateFacts, SURFACE_RULES } from '../../src/core/policy/admission.ts'
import { isTrustedThrough } from '../../src/core/policy/lineage.ts'
import { anyHistory, anyRecord, SIGNATURES } from '../arbitraries.ts'
import { CONTENT, idOf, sampleRecord } from '../support/guide-samples.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { START_MS } from '../support/world.ts'
import { type Case, expectedOf, GRID_CASES, grid } from './surfaces.reference.ts'

const prove = proofsOf('surfaces')
const NOW = START_MS
const ME: Consumer = { agentId: 'me', teamId: 'my team' }
const CONSUMERS: readonly Consumer[] = [
  ME,
  { agentId: 'me', teamId: null },
  { agentId: 'b', teamId: 'team-b' },
]

/** A handoff to whoever is named. */
function handoffTo(targetAgentId: string | null, targetTeamId: string | null): HandoffFacts {
  return {
    handoffId: `handoff:${idOf(1)}`,
    anchor: null,
    handoffKind: 'task_handoff',
    targetAgentId,
    targetTeamId,
    targetRole: null,
    handoffText: null,
    nextAction: null,
    risk: null,
  }
}

const anyDispute: fc.Arbitrary<DisputeSide> = fc.record({
  memoryId: fc.constantFrom(idOf(2), idOf(3)),
  kind: fc.constantFrom('number', 'negation'),
  yields: fc.boolean(),
  isOtherLater: fc.boolean(),
  seq: fc.nat(),
})

const anyFacts: fc.Arbitrary<GateFacts> = fc.record({
  record: anyRecord,
  nowMs: fc.constant(NOW),
  isTrusted: fc.constantFrom(true, true, true, false),
  askedSignature: fc.constantFrom(null, ...SIGNATURES),
  consumer: fc.constantFrom(null, ...CONSUMERS),
  disputes: fc.array(anyDispute, { maxLength: 2 }),
})

interface Change {
  readonly facets?: Partial<Facets>
  readonly content?: Partial<Content>
  readonly record?: Partial<MemoryRecord>
  readonly isTrusted?: boolean
  readonly disputes?: readonly DisputeSide[]
}

function changed(facts: GateFacts, change: Change): GateFacts {
  const { record } = facts
  const facets = { ...record.facets, ...change.facets }
  const content = { ...record.content, ...change.content }
  const isTrusted = change.isTrusted ?? facts.isTrusted
  const disputes = change.disputes ?? facts.disputes
  return { ...facts, isTrusted, disputes, record: { ...record, ...change.record, facets, content } }
}

// What each rule leaves to the ones after it.
const PAST_1: Change = { facets: { suppression: null } }
const PAST_2: Change = {
  facets: { ...PAST_1.facets, standing: 'active' },
  content: { outcome: 'succeeded' },
}
const PAST_3: Change = { ...PAST_2, facets: { ...PAST_2.facets, validity: 'live', validUntilMs: null } }
const PAST_4: Change = { ...PAST_3, disputes: [] }
const PAST_5: Change = { ...PAST_4, content: { ...PAST_3.content, confidence: 0.6 }, isTrusted: true }
const PAST_6: Change = { ...PAST_5, record: { findings: [] } }
const PAST_7: Change = {
  ...PAST_6,
  facets: { ...PAST_6.facets, availability: 'resident' },
  content: { ...PAST_6.content, text: 'words' },
}

const PAST_11: Change = { ...PAST_7, record: { ...PAST_7.record, handoff: null } }

function decides(
  rule: string,
  surface: Surface,
  change: Change,
  holds: (facts: GateFacts) => GateFacts,
): void {
  prove(
    anyFacts.map((facts) => holds(changed(facts, change))),
    (facts) => {
      expect(admit(facts)).toMatchObject({ ruleId: rule, surface })
    },
    200,
  )
}

describe('each surface rule decides when none before it holds', () => {
  test('S1: a memory under suppression is do_not_use, whatever else holds', () => {
    prove(
      fc.tuple(anyFacts, fc.constantFrom(null, NOW + 1, NOW + 1e9), fc.string()),
      ([facts, untilMs, reason]) => {
        const suppression = { reason, by: null, sinceMs: 0, untilMs }
        const { surface, ruleId } = admit(changed(facts, { facets: { suppression } }))
        expect([ruleId, surface]).toEqual(['S1', 'do_not_use'])
      },
      200,
    )
  })

  test('S2: a memory that failed, or whose run failed or was blocked, is do_not_use', () => {
    decides('S2', 'do_not_use', PAST_1, (facts) => changed(facts, { facets: { standing: 'failed' } }))
    decides('S2', 'do_not_use', PAST_1, (facts) => changed(facts, { content: { outcome: 'failed' } }))
    decides('S2', 'do_not_use', PAST_1, (facts) => changed(facts, { content: { outcome: 'blocked' } }))
  })

  test('S3: a superseded or expired memory is do_not_use', () => {
    decides('S3', 'do_not_use', PAST_2, (facts) => changed(facts, { facets: { validity: 'superseded' } }))
    decides('S3', 'do_not_use', PAST_2, (facts) => changed(facts, { facets: { validity: 'expired' } }))
    decides('S3', 'do_not_use', PAST_2, (facts) =>
      changed(facts, { facets: { validity: 'live', validUntilMs: NOW } }),
    )
  })

  test('S4: a contested memory is inspect_before_use', () => {
    decides('S4', 'inspect_before_use', PAST_3, (facts) =>
      changed(facts, { facets: { standing: 'contested' } }),
    )
  })

  test('S12: a memory that yields in a dispute is inspect_before_use, and one that stands in it is not', () => {
    const inspect = 'inspect_before_use'
    const side = { memoryId: idOf(2), kind: 'number', isOtherLater: true, seq: 1 }
    decides('S12', inspect, PAST_3, (facts) =>
      changed(facts, { disputes: [{ ...side, yields: true }, ...facts.disputes] }),
    )
    prove(anyFacts, (facts) => {
      const stands = facts.disputes.map((dispute) => ({ ...dispute, yields: false }))
      const alone = admit({ ...facts, disputes: [] })
      const { surface, ruleId, reason, reasonCode } = admit({ ...facts, disputes: stands })
      expect({ surface, ruleId, reason, reasonCode }).toEqual({
        surface: alone.surface,
        ruleId: alone.ruleId,
        reason: alone.reason,
        reasonCode: alone.reasonCode,
      })
    })
  })

  test('S12: its reason codes name the memories of its disputes, those it yields to by `disputed_by`', () => {
    prove(fc.tuple(anyFacts, anyDispute), ([facts, last]) => {
      const disputes = [...facts.disputes, { ...last, memoryId: idOf(4), yields: true }]
      const { reasonCode, notes } = admit(changed(facts, { ...PAST_3, disputes }))
      expect(reasonCode).toBe(`disputed_by:${idOf(4)}`)
      const codes = facts.disputes.map(
        ({ yields, memoryId }) => `${yields ? 'disputed_by' : 'disputes'}:${memoryId}`,
      )
      expect([...notes].sort()).toEqual(codes.sort())
    })
  })

  test('S5: a candidate, a demoted memory or one with confidence below 0.6 is inspect_before_use', () => {
    const inspect = 'inspect_before_use'
    decides('S5', inspect, PAST_4, (facts) => changed(facts, { isTrusted: false }))
    decides('S5', inspect, PAST_4, (facts) => changed(facts, { facets: { standing: 'demoted' } }))
    decides('S5', inspect, PAST_4, (facts) => changed(facts, { content: { confidence: 0.599 } }))
  })

  test('S20: a memory whose own text says that it is obsolete is inspect_before_use', () => {
    for (const findings of [['declared_obsolete'], ['secret', 'declared_obsolete']]) {
      decides('S20', 'inspect_before_use', PAST_5, (facts) => changed(facts, { record: { findings } }))
    }
  })

  test('S6: a memory with a screening finding is inspect_before_use', () => {
    decides('S6', 'inspect_before_use', PAST_5, (facts) =>
      changed(facts, { record: { findings: ['found'] } }),
    )
  })

  test('S7: an archived memory, or one that only points to a payload, is rehydrate', () => {
    const bare = { text: '', summary: null, payload: null, rawRef: null, evidenceRefs: [] }
    decides('S7', 'rehydrate', PAST_6, (facts) => changed(facts, { facets: { availability: 'archived' } }))
    for (const pointer of [{ payload: { a: 1 } }, { rawRef: 'raw' }, { evidenceRefs: ['evidence'] }]) {
      decides('S7', 'rehydrate', PAST_6, (facts) => changed(facts, { content: { ...bare, ...pointer } }))
    }
  })

  test('S11: a handoff to an agent or team that the consumer is not is inspect_before_use', () => {
    const source = 'handoff' as const
    for (const handoff of [
      handoffTo('you', null),
      handoffTo(null, 'your team'),
      handoffTo('you', 'your team'),
    ]) {
      decides('S11', 'inspect_before_use', PAST_7, (facts) => ({
        ...changed(facts, { record: { source, handoff } }),
        consumer: ME,
      }))
    }
    const targets = [
      handoffTo('me', null),
      handoffTo(null, 'my team'),
      handoffTo('me', 'x'),
      handoffTo('x', 'my team'),
    ]
    for (const handoff of [...targets, handoffTo(null, null)]) {
      prove(anyFacts, (facts) => {
        const to = {
          ...changed(facts, { ...PAST_7, record: { ...PAST_7.record, source, handoff } }),
          consumer: ME,
        }
        const without = changed(to, { record: { handoff: null } })
        expect(admit(to)).toEqual(admit(without))
        expect(admit({ ...to, consumer: null })).toEqual(admit({ ...without, consumer: null }))
      })
    }
  })

  test('S11: a role named in a handoff changes no surface', () => {
    prove(fc.tuple(anyFacts, fc.string()), ([facts, targetRole]) => {
      const { handoff } = facts.record
      const withRole = handoff === null ? null : { ...handoff, targetRole }
      expect(admit(changed(facts, { record: { handoff: withRole } })).surface).toBe(admit(facts).surface)
    })
  })

  test('S8: a handoff of another task signature than asked, or without one, is inspect_before_use', () => {
    const handoff = handoffTo(null, null)
    for (const taskSignature of ['one', null]) {
      const record = {
        domain: 'execution',
        source: 'handoff',
        memoryType: 'execution_memory',
        taskSignature,
      } as const
      decides('S8', 'inspect_before_use', PAST_11, (facts) => ({
        ...changed(facts, { record: { ...record, handoff } }),
        askedSignature: 'other',
      }))
    }
    // Unless its anchor names the task that is asked for.
    for (const [anchor, isOurs] of [
      ['other', true],
      ['other:run-1:ann', true],
      ['others', false],
    ] as const) {
      const record = { domain: 'execution', source: 'handoff', memoryType: 'execution_memory' } as const
      prove(anyFacts, (facts) => {
        const named = changed(facts, {
          ...PAST_11,
          record: { ...PAST_11.record, ...record, taskSignature: null, handoff: { ...handoff, anchor } },
        })
        expect(admit({ ...named, askedSignature: 'other' }).ruleId).toBe(isOurs ? 'S10' : 'S8')
      })
    }
  })

  test('S8: a run that did not succeed, or of another task signature than asked, is inspect_before_use', () => {
    const run = { domain: 'execution', source: 'observe', memoryType: 'execution_memory' } as const
    for (const outcome of [null, 'interrupted', 'unknown'] as const) {
      decides('S8', 'inspect_before_use', PAST_11, (facts) =>
        changed(facts, { record: run, content: { outcome } }),
      )
    }
    decides('S8', 'inspect_before_use', PAST_11, (facts) => ({
      ...changed(facts, { record: { ...run, taskSignature: 'one' } }),
      askedSignature: 'other',
    }))
  })

  test('S9: an event or a piece of evidence is inspect_before_use', () => {
    for (const memoryType of ['event', 'evidence'] as const) {
      decides('S9', 'inspect_before_use', PAST_11, (facts) =>
        changed(facts, { record: { domain: 'general', memoryType, source: 'observe' } }),
      )
    }
  })

  const usable = (facts: GateFacts) =>
    changed(facts, { record: { domain: 'general', memoryType: 'fact', source: 'observe' } })

  test('S13: a memory that only a weak match brought here is inspect_before_use', () => {
    for (const isOtherEntity of [true, false]) {
      const match = { isWeak: true, isOtherEntity }
      decides('S13', 'inspect_before_use', PAST_11, (facts) => ({ ...usable(facts), match }))
    }
  })

  test('S14: a memory that names other entities of the kind asked for, and none of those, is inspect_before_use', () => {
    const match = { isWeak: false, isOtherEntity: true }
    decides('S14', 'inspect_before_use', PAST_11, (facts) => ({ ...usable(facts), match }))
  })

  test('S13: what a query asks never raises a surface, and lowers use_now only', () => {
    const anyMatch = fc.record({
      isWeak: fc.boolean(),
      isOtherEntity: fc.boolean(),
      isSaidAnew: fc.boolean(),
    })
    prove(fc.tuple(anyFacts, anyMatch), ([facts, match]) => {
      const alone = admit(facts)
      const asked = admit({ ...facts, match })
      const isLowered = alone.surface === 'use_now' && Object.values(match).includes(true)
      if (isLowered) expect(asked.surface).toBe('inspect_before_use')
      else expect(asked).toEqual(alone)
    })
  })

  test('S10: a memory that no other rule holds back is use_now, and no other is', () => {
    decides('S10', 'use_now', PAST_11, (facts) =>
      changed(facts, { record: { domain: 'general', memoryType: 'fact', source: 'observe' } }),
    )
    prove(anyFacts, (facts) => {
      const held = SURFACE_RULES.some((rule) => rule.id !== 'S10' && rule.holds(facts))
      expect(admit(facts).surface === 'use_now').toBe(!held)
    })
  })
})

describe('the rules are the policy as it is written', () => {
  test('over the whole grid the rules give what the reference table says', () => {
    let cases = 0
    for (const c of grid()) {
      cases += 1
      const { surface, ruleId } = admit(factsOf(c))
      const expected = expectedOf(c)
      if (surface !== expected.surface || ruleId !== expected.rule) {
        expect({ case: c, surface, ruleId }).toEqual({
          case: c,
          surface: expected.surface,
          ruleId: expected.rule,
        })
      }
    }
    expect(cases).toBe(GRID_CASES)
  })

  test('every memory that a history can leave has the surface of the reference table', () => {
    prove(fc.tuple(anyHistory, fc.constantFrom(null, ...SIGNATURES)), ([history, asked]) => {
      const world = worldAfter(history)
      for (const record of world.records()) {
        const isTrusted = isTrustedThrough(world.state, record, null)
        const { surface, ruleId } = world.admission(record.memoryId, asked)
        const yields = disputesOf(world.state, record, world.nowMs, null).some((side) => side.yields)
        const expected = expectedOf({ ...caseOf(record, isTrusted, asked, world.nowMs), yields })
        expect({ surface, rule: ruleId }).toEqual(expected)
      }
    })
  })

  test('every case gives a reason, and the same facts give the same answer', () => {
    prove(anyFacts, (facts) => {
      expect(admit(facts).reason).not.toBe('')
      expect(admit(facts)).toEqual(admit(structuredClone(facts)))
    })
  })
})

const YIELDS: DisputeSide = { memoryId: idOf(2), kind: 'number', yields: true, isOtherLater: true, seq: 1 }
const STANDS: DisputeSide = { ...YIELDS, yields: false }

const SUPPRESSIONS = {
  none: null,
  in_force: { reason: 'r', by: null, sinceMs: 0, untilMs: null },
  in_force_with_end: { reason: 'r', by: null, sinceMs: 0, untilMs: NOW + 1 },
  over: { reason: 'r', by: null, sinceMs: 0, untilMs: NOW },
}
const VALIDITIES = {
  live: { validity: 'live', validUntilMs: null },
  superseded: { validity: 'superseded', validUntilMs: null },
  expired: { validity: 'expired', validUntilMs: null },
  expired_by_clock: { validity: 'live', validUntilMs: NOW },
  not_yet: { validity: 'live', validUntilMs: NOW + 1 },
} as const
const HOLDINGS = {
  text: { ...CONTENT, text: 'words', payload: { a: 1 } },
  summary: { ...CONTENT, summary: 'words', rawRef: 'raw' },
  payload: { ...CONTENT, title: 'a label', payload: { a: 1 } },
  raw_ref: { ...CONTENT, rawRef: 'raw' },
  evidence_ref: { ...CONTENT, evidenceRefs: ['evidence'] },
  empty: CONTENT,
}
const BASE = sampleRecord(idOf(1), {})

function factsOf(c: Case): GateFacts {
  const { validity, validUntilMs } = VALIDITIES[c.validity]
  const record: MemoryRecord = {
    ...BASE,
    domain: c.what.domain,
    memoryType: c.what.type,
    source: c.what.source,
    handoff: c.what.source === 'handoff' ? handoffTo(c.what.isForSomebodyElse ? 'you' : null, null) : null,
    taskSignature: c.signature === 'memory_has_none' ? null : 'this task',
    findings: c.hasFinding ? ['found'] : [],
    content: { ...HOLDINGS[c.holds], outcome: c.outcome, confidence: c.confidence },
    facets: {
      trust: c.trust === 'candidate' ? 'candidate' : 'trusted',
      standing: c.standing,
      validity,
      validUntilMs,
      availability: c.isArchived ? 'archived' : 'resident',
      suppression: SUPPRESSIONS[c.suppression],
    },
  }
  const askedSignature =
    c.signature === 'not_asked' ? null : c.signature === 'other' ? 'another task' : 'this task'
  const disputes = c.yields ? [YIELDS] : [STANDS]
  return { record, nowMs: NOW, isTrusted: c.trust === 'trusted', askedSignature, consumer: ME, disputes }
}

/** The columns of the reference table that a stored memory stands in. */
function caseOf(
  record: MemoryRecord,
  isTrusted: boolean,
  asked: string | null,
  nowMs: number,
): Omit<Case, 'yields'> {
  const { facets, content } = record
  const { suppression } = facets
  const isOver = suppression !== null && suppression.untilMs !== null && suppression.untilMs <= nowMs
  const isPastEnd = facets.validUntilMs !== null && facets.validUntilMs <= nowMs
  const hasWords = content.text !== '' || content.summary !== null
  const pointer =
    content.payload !== null
      ? 'payload'
      : content.rawRef !== null
        ? 'raw_ref'
        : content.evidenceRefs.length > 0
          ? 'evidence_ref'
          : 'empty'
  return {
    suppression: suppression === null ? 'none' : isOver ? 'over' : 'in_force',
    standing: facets.standing,
    validity: facets.validity === 'live' && isPastEnd ? 'expired_by_clock' : facets.validity,
    trust: isTrusted ? 'trusted' : 'derived_from_untrusted',
    confidence: content.confidence < 0.6 ? 0 : 1,
    hasFinding: record.findings.length > 0,
    isArchived: facets.availability === 'archived',
    holds: hasWords ? 'text' : pointer,
    what: { domain: record.domain, type: record.memoryType, source: record.source, isForSomebodyElse: false },
    outcome: content.outcome,
    signature: asked === null ? 'not_asked' : record.taskSignature === asked ? 'same' : 'other',
  }
}
