import fc from 'fast-check'
import { pack } from 'msgpackr'
import { describe, expect, test } from 'vitest'
import { createCodec, TurnFormatError, UPCASTERS } from '../../src/adapters/codec/codec.ts'
import { InvariantError } from '../../src/core/base/assert.ts'
import { resultOf } from '../../src/core/base/collections.ts'
import { type ActorEvent, EVENT_TYPES, type Turn } from '../../src/core/model/events.ts'
import { scaled } from '../harness/scale.ts'
import { proving } from '../support/prove.ts'
import { anyTurn, eventsByType } from './codec-events.ts'

const numRuns = scaled(300)
const prove = proving(300)
const codec = createCodec()
const hash = 'a'.repeat(64)

function turnOf(...events: ActorEvent[]): Turn {
  return { seq: 7, atMs: 1_790_000_000_000, events }
}

function operation(answer: Uint8Array | null): ActorEvent {
  return { type: 'operation_recorded', operationId: 'op', requestHash: hash, answer }
}

describe('a turn', () => {
  test.each(Object.entries(eventsByType))('of %s events comes back as it was', (_type, anyOfType) => {
    const events = fc.array<ActorEvent>(anyOfType, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(events, (list) => {
        expect(codec.decodeTurn(codec.encodeTurn(turnOf(...list)))).toEqual(turnOf(...list))
      }),
      { numRuns: Math.ceil(numRuns / 5) },
    )
  })

  test('of mixed events comes back as it was, and encodes to the same bytes again', () => {
    prove(anyTurn, (turn) => {
      const bytes = codec.encodeTurn(turn)
      const back = codec.decodeTurn(bytes)
      expect(back).toEqual(turn)
      expect(resultOf(codec.decodeTurnSteps(bytes))).toEqual(turn)
      expect(Buffer.compare(codec.encodeTurn(back), bytes)).toBe(0)
    })
  })

  test('without events comes back as it was', () => {
    expect(codec.decodeTurn(codec.encodeTurn(turnOf()))).toEqual(turnOf())
  })

  test('keeps the keys that mean something to objects, with any value', () => {
    const traps = [
      '{"__proto__":{"polluted":true}}',
      '{"toJSON":3,"constructor":1}',
      '{"constructor":{"prototype":null}}',
      '{"a":{"__keys__":["x"]},"b":{"__keys__":1}}',
      '{"hasOwnProperty":null,"valueOf":[],"length":9}',
      '{"lone":"\\ud800","\\udc00":"key"}',
    ]
    for (const trap of traps) {
      const event = { ...operation(null), trap: JSON.parse(trap) }
      const bytes = codec.encodeTurn(turnOf(event))
      for (const turn of [codec.decodeTurn(bytes), resultOf(codec.decodeTurnSteps(bytes))])
        expect(JSON.stringify(turn.events[0])).toBe(JSON.stringify(event))
    }
    expect('polluted' in {}).toBe(false)
  })

  test('keeps bytes as bytes that share no memory with the payload', () => {
    const payload = codec.encodeTurn(turnOf(operation(Uint8Array.of(1, 2, 3))))
    const [event] = codec.decodeTurn(payload).events
    payload.fill(0)
    expect(event?.type === 'operation_recorded' && event.answer).toBeInstanceOf(Uint8Array)
    expect(event?.type === 'operation_recorded' && [...(event.answer ?? [])]).toEqual([1, 2, 3])
  })

  test('takes objects of more than 65 535 keys', () => {
    const many = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`k${index}`, index]))
    const event = { ...operation(null), many }
    expect(codec.decodeTurn(codec.encodeTurn(turnOf(event))).events).toEqual([event])
  })

  test.each([
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a bigint', 1n],
    ['a function', () => 1],
  ])('refuses %s before a byte is written', (_name, value) => {
    const event = { ...operation(null), deep: [{ value }] }
    expect(() => codec.encodeTurn(turnOf(event))).toThrow(InvariantError)
  })
})

describe('bytes that are not a turn', () => {
  test('are refused when they end too early', () => {
    prove(anyTurn, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (turn, part) => {
      const bytes = codec.encodeTurn(turn)
      const cut = bytes.subarray(0, Math.floor(bytes.length * part))
      expect(() => codec.decodeTurn(cut)).toThrow(TurnFormatError)
    })
  })

  test('never throw anything but a TurnFormatError', () => {
    proving(1_500)(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        codec.decodeTurn(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(TurnFormatError)
      }
    })
  })

  test.each([
    ['another shape', { seq: 1 }],
    ['no time', [1, null, []]],
    ['events that are no list', [1, 2, {}]],
    ['an event without a body', [1, 2, [[1, 1]]]],
    ['an event whose body is a list', [1, 2, [[1, 1, []]]]],
    ['a version below 1', [1, 2, [[1, 0, {}]]]],
    ['a version between two', [1, 2, [[1, 0.5, {}]]]],
  ])('are refused: %s', (_name, value) => {
    expect(() => codec.decodeTurn(pack(value))).toThrow(TurnFormatError)
  })

  test('an unknown event code is named', () => {
    expect(() => codec.decodeTurn(pack([1, 2, [[999, 1, {}]]]))).toThrow(/event code 999 is unknown/)
  })

  test('a version newer than this program is named, with the type of event', () => {
    const { code, version } = EVENT_TYPES.exposed
    const newer = pack([1, 2, [[code, version + 1, {}]]])
    expect(() => codec.decodeTurn(newer)).toThrow(`exposed has version ${version + 1}`)
  })
})

describe('upcasters', () => {
  const eventTypes = {
    ...EVENT_TYPES,
    exposed: { code: 9, version: 3 },
    guide_decided: { code: 14, version: 1 },
  }
  const first = { code: 9, fromVersion: 1, upcast: (body: object) => ({ ...body, trail: ['1 to 2'] }) }
  const second = {
    code: 9,
    fromVersion: 2,
    upcast: (body: Readonly<Record<string, unknown>>) => ({
      ...body,
      trail: [...(Array.isArray(body['trail']) ? body['trail'] : ['was 2']), '2 to 3'],
    }),
  }
  const others = UPCASTERS.filter(({ code }) => code !== 9)
  const newer = createCodec({ eventTypes, upcasters: [second, first, ...others] })
  const exposed = (version: number) => pack([1, 2, [[9, version, { runId: 'r' }]]])

  test('bring every older version to the newest, one step after the other', () => {
    expect(newer.decodeTurn(exposed(1)).events).toEqual([
      { type: 'exposed', runId: 'r', trail: ['1 to 2', '2 to 3'] },
    ])
    expect(newer.decodeTurn(exposed(2)).events).toEqual([
      { type: 'exposed', runId: 'r', trail: ['was 2', '2 to 3'] },
    ])
  })

  test('leave the newest version and other events alone', () => {
    expect(newer.decodeTurn(exposed(3)).events).toEqual([{ type: 'exposed', runId: 'r' }])
    const turn = turnOf(operation(null))
    expect(newer.decodeTurn(codec.encodeTurn(turn))).toEqual(turn)
  })

  test('what is written carries the newest version and needs no step', () => {
    const [event] = newer.decodeTurn(exposed(1)).events
    expect(event).toBeDefined()
    const again = newer.decodeTurn(newer.encodeTurn(turnOf(...(event === undefined ? [] : [event]))))
    expect(again.events).toEqual([event])
  })

  test('a version that no step leads to is refused at once', () => {
    expect(() => createCodec({ eventTypes, upcasters: [first, ...others] })).toThrow(InvariantError)
    expect(() => createCodec({ eventTypes, upcasters: [second, ...others] })).toThrow(InvariantError)
    expect(() => createCodec({ upcasters: [...UPCASTERS, first] })).toThrow(InvariantError)
    expect(() => createCodec({ upcasters: [] })).toThrow(InvariantError)
  })
})

function compressedSteps(pieces: readonly string[], bytesMax: number): Uint8Array | null {
  const steps = codec.compressSteps(pieces, bytesMax)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

describe('digest and compression', () => {
  test('sha256 is the hexadecimal SHA-256 of the UTF-8 text', () => {
    expect(codec.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(codec.sha256('ä')).toBe('33e6d73fee82904c8d7afb78de1154d1e8dc2a0edb08120e63df5b9385c2d9cc')
  })

  test('compressed text comes back as it was, and repetition shrinks', () => {
    prove(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
      expect(codec.decompress(codec.compress(text))).toBe(text)
    })
    const repetitive = codec.compress('memory '.repeat(1000))
    expect(repetitive.length).toBeLessThan(200)
    expect(repetitive.buffer.byteLength).toBe(repetitive.length)
    expect(compressedSteps(['memory'], Infinity)?.buffer.byteLength).toBeLessThan(200)
  })

  test('a text in pieces has the digest of the whole, and comes back whole when it was compressed piece by piece', () => {
    prove(fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      const digest = codec.digest()
      for (const piece of pieces) digest.add(piece)
      expect(digest.hex()).toBe(codec.sha256(text))
      const compressed = compressedSteps(pieces, Infinity)
      expect(codec.decompress(compressed ?? new Uint8Array(0))).toBe(text)
    })
  })

  test('one piece is compressed as a text is, and nothing comes of pieces that take too many bytes', () => {
    expect(compressedSteps(['one memory'], 100)).toEqual(codec.compress('one memory'))
    const noise = Array.from({ length: 8 }, (_, at) => codec.sha256(String(at)))
    const whole = compressedSteps(noise, Infinity) ?? new Uint8Array(0)
    expect(compressedSteps(noise, whole.length)).toEqual(whole)
    expect(compressedSteps(noise, whole.length - 1)).toBeNull()
  })
})

test('a mark from before runs counted once counts as it did, and is no evidence', () => {
  const counts = (attributed: boolean, outcome: string, strong: boolean, direct: boolean) => {
    const body = { memoryId: 'm', attributed, mark: { runId: 'r', outcome, strong, direct } }
    const [event] = codec.decodeTurn(pack([1, 2, [[10, 1, body]]])).events
    expect(event).toMatchObject({ type: 'feedback_recorded', ...body, evidence: null })
    return event?.type === 'feedback_recorded' ? event.counts : null
  }
  expect(counts(true, 'negative', true, false)).toEqual({ negativeStrong: 1 })
  expect(counts(true, 'negative', false, false)).toEqual({ negativeWeak: 1 })
  expect(counts(true, 'positive', false, true)).toEqual({ positive: 1 })
  expect(counts(true, 'positive', false, false)).toEqual({ observedPositive: 1 })
  expect(counts(true, 'neutral', false, false)).toEqual({ neutral: 1 })
  expect(counts(false, 'positive', false, false)).toEqual({})
})

test('an exposure from before hold-outs withheld nothing', () => {
  const body = {
    guideTraceId: 'guide_trace:g',
    memoryIds: ['m'],
    surfaces: ['use_now'],
    consumerAgentId: 'a',
    consumerTeamId: null,
    runId: null,
    taskSignature: null,
  }
  const { events } = createCodec().decodeTurn(pack([1, 2, [[EVENT_TYPES.exposed.code, 1, body]]]))
  expect(events).toEqual([{ type: 'exposed', ...body, heldOut: false }])
})
