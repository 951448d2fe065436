import type { Redaction } from '../model/erasure.ts'
import type { ActorEvent } from '../model/events.ts'
import type { Audience } from '../model/record.ts'
import type { CandidateDecision, GovernCommand } from './govern.ts'

/** Keyed hashes of the candidates of a request, in its order. */
export interface CandidateHashes {
  readonly key: string
  /** Of backend and id. */
  readonly refs: readonly string[]
  readonly textHashes: readonly string[]
}

/** What of a candidate its ref is the hash of. */
export function refText({
  sourceBackend,
  externalId,
}: {
  sourceBackend: string
  externalId: string
}): string {
  return JSON.stringify([sourceBackend, externalId])
}

/**
 * What is kept of a govern request, so that feedback can say what came of its candidates: no text.
 * @param known the key of the actor; null: this is the first request that it records
 */
export function recordedEvents(
  command: GovernCommand,
  audience: Audience,
  decisions: readonly CandidateDecision[],
  hashes: CandidateHashes,
  { guideTraceId, known }: { readonly guideTraceId: string; readonly known: string | null },
): readonly ActorEvent[] {
  const { consumer, runId, taskSignature } = command
  const candidates = decisions.map(({ facts }) => facts.candidate)
  const exposed: ActorEvent = {
    type: 'exposed',
    guideTraceId,
    memoryIds: [],
    surfaces: [],
    consumerAgentId: consumer.agentId,
    consumerTeamId: consumer.teamId,
    runId,
    taskSignature,
    heldOut: false,
    external: {
      audience,
      sourceBackends: candidates.map(({ sourceBackend }) => sourceBackend),
      externalIds: candidates.map(({ externalId }) => externalId),
      refs: hashes.refs,
      textHashes: hashes.textHashes,
      domains: candidates.map(({ domain }) => domain),
      surfaces: decisions.map(({ surface }) => surface),
    },
  }
  return known === null ? [{ type: 'external_keyed', key: hashes.key }, exposed] : [exposed]
}

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
