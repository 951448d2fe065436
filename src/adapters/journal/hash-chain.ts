import { createHash } from 'node:crypto'

// The chain of a journal, when it is kept:
//
//   link = SHA-256(link before, 32 bytes | header and body of the batch, without the padding)
//
// Each segment holds the link before its first batch; the links behind it are computed, never stored. Whoever changes a
// batch and mends every checksum gets other links from there on: the last one, kept elsewhere, shows it.

/** What the first batch of a chain is linked to. */
export const FIRST_LINK = '0'.repeat(64)

/** The link behind a batch: 64 hex digits. */
export function linkOver(before: string, batch: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(before, 'hex')).update(batch).digest('hex')
}
