import type { Actor } from '../actor/actor.ts'
import type { GuideStory } from '../domain/audit/story.ts'
import type { ExposureRecord } from '../domain/governance/exposure.ts'
import { decisionOf } from '../domain/guide/decision.ts'
import { exposureOf, type RuntimeParts } from './parts.ts'

type Records = Pick<RuntimeParts, 'ledger' | 'history' | 'codec'>

/** The story of a guide, from memory, ledger, journal or history. @throws guide_trace_not_found */
export async function storyOf(parts: Records, actor: Actor, guideTraceId: string): Promise<GuideStory> {
  return withDecision(parts, actor, await exposureOf(parts, actor, guideTraceId))
}

/** The exposure with its explanation. */
export async function withDecision(
  parts: Records,
  actor: Actor,
  exposure: ExposureRecord,
): Promise<GuideStory> {
  const record = await parts.history.recordAt(actor.key, exposure.seq)
  const events = record === null ? [] : parts.codec.decodeTurn(record.payload).events
  for (const event of events) {
    if (event.type !== 'guide_decided' || event.guideTraceId !== exposure.guideTraceId) continue
    return { exposure, decision: decisionOf(event, exposure) }
  }
  return { exposure, decision: null }
}

/**
 * Every guide of the actor that is kept and was made at `notAfterMs` or before, the newest first by its time, then in
 * journal order; each once. Where the clock was set back, those still in memory come before those in the ledger.
 */
export async function* guidesNewestFirst(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  notAfterMs = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<ExposureRecord> {
  const seen = new Set<string>()
  const resident = [...actor.state.exposures.values()].filter(({ atMs }) => atMs <= notAfterMs)
  for (const exposure of resident.sort((a, b) => b.atMs - a.atMs || b.seq - a.seq)) {
    seen.add(exposure.guideTraceId)
    yield exposure
  }
  for await (const exposure of parts.ledger.newestFirst(actor.key, notAfterMs)) {
    if (!seen.has(exposure.guideTraceId)) yield exposure
  }
}
