import { describe, expect, test } from 'vitest'
import { type RecoveryParts, recoverActor } from '../../src/actor/recovery.ts'
import { createPacker } from '../../src/adapters/binary/msgpack.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { MemoryRows } from '../../src/adapters/snapshot/memory-rows.ts'
import { VALUES_MAX } from '../../src/contract/parse.ts'
import { resultOf } from '../../src/core/base/collections.ts'
import { compactRecord, plainRecord, RecentParts } from '../../src/core/model/compact-record.ts'
import type { ActorEvent, Turn } from '../../src/core/model/events.ts'
import type { Json } from '../../src/core/model/record.ts'
import { digestSteps } from '../../src/core/model/state-image.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { sampleRecord } from '../support/guide-samples.ts'
import { prove } from '../support/prove.ts'
import { anyJson } from './codec-events.ts'
import { GRANT, imageOf, memoryLog, openStore } from './snapshot-fixtures.ts'

// A memory may have as many values as a request, each with a name of its own. To read them at once takes 40 ms.

const PARTS = new RecentParts()
const packer = createPacker({ isTabular: true })
const packed = (value: unknown): Buffer => Buffer.from(packer.pack(value))
const named = (values: number) => Array.from({ length: values }, (_, at) => ({ [`name-${at}`]: at }))

/** A memory as it is written. */
function withPayload(payload: Json, slot: number) {
  const record = sampleRecord(`m${slot}`, { text: 'text', payload: { values: payload } }, { slot })
  return plainRecord(compactRecord(record, record.audience, PARTS))
}

function restsOf<Result>(steps: Generator<unknown, Result>): {
  readonly rests: number
  readonly result: Result
} {
  for (let rests = 0; ; rests += 1) {
    const step = steps.next()
    if (step.done === true) return { rests, result: step.value }
  }
}

describe('values that are read in steps', () => {
  test('are those that are read at once', () => {
    let escaped = 0
    prove(anyJson, (value) => {
      const bytes = packed([value])
      if (bytes[0] === 0xc1) escaped += 1
      expect(resultOf(packer.unpackSteps(bytes))).toEqual(packer.unpack(bytes))
    })
    expect(escaped).toBeGreaterThan(5)
    for (const name of ['__proto__', 'constructor', 'toJSON']) {
      const json = `[{"a":{"${name}":1}}]`
      expect(JSON.stringify(resultOf(packer.unpackSteps(packed(JSON.parse(json)))))).toBe(json)
    }
  })

  test('rest after a thousand of them, also where they are stored escaped', () => {
    for (const payload of [named(VALUES_MAX / 2), [...named(VALUES_MAX / 2), { toJSON: 1 }]]) {
      const { rests, result } = restsOf(packer.unpackSteps(packed([{ payload }])))
      expect(rests).toBeGreaterThanOrEqual(VALUES_MAX / 1_000 - 1)
      expect(JSON.stringify(result)).toBe(JSON.stringify([{ payload }]))
    }
  })
})

describe('a turn with thousands of values', () => {
  const codec = createCodec()
  const turnOf = (seq: number): Turn => {
    const event = {
      type: 'operation_recorded',
      operationId: 'op',
      requestHash: 'hash',
      answer: Buffer.of(seq),
    }
    return {
      seq,
      atMs: 1,
      events: [{ ...event, values: [...named(VALUES_MAX / 2), { toJSON: seq }] } as ActorEvent],
    }
  }

  test('says what it says at once, also while another one is read', () => {
    const turns = [turnOf(1), turnOf(2)]
    const readings = turns.map((turn) => codec.decodeTurnSteps(codec.encodeTurn(turn)))
    const found: Turn[] = []
    let rests = 0
    for (; found.length < 2; rests += 1) {
      for (const reading of readings) {
        const step = reading.next()
        if (step.done === true && step.value !== undefined) found.push(step.value)
      }
    }
    expect(found).toEqual(turns)
    expect(rests).toBeGreaterThan(VALUES_MAX / 1_000)
  })

  test('lets others come between while it is replayed', async () => {
    const none = { get: async () => null }
    async function* read() {
      yield { actorKey: 't/s', actorSeq: 1, payload: codec.encodeTurn(turnOf(1)) }
    }
    const parts = {
      journal: { read },
      snapshots: none,
      recallImages: none,
      search: new SearchWorkspace({ stem: (word) => word }),
      workerMemoriesMin: 1,
      codec,
      log: memoryLog(),
    }
    const [{ state }, turns] = await turnsDuring(() =>
      recoverActor(parts as unknown as RecoveryParts, GRANT, 't/s', false),
    )
    expect(state.seq).toBe(1)
    expect(turns).toBeGreaterThan(VALUES_MAX / 1_000)
  })
})

/** What was made, and how many turns of the event loop that took. */
async function turnsDuring<Made>(make: () => Promise<Made>): Promise<readonly [made: Made, turns: number]> {
  let turns = 0
  let next = setImmediate(count)
  function count(): void {
    turns += 1
    next = setImmediate(count)
  }
  const made = await make()
  clearImmediate(next)
  return [made, turns]
}

describe('a memory with thousands of values', () => {
  const ordinary = Array.from({ length: 200 }, (_, slot) => withPayload([slot], slot))
  const large = withPayload(named(VALUES_MAX / 2), 200)
  const rows = [...ordinary, large, withPayload([...named(VALUES_MAX / 2), { toJSON: 1 }], 201)]

  test('is left by the reading of whole chunks to the reading in steps, and ordinary ones are not', () => {
    expect(new MemoryRows().read(packed(ordinary))).toHaveLength(200)
    expect(new MemoryRows().read(packed([large]))).toBeNull()
  })

  test('lets others come between while a snapshot with it is read', async () => {
    const store = await openStore(new MemoryDisk('/data').files)
    const image = { ...imageOf('t/s', 1), sections: [{ name: 'memories', rows }] }
    await store.put(GRANT, 't/s', image)
    const [found, turns] = await turnsDuring(() => store.get('t/s'))
    expect(JSON.stringify(found?.image.sections)).toBe(JSON.stringify(image.sections))
    expect(turns).toBeGreaterThan((2 * VALUES_MAX) / 1_000)
  })

  test('is digested in steps, each of some of its values, and has the digest that it has at once', () => {
    const { seq, tenantId, scope, schema } = imageOf('t/s', 1)
    const image = { schema, tenantId, scope, seq, sections: [{ name: 'memories', rows: rows.slice(200) }] }
    const { rests, result } = restsOf(digestSteps(image, 200))
    expect(rests).toBeGreaterThanOrEqual(4)
    expect(result).toBe(resultOf(digestSteps(image, Number.MAX_SAFE_INTEGER)))
  })
})
