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
