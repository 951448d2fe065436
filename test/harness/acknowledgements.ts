import assert from 'node:assert/strict'
import type { OperationName } from '../../src/contract/operations.ts'
import type { Place } from './embedded.ts'
import type { Client } from './http-client.ts'
import { type Answer, answerOf, type Reply } from './reply.ts'

/** A request with its operation id, and the answer when one came. */
export interface Sent<Name extends OperationName = OperationName> {
  readonly operation: Name
  readonly body: Place & { readonly operation_id: string }
  readonly reply: Reply<Name> | null
}

interface Pair {
  readonly place: Place
  /** Two memories of one request: both or none. */
  readonly clientIds: readonly [string, string]
  readonly texts: readonly [string, string]
  readonly ids: readonly string[] | null
}

/** What one writer of the parent process knows: everything it sent, and what was acknowledged. */
export class Acknowledgements {
  readonly pairs: Pair[] = []
  readonly guides: { readonly place: Place; readonly trace: string; readonly ids: readonly string[] }[] = []
  /** Each of a run of its own, so that each counts. */
  readonly feedbacks: { readonly place: Place; readonly id: string }[] = []
  readonly suppressed: { readonly place: Place; readonly id: string }[] = []
  readonly erased: { readonly place: Place; readonly id: string; readonly text: string }[] = []
  readonly sent: Sent[] = []
}

const REFERENCES_MAX = 200

/** Every acknowledged observe is found with its text; an unacknowledged one is there whole or not at all. */
export async function expectPairs(client: Client, pairs: readonly Pair[]): Promise<void> {
  for (const [place, ofPlace] of byPlace(pairs)) {
    for (const some of chunks(ofPlace, REFERENCES_MAX / 2)) {
      const client_ids = some.flatMap((pair) => pair.clientIds)
      const body = { ...place, reason: 'after the crash', client_ids, include_linked_decisions: false }
      const reply = await client.call('rehydrate', body)
      const found = new Map(
        reply.answer?.result.memories.map((memory) => [memory.client_id, memory] as const) ?? [],
      )
      for (const { clientIds, texts, ids } of some) {
        const memories = clientIds.flatMap((clientId) => found.get(clientId) ?? [])
        const isWhole = memories.length === 2 || (ids === null && memories.length === 0)
        assert.ok(isWhole, `${memories.length} of 2 memories of ${clientIds[0]} are there`)
        if (memories.length === 0) continue
        assert.deepEqual(
          memories.map((memory) => memory.text),
          texts,
        )
        if (ids !== null)
          assert.deepEqual(
            memories.map((memory) => memory.memory_id),
            ids,
          )
      }
    }
  }
}

/** Every acknowledged feedback, suppression and erasure is in force. */
export async function expectEffects(client: Client, known: Acknowledgements): Promise<void> {
  for (const [place, feedbacks] of byPlace(known.feedbacks)) {
    const ids = feedbacks.map(({ id }) => id)
    const memories = await rehydrated(client, place, [...new Set(ids)])
    for (const id of ids) {
      const acknowledged = ids.filter((each) => each === id).length
      const counted = memories.get(id)?.counters?.neutral ?? 0
      assert.ok(counted >= acknowledged, `${counted} of ${acknowledged} feedbacks on ${id} are there`)
    }
  }
  for (const [place, suppressed] of byPlace(known.suppressed)) {
    const ids = [...new Set(suppressed.map(({ id }) => id))]
    const memories = await rehydrated(client, place, ids)
    for (const id of ids) assert.equal(memories.get(id)?.lifecycle.lifecycle_state, 'suppressed')
  }
  await inParallel(known.erased, async ({ place, id }) => {
    const uri = `svc://${place.tenant_id}/${place.scope}/memory/${id}`
    const { refusal } = await client.call('resolve', { ...place, uri })
    assert.equal(refusal?.details['erased'], true, `${id} was erased`)
  })
}

async function rehydrated(client: Client, place: Place, ids: readonly string[]) {
  const memories = new Map<string, Answer<'rehydrate'>['result']['memories'][number]>()
  for (const memory_ids of chunks(ids, REFERENCES_MAX)) {
    const body = { ...place, reason: 'after the crash', memory_ids, mode: 'full' }
    const { result } = answerOf(await client.call('rehydrate', body))
    for (const memory of result.memories) memories.set(memory.memory_id, memory)
  }
  return memories
}

/** Every acknowledged guide accepts feedback about everything it showed. */
export async function expectGuides(client: Client, known: Acknowledgements): Promise<void> {
  await inParallel(known.guides, async ({ place, trace, ids }) => {
    const outcome = {
      outcome: 'neutral',
      used_surface: 'use_now',
      reason: 'after the crash',
      run_id: 'after',
    }
    const body = { ...place, ...outcome, guide_trace_id: trace, used_memory_ids: ids }
    assert.deepEqual(answerOf(await client.call('feedback', body)).used_memory_ids, ids)
  })
}

/** Every operation id repeats its answer; one without an answer is executed once, now or before. */
export async function expectRepeats(client: Client, sent: readonly Sent[]): Promise<void> {
  await inParallel(sent, async ({ operation, body, reply }) => {
    const again = await client.call(operation, body)
    if (reply !== null) assert.equal(again.text, reply.text)
    else assert.equal((await client.call(operation, body)).text, again.text)
  })
}

function byPlace<T extends { readonly place: Place }>(items: readonly T[]): Map<Place, T[]> {
  const groups = new Map<Place, T[]>()
  for (const item of items) groups.set(item.place, [...(groups.get(item.place) ?? []), item])
  return groups
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const cut: T[][] = []
  for (let at = 0; at < items.length; at += size) cut.push(items.slice(at, at + size))
  return cut
}

async function inParallel<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await task(item)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}
