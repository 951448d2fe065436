import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BlastRadius } from '../../src/contract/blast-radius.ts'
import { ORIGINS } from '../../src/core/base/closed-sets.ts'
import { resultOf } from '../../src/core/base/collections.ts'
import type { Consumer } from '../../src/core/model/record.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'
import { BLAST_SUBJECTS, type BlastSubject, blastOf, blastSteps } from '../../src/core/report/blast-radius.ts'
import { blastRadiusReport } from '../../src/runtime/reports/blast-radius.ts'
import { AGENTS, anyConsumer, anyHistory } from '../arbitraries.ts'
import { viewOf } from '../support/audit-samples.ts'
import { memoryOf, runOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { withoutInvisible } from '../support/without-invisible.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('blast radius')
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null })

/** The report over every guide of a world; null: nothing is found. */
function trace(
  world: World,
  subject: BlastSubject,
  eyes: Consumer | null = null,
  state: ActorState = world.state,
) {
  const view = viewOf(world, eyes, state)
  const blast = blastOf(view, subject)
  // A pause behind each memory changes nothing.
  expect(resultOf(blastSteps(view, subject, 1))).toEqual(blast)
  if (blast.roots.length === 0) return null
  const exposures = world.guides.toReversed()
  const report = blastRadiusReport(view, subject, blast, {
    exposures,
    scannedCount: exposures.length,
    isCut: false,
  })
  BlastRadius.parse(JSON.parse(JSON.stringify(report)))
  return report
}

const byMemory = (memoryId: string): BlastSubject => ({ by: 'memory_id', value: memoryId })
const isOwn = (eyes: Consumer | null, guide: { consumerAgentId: string; consumerTeamId: string | null }) =>
  eyes === null || (guide.consumerAgentId === eyes.agentId && guide.consumerTeamId === eyes.teamId)

/** What comes out of a memory, found by trying every record until nothing new comes. */
function reference(world: World, roots: readonly string[], eyes: Consumer | null): ReadonlySet<string> {
  const reached = new Set(roots)
  for (let before = -1; before !== reached.size; ) {
    before = reached.size
    for (const record of world.records()) {
      if (eyes !== null && !isVisibleTo(record.audience, eyes)) continue
      const related = world.state.relations
        .filter(
          ({ type, effective, srcId }) => type === 'derived_from' && effective && srcId === record.memoryId,
        )
        .map(({ dstId }) => dstId)
      if ([...record.derivedFrom, ...related].some((id) => reached.has(id))) reached.add(record.memoryId)
    }
  }
  return new Set([...reached].filter((id) => !roots.includes(id)))
}

const anyQuestion = fc.record({ history: anyHistory, pick: fc.nat({ max: 63 }), eyes: maybe(anyConsumer) })

describe('a blast radius', () => {
  test('A25: it names exactly the guides that showed the memory or what came out of it, on its surface', () => {
    prove(anyQuestion, ({ history, pick, eyes }) => {
      const world = worldAfter(history)
      const id = world.memoryIds[pick % Math.max(1, world.memoryIds.length)] ?? ''
      const report = trace(world, byMemory(id), eyes)
      const isSeen = world
        .records()
        .some(({ memoryId, audience }) => memoryId === id && (eyes === null || isVisibleTo(audience, eyes)))
      expect(report !== null).toBe(isSeen)
      if (report === null) return
      const ids = new Set([id, ...reference(world, [id], eyes)])
      const expected = world.guides
        .filter((guide) => isOwn(eyes, guide) && guide.memoryIds.some((each) => ids.has(each)))
        .map((guide) => ({
          id: guide.guideTraceId,
          lines: guide.memoryIds.flatMap((each, at) =>
            ids.has(each) ? [`${each} ${guide.surfaces[at]} ${each !== id}`] : [],
          ),
        }))
        .toReversed()
      expect(
        report.guides.entries.map(({ guide_trace_id, exposed }) => ({
          id: guide_trace_id,
          lines: exposed.map((line) => `${line.memory_id} ${line.surface} ${line.is_derivative}`),
        })),
      ).toEqual(expected)
    })
  })

  test('A26: what was derived is found through lists and effective relations, once each, also in a cycle', () => {
    const anyGraph = fc.record({
      lists: fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 2 }), { minLength: 2, maxLength: 10 }),
      edges: fc.array(fc.record({ src: fc.nat({ max: 9 }), dst: fc.nat({ max: 9 }) }), { maxLength: 8 }),
      pick: fc.nat({ max: 9 }),
    })
    prove(anyGraph, ({ lists, edges, pick }) => {
      const world = new World()
      const ids: string[] = []
      for (const [n, sources] of lists.entries()) {
        const derivedFrom = sources.flatMap((at) => (ids[at] === undefined ? [] : [{ id: ids[at] }]))
        ids.push(world.write(memoryOf({ text: `note number ${n}` }, { derivedFrom })))
      }
      const named = edges.flatMap(({ src, dst }) =>
        ids[src] === undefined || ids[dst] === undefined
          ? []
          : [{ type: 'derived_from' as const, src: { id: ids[src] }, dst: { id: ids[dst] }, confidence: 1 }],
      )
      if (named.length > 0) world.observe({ edges: named })
      const root = ids[pick % ids.length] ?? ''
      const found = trace(world, byMemory(root))?.derivatives ?? []
      expect(found.map(({ memory_id }) => memory_id).toSorted()).toEqual(
        [...reference(world, [root], null)].toSorted(),
      )
      const depths = new Map([[root, 0], ...found.map(({ memory_id, depth }) => [memory_id, depth] as const)])
      for (const { depth, derived_from } of found) {
        expect(depth).toBe(1 + Math.min(...derived_from.map((id) => depths.get(id) ?? Infinity)))
      }
    })
  })

  test('A27: a dry run lowers the lines of the memory and no other, and suppressing it leaves what was derived as it is', () => {
    prove(anyQuestion, ({ history, pick, eyes }) => {
      const world = worldAfter(history)
      const id = world.memoryIds[pick % Math.max(1, world.memoryIds.length)] ?? ''
      const report = trace(world, byMemory(id), eyes)
      if (report === null) return
      const expected = world.guides
        .filter((guide) => isOwn(eyes, guide))
        .flatMap((guide) => {
          const surface = guide.surfaces[guide.memoryIds.indexOf(id)] ?? 'do_not_use'
          const left = guide.surfaces.filter((each) => each === 'use_now').length
          return surface === 'do_not_use'
            ? []
            : [{ id: guide.guideTraceId, surface, left: left - Number(surface === 'use_now') }]
        })
        .toReversed()
      expect(
        report.dry_run.entries.map(({ guide_trace_id, lines, use_now_left }) => {
          expect(lines.map((line) => line.memory_id)).toEqual([id])
          return { id: guide_trace_id, surface: lines[0]?.surface, left: use_now_left }
        }),
      ).toEqual(expected)
      world.lifecycle({ operation: 'suppress', memoryIds: [id], viewpoint: null })
      for (const { memory_id, trust_if_suppressed } of report.derivatives) {
        expect(world.record(memory_id).facets.trust).toBe(trust_if_suppressed)
      }
    })
  })

  test('A27: the guide that a suppression would have changed is changed when it is asked again', () => {
    prove(fc.integer({ min: 1, max: 5 }), (count) => {
      const world = new World()
      const ids = Array.from({ length: count }, (_, n) => world.write(memoryOf({ text: `note number ${n}` })))
      world.guide()
      const [id = ''] = ids
      const entry = trace(world, byMemory(id))?.dry_run.entries[0]
      world.lifecycle({ operation: 'suppress', memoryIds: [id], viewpoint: null })
      const { agent_context: again } = world.guide()
      expect(again.use_now_memory_ids).toHaveLength(entry?.use_now_left ?? -1)
      expect(again.use_now_memory_ids).not.toContain(id)
    })
  })

  test('A20: it leaves the state as it was', () => {
    prove(fc.record({ history: anyHistory, origin: fc.constantFrom(...ORIGINS) }), ({ history, origin }) => {
      const world = worldAfter(history)
      const before = stateHash(world.state)
      trace(world, { by: 'origin', value: origin })
      expect(stateHash(world.state)).toBe(before)
    })
  })

  test('A21: asked for a consumer it is that of an actor in which the invisible was never written', () => {
    const anySubject = fc.oneof(
      fc.record({ by: fc.constant('origin' as const), value: fc.constantFrom(...ORIGINS) }),
      fc.record({ by: fc.constant('client_id' as const), value: fc.constantFrom('c1', 'c2', 'c3') }),
      fc.record({ by: fc.constant('source' as const), value: fc.constantFrom(...AGENTS, 'evidence-1') }),
      fc.nat({ max: 63 }),
    )
    prove(
      fc.record({ history: anyHistory, eyes: anyConsumer, asked: anySubject, bySource: fc.boolean() }),
      ({ history, eyes, asked, bySource }) => {
        const world = worldAfter(history)
        const by = bySource ? ('source' as const) : ('memory_id' as const)
        const value = (at: number) => world.memoryIds[at % Math.max(1, world.memoryIds.length)] ?? ''
        const subject = typeof asked === 'number' ? { by, value: value(asked) } : asked
        const report = trace(world, subject, eyes)
        expect(report).toEqual(trace(world, subject, eyes, withoutInvisible(world.state, eyes)))
        for (const record of world.records()) {
          if (isVisibleTo(record.audience, eyes)) continue
          if (record.memoryId !== subject.value)
            expect(JSON.stringify(report)).not.toContain(`"${record.memoryId}"`)
        }
      },
    )
  })
})

describe('who and how', () => {
  const world = new World()
  const source = world.write(
    memoryOf(
      { text: 'read in a page', evidenceRefs: ['https://page'] },
      { origin: 'document', actorName: 'crawler' },
    ),
  )
  const derived = world.write(
    memoryOf({ text: 'made of it' }, { derivedFrom: [{ id: source }], producerAgentId: 'bob' }),
  )
  const { guide_trace_id: guideTraceId } = world.guide({ runId: 'run-9' })
  world.feedback({
    guideTraceId,
    memoryIds: [derived],
    runId: 'run-9',
    outcome: 'negative',
    usedSurface: 'use_now',
    verifierStatus: 'failed',
  })

  const named = [
    ['source', 'crawler', source],
    ['source', 'https://page', source],
    ['source', 'bob', derived],
    ['source', source, derived],
    ['origin', 'document', source],
    ['memory_id', derived, derived],
  ] as const

  test.each(named)('%s %s names the memory that came from there', (by, value, expected) => {
    expect(trace(world, { by, value })?.memories.map(({ memory_id }) => memory_id)).toEqual([expected])
  })

  test('a memory that records a run tells how the run ended, one that was derived from it too', () => {
    const world = new World()
    const failed = world.write(runOf({ text: 'deployed by hand', outcome: 'failed' }))
    const note = world.write(
      memoryOf({ text: 'deploying by hand breaks' }, { derivedFrom: [{ id: failed }] }),
    )
    const again = world.write(runOf({ text: 'deployed by the script' }, { derivedFrom: [{ id: note }] }))
    const report = trace(world, byMemory(failed))
    expect(report?.memories.map(({ outcome }) => outcome)).toEqual(['failed'])
    expect(report?.derivatives.map(({ memory_id, outcome }) => [memory_id, outcome])).toEqual([
      [note, null],
      [again, 'succeeded'],
    ])
  })

  test('the source of what went wrong is told with the run that it went wrong in', () => {
    const report = trace(world, byMemory(source))
    expect(report?.memories[0]?.written).toMatchObject({ actor: 'crawler', origin: 'document' })
    expect(report?.derivatives).toMatchObject([{ memory_id: derived, depth: 1, derived_from: [source] }])
    expect(report?.runs.entries).toMatchObject([
      {
        run_id: 'run-9',
        ended: null,
        outcomes: [{ memory_id: derived, outcome: 'negative', strong: true, guide_trace_id: guideTraceId }],
      },
    ])
  })

  test.each(BLAST_SUBJECTS)('an unknown %s names nothing', (by) => {
    expect(trace(world, { by, value: 'nobody' })).toBeNull()
  })
})
