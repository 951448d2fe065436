import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OperatorSnapshot } from '../../src/contract/operator-snapshot.ts'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import type { StoredGuide } from '../../src/core/guide/decision.ts'
import type { Consumer } from '../../src/core/model/record.ts'
import type { ActorState } from '../../src/core/model/state.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { isVisibleTo } from '../../src/core/model/visibility.ts'
import { type MemorySurvey, surveySteps } from '../../src/core/report/memory-survey.ts'
import { readArtifact } from '../../src/core/report/supplied-objects.ts'
import type { ReportView } from '../../src/core/report/viewer.ts'
import { snapshotMarkdown } from '../../src/runtime/reports/operator-snapshot.ts'
import {
  operatorSnapshotReport,
  type SnapshotInput,
} from '../../src/runtime/reports/operator-snapshot-report.ts'
import { anyConsumer, anyHistory, RUNS, SIGNATURES } from '../arbitraries.ts'
import { latestGuide, viewOf } from '../support/audit-samples.ts'
import { handoffOf, memoryOf, runOf } from '../support/commands.ts'
import { hostileText } from '../support/guide-samples.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import { withoutInvisible } from '../support/without-invisible.ts'
import { World } from '../support/world.ts'

const prove = proofsOf('operator snapshot')
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null })
const anyTask: fc.Arbitrary<SnapshotInput['task']> = fc.record({
  runId: maybe(fc.constantFrom(...RUNS)),
  taskSignature: maybe(fc.constantFrom(...SIGNATURES)),
  taskFamily: fc.constant(null),
  workflowSignature: maybe(fc.constantFrom('flow-a', 'flow-b')),
  agentRole: fc.constant(null),
})
type Task = SnapshotInput['task']
const NO_TASK: Task = {
  runId: null,
  taskSignature: null,
  taskFamily: null,
  workflowSignature: null,
  agentRole: null,
}
const anyQuestion = fc.record({ history: anyHistory, eyes: maybe(anyConsumer), task: anyTask })

function surveyOf(view: ReportView, task: Task): MemorySurvey {
  const steps = surveySteps(view, task, 2)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function ask(
  world: World,
  eyes: Consumer | null,
  task: Task = NO_TASK,
  supplied: Readonly<Record<string, object>> = {},
  state: ActorState = world.state,
  stored: StoredGuide | null = latestGuide(world, eyes),
) {
  const objects = Object.entries(supplied).map(([name, value]) => {
    const object = { ...value }
    return { value: object, artifact: readArtifact(name, object, (text) => `hash of ${text}`) }
  })
  const snapshot = operatorSnapshotReport({
    survey: surveyOf(viewOf(world, eyes, state), task),
    task,
    guideTraceId: null,
    stored,
    supplied: objects,
    isConsumer: eyes !== null,
  })
  OperatorSnapshot.parse(JSON.parse(JSON.stringify(snapshot)))
  return snapshot
}

describe('a snapshot reads', () => {
  test('A20: it leaves the state as it was, and is the same after a reload', () => {
    prove(anyQuestion, ({ history, eyes, task }) => {
      const world = worldAfter(history)
      const before = stateHash(world.state)
      const snapshot = ask(world, eyes, task)
      expect(stateHash(world.state)).toBe(before)
      const back = reloaded(world)
      expect(ask(back, eyes, task, {}, back.state, latestGuide(world, eyes))).toEqual(snapshot)
    })
  })

  test('A21: asked for a consumer it is that of an actor in which the invisible was never written', () => {
    prove(
      fc.record({ history: anyHistory, eyes: anyConsumer, task: anyTask }),
      ({ history, eyes, task }) => {
        const world = worldAfter(history)
        const bare = withoutInvisible(world.state, eyes)
        const snapshot = ask(world, eyes, task)
        expect(snapshot).toEqual(ask(world, eyes, task, {}, bare))
        const text = JSON.stringify(snapshot)
        for (const record of world.records()) {
          if (!isVisibleTo(record.audience, eyes)) expect(text).not.toContain(`"${record.memoryId}"`)
        }
      },
      80,
    )
  })

  test('A21: without a consumer no word of private memory is shown', () => {
    prove(fc.record({ isRun: fc.boolean(), agent: fc.constantFrom('ann', 'bob') }), ({ isRun, agent }) => {
      const world = new World()
      const audience = { lane: 'private', ownerAgentId: agent, ownerTeamId: null } as const
      const words = { title: 'zqsecret', text: 'zqsecret text', evidenceRefs: ['zqsecret-ref'] }
      const id = world.write(isRun ? runOf(words, { audience }) : memoryOf(words, { audience }))
      world.guide({ consumer: { agentId: agent, teamId: null } })
      const text = JSON.stringify(ask(world, null))
      expect(text).toContain(id)
      expect(text).not.toContain('zqsecret')
      if (isRun) expect(JSON.stringify(ask(world, { agentId: agent, teamId: null }))).toContain('zqsecret')
    })
  })

  test('A22: every group of counters adds up to the memories that are seen', () => {
    prove(anyQuestion, ({ history, eyes, task }) => {
      const world = worldAfter(history)
      const seen = world.records().filter(({ audience }) => eyes === null || isVisibleTo(audience, eyes))
      const { total, erased, by_facet, ...groups } = ask(world, eyes, task).memory_counts
      expect(total).toBe(seen.length)
      expect(erased).toBe(0)
      for (const group of [...Object.values(groups), ...Object.values(by_facet)]) {
        expect(Object.values(group).reduce((sum, count) => sum + count, 0)).toBe(total)
      }
    })
  })

  test('A29: a supplied object changes nothing of a guide on record, and what differs is named', () => {
    prove(
      fc.record({ history: anyHistory, eyes: maybe(anyConsumer), moved: fc.nat({ max: 30 }) }),
      ({ history, eyes, moved }) => {
        const world = worldAfter(history)
        world.guide(eyes === null ? {} : { consumer: eyes })
        const { guide_trace: told, ...plain } = ask(world, eyes)
        const lists = Object.fromEntries(
          SURFACES.map((surface) => [`${surface}_memory_ids`, told[`${surface}_memory_ids`]]),
        )
        const true_ = { guide_trace_id: told.guide_trace_id, ...lists }
        const honest = ask(world, eyes, NO_TASK, { agent_context: true_ })
        expect(honest.artifacts).toMatchObject([{ status: 'agrees' }])
        expect(honest.artifact_mismatch).toEqual([])
        const forged = { ...true_, use_now_memory_ids: [...told.use_now_memory_ids, `forged-${moved}`] }
        const snapshot = ask(world, eyes, NO_TASK, { agent_context: forged })
        expect(snapshot.guide_trace).toEqual(told)
        expect(snapshot.memory_counts).toEqual(plain.memory_counts)
        expect(snapshot.claims).toEqual(plain.claims)
        expect(snapshot.artifact_mismatch).toEqual([
          { artifact: 'agent_context', field: 'use_now_memory_ids', guide_trace_id: told.guide_trace_id },
        ])
      },
    )
  })
})

const OUR_LINE =
  /^(?:# Operator snapshot|##? ?#? ?(?:Memory|Execution State|Current Active Path|Passed Solutions|Failed Branches|Guide Trace|Incidents|Learning Control|Effect|Claims|Artifact Mismatch)|None\.|No [a-z ]+\.|- .*|)$/
const HEADING = /^#/
const ANY_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u
/** Marks that are not escaped, after the code spans that hold nothing but an id of ours are taken out. */
const bareMarks = (line: string): string =>
  line
    .replace(/`[\w:.-]+`/g, '')
    .replace(/\\[\\`*_{}[\]<>#|~&!@$:.]/g, '')
    .replace(/^- [A-Z][a-z ]*:/, '')
    .replace(/[^\\`*_{}[\]<>#|~&!@$]/g, '')

describe('a Markdown snapshot', () => {
  test('A24: no text opens a heading, a list, a link or a line', () => {
    const anyWords = fc.oneof(
      hostileText,
      fc.constantFrom(
        '# Claims',
        '- `runtime_read_only`: fail',
        '[x](http://evil.example)',
        '<img src=x onerror=alert(1)>',
        '![a](b)',
        '| a | b |\n|---|---|',
        'http://evil.example www.evil.example a@b.example',
        '```\n## Forged\n```',
        '&lt;script&gt; \\`x`',
      ),
    )
    const anyHostile = fc.record({ title: anyWords, run: anyWords, ref: anyWords, supplied: anyWords })
    prove(
      anyHostile,
      ({ title, run, ref, supplied }) => {
        const world = new World()
        const content = { title, titleIsCallers: true, text: title, evidenceRefs: [ref] }
        const rest = { runId: run, taskSignature: title }
        world.write(runOf({ ...content, outcome: 'failed' }, rest))
        world.write(runOf({ ...content, outcome: 'succeeded' }, rest))
        const held = memoryOf(content, { declared: ['suppressed'] })
        world.write(held)
        world.observe({ handoff: handoffOf(runOf(content, rest), { anchor: title }) })
        world.guide({ runId: run })
        const task = { ...NO_TASK, taskSignature: title, runId: run, agentRole: supplied }
        const artifacts = {
          execution_context: { active_path: [{ entry_id: supplied, title: supplied, summary: supplied }] },
          agent_context: { use_now_memory_ids: [supplied] },
          effect_report: { history_impact: { impact_direction: supplied } },
        }
        const plain = snapshotMarkdown(ask(world, null, { ...NO_TASK, taskSignature: 'plain' }, {}))
        for (const stored of [latestGuide(world, null), null]) {
          const page = snapshotMarkdown(ask(world, null, task, artifacts, world.state, stored))
          const lines = page.split(ANY_BREAK)
          expect(lines.join('\n')).toBe(page)
          for (const line of lines) expect(line).toMatch(OUR_LINE)
          for (const line of lines.filter((each) => !HEADING.test(each))) expect(bareMarks(line)).toBe('')
          expect(page).not.toMatch(/(?<!\\):\/\/|www\.[a-z]/)
          const headings = (text: string) => text.split('\n').filter((line) => HEADING.test(line))
          expect(headings(page).filter((line) => line !== '## Artifact Mismatch')).toEqual(headings(plain))
        }
      },
      120,
    )
  })
})
