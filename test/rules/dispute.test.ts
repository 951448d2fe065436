import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stateHash } from '../../src/core/model/state-image.ts'
import { anyHistory } from '../arbitraries.ts'
import {
  claimOf,
  eraseOf,
  feedbackOf,
  guideOf,
  handoffOf,
  lifecycleOf,
  memoryOf,
  observeOf,
  runOf,
} from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import {
  anyOrigin,
  anyStatement,
  anyType,
  NEWER,
  OLDER,
  rankOf,
  say,
  surfacesAt,
  textOf,
  UNRELATED,
  yieldings,
} from '../support/statements.ts'
import { replayed, World } from '../support/world.ts'

const prove = proofsOf('dispute')

describe('two texts that cannot both hold', () => {
  test('C5: one of them yields and is to be inspected, and no facet of either changes', () => {
    prove(anyHistory, (history) => {
      const world = worldAfter(history)
      const older = say(world, OLDER, { clientId: 'the older' })
      const facets = world.record(older).facets
      const newer = say(world, NEWER, { clientId: 'the newer' })
      expect(yieldings(world)).toContain(`${older} to ${newer}`)
      expect(world.admission(older)).toMatchObject({ ruleId: 'S12', reasonCode: `disputed_by:${newer}` })
      expect(world.admission(newer)).toMatchObject({ surface: 'use_now', notes: [`disputes:${older}`] })
      expect(world.record(older).facets).toEqual(facets)
      for (const id of [older, newer]) expect(world.record(id).changes).toEqual([])
      expect(JSON.stringify(world.lastEvents().filter(({ type }) => type === 'dispute_found'))).not.toMatch(
        /timeout|gateway|seconds/,
      )
    })
  })

  test('C5: runs, handoffs and claims dispute nothing by their words', () => {
    type Write = (world: World, text: string) => void
    const anyKind = fc.constantFrom<Write>(
      (world, text) => world.write(runOf({ text })),
      (world, text) => world.observe(observeOf({ handoff: handoffOf(memoryOf({ text }), {}) })),
      (world, text) => world.observe(observeOf({ claims: [claimOf(null, { value: text })] })),
    )
    prove(fc.tuple(anyKind, fc.boolean()), ([write, isOlder]) => {
      const world = new World()
      if (isOlder) write(world, OLDER)
      else say(world, OLDER)
      if (isOlder) say(world, NEWER)
      else write(world, NEWER)
      expect(world.state.disputes.size).toBe(0)
    })
  })

  test('C5: what is written in one request, and two observations, dispute nothing', () => {
    prove(fc.constantFrom('event' as const, 'evidence' as const), (memoryType) => {
      const world = new World()
      world.observe(observeOf({ memories: [memoryOf({ text: OLDER }), memoryOf({ text: NEWER })] }))
      const events = new World()
      for (const text of [OLDER, NEWER]) say(events, text, { memoryType })
      expect(world.state.disputes.size + events.state.disputes.size).toBe(0)
      say(events, textOf({ subject: 0, value: 60 }))
      expect(yieldings(events)).toHaveLength(2)
    })
  })

  test('C5: an actor that is read again, and one that is replayed, know the same disputes and decide the same', () => {
    prove(anyHistory, (history) => {
      const live = worldAfter(history)
      say(live, OLDER, { clientId: 'one' })
      say(live, NEWER, { clientId: 'two' })
      expect(live.state.disputes.size).toBeGreaterThan(0)
      const back = reloaded(live)
      expect(stateHash(replayed(live.turns))).toBe(stateHash(live.state))
      const command = observeOf({ memories: [memoryOf({ text: textOf({ subject: 0, value: 60 }) })] })
      expect(back.observe(command)).toEqual(live.observe(command))
      expect(back.lastEvents()).toEqual(live.lastEvents())
      expect(stateHash(back.state)).toBe(stateHash(live.state))
      expect(yieldings(back)).toEqual(yieldings(live))
    })
  })
})

describe('who yields', () => {
  const DAY_MS = 86_400_000

  test('C6: the earlier, unless the later has less authority; a statement may place itself earlier, never later', () => {
    prove(
      fc.record({
        origins: fc.tuple(anyOrigin, anyOrigin),
        types: fc.tuple(anyType, anyType),
        daysBefore: fc.tuple(fc.constantFrom(0, 0, 5, -5), fc.constantFrom(0, 0, 9, 5, -5)),
      }),
      ({ origins, types, daysBefore }) => {
        const world = new World()
        const ids = ([0, 1] as const).map((at) =>
          say(world, at === 0 ? OLDER : NEWER, {
            origin: origins[at],
            memoryType: types[at],
            observedAtMs: daysBefore[at] === 0 ? null : world.nowMs - daysBefore[at] * DAY_MS,
          }),
        )
        const isGuidance = types.some((type) => type !== 'fact')
        const [first, second] = [rankOf(origins[0], isGuidance), rankOf(origins[1], isGuidance)]
        const isSwapped = Math.max(0, daysBefore[1]) > Math.max(0, daysBefore[0])
        const secondYields = isSwapped ? first >= second : first > second
        const [one = '', other = ''] = secondYields ? ids.toReversed() : ids
        expect(yieldings(world)).toEqual([`${one} to ${other}`])
        expect(world.admission(one).ruleId).toBe('S12')
        expect(world.admission(other).ruleId).not.toBe('S12')
      },
      300,
    )
  })

  test('C6: A, B and A again leave A in force, and an operator’s activation counts as his word', () => {
    prove(fc.tuple(anyOrigin, anyType), ([origin, memoryType]) => {
      const world = new World()
      const rest = { origin, memoryType }
      const [a, b] = [say(world, OLDER, rest), say(world, NEWER, rest)]
      world.lifecycle(lifecycleOf({ operation: 'activate', memoryIds: [a] }))
      const isOperatorMore = origin !== 'user'
      expect(yieldings(world)).toEqual([isOperatorMore ? `${b} to ${a}` : `${a} to ${b}`])
      const again = say(world, OLDER, { ...rest, clientId: 'again' })
      expect(yieldings(world)).toContain(`${b} to ${again}`)
      expect(world.admission(again).ruleId).not.toBe('S12')
    })
  })
})

describe('how long it holds', () => {
  type End = (world: World, id: string) => () => void
  const fail = (world: World, id: string, runId: string): void => {
    const hit = { memoryId: id, score: 1, coverage: 1, matchedTerms: 1, isExact: false, isAboveFloor: true }
    const { guide_trace_id } = world.guide(guideOf({ limit: 200, budgetChars: 200_000 }), [hit])
    const usedSurface = 'explicit_host_assertion' as const
    const report = { runId, outcome: 'negative', usedSurface, verifierStatus: 'failed' } as const
    world.feedback(feedbackOf({ ...report, guideTraceId: guide_trace_id, memoryIds: [id] }))
  }
  const ENDS: Readonly<Record<string, End>> = {
    suppressed: (world, id) => {
      world.lifecycle(lifecycleOf({ operation: 'suppress', memoryIds: [id] }))
      return () => world.lifecycle(lifecycleOf({ operation: 'unsuppress', memoryIds: [id] }))
    },
    'suppressed for a while': (world, id) => {
      world.lifecycle(lifecycleOf({ operation: 'suppress', memoryIds: [id], untilMs: world.nowMs + 60_000 }))
      return () => {
        world.nowMs += 60_000
      }
    },
    contested: (world, id) => {
      fail(world, id, 'run-1')
      return () => world.lifecycle(lifecycleOf({ operation: 'activate', memoryIds: [id] }))
    },
  }

  test('C7: it ends while either side is out of force and comes back with it, whatever other disputes say', () => {
    prove(
      fc.tuple(fc.constantFrom(...Object.values(ENDS)), fc.boolean(), fc.boolean()),
      ([end, isOlder, isChained]) => {
        const world = new World()
        const [older, newer] = [say(world, OLDER, { origin: 'user' }), say(world, NEWER, { origin: 'user' })]
        if (isChained) say(world, textOf({ subject: 0, value: 60 }), { origin: 'user' })
        const before = yieldings(world)
        expect(before).toContain(`${older} to ${newer}`)
        const comeBack = end(world, isOlder ? older : newer)
        const meanwhile = yieldings(world)
        expect(meanwhile).not.toContain(`${older} to ${newer}`)
        expect(meanwhile.every((line) => before.includes(line))).toBe(true)
        comeBack()
        expect(yieldings(world)).toEqual(before)
      },
    )
  })

  test('C7: superseded, failed or expired it ends; trust does not end it', () => {
    prove(fc.constantFrom('superseded', 'failed', 'expired', 'candidate', 'archived'), (word) => {
      const world = new World()
      const [older, newer] = [say(world, OLDER), say(world, NEWER, { clientId: 'c' })]
      expect(say(world, NEWER, { clientId: 'c', declared: [word] })).toBe(newer)
      const holds = word === 'candidate' || word === 'archived'
      expect(yieldings(world)).toEqual(holds ? [`${older} to ${newer}`] : [])
    })
  })

  test('C7: to suppress and unsuppress, or to observe and erase, gives every other memory its surface back', () => {
    prove(fc.tuple(anyHistory, anyStatement, anyOrigin), ([history, statement, origin]) => {
      const world = worldAfter(history)
      say(world, OLDER, { clientId: 'older' })
      say(world, UNRELATED, { clientId: 'unrelated' })
      const others = [...world.memoryIds]
      const { nowMs } = world
      const before = surfacesAt(world, others, nowMs)
      const live = say(world, textOf(statement), { origin, clientId: 'said' })
      const during = surfacesAt(world, others, nowMs)
      world.lifecycle(lifecycleOf({ operation: 'suppress', memoryIds: [live] }))
      expect(surfacesAt(world, others, nowMs)).toEqual(before)
      world.lifecycle(lifecycleOf({ operation: 'unsuppress', memoryIds: [live] }))
      expect(surfacesAt(world, others, nowMs)).toEqual(during)
      world.erase(eraseOf([live]))
      expect(surfacesAt(world, others, nowMs)).toEqual(before)
      for (const id of others) expect(JSON.stringify(world.admission(id))).not.toContain(live)
    })
  })
})
