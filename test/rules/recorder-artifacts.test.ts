import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { provePasts } from '../harness/prove.ts'
import { fromJournal, guidesOf, replay } from '../harness/recorder.ts'
import type { Answer } from '../harness/reply.ts'
import { enough } from '../harness/scale.ts'
import type { Session } from '../harness/session.ts'

type Guide = Answer<'guide'>
type Feedback = Answer<'feedback'>

/** The artifacts of a guide as clients hand them back, whole or in part. */
function genuine(guide: Guide): readonly object[] {
  const { guide_trace_id, agent_context, memory_use_receipt } = guide
  const exposed = Object.fromEntries(
    SURFACES.map((surface) => [`${surface}_memory_ids`, agent_context[`${surface}_memory_ids`]]),
  )
  const rows = memory_use_receipt.decision_summaries
  return [
    { product_trace: { after_guide: guide } },
    { guide_trace_id, agent_context },
    { agent_context: guide },
    { memory_use_receipt },
    { memory_decision_trace: { guide_trace_id, memory_decisions: rows, memory_use_receipt } },
    {
      operator_snapshot: {
        guide_trace: { guide_trace_id, exposed_memory_ids: agent_context.memory_ids, ...exposed },
        memory_use_receipt,
      },
    },
    { product_trace: { after_guide: { ...guide, memory_use_receipt: null }, before_guide: guide } },
  ]
}

/** Statements that the record of the guide contradicts; null where there is nothing to say otherwise. */
const FORGERIES: readonly ((guide: Guide, session: Session) => object | null)[] = [
  ({ guide_trace_id, agent_context: context }) => {
    const [first] = context.use_now_memory_ids
    if (first === undefined) return null
    const use_now_memory_ids = context.use_now_memory_ids.filter((id) => id !== first)
    return { guide_trace_id, agent_context: { ...context, use_now_memory_ids } }
  },
  ({ guide_trace_id, agent_context: context }) => {
    const do_not_use_memory_ids = [...context.do_not_use_memory_ids, 'forged']
    return { guide_trace_id, agent_context: { ...context, do_not_use_memory_ids } }
  },
  ({ agent_context: context, ...guide }) => {
    const [blocked] = context.do_not_use_memory_ids
    if (blocked === undefined) return null
    const use_now_memory_ids = [...context.use_now_memory_ids, blocked]
    return { product_trace: { after_guide: { ...guide, agent_context: { ...context, use_now_memory_ids } } } }
  },
  ({ guide_trace_id, agent_context: context }) => {
    if (context.memory_ids.length < 2) return null
    return { guide_trace_id, agent_context: { ...context, memory_ids: context.memory_ids.toReversed() } }
  },
  ({ guide_trace_id, agent_context: context }) => ({
    guide_trace_id,
    agent_context: { ...context, prompt_text: `${context.prompt_text} ` },
  }),
  ({ guide_trace_id, agent_context: context }) => ({
    guide_trace_id,
    agent_context: { ...context, target_files: [...context.target_files, 'forged.ts'] },
  }),
  ({ guide_trace_id, agent_context: context }) => ({
    guide_trace_id,
    agent_context: {
      ...context,
      recommended_posture: context.authority === 'none' ? 'use_as_context' : 'ignore_history',
      authority: context.authority === 'none' ? 'trusted' : 'none',
    },
  }),
  ({ memory_use_receipt: receipt }) => ({
    memory_use_receipt: { ...receipt, prompt_char_count: receipt.prompt_char_count + 1 },
  }),
  ({ memory_use_receipt: receipt }) => {
    const [first, ...others] = receipt.decision_summaries
    if (first === undefined) return null
    const decision_summaries = [{ ...first, rule_id: 'S0' }, ...others]
    return { product_trace: { after_guide: { memory_use_receipt: { ...receipt, decision_summaries } } } }
  },
  ({ guide_trace_id, memory_use_receipt: receipt }) => {
    const [first] = receipt.decision_summaries
    if (first === undefined) return null
    const agent_surface = first.agent_surface === 'use_now' ? 'do_not_use' : 'use_now'
    const memory_decisions = [{ ...first, agent_surface }, ...receipt.decision_summaries.slice(1)]
    return { memory_decision_trace: { guide_trace_id, memory_decisions } }
  },
  ({ guide_trace_id, agent_context: context }) => ({
    operator_snapshot: {
      guide_trace: { guide_trace_id, exposed_memory_ids: [...context.memory_ids, 'forged'] },
    },
  }),
  ({ guide_trace_id, memory_use_receipt }, session) => {
    const other = session.guides.find((each) => each.guide_trace_id !== guide_trace_id)
    if (other === undefined) return null
    return { guide_trace_id: other.guide_trace_id, memory_use_receipt }
  },
]

const FALSE_OUTCOMES: readonly ((feedback: Feedback) => object)[] = [
  (feedback) => ({ ...feedback, used_memory_ids: [...feedback.used_memory_ids, 'forged'] }),
  (feedback) => ({ ...feedback, run_id: 'forged' }),
  (feedback) => ({
    ...feedback,
    forget_effect: {
      ...feedback.forget_effect,
      guide_trace: { ...feedback.forget_effect.guide_trace, exposed_memory_ids: ['forged'] },
    },
  }),
]

describe('supplied artifacts', () => {
  test('A32: what a guide answered is never named, and what contradicts its record always is', async () => {
    let forged = 0
    await provePasts(async (session, _embedded, choice) => {
      for (const { answer: guide } of guidesOf(session)) {
        const named = { ...session.place, guide_trace_id: guide.guide_trace_id }
        const traced = await session.embedded.ok('decisionTrace', named)
        const operator_snapshot = await session.embedded.ok('operatorSnapshot', named)
        for (const body of [...genuine(guide), { memory_decision_trace: traced }, { operator_snapshot }]) {
          const report = await replay(session, body)
          expect({ body, said: report.artifact_mismatch }).toEqual({ body, said: [] })
          expect(report).toMatchObject({ record_source: 'runtime', guide_trace_id: guide.guide_trace_id })
        }
        for (const forge of FORGERIES) {
          const body = forge(guide, session)
          if (body === null) continue
          forged += 1
          const report = await replay(session, body)
          expect({ body, isNamed: report.artifact_mismatch.length > 0 }).toEqual({ body, isNamed: true })
          expect(report.claims.find(({ claim }) => claim === 'supplied_artifacts_match_record')?.status).toBe(
            'fail',
          )
          expect(report.agent_view.exposed_memory_ids).toEqual(
            session.guides.find((each) => each.guide_trace_id === report.guide_trace_id)?.agent_context
              .memory_ids,
          )
        }
      }
      const feedback = session.feedbacks[choice % Math.max(1, session.feedbacks.length)]
      if (feedback === undefined) return
      const ask = { guide_trace_id: feedback.guide_trace_id }
      const report = await replay(session, { ...ask, feedback_result: feedback })
      expect(report.artifact_mismatch).toEqual([])
      for (const falsify of FALSE_OUTCOMES) {
        const lied = await replay(session, { ...ask, feedback_result: falsify(feedback) })
        expect(lied.artifact_mismatch).not.toEqual([])
      }
      const others = session.feedbacks.map(({ outcome }) => outcome)
      for (const outcome of (['positive', 'negative', 'neutral'] as const).filter(
        (o) => !others.includes(o),
      )) {
        const lied = await replay(session, {
          ...ask,
          product_trace: { after_guide: {}, forget_result: { ...feedback, outcome } },
        })
        expect(lied.artifact_mismatch).toMatchObject([{ field: 'outcome' }])
      }
    }, 16)
    expect(forged).toBeGreaterThanOrEqual(enough(19))
  })

  test('A39: what the actor does not hold is replayed as supplied, says so, and passes for no record', async () => {
    await provePasts(async (session) => {
      const elsewhere = { ...session.place, scope: 'elsewhere' }
      for (const { answer: guide } of guidesOf(session)) {
        const { agent_context: context } = guide
        const feedback_result = session.feedbacks.find((each) => each.guide_trace_id === guide.guide_trace_id)
        const report = await replay(session, {
          ...elsewhere,
          product_trace: { after_guide: guide, feedback_result },
        })
        expect(report).toMatchObject({
          record_source: 'supplied',
          explanation: 'supplied',
          guide_trace_id: guide.guide_trace_id,
          now: null,
          differences: [],
          agent_view: {
            exposed_memory_ids: context.memory_ids,
            use_now_memory_ids: context.use_now_memory_ids,
            do_not_use_memory_ids: context.do_not_use_memory_ids,
            recommended_posture: context.recommended_posture,
            prompt_char_count: context.prompt_text.length,
          },
        })
        expect(report.blocked_or_suppressed.map((row) => row.memory_id).toSorted()).toEqual(
          context.do_not_use_memory_ids.toSorted(),
        )
        expect(report.attribution.outcome).toBe(feedback_result?.outcome ?? null)
        const passed = report.claims.filter(({ status }) => status === 'pass').map(({ claim }) => claim)
        expect(passed).not.toContain('agent_view_reconstructable')
        expect(passed).not.toContain('supplied_artifacts_match_record')
        expect(passed).not.toContain('feedback_attribution_replayable')
      }
    }, 8)
  })
})

describe('what a replay holds', () => {
  test('A37: no text of a prompt, a query, a memory or a payload', async () => {
    const embedded = await startEmbedded()
    const place = { tenant_id: 'secret', scope: 'one' }
    let marks = 0
    const mark = (): string => `secret${(marks += 1)}mark`
    const memory = fc.record({
      kind: fc.constantFrom('fact', 'rule', 'procedure', 'event'),
      lifecycle: fc.constantFrom('active', 'suppressed', 'contested', 'archived', 'failed'),
      agent: fc.constantFrom(undefined, 'ann', 'ben'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(memory, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 1 }),
        async (memories, outcome) => {
          for (const { kind, lifecycle, agent } of memories) {
            await embedded.ok('observe', {
              ...place,
              input_text: `The login of ${mark()} fails at night.`,
              memory: {
                kind,
                lifecycle,
                summary: `Summary of ${mark()}.`,
                payload: { note: mark() },
                slots: { own: mark() },
                ...(agent === undefined ? {} : { owner_agent_id: agent }),
              },
            })
          }
          const asked = {
            ...place,
            query_text: `Why does the login of ${mark()} fail?`,
            consumer_agent_id: 'ann',
            run_id: `run-${marks}`,
          }
          const guide = await embedded.ok('guide', asked)
          const { guide_trace_id, agent_context: context } = guide
          const isShown = context.memory_ids.length > 0
          await embedded.ok('feedback', {
            ...place,
            reason: 'as it went',
            run_id: asked.run_id,
            // Where nothing was shown there is nothing to credit.
            outcome: !isShown ? 'neutral' : outcome === 0 ? 'negative' : 'positive',
            used_surface: 'explicit_host_assertion',
            guide_trace_id,
            used_memory_ids: context.memory_ids.slice(0, 1),
          })
          for (const body of [
            fromJournal(guide_trace_id),
            { product_trace: { after_guide: guide } },
            { ...place, scope: 'two', agent_context: context },
          ]) {
            const { text, answer } = await embedded.call('flightRecorder', { ...place, ...body })
            expect(text.match(/secret\d+mark/g)).toBeNull()
            const claims = answer?.agent_flight_recorder.claims ?? []
            expect(claims.find(({ claim }) => claim === 'prompt_payload_excluded')?.status).toBe('pass')
          }
        },
      ),
      { numRuns: 15 },
    )
  })
})
