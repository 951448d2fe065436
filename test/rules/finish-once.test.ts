import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'
import { answerOf, refusalOf } from '../harness/reply.ts'
import { provingAsync } from '../support/prove.ts'

afterEach(closeEmbedded)

const anyFinish = fc.record({
  /** Named by the request; null: the run of the guide. */
  run: fc.constantFrom(null, 'run-a', 'run-b'),
  body: fc.constantFrom({ outcome: 'succeeded' }, { outcome: 'failed', title: 'Not that way' }),
  key: fc.constantFrom(undefined, undefined, 'op-1', 'op-2'),
  next: fc.constantFrom('nothing', 'nothing', 'wait', 'restart'),
})

test('D4: a guide and a run are finished once, with an operation id and without, also after a restart', async () => {
  const real = await startEmbedded({})
  let scopes = 0
  await provingAsync(12)(
    fc.constantFrom(undefined, 'run-a'),
    fc.array(anyFinish, { minLength: 2, maxLength: 6 }),
    async (run_id, finishes) => {
      const place = { tenant_id: 'once', scope: `scope ${(scopes += 1)}` }
      await real.ok('observe', { ...place, input_text: 'The suite needs a database.' })
      const asked = { ...place, query_text: 'run the suite', run_id, handles: true }
      const { guide_trace_id } = await real.ok('guide', asked)
      const byRun = new Map<string, { readonly sent: string; readonly answer: object }>()
      for (const { run, body, key, next } of finishes) {
        const named = run === null ? {} : { run_id: run }
        const request = { ...place, guide_trace_id, used_memory_ids: ['m1'], ...named, ...body }
        const before = await real.digest(place)
        const sent = JSON.stringify(request)
        const known = byRun.get(run ?? run_id ?? '')
        // Each operation id stands for one body.
        const reply = await real.call('finish', request, key === undefined ? key : `${key} ${scopes} ${sent}`)
        if (known === undefined) byRun.set(run ?? run_id ?? '', { sent, answer: answerOf(reply) })
        else if (known.sent === sent) {
          expect(answerOf(reply)).toEqual(known.answer)
          if (key === undefined) expect(await real.digest(place)).toBe(before)
        } else {
          expect(refusalOf(reply)).toMatchObject({ status: 409, error: 'operation_conflict' })
          expect(refusalOf(reply).details).toMatchObject({ guide_trace_id })
          expect(await real.digest(place)).toBe(before)
        }
        if (next === 'wait') real.clock.advance(60_000)
        if (next === 'restart') await real.restart()
      }
      const runs = await real.ok('guide', { ...asked, run_id: 'looking', limit: 50 })
      const { decision_summaries } = runs.memory_use_receipt
      expect(decision_summaries.length).toBeGreaterThan(0)
    },
  )
})

test('D4: a finish whose answer is kept no longer is known, and not carried out again', async () => {
  const real = await startEmbedded({})
  const place = { tenant_id: 'once', scope: 'later' }
  const { guide_trace_id } = await real.ok('guide', { ...place, query_text: 'run the suite' })
  const body = { ...place, guide_trace_id, outcome: 'succeeded', summary: 'The suite is green.' }
  await real.ok('finish', body)
  real.clock.advance(25 * 60 * 60 * 1000)
  const before = await real.digest(place)
  expect(await real.refused('finish', body)).toMatchObject({
    error: 'operation_conflict',
    details: { guide_trace_id, expired: true },
  })
  expect(await real.digest(place)).toBe(before)
})
