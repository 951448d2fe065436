import { crc32 } from 'node:zlib'

// All our files are little-endian. Whole numbers of 64 bits are held as doubles: exact up to 2^53, which a counter
// of one node never reaches; a larger one in a file is damage and reads as -1, which no valid field equals.

const HALF = 0x1_0000_0000
const LARGEST_HIGH_HALF = 0x1f_ffff

/** Bytes with a view on the same memory, so that hot code makes neither. */
export interface Bytes {
  readonly bytes: Uint8Array
  readonly view: DataView
}

export function bytesOver(bytes: Uint8Array): Bytes {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}

export function putU64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % HALF, true)
  view.setUint32(offset + 4, Math.floor(value / HALF), true)
}

/** The number, or -1 when it is over 2^53. */
export function getU64(view: DataView, offset: number): number {
  const high = view.getUint32(offset + 4, true)
  return high > LARGEST_HIGH_HALF ? -1 : high * HALF + view.getUint32(offset, true)
}

export function alignUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}

/** CRC-32 (the polynomial of zlib and PNG), unsigned. `seed` continues an earlier result. */
export function crcOf(bytes: Uint8Array, seed = 0): number {
  // zlib takes an empty array without memory of its own for the wish to begin anew.
  return bytes.length === 0 ? seed : crc32(bytes, seed)
}
