import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edgeOver } from '../harness/edge.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { snapshotBody } from '../harness/requests.ts'
import { history, Session } from '../harness/session.ts'
import { provingAsync } from '../support/prove.ts'

const prove = provingAsync(12)

/** A body as query parameters: text as it is, anything else as JSON. */
function queryOf(body: object): string {
  const sent: object = JSON.parse(JSON.stringify(body))
  return Object.entries(sent)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name}=${encodeURIComponent(text)}`
    })
    .join('&')
}

describe('an actor that is looked at', () => {
  test('A20: snapshots and blast radii change nothing of it, in memory or in the journal', async () => {
    const real = await startEmbedded({ config: { durability: 'none' } })
    let scopes = 0
    await prove(history, snapshotBody, async (steps, body) => {
      const session = new Session(real, 'none', `looked at ${(scopes += 1)}`)
      for (const step of steps) await step.run(session)
      const { place } = session
      const seq = () => real.registry.use(place.tenant_id, place.scope, async (actor) => actor.state.seq)
      const before = [await real.digest(place), await seq()]
      await real.ok('operatorSnapshot', { ...place, ...body })
      for (const memory_id of session.memoryIds) await real.ok('blastRadius', { ...place, memory_id })
      expect([await real.digest(place), await seq()]).toEqual(before)
    })
    await real.close()
  })

  test('A23: a snapshot asked with GET is the one asked with POST, warnings included', async () => {
    const real = await startEmbedded({ config: { durability: 'none' } })
    const edge = edgeOver(real)
    let scopes = 0
    await prove(history, snapshotBody, fc.nat(), async (steps, body, index) => {
      const session = new Session(real, 'none', `asked twice ${(scopes += 1)}`)
      for (const step of steps) await step.run(session)
      const guide = session.guides[index % Math.max(1, session.guides.length)]
      const context = guide?.agent_context
      const asked = {
        ...session.place,
        ...body,
        ...(guide === undefined || index % 2 === 0 ? {} : { guide_trace_id: guide.guide_trace_id }),
        ...(context === undefined || index % 3 === 0
          ? {}
          : { agent_context: { use_now_memory_ids: context.use_now_memory_ids } }),
        unknown_field: 'named',
      }
      const url = '/v1/operator/snapshot'
      const posted = await edge.inject({ method: 'POST', url, payload: asked })
      const got = await edge.inject({ method: 'GET', url: `${url}?${queryOf(asked)}` })
      expect(got.statusCode).toBe(posted.statusCode)
      expect(got.json()).toEqual(posted.json())
      if (posted.statusCode === 200) {
        expect(got.json()).toMatchObject({ warnings: ['field unknown_field is not known and was ignored'] })
      }
    })
    await real.close()
  })
})
