import { crc32 } from 'node:zlib'

/** CRC-32 (the polynomial of zlib and PNG), unsigned. `seed` continues an earlier result. */
export function crcOf(bytes: Uint8Array, seed = 0): number {
  // zlib takes an empty array without memory of its own for the wish to begin anew.
  return bytes.length === 0 ? seed : crc32(bytes, seed)
}
