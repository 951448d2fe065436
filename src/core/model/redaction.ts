import { type Redaction, redactedTurn } from './erasure.ts'
import type { ActorEvent, Turn } from './events.ts'
import type { ExposureRecord } from './exposure.ts'
import { withoutErased } from './external-memory.ts'
import { guidesGone, turnWithoutGuides } from './guide-erasure.ts'

/** Takes out of stored turns and exposure sets what an actor has erased. */
export interface Redactor {
  /** The same object when nothing in it has to go, so that redacting twice changes nothing. */
  turn(turn: Turn): Turn
  /** As `turn`; null: all of it has to go. */
  exposure(shown: ExposureRecord): ExposureRecord | null
}

export function redactor({ memoryIds, guides, external, untilSeq }: Redaction): Redactor {
  const erased = new Set(memoryIds)
  const isGuideGone = guidesGone(guides)
  const seqOf = new Map(external.map(({ ref, seq }) => [ref, seq]))
  // What was governed after the erasure is another matter.
  const isErasedIn =
    (seq: number) =>
    (ref: string): boolean =>
      seq < (seqOf.get(ref) ?? 0)
  return {
    turn: (turn) =>
      turnWithoutExternal(
        redactedTurn(turnWithoutGuides(turn, isGuideGone), erased, untilSeq),
        isErasedIn(turn.seq),
      ),
    exposure: (shown) => {
      if (isGuideGone(shown, shown.seq)) return null
      if (shown.external === undefined) return shown
      const left = withoutErased(shown.external, isErasedIn(shown.seq))
      return left === shown.external ? shown : { ...shown, external: left }
    },
  }
}

function turnWithoutExternal(turn: Turn, isErased: (ref: string) => boolean): Turn {
  let hasChanged = false
  const events = turn.events.flatMap((event) => {
    const left = leftOf(event, isErased)
    hasChanged ||= left !== event
    return left === null ? [] : [left]
  })
  return hasChanged ? { ...turn, events } : turn
}

/** Null: the event goes. A sentence about several of them may name the one that goes. */
function leftOf(event: ActorEvent, isErased: (ref: string) => boolean): ActorEvent | null {
  switch (event.type) {
    case 'exposed': {
      if (event.external === undefined) return event
      const external = withoutErased(event.external, isErased)
      return external === event.external ? event : { ...event, external }
    }
    case 'external_feedback_recorded':
    case 'external_standing_changed':
    case 'external_task_succeeded':
      return isErased(event.memory.ref) ? null : event
    case 'run_feedback_recorded':
      return event.reason !== '' && event.externalRefs?.some(isErased) === true
        ? { ...event, reason: '' }
        : event
    default:
      return event
  }
}
