import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../src/core/base/closed-sets.ts'
import type { GuideEntry } from '../../src/core/guide/entry.ts'
import { foldCandidates } from '../../src/core/guide/fold.ts'
import { MemoryColumns } from '../../src/core/model/columns.ts'
import type { MemoryRecord } from '../../src/core/model/record.ts'
import { anyGuideCommand, anyHistory, anyStep } from '../arbitraries.ts'
import { guideOf, memoryOf, runOf } from '../support/commands.ts'
import { idOf, sampleEntry, sampleRecord, VIEW } from '../support/guide-samples.ts'
import { hitsOf, worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('fold')
const LIMIT = 200

const anyRun = fc.record({
  surface: fc.constantFrom('use_now' as const, 'do_not_use' as const, 'inspect_before_use' as const),
  outcome: fc.constantFrom<Outcome>('succeeded', 'failed', 'blocked', 'interrupted'),
  task: fc.constantFrom(null, 'task-a', 'task-b'),
  checks: fc.constantFrom<readonly string[]>(
    [],
    ['npm test'],
    ['lint'],
    ['lint', 'npm test'],
    ['npm test', 'lint'],
  ),
  title: fc.constantFrom(null, 'Fix login', 'Fix logout'),
  files: fc.constantFrom<readonly string[]>([], ['a.ts'], ['a.ts', 'b.ts']),
  reason: fc.constantFrom('one', 'two'),
})

/** Runs in a random order of writing; every warning is a strong match, so that none goes for another reason. */
const anyRuns = fc.array(fc.record({ run: anyRun, order: fc.nat() }), { maxLength: 24 }).map((seeds) =>
  seeds.map(({ run, order }, rank) =>
    sampleEntry(
      sampleRecord(
        idOf(rank),
        {
          outcome: run.outcome,
          acceptanceChecks: run.checks,
          title: run.title,
          titleIsCallers: true,
          targetFiles: run.files,
        },
        { domain: 'execution', taskSignature: run.task, ordinal: order * 100 + rank },
      ),
      {
        surface: run.surface,
        reason: run.reason,
        rank,
        recallSources: [{ kind: 'lexical', score: 1, reason: 'text_match' }],
      },
    ),
  ),
)

const idsOf = (entries: readonly GuideEntry[]): readonly string[] => entries.map((e) => e.record.memoryId)

/** As the law says it. */
const NO_OPERATOR = { operatorMemories: new Set<string>(), columns: new MemoryColumns() }

function alike(a: GuideEntry, b: GuideEntry): boolean {
  const [one, two] = [a.record.content, b.record.content]
  const same = (x: readonly string[], y: readonly string[]): boolean =>
    JSON.stringify([...x].sort()) === JSON.stringify([...y].sort())
  if (a.surface !== b.surface || a.reason !== b.reason || one.outcome !== two.outcome) return false
  if (a.record.taskSignature === null || a.record.taskSignature !== b.record.taskSignature) return false
  if (!same(one.acceptanceChecks, two.acceptanceChecks)) return false
  return one.outcome === 'succeeded' || (one.title === two.title && same(one.targetFiles, two.targetFiles))
}

describe('runs that are alike', () => {
  test('P3: the two newest keep lines, the third stands for the rest, and the rest is named as folded into it', () => {
    prove(
      anyRuns,
      (entries) => {
        const { kept, omitted } = foldCandidates(NO_OPERATOR, entries, VIEW, LIMIT)
        const keptById = new Map(kept.map((entry) => [entry.record.memoryId, entry]))
        const omittedById = new Map(omitted.map((row) => [row.entry.record.memoryId, row]))
        expect([...keptById.keys(), ...omittedById.keys()].toSorted()).toEqual(idsOf(entries).toSorted())
        for (const entry of entries) {
          const group = entries
            .filter((other) => other === entry || alike(entry, other))
            .toSorted((a, b) => b.record.ordinal - a.record.ordinal)
          const place = group.indexOf(entry)
          const { memoryId } = entry.record
          if (place < 2) expect(keptById.get(memoryId)?.standsFor).toBeNull()
          else if (place === 2) expect(keptById.get(memoryId)?.standsFor).toBe(group.length - 2)
          else
            expect(omittedById.get(memoryId)).toMatchObject({
              reason: 'folded',
              intoId: group[2]?.record.memoryId,
            })
        }
      },
      200,
    )
  })

  test('P3: nineteen runs of one task print two lines of their own and one for seventeen more', () => {
    const world = new World()
    const runs = Array.from({ length: 19 }, (_, n) =>
      runOf({ text: `exchange ${n}`, acceptanceChecks: ['order exchanged'] }, { taskSignature: 'exchange' }),
    )
    const { memoryIds } = world.observe({ memories: runs })
    const command = guideOf({ fullPower: true, taskSignature: 'exchange' })
    const { agent_context: context, memory_use_receipt: receipt } = world.guide(command)
    const newest = memoryIds.toReversed()
    expect(context.memory_ids).toEqual(newest.slice(0, 3))
    expect(context.use_now[2]).toContain(
      ': 17 more runs succeeded, last 2026-01-01 | checks: order exchanged',
    )
    expect(receipt.omitted).toEqual(
      newest.slice(3).map((memory_id) => {
        return { memory_id, surface: 'use_now', reason: 'folded', into: newest[2] }
      }),
    )
  })

  test('P3: a line that represents other runs counts all of them, also those that the limit leaves no room for', () => {
    const world = new World()
    const runs = Array.from({ length: 5 }, (_, n) =>
      runOf({ text: `exchange ${n}`, acceptanceChecks: ['order exchanged'] }, { taskSignature: 'exchange' }),
    )
    const { memoryIds } = world.observe({ memories: runs })
    const command = guideOf({ fullPower: true, taskSignature: 'exchange', limit: 3 })
    const { agent_context: context, memory_use_receipt: receipt } = world.guide(command)
    expect(context.memory_ids).toEqual(memoryIds.toReversed().slice(0, 3))
    expect(context.use_now[2]).toContain(': 3 more runs succeeded')
    expect(receipt.omitted).toHaveLength(2)
  })

  test('P3: of runs that were recorded out of order the newest are those that ended last, as their lines say', () => {
    const world = new World()
    const runs = [20, 10, 8, 5].map((day) => ({
      ...runOf({ text: `exchange ${day}`, acceptanceChecks: ['exchanged'] }, { taskSignature: 'exchange' }),
      observedAtMs: Date.UTC(2025, 11, day),
    }))
    const { memoryIds } = world.observe({ memories: runs })
    const command = guideOf({ fullPower: true, taskSignature: 'exchange' })
    const { agent_context: context, memory_use_receipt: receipt } = world.guide(command)
    expect(context.use_now.join('\n')).toContain(': 2 more runs succeeded, last 2025-12-08 | checks')
    expect(receipt.omitted).toMatchObject([{ memory_id: memoryIds[3], into: memoryIds[2] }])
  })

  test('P3: nothing is named as folded into a run that the limit left out', () => {
    const world = new World()
    const failed = { text: 'exchange', title: 'Exchange', outcome: 'failed' } as const
    world.observe({
      memories: Array.from({ length: 4 }, () => runOf(failed, { taskSignature: 'exchange' })),
    })
    const omittedWith = (limit: number) => {
      const command = guideOf({ fullPower: true, taskSignature: 'exchange', limit })
      return world.guide(command).memory_use_receipt.omitted
    }
    expect(omittedWith(2)).toEqual([])
    expect(omittedWith(3)).toMatchObject([{ reason: 'folded' }])
  })

  test('P3: failed runs without a title that say something else of themselves are not alike', () => {
    const failed = (n: number, summary: string): GuideEntry =>
      sampleEntry(
        sampleRecord(
          idOf(n),
          { outcome: 'failed', summary },
          { domain: 'execution', taskSignature: 'task', ordinal: n },
        ),
        { surface: 'do_not_use', rank: n },
      )
    const view = { ...VIEW, taskSignature: 'task' }
    const same = [1, 2, 3, 4].map((n) => failed(n, 'The clock was wrong. More.'))
    expect(foldCandidates(NO_OPERATOR, same, view, LIMIT).omitted).toHaveLength(1)
    const other = [1, 2, 3, 4].map((n) => failed(n, `The clock was wrong by ${n} s.`))
    expect(foldCandidates(NO_OPERATOR, other, view, LIMIT).omitted).toEqual([])
  })

  test('P3: what has no signature, is no run or must be fetched is not folded', () => {
    const entries = (record: Partial<Omit<MemoryRecord, 'content'>>, entry: Partial<GuideEntry> = {}) =>
      [1, 2, 3, 4].map((n) =>
        sampleEntry(
          sampleRecord(
            idOf(n),
            { text: `step ${n}`, outcome: 'succeeded' },
            { domain: 'execution', taskSignature: 'task', ordinal: n, ...record },
          ),
          { rank: n, ...entry },
        ),
      )
    const folded = (...made: Parameters<typeof entries>): number =>
      foldCandidates(NO_OPERATOR, entries(...made), VIEW, LIMIT).omitted.length
    expect(folded({})).toBe(1)
    expect(folded({ taskSignature: null, workflowSignature: 'flow' })).toBe(1)
    expect(folded({ taskSignature: null })).toBe(0)
    expect(folded({ domain: 'general' })).toBe(0)
    expect(folded({ source: 'handoff' })).toBe(0)
    expect(folded({}, { surface: 'rehydrate' })).toBe(0)
  })
})

describe('a superseded memory', () => {
  /** Each memory is superseded by the one whose number is given; null: by none, -1: by one that is no candidate. */
  const anyLine = fc.array(fc.option(fc.integer({ min: -1, max: 7 }), { nil: null }), { maxLength: 8 })
  const entriesOf = (successors: readonly (number | null)[]): readonly GuideEntry[] =>
    successors.map((successor, n) => {
      if (successor === null) return sampleEntry(sampleRecord(idOf(n), { text: `x ${n}` }), { rank: n })
      const change = {
        facet: 'validity' as const,
        from: 'live',
        to: 'superseded',
        cause: 'superseded_by_relation',
        reason: 'superseded',
        atMs: 1,
        seq: 1,
        byMemoryId: idOf(successor === -1 ? 99 : successor),
      }
      return sampleEntry(sampleRecord(idOf(n), { text: `x ${n}` }, { changes: [change] }), {
        surface: 'do_not_use',
        ruleId: 'S3',
        lifecycleState: 'superseded',
        recallSources: [{ kind: 'lexical', score: 1, reason: 'text_match' }],
        rank: n,
      })
    })

  test('P4: has no line where what replaced it is a candidate too, and is named with the last that did', () => {
    prove(
      anyLine,
      (successors) => {
        const { kept, omitted } = foldCandidates(NO_OPERATOR, entriesOf(successors), VIEW, LIMIT)
        const lastOf = (n: number, seen: readonly number[]): number | null => {
          const next = successors[n]
          if (next === null || next === undefined || next >= successors.length || next === -1) return n
          return seen.includes(next) ? null : lastOf(next, [...seen, next])
        }
        for (const n of successors.keys()) {
          const last = lastOf(n, [n])
          const row = omitted.find(({ entry }) => entry.record.memoryId === idOf(n))
          if (last === n || last === null) expect(idsOf(kept)).toContain(idOf(n))
          else expect(row).toMatchObject({ reason: 'successor', intoId: idOf(last) })
        }
      },
      200,
    )
  })

  test('P4: through observe and guide', () => {
    const world = new World()
    const old = world.write(memoryOf({ text: 'Use yarn.' }, { taskSignature: 'task' }))
    const now = world.write(
      memoryOf({ text: 'Use pnpm.' }, { taskSignature: 'task', supersedes: [{ id: old }] }),
    )
    const { agent_context, memory_use_receipt } = world.guide({ taskSignature: 'task' })
    expect(agent_context.memory_ids).toEqual([now])
    expect(memory_use_receipt.omitted).toEqual([
      { memory_id: old, surface: 'do_not_use', reason: 'successor', into: now },
    ])
  })

  test('P4: that is suppressed, or a run that failed, keeps its line', () => {
    const [first, second] = entriesOf([1, null])
    if (first === undefined || second === undefined) throw new Error('two entries')
    for (const entry of [
      { ruleId: 'S1', lifecycleState: 'suppressed' },
      { ruleId: 'S2', lifecycleState: 'superseded' },
    ] as const)
      expect(foldCandidates(NO_OPERATOR, [{ ...first, ...entry }, second], VIEW, LIMIT).omitted).toEqual([])
  })
})

describe('a warning', () => {
  const anyAsk = fc.record({
    history: anyHistory,
    command: anyGuideCommand,
    ask: anyStep.filter((step) => step.kind === 'guide'),
  })

  test('P5: that is shown shares a signature, a path or a name with what is asked or used, or matches strongly', () => {
    prove(
      anyAsk,
      ({ history, command, ask }) => {
        const world = worldAfter(history)
        const { answer } = world.compiled({ ...command, budgetChars: 100_000 }, hitsOf(world, ask))
        const { agent_context: context, memory_use_receipt: receipt } = answer
        const used = context.use_now_memory_ids.map((id) => world.record(id))
        const names = new Set(command.identifiers)
        const words = (record: MemoryRecord): string => JSON.stringify(record.content).toLowerCase()
        for (const row of receipt.decision_summaries) {
          if (row.agent_surface !== 'do_not_use') continue
          const { taskSignature, workflowSignature, runId, content } = world.record(row.memory_id)
          const isShared =
            (taskSignature !== null &&
              [command.taskSignature, ...used.map((r) => r.taskSignature)].includes(taskSignature)) ||
            (workflowSignature !== null &&
              [command.workflowSignature, ...used.map((r) => r.workflowSignature)].includes(
                workflowSignature,
              )) ||
            content.targetFiles.some((path) => used.some((r) => r.content.targetFiles.includes(path))) ||
            (runId !== null && names.has(runId)) ||
            [...names].some((name) => words(world.record(row.memory_id)).includes(name.toLowerCase())) ||
            // The only identifier of these texts.
            (words(world.record(row.memory_id)).includes('src/') &&
              used.some((r) => words(r).includes('src/')))
          const isStrong = row.recall_sources.some(({ reason }) =>
            ['exact_identifier', 'text_match', 'semantic_match'].includes(reason),
          )
          expect(isShared || isStrong).toBe(true)
        }
        for (const row of receipt.omitted)
          if (row.reason === 'not_related') expect([row.surface, row.into]).toEqual(['do_not_use', undefined])
      },
      80,
    )
  })

  test('P5: of nothing that is asked has no line and is named; asked for by signature, path, name or text it has one', () => {
    const world = new World()
    const failed = world.write(
      runOf(
        { text: 'Refund with float amounts.', outcome: 'failed', targetFiles: ['src/refund.ts'] },
        { taskSignature: 'refund', runId: 'r-1' },
      ),
    )
    const told = (parts: Parameters<typeof guideOf>[0], hits: Parameters<World['guide']>[1] = []) => {
      const { agent_context, memory_use_receipt } = world.guide(parts, hits)
      return [agent_context.do_not_use_memory_ids, memory_use_receipt.omitted]
    }
    const omitted = [{ memory_id: failed, surface: 'do_not_use', reason: 'not_related' }]
    const hit = { memoryId: failed, score: 1, coverage: 1, matchedTerms: 3, isExact: false }
    expect(told({})).toEqual([[], omitted])
    // In a small scope a run of another task is no candidate.
    expect(told({ taskSignature: 'other' })).toEqual([[], []])
    expect(told({}, [{ ...hit, isAboveFloor: false }])).toEqual([[], omitted])
    expect(told({}, [{ ...hit, isAboveFloor: true }])).toEqual([[failed], []])
    expect(told({ taskSignature: 'refund' })).toEqual([[failed], []])
    expect(told({ identifiers: ['refund.ts'] })).toEqual([[failed], []])
    expect(told({ identifiers: ['r-1'] })).toEqual([[failed], []])
    world.write(memoryOf({ text: 'Amounts are integer cents.', targetFiles: ['src/refund.ts'] }))
    expect(told({})).toEqual([[failed], []])
  })

  test('P5: takes no place of the limit when it has no line', () => {
    const world = new World()
    const memories = Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0 ? runOf({ text: `failed ${n}`, outcome: 'failed' }) : memoryOf({ text: `note ${n}` }),
    )
    const { memoryIds } = world.observe({ memories })
    const notes = memoryIds.filter((_, n) => n % 2 === 1).toReversed()
    expect(world.guide({ limit: 4 }).agent_context.memory_ids).toEqual(notes.slice(0, 4))
  })
})
