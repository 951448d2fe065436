import { GUIDE_TRACE_PREFIX } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import { isDictionary, type Packer } from '../binary/msgpack.ts'
import { DamagedFileError } from '../files/damage.ts'

// A ledger file is a record file of exposure sets: the body of a record is one set as a msgpack map, its key in the
// directory the UUID of its guide trace, its number 0. The header has the actor, as seq the toSeq of the name, and as a fact
// fromSeq. A file is never changed after it was written.
//
// <actorKeyHash>.<fromSeq>-<toSeq>.<oldestMs>-<newestMs>.<bytes>.led
//
// The name carries what find, merge and retention ask of every file, so that a start lists folders and opens none.
const NAME = /^([0-9a-f]{32})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})\.led$/

/** One file of one actor: exposures of actor sequences in (fromSeq, toSeq]. */
export interface LedgerFile {
  readonly name: string
  readonly actorKeyHash: string
  readonly fromSeq: number
  readonly toSeq: number
  /** Times of the oldest and newest guide in the file. */
  readonly oldestMs: number
  readonly newestMs: number
  readonly bytes: number
}

/** Name of a file that is being written. */
export function draftNameOf(actorKeyHash: string, fromSeq: number, toSeq: number): string {
  return `${actorKeyHash}.${fromSeq}-${toSeq}.led`
}

export function ledgerFile(facts: Omit<LedgerFile, 'name'>): LedgerFile {
  const { actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes } = facts
  return { ...facts, name: `${actorKeyHash}.${fromSeq}-${toSeq}.${oldestMs}-${newestMs}.${bytes}.led` }
}

/** Null for a name that no ledger file has. */
export function parseLedgerName(name: string): LedgerFile | null {
  const [, actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes] = NAME.exec(name) ?? []
  if (actorKeyHash === undefined) return null
  return {
    name,
    actorKeyHash,
    fromSeq: Number(fromSeq),
    toSeq: Number(toSeq),
    oldestMs: Number(oldestMs),
    newestMs: Number(newestMs),
    bytes: Number(bytes),
  }
}

/** A guide trace as the ledger sorts it: the 32 hex digits of its UUID. */
export type TraceUuid = string

const TRACE_ID = /^guide_trace:([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/
const TIME_DIGITS = 12

/** Null for anything but `guide_trace:` and a lower-case UUID of version 7. */
export function parseTraceId(guideTraceId: string): TraceUuid | null {
  return TRACE_ID.exec(guideTraceId)?.[1]?.replaceAll('-', '') ?? null
}

/** The id that `parseTraceId` reads. */
export function traceIdOf(uuid: TraceUuid): string {
  const parts = [uuid.slice(0, 8), uuid.slice(8, 12), uuid.slice(12, 16), uuid.slice(16, 20), uuid.slice(20)]
  return `${GUIDE_TRACE_PREFIX}${parts.join('-')}`
}

/** When the guide was given, milliseconds since the epoch: the first 48 bits of a UUID of version 7. */
export function atMsOf(uuid: TraceUuid): number {
  return Number.parseInt(uuid.slice(0, TIME_DIGITS), 16)
}

/** The set in a body that was found under its guide trace. Throws DamagedFileError when it is of another one. */
export function decodeExposure(packer: Packer, { uuid, body }: StoredExposure): ExposureRecord {
  let record: unknown
  try {
    record = packer.unpack(body)
  } catch (cause) {
    throw new DamagedFileError('record: not msgpack', { cause })
  }
  if (!isDictionary(record) || record['guideTraceId'] !== traceIdOf(uuid)) {
    throw new DamagedFileError('record: not the one its directory names')
  }
  // The checksum vouches for the writer, which takes exposure records only; the oldest know nothing of hold-outs.
  return { heldOut: false, ...record } as unknown as ExposureRecord
}

/** An exposure set as it lies in a file, and what it is found by. */
export interface StoredExposure {
  readonly uuid: TraceUuid
  readonly body: Uint8Array
}
