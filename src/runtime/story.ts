import type { Actor } from '../actor/actor.ts'
import { DomainError } from '../core/base/errors.ts'
import { decisionOf } from '../core/guide/decision.ts'
import { eyesOf, type GuideStory } from '../core/guide/story.ts'
import type { ExposureRecord } from '../core/model/exposure.ts'
import type { Consumer } from '../core/model/record.ts'
import { consumerKey } from '../core/model/visibility.ts'
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

/**
 * Every guide of the actor that is kept and was made at `notAfterMs` or before, each once, the newest first by its time;
 * of one instant the last in journal order first. Those in memory up to the sequence `sinceSeq` are left out.
 */
export async function* guidesNewestFirst(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  notAfterMs = Number.MAX_SAFE_INTEGER,
  sinceSeq = 0,
): AsyncGenerator<ExposureRecord> {
  const resident: ExposureRecord[] = []
  for (const exposure of actor.state.exposures.values()) {
    if (exposure.seq > sinceSeq && exposure.atMs <= notAfterMs) resident.push(exposure)
  }
  const isResident = new Set(resident.map(({ guideTraceId }) => guideTraceId))
  let waiting = resident.sort(byTime)
  for await (const stored of parts.ledger.newestFirst(actor.key, notAfterMs)) {
    // What is in memory is newer, unless the clock was set back.
    const newer = waiting.findIndex((exposure) => byTime(exposure, stored) > 0)
    const first = newer === -1 ? waiting : waiting.slice(0, newer)
    yield* first
    waiting = waiting.slice(first.length)
    if (!isResident.has(stored.guideTraceId)) yield stored
  }
  yield* waiting
}

function byTime(a: ExposureRecord, b: ExposureRecord): number {
  return b.atMs - a.atMs || b.seq - a.seq
}
