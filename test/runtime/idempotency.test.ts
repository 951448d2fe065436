import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { RequestedName } from '../../src/contract/operations.ts'
import { crashImageOf } from '../harness/data-folder.ts'
import { closeEmbedded, type Embedded, isOnFiles, startEmbedded } from '../harness/embedded.ts'
import { answerOf } from '../harness/reply.ts'
import { guideBody, observeBody } from '../harness/requests.ts'
import { scaled } from '../harness/scale.ts'

const RUNS = scaled(25)
const HOUR_MS = 3_600_000

afterEach(closeEmbedded)

const place = { tenant_id: 'idempotency', scope: 'one' }
const ann = { ...place, consumer_agent_id: 'ann' }

/** One valid request of every writing operation, with what it needs in place. */
async function requests(real: Embedded): Promise<readonly (readonly [RequestedName, object])[]> {
  const written = await real.ok('observe', { ...ann, input_text: 'The login test needs a cookie.' })
  const guide = await real.ok('guide', { ...ann, query_text: 'login test', run_id: 'run-1' })
  const memory_ids = written.memory_ids
  const outcome = { reason: 'so', run_id: 'run-1', outcome: 'negative', used_surface: 'use_now' }
  return [
    ['observe', { ...ann, memory: { text: 'Releases go out on Tuesday.', client_id: 'c1' } }],
    ['guide', { ...ann, query_text: 'login test', include_packets: true }],
    ['guide', { ...ann, query_text: `login test ${'and so on '.repeat(20_000)}`, include_packets: true }],
    ['feedback', { ...ann, ...outcome, guide_trace_id: guide.guide_trace_id, used_memory_ids: memory_ids }],
    ['forget', { ...ann, operation: 'suppress', target: 'memory', reason: 'so', memory_ids }],
    ['rehydrate', { ...ann, reason: 'so', memory_ids, mode: 'full' }],
  ]
}

/** Packets are left out of a repeated answer. */
function withoutPackets(text: string): object {
  const { memory_packet: _memory, guide_packet: _guide, ...rest } = JSON.parse(text)
  return rest
}

describe('D1: the same operation id and body', () => {
  test.skipIf(!isOnFiles)(
    'give the stored answer and write nothing twice, also after a crash and after a clean restart',
    async () => {
      const real = await startEmbedded()
      for (const [index, [operation, body]] of (await requests(real)).entries()) {
        const key = `operation-${index}`
        const request = { ...body, operation_id: key }
        const first = await real.call(operation, request)
        answerOf(first)
        const digest = await real.digest(place)
        const again = await real.call(operation, request)
        expect(withoutPackets(again.text)).toEqual(withoutPackets(first.text))
        expect(await real.digest(place)).toBe(digest)

        const revived = await startEmbedded({ dir: crashImageOf(real.dir), clock: real.clock })
        expect(withoutPackets((await revived.call(operation, request)).text)).toEqual(
          withoutPackets(first.text),
        )
        expect(await revived.digest(place)).toBe(digest)
        await revived.close()

        await real.restart()
        expect(withoutPackets((await real.call(operation, request)).text)).toEqual(withoutPackets(first.text))
        expect(await real.digest(place)).toBe(digest)
      }
    },
  )

  test('as properties of observe and guide', async () => {
    const real = await startEmbedded({ config: { durability: 'interval' } })
    let runs = 0
    const property = fc.asyncProperty(observeBody, guideBody, async (observe, guide) => {
      const scope = `scope-${(runs += 1)}`
      for (const [operation, body] of [
        ['observe', observe],
        ['guide', guide],
      ] as const) {
        const request = { ...body, ...place, scope, operation_id: operation }
        const first = await real.call(operation, request)
        const digest = await real.digest({ ...place, scope })
        const again = await real.call(operation, request)
        expect(withoutPackets(again.text)).toEqual(withoutPackets(first.text))
        expect(await real.digest({ ...place, scope })).toBe(digest)
      }
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  test('in header and body are one thing, and the order of fields is none', async () => {
    const real = await startEmbedded()
    const first = await real.call('observe', { ...ann, input_text: 'One fact.', run_id: 'r' }, 'key-1')
    const digest = await real.digest(place)
    const inBody = { operation_id: 'key-1', run_id: 'r', input_text: 'One fact.', ...ann }
    expect((await real.call('observe', inBody)).text).toBe(first.text)
    expect((await real.call('observe', inBody, 'another key in the header')).text).toBe(first.text)
    expect(await real.digest(place)).toBe(digest)
  })

  test('sent many times at once are executed once', async () => {
    const real = await startEmbedded()
    const request = { ...ann, input_text: 'One fact.', operation_id: 'at once' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => real.call('observe', request)))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    const guide = await real.ok('guide', { ...ann, query_text: 'fact' })
    expect(guide.agent_context.memory_ids).toHaveLength(1)
  })

  test('of a request that was refused are free to be used again', async () => {
    const real = await startEmbedded()
    await real.refused('observe', { ...ann, input_text: ' ', operation_id: 'key' })
    const answer = await real.ok('observe', { ...ann, input_text: 'One fact.', operation_id: 'key' })
    expect(answer.memory_ids).toHaveLength(1)
  })

  test('are remembered for 24 hours, then known as expired and never executed again', async () => {
    const real = await startEmbedded()
    const request = { ...ann, input_text: 'One fact.', operation_id: 'old key' }
    const first = await real.call('observe', request)
    real.clock.advance(24 * HOUR_MS - 1)
    expect((await real.call('observe', request)).text).toBe(first.text)
    real.clock.advance(1)
    const digest = await real.digest(place)
    for (const restart of [false, true]) {
      if (restart) await real.restart()
      const refusal = await real.refused('observe', request)
      expect(refusal).toMatchObject({ status: 409, error: 'operation_conflict', details: { expired: true } })
      expect(await real.digest(place)).toBe(digest)
    }
    // Another body is told the same before and after a later operation drops the answer; the id stays known.
    const other = { ...request, input_text: 'Another one.' }
    expect((await real.refused('observe', other)).details).toMatchObject({ expired: true })
    await real.ok('observe', { ...ann, input_text: 'Another.', operation_id: 'new key' })
    for (const each of [request, other]) {
      expect((await real.refused('observe', each)).details).toMatchObject({ expired: true })
    }
  })
})

describe('D1: a known operation id with another request is refused with 409', () => {
  test('whatever differs: a field, a nested field, the operation', async () => {
    const real = await startEmbedded()
    const memory = { text: 'One fact.', payload: { operation_id: 'inner', list: [1, 2] } }
    await real.ok('observe', { ...ann, memory, operation_id: 'key' })
    const digest = await real.digest(place)
    const others = [
      { memory: { ...memory, text: 'Another fact.' } },
      { memory: { ...memory, payload: { operation_id: 'inner', list: [2, 1] } } },
      { memory: { ...memory, payload: { operation_id: 'changed', list: [1, 2] } } },
      { memory, run_id: 'r' },
    ]
    for (const other of others) {
      const refusal = await real.refused('observe', { ...ann, ...other, operation_id: 'key' })
      expect(refusal).toMatchObject({ status: 409, error: 'operation_conflict' })
      expect(refusal.details).toEqual({ operation_id: 'key' })
    }
    const guide = { ...ann, query_text: 'One fact.', operation_id: 'key' }
    expect((await real.refused('guide', guide)).error).toBe('operation_conflict')
    expect(await real.digest(place)).toBe(digest)
  })

  test('an id of one scope says nothing in another', async () => {
    const real = await startEmbedded()
    await real.ok('observe', { ...ann, input_text: 'One fact.', operation_id: 'key' })
    const other = { ...ann, scope: 'two', input_text: 'Another fact.', operation_id: 'key' }
    expect((await real.ok('observe', other)).memory_ids).toHaveLength(1)
  })
})
