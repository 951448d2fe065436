import { describe, expect, test } from 'vitest'
import {
  assertTransition,
  INITIAL_FACETS,
  isSuppressed,
  lifecycleStateAt,
  moveFacet,
  suppress,
  TRANSITIONS,
  unsuppress,
  validityAt,
} from '../../src/core/model/lifecycle.ts'
import type { Facets, MemoryRecord, Suppression } from '../../src/core/model/record.ts'
import { admissionIn } from '../../src/core/policy/admission.ts'
import { memoryOf } from '../support/commands.ts'
import { idOf, sampleRecord } from '../support/guide-samples.ts'
import { START_MS, World } from '../support/world.ts'

const NOW_MS = 1_000
const recordWith = (facets: Partial<Facets>): MemoryRecord =>
  sampleRecord(idOf(1), { text: 'x' }, { facets: { ...INITIAL_FACETS, ...facets } })
const until = (untilMs: number | null): Suppression => ({ reason: 'wrong', by: null, sinceMs: 0, untilMs })

test('a new memory is trusted, active, live, resident and not suppressed', () => {
  expect({ ...INITIAL_FACETS }).toEqual({
    trust: 'trusted',
    standing: 'active',
    validity: 'live',
    validUntilMs: null,
    availability: 'resident',
    suppression: null,
  })
})

describe('the moment of an end', () => {
  test('a suppression is over in the millisecond in which it ends', () => {
    expect(
      [NOW_MS - 1, NOW_MS, NOW_MS + 1, null].map((end) => isSuppressed(suppressed(end), NOW_MS)),
    ).toEqual([false, false, true, true])
  })

  test('a memory has expired in the millisecond in which its validity ends', () => {
    const ends = [NOW_MS - 1, NOW_MS, NOW_MS + 1, null]
    expect(ends.map((validUntilMs) => validityAt({ ...INITIAL_FACETS, validUntilMs }, NOW_MS))).toEqual([
      'expired',
      'expired',
      'live',
      'live',
    ])
  })

  const suppressed = (untilMs: number | null): Facets => ({ ...INITIAL_FACETS, suppression: until(untilMs) })
})

describe('a move', () => {
  test('names the memory that caused it, or nobody', () => {
    const move = { facet: 'validity', to: 'superseded', cause: 'claim_replaced', reason: 'newer' } as const
    expect(moveFacet(recordWith({}), move)).toMatchObject({ type: 'validity_changed', byMemoryId: null })
    expect(moveFacet(recordWith({}), { ...move, byMemoryId: idOf(2) })).toMatchObject({ byMemoryId: idOf(2) })
  })

  test('that no row allows is null, and an invariant broken when it is applied', () => {
    const move = { facet: 'standing', to: 'contested', cause: 'weak_negative', reason: 'r' } as const
    expect(moveFacet(recordWith({ standing: 'active' }), move)).toBeNull()
    expect(() => assertTransition('standing', 'weak_negative', 'active', 'contested')).toThrow(
      'no transition of standing',
    )
    for (const { facet, cause, from, to } of TRANSITIONS)
      for (const word of from) expect(() => assertTransition(facet, cause, word, to)).not.toThrow()
  })
})

describe('suppression', () => {
  test('a declared one replaces only one that has an end, an operator replaces any', () => {
    const forever = recordWith({ suppression: until(null) })
    const limited = recordWith({ suppression: until(NOW_MS) })
    expect(suppress(forever, until(9), 'declared')).toBeNull()
    expect(suppress(forever, until(9), 'operator_suppress')).toMatchObject({ to: until(9) })
    expect(suppress(limited, until(9), 'declared')).toMatchObject({ to: until(9), cause: 'declared' })
    expect(suppress(recordWith({}), until(9), 'declared')).toMatchObject({ to: until(9), byMemoryId: null })
  })

  test('lifting one that is not there is no event', () => {
    expect(unsuppress(recordWith({}), 'why')).toBeNull()
    expect(unsuppress(recordWith({ suppression: until(null) }), 'why')).toMatchObject({
      type: 'suppression_changed',
      to: null,
      cause: 'operator_unsuppress',
    })
  })
})

test('a report names the gravest state that holds', () => {
  const states: readonly (readonly [Partial<Facets>, string])[] = [
    [{}, 'active'],
    [{ availability: 'archived' }, 'archived'],
    [{ availability: 'archived', trust: 'candidate' }, 'candidate'],
    [{ trust: 'candidate', standing: 'demoted' }, 'demoted'],
    [{ standing: 'contested', validUntilMs: NOW_MS }, 'expired'],
    [{ standing: 'contested', validity: 'superseded' }, 'superseded'],
    [{ standing: 'failed', validity: 'superseded' }, 'failed'],
    [{ standing: 'failed', suppression: until(null) }, 'suppressed'],
  ]
  for (const [facets, state] of states)
    expect(lifecycleStateAt({ ...INITIAL_FACETS, ...facets }, NOW_MS)).toBe(state)
})

test('the reason of a standing tells where it comes from: a declaration, another memory or evidence', () => {
  const world = new World()
  const reason = (id: string): string => {
    const ask = { nowMs: START_MS, askedSignature: null, consumer: null }
    return admissionIn(world.state, world.record(id), ask).reason
  }
  for (const word of ['demoted', 'contested', 'failed'] as const) {
    const written = world.write(memoryOf({ text: `written ${word}` }, { declared: [word] }))
    expect(reason(written)).toBe(`declared ${word}`)
    const later = { clientId: `later ${word}` }
    world.write(memoryOf({ text: `later ${word}` }, later))
    const id = world.write(memoryOf({ text: `later ${word}` }, { ...later, declared: [word] }))
    expect(reason(id)).toBe(`declared ${word}`)
  }
  const shown = world.write(memoryOf({ text: 'shown and then reported' }))
  world.guide()
  const { guideTraceId } = world.guides.at(-1) ?? { guideTraceId: null }
  world.feedback({ guideTraceId, memoryIds: [shown], outcome: 'negative' })
  expect(reason(shown)).toBe('it did not help when it was last used')
  expect(reason(world.write(memoryOf({ text: 'written failed' })))).toBe('the same text failed before')
})
