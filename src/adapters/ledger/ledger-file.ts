import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { assert } from '../../core/base/assert.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import type { Files } from '../../ports/files.ts'
import type { Packer } from '../binary/msgpack.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { DamagedFileError } from '../files/damage.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import { encodeRecord } from '../record-file/format.ts'
import { type RecordFile, withRecordFile } from '../record-file/reader.ts'
import { RecordWriter } from '../record-file/writer.ts'
import { type LedgerFile, parseTraceId, type StoredExposure, type TraceUuid } from './format.ts'

export interface LedgerContent {
  readonly records: readonly StoredExposure[]
  /** What is wrong with the records that are missing; null when all are there. */
  readonly damage: string | null
}

/**
 * The exposure set of one guide trace, null when the file has none. Reads header and footer, about one entry for each
 * halving of the directory and the record, all checked. Rejects as `RecordFile`.
 */
export function findInLedger(
  files: Files,
  path: string,
  named: LedgerFile,
  uuid: TraceUuid,
): Promise<StoredExposure | null> {
  return withRecordFile(files, path, 'exposures', async (file) => {
    checkName(file, named)
    const place = await file.placeOf(uuid, 0)
    if (place === file.entries || (await file.entryAt(place)).key !== uuid) return null
    for await (const { record } of file.stored(place, place + 1)) return { uuid, body: file.bodyOf(record) }
    return null
  })
}

/** All records that are whole, for a merge. Rejects as `findInLedger` when nothing of the file can be trusted. */
export function readLedger(files: Files, path: string, named: LedgerFile): Promise<LedgerContent> {
  return withRecordFile(files, path, 'exposures', async (file) => {
    checkName(file, named)
    const records: StoredExposure[] = []
    let damage: string | null = null
    for await (const { entry, record } of file.stored()) {
      try {
        records.push({ uuid: entry.key, body: file.bodyOf(record) })
      } catch (error) {
        if (!(error instanceof DamagedFileError)) throw error
        damage = error.message
      }
    }
    return { records, damage }
  })
}

function checkName({ layout }: RecordFile, named: LedgerFile): void {
  const { head, fileBytes } = layout
  const hash = head.actorKey === null ? head.facts['actorKeyHash'] : actorKeyHashOf(head.actorKey)
  const isTheNamed =
    hash === named.actorKeyHash &&
    head.facts['fromSeq'] === named.fromSeq &&
    head.seq === named.toSeq &&
    fileBytes === named.bytes
  if (!isTheNamed) throw new DamagedFileError('the content belongs to another name')
}

/** Of guides with many memories: about two milliseconds. */
const RECORDS_PER_TURN = 20

/**
 * Records in the order of a file, each guide trace once (the last wins). Throws an InvariantError on an id that is
 * not `guide_trace:` and a UUID of version 7.
 */
export async function packExposures(
  packer: Packer,
  records: readonly ExposureRecord[],
): Promise<readonly StoredExposure[]> {
  const packed = new Map<TraceUuid, StoredExposure>()
  for (const [place, record] of records.entries()) {
    if (place % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurnOfLoop()
    const uuid = parseTraceId(record.guideTraceId)
    assert(uuid !== null, 'an exposure belongs to a guide trace')
    packed.set(uuid, { uuid, body: packer.pack(record) })
  }
  return inFileOrder(packed.values())
}

export function inFileOrder(records: Iterable<StoredExposure>): readonly StoredExposure[] {
  return [...records].sort((a, b) => (a.uuid < b.uuid ? -1 : 1))
}

const PIECE_BYTES = 256 * 1024

/** Writes a whole ledger file. `records` are in file order, at least one, each UUID once. */
export async function writeLedger(
  file: GrowingFile,
  {
    actorKey,
    fromSeq,
    toSeq,
  }: { readonly actorKey: string; readonly fromSeq: number; readonly toSeq: number },
  records: readonly StoredExposure[],
): Promise<void> {
  const writer = await RecordWriter.begin(file, {
    kind: 'exposures',
    actorKey,
    seq: toSeq,
    facts: { fromSeq },
  })
  let before = ''
  let pieceEnd = PIECE_BYTES
  for (const { uuid, body } of records) {
    assert(before < uuid, 'records are in file order')
    before = uuid
    await writer.append(encodeRecord(body), { key: uuid, number: 0 })
    if (file.bytes < pieceEnd) continue
    pieceEnd = file.bytes + PIECE_BYTES
    await nextTurnOfLoop()
  }
  await writer.end()
}
