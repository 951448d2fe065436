import { createCodec } from '../../src/adapters/codec/codec.ts'
import type { MemoryDomain, Standing, Surface } from '../../src/core/base/closed-sets.ts'
import type { CandidateDecision } from '../../src/core/external/govern.ts'
import { recordedEvents, refText } from '../../src/core/external/govern-record.ts'
import { EVERYONE, standingFor } from '../../src/core/model/external-memory.ts'
import type { Audience, Consumer } from '../../src/core/model/record.ts'
import { type ActorState, emptyState } from '../../src/core/model/state.ts'
import type { FeedbackEffect } from '../../src/core/write/attribution.ts'
import { decideEraseExternal } from '../../src/core/write/erase.ts'
import { commandOf, decide, offeredOf, renderAdmission } from './govern-samples.ts'
import type { Report } from './subject.ts'
import { World } from './world.ts'

const codec = createCodec()
const KEY = 'the key of the actor'
const BACKEND = 'vector-db'
export const LOCAL_EYES: Consumer = { agentId: 'local-agent', teamId: null }
export const privateTo = (agentId: string): Audience => ({
  lane: 'private',
  ownerAgentId: agentId,
  ownerTeamId: null,
})

export interface GovernAsk {
  readonly consumer?: Consumer
  readonly audience?: Audience
  readonly runId?: string | null
  readonly domain?: MemoryDomain
}

/** An actor that governs candidates of another store, all of which would be used if nothing were known of them. */
export class ExternalWorld extends World {
  readonly #domain: MemoryDomain

  constructor(domain: MemoryDomain = 'general', state: ActorState = emptyState('default', 'default')) {
    super('default', 'default', state)
    this.#domain = domain
  }

  /** Without a record. */
  asked(ids: readonly string[], consumer = LOCAL_EYES): readonly CandidateDecision[] {
    return decide(this.#command(ids, { consumer }), { state: this.state })
  }

  surfaceOf(id: string, consumer = LOCAL_EYES): Surface {
    return this.asked([id], consumer)[0]?.surface ?? 'do_not_use'
  }

  promptOf(ids: readonly string[]): string {
    return renderAdmission(this.asked(ids), this.#command(ids, {})).promptText
  }

  standing(id: string, consumer: Consumer | null = LOCAL_EYES): Standing {
    return standingFor(this.state.external.get(BACKEND, id), consumer)
  }

  /** Governs with a record; the trace. */
  govern(ids: readonly string[], ask: GovernAsk = {}): string {
    const command = this.#command(ids, ask)
    const decisions = decide(command, { state: this.state })
    const guideTraceId = `guide_trace:${this.newId()}`
    const hashes = {
      key: KEY,
      refs: command.candidates.map((candidate) => codec.keyedHash(KEY, refText(candidate))),
      textHashes: command.candidates.map(({ text }) => codec.keyedHash(KEY, text)),
    }
    const audience = ask.audience ?? EVERYONE
    const known = this.state.external.key
    this.commit(recordedEvents(command, audience, decisions, hashes, { guideTraceId, known }))
    return guideTraceId
  }

  /** Governs, then reports about some of it. */
  report(report: Report, ids: readonly string[], ask: GovernAsk = {}): FeedbackEffect {
    return this.feedback({ ...report, memoryIds: ids, guideTraceId: this.govern(ids, ask) })
  }

  eraseExternal(ids: readonly string[]): void {
    const references = ids.map((externalId) => ({ sourceBackend: BACKEND, externalId }))
    const command = { references, reason: 'asked for', actorName: null }
    const refOf = (key: string, reference: (typeof references)[number]) =>
      codec.keyedHash(key, refText(reference))
    this.commit(decideEraseExternal(this.state, command, refOf, () => KEY).events)
  }

  #command(ids: readonly string[], { consumer = LOCAL_EYES, runId = null, domain }: GovernAsk) {
    const candidates = ids.map((externalId) =>
      offeredOf({ externalId, text: `text of ${externalId}`, domain: domain ?? this.#domain }),
    )
    return commandOf({ candidates, consumer, runId })
  }
}
