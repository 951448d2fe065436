import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { FeedbackCommand } from '../../src/core/model/commands.ts'
import { decideFeedback } from '../../src/core/write/attribution.ts'
import { feedbackOf, LOCAL, memoryOf } from '../support/commands.ts'
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
})
