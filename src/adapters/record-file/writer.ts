import { crcOf } from '../binary/bytes.ts'
import type { GrowingFile } from '../files/durable-file.ts'
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

const ENTRIES_AT_FIRST = 64

/** Writes one whole file: `begin`, records, `end`. With keys for all records, in their order, it gets a directory. */
export class RecordWriter {
  readonly #file: GrowingFile
  #chain: number
  #records = 0
  #entries = Buffer.alloc(0)
  #entriesUsed = 0

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
      const place = { offset: this.#file.bytes, bytes: record.length }
      this.#enter({ key: key.key, number: key.number, ...place })
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
    const entries = this.#entries.subarray(0, this.#entriesUsed * ENTRY_BYTES)
    await this.#file.append(entries)
    const chain = crcOf(entries, this.#chain)
    const footer = { records: this.#records, directory, chain, entries: this.#entriesUsed }
    await this.#file.append(encodeFooter(footer))
  }

  #enter(entry: Entry): void {
    const at = this.#entriesUsed * ENTRY_BYTES
    if (at === this.#entries.length) {
      const larger = Buffer.alloc(Math.max(at * 2, ENTRIES_AT_FIRST * ENTRY_BYTES))
      larger.set(this.#entries)
      this.#entries = larger
    }
    encodeEntry(entry, this.#entries.subarray(at, at + ENTRY_BYTES))
    this.#entriesUsed += 1
  }
}
