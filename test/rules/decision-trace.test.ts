import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { viewerOf } from '../../src/core/guide/decision.ts'
import { stateHash } from '../../src/core/model/state-image.ts'
import { consumerKey, isVisibleTo } from '../../src/core/model/visibility.ts'
import type { DecisionTrace } from '../../src/runtime/reports/decision-trace-rows.ts'
import { anyHistory } from '../arbitraries.ts'
import { enough } from '../harness/scale.ts'
import { anyFeedbackForgery, anyForgery, forged, forgedFeedback } from '../support/forgeries.ts'
import { worldAfter } from '../support/history.ts'
import { proofsOf } from '../support/prove.ts'
import { reloaded } from '../support/reload.ts'
import {
  type FeedbackAnswer,
  historyOf,
  type Supplied,
  storedIn,
  TracedWorld,
  traceIn,
} from '../support/traced-world.ts'

const prove = proofsOf('decision-trace')

function lived(history: Parameters<typeof worldAfter>[0]): TracedWorld {
  const world = new TracedWorld()
  worldAfter(history, world)
  return world
}

const guidesOf = (world: TracedWorld) => world.guides.map(({ guideTraceId }) => guideTraceId)

/** Feedback answers that are about a guide: those that name it, and those of its run after it that name none. */
function feedbackAbout(world: TracedWorld, guideTraceId: string): readonly FeedbackAnswer[] {
  const { exposure } = storedIn(world, guideTraceId)
  return world.feedbackAnswers.filter((answer) =>
    answer.guideTraceId === null
      ? answer.runId === exposure.runId && answer.seq > exposure.seq
      : answer.guideTraceId === guideTraceId,
  )
}

const fieldsOf = (trace: DecisionTrace) => trace.artifact_mismatch.map(({ field }) => field)

/** Whether a real feedback of the same guide says the same. */
function isTold(world: TracedWorld, guideTraceId: string, body: FeedbackAnswer['body']): boolean {
  const said = ({ run_id, outcome, used_surface, used_memory_ids }: FeedbackAnswer['body']) =>
    JSON.stringify([run_id, outcome, used_surface, [...(used_memory_ids as string[])].toSorted()])
  const own = said(body)
  return feedbackAbout(world, guideTraceId).some((answer) => said(answer.body) === own)
}

describe('decision traces', () => {
  test('A10: a decision trace changes no state', () => {
    prove(
      anyHistory,
      (history) => {
        const world = lived(history)
        const before = stateHash(world.state)
        const seq = world.state.seq
        for (const id of guidesOf(world)) {
          traceIn(world, id, { after: world.guideAnswers.get(id) ?? null })
          traceIn(world, null, { after: world.guideAnswers.get(id) ?? null })
        }
        expect([stateHash(world.state), world.state.seq]).toEqual([before, seq])
      },
      30,
    )
  })

  test('A11: a forged guide answer is always flagged', () => {
    prove(
      fc.record({ history: anyHistory, lies: fc.array(anyForgery, { minLength: 4, maxLength: 8 }) }),
      ({ history, lies }) => {
        const world = lived(history)
        for (const id of guidesOf(world)) {
          for (const lie of lies) {
            const after = forged(world.guideAnswers.get(id) ?? {}, lie)
            if (after === null) continue
            const trace = traceIn(world, id, { after })
            expect(fieldsOf(trace), JSON.stringify(lie)).not.toEqual([])
          }
        }
      },
      40,
    )
  })

  test('A11: a forged feedback answer is always flagged', () => {
    let lieCount = 0
    prove(
      fc.record({ history: anyHistory, lies: fc.array(anyFeedbackForgery, { minLength: 3, maxLength: 6 }) }),
      ({ history, lies }) => {
        const world = lived(history)
        for (const { guideTraceId, body } of world.feedbackAnswers) {
          if (guideTraceId === null) continue
          for (const lie of lies) {
            const feedback = forgedFeedback(body, lie)
            if (feedback === null) continue
            const isPlain = lie.kind !== 'guide' && lie.kind !== 'nested_outcome'
            if (isPlain && isTold(world, guideTraceId, feedback)) continue
            lieCount += 1
            expect(fieldsOf(traceIn(world, guideTraceId, { feedback })), JSON.stringify(lie)).not.toEqual([])
          }
        }
      },
      80,
    )
    expect(lieCount).toBeGreaterThanOrEqual(enough(100))
  })

  test('A12: what a guide and its feedback answered is never flagged', () => {
    prove(
      anyHistory,
      (history) => {
        const world = lived(history)
        for (const id of guidesOf(world)) {
          const after = world.guideAnswers.get(id) ?? null
          for (const feedback of [null, ...feedbackAbout(world, id).map(({ body }) => body)]) {
            for (const known of [historyOf(world, id), { isComplete: false, reports: [] }, null]) {
              const trace = traceIn(world, id, { after, feedback }, { history: known })
              expect(trace.artifact_mismatch).toEqual([])
              if (known?.isComplete === true) expect(trace.artifact_unverified).toEqual([])
            }
          }
        }
      },
      80,
    )
  })

  test('A13: a trace names exactly what the guide exposed, on the recorded surfaces and in order', () => {
    prove(
      fc.record({ history: anyHistory, lie: anyForgery, other: fc.nat({ max: 9 }) }),
      ({ history, lie, other }) => {
        const world = lived(history)
        const answers = [...world.guideAnswers.values()]
        for (const id of guidesOf(world)) {
          const { exposure } = storedIn(world, id)
          const own = world.guideAnswers.get(id) ?? {}
          const supplied: Supplied[] = [
            {},
            { after: own },
            { after: forged(own, lie) },
            { after: answers[other % answers.length] ?? null },
          ]
          for (const each of supplied) {
            const trace = traceIn(world, id, each)
            expect(trace.memory_decisions.map((row) => [row.memory_id, row.agent_surface])).toEqual(
              exposure.memoryIds.map((memoryId, at) => [memoryId, exposure.surfaces[at]]),
            )
            expect(trace.context_decision.memory_ids).toEqual(exposure.memoryIds)
            expect(trace.replay_source).toBe('runtime_record')
          }
        }
      },
      40,
    )
  })

  test('A14: a trace is the same before and after a reload', () => {
    prove(
      anyHistory,
      (history) => {
        const world = lived(history)
        const back = reloaded(world)
        for (const id of guidesOf(world)) {
          const supplied = { after: world.guideAnswers.get(id) ?? null }
          expect(traceIn(world, id, supplied, { state: back.state })).toEqual(traceIn(world, id, supplied))
        }
      },
      40,
    )
  })

  test('A17: a trace shows its consumer no memory, title or run that it may not know', () => {
    prove(
      anyHistory,
      (history) => {
        const world = lived(history)
        for (const id of guidesOf(world)) {
          const story = storedIn(world, id)
          const eyes = viewerOf(story)
          const trace = traceIn(world, id)
          // A title is its author's: it may say anything, ids included.
          const shown = JSON.stringify(trace, (name, value) => (name === 'title' ? null : value))
          for (const record of world.records()) {
            if (!isVisibleTo(record.audience, eyes)) expect(shown).not.toContain(record.memoryId)
          }
          for (const other of world.guides) {
            if (consumerKey(viewerOf({ exposure: other })) === consumerKey(eyes)) continue
            expect(shown).not.toContain(other.guideTraceId)
          }
          for (const { title, memory_id } of [...trace.memory_decisions, ...trace.omitted_memories]) {
            if (title !== null) expect(isVisibleTo(world.record(memory_id).audience, eyes)).toBe(true)
          }
          for (const { credit } of trace.memory_decisions) {
            for (const run of credit?.runs ?? []) {
              const exposure = world.exposure(run.guide_trace_id)
              expect(exposure === null ? null : consumerKey(viewerOf({ exposure }))).toBe(consumerKey(eyes))
            }
          }
        }
      },
      60,
    )
  })

  test('A18: a guide that is not held is replayed as supplied and says so', () => {
    prove(
      fc.record({ history: anyHistory, lie: anyForgery }),
      ({ history, lie }) => {
        const world = lived(history)
        const stranger = new TracedWorld('default', 'elsewhere')
        for (const id of guidesOf(world)) {
          const answer = world.guideAnswers.get(id) ?? {}
          for (const after of [answer, forged(answer, { ...lie, place: 'agent_context' }) ?? answer]) {
            const trace = traceIn(stranger, null, { after })
            expect(trace).toMatchObject({
              replay_source: 'supplied_artifacts',
              record: { after_guide: 'not_held' },
              artifact_mismatch: [],
              memory_use_receipt: null,
            })
            const context = after['agent_context'] as Record<string, string[]>
            for (const surface of ['use_now', 'inspect_before_use', 'rehydrate', 'do_not_use']) {
              expect(
                trace.memory_decisions
                  .filter((row) => row.agent_surface === surface)
                  .map((row) => row.memory_id),
              ).toEqual(context[`${surface}_memory_ids`])
            }
            for (const row of trace.memory_decisions) {
              expect([row.title, row.domain, row.credit]).toEqual([null, null, null])
            }
          }
        }
      },
      30,
    )
  })
})
