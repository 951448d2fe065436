import { actorKeyHashOf } from '../files/actor-folders.ts'

// <actorKeyHash>.<seq>.<bytes>.<actor key, percent-encoded>.snap
//
// The name carries what a start must know of a snapshot, so that a start lists folders and opens no file. An actor
// key too long for a name is left out; it stands in the file's header in any case.
const NAME = /^([0-9a-f]{32})\.(\d{1,16})\.(\d{1,16})(?:\.(.+))?\.snap$/
const ENCODED_KEY_CHARS_MAX = 170

export interface SnapshotName {
  readonly actorKeyHash: string
  readonly seq: number
  readonly bytes: number
  /** Null when it does not fit into a name. */
  readonly actorKey: string | null
}

/** Name of a snapshot that is being written. */
export function draftNameOf(actorKeyHash: string, seq: number): string {
  return `${actorKeyHash}.${seq}.snap`
}

export function snapshotNameOf(actorKeyHash: string, seq: number, bytes: number, actorKey: string): string {
  const encoded = encodedKey(actorKey)
  return `${actorKeyHash}.${seq}.${bytes}${encoded === null ? '' : `.${encoded}`}.snap`
}

/** Null for a name that no snapshot has. */
export function parseSnapshotName(name: string): SnapshotName | null {
  const [, actorKeyHash, seq, bytes, encoded] = NAME.exec(name) ?? []
  if (actorKeyHash === undefined) return null
  const numbers = { seq: Number(seq), bytes: Number(bytes) }
  if (encoded === undefined) return { actorKeyHash, ...numbers, actorKey: null }
  const actorKey = decodedKey(encoded)
  if (actorKey === null || actorKeyHashOf(actorKey) !== actorKeyHash) return null
  return { actorKeyHash, ...numbers, actorKey }
}

function encodedKey(actorKey: string): string | null {
  try {
    const encoded = encodeURIComponent(actorKey)
    return encoded.length > ENCODED_KEY_CHARS_MAX ? null : encoded
  } catch {
    // A lone surrogate has no percent-encoding.
    return null
  }
}

function decodedKey(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}
