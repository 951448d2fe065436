import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { plainRow, type StateImage } from '../../core/model/image.ts'
import type { Files } from '../../ports/files.ts'
import { createPacker } from '../binary/msgpack.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { createDurably, type GrowingFile } from '../files/durable-file.ts'
import { encodeRecord } from '../record-file/format.ts'
import { RecordWriter } from '../record-file/writer.ts'
import { draftNameOf, snapshotNameOf } from './file-name.ts'

// Facts of the header: tenantId, scope, schema, stateHash, and sections, which lists [name, row count] in order.
// The body of a record is a chunk: 1 to 200 rows of one section. Chunks stand in the order of sections and rows. The keys
// of rows of one shape are written once in a chunk and in no other place, so that it can be read on its own.
//
//   0         2       4
//   +---------+-------+--------------+
//   | section | rows  | msgpack list |      section = its place in the header
//   | u16     | u16   |              |
//   +---------+-------+--------------+
export const CHUNK_HEAD_BYTES = 4
const CHUNK_ROWS_MAX = 200
/** A chunk ends with the row that has this many units or more together with those before it: it is packed in some milliseconds. */
const CHUNK_UNITS = 128 * 1024
/** What a value counts beside its characters. */
const VALUE_UNITS = 4

export interface SnapshotFile {
  readonly seq: number
  readonly bytes: number
  readonly name: string
}

/** Makes the image a snapshot in the folder of its actor, which is there. Resolves when it is durable. */
export async function createSnapshot(
  files: Files,
  folder: string,
  actorKey: string,
  image: StateImage,
): Promise<SnapshotFile> {
  const hash = actorKeyHashOf(actorKey)
  const target = {
    folder,
    draftName: draftNameOf(hash, image.seq),
    nameOf: (bytes: number) => snapshotNameOf(hash, image.seq, bytes, actorKey),
  }
  const written = await createDurably(files, target, (file) => writeSnapshot(file, actorKey, image))
  return { seq: image.seq, ...written }
}

/**
 * Writes the image as a whole snapshot, giving the event loop a turn after every chunk. The image's lists are read
 * until it resolves and must not change. Rejects on a row that cannot be stored and on a failed write.
 */
export async function writeSnapshot(file: GrowingFile, actorKey: string, image: StateImage): Promise<void> {
  const { sections, seq, ...identity } = image
  const packer = createPacker({ isTabular: true })
  const counts = sections.map(({ name, rows }) => [name, rows.length])
  const facts = { ...identity, sections: counts }
  const writer = await RecordWriter.begin(file, { kind: 'snapshot', actorKey, seq, facts })
  for (const [section, { rows }] of sections.entries()) {
    for (let from = 0; from < rows.length; ) {
      const piece = pieceFrom(rows, from)
      const head = Buffer.alloc(CHUNK_HEAD_BYTES)
      head.writeUInt16LE(section, 0)
      head.writeUInt16LE(piece.length, 2)
      const chunk = encodeRecord(head, packer.pack(piece))
      await writer.append(chunk)
      await nextTurnOfLoop()
      from += piece.length
    }
  }
  await writer.end()
}

function pieceFrom(rows: readonly unknown[], from: number): readonly unknown[] {
  const piece: unknown[] = []
  const end = Math.min(rows.length, from + CHUNK_ROWS_MAX)
  for (let at = from, left = CHUNK_UNITS; at < end && left > 0; at += 1) {
    const row = plainRow(rows[at])
    left = unitsLeft(row, left)
    piece.push(row)
  }
  return piece
}

/** What is left of so many units behind a value; of one that takes more, only as much is read. */
function unitsLeft(value: unknown, units: number): number {
  if (typeof value === 'string') return units - value.length
  let left = units - VALUE_UNITS
  if (typeof value !== 'object' || value === null) return left
  if (ArrayBuffer.isView(value)) return left - value.byteLength
  for (const name in value) {
    if (left <= 0) break
    left = unitsLeft((value as Readonly<Record<string, unknown>>)[name], left)
  }
  return left
}
