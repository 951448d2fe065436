import { expect, test } from 'vitest'
import { INITIAL_FACETS } from '../../src/core/model/lifecycle.ts'
import { admissionIn } from '../../src/core/policy/admission.ts'
import { memoryOf } from '../support/commands.ts'
import { START_MS, World } from '../support/world.ts'

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
