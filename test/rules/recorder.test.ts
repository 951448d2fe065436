import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { provePasts } from '../harness/prove.ts'
import { fromJournal, guidesOf, type Report, replay } from '../harness/recorder.ts'
import type { Session } from '../harness/session.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('replay of the records', () => {
  test('A30: ids, surfaces and order of every past guide are those of its answer', async () => {
    await provePasts(async (session) => {
      for (const { answer } of guidesOf(session)) {
        const report = await replay(session, fromJournal(answer.guide_trace_id))
        const { agent_context: context } = answer
        expect(report.agent_view).toMatchObject({
          exposed_memory_ids: context.memory_ids,
          use_now_memory_ids: context.use_now_memory_ids,
          inspect_before_use_memory_ids: context.inspect_before_use_memory_ids,
          do_not_use_memory_ids: context.do_not_use_memory_ids,
          rehydrate_memory_ids: context.rehydrate_memory_ids,
          history_used: context.history_used,
          actionable_history_used: context.actionable_history_used,
          recommended_posture: context.recommended_posture,
          authority: context.authority,
          target_files: context.target_files,
          prompt_char_count: context.prompt_text.length,
          prompt_sha256: sha256(context.prompt_text),
        })
        const blocked = report.blocked_or_suppressed.filter((row) => row.omitted === null)
        expect(
          blocked.filter((row) => row.agent_surface === 'do_not_use').map((row) => row.memory_id),
        ).toEqual(context.do_not_use_memory_ids)
        for (const row of blocked) expect(row.reason).not.toBeNull()
        expect(report.omitted.map((row) => row.memory_id)).toEqual(
          answer.memory_use_receipt.omitted.map((row) => row.memory_id),
        )
        // Here reasons are drawn from the same sentences as queries, and so may be one.
        const failed = report.claims.filter(({ status }) => status === 'fail').map(({ claim }) => claim)
        expect(failed.filter((claim) => claim !== 'prompt_payload_excluded')).toEqual([])
      }
    }, 20)
  })

  test('A31: no replay of any kind changes state or sequence', async () => {
    await provePasts(async (session, embedded) => {
      const before = await embedded.digest(session.place)
      for (const { answer, atMs } of guidesOf(session)) {
        const report = await replay(session, fromJournal(answer.guide_trace_id))
        const seq = report.claims.find(({ claim }) => claim === 'runtime_read_only')
        expect(seq?.status).toBe('pass')
        await replay(session, { product_trace: { after_guide: answer } })
        await replay(session, { replay_source: 'journal', decision_time: new Date(atMs).toISOString() })
        await replay(session, { feedback_result: session.feedbacks[0] ?? {} })
      }
      expect(await embedded.digest(session.place)).toBe(before)
    }, 14)
  })

  test('A33: now is what a guide with the same request shows at this moment', async () => {
    const law = async (
      session: Session,
      isAsked: (body: { readonly run_id?: string }) => boolean = () => true,
    ): Promise<void> => {
      for (const { answer, body } of guidesOf(session)) {
        if (!isAsked(body)) continue
        const { now, differences } = await replay(session, fromJournal(answer.guide_trace_id))
        const asked = await session.embedded.ok('guide', { ...session.place, ...body })
        const { agent_context: context } = asked
        expect(now).toMatchObject({
          exposed_memory_ids: context.memory_ids,
          use_now_memory_ids: context.use_now_memory_ids,
          inspect_before_use_memory_ids: context.inspect_before_use_memory_ids,
          do_not_use_memory_ids: context.do_not_use_memory_ids,
          rehydrate_memory_ids: context.rehydrate_memory_ids,
          recommended_posture: context.recommended_posture,
          prompt_sha256: sha256(context.prompt_text),
        })
        const shown = differences.filter((row) => row.now !== null)
        expect(shown.map((row) => row.memory_id).toSorted()).toEqual(context.memory_ids.toSorted())
      }
    }
    await provePasts((session) => law(session), 16)
    // Every ranking goes to the pool.
    await provePasts((session) => law(session), 8, { inlineRankMaxNs: 0 })
    // Memory is withheld from about half of the runs. What belongs to no run is drawn anew each time.
    await provePasts((session) => law(session, ({ run_id }) => run_id !== undefined), 12, {
      holdoutPercent: 50,
    })
  })

  test('A34: the differences lead from the recorded lists to those of now, and each has a cause', async () => {
    await provePasts(async (session) => {
      for (const { answer } of guidesOf(session)) {
        const report = await replay(session, fromJournal(answer.guide_trace_id))
        const { now, agent_view: then, differences } = report
        if (now === null) throw new Error('the ask of a guide is recorded')
        const listed = (side: 'before' | 'now', surface: string | null) =>
          differences
            .flatMap((row) => {
              const place = row[side]
              return place === null || (surface ?? place.agent_surface) !== place.agent_surface
                ? []
                : [{ id: row.memory_id, position: place.position }]
            })
            .toSorted((a, b) => a.position - b.position)
            .map(({ id }) => id)
        for (const [side, view] of [
          ['before', then],
          ['now', now],
        ] as const) {
          expect(listed(side, null)).toEqual(view.exposed_memory_ids)
          expect(listed(side, 'use_now')).toEqual(view.use_now_memory_ids)
          expect(listed(side, 'inspect_before_use')).toEqual(view.inspect_before_use_memory_ids)
          expect(listed(side, 'rehydrate')).toEqual(view.rehydrate_memory_ids)
          expect(listed(side, 'do_not_use')).toEqual(view.do_not_use_memory_ids)
        }
        for (const row of differences) {
          if (row.change === 'same') expect(row.causes).toEqual([])
          else expect({ row, isExplained: row.causes.length > 0 }).toEqual({ row, isExplained: true })
          // A surface moves by an event or by the clock, never by a place in a list.
          const events = row.causes.filter((cause) => cause.at !== undefined || cause.seq !== undefined)
          if (row.change === 'moved') expect(events).not.toEqual([])
        }
      }
    }, 30)
  })

  test('A35: a decision time means the last guide not after it, of the run and consumer that are named', async () => {
    await provePasts(async (session, embedded) => {
      const guides = session.recorded.map(({ id, body, atMs }) => {
        const { run_id = null, consumer_agent_id = 'local-agent', consumer_team_id = null } = Object(body)
        return { id, atMs, runId: run_id, agent: consumer_agent_id, team: consumer_team_id }
      })
      const times = guides.flatMap(({ atMs }) => [atMs - 1, atMs, atMs + 500])
      // Some of the guides go to the ledger.
      if (guides.length % 2 === 0) await embedded.restart()
      for (const timeMs of new Set(times.slice(-9))) {
        for (const guide of new Set([null, ...guides.slice(-2)])) {
          const isOfRun = guide !== null && guide.runId !== null
          const isOfConsumer = guide !== null && guide.agent !== 'local-agent'
          const expected = guides.findLast(
            (each) =>
              each.atMs <= timeMs &&
              (!isOfRun || each.runId === guide.runId) &&
              (!isOfConsumer || (each.agent === guide.agent && each.team === guide.team)),
          )
          const reply = await session.embedded.call('flightRecorder', {
            ...session.place,
            replay_source: 'journal',
            decision_time: new Date(timeMs).toISOString(),
            ...(isOfRun ? { run_id: guide.runId } : {}),
            ...(isOfConsumer ? { consumer_agent_id: guide.agent, consumer_team_id: guide.team } : {}),
          })
          if (expected === undefined) expect(reply.refusal?.error).toBe('guide_trace_not_found')
          else expect(reply.answer?.agent_flight_recorder.guide_trace_id).toBe(expected.id)
        }
      }
    }, 12)
  })

  test('A36: a replay is the same after an eviction and after a restart', async () => {
    await provePasts(
      async (session, embedded) => {
        const all = async () => {
          const reports: Report[] = []
          for (const { answer } of guidesOf(session)) {
            reports.push(await replay(session, fromJournal(answer.guide_trace_id)))
            reports.push(await replay(session, { product_trace: { after_guide: answer } }))
          }
          return reports
        }
        const live = await all()
        // There is room for one actor: the other one drives it out.
        await embedded.digest({ tenant_id: 'contract', scope: 'another' })
        expect(await all()).toEqual(live)
        await embedded.restart()
        expect(await all()).toEqual(live)
      },
      12,
      { residentActorsMax: 1 },
    )
  })

  test('A38: a guide of another consumer is replayed as one that does not exist', async () => {
    await provePasts(async (session) => {
      for (const { answer } of guidesOf(session)) {
        const other = { consumer_agent_id: 'nobody', consumer_team_id: 'none' }
        const unknown = answer.guide_trace_id.replace(/.{4}$/, 'ffff')
        const ask = async (guide_trace_id: string, artifacts: object) => {
          const body = { ...other, ...artifacts, guide_trace_id, decision_time: '2026-01-31T12:00:00Z' }
          const { text } = await session.embedded.call('flightRecorder', { ...session.place, ...body })
          return text.replaceAll(guide_trace_id, 'ID')
        }
        for (const artifacts of [{ replay_source: 'journal' }, { agent_context: answer.agent_context }]) {
          expect(await ask(answer.guide_trace_id, artifacts)).toBe(await ask(unknown, artifacts))
        }
      }
    }, 12)
  })
})
