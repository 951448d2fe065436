import { afterEach, describe, expect, test } from 'vitest'
import { LoadLimiter } from '../../src/actor/waiting.ts'
import { edgeOver } from '../harness/edge.ts'
import { closeEmbedded, startEmbedded } from '../harness/embedded.ts'

afterEach(closeEmbedded)

const place = { tenant_id: 'overload', scope: 'one' }

describe('a full mailbox', () => {
  test('refuses what it cannot hold with 503 and retry-after, keeps the rest, and recovers', async () => {
    const real = await startEmbedded({ config: { mailboxDepthMax: 4 } })
    await real.ok('observe', { ...place, input_text: 'The first fact.' })
    const app = edgeOver(real)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        app.inject({
          method: 'POST',
          url: '/v1/observe',
          payload: { ...place, input_text: `Fact ${number}.` },
        }),
      ),
    )
    const kept = replies.filter((reply) => reply.statusCode === 200)
    const refused = replies.filter((reply) => reply.statusCode === 503)
    expect(kept.length + refused.length).toBe(20)
    expect(kept.length).toBeGreaterThanOrEqual(4)
    expect(refused.length).toBeGreaterThan(0)
    for (const reply of refused) {
      expect(reply.headers['retry-after']).toBe('1')
      expect(reply.json()).toMatchObject({ error: 'overloaded', details: { where: 'mailbox' } })
    }
    await real.ok('observe', { ...place, input_text: 'A fact afterwards.' })
    const { agent_context: context } = await real.ok('guide', { ...place, query_text: 'fact', limit: 200 })
    expect(context.memory_ids).toHaveLength(kept.length + 2)
    await app.close()
  })

  test('of one actor does not hold up another', async () => {
    const real = await startEmbedded({ config: { mailboxDepthMax: 1 } })
    const other = { ...place, scope: 'two' }
    await real.ok('observe', { ...other, input_text: 'A fact.' })
    const crowd = Array.from({ length: 10 }, () => real.call('observe', { ...place, input_text: 'A fact.' }))
    await real.ok('guide', { ...other, query_text: 'fact' })
    const refusals = (await Promise.all(crowd)).flatMap((reply) => reply.refusal ?? [])
    expect(refusals.length).toBeGreaterThan(0)
  })
})

describe('loads', () => {
  test('wait up to a bound, beyond it are refused with 503, and recover', async () => {
    const real = await startEmbedded({ config: { concurrentLoadsMax: 1 } })
    const scopes = Array.from({ length: 300 }, (_, number) => ({ ...place, scope: `scope-${number}` }))
    const replies = await Promise.all(
      scopes.map((scope) => real.call('observe', { ...scope, input_text: 'A fact.' })),
    )
    const refusals = replies.flatMap((reply) => reply.refusal ?? [])
    // One loads, 128 wait for its place.
    expect(refusals).toHaveLength(300 - 129)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 503, details: { where: 'loads' } })
    for (const scope of scopes.slice(-5)) await real.ok('observe', { ...scope, input_text: 'A fact.' })
  })

  test('never run more at once than there are places, in the order they came', async () => {
    const gate = new LoadLimiter(3, 100)
    let running = 0
    let most = 0
    const came: number[] = []
    const order: number[] = []
    const load = (number: number) => {
      came.push(number)
      return gate.run(async () => {
        order.push(number)
        running += 1
        most = Math.max(most, running)
        for (let tick = 0; tick < (number * 7) % 5; tick += 1) await Promise.resolve()
        running -= 1
        // One more comes while this one leaves its place to another.
        if (number < 20) later.push(load(number + 40))
      })
    }
    const later: Promise<void>[] = []
    await Promise.all(Array.from({ length: 40 }, (_, number) => load(number)))
    await Promise.all(later)
    expect(most).toBe(3)
    expect(order).toEqual(came)
  })
})
