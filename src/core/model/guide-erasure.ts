import { listAt } from '../base/collections.ts'
import type { ExposedSet, Turn } from './events.ts'
import type { Consumer } from './record.ts'
import { consumerKey } from './visibility.ts'

/** What is left of an erased guide, or of every guide that a run had until then. */
export interface GuideErasure {
  readonly kind: 'guide' | 'run'
  /** The guide's trace, or the run. */
  readonly id: string
  /** Of a run only the guides for this consumer; null: for whomever. */
  readonly madeFor: Consumer | null
  /** The operator's words, as they came with the request. */
  readonly reason: string
  readonly by: string | null
  readonly atMs: number
  /** Turn that erased it: a later guide of the run is another matter. */
  readonly seq: number
}

/** Tombstones that an actor keeps, the oldest out. What they are about was gone before. */
export const ERASED_GUIDES_MAX = 100_000

export function guideErasureKey({
  kind,
  id,
  madeFor,
}: Pick<GuideErasure, 'kind' | 'id' | 'madeFor'>): string {
  return JSON.stringify([kind, id, madeFor === null ? null : consumerKey(madeFor)])
}

type Shown = Pick<ExposedSet, 'guideTraceId' | 'runId' | 'consumerAgentId' | 'consumerTeamId'>

/** Tells whether a guide of a turn was erased. */
export type IsGuideGone = (shown: Shown, seq: number) => boolean

export function guidesGone(erasures: Iterable<GuideErasure>): IsGuideGone {
  const traces = new Set<string>()
  const runs = new Map<string, GuideErasure[]>()
  for (const erasure of erasures) {
    if (erasure.kind === 'guide') traces.add(erasure.id)
    else listAt(runs, erasure.id).push(erasure)
  }
  return ({ guideTraceId, runId, consumerAgentId, consumerTeamId }, seq) => {
    if (traces.has(guideTraceId)) return true
    const asked = runId === null ? undefined : runs.get(runId)
    if (asked === undefined) return false
    const consumer = consumerKey({ agentId: consumerAgentId, teamId: consumerTeamId })
    return asked.some(
      ({ madeFor, seq: untilSeq }) =>
        seq < untilSeq && (madeFor === null || consumerKey(madeFor) === consumer),
    )
  }
}

/** A turn without what erased guides asked, showed and weighed; the same object when it has none of them. */
export function turnWithoutGuides(turn: Turn, isGone: IsGuideGone): Turn {
  const gone = new Set<string>()
  for (const event of turn.events)
    if (event.type === 'exposed' && isGone(event, turn.seq)) gone.add(event.guideTraceId)
  if (gone.size === 0) return turn
  const events = turn.events.filter(
    (event) =>
      !((event.type === 'exposed' || event.type === 'guide_decided') && gone.has(event.guideTraceId)),
  )
  return { ...turn, events }
}
