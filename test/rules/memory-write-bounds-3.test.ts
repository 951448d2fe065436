import { describe, expect, test } from 'vitest'
import type { DeclaredLifecycle, LifecycleCommand, MemoryWrite } from '../../src/core/model/commands.ts'
import type { Consumer } from '../../src/core/model/record.ts'
import { isOperatorActivation } from '../../src/core/write/forget.ts'
import { claimOf, EVERYONE, handoffOf, lifecycleOf, memoryOf, privateTo, runOf } from '../support/commands.ts'
import { facetsOf, refusalOf, World } from '../support/world.ts'

const ANN: Consumer = { agentId: 'ann', teamId: 'red' }
const BOB: Consumer = { agentId: 'bob', teamId: null }

describe('a handoff', () => {
  const hand = (
    world: World,
    facts: Parameters<typeof handoffOf>[1],
    rest: Partial<MemoryWrite> = {},
  ): string =>
    world.observe({ handoff: handoffOf(memoryOf({ text: 'on its way' }, rest), facts) }).memoryIds[0] ?? ''
  const validityOf = (world: World, ...ids: readonly string[]): readonly string[] =>
    ids.map((id) => world.record(id).facets.validity)

  test('replaces the older one of its anchor, else of its task, where all who see that see it', () => {
    const world = new World()
    const first = hand(world, { anchor: 'a' })
    const task = hand(world, {}, { taskSignature: 'a' })
    const mine = hand(world, { anchor: 'a' }, { audience: privateTo('ann') })
    expect(validityOf(world, first, task, mine)).toEqual(['live', 'live', 'live'])
    const second = hand(world, { anchor: 'a', risk: 'more' })
    expect(validityOf(world, first, task, mine, second)).toEqual(['superseded', 'live', 'superseded', 'live'])
    const next = hand(world, { risk: 'more' }, { taskSignature: 'a' })
    expect(validityOf(world, task, next, second)).toEqual(['superseded', 'live', 'live'])
    const nameless = [hand(world, {}), hand(world, { risk: 'more' })]
    expect(validityOf(world, ...nameless, next, second)).toEqual(['live', 'live', 'live', 'live'])
  })

  test('an older one that is revised is the active path again', () => {
    const world = new World()
    const first = hand(world, { anchor: 'a' }, { clientId: 'one' })
    const second = hand(world, { anchor: 'a' }, { clientId: 'two' })
    hand(world, { anchor: 'a' }, { clientId: 'one' })
    expect(validityOf(world, first, second)).toEqual(['superseded', 'live'])
    hand(world, { anchor: 'a', risk: 'high' }, { clientId: 'one' })
    expect(validityOf(world, first, second)).toEqual(['live', 'superseded'])
  })
})

describe('the effect of a request', () => {
  test('counts what changed by its domain and names the client ids', () => {
    const world = new World()
    const memories = [
      memoryOf({ text: 'a' }, { clientId: 'a' }),
      memoryOf({ text: 'b' }),
      runOf({ text: 'r' }, { clientId: 'r' }),
    ]
    const parts = {
      memories,
      claims: [claimOf('s', { clientId: 'c' })],
      handoff: handoffOf(memoryOf({ text: 'h' }), { anchor: 'h' }),
    }
    const effect = world.observe(parts)
    const [a, b, r, h, c] = effect.memoryIds
    expect(effect).toEqual({
      memoryIds: [a, b, r, h, c],
      clientIds: { a, r, c },
      handoffId: `handoff:${h}`,
      claimIds: [`claim:${c}`],
      isMemoryWritten: true,
      generalCount: 2,
      executionCount: 1,
      claimCount: 1,
      echoCount: 0,
      warnings: [],
    })
    const again = world.observe({ memories: [memories[0] ?? memoryOf({})] })
    expect(again).toMatchObject({
      memoryIds: [a],
      isMemoryWritten: false,
      generalCount: 0,
      executionCount: 0,
      handoffId: null,
    })
    const claimsOnly = world.observe({ claims: [claimOf('t')] })
    expect(claimsOnly).toMatchObject({ isMemoryWritten: false, generalCount: 0, claimCount: 1 })
  })
})

describe('a lifecycle request', () => {
  const ask = (world: World, parts: Partial<LifecycleCommand>) => world.lifecycle(parts)
  const codeOf = (world: World, parts: Partial<LifecycleCommand>): string | null =>
    refusalOf(() => ask(world, parts))?.code ?? null

  test('must name something, and something that is there', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'x' }))
    expect(codeOf(world, {})).toBe('reference_required')
    expect(codeOf(world, { anchors: ['nowhere'] })).toBe('anchor_not_found')
    expect(codeOf(world, { memoryIds: ['nobody'] })).toBe('memory_not_found')
    expect(codeOf(world, { clientIds: ['nobody'] })).toBe('memory_not_found')
    expect(codeOf(world, { memoryIds: ['nobody'], anchors: ['nowhere'] })).toBe('memory_not_found')
    expect(codeOf(world, { memoryIds: [id, 'nobody'], anchors: ['nowhere'] })).toBe(null)
    expect(refusalOf(() => ask(world, { memoryIds: ['nobody'], clientIds: ['none'] }))?.details).toEqual({
      missing_memory_ids: ['nobody', 'none'],
    })
  })

  test('suppresses until a time to come only; other operations do not look at it', () => {
    const world = new World()
    const memoryIds = [world.write(memoryOf({ text: 'x' }))]
    expect(codeOf(world, { memoryIds, untilMs: world.nowMs })).toBe('invalid_request')
    expect(codeOf(world, { memoryIds, operation: 'rehydrate', untilMs: world.nowMs })).toBe(null)
    expect(codeOf(world, { memoryIds, untilMs: world.nowMs + 1 })).toBe(null)
  })

  test('tells what it really changed, and is recorded with its mode where that counts', () => {
    const world = new World()
    const [a = '', b = ''] = ['a', 'b'].map((text) => world.write(memoryOf({ text })))
    const changed = (parts: Partial<LifecycleCommand>): readonly string[] =>
      ask(world, { memoryIds: [a, b], ...parts }).changedMemoryIds
    const recorded = () => world.lastEvents().find((event) => event.type === 'lifecycle_requested')
    ask(world, { memoryIds: [a], operation: 'suppress' })
    expect(recorded()).toEqual({
      type: 'lifecycle_requested',
      operation: 'suppress',
      memoryIds: [a],
      reason: 'an operator says so',
      actorName: 'operator',
      mode: null,
    })
    expect(changed({ operation: 'unsuppress' })).toEqual([a])
    expect(changed({ operation: 'unsuppress' })).toEqual([])
    expect(changed({ operation: 'rehydrate', mode: 'full' })).toEqual([])
    expect(recorded()).toMatchObject({ operation: 'rehydrate', mode: 'full' })
    const archived = world.write(memoryOf({ text: 'c' }, { declared: ['archived'] }))
    expect(changed({ operation: 'rehydrate', memoryIds: [a, archived] })).toEqual([archived])
  })

  test.each<[string, readonly DeclaredLifecycle[], MemoryWrite['origin'], number]>([
    ['a contested memory', ['contested'], 'agent', 1],
    ['a candidate', [], 'document', 1],
    ['a contested candidate', ['contested'], 'document', 1],
    ['an active one', [], 'agent', 0],
  ])('activates %s', (_, declared, origin, count) => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'x' }, { declared, origin }))
    expect(ask(world, { memoryIds: [id], operation: 'activate' }).changedMemoryIds).toHaveLength(count)
    expect(facetsOf(world, id)).toBe('trusted active live resident free')
  })

  test('is an operator’s own activation when a person asserts it of no guide', () => {
    const own = lifecycleOf({
      operation: 'activate',
      usedSurface: 'explicit_host_assertion',
      outcome: 'positive',
      actorName: 'Ann',
      guideTraceId: null,
    })
    expect(isOperatorActivation(own)).toBe(true)
    for (const other of [
      { operation: 'suppress' },
      { usedSurface: 'use_now' },
      { usedSurface: null },
      { outcome: 'neutral' },
      { outcome: null },
      { actorName: null },
      { guideTraceId: 'guide_trace:1' },
    ] as const)
      expect(isOperatorActivation({ ...own, ...other })).toBe(false)
  })

  test('finds a memory by id, client id, and the ids and anchors of claims and handoffs', () => {
    const world = new World()
    const hand = (risk: string, audience = EVERYONE): string =>
      world.observe({ handoff: handoffOf(memoryOf({ text: risk }, { audience }), { anchor: 'path', risk }) })
        .memoryIds[0] ?? ''
    const plain = world.write(memoryOf({ text: 'x' }, { clientId: 'c' }))
    const [claim = ''] = world.observe({ claims: [claimOf('s', { clientId: 'd' })] }).memoryIds
    const old = hand('low')
    const newest = hand('high')
    const hidden = hand('none', privateTo('ann'))
    const found = (parts: Partial<LifecycleCommand>) => {
      const { records, missing } = ask(world, { viewpoint: BOB, operation: 'rehydrate', ...parts })
      return [records.map(({ memoryId }) => memoryId), missing]
    }
    expect(found({ memoryIds: [plain, plain], clientIds: ['c', 'd'] })).toEqual([[plain, claim], []])
    expect(found({ anchors: [`claim:${claim}`, `handoff:${old}`, plain, 'path'] })).toEqual([
      [claim, old, plain, newest],
      [],
    ])
    expect(found({ memoryIds: [plain, hidden, 'nobody'], clientIds: ['e'] })).toEqual([
      [plain],
      [hidden, 'nobody', 'e'],
    ])
    expect(found({ anchors: ['path'], viewpoint: ANN })).toEqual([[hidden], []])
    expect(found({ anchors: ['path'], viewpoint: null })).toEqual([[hidden], []])
    expect(found({ memoryIds: [hidden], viewpoint: null })).toEqual([[hidden], []])
    expect(found({ memoryIds: [plain], anchors: ['elsewhere'] })).toEqual([[plain], ['elsewhere']])
  })

  test('a client id names every memory that bears it', () => {
    const world = new World()
    const shared = world.write(memoryOf({ text: 'a' }, { clientId: 'c' }))
    const mine = world.write(memoryOf({ text: 'b' }, { clientId: 'c', audience: privateTo('bob') }))
    const { records } = ask(world, { clientIds: ['c'], viewpoint: BOB })
    expect(records.map(({ memoryId }) => memoryId)).toEqual([shared, mine])
  })
})
