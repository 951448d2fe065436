import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/domain/closed-sets.ts'
import type { ActorEvent } from '../../src/domain/memory/events.ts'
import { evolve } from '../../src/domain/memory/evolve.ts'
import {
  type ActorState,
  CONSUMERS_EXPOSED_MAX,
  emptyState,
  exposureTotalsOf,
  OPERATION_WINDOW_MS,
  RUNS_EXPOSED_MAX,
} from '../../src/domain/memory/state.ts'
import { claimOf, handoffOf, memoryOf, observeOf, runOf } from '../support/commands.ts'
import { World } from '../support/world.ts'

const ANNS = { lane: 'private', ownerAgentId: 'ann', ownerTeamId: null } as const

/** A state that takes one turn for each call, a second later each time. */
function runningState(): {
  readonly state: ActorState
  readonly turn: (events: readonly ActorEvent[], atMs?: number) => void
} {
  const state = emptyState('t', 's')
  return {
    state,
    turn: (events, atMs = state.seq * 1000) => evolve(state, { seq: state.seq + 1, atMs, events }),
  }
}

function exposed(
  memoryIds: readonly string[],
  surfaces: readonly Surface[],
  rest: Partial<ActorEvent & { type: 'exposed' }> = {},
): ActorEvent {
  const set = {
    guideTraceId: 'guide_trace:1',
    consumerAgentId: 'ann',
    consumerTeamId: null,
    runId: null,
    taskSignature: null,
    heldOut: false,
  }
  return { type: 'exposed', memoryIds, surfaces, ...set, ...rest }
}

describe('a turn', () => {
  test('follows the last one, and anything else is refused', () => {
    const { state, turn } = runningState()
    turn([])
    turn([])
    expect(state.seq).toBe(2)
    for (const seq of [1, 2, 4])
      expect(() => evolve(state, { seq, atMs: 0, events: [] })).toThrow(/does not follow/)
  })

  test('moves a facet only as the table of transitions allows', () => {
    const world = new World()
    const memoryId = world.write(memoryOf({ text: 'x' }))
    const move = {
      type: 'trust_changed',
      memoryId,
      to: 'trusted',
      cause: 'confirmed_independently',
      reason: 'r',
      byMemoryId: null,
    } as const
    expect(() => world.commit([move])).toThrow()
    expect(() => world.commit([{ ...move, memoryId: 'nobody' }])).toThrow(/not in the state/)
  })
})

describe('what happened but moves nothing', () => {
  test('is taken without a trace in any memory', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'x' }))
    const before = world.record(id)
    world.commit([
      {
        type: 'run_feedback_recorded',
        runId: 'run',
        outcome: 'neutral',
        usedSurface: 'use_now',
        guideTraceId: null,
        memoryIds: [id],
        boundaryIgnoredMemoryIds: [],
        reason: 'r',
        actorName: null,
      },
      {
        type: 'lifecycle_requested',
        operation: 'suppress',
        memoryIds: [id],
        reason: 'r',
        actorName: null,
        mode: null,
      },
    ])
    expect(world.record(id)).toBe(before)
  })

  test('a relation is found from both of its ends', () => {
    const world = new World()
    const [a, b] = [world.write(memoryOf({ text: 'a' })), world.write(memoryOf({ text: 'b' }))]
    for (const confidence of [1, 0.5])
      world.commit([
        {
          type: 'relation_recorded',
          relationType: 'part_of',
          srcId: a,
          dstId: b,
          confidence,
          effective: true,
        },
      ])
    const { relations, relationsBySource, relationsByTarget } = world.state
    expect(relations.map(({ confidence, seq }) => [confidence, seq])).toEqual([
      [1, 3],
      [0.5, 4],
    ])
    expect(relationsBySource.get(a)).toEqual(relations)
    expect(relationsByTarget.get(b)).toEqual(relations)
    expect([relationsBySource.size, relationsByTarget.size]).toEqual([1, 1])
  })
})

describe('a memory', () => {
  test('is linked under everything that it is looked up by, and once', () => {
    const world = new World()
    const rest = { clientId: 'c', taskSignature: 'sig', workflowSignature: 'flow', runId: 'run' }
    const input = runOf({ text: 'ran' }, rest)
    const id = world.write(input)
    world.write({ ...input, content: { ...input.content, text: 'ran again' } })
    const { state } = world
    for (const [lookup, key] of [
      [state.byClientId, 'c'],
      [state.bySignature, 'sig'],
      [state.byWorkflow, 'flow'],
      [state.byRun, 'run'],
    ] as const)
      expect([...(lookup.get(key) ?? [])]).toEqual([id])
    expect([state.memoryIds, state.handoffs, state.claims, state.standingMemories]).toEqual([
      [id],
      [],
      [],
      [],
    ])
    expect([...state.audiences.values()].map(({ number, memoryIds }) => [number, memoryIds])).toEqual([
      [0, [id]],
    ])
    const plain = world.write(memoryOf({ text: 'plain' }, { audience: ANNS }))
    expect([...state.audiences.values()].map(({ number, memoryIds }) => [number, memoryIds])).toEqual([
      [0, [id]],
      [1, [plain]],
    ])
    expect([state.byClientId.size, state.bySignature.size, state.byWorkflow.size, state.byRun.size]).toEqual([
      1, 1, 1, 1,
    ])
  })

  test('that is a claim, a handoff or a standing word is listed as that, and once', () => {
    const world = new World()
    const parts = {
      claims: [claimOf('slot', { clientId: 'c' }), claimOf(null)],
      handoff: handoffOf(memoryOf({ text: 'h' }, { clientId: 'h' }), { anchor: 'a' }),
    }
    const [handoff, claim, slotless] = world.observe(observeOf(parts)).memoryIds
    world.observe(
      observeOf({
        claims: [claimOf('other', { clientId: 'c' })],
        handoff: handoffOf(memoryOf({ text: 'i' }, { clientId: 'h' }), { anchor: 'a' }),
      }),
    )
    expect([world.state.handoffs, world.state.claims]).toEqual([[handoff], [claim, slotless]])
    expect([...world.state.byClaimSlot].map(([slot, ids]) => [slot, ...ids])).toEqual([
      ['slot', claim],
      ['other', claim],
    ])
    const standing = (['preference', 'rule', 'project_context'] as const).map((memoryType) =>
      world.write(memoryOf({ text: memoryType }, { memoryType, clientId: memoryType })),
    )
    for (const memoryType of ['fact', 'procedure', 'event', 'evidence'] as const)
      world.write(memoryOf({ text: memoryType }, { memoryType }))
    world.write(runOf({ text: 'run' }, { memoryType: 'rule' }))
    world.write(memoryOf({ text: 'rule, revised' }, { memoryType: 'rule', clientId: 'rule' }))
    expect(world.state.standingMemories).toEqual(standing)
  })

  test('that is revised is the newest, counts its revisions, and keeps its earlier content and its run', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'one' }, { clientId: 'c', runId: 'first' }))
    const other = world.write(memoryOf({ text: 'other' }))
    const before = world.record(id)
    const atMs = world.nowMs
    world.write(memoryOf({ text: 'two' }, { clientId: 'c' }))
    const after = world.record(id)
    expect(after).toMatchObject({
      revision: 2,
      runId: 'first',
      updatedAtMs: atMs,
      seq: 3,
      content: { text: 'two' },
    })
    expect(after.revisions).toEqual([
      { revision: 1, content: before.content, atMs: before.updatedAtMs, seq: 1 },
    ])
    expect(after.ordinal).toBeGreaterThan(world.record(other).ordinal)
    world.write(memoryOf({ text: 'three' }, { clientId: 'c', runId: 'second' }))
    expect(world.record(id)).toMatchObject({ revision: 3, runId: 'second' })
    expect(world.record(id).createdAtMs).toBe(before.createdAtMs)
  })

  test('keeps its last 64 revisions and facet changes, 256 marks and 64 assertions; the counters count all', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: '0' }, { clientId: 'c' }))
    for (let n = 1; n <= 65; n++) world.write(memoryOf({ text: `${n}` }, { clientId: 'c' }))
    expect(world.record(id).revisions.map(({ content }) => content.text)).toEqual(
      Array.from({ length: 64 }, (_, n) => `${n + 1}`),
    )
    for (let n = 0; n < 65; n++) {
      const to = n % 2 === 0 ? { reason: `${n}`, by: null, sinceMs: 0, untilMs: null } : null
      const cause = n % 2 === 0 ? 'operator_suppress' : 'operator_unsuppress'
      world.commit([
        { type: 'suppression_changed', memoryId: id, to, cause, reason: `${n}`, byMemoryId: null },
      ])
    }
    expect(world.record(id).changes.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 64 }, (_, n) => `${n + 1}`),
    )
    const marked = (n: number, attributed: boolean): ActorEvent => ({
      type: 'feedback_recorded',
      memoryId: id,
      attributed,
      mark: {
        runId: `run ${n}`,
        outcome: 'positive',
        strong: false,
        direct: true,
        verifierStatus: null,
        usedSurface: 'use_now',
        guideTraceId: null,
        reason: 'r',
      },
    })
    for (let n = 0; n < 257; n++) world.commit([marked(n, true)])
    for (let n = 0; n < 65; n++) world.commit([marked(n, false)])
    const { marks, assertions, counters } = world.record(id)
    expect([marks.length, marks[0]?.runId, marks.at(-1)?.runId]).toEqual([256, 'run 1', 'run 256'])
    expect([assertions.length, assertions[0]?.runId, assertions.at(-1)?.runId]).toEqual([
      64,
      'run 1',
      'run 64',
    ])
    expect(counters.positive).toBe(257)
  })

  test('counts each kind of outcome by itself', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'x' }))
    const kinds = [
      ['neutral', false, false],
      ['positive', false, true],
      ['positive', false, false],
      ['negative', true, false],
      ['negative', false, false],
    ] as const
    for (const [times, [outcome, strong, direct]] of kinds.entries())
      for (let n = 0; n <= times; n++)
        world.commit([
          {
            type: 'feedback_recorded',
            memoryId: id,
            attributed: true,
            mark: {
              runId: `${times} ${n}`,
              outcome,
              strong,
              direct,
              verifierStatus: null,
              usedSurface: 'use_now',
              guideTraceId: null,
              reason: 'r',
            },
          },
        ])
    expect(world.record(id).counters).toEqual({
      neutral: 1,
      positive: 2,
      observedPositive: 3,
      negativeStrong: 4,
      negativeWeak: 5,
    })
  })
})

describe('what a guide has shown', () => {
  test('is counted for each memory and surface, also beyond the first room for it', () => {
    const world = new World()
    const ids = world.observe(
      observeOf({ memories: Array.from({ length: 40 }, (_, n) => memoryOf({ text: `${n}` })) }),
    ).memoryIds
    const [first = '', last = ''] = [ids[0], ids.at(-1)]
    world.commit([exposed([first], ['do_not_use'])])
    world.commit([exposed([first, last], ['do_not_use', 'rehydrate'])])
    world.commit([exposed([first, last], ['use_now', 'inspect_before_use'])])
    const more = world.observe(
      observeOf({ memories: Array.from({ length: 40 }, (_, n) => memoryOf({ text: `m${n}` })) }),
    ).memoryIds
    const newest = more.at(-1) ?? ''
    world.commit([exposed([newest], ['inspect_before_use'])])
    const totals = (id: string) => exposureTotalsOf(world.state, world.record(id))
    const none = { use_now: 0, inspect_before_use: 0, rehydrate: 0, do_not_use: 0 }
    expect(totals(first)).toEqual({ ...none, do_not_use: 2, use_now: 1 })
    expect(totals(last)).toEqual({ ...none, rehydrate: 1, inspect_before_use: 1 })
    expect(totals(newest)).toEqual({ ...none, inspect_before_use: 1 })
    expect(totals(more[0] ?? '')).toEqual(none)
    expect(world.state.exposureCount).toBe(4)
  })

  test('is nothing before the first guide, and stays counted when room is made for more', () => {
    const world = new World()
    const first = world.write(memoryOf({ text: 'first' }))
    const totals = (id: string) => exposureTotalsOf(world.state, world.record(id))
    const none = { use_now: 0, inspect_before_use: 0, rehydrate: 0, do_not_use: 0 }
    expect(totals(first)).toEqual(none)
    world.commit([exposed([first], ['rehydrate'])])
    const ids = Array.from({ length: 16 }, (_, n) => world.write(memoryOf({ text: `${n}` })))
    // The first memory beyond the first room, on its first surface.
    world.commit([exposed([ids[15] ?? ''], ['use_now'])])
    expect(totals(ids[15] ?? '')).toEqual({ ...none, use_now: 1 })
    expect(totals(first)).toEqual({ ...none, rehydrate: 1 })
    expect(totals(ids[14] ?? '')).toEqual(none)
    expect([...(world.state.exposedByConsumer.get(JSON.stringify(['ann', null])) ?? [])]).toEqual([
      [first, 'rehydrate'],
      [ids[15], 'use_now'],
    ])
  })

  test('is kept as it was told, with the surface last shown to the consumer and in the run', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'x' }))
    world.commit([exposed([id], ['use_now'], { runId: 'run', guideTraceId: 'guide_trace:a' })])
    world.commit([exposed([id], ['do_not_use'], { guideTraceId: 'guide_trace:b' })])
    const consumer = JSON.stringify(['ann', null])
    expect(world.state.exposedByConsumer.get(consumer)?.get(id)).toBe('do_not_use')
    expect(
      [...world.state.exposedByRun].map(([run, shown]) => [run, ...shown.keys(), ...shown.values()]),
    ).toEqual([['run', id, 'use_now']])
    expect(
      [...world.state.exposures.values()].map(({ guideTraceId, seq, surfaces }) => [
        guideTraceId,
        seq,
        ...surfaces,
      ]),
    ).toEqual([
      ['guide_trace:a', 2, 'use_now'],
      ['guide_trace:b', 3, 'do_not_use'],
    ])
  })

  test('is forgotten for the run and the consumer that asked longest ago, beyond 10 000 and 1000', () => {
    const { state, turn } = runningState()
    const show = (runId: string | null, consumerAgentId: string): void =>
      turn([exposed([], [], { runId, consumerAgentId })])
    for (let n = 0; n < RUNS_EXPOSED_MAX; n++) show(`run ${n}`, 'ann')
    expect(state.exposedByRun.size).toBe(10_000)
    show('run 0', 'ann')
    show('one more', 'ann')
    expect([
      state.exposedByRun.size,
      state.exposedByRun.has('run 0'),
      state.exposedByRun.has('run 1'),
    ]).toEqual([10_000, true, false])
    for (let n = 1; n < CONSUMERS_EXPOSED_MAX; n++) show(null, `agent ${n}`)
    expect(state.exposedByConsumer.size).toBe(1000)
    show(null, 'ann')
    show(null, 'one more')
    const has = (agent: string): boolean => state.exposedByConsumer.has(JSON.stringify([agent, null]))
    expect([state.exposedByConsumer.size, has('ann'), has('agent 1'), has('agent 2')]).toEqual([
      1000,
      true,
      false,
      true,
    ])
  })
})

describe('answers under an operation id', () => {
  const operation = (operationId: string, answer: Uint8Array | null = new Uint8Array(1)): ActorEvent => ({
    type: 'operation_recorded',
    operationId,
    requestHash: 'hash',
    answer,
  })

  test('are kept for 24 hours; then the id alone is known', () => {
    const { state, turn } = runningState()
    turn([operation('one', new Uint8Array(5))], 0)
    turn([operation('two', null)], 1)
    turn([operation('three', new Uint8Array(7))], OPERATION_WINDOW_MS - 1)
    expect([...state.operations.keys(), state.operationAnswerBytes]).toEqual(['one', 'two', 'three', 12])
    turn([operation('four', null)], OPERATION_WINDOW_MS)
    expect([...state.operations.keys(), state.operationAnswerBytes]).toEqual(['two', 'three', 'four', 7])
    turn([operation('five', null)], OPERATION_WINDOW_MS + 1)
    expect([...state.operations.keys()]).toEqual(['three', 'four', 'five'])
    expect([...state.retiredOperations]).toEqual(['one', 'two'])
    turn([operation('six', null)], 9 * OPERATION_WINDOW_MS)
    expect([[...state.operations.keys()], state.operationAnswerBytes]).toEqual([['six'], 0])
  })

  test('are kept up to 16 MiB together, the newest always', () => {
    const { state, turn } = runningState()
    const mib = new Uint8Array(1024 * 1024)
    for (let n = 0; n < 16; n++) turn([operation(`${n}`, mib)])
    expect([state.operations.size, state.operationAnswerBytes]).toEqual([16, 16 * mib.length])
    turn([operation('small', new Uint8Array(1))])
    expect([...state.operations.keys()].slice(0, 2)).toEqual(['1', '2'])
    expect(state.operationAnswerBytes).toBe(15 * mib.length + 1)
    turn([operation('huge', new Uint8Array(17 * mib.length))])
    expect([[...state.operations.keys()], state.operationAnswerBytes]).toEqual([['huge'], 17 * mib.length])
    expect(state.operations.get('huge')?.requestHash).toBe('hash')
  })

  test('are kept for 10 000 ids, and 100 000 more are known', () => {
    const { state, turn } = runningState()
    const record = (from: number, to: number): void =>
      turn(
        Array.from({ length: to - from }, (_, n) => operation(`${from + n}`, null)),
        0,
      )
    record(0, 10_000)
    expect([state.operations.size, state.retiredOperations.size]).toEqual([10_000, 0])
    record(10_000, 10_001)
    expect([state.operations.size, state.operations.has('0'), [...state.retiredOperations]]).toEqual([
      10_000,
      false,
      ['0'],
    ])
    record(10_001, 110_000)
    expect([state.retiredOperations.size, state.retiredOperations.has('0')]).toEqual([100_000, true])
    record(110_000, 110_001)
    expect([
      state.retiredOperations.size,
      state.retiredOperations.has('0'),
      state.retiredOperations.has('1'),
    ]).toEqual([100_000, false, true])
  })
})
