import { describe, expect, test } from 'vitest'
import type { Surface } from '../../src/core/base/closed-sets.ts'
import type { ActorEvent } from '../../src/core/model/events.ts'
import {
  AUDIENCES_MAX,
  audienceClassOf,
  CONSUMERS_EXPOSED_MAX,
  exposureTotalsOf,
  OPERATION_WINDOW_MS,
  RUNS_EXPOSED_MAX,
} from '../../src/core/model/state.ts'
import { VISIBILITY_CLASSES_MAX } from '../../src/core/search/documents.ts'
import { memoryOf, privateTo } from '../support/commands.ts'
import { runningState, World } from '../support/world.ts'

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

test('a memory of one owner more than the index tells apart is refused, and nothing else is', () => {
  const world = new World()
  const write = (owner: string): string =>
    world.write(memoryOf({ text: `of ${owner}` }, { audience: privateTo(owner) }))
  for (let n = 0; n < AUDIENCES_MAX; n += 1) audienceClassOf(world.state, privateTo(`agent ${n}`))
  expect(() => write('another')).toThrow('65000 different owners')
  expect([world.state.seq, world.state.audiences.size]).toEqual([0, AUDIENCES_MAX])
  write('agent 7')
  expect(world.state.audiences.size).toBe(AUDIENCES_MAX)
  world.write(memoryOf({ text: 'of nobody' }))
  // A request below the bound may still bring an owner for each memory, claim, run and handoff in it.
  expect(AUDIENCES_MAX + 256 + 32 + 2).toBeLessThan(VISIBILITY_CLASSES_MAX)
})

describe('what a guide has shown', () => {
  test('is counted for each memory and surface, also beyond the first room for it', () => {
    const world = new World()
    const ids = world.observe({
      memories: Array.from({ length: 40 }, (_, n) => memoryOf({ text: `${n}` })),
    }).memoryIds
    const [first = '', last = ''] = [ids[0], ids.at(-1)]
    world.commit([exposed([first], ['do_not_use'])])
    world.commit([exposed([first, last], ['do_not_use', 'rehydrate'])])
    world.commit([exposed([first, last], ['use_now', 'inspect_before_use'])])
    const more = world.observe({
      memories: Array.from({ length: 40 }, (_, n) => memoryOf({ text: `m${n}` })),
    }).memoryIds
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
