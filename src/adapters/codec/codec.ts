import { createHash, createHmac, hash } from 'node:crypto'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { assert } from '../../core/base/assert.ts'
import { DomainError } from '../../core/base/errors.ts'
import { type ActorEvent, EVENT_TYPES, type StoredKind, type Turn } from '../../core/model/events.ts'
import type { CounterChange } from '../../core/model/record.ts'
import type { Codec } from '../../ports/codec.ts'
import { createPacker, isDictionary } from '../binary/msgpack.ts'

/** The bytes are not a turn, or only a newer version can read them. */
export class TurnFormatError extends Error {
  override readonly name = 'TurnFormatError'
}

export type EventTypes = Readonly<Record<string, StoredKind>>

export interface CodecTables {
  readonly eventTypes?: EventTypes
  readonly upcasters?: readonly Upcaster[]
  /** The step of a shared store that all its nodes know; every step unless given. */
  readonly readByAll?: () => number
}

// One turn, as msgpack that needs no table of keys to be read:
//
//   [ seq, atMs, [ [code, version, body], … ] ]              asked for without a key
//   [ seq, atMs, [ [code, version, body], … ], principal ]   by the key of this id
//
// body = the event without its type; code and version stand for it, see EVENT_TYPES.
// Invariant: an event is read with its type's version of today; older ones are upcast, newer ones refused.
const TURN_FIELDS = 3
const EVENT_FIELDS = 3

const UPGRADE_UNFINISHED =
  'Nodes of an older version could not read this: repeat it when they are replaced and memgov store setup has finished the upgrade.'

const COMPRESSION_LEVEL = 1
const KEYED_DIGITS = 32

/**
 * Holds its tables and no state: make one for each thread. Throws an InvariantError when a version in `eventTypes`
 * cannot be reached from the one before it.
 */
export function createCodec(tables: CodecTables = {}): Codec {
  const eventTypes: EventTypes = tables.eventTypes ?? EVENT_TYPES
  const readers = eventReaders(eventTypes, tables.upcasters ?? UPCASTERS)
  const readByAll = tables.readByAll ?? (() => Number.POSITIVE_INFINITY)
  const packer = createPacker({ isTabular: false })

  function turnOf(stored: unknown): Turn {
    const fields = Array.isArray(stored) && stored.length > TURN_FIELDS ? TURN_FIELDS + 1 : TURN_FIELDS
    const [seq, atMs, events, principal] = tuple(stored, fields, 'a turn')
    if (typeof seq !== 'number' || typeof atMs !== 'number' || !Array.isArray(events)) {
      throw new TurnFormatError('a turn starts with its sequence and time, then its events')
    }
    const turn = { seq, atMs, events: events.map((event) => decodedEvent(readers, event)) }
    if (principal === undefined) return turn
    if (typeof principal !== 'string') throw new TurnFormatError('a principal is the id of a key')
    return { ...turn, principal }
  }
  function* unpackedSteps(payload: Uint8Array): Generator<void, unknown> {
    try {
      return yield* packer.unpackSteps(Buffer.from(payload.buffer, payload.byteOffset, payload.length))
    } catch (cause) {
      throw notMsgpack(cause)
    }
  }
  function unpacked(payload: Uint8Array): unknown {
    try {
      return packer.unpack(payload)
    } catch (cause) {
      throw notMsgpack(cause)
    }
  }
  return {
    encodeTurn: ({ seq, atMs, events, principal }) => {
      const encoded = events.map((event) => encodedEvent(eventTypes, readByAll, event))
      return packer.pack(principal === undefined ? [seq, atMs, encoded] : [seq, atMs, encoded, principal])
    },
    decodeTurn: (payload) => turnOf(unpacked(payload)),
    *decodeTurnSteps(payload) {
      return turnOf(yield* unpackedSteps(payload))
    },
    sha256: (text) => hash('sha256', text, 'hex'),
    digest() {
      const digest = createHash('sha256')
      return { add: (piece) => digest.update(piece), hex: () => digest.digest('hex') }
    },
    keyedHash: (key, text) => createHmac('sha256', key).update(text).digest('hex').slice(0, KEYED_DIGITS),
    compress: (text) => inOwnMemory([compressed(text)]),
    compressSteps,
    decompress: (bytes) => inflateRawSync(bytes).toString('utf8'),
  }
}

function notMsgpack(cause: unknown): TurnFormatError {
  return new TurnFormatError('the bytes are not msgpack', { cause })
}

/** Each piece is a stream of its own that ends at a byte without being the last one: together they are one stream. */
function* compressSteps(pieces: Iterable<string>, bytesMax: number): Generator<void, Uint8Array | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  const add = (piece: string, finishFlush: number): boolean => {
    const part = compressed(piece, finishFlush)
    parts.push(part)
    bytes += part.length
    return bytes <= bytesMax
  }
  let last = ''
  for (const piece of pieces) {
    if (last !== '') {
      if (!add(last, constants.Z_SYNC_FLUSH)) return null
      yield
    }
    last = piece
  }
  return add(last, constants.Z_FINISH) ? inOwnMemory(parts) : null
}

function compressed(text: string, finishFlush: number = constants.Z_FINISH): Uint8Array {
  return deflateRawSync(ownBytesOf(text), { level: COMPRESSION_LEVEL, finishFlush })
}

/** What zlib answers lies in a piece of 16 KiB, which is kept as long as the few bytes of it are. */
function inOwnMemory(parts: readonly Uint8Array[]): Uint8Array {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((bytes, part) => bytes + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** In memory of its own: what zlib makes of a text lies in a pool that others keep alive, also when the text is erased. */
function ownBytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Brings a stored body of any version that was ever written to today's event. */
interface EventReader {
  readonly type: string
  readonly version: number
  /** The step at index i leads from version i + 1 to i + 2. */
  readonly steps: readonly Upcaster[]
}

function eventReaders(
  eventTypes: EventTypes,
  upcasters: readonly Upcaster[],
): ReadonlyMap<number, EventReader> {
  const readers = new Map<number, EventReader>()
  for (const [type, { code, version }] of Object.entries(eventTypes)) {
    assert(!readers.has(code), `code ${code} stands for one type of event`)
    const steps = upcasters
      .filter((upcaster) => upcaster.code === code)
      .sort((a, b) => a.fromVersion - b.fromVersion)
    assert(
      steps.length === version - 1 && steps.every((step, index) => step.fromVersion === index + 1),
      `${type} has one upcaster for every version before ${version}`,
    )
    readers.set(code, { type, version, steps })
  }
  return readers
}

/** @throws storage_unavailable when a node of an older version could not read the event */
function encodedEvent(
  eventTypes: EventTypes,
  readByAll: () => number,
  event: ActorEvent,
): readonly [number, number, EventBody] {
  const { type, ...body } = event
  const written = eventTypes[type]
  assert(written !== undefined, `${type} is a known type of event`)
  const { sinceStep } = written
  if (sinceStep !== undefined && sinceStep > readByAll()) {
    throw new DomainError('storage_unavailable', { needs_store_step: sinceStep }, UPGRADE_UNFINISHED)
  }
  return [written.code, written.version, body]
}

function decodedEvent(readers: ReadonlyMap<number, EventReader>, stored: unknown): ActorEvent {
  const [code, version, body] = tuple(stored, EVENT_FIELDS, 'an event')
  if (typeof code !== 'number' || typeof version !== 'number' || !isDictionary(body)) {
    throw new TurnFormatError('an event starts with its code and version, then its body')
  }
  const reader = readers.get(code)
  if (reader === undefined)
    throw new TurnFormatError(`event code ${code} is unknown: was a newer version here?`)
  if (version > reader.version) {
    throw new TurnFormatError(
      `${reader.type} has version ${version}, this program reads up to ${reader.version}`,
    )
  }
  if (version < 1 || !Number.isInteger(version)) {
    throw new TurnFormatError(`${reader.type} has no version ${version}`)
  }
  let current: EventBody = body
  for (const step of reader.steps.slice(version - 1)) current = step.upcast(current)
  // The one place where stored bytes become an event: checksums vouch for the writer, upcasters for its age.
  return { type: reader.type, ...current } as unknown as ActorEvent
}

function tuple(value: unknown, length: number, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length === length) return value
  throw new TurnFormatError(`${name} is a list of ${length}`)
}

type EventBody = Readonly<Record<string, unknown>>

/** Turns the body of one version of one kind of event into the next version. Pure. */
interface Upcaster {
  readonly code: number
  readonly fromVersion: number
  upcast(body: EventBody): EventBody
}

/** Every version above 1 in EVENT_TYPES has a step to it here. */
export const UPCASTERS: readonly Upcaster[] = [
  // Before guides could withhold memory, none did.
  { code: 9, fromVersion: 1, upcast: (body) => ({ ...body, heldOut: false }) },
  // Before runs counted once, every mark did; its standing was decided beside it.
  {
    code: 10,
    fromVersion: 1,
    upcast: (body) => ({ ...body, counts: countsOfOldMark(body), evidence: null }),
  },
]

function countsOfOldMark({ attributed, mark }: EventBody): CounterChange {
  if (attributed !== true || !isDictionary(mark)) return {}
  if (mark['outcome'] === 'neutral') return { neutral: 1 }
  if (mark['outcome'] === 'positive')
    return mark['direct'] === true ? { positive: 1 } : { observedPositive: 1 }
  return mark['strong'] === true ? { negativeStrong: 1 } : { negativeWeak: 1 }
}
