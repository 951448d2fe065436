import type { Turn } from '../core/model/events.ts'

/** SHA-256 of what was added. */
export interface Digest {
  add(piece: string): void
  hex(): string
}

/** Bytes of a turn in the journal, digest and compression: pure functions that the core may not import. */
export interface Codec {
  encodeTurn(turn: Turn): Uint8Array
  /** Runs upcasters, so that the result always has today's shape. Throws on bytes that are not a turn. */
  decodeTurn(payload: Uint8Array): Turn
  /** The same, with rests on the way. The bytes have to stay as they are. */
  decodeTurnSteps(payload: Uint8Array): Generator<void, Turn>
  /** SHA-256, hex. */
  sha256(text: string): string
  /** The same of a text that is given piece by piece. */
  digest(): Digest
  /** 32 hex digits that say nothing of the text to whoever has not the key. */
  keyedHash(key: string, text: string): string
  compress(text: string): Uint8Array
  /** The same of a text that is given piece by piece, with a rest behind each; null: it takes more bytes. */
  compressSteps(pieces: Iterable<string>, bytesMax: number): Generator<void, Uint8Array | null>
  decompress(bytes: Uint8Array): string
}
