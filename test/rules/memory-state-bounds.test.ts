import { describe, expect, test } from 'vitest'
import type { ActorEvent } from '../../src/core/model/events.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { memoriesOfRun } from '../../src/core/model/state.ts'
import { claimOf, handoffOf, memoryOf, runOf } from '../support/commands.ts'
import { runningState, World } from '../support/world.ts'

const ANNS = { lane: 'private', ownerAgentId: 'ann', ownerTeamId: null } as const

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
    ] as const)
      expect([...(lookup.get(key) ?? [])]).toEqual([id])
    expect(memoriesOfRun(state, 'run')).toEqual([id])
    expect([world.memoryIds, state.handoffs, state.claims, state.standingMemories]).toEqual([
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
    expect([
      state.byClientId.size,
      state.bySignature.size,
      state.byWorkflow.size,
      state.runLines.size,
    ]).toEqual([1, 1, 1, 1])
  })

  test('that is a claim, a handoff or a standing word is listed as that, and once', () => {
    const world = new World()
    const parts = {
      claims: [claimOf('slot', { clientId: 'c' }), claimOf(null)],
      handoff: handoffOf(memoryOf({ text: 'h' }, { clientId: 'h' }), { anchor: 'a' }),
    }
    const [handoff, claim, slotless] = world.observe(parts).memoryIds
    world.observe({
      claims: [claimOf('other', { clientId: 'c' })],
      handoff: handoffOf(memoryOf({ text: 'i' }, { clientId: 'h' }), { anchor: 'a' }),
    })
    expect([world.state.handoffs, world.state.claims]).toEqual([[handoff], [claim, slotless]])
    expect([...world.state.byClaimSlot].map(([slot, ids]) => [slot, ...ids])).toEqual([['other', claim]])
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
      counts: attributed ? { positive: 1 } : {},
      evidence: null,
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
    // Whoever looks the run of a forgotten one up is led to nothing: the lookup does not grow for ever.
    expect([world.state.markedByRun.has('run 0'), world.state.markedByRun.get('run 1')?.has(id)]).toEqual([
      false,
      true,
    ])
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
      ['neutral', false, false, 'neutral'],
      ['positive', false, true, 'positive'],
      ['positive', false, false, 'observedPositive'],
      ['negative', true, false, 'negativeStrong'],
      ['negative', false, false, 'negativeWeak'],
    ] as const
    for (const [times, [outcome, strong, direct, counter]] of kinds.entries())
      for (let n = 0; n <= times; n++)
        world.commit([
          {
            type: 'feedback_recorded',
            memoryId: id,
            attributed: true,
            counts: { [counter]: 1 },
            evidence: null,
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
