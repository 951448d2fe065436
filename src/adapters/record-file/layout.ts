import { FRAME_BYTES, type Head } from './format.ts'

/** What stands before the body of a record. */
export interface Frame {
  readonly bytes: number
  /** Null: only the directory tells it. */
  readonly bodyBytesOf: ((frame: Buffer) => number) | null
  readonly crcOf: (frame: Buffer) => number
}

export const RECORD_FRAME: Frame = {
  bytes: FRAME_BYTES,
  bodyBytesOf: (frame) => frame.readUInt32LE(0),
  crcOf: (frame) => frame.readUInt32LE(4),
}

/** Where a whole file ends. */
export interface End {
  /** Null: an old layout that does not count them. */
  readonly records: number | null
  /** End of the last record. */
  readonly directory: number
  readonly entries: number
  /** Of the footer. */
  readonly bytes: number
  readonly chain: number
  /** What the chain begins with. */
  readonly seed: number
}

/** Where the parts of a file lie. What a reader knows of a file before it reads a record. */
export interface Layout {
  /** It is of version 1, and nothing writes it any more. Its chain is the checksum of every byte before the footer. */
  readonly isOld: boolean
  readonly head: Head
  readonly recordsAt: number
  readonly fileBytes: number
  readonly frame: Frame
  /** Null: the file grows. */
  readonly end: End | null
  /** Makes the whole directory, where an old layout has it in another form. */
  readonly directory: ((read: ReadExactly) => Promise<Buffer>) | null
}

/** Bytes of the file, all of them there. */
export type ReadExactly = (position: number, bytes: number) => Promise<Buffer>
