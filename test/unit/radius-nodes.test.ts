import { expect, test } from 'vitest'
import type { AnswerOf } from '../../src/contract/operations.ts'
import { graphOf, NODES_MAX } from '../../src/edges/console/parts/radius-nodes.ts'

type Radius = AnswerOf<'blastRadius'>['blast_radius']
type Memory = Radius['memories'][number]

function memoryOf(memory_id: string, outcome: Memory['outcome']): Memory {
  return {
    memory_id,
    client_id: null,
    title: memory_id,
    memory_type: outcome === null ? 'fact' : 'execution_memory',
    memory_lane: 'shared',
    outcome,
    lifecycle_state: 'active',
    erased: false,
    trust: 'trusted',
    written: {
      producer_agent_id: 'builder',
      producer_team_id: null,
      actor: null,
      origin: 'agent',
      source: 'observe',
      run_id: null,
      at: '2026-01-01T00:00:00.000Z',
      revision: 1,
      revised_at: null,
    },
    derived_from: [],
  }
}

function radiusOf(memories: readonly Memory[], surfaces: readonly string[] = []): Radius {
  const exposed = surfaces.map((surface) => ({ memory_id: 'one', surface, is_derivative: false }))
  const guide = { guide_trace_id: 'guide', consumer_agent_id: 'reader', run_id: null, exposed }
  return {
    memories,
    derivatives: [],
    guides: { count: 1, scanned_count: 1, is_cut: false, entries: surfaces.length === 0 ? [] : [guide] },
    runs: { count: 0, entries: [] },
  } as unknown as Radius
}

test('a memory of a failed run has the shape of a failure, and says so before its state', () => {
  const told = graphOf(radiusOf([memoryOf('one', 'failed'), memoryOf('two', null)])).nodes.filter(
    ({ layer }) => layer === 'memory',
  )
  expect(told.map(({ shape, told: words }) => [shape, words])).toEqual([
    ['bad', 'a run that failed, in force'],
    ['use_now', 'in force'],
  ])
})

test('an erased memory is told as erased, whatever its state was, and wears no colour of use', () => {
  const [node] = graphOf(radiusOf([{ ...memoryOf('one', null), erased: true }])).nodes.filter(
    ({ layer }) => layer === 'memory',
  )
  expect([node?.shape, node?.told]).toEqual(['do_not_use', 'erased'])
})

test('a guide takes the best surface of the lines that it showed, in whatever order they stood', () => {
  const radius = radiusOf([memoryOf('one', null)], ['do_not_use', 'rehydrate', 'use_now'])
  expect(graphOf(radius).nodes.find(({ layer }) => layer === 'guide')).toMatchObject({
    shape: 'use_now',
    told: 'use now',
  })
})

test('folding keeps apart what came out differently', () => {
  const memories = Array.from({ length: NODES_MAX }, (_, n) =>
    memoryOf(`memory ${n}`, ([null, 'succeeded', 'failed'] as const)[n % 3] ?? null),
  )
  const { nodes, isFolded } = graphOf(radiusOf(memories))
  expect(isFolded).toBe(true)
  const counts = nodes.filter(({ layer }) => layer === 'memory').map(({ shape, count }) => [shape, count])
  expect(counts).toEqual([
    ['use_now', 67],
    ['good', 67],
    ['bad', 66],
  ])
})
