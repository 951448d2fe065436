import { hash } from 'node:crypto'
import type { Files } from '../../ports/files.ts'
import type { VectorRow } from '../../ports/vectors.ts'
import { alignUp, bytesOver, getU64, putU64 } from '../binary/bytes.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { DamagedFileError, NewerFileError } from '../files/damage.ts'
import { encodeRecord, type Head } from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'

// A file of vectors is a record file that grows: the header has the actor and as fact modelHash, the body of a record is a
// row, in the order of writing.
//
//   0         8             16        20      24             24+k'
//   +---------+-------------+---------+-------+--------------+--------------+
//   | ordinal | updatedAtMs | numbers | idLen | memory id, k | numbers, f32 |
//   | u64     | u64         | u32     | u32   | utf8, to 4   |              |
//   +---------+-------------+---------+-------+--------------+--------------+
//
// numbers 0: no vector is wanted.
const ROW_HEAD_BYTES = 24
const HASH_CHARS = 32

/** First half of the SHA-256 of a model's name, 32 hex digits. */
export function modelHashOf(model: string): string {
  return hash('sha256', model, 'hex').slice(0, HASH_CHARS)
}

export function vectorsHead(actorKey: string, modelHash: string): Head {
  return { kind: 'vectors', actorKey, seq: 0, facts: { modelHash } }
}

/** A record. */
export function encodeRow({ memoryId, ordinal, updatedAtMs, vector }: VectorRow): Uint8Array {
  const id = Buffer.from(memoryId, 'utf8')
  const numbersAt = ROW_HEAD_BYTES + alignUp(id.length, 4)
  const numbers = vector?.length ?? 0
  const { bytes, view } = bytesOver(new Uint8Array(numbersAt + numbers * 4))
  putU64(view, 0, ordinal)
  putU64(view, 8, updatedAtMs)
  view.setUint32(16, numbers, true)
  view.setUint32(20, id.length, true)
  bytes.set(id, ROW_HEAD_BYTES)
  for (let at = 0; at < numbers; at += 1) view.setFloat32(numbersAt + at * 4, vector?.[at] ?? 0, true)
  return encodeRecord(bytes)
}

/** The row in the body of a record; null when it is none. */
function decodeRow(body: Uint8Array): VectorRow | null {
  if (body.length < ROW_HEAD_BYTES) return null
  const { bytes, view } = bytesOver(body)
  const numbers = view.getUint32(16, true)
  const idBytes = view.getUint32(20, true)
  const numbersAt = ROW_HEAD_BYTES + alignUp(idBytes, 4)
  if (numbersAt + numbers * 4 !== bytes.length) return null
  const memoryId = Buffer.from(bytes.buffer, bytes.byteOffset + ROW_HEAD_BYTES, idBytes).toString('utf8')
  const vector = numbers === 0 ? null : new Float32Array(numbers)
  if (vector !== null) {
    for (let at = 0; at < numbers; at += 1) vector[at] = view.getFloat32(numbersAt + at * 4, true)
  }
  return { memoryId, ordinal: getU64(view, 0), updatedAtMs: getU64(view, 8), vector }
}

/** Gets each row with the hash of the model that its vector is from. */
export type TakeRow = (row: VectorRow, modelHash: string) => Promise<void> | void

export interface ReadVectors {
  readonly modelHash: string
  /** The file has the layout of an earlier program. */
  readonly isOld: boolean
  /** Where the last whole row ends: what follows was not written whole. */
  readonly endsAt: number
  readonly fileBytes: number
  readonly damagedRows: number
}

/**
 * Reads a file row by row; a damaged row is passed over, and what cannot be a row ends the file. Null when this is no file
 * of the actor.
 */
export async function readVectors(
  files: Files,
  path: string,
  actorKey: string,
  take: TakeRow,
): Promise<ReadVectors | null> {
  try {
    return await withRecordFile(files, path, 'vectors', async (file) => {
      const { head, recordsAt, fileBytes, isOld } = file.layout
      const { modelHash, actorKeyHash } = head.facts
      const isOurs = isOld ? actorKeyHash === actorKeyHashOf(actorKey) : head.actorKey === actorKey
      if (!isOurs || typeof modelHash !== 'string') return null
      let damagedRows = 0
      let endsAt = recordsAt
      for await (const { body, end } of file.grown()) {
        const row = body === null ? null : decodeRow(body)
        if (row === null) {
          damagedRows += 1
          continue
        }
        endsAt = end
        await take(row, modelHash)
      }
      return { modelHash, isOld, endsAt, fileBytes, damagedRows }
    })
  } catch (error) {
    if (error instanceof DamagedFileError || error instanceof NewerFileError) return null
    throw error
  }
}
