import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionOf } from '../../src/core/guide/decision.ts'
import { redactedTurn } from '../../src/core/model/erasure.ts'
import { withoutErased } from '../../src/core/report/guide-record.ts'
import { traceInputOf } from '../../src/core/report/trace-input.ts'
import { explanation } from '../../src/edges/cli/look-up.ts'
import { paintFor } from '../../src/edges/cli/terminal-text.ts'
import { anyHistory } from '../arbitraries.ts'
import { provePasts } from '../harness/prove.ts'
import { fromJournal, type Report, replay } from '../harness/recorder.ts'
import type { Session } from '../harness/session.ts'
import { eraseOf, memoryOf } from '../support/commands.ts'
import { worldAfter } from '../support/history.ts'
import { answering } from '../support/named-hit.ts'
import { proofsOf } from '../support/prove.ts'
import { sourcesIn, storedIn, toldBy } from '../support/traced-world.ts'

const SECRET = 'quondam'

/** Writes the secret in a memory and a claim, shows it, and lets others speak of it. */
async function tell(session: Session): Promise<readonly string[]> {
  const { embedded, place } = session
  const memory = {
    client_id: 'secret',
    text: `The ${SECRET} door is locked.`,
    title: `${SECRET} title`,
    target_files: [`src/${SECRET}.ts`],
    payload: { [SECRET]: SECRET },
  }
  const claim = { subject_key: SECRET, predicate: SECRET, value: SECRET, slot_key: SECRET }
  const { memory_ids } = await embedded.ok('observe', { ...place, memory, claims: [claim] })
  const query_text = `what of the ${SECRET} door`
  for (const run_id of ['run-secret', 'run-again']) {
    const body = { query_text, run_id }
    const guide = await embedded.ok('guide', { ...place, ...body })
    session.guides.push(guide)
    session.asked.push({ body, atMs: embedded.clock.nowMs() })
    const used = guide.agent_context.memory_ids.filter((id) => memory_ids.includes(id))
    if (used.length > 0) {
      await embedded.ok('feedback', {
        ...place,
        run_id,
        guide_trace_id: guide.guide_trace_id,
        reason: `it said ${SECRET}`,
        outcome: 'negative',
        used_surface: 'use_now',
        used_memory_ids: used,
      })
    }
    const hide = { operation: 'suppress', target: 'memory', reason: `hide ${SECRET}`, memory_ids }
    await embedded.ok('forget', { ...place, ...hide })
  }
  return memory_ids
}

type Snapshot = { readonly agent_view: object; readonly omitted: readonly object[] }

/** What of a report may not change, whatever is erased. */
function lasting({ agent_view: view, omitted }: Snapshot): object {
  const { query_char_count: _chars, target_files: _files, ...rest } = view as Record<string, unknown>
  return { rest, omitted }
}

describe('reports of a guide from before an erasure', () => {
  test('A40: ids, surfaces and order stay, what was erased is named, and no word of it is left', async () => {
    await provePasts(async (session, embedded, choice) => {
      const { place } = session
      const secretIds = await tell(session)
      const guides = session.guides.slice(-6)
      const before: Report[] = []
      for (const { guide_trace_id } of guides) before.push(await replay(session, fromJournal(guide_trace_id)))
      const other = session.memoryIds[choice % Math.max(1, session.memoryIds.length)]
      const memory_ids = [...secretIds, ...(other === undefined ? [] : [other])]
      await embedded.ok('erase', { ...place, reason: 'asked for', actor: 'operator', memory_ids })
      const all = async () => {
        const found: unknown[] = []
        for (const [at, answer] of guides.entries()) {
          const { guide_trace_id } = answer
          const was = before[at]
          if (was === undefined) throw new Error('a report was made of each')
          const report = await replay(session, fromJournal(guide_trace_id))
          expect(lasting(report)).toEqual(lasting(was))
          expect(report.attribution).toEqual(was.attribution)
          const decided = [
            ...report.agent_view.exposed_memory_ids,
            ...report.omitted.map((row) => row.memory_id),
          ]
          const gone = decided.filter((id) => memory_ids.includes(id))
          expect(report.erased_memories.map((row) => row.memory_id)).toEqual(gone)
          if (gone.length > 0) {
            expect(report).toMatchObject({ now: null, now_missing: 'erased' })
            const shown = gone.filter((id) => report.agent_view.exposed_memory_ids.includes(id))
            expect(report.differences.map((row) => row.memory_id)).toEqual(shown)
          } else if (report.now !== null) {
            for (const id of memory_ids) expect(report.now.exposed_memory_ids).not.toContain(id)
          }
          for (const row of report.differences) {
            if (!memory_ids.includes(row.memory_id)) continue
            expect(row).toMatchObject({ change: 'no_longer_shown', causes: [{ kind: 'erased' }] })
          }
          const trace = await embedded.ok('decisionTrace', { ...place, guide_trace_id })
          const { memory_decision_trace: told } = trace
          expect(told.context_decision.memory_ids).toEqual(answer.agent_context.memory_ids)
          expect(told.erased_memories).toEqual(report.erased_memories)
          for (const row of told.memory_decisions) {
            if (gone.includes(row.memory_id)) expect(row).toMatchObject({ lifecycle_state_now: null })
          }
          const audit = await embedded.ok('decisionReport', { ...place, guide_trace_id })
          const ask = { ...place, guide_trace_id, include_markdown: true }
          const snapshot = await embedded.ok('operatorSnapshot', ask)
          expect(snapshot.operator_snapshot.guide_trace).toMatchObject({
            exposed_memory_ids: answer.agent_context.memory_ids,
            erased_memories: report.erased_memories,
          })
          // What was answered then still agrees, and nothing of it is repeated.
          const again = await replay(session, { product_trace: { after_guide: answer } })
          expect(again.artifact_mismatch).toEqual([])
          const text = explanation({ agent_flight_recorder: report }, paintFor(false)).join('\n')
          for (const id of gone) expect(text).toMatch(new RegExp(`${id}.*erased`))
          found.push(report, trace, audit, snapshot, again, text)
        }
        return found
      }
      const told = await all()
      expect(JSON.stringify(told)).not.toContain(SECRET)
      await embedded.restart()
      expect(await all()).toEqual(told)
    }, 8)
  })
})

const prove = proofsOf('recorder erasure')

describe('before history is redacted', () => {
  test('A40: a report that is made between an erasure and its purge says what one made after it says', () => {
    prove(fc.tuple(anyHistory, fc.boolean()), ([history, isSuppressed]) => {
      const world = worldAfter(history)
      const id = world.write(memoryOf({ text: `the ${SECRET} door`, targetFiles: [`${SECRET}.ts`] }))
      if (isSuppressed) {
        world.lifecycle({ operation: 'suppress', memoryIds: [id], reason: `hide ${SECRET}` })
      }
      const hit = answering(id, { score: 9, matchedTerms: 2, isExact: true })
      const { guide_trace_id: guideTraceId } = world.guide({ queryText: `the ${SECRET}` }, [hit])
      const story = storedIn(world, guideTraceId)
      expect(JSON.stringify(story)).toContain(SECRET)
      expect(withoutErased(story, world.state)).toBe(story)
      world.erase(eraseOf([id]))
      const told = withoutErased(story, world.state)
      expect(JSON.stringify(told)).not.toContain(SECRET)
      const trace = toldBy(traceInputOf(world.state, sourcesIn(world, guideTraceId), world.nowMs))
      expect(trace.erased_memories.map((row) => row.memory_id)).toEqual([id])
      expect(JSON.stringify(trace)).not.toContain(SECRET)
      const stored = world.turns.find(({ seq }) => seq === story.exposure.seq)
      if (stored === undefined) throw new Error('every turn is kept')
      const turn = redactedTurn(stored, new Set([id]), world.state.seq)
      const event = turn.events.find(({ type }) => type === 'guide_decided')
      if (event?.type !== 'guide_decided') throw new Error('a guide tells why')
      const { exposure } = story
      const purged = { exposure, decision: decisionOf(event, exposure) }
      expect(withoutErased(purged, world.state)).toEqual(told)
    })
  })
})
