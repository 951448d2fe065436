import type { Actor } from '../actor/actor.ts'
import { eyesOf, type GuideStory } from '../domain/audit/story.ts'
import { DomainError } from '../domain/errors.ts'
import type { ExposureRecord } from '../domain/governance/exposure.ts'
import { consumerKey } from '../domain/governance/visibility.ts'
import { decisionOf } from '../domain/guide/decision.ts'
import type { Consumer } from '../domain/memory/record.ts'
import { exposureOf, type RuntimeParts } from './parts.ts'

type Records = Pick<RuntimeParts, 'ledger' | 'history' | 'codec'>

/** The story of a guide, from memory, ledger, journal or history. @throws guide_trace_not_found */
export async function storyOf(parts: Records, actor: Actor, guideTraceId: string): Promise<GuideStory> {
  return withDecision(parts, actor, await exposureOf(parts, actor, guideTraceId))
}

/** Null: not held, or made for somebody else than who asks. For reports to which neither is an error. */
export async function heldStory(
  parts: Records,
  actor: Actor,
  guideTraceId: string,
  eyes: Consumer | null,
): Promise<GuideStory | null> {
  try {
    const story = await storyOf(parts, actor, guideTraceId)
    return eyes === null || consumerKey(eyes) === consumerKey(eyesOf(story)) ? story : null
  } catch (error) {
    if (error instanceof DomainError && error.code === 'guide_trace_not_found') return null
    throw error
  }
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

/** Every guide of the actor that is kept, about the newest first; each once. */
export async function* guidesNewestFirst(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
): AsyncGenerator<ExposureRecord> {
  const seen = new Set<string>()
  for (const exposure of [...actor.state.exposures.values()].toReversed()) {
    seen.add(exposure.guideTraceId)
    yield exposure
  }
  for await (const exposure of parts.ledger.newestFirst(actor.key)) {
    if (!seen.has(exposure.guideTraceId)) yield exposure
  }
}
