import type { Files } from '../../ports/files.ts'
import type { VectorRow } from '../../ports/vectors.ts'
import { readAll } from '../files/whole-file.ts'
import { decodeRow, HEADER_BYTES, modelHashIn, ROW_BYTES_MAX, rowBytesAt } from './format.ts'

const WINDOW_BYTES = 4 * ROW_BYTES_MAX

/** Gets each row with the hash of the model that its vector is from. */
export type TakeRow = (row: VectorRow, modelHash: string) => Promise<void> | void

export interface ReadVectors {
  /** Null: this is no file of the actor. */
  readonly modelHash: string | null
  /** Where the last whole row ends: what follows was not written whole. */
  readonly endsAt: number
  readonly fileBytes: number
  readonly damagedRows: number
}

/** Reads a file row by row; a damaged row is passed over, and what cannot be a row ends the file. */
export async function readVectors(
  files: Files,
  path: string,
  actorKeyHash: string,
  take: TakeRow,
): Promise<ReadVectors> {
  const fileBytes = (await files.stat(path))?.bytes ?? 0
  const fd = await files.open(path, 'read')
  try {
    const header = new Uint8Array(HEADER_BYTES)
    const isLong = (await readAll(files, fd, header, 0)) === HEADER_BYTES
    const modelHash = isLong ? modelHashIn(header, actorKeyHash) : null
    if (modelHash === null) return { modelHash, endsAt: 0, fileBytes, damagedRows: 0 }
    const rows = await readRows(files, fd, fileBytes, (row) => take(row, modelHash))
    return { modelHash, fileBytes, ...rows }
  } finally {
    await files.close(fd)
  }
}

async function readRows(
  files: Files,
  fd: number,
  fileBytes: number,
  take: (row: VectorRow) => Promise<void> | void,
) {
  const window = new Uint8Array(Math.min(WINDOW_BYTES, fileBytes))
  let damagedRows = 0
  let endsAt = HEADER_BYTES
  let position = HEADER_BYTES
  for (;;) {
    const filled = await readAll(files, fd, window, position)
    let at = 0
    for (;;) {
      const bytes = rowBytesAt(window.subarray(at, filled))
      if (bytes === 0 || at + bytes > filled) break
      const row = decodeRow(window.subarray(at, at + bytes))
      at += bytes
      if (row === null) {
        damagedRows += 1
        continue
      }
      endsAt = position + at
      await take(row)
    }
    position += at
    // A window holds several rows: one in which none ends is the last.
    if (at === 0) return { endsAt, damagedRows }
  }
}
