import type { OperatorEvent } from '../../contract/operator-events.ts'
import type { Surface } from '../../core/base/closed-sets.ts'
import type { Turn } from '../../core/model/events.ts'
import type { ActorState } from '../../core/model/state.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import { LOCAL_AGENT } from '../../core/model/visibility.ts'
import { type TurnEvent, turnEvents } from '../../core/report/turn-events.ts'
import { seenRecord } from '../../core/report/viewer.ts'
import { isoOf } from '../iso-time.ts'
import { listedText } from './memory-items.ts'

/** Memories of an event whose texts are told: an event stays a line that can be read. */
const TEXTS_MAX = 50

/** An event with its place in its turn, and what is told of the turn beside it. */
export interface PlacedEvent {
  readonly seq: number
  readonly index: number
  readonly atMs: number
  readonly keyId: string | null
  readonly event: TurnEvent
}

// All readers of a scope are told of the same turns: what they are told as is made once.
const EVENTS_OF = new WeakMap<Turn, readonly PlacedEvent[]>()
const OBJECT_OF = new WeakMap<PlacedEvent, OperatorEvent>()

export function placedEvents(turn: Turn): readonly PlacedEvent[] {
  const known = EVENTS_OF.get(turn)
  if (known !== undefined) return known
  const { seq, atMs, principal: keyId = null } = turn
  const events = turnEvents(turn).map((event, index) => ({ seq, index, atMs, keyId, event }))
  EVENTS_OF.set(turn, events)
  return events
}

/**
 * The event as far as a viewer may know of it: memories that it sees, guides that were made for it, keys and skills not at
 * all. Null: nothing of it is left.
 */
export function eventAsSeen(state: ActorState, viewer: Viewer, placed: PlacedEvent): PlacedEvent | null {
  if (viewer === null) return placed
  const { event } = placed
  if (event.name === 'guide' && !isMadeForViewer(event, viewer)) return null
  const isSeen = (memoryId: string) => seenRecord({ state, viewer }, memoryId) !== null
  const memoryIds = event.memoryIds.filter(isSeen)
  const isOwnGuide = event.name === 'guide'
  if (memoryIds.length === 0 && !isOwnGuide) return null
  // Whoever sees one side of a dispute only, or some sources of a skill, is not told that there are others.
  const isWhole = event.name === 'dispute' || event.name === 'settle'
  if (isWhole && memoryIds.length < event.memoryIds.length) return null
  const ofSeen = <Of extends { readonly memoryId: string }>(list: readonly Of[]) =>
    list.filter(({ memoryId }) => isSeen(memoryId))
  return {
    ...placed,
    keyId: null,
    event: {
      ...event,
      memoryIds,
      guideTraceIds: isOwnGuide ? event.guideTraceIds : [],
      skillId: null,
      shown: ofSeen(event.shown),
      screened: ofSeen(event.screened),
      moves: ofSeen(event.moves),
    },
  }
}

function isMadeForViewer(event: TurnEvent, viewer: NonNullable<Viewer>): boolean {
  return (event.consumerAgentId ?? LOCAL_AGENT) === viewer.agentId && event.consumerTeamId === viewer.teamId
}

interface Placing {
  readonly tenantId: string
  readonly scope: string
}

/** The same object for every reader who is told the same. A turn is of one actor, so that its place is always this one. */
export function eventObject(place: Placing, placed: PlacedEvent): OperatorEvent {
  const known = OBJECT_OF.get(placed)
  if (known !== undefined) return known
  const object = objectOf(place, placed)
  OBJECT_OF.set(placed, object)
  return object
}

function objectOf({ tenantId, scope }: Placing, { atMs, keyId, event }: PlacedEvent): OperatorEvent {
  return {
    contract_version: 'svc_operator_events_v1',
    tenant_id: tenantId,
    scope,
    event: event.name,
    at: isoOf(atMs),
    key_id: keyId,
    memory_ids: event.memoryIds,
    guide_trace_ids: event.guideTraceIds,
    run_id: event.runId,
    consumer_agent_id: event.consumerAgentId,
    consumer_team_id: event.consumerTeamId,
    what: event.what,
    skill_id: event.skillId,
    shown: runsOf(event.shown),
    screened: event.screened.map(({ memoryId, findings }) => ({ memory_id: memoryId, findings })),
    changes: event.moves.map(({ memoryId, facet, to, cause }) => ({ memory_id: memoryId, facet, to, cause })),
  }
}

/** Every reader is sent every guide, and many lines of one have surface and rule in common. */
function runsOf(lines: TurnEvent['shown']): OperatorEvent['shown'] {
  const runs: { surface: Surface; rule_id: string; count: number }[] = []
  for (const { surface, ruleId } of lines) {
    const last = runs.at(-1)
    if (last?.surface === surface && last.rule_id === ruleId) last.count += 1
    else runs.push({ surface, rule_id: ruleId, count: 1 })
  }
  return runs
}

/** As they are now: an erased one is gone from here too. */
export function textsOf(
  state: ActorState,
  memoryIds: readonly string[],
): NonNullable<OperatorEvent['texts']> {
  return memoryIds.slice(0, TEXTS_MAX).map((memoryId) => {
    const record = state.memories.get(memoryId)
    const isGone = record === undefined || state.erasures.has(memoryId)
    return { memory_id: memoryId, text: isGone ? null : listedText(record.content) }
  })
}
