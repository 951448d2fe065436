import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryWrite } from '../../src/core/model/commands.ts'
import type { MemoryRecord } from '../../src/core/model/record.ts'
import { type ActorState, memoriesOfRun } from '../../src/core/model/state.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { anyHistory } from '../arbitraries.ts'
import { enough } from '../harness/scale.ts'
import { claimOf, eraseOf, memoryOf, runOf } from '../support/commands.ts'
import { play } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { replayed, World } from '../support/world.ts'

const prove = proofsOf('lookups')

type Lookup = ReadonlyMap<string, ReadonlySet<string>>

function sorted(lookup: Lookup): unknown {
  const byKey = [...lookup].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return byKey.map(([key, ids]) => [key, [...ids].toSorted()])
}

/** What the lookups hold, without the order within a key, which revisions change. */
function heldBy(state: ActorState): unknown {
  const { bySignature, byWorkflow, runLines, byClaimSlot, claims, handoffs, standingMemories, audiences } =
    state
  const byRun = new Map([...runLines.keys()].map((runId) => [runId, new Set(memoriesOfRun(state, runId))]))
  const isCurrent = (record: MemoryRecord, slot: number): boolean =>
    record.slot === slot && record === state.memories.get(record.memoryId)
  return {
    bySlot: state.records.map(isCurrent),
    lookups: [bySignature, byWorkflow, byRun, byClaimSlot].map(sorted),
    lists: [claims, handoffs, standingMemories],
    audiences: [...audiences.values()].map(({ memoryIds }) => memoryIds),
  }
}

/** The same, found by looking at every record. */
function naively(state: ActorState): unknown {
  const live = [...state.memories.values()].filter(({ memoryId }) => !state.erasures.has(memoryId))
  const by = (keyOf: (record: MemoryRecord) => string | null): unknown => {
    const lookup = new Map<string, Set<string>>()
    for (const record of live) {
      const key = keyOf(record)
      if (key !== null) lookup.set(key, (lookup.get(key) ?? new Set()).add(record.memoryId))
    }
    return sorted(lookup)
  }
  const those = (is: (record: MemoryRecord) => boolean) => live.filter(is).map(({ memoryId }) => memoryId)
  const STANDING = ['preference', 'rule', 'project_context']
  return {
    bySlot: Array.from(state.memories, () => true),
    lookups: [
      by((record) => record.taskSignature),
      by((record) => record.workflowSignature),
      by((record) => record.runId),
      by((record) => record.claim?.slotKey ?? null),
    ],
    lists: [
      those(({ claim }) => claim !== null),
      those(({ handoff }) => handoff !== null),
      those(({ domain, memoryType }) => domain === 'general' && STANDING.includes(memoryType)),
    ],
    audiences: [...state.audiences.values()].map((group) =>
      those(({ audience }) => state.audiences.get(keyIn(state, audience)) === group),
    ),
  }
}

function keyIn(state: ActorState, audience: MemoryRecord['audience']): string {
  return [...state.audiences].find(([, group]) => group.audience === audience)?.[0] ?? ''
}

test('lookups say what the records say, whatever was revised and erased, also after a reload', () => {
  const anyErasure = fc.array(fc.nat({ max: 63 }), { minLength: 1, maxLength: 4 })
  const anyLife = fc.record({
    steps: anyHistory,
    erasures: fc.array(anyErasure, { minLength: 1, maxLength: 3 }),
  })
  let erased = 0
  let revised = 0
  prove(
    anyLife,
    ({ steps, erasures }) => {
      const world = new World()
      const every = Math.max(1, Math.floor(steps.length / erasures.length))
      for (const [at, step] of steps.entries()) {
        play(world, step)
        const picks = at % every === every - 1 ? (erasures[Math.floor(at / every)] ?? []) : []
        const ids = picks.flatMap((pick) => world.memoryIds[pick % world.memoryIds.length] ?? [])
        if (ids.length > 0) world.erase(eraseOf([...new Set(ids)]))
        expect(heldBy(world.state)).toEqual(naively(world.state))
      }
      erased += world.state.erasures.size
      revised += world.records().filter(({ revision }) => revision > 1).length
      const { state } = reloaded(world)
      expect(heldBy(state)).toEqual(naively(state))
    },
    60,
  )
  expect(erased).toBeGreaterThanOrEqual(enough(60))
  expect(revised).toBeGreaterThanOrEqual(enough(20))
})

test('a revision that names another run or slot leaves nothing of the earlier one', () => {
  const world = new World()
  const told = (run: string): string =>
    world.write(memoryOf({ text: `the port in ${run}` }, { clientId: 'one', runId: run }))
  const id = told('first')
  expect(told('second')).toBe(id)
  const slots = ['old slot', 'new slot'].map((slot) =>
    world.observe({ claims: [claimOf(slot, { clientId: 'two', value: slot })] }),
  )
  expect([...world.state.runLines.keys()]).toEqual(['second'])
  expect(world.state.byClaimSlot.size).toBe(new Set(slots.flatMap(({ memoryIds }) => memoryIds)).size)
  world.erase(eraseOf([id]))
  expect(world.state.runLines.size).toBe(0)
})

test('L6: a run that is told again with the names of its task belongs to that task, and keeps them when it names none', () => {
  const world = new World()
  const told = (outcome: 'interrupted' | 'succeeded', signed: Partial<MemoryWrite>): MemoryRecord =>
    world.record(world.write(runOf({ title: 'Fix the login', outcome }, { clientId: 'run', ...signed })))
  const signed = {
    taskSignature: 'fix:login',
    workflowSignature: 'wf:login',
    taskId: 'T-1',
    taskFamily: 'fixes',
  }
  expect(told('interrupted', { taskSignature: 'fix' }).taskSignature).toBe('fix')
  const again = told('succeeded', signed)
  expect(again).toMatchObject({ ...signed, revision: 2 })
  expect(told('succeeded', {})).toBe(again)
  expect(told('interrupted', {})).toMatchObject({ ...signed, revision: 3 })
  expect([...world.state.bySignature.keys()]).toEqual(['fix:login'])
  for (const state of [reloaded(world).state, replayed(world.turns)])
    expect(stateHash(state)).toBe(stateHash(world.state))
})
