import type { Redaction } from '../model/erasure.ts'
import { refText } from './recorded-candidates.ts'

type NoteBody = Readonly<Record<string, unknown>>

/**
 * An audit note of govern without candidates that were erased since; the same object when it has none of them.
 * @param codec hashes under the key of the actor
 */
export function noteWithoutErased<Note extends { readonly body: NoteBody; readonly atMs: number }>(
  note: Note,
  { external, externalKey }: Pick<Redaction, 'external' | 'externalKey'>,
  codec: { keyedHash(key: string, text: string): string },
): Note {
  const { body, atMs } = note
  const { kind, candidates } = body
  if (externalKey === null || kind !== 'govern' || !Array.isArray(candidates)) return note
  const erasedAtMs = new Map(external.map((erasure) => [erasure.ref, erasure.atMs]))
  const left = candidates.filter((candidate: unknown) => {
    const text = nameIn(candidate)
    return text === null || atMs > (erasedAtMs.get(codec.keyedHash(externalKey, text)) ?? -1)
  })
  return left.length === candidates.length ? note : { ...note, body: { ...body, candidates: left } }
}

/** Null: the note is older than records of external memory, and names no backend. */
function nameIn(candidate: unknown): string | null {
  if (typeof candidate !== 'object' || candidate === null) return null
  if (!('sourceBackend' in candidate) || !('externalId' in candidate)) return null
  const { sourceBackend, externalId } = candidate
  if (typeof sourceBackend !== 'string' || typeof externalId !== 'string') return null
  return refText({ sourceBackend, externalId })
}
