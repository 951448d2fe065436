import { crcOf } from '../binary/bytes.ts'
import type { GrowingFile } from '../files/whole-file.ts'
import {
  ENTRY_BYTES,
  type Entry,
  encodeEntry,
  encodeFooter,
  encodeHead,
  FRAME_BYTES,
  HEAD_FRAME_BYTES,
  type Head,
} from './format.ts'

/** What a record is found by in the directory. */
export type RecordKey = Pick<Entry, 'key' | 'number'>

/** Writes one whole file: `begin`, records, `end`. With keys for all records, in their order, it gets a directory. */
export class RecordWriter {
  readonly #file: GrowingFile
  #chain: number
  #records = 0
  readonly #entries: Buffer[] = []

  private constructor(file: GrowingFile, head: Buffer) {
    this.#file = file
    this.#chain = crcOf(head.subarray(0, HEAD_FRAME_BYTES))
  }

  static async begin(file: GrowingFile, head: Head): Promise<RecordWriter> {
    const bytes = encodeHead(head)
    await file.append(bytes)
    return new RecordWriter(file, bytes)
  }

  /** `record` has its frame. */
  append(record: Uint8Array, key: RecordKey | null = null): Promise<void> {
    this.#chain = crcOf(record.subarray(0, FRAME_BYTES), this.#chain)
    this.#records += 1
    if (key !== null) {
      const entry = Buffer.allocUnsafe(ENTRY_BYTES)
      encodeEntry({ ...key, offset: this.#file.bytes, bytes: record.length }, entry)
      this.#entries.push(entry)
    }
    return this.#file.append(record)
  }

  /** A record whose body comes in pieces of `bytes` together: its frame is written when they are. */
  async appendPieces(bytes: number, pieces: Iterable<Uint8Array>): Promise<void> {
    const at = this.#file.bytes
    const frame = Buffer.alloc(FRAME_BYTES)
    await this.#file.append(frame)
    let crc = 0
    for (const piece of pieces) {
      crc = crcOf(piece, crc)
      await this.#file.append(piece)
    }
    frame.writeUInt32LE(bytes, 0)
    frame.writeUInt32LE(crc, 4)
    await this.#file.replace(at, frame)
    this.#chain = crcOf(frame, this.#chain)
    this.#records += 1
  }

  async end(): Promise<void> {
    const directory = this.#file.bytes
    const entries = Buffer.concat(this.#entries)
    await this.#file.append(entries)
    const chain = crcOf(entries, this.#chain)
    const footer = { records: this.#records, directory, chain, entries: this.#entries.length }
    await this.#file.append(encodeFooter(footer))
  }
}
