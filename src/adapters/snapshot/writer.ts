import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { plainRow } from '../../core/model/compact-record.ts'
import type { StateImage } from '../../core/model/image.ts'
import { createPacker } from '../binary/msgpack.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import { encodeRecord } from '../record-file/format.ts'
import { RecordWriter } from '../record-file/writer.ts'

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

// Rows a chunk follow the size of rows, so that packing one chunk never holds the thread for long: a chunk of rows
// of 300 bytes is packed in 0.3 ms, but a row may carry a payload of megabytes.
const CHUNK_ROWS_START = 25
const CHUNK_BYTES_SMALL = 64 * 1024
const CHUNK_BYTES_LARGE = 256 * 1024

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
    let chunkRows = CHUNK_ROWS_START
    for (let from = 0; from < rows.length; ) {
      const piece = rows.slice(from, from + chunkRows).map(plainRow)
      const head = Buffer.alloc(CHUNK_HEAD_BYTES)
      head.writeUInt16LE(section, 0)
      head.writeUInt16LE(piece.length, 2)
      const chunk = encodeRecord(head, packer.pack(piece))
      await writer.append(chunk)
      await nextTurnOfLoop()
      from += piece.length
      chunkRows = nextChunkRows(chunkRows, chunk.length)
    }
  }
  await writer.end()
}

function nextChunkRows(chunkRows: number, chunkBytes: number): number {
  if (chunkBytes > CHUNK_BYTES_LARGE) return Math.max(1, Math.floor(chunkRows / 4))
  if (chunkBytes < CHUNK_BYTES_SMALL) return Math.min(CHUNK_ROWS_MAX, chunkRows * 2)
  return chunkRows
}
