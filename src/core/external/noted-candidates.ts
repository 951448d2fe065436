import type { Redaction } from '../model/erasure.ts'
import { refText } from './recorded-candidates.ts'

type NoteBody = Readonly<Record<string, unknown>>

/**
 * The body of an audit note of govern without candidates that were erased since; the same object when it has none of them.
 * @param keyedHash under the key of the actor
 */
export function noteWithoutErased(
  { body, atMs }: { readonly body: NoteBody; readonly atMs: number },
  { external, externalKey }: Pick<Redaction, 'external' | 'externalKey'>,
  keyedHash: (key: string, text: string) => string,
): NoteBody {
  const { kind, candidates } = body
  if (externalKey === null || kind !== 'govern' || !Array.isArray(candidates)) return body
  const erasedAtMs = new Map(external.map((erasure) => [erasure.ref, erasure.atMs]))
  const left = candidates.filter((candidate: unknown) => {
    const text = nameIn(candidate)
    return text === null || atMs > (erasedAtMs.get(keyedHash(externalKey, text)) ?? -1)
  })
  return left.length === candidates.length ? body : { ...body, candidates: left }
}

/** Null: the note is older than records of external memory, and names no backend. */
function nameIn(candidate: unknown): string | null {
  if (typeof candidate !== 'object' || candidate === null) return null
  if (!('sourceBackend' in candidate) || !('externalId' in candidate)) return null
  const { sourceBackend, externalId } = candidate
  if (typeof sourceBackend !== 'string' || typeof externalId !== 'string') return null
  return refText({ sourceBackend, externalId })
}
