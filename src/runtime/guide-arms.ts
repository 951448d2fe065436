import type { Actor } from '../actor/actor.ts'
import { GUIDES_MAX, type GuideArms, GuideArmsSum } from '../core/measure/guide-arms.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import type { RuntimeParts } from './parts.ts'
import { guidesNewestFirst } from './reports/guide-records.ts'

interface SeenGuides {
  readonly sum: GuideArmsSum
  /** Every kept guide up to this sequence is in the sum. */
  newestSeq: number
}

// A guide never changes, so each is looked at once for as long as its actor stays in memory. A clock that was set back
// may hide one; its run is left out then, because the state knows that it was shown something.
const seenByActor = new WeakMap<Actor, SeenGuides>()

/** Which runs had memory. A guide that is made meanwhile leaves its run out. */
export async function guideArms(parts: Pick<RuntimeParts, 'ledger'>, actor: Actor): Promise<GuideArms> {
  if (actor.state.runLines.size === 0) return new GuideArmsSum().arms(0)
  const known = actor.state.exposureCount
  const found = await guidesSince(parts, actor, seenByActor.get(actor)?.newestSeq ?? 0)
  // More than are looked at: there is a gap to what was seen before, so that it is begun anew.
  const earlier = found.length < GUIDES_MAX ? seenByActor.get(actor) : undefined
  const seen: SeenGuides = earlier ?? { sum: new GuideArmsSum(), newestSeq: 0 }
  // Another measurement may have added some of them while this one was reading.
  const { newestSeq } = seen
  for (const guide of found) {
    if (guide.seq <= newestSeq) continue
    seen.sum.add(guide)
    seen.newestSeq = Math.max(seen.newestSeq, guide.seq)
  }
  // What has grown too much is let go; the next measurement looks again.
  if (seen.sum.count > 2 * GUIDES_MAX) seenByActor.delete(actor)
  else seenByActor.set(actor, seen)
  return seen.sum.arms(known)
}

async function guidesSince(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  sinceSeq: number,
): Promise<readonly ExposureRecord[]> {
  const found: ExposureRecord[] = []
  for await (const guide of guidesNewestFirst(parts, actor, Number.MAX_SAFE_INTEGER, sinceSeq)) {
    if (guide.seq <= sinceSeq || found.length >= GUIDES_MAX) break
    found.push(guide)
  }
  return found
}
