import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { assert } from '../../core/base/assert.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import { crcOf } from '../binary/crc.ts'
import type { Packer } from '../binary/msgpack.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import type { LedgerFile } from './file-name.ts'
import { encodeFooter, encodeIndex, encodeRecord, type IndexEntry } from './format.ts'
import { parseTraceId, type TraceUuid } from './trace-id.ts'

/** A record as it lies in a file, with its checksum, and what it is found by. */
export interface SealedRecord {
  readonly uuid: TraceUuid
  readonly record: Uint8Array
}

/** Of guides with many memories: about two milliseconds. */
const RECORDS_PER_TURN = 20
const PIECE_BYTES = 256 * 1024

/**
 * Records in the order of a file, each guide trace once (the last wins). Throws an InvariantError on an id that is
 * not `guide_trace:` and a UUID of version 7.
 */
export async function sealRecords(
  packer: Packer,
  records: readonly ExposureRecord[],
): Promise<readonly SealedRecord[]> {
  const sealed = new Map<string, SealedRecord>()
  for (const [place, record] of records.entries()) {
    if (place % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurnOfLoop()
    const uuid = parseTraceId(record.guideTraceId)
    assert(uuid !== null, 'an exposure belongs to a guide trace')
    sealed.set(record.guideTraceId, { uuid, record: encodeRecord(packer.pack(record)) })
  }
  return inFileOrder(sealed.values())
}

export function inFileOrder(records: Iterable<SealedRecord>): readonly SealedRecord[] {
  return [...records].sort((a, b) => Buffer.compare(a.uuid, b.uuid))
}

/** Writes a whole ledger file. `records` are in file order, at least one, each UUID once. */
export async function writeLedger(
  file: GrowingFile,
  owner: Pick<LedgerFile, 'actorKeyHash' | 'fromSeq' | 'toSeq'>,
  records: readonly SealedRecord[],
): Promise<void> {
  const lowest = records.at(0)?.uuid
  const highest = records.at(-1)?.uuid
  assert(lowest !== undefined && highest !== undefined, 'a ledger file has records')
  const entries: IndexEntry[] = []
  let piece: Uint8Array[] = []
  let pieceBytes = 0
  for (const { uuid, record } of records) {
    const before = entries.at(-1)?.uuid
    assert(before === undefined || Buffer.compare(before, uuid) < 0, 'records are in file order')
    entries.push({ uuid, offset: file.bytes + pieceBytes, length: record.length })
    piece.push(record)
    pieceBytes += record.length
    if (pieceBytes < PIECE_BYTES) continue
    await file.append(Buffer.concat(piece))
    await nextTurnOfLoop()
    piece = []
    pieceBytes = 0
  }
  await file.append(Buffer.concat(piece))
  const indexOffset = file.bytes
  const index = encodeIndex(entries)
  await file.append(index)
  const footer = { indexOffset, records: entries.length, indexCrc: crcOf(index), lowest, highest, ...owner }
  await file.append(encodeFooter(footer))
}
