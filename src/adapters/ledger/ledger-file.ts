import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { assert } from '../../core/base/assert.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import type { Files } from '../../ports/files.ts'
import { crcOf } from '../binary/crc.ts'
import type { Packer } from '../binary/msgpack.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import { readAll } from '../files/whole-file.ts'
import {
  decodeFooter,
  decodeIndexEntry,
  decodeRecord,
  encodeFooter,
  encodeIndex,
  encodeRecord,
  INDEX_ENTRY_BYTES,
  type IndexEntry,
  LEDGER_FOOTER_BYTES,
  LedgerDamage,
  type LedgerFile,
  type LedgerFooter,
  parseTraceId,
  type TraceUuid,
} from './format.ts'

export interface LedgerContent {
  readonly records: readonly SealedRecord[]
  /** What is wrong with the records that are missing; null when all are there. */
  readonly damage: string | null
}

/** A search reads this many entries in one piece, 1.8 KiB. */
const SEARCH_PIECE_ENTRIES = 64

/**
 * Body of the record of one guide trace, null when the file has none. Reads the footer, about one entry for each
 * halving of the index and the record, all checked. Rejects with LedgerDamage or the file system's error.
 */
export function findInLedger(
  files: Files,
  path: string,
  file: LedgerFile,
  uuid: TraceUuid,
): Promise<Uint8Array | null> {
  return withFile(files, path, async (read) => {
    const footer = await readFooter(read, file)
    if (Buffer.compare(uuid, footer.lowest) < 0 || Buffer.compare(uuid, footer.highest) > 0) return null
    const entry = await searchIndex(read, footer, uuid)
    return entry === null ? null : decodeRecord(await read(entry.offset, entry.length))
  })
}

/** All records that are whole, for a merge. Rejects as `findInLedger` when nothing of the file can be trusted. */
export function readLedger(files: Files, path: string, file: LedgerFile): Promise<LedgerContent> {
  return withFile(files, path, async (read) => {
    const footer = await readFooter(read, file)
    const content = await read(0, footer.indexOffset)
    const index = await read(footer.indexOffset, footer.records * INDEX_ENTRY_BYTES)
    if (crcOf(index) !== footer.indexCrc) throw new LedgerDamage('index: wrong checksum')
    const records: SealedRecord[] = []
    let damage: string | null = null
    for (let place = 0; place < footer.records; place++) {
      const { uuid, offset, length } = decodeIndexEntry(index, place)
      const record = content.subarray(offset, offset + length)
      try {
        decodeRecord(record)
        records.push({ uuid, record })
      } catch (error) {
        if (!(error instanceof LedgerDamage)) throw error
        damage = error.message
      }
    }
    return { records, damage }
  })
}

type ReadExactly = (position: number, bytes: number) => Promise<Buffer>

async function withFile<T>(files: Files, path: string, task: (read: ReadExactly) => Promise<T>): Promise<T> {
  const fd = await files.open(path, 'read')
  try {
    return await task(async (position, bytes) => {
      const into = Buffer.alloc(bytes)
      const read = await readAll(files, fd, into, position)
      if (read < bytes) throw new LedgerDamage('the file ends too early')
      return into
    })
  } finally {
    await files.close(fd)
  }
}

async function readFooter(read: ReadExactly, file: LedgerFile): Promise<LedgerFooter> {
  if (file.bytes < LEDGER_FOOTER_BYTES) throw new LedgerDamage('the file ends too early')
  const footer = decodeFooter(await read(file.bytes - LEDGER_FOOTER_BYTES, LEDGER_FOOTER_BYTES))
  const isTheNamed =
    footer.actorKeyHash === file.actorKeyHash &&
    footer.fromSeq === file.fromSeq &&
    footer.toSeq === file.toSeq &&
    footer.indexOffset + footer.records * INDEX_ENTRY_BYTES + LEDGER_FOOTER_BYTES === file.bytes
  if (!isTheNamed) throw new LedgerDamage('the content belongs to another name')
  return footer
}

async function searchIndex(
  read: ReadExactly,
  footer: LedgerFooter,
  uuid: TraceUuid,
): Promise<IndexEntry | null> {
  const entryAt = (place: number): number => footer.indexOffset + place * INDEX_ENTRY_BYTES
  let low = 0
  let high = footer.records
  // Invariant: the entry, if there is one, has its place in [low, high).
  while (high - low > SEARCH_PIECE_ENTRIES) {
    const middle = (low + high) >>> 1
    const entry = decodeIndexEntry(await read(entryAt(middle), INDEX_ENTRY_BYTES), 0)
    if (Buffer.compare(entry.uuid, uuid) <= 0) low = middle
    else high = middle
  }
  const piece = await read(entryAt(low), (high - low) * INDEX_ENTRY_BYTES)
  for (let place = 0; place < high - low; place++) {
    const entry = decodeIndexEntry(piece, place)
    if (Buffer.compare(entry.uuid, uuid) === 0) return entry
  }
  return null
}

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
