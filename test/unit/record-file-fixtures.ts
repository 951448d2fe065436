import { crcOf } from '../../src/adapters/binary/bytes.ts'
import { headBytes } from '../../src/adapters/record-file/format.ts'

/** The same file as a program of the next version would have written it, whole. */
export function ofNewerVersion(content: Uint8Array): Buffer {
  const bytes = Buffer.from(content)
  const head = bytes.subarray(0, headBytes(bytes))
  head.writeUInt16LE(head.readUInt16LE(4) + 1, 4)
  head.writeUInt32LE(crcOf(head.subarray(16), crcOf(head.subarray(0, 12))), 12)
  return bytes
}
