import type { Surface } from '../base/closed-sets.ts'
import { DomainError, invalidRequest } from '../base/errors.ts'
import type { FeedbackCommand } from '../model/commands.ts'
import type { ActorEvent } from '../model/events.ts'
import type { ExposureRecord } from '../model/exposure.ts'
import { moveFacet } from '../model/lifecycle.ts'
import type { Consumer, FeedbackMark, MemoryRecord } from '../model/record.ts'
import { resolveReferences } from '../model/references.ts'
import type { ActorState } from '../model/state.ts'
import { consumerKey, isVisibleTo } from '../model/visibility.ts'
import { isDirectPositive, isRepeat, isStrongNegative, standingAfter } from './feedback.ts'

export interface FeedbackEffect {
  readonly memoryIds: readonly string[]
  /** Memories whose counters or standing this outcome changed. */
  readonly affectedMemoryIds: readonly string[]
  /** Shown on another surface than the one that the host says it used. */
  readonly boundaryIgnoredMemoryIds: readonly string[]
  /** Named by a host assertion without having been shown: recorded, without effect. */
  readonly unexposedMemoryIds: readonly string[]
  readonly repeatedMemoryIds: readonly string[]
  /** At least one memory was credited directly by a positive outcome. */
  readonly isDirect: boolean
}

interface Attribution {
  readonly record: MemoryRecord
  /** Null: never shown; only a host assertion may name it, and it changes nothing. */
  readonly exposedOn: Surface | null
}

/**
 * Attributes an outcome to memory that a guide really exposed. All ids or none.
 * @throws guide_trace_used_memory_not_exposed, invalid_request
 */
export function decideFeedback(
  state: ActorState,
  command: FeedbackCommand,
  exposure: ExposureRecord | null,
): { readonly events: readonly ActorEvent[]; readonly effect: FeedbackEffect } {
  const attributions = exposure === null ? byHistory(state, command) : byGuide(state, command, exposure)
  if (attributions.length === 0 && command.outcome !== 'neutral') {
    const message =
      'Send at least one of used_memory_ids, memory_ids or node_ids: a non-neutral outcome needs a memory.'
    throw invalidRequest([{ path: 'used_memory_ids', message }])
  }
  const events: ActorEvent[] = []
  const affected: string[] = []
  const repeated: string[] = []
  for (const attribution of attributions) {
    const { record } = attribution
    if (attribution.exposedOn !== null && isRepeat(record, command.runId, command.outcome))
      repeated.push(record.memoryId)
    else affected.push(...attribute(events, command, attribution, attributions.length))
  }
  const boundaryIgnored = attributions
    .filter(({ exposedOn }) => exposedOn !== null && isBoundaryIgnored(command, exposedOn))
    .map(({ record }) => record.memoryId)
  const memoryIds = attributions.map(({ record }) => record.memoryId)
  const { runId, outcome, usedSurface, guideTraceId, reason, actorName } = command
  events.push({
    type: 'run_feedback_recorded',
    runId,
    outcome,
    usedSurface,
    guideTraceId,
    memoryIds,
    boundaryIgnoredMemoryIds: boundaryIgnored,
    reason,
    actorName,
  })
  const unexposed = attributions
    .filter(({ exposedOn }) => exposedOn === null)
    .map(({ record }) => record.memoryId)
  return {
    events,
    effect: {
      memoryIds,
      affectedMemoryIds: affected,
      boundaryIgnoredMemoryIds: boundaryIgnored,
      unexposedMemoryIds: unexposed,
      repeatedMemoryIds: repeated,
      isDirect: events.some((event) => event.type === 'feedback_recorded' && event.mark.direct),
    },
  }
}

function attribute(
  events: ActorEvent[],
  command: FeedbackCommand,
  { record, exposedOn }: Attribution,
  namedCount: number,
): readonly string[] {
  const mark: Omit<FeedbackMark, 'seq' | 'atMs'> = {
    runId: command.runId,
    outcome: command.outcome,
    strong: isStrongNegative({ ...command, namedCount }),
    direct: exposedOn !== null && isDirectPositive(command.outcome, command.usedSurface, exposedOn),
    verifierStatus: command.verifierStatus,
    usedSurface: command.usedSurface,
    guideTraceId: command.guideTraceId,
    reason: command.reason,
  }
  events.push({ type: 'feedback_recorded', memoryId: record.memoryId, mark, attributed: exposedOn !== null })
  if (exposedOn === null) return []
  const move = standingAfter(record, mark)
  const event = move === null ? null : moveFacet(record, { facet: 'standing', ...move })
  if (event !== null) events.push(event)
  return [record.memoryId]
}

/** With a guide: every id must be in its exposure, on any surface. */
function byGuide(
  state: ActorState,
  command: FeedbackCommand,
  exposure: ExposureRecord,
): readonly Attribution[] {
  const surfaceOf = new Map(
    exposure.memoryIds.map((id, rank) => [id, exposure.surfaces[rank] ?? 'do_not_use'] as const),
  )
  const eyes: Consumer = { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
  const references = { memoryIds: unique(command.memoryIds), clientIds: command.clientIds, anchors: [] }
  const { records, missing } = resolveReferences(state, references, eyes)
  const notExposed = [...missing, ...records.map((record) => record.memoryId)].filter(
    (id) => !surfaceOf.has(id),
  )
  if (notExposed.length > 0) throw notExposedError(command.guideTraceId, notExposed)
  return records.map((record) => ({ record, exposedOn: surfaceOf.get(record.memoryId) ?? null }))
}

/** Without a guide: exposed by some guide of the run or of the consumer; a host assertion may name any visible memory. */
function byHistory(state: ActorState, command: FeedbackCommand): readonly Attribution[] {
  const eyes: Consumer = command.viewpoint
  const { records, missing } = resolveReferences(
    state,
    { memoryIds: unique(command.memoryIds), clientIds: command.clientIds, anchors: [] },
    eyes,
  )
  const ofRun = state.exposedByRun.get(command.runId)
  const ofConsumer = state.exposedByConsumer.get(consumerKey(eyes))
  const isAssertion = command.usedSurface === 'explicit_host_assertion'
  const notExposed: string[] = [...missing]
  const attributions: Attribution[] = []
  for (const record of records) {
    const exposedOn = ofRun?.get(record.memoryId) ?? ofConsumer?.get(record.memoryId) ?? null
    if (exposedOn === null && !isAssertion) notExposed.push(record.memoryId)
    else if (isVisibleTo(record.audience, eyes)) attributions.push({ record, exposedOn })
  }
  if (notExposed.length > 0) throw notExposedError(null, notExposed)
  return attributions
}

function notExposedError(guideTraceId: string | null, notExposed: readonly string[]): DomainError {
  return new DomainError('guide_trace_used_memory_not_exposed', {
    guide_trace_id: guideTraceId,
    not_exposed_memory_ids: notExposed,
  })
}

function isBoundaryIgnored(command: FeedbackCommand, exposedOn: Surface): boolean {
  return command.usedSurface !== 'explicit_host_assertion' && command.usedSurface !== exposedOn
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
