import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GuideCommand, GuideEntry } from '../../src/core/guide/entry.ts'
import { withoutHandles } from '../../src/core/guide/handles.ts'
import { renderPrompt } from '../../src/core/guide/render.ts'
import { GUIDES_SHOWN_MAX, LINES_SHOWN_MAX, RUNS_SHOWN_MAX } from '../../src/core/model/shown-lines.ts'
import { imageOf, stateFrom, stateHash } from '../../src/core/model/state-image.ts'
import { decideUse } from '../../src/core/write/attribution.ts'
import { feedbackOf, guideOf, memoryOf, runOf } from '../support/commands.ts'
import { hostileEntries, idOf, VIEW } from '../support/guide-samples.ts'
import { parsePrompt } from '../support/prompt-parser.ts'
import { proving } from '../support/prove.ts'
import { replayed, World } from '../support/world.ts'

const prove = proving(100)

const again = (parts: Partial<GuideCommand> = {}): GuideCommand =>
  guideOf({ queryText: 'the suite', handles: true, runId: 'session', omitShownIn: 'session', ...parts })

type Answer = ReturnType<World['guide']>

const printedIn = (answer: Answer): readonly string[] => answer.memory_use_receipt.exposed_memory_ids
const knownIn = (answer: Answer): readonly string[] =>
  answer.memory_use_receipt.omitted.flatMap(({ memory_id, reason }) =>
    reason === 'shown_before' ? [memory_id] : [],
  )
const namesIn = (answer: Answer): readonly string[] => Object.keys(answer.memory_use_receipt.handles ?? {})

/** Each line without what names it. */
function linesById(answer: Answer): ReadonlyMap<string, string> {
  const handles = answer.memory_use_receipt.handles ?? {}
  const lines = [...parsePrompt(answer.agent_context.prompt_text).sections.values()].flat()
  return new Map(
    lines.map(({ id, line }) => [handles[id]?.memory_id ?? id, line.replace(/^\[[^\]]+\]/u, '')]),
  )
}

/** What may happen to a scope between two guides. */
const anyStep = fc.oneof(
  fc.record({ kind: fc.constantFrom('fact', 'rule', 'failed', 'candidate') }),
  fc.record({ kind: fc.constantFrom('revise', 'suppress', 'unsuppress', 'praise', 'blame'), at: fc.nat(8) }),
)
type Step = { readonly kind: string; readonly at?: number }

function take(world: World, { kind, at = 0 }: Step, n: number): void {
  const id = world.memoryIds[at % Math.max(1, world.memoryIds.length)]
  if (kind === 'failed') world.write(runOf({ outcome: 'failed', title: `run ${n} of the suite` }))
  else if (kind === 'rule') world.write(memoryOf({ text: `rule ${n} of the suite` }, { memoryType: 'rule' }))
  else if (kind === 'fact') world.write(memoryOf({ text: `fact ${n} of the suite` }, { clientId: `c${n}` }))
  else if (kind === 'candidate')
    world.write(memoryOf({ text: `hint ${n} of the suite` }, { origin: 'document' }))
  else if (id === undefined) return
  else if (kind === 'revise') {
    const { clientId } = world.record(id)
    if (clientId !== null) world.write(memoryOf({ text: `fact ${n} of the suite, again` }, { clientId }))
  } else if (kind === 'suppress' || kind === 'unsuppress') {
    if (kind === 'unsuppress' && world.record(id).facets.suppression === null) return
    world.lifecycle({ operation: kind, memoryIds: [id] })
  } else {
    const outcome = kind === 'praise' ? 'positive' : 'negative'
    const mark = {
      runId: `run ${n}`,
      outcome,
      usedSurface: 'explicit_host_assertion',
      memoryIds: [id],
    } as const
    const traceId = world.guides.findLast(({ memoryIds }) => memoryIds.includes(id))?.guideTraceId
    if (traceId !== undefined) world.feedback({ ...mark, guideTraceId: traceId })
  }
}

describe('lines that a run was shown before', () => {
  test('P9: a brief line is told once, also when what only a whole line says has changed', () => {
    const world = new World()
    const task = { taskSignature: 'suite' }
    const failed = world.write(runOf({ outcome: 'failed', title: 'A run of the suite' }, task))
    const ask = again({ lines: 'brief', ...task })
    expect(printedIn(world.guide(ask))).toEqual([failed])
    const worked = world.write(runOf({ text: 'The suite runs with pnpm.' }, task))
    expect(printedIn(world.guide(ask))).toEqual([worked])
    expect(printedIn(world.guide({ ...ask, lines: 'full' }))).toEqual([failed])
  })

  test('P9: they are left out as long as they are the same, and only they; restart prints them', () => {
    prove(
      fc.array(anyStep, { maxLength: 6 }),
      fc.array(anyStep, { maxLength: 4 }),
      fc.boolean(),
      (before, between, firstAsks) => {
        const world = new World()
        for (const [n, step] of before.entries()) take(world, step, n)
        const first = world.guide(again(firstAsks ? {} : { omitShownIn: null }))
        for (const [n, step] of between.entries()) take(world, step, 100 + n)
        const whole = world.compiled(again({ isRestart: true })).answer
        const second = world.guide(again())
        const [was, now] = [linesById(first), linesById(whole)]
        const same = printedIn(whole).filter((id) => was.get(id) === now.get(id))
        // A line may be printed again without a change of its own: never one that is another left out.
        expect(same).toEqual(expect.arrayContaining([...knownIn(second)]))
        expect([...printedIn(second), ...knownIn(second)].toSorted()).toEqual(
          [...printedIn(whole)].toSorted(),
        )
        expect(linesById(second)).toEqual(new Map([...now].filter(([id]) => !knownIn(second).includes(id))))
        if (between.length === 0) expect(printedIn(second)).toEqual([])
        const untouched = printedIn(first).filter(
          (id) =>
            world.record(id).seq < (world.exposure(first.guide_trace_id)?.seq ?? 0) &&
            world
              .record(id)
              .changes.every(({ seq }) => seq < (world.exposure(first.guide_trace_id)?.seq ?? 0)) &&
            same.includes(id),
        )
        expect(knownIn(second)).toEqual(expect.arrayContaining(untouched))
        expect(printedIn(world.guide(again({ isRestart: true })))).toEqual(printedIn(whole))
      },
    )
  })

  test('P9: a memory that was revised since has a line again, once', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'one fact of the suite' }, { clientId: 'c', origin: 'document' }))
    const isShown = (): boolean => printedIn(world.guide(again())).includes(id)
    expect([isShown(), isShown()]).toEqual([true, false])
    world.write(memoryOf({ text: 'something else about the suite' }, { clientId: 'c', origin: 'document' }))
    expect([isShown(), isShown()]).toEqual([true, false])
  })

  test('P9: another run, another consumer and a guide that names no run are shown all of it', () => {
    const world = new World()
    for (const kind of ['fact', 'rule', 'failed', 'candidate']) take(world, { kind }, 1)
    const shown = printedIn(world.guide(again()))
    expect(shown.length).toBeGreaterThan(2)
    for (const other of [
      { omitShownIn: 'another' },
      { omitShownIn: null },
      { consumer: { agentId: 'somebody', teamId: null } },
      { consumer: { agentId: 'local-agent', teamId: 'team' } },
    ])
      expect(printedIn(world.compiled(again(other)).answer)).toEqual(shown)
    const { answer } = world.compiled(again())
    expect(printedIn(answer)).toEqual([])
    expect(answer.agent_context.prompt_text).toContain('nothing of it has changed')
    expect(answer.agent_context.prompt_text).not.toContain('budget')
    expect(answer.agent_context.summary).toBe(
      `No memory was shown. ${shown.length} more were shown to this run before.`,
    )
  })

  test('P9: a shorter form of a line, and a line within another budget, are told apart', () => {
    const world = new World()
    for (let n = 0; n < 8; n += 1)
      world.write(memoryOf({ text: `fact ${n} of the suite: ${'word '.repeat(50)}` }))
    const small = printedIn(world.guide(again({ budgetChars: 1200 })))
    const rest = printedIn(world.guide(again()))
    expect(small.length).toBeGreaterThan(0)
    expect([...small, ...rest].toSorted()).toEqual([...world.memoryIds].toSorted())
    expect(printedIn(world.guide(again({ contextMode: 'compact_agent' })))).toHaveLength(8)
    expect(printedIn(world.guide(again({ contextMode: 'compact_agent' })))).toEqual([])
  })

  test('P9: they take no place of the limit: guide by guide a run is shown all that there is', () => {
    prove(fc.array(anyStep, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (steps, limit) => {
      const world = new World()
      for (const [n, step] of steps.entries()) take(world, step, n)
      const all = printedIn(world.compiled(again({ isRestart: true, limit: 200 })).answer)
      const shown: string[] = []
      for (let left = all.length; left > 0; left -= limit) {
        const printed = printedIn(world.guide(again({ limit })))
        expect(printed).toHaveLength(Math.min(limit, left))
        shown.push(...printed)
      }
      expect(shown.toSorted()).toEqual(all.toSorted())
    })
  })

  test('P9, P10: what was shown is the same after a replay and after a snapshot', () => {
    const world = new World()
    for (const kind of ['fact', 'rule', 'failed', 'candidate']) take(world, { kind }, 1)
    world.guide(again({ budgetChars: 500 }))
    take(world, { kind: 'fact' }, 2)
    world.guide(again({ budgetChars: 600 }))
    const prompt = world.compiled(again()).answer.agent_context.prompt_text
    for (const state of [replayed(world.turns), stateFrom(imageOf(world.state))]) {
      expect(stateHash(state)).toBe(stateHash(world.state))
      expect(world.compiled(again(), [], state).answer.agent_context.prompt_text).toBe(prompt)
    }
  })

  test('P9: exposures of before lines had versions leave no trace of lines', () => {
    const world = new World()
    take(world, { kind: 'fact' }, 1)
    world.guide(again())
    const old = world.turns.map((turn) => ({
      ...turn,
      events: turn.events.map((event) => {
        if (event.type !== 'exposed') return event
        const { lineVersions: _, ...rest } = event
        return rest
      }),
    }))
    const names = imageOf(replayed(old)).sections.map(({ name }) => name)
    expect(names).not.toContain('shown_lines')
    expect(imageOf(world.state).sections.map(({ name }) => name)).toContain('shown_lines')
  })
})

describe('handles of a run', () => {
  test('P10: no handle is given twice, and each names its line to every later guide of the run', () => {
    prove(fc.array(fc.array(anyStep, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rounds) => {
      const world = new World()
      const given = new Map<
        string,
        { readonly memoryId: string; readonly guideTraceId: string; surface: string }
      >()
      for (const [round, steps] of rounds.entries()) {
        for (const [n, step] of steps.entries()) take(world, step, 10 * round + n)
        const answer = world.guide(again({ isRestart: round % 3 === 2 }))
        const next = given.size + 1
        expect(namesIn(answer)).toEqual(namesIn(answer).map((_, at) => `m${next + at}`))
        for (const [name, { memory_id, surface }] of Object.entries(answer.memory_use_receipt.handles ?? {}))
          given.set(name, { memoryId: memory_id, surface, guideTraceId: answer.guide_trace_id })
      }
      const exposure = world.guides.at(-1)
      if (exposure === undefined) throw new Error('a guide was made')
      for (const [name, { memoryId, surface, guideTraceId }] of given) {
        const meant = withoutHandles(world.state, { memoryIds: [name] }, exposure)
        expect(meant.memoryIds).toEqual([memoryId])
        const earlier =
          guideTraceId === exposure.guideTraceId ? undefined : { memoryId, surface, guideTraceId }
        expect(meant.printedEarlier?.get(memoryId)).toEqual(earlier)
      }
      expect(withoutHandles(world.state, { memoryIds: ['m999'] }, exposure).memoryIds).toEqual(['m999'])
    })
  })

  test('P10: evidence for a line of an earlier guide counts for that guide and its surface; its plain id is unknown to the later one', () => {
    const world = new World()
    const id = world.write(memoryOf({ text: 'fact of the suite' }))
    const first = world.guide(again())
    const second = world.guide(again())
    expect([namesIn(first), namesIn(second)]).toEqual([['m1'], []])
    const exposure = world.exposure(second.guide_trace_id)
    if (exposure === null) throw new Error('the guide was recorded')
    const said = feedbackOf({
      runId: 'r',
      outcome: 'positive',
      guideTraceId: second.guide_trace_id,
      memoryIds: ['m1'],
    })
    const used = decideUse(world.state, withoutHandles(world.state, said, exposure), exposure)
    const marks = used.events.flatMap((event) => (event.type === 'feedback_recorded' ? [event.mark] : []))
    expect(marks).toEqual([expect.objectContaining({ guideTraceId: first.guide_trace_id, direct: true })])
    const plain = withoutHandles(world.state, { ...said, memoryIds: [id] }, exposure)
    expect(() => decideUse(world.state, plain, exposure)).toThrow(/exposed by the referenced guide/u)
  })

  test('P10: handles of another run or consumer name nothing', () => {
    const world = new World()
    world.write(memoryOf({ text: 'fact of the suite' }))
    world.guide(again())
    for (const other of [
      { runId: 'b', omitShownIn: 'session' },
      { consumer: { agentId: 'b', teamId: null }, budgetChars: 200 },
    ]) {
      world.guide(again({ ...other, handles: false }))
      const exposure = world.guides.at(-1) ?? null
      expect(withoutHandles(world.state, { memoryIds: ['m1'] }, exposure).memoryIds).toEqual(['m1'])
    }
  })

  test('P10: a line refers to a line of before only by a handle that the guide takes for it', () => {
    for (const later of [{}, { runId: 'another run' }]) {
      const world = new World()
      const stands = world.write(memoryOf({ text: 'The suite runs on port 4000.' }, { origin: 'user' }))
      const yields = world.write(memoryOf({ text: 'The suite runs on port 5000.' }))
      world.guide(again({ omitShownIn: null }))
      world.write(memoryOf({ text: 'The suite is red.' }))
      // Its handles begin anew, since it leaves nothing out.
      const other = world.guide(again({ omitShownIn: null, queryText: 'red', limit: 1 }))
      expect(namesIn(other)).toEqual(['m1'])
      world.feedback({ runId: 'r', outcome: 'negative', memoryIds: [yields] })
      const answer = world.guide(again(later))
      const line = answer.agent_context.prompt_text.split('\n').find((each) => each.includes('disputed by'))
      expect(line).toContain(`disputed by [${stands}]`)
    }
  })

  test('P9: runs, lines and guides that are known are bounded, the oldest go', () => {
    const world = new World()
    const { shownLines } = world.state
    const exposed = (runId: string, n: number) => ({
      guideTraceId: `guide_trace:${n}`,
      memoryIds: [idOf(n)],
      surfaces: ['use_now'] as const,
      consumerAgentId: 'a',
      consumerTeamId: null,
      runId,
      taskSignature: null,
      heldOut: false,
      firstHandle: n + 1,
    })
    for (let n = 0; n <= RUNS_SHOWN_MAX; n += 1) shownLines.add(exposed(`run ${n}`, 0), [1])
    expect([shownLines.of('run 0', 'a', null), shownLines.rows().length]).toEqual([null, RUNS_SHOWN_MAX])
    for (let n = 0; n <= LINES_SHOWN_MAX; n += 1) shownLines.add(exposed('run 9', n), [1])
    const { versions, guides, nextHandle } = shownLines.of('run 9', 'a', null) ?? {}
    expect([versions?.size, guides?.length, nextHandle]).toEqual([
      LINES_SHOWN_MAX,
      GUIDES_SHOWN_MAX,
      LINES_SHOWN_MAX + 2,
    ])
    expect(versions?.has(idOf(0))).toBe(false)
  })
})

describe('brief lines', () => {
  test('P11: the lines of what may be used now are as ever, every other has its type, date and reason', () => {
    prove(hostileEntries, (entries) => {
      const view = { ...VIEW, budgetChars: 1_000_000 }
      const [full, brief] = [renderPrompt(entries, view), renderPrompt(entries, { ...view, isBrief: true })]
      expect(brief.printed).toEqual(full.printed)
      expect(brief.lines.use_now).toEqual(full.lines.use_now)
      // The same memories without a word of their own.
      const silent = entries.map((entry): GuideEntry => {
        const said = { text: '', title: null, summary: null, targetFiles: [], nextAction: null }
        return {
          ...entry,
          record: { ...entry.record, runId: null, content: { ...entry.record.content, ...said } },
        }
      })
      const blank = renderPrompt(silent, { ...view, isBrief: true })
      for (const surface of ['inspect_before_use', 'do_not_use', 'rehydrate'] as const) {
        expect(brief.lines[surface]).toEqual(blank.lines[surface])
        for (const line of brief.lines[surface]) expect(line).toMatch(/^\[[^\]]+\] [a-z ]+ \([-\d]+\): /u)
      }
    })
  })
})
