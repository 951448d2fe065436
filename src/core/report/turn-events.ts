import type { FacetName } from '../base/closed-sets.ts'
import type { ActorEvent, Turn } from '../model/events.ts'
import { FACET_OF } from '../model/lifecycle.ts'
import type { Listed } from './difference.ts'

// What operators who follow a scope are told of a turn: names, ids and rule ids, never a text.

/** In the order in which one turn tells them. */
export const TURN_EVENTS = [
  'observe',
  'screening',
  'dispute',
  'guide',
  'feedback',
  'settle',
  'forget',
  'erase',
] as const
type TurnEventName = (typeof TURN_EVENTS)[number]

/** A line that a guide printed. */
interface ShownLine extends Listed {
  readonly ruleId: string
}

interface FacetMove {
  readonly memoryId: string
  readonly facet: FacetName
  /** `null` where nothing is in its place any more, as when a suppression ends. */
  readonly to: string | null
  readonly cause: string
}

/** Kinds of findings in one memory. */
interface ScreenedMemory {
  readonly memoryId: string
  readonly findings: readonly string[]
}

export interface TurnEvent {
  readonly name: TurnEventName
  /** Memories that it is about; of a guide those that it showed. */
  readonly memoryIds: readonly string[]
  readonly guideTraceIds: readonly string[]
  readonly runId: string | null
  readonly consumerAgentId: string | null
  readonly consumerTeamId: string | null
  /** Outcome of a feedback, kind of a dispute, verdict of a settlement, operation of a control. */
  readonly what: string | null
  readonly skillId: string | null
  readonly shown: readonly ShownLine[]
  readonly screened: readonly ScreenedMemory[]
  /** What the turn did to memories. */
  readonly moves: readonly FacetMove[]
}

const NOTHING: Omit<TurnEvent, 'name'> = {
  memoryIds: [],
  guideTraceIds: [],
  runId: null,
  consumerAgentId: null,
  consumerTeamId: null,
  what: null,
  skillId: null,
  shown: [],
  screened: [],
  moves: [],
}

/** What a turn is told as; nothing where it changed only what no operator follows. */
export function turnEvents({ events }: Pick<Turn, 'events'>): readonly TurnEvent[] {
  const told = [...written(events), ...events.flatMap((event) => toldOf(event, events))]
  const ordered = told.sort((a, b) => TURN_EVENTS.indexOf(a.name) - TURN_EVENTS.indexOf(b.name))
  const last = ordered.at(-1)
  const moves = facetMoves(events)
  if (last === undefined || moves.length === 0) return ordered
  // What was decided last in the turn moved the facets: a feedback behind an observe, for example.
  return [...ordered.slice(0, -1), { ...last, moves }]
}

/** What events do to memories, or would. */
export function facetMoves(events: readonly ActorEvent[]): readonly FacetMove[] {
  return events.flatMap(moveOf)
}

/** What was written in one turn is one event, and what screening found in it another. */
function written(events: readonly ActorEvent[]): readonly TurnEvent[] {
  const memoryIds: string[] = []
  const screened: ScreenedMemory[] = []
  let runId: string | null = null
  for (const event of events) {
    if (event.type !== 'memory_written' && event.type !== 'memory_revised') continue
    const { memoryId, findings, runId: ofRun } = event.type === 'memory_written' ? event.draft : event
    memoryIds.push(memoryId)
    runId ??= ofRun
    if (findings.length > 0) screened.push({ memoryId, findings })
  }
  if (memoryIds.length === 0) return []
  const observed: TurnEvent = { ...NOTHING, name: 'observe', memoryIds, runId }
  if (screened.length === 0) return [observed]
  const held = screened.map(({ memoryId }) => memoryId)
  return [observed, { ...NOTHING, name: 'screening', memoryIds: held, runId, screened }]
}

function toldOf(event: ActorEvent, turn: readonly ActorEvent[]): readonly TurnEvent[] {
  switch (event.type) {
    case 'dispute_found': {
      const memoryIds = [event.earlierId, event.laterId]
      return [{ ...NOTHING, name: 'dispute', memoryIds, what: event.kind }]
    }
    case 'exposed':
      return [
        {
          ...NOTHING,
          name: 'guide',
          memoryIds: event.memoryIds,
          guideTraceIds: [event.guideTraceId],
          runId: event.runId,
          consumerAgentId: event.consumerAgentId,
          consumerTeamId: event.consumerTeamId,
          shown: shownIn(event, turn),
        },
      ]
    case 'run_feedback_recorded': {
      const { guideTraceId, memoryIds, runId, outcome } = event
      const guideTraceIds = guideTraceId === null ? [] : [guideTraceId]
      return [{ ...NOTHING, name: 'feedback', memoryIds, guideTraceIds, runId, what: outcome }]
    }
    case 'dispute_settled': {
      const memoryIds = [event.earlierId, event.laterId]
      return [{ ...NOTHING, name: 'settle', memoryIds, what: event.settled }]
    }
    case 'skill_settled':
      return [skillEvent(event.candidateId, event.sourceMemoryIds, event.decision ?? 'reopened')]
    case 'skill_reviewed':
      return [skillEvent(event.candidateId, event.sourceMemoryIds, event.decision)]
    case 'lifecycle_requested':
      // What only reads a memory out is told nobody.
      if (event.operation === 'rehydrate') return []
      return [{ ...NOTHING, name: 'forget', memoryIds: event.memoryIds, what: event.operation }]
    case 'memory_erased':
      return [{ ...NOTHING, name: 'erase', memoryIds: event.memoryIds }]
    case 'guides_erased':
      return [{ ...NOTHING, name: 'erase', guideTraceIds: event.guideTraceIds }]
    default:
      return []
  }
}

function skillEvent(skillId: string, memoryIds: readonly string[], what: string): TurnEvent {
  return { ...NOTHING, name: 'settle', memoryIds, skillId, what }
}

/** Columns of the explanation begin with the lines that were printed. */
function shownIn(
  { guideTraceId, memoryIds, surfaces }: Extract<ActorEvent, { type: 'exposed' }>,
  turn: readonly ActorEvent[],
): readonly ShownLine[] {
  const decided = turn.find((event) => event.type === 'guide_decided' && event.guideTraceId === guideTraceId)
  const ruleAt = (at: number): string =>
    decided?.type === 'guide_decided' ? (decided.words[decided.rules[at] ?? -1] ?? '') : ''
  return memoryIds.map((memoryId, at) => ({
    memoryId,
    surface: surfaces[at] ?? 'do_not_use',
    ruleId: ruleAt(at),
  }))
}

function moveOf(event: ActorEvent): readonly FacetMove[] {
  switch (event.type) {
    case 'trust_changed':
    case 'standing_changed':
    case 'validity_changed':
    case 'availability_changed':
      return [{ memoryId: event.memoryId, facet: FACET_OF[event.type], to: event.to, cause: event.cause }]
    case 'suppression_changed': {
      const to = event.to === null ? null : 'suppressed'
      return [{ memoryId: event.memoryId, facet: 'suppression', to, cause: event.cause }]
    }
    default:
      return []
  }
}
