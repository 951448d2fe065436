import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { FeedbackCommand } from '../../src/core/model/commands.ts'
import { decideFeedback } from '../../src/core/write/attribution.ts'
import { feedbackOf, LOCAL, memoryOf } from '../support/commands.ts'
import { idOf } from '../support/guide-samples.ts'
import { refusalOf, World } from '../support/world.ts'

const TRACE = 'guide_trace:1'

/** Two memories, the first of them shown on `surface` by a guide. */
function decided(parts: Partial<FeedbackCommand>, surface: Surface = 'use_now') {
  const world = new World()
  const shown = world.write(memoryOf({ text: 'shown' }))
  const other = world.write(memoryOf({ text: 'not shown' }))
  const exposure = {
    guideTraceId: TRACE,
    runId: 'run-1',
    consumerAgentId: LOCAL.agentId,
    consumerTeamId: LOCAL.teamId,
    memoryIds: [shown],
    surfaces: [surface],
    taskSignature: null,
    heldOut: false,
    atMs: 0,
    seq: 1,
  }
  const command = feedbackOf({ runId: 'run-1', guideTraceId: TRACE, memoryIds: [shown], ...parts })
  const decide = (rest: Partial<FeedbackCommand> = {}) =>
    decideFeedback(world.state, { ...command, ...rest }, command.guideTraceId === null ? null : exposure)
  return { world, shown, other, decide }
}

describe('an outcome without a memory', () => {
  test('is recorded when it is neutral, and refused otherwise', () => {
    for (const guideTraceId of [TRACE, null]) {
      const { decide } = decided({ guideTraceId, memoryIds: [] })
      expect(decide({ outcome: 'neutral' }).events).toMatchObject([
        { type: 'run_feedback_recorded', outcome: 'neutral', memoryIds: [] },
      ])
      for (const outcome of ['positive', 'negative'] as const)
        expect(refusalOf(() => decide({ outcome }))?.code).toBe('invalid_request')
    }
  })
})

describe('an outcome for what a guide showed', () => {
  test('is one mark of the memory, its move, and one record of the run', () => {
    const { decide, shown } = decided({ outcome: 'negative', usedSurface: 'use_now' })
    const { events, effect } = decide()
    expect(events.map(({ type }) => type)).toEqual([
      'feedback_recorded',
      'standing_changed',
      'run_feedback_recorded',
    ])
    expect(events[0]).toMatchObject({ memoryId: shown, attributed: true })
    expect(events[2]).toMatchObject({ memoryIds: [shown], boundaryIgnoredMemoryIds: [] })
    expect(effect).toEqual({
      memoryIds: [shown],
      attributions: [{ memoryId: shown, exposedOn: 'use_now', usedSurface: 'use_now' }],
      affectedMemoryIds: [shown],
      boundaryIgnoredMemoryIds: [],
      warnings: [],
      isDirect: false,
      clientIds: [],
      externalStates: null,
    })
  })

  test('counts once for a run', () => {
    const { world, decide, shown } = decided({ outcome: 'negative', usedSurface: 'use_now' })
    world.commit(decide().events)
    const { events, effect } = decide()
    expect(events.map(({ type }) => type)).toEqual(['run_feedback_recorded'])
    expect(effect).toMatchObject({ affectedMemoryIds: [] })
    expect(decide({ runId: 'run-2' }).effect).toMatchObject({ affectedMemoryIds: [shown] })
  })

  test('is direct only when a positive credits the memory itself', () => {
    const positive = { outcome: 'positive', usedSurface: 'use_now' } as const
    expect(decided(positive).decide().effect.isDirect).toBe(true)
    expect(decided(positive, 'inspect_before_use').decide().effect.isDirect).toBe(false)
    expect(decided({ ...positive, outcome: 'neutral' }).decide().effect.isDirect).toBe(false)
  })

  test('on another surface than it was shown ignores the boundary, unless the host asserts it', () => {
    const ignored = (usedSurface: FeedbackCommand['usedSurface'], surface: Surface) => {
      const { decide, shown } = decided({ outcome: 'neutral', usedSurface }, surface)
      const { events, effect } = decide()
      expect(events.at(-1)).toMatchObject({ boundaryIgnoredMemoryIds: effect.boundaryIgnoredMemoryIds })
      return effect.boundaryIgnoredMemoryIds.includes(shown)
    }
    expect(ignored('use_now', 'inspect_before_use')).toBe(true)
    expect(ignored('use_now', 'do_not_use')).toBe(true)
    expect(ignored('use_now', 'use_now')).toBe(false)
    expect(ignored('inspect_before_use', 'use_now')).toBe(true)
    expect(ignored('explicit_host_assertion', 'do_not_use')).toBe(false)
    expect(ignored('explicit_host_assertion', 'use_now')).toBe(false)
  })

  test('may name nothing else', () => {
    const { decide, shown, other } = decided({})
    expect(refusalOf(() => decide({ memoryIds: [shown, other] }))).toMatchObject({
      code: 'guide_trace_used_memory_not_exposed',
      details: { guide_trace_id: TRACE, not_exposed_memory_ids: [other] },
    })
    expect(refusalOf(() => decide({ memoryIds: [idOf(0xfff)] }))?.code).toBe(
      'guide_trace_used_memory_not_exposed',
    )
  })
})

describe('an outcome without a guide', () => {
  const asserted = { guideTraceId: null, usedSurface: 'explicit_host_assertion' } as const

  test('is evidence without effect when the host asserts what was never shown', () => {
    for (const outcome of ['positive', 'negative'] as const) {
      const { decide, shown } = decided({ ...asserted, outcome })
      const { events, effect } = decide()
      expect(events.map(({ type }) => type)).toEqual(['feedback_recorded', 'run_feedback_recorded'])
      expect(events[0]).toMatchObject({ attributed: false, mark: { direct: false } })
      expect(effect).toMatchObject({
        memoryIds: [shown],
        affectedMemoryIds: [],
        attributions: [{ memoryId: shown, exposedOn: null }],
        boundaryIgnoredMemoryIds: [],
        isDirect: false,
      })
    }
  })

  test('is refused for what was never shown when the host asserts nothing', () => {
    const { decide } = decided({ guideTraceId: null, usedSurface: 'use_now' })
    expect(refusalOf(() => decide())?.code).toBe('guide_trace_used_memory_not_exposed')
  })
})
