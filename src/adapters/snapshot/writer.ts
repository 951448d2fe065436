import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { plainRow } from '../../core/model/compact-record.ts'
import type { StateImage } from '../../core/model/image.ts'
import { createPacker } from '../binary/msgpack.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import { CHUNK_ROWS_MAX, encodeChunk, encodeFooter, encodeHeader } from './format.ts'

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
  const { sections, ...identity } = image
  const packer = createPacker({ isTabular: true })
  const counts = sections.map(({ name, rows }) => ({ name, rows: rows.length }))
  await file.append(encodeHeader({ ...identity, actorKey, sections: counts }, packer))
  let rowsWritten = 0
  for (const [section, { rows }] of sections.entries()) {
    let chunkRows = CHUNK_ROWS_START
    for (let from = 0; from < rows.length; ) {
      const piece = rows.slice(from, from + chunkRows).map(plainRow)
      const chunk = encodeChunk(section, piece, packer)
      await file.append(chunk)
      await nextTurnOfLoop()
      from += piece.length
      rowsWritten += piece.length
      chunkRows = nextChunkRows(chunkRows, chunk.length)
    }
  }
  await file.append(encodeFooter({ rows: rowsWritten, fileCrc: file.crc }))
}

function nextChunkRows(chunkRows: number, chunkBytes: number): number {
  if (chunkBytes > CHUNK_BYTES_LARGE) return Math.max(1, Math.floor(chunkRows / 4))
  if (chunkBytes < CHUNK_BYTES_SMALL) return Math.min(CHUNK_ROWS_MAX, chunkRows * 2)
  return chunkRows
}
