import { crc32 } from 'node:zlib'

/** CRC-32 (the polynomial of zlib and PNG), unsigned. `seed` continues an earlier result. */
export function crcOf(bytes: Uint8Array, seed = 0): number {
  return crc32(bytes, seed)
}
