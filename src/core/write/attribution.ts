import type { Surface, UsedSurface } from '../base/closed-sets.ts'
import { DomainError, ERRORS, invalidRequest } from '../base/errors.ts'
import { advised } from '../guide/handles.ts'
import type { FeedbackCommand } from '../model/commands.ts'
import type { ActorEvent } from '../model/events.ts'
import type { ExposureRecord } from '../model/exposure.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { resolveReferences } from '../model/references.ts'
import { type ActorState, ledgerOf } from '../model/state.ts'
import { consumerKey, isVisibleTo } from '../model/visibility.ts'
import {
  evidenceKind,
  isDirectPositive,
  isVerifiedNegative,
  type NewMark,
  positiveAdvice,
  standingMove,
  weighedReport,
} from './feedback.ts'
import { shownTo, taskSuccesses } from './task-success.ts'

export interface FeedbackEffect {
  readonly memoryIds: readonly string[]
  /** The same, each with the surface that showed it and the one it was used on. */
  readonly attributions: readonly {
    readonly memoryId: string
    /** Null: never shown. */
    readonly exposedOn: Surface | null
    readonly usedSurface: UsedSurface
  }[]
  /** Memories whose counters or standing this outcome changed. */
  readonly affectedMemoryIds: readonly string[]
  /** Shown on another surface than the one that the host says it used. */
  readonly boundaryIgnoredMemoryIds: readonly string[]
  /** Named by a host assertion without having been shown: recorded, without effect. */
  readonly unexposedMemoryIds: readonly string[]
  /** Their run has said this of them before. */
  readonly repeatedMemoryIds: readonly string[]
  /** Positives that were only observed, with what to send instead. */
  readonly warnings: readonly string[]
  /** At least one memory was credited directly by a positive outcome. */
  readonly isDirect: boolean
}

interface Exposed {
  readonly record: MemoryRecord
  /** Null: never shown; only a host assertion may name it, and it changes nothing. */
  readonly exposedOn: Surface | null
}

interface Attribution extends Exposed {
  readonly usedSurface: UsedSurface
}

export interface DecidedFeedback {
  readonly events: readonly ActorEvent[]
  readonly effect: FeedbackEffect
}

/**
 * Attributes an outcome to memory that a guide really exposed. All ids or none.
 * @throws guide_trace_used_memory_not_exposed, invalid_request
 */
export function decideFeedback(
  state: ActorState,
  command: FeedbackCommand,
  exposure: ExposureRecord | null,
): DecidedFeedback {
  const exposed = exposure === null ? byHistory(state, command) : byGuide(state, command, exposure)
  if (exposed.length === 0 && command.outcome !== 'neutral') {
    const message =
      'Send at least one of used_memory_ids, memory_ids or node_ids: a non-neutral outcome needs a memory.'
    throw invalidRequest([{ path: 'used_memory_ids', message }])
  }
  const { usedSurface } = command
  const attributions = exposed.map((each) => ({ ...each, usedSurface }))
  const ignored = attributions.filter(
    ({ exposedOn }) => exposedOn !== null && isBoundaryIgnored(command, exposedOn),
  )
  return attributed(state, command, exposure, attributions, ignored)
}

/** As what a run has used memory of each surface; what is not here may not be used. */
const USED_AS: Readonly<Partial<Record<Surface, UsedSurface>>> = {
  use_now: 'use_now',
  inspect_before_use: 'explicit_host_assertion',
}

/**
 * Attributes how a run ended to what it used of its guide, each memory as used from the surface it was shown on. What it
 * may not use gets no evidence; where nothing is left the outcome is neutral. All ids or none.
 * @throws guide_trace_used_memory_not_exposed
 */
export function decideUse(
  state: ActorState,
  command: Omit<FeedbackCommand, 'usedSurface'>,
  exposure: ExposureRecord,
): DecidedFeedback & { readonly command: FeedbackCommand } {
  const attributions: Attribution[] = []
  const ignored: Exposed[] = []
  for (const each of byGuide(state, command, exposure)) {
    const usedSurface = each.exposedOn === null ? undefined : USED_AS[each.exposedOn]
    if (usedSurface === undefined) ignored.push(each)
    else attributions.push({ ...each, usedSurface })
  }
  const isAsserted = attributions.some(({ usedSurface }) => usedSurface === 'explicit_host_assertion')
  const said: FeedbackCommand = {
    ...command,
    outcome: attributions.length === 0 ? 'neutral' : command.outcome,
    // One word for all of it: the assertion counts for use_now, too.
    usedSurface: isAsserted ? 'explicit_host_assertion' : 'use_now',
  }
  return { ...attributed(state, said, exposure, attributions, ignored), command: said }
}

function attributed(
  state: ActorState,
  command: FeedbackCommand,
  exposure: ExposureRecord | null,
  attributions: readonly Attribution[],
  ignored: readonly Exposed[],
): DecidedFeedback {
  const events: ActorEvent[] = []
  const affected: string[] = []
  const repeated: string[] = []
  const slots = attributions.map(({ record }) => record.slot)
  for (const attribution of attributions) {
    const { memoryId } = attribution.record
    const reported = report(state, command, attribution, slots)
    events.push(...reported.events)
    if (reported.isRepeat) repeated.push(memoryId)
    else if (reported.hasChanged) affected.push(memoryId)
  }
  events.push(...liftedByTask(state, command, exposure, attributions))
  const boundaryIgnored = ignored.map(({ record }) => record.memoryId)
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
      attributions: attributions.map(({ record, exposedOn, usedSurface: on }) => ({
        memoryId: record.memoryId,
        exposedOn,
        usedSurface: on,
      })),
      affectedMemoryIds: affected,
      boundaryIgnoredMemoryIds: boundaryIgnored,
      unexposedMemoryIds: unexposed,
      repeatedMemoryIds: repeated,
      warnings: positiveWarnings(command, attributions),
      isDirect: events.some((event) => event.type === 'feedback_recorded' && event.mark.direct),
    },
  }
}

/** The events of one report about one memory. */
function report(
  state: ActorState,
  command: FeedbackCommand,
  { record, exposedOn, usedSurface }: Attribution,
  slots: readonly number[],
): { readonly events: readonly ActorEvent[]; readonly isRepeat: boolean; readonly hasChanged: boolean } {
  const { memoryId } = record
  const isVerified = isVerifiedNegative(command)
  const mark: NewMark = {
    runId: command.runId,
    outcome: command.outcome,
    strong: isVerified && slots.length === 1,
    direct: exposedOn !== null && isDirectPositive({ ...command, usedSurface }, exposedOn),
    verifierStatus: command.verifierStatus,
    usedSurface,
    guideTraceId: command.printedEarlier?.get(memoryId)?.guideTraceId ?? command.guideTraceId,
    reason: command.reason,
  }
  const recorded = { type: 'feedback_recorded', memoryId, mark } as const
  if (exposedOn === null) {
    const events = [{ ...recorded, attributed: false, counts: {}, evidence: null }]
    return { events, isRepeat: false, hasChanged: false }
  }
  const kind = evidenceKind(mark, isVerified)
  const said = kind === null ? null : { kind, named: slots }
  const weighed = weighedReport(record, ledgerOf(state, record), mark, said, state.seq + 1)
  if (weighed === null) return { events: [], isRepeat: true, hasChanged: false }
  const { counts, evidence, ledger } = weighed
  const { runId, reason } = command
  const isNegative = command.outcome === 'negative'
  const move = evidence === null ? null : standingMove(record, ledger, { runId, isNegative, reason })
  return {
    events: [{ ...recorded, attributed: true, counts, evidence }, ...(move === null ? [] : [move])],
    isRepeat: false,
    hasChanged: move !== null || Object.keys(counts).length > 0,
  }
}

/** A verified success of a run speaks for demoted memory that the run was shown and that nobody named. */
function liftedByTask(
  state: ActorState,
  command: FeedbackCommand,
  exposure: ExposureRecord | null,
  attributions: readonly Attribution[],
): readonly ActorEvent[] {
  if (command.outcome !== 'positive' || command.verifierStatus !== 'passed') return []
  if (!attributions.some(({ exposedOn }) => exposedOn !== null)) return []
  const named = new Set(attributions.map(({ record }) => record.memoryId))
  const shown = shownTo(state, command.runId, exposure)
  const eyes =
    exposure === null
      ? command.viewpoint
      : { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
  const success = {
    runId: command.runId,
    taskSignature: exposure?.taskSignature ?? null,
    named: attributions.map(({ record }) => record.slot),
    reason: command.reason,
  }
  return taskSuccesses(state, success, shown, eyes)
    .filter(({ memoryId }) => !named.has(memoryId))
    .flatMap(({ events }) => events)
}

/** Ids that this list of a warning names; the rest is counted. */
const WARNED_IDS_MAX = 5

/** One sentence for each way in which a positive did not count. */
function positiveWarnings(command: FeedbackCommand, attributions: readonly Attribution[]): readonly string[] {
  const byAdvice = new Map<string, string[]>()
  for (const { record, exposedOn, usedSurface } of attributions) {
    const advice = positiveAdvice({ ...command, usedSurface }, exposedOn)
    if (advice === null) continue
    const ids = byAdvice.get(advice) ?? []
    byAdvice.set(advice, ids)
    ids.push(record.memoryId)
  }
  return [...byAdvice].map(([advice, ids]) => {
    return `positive only observed for ${listed(ids)}: ${advice}`
  })
}

/** The first ids, and how many more there are. */
export function listed(ids: readonly string[]): string {
  const more = ids.length > WARNED_IDS_MAX ? ` and ${ids.length - WARNED_IDS_MAX} more` : ''
  return `${ids.slice(0, WARNED_IDS_MAX).join(', ')}${more}`
}

/** With a guide: every id must be in its exposure, on any surface. */
function byGuide(
  state: ActorState,
  command: Omit<FeedbackCommand, 'usedSurface'>,
  exposure: ExposureRecord,
): readonly Exposed[] {
  const surfaceOf = new Map(
    exposure.memoryIds.map((id, rank) => [id, exposure.surfaces[rank] ?? 'do_not_use'] as const),
  )
  // What is named by its handle in an earlier guide of the run is what that guide showed.
  for (const [id, { surface }] of command.printedEarlier ?? []) surfaceOf.set(id, surface)
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
function byHistory(state: ActorState, command: FeedbackCommand): readonly Exposed[] {
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
  const attributions: Exposed[] = []
  for (const record of records) {
    const exposedOn = ofRun?.get(record.memoryId) ?? ofConsumer?.get(record.memoryId) ?? null
    if (exposedOn === null && !isAssertion) notExposed.push(record.memoryId)
    else if (isVisibleTo(record.audience, eyes)) attributions.push({ record, exposedOn })
  }
  if (notExposed.length > 0) throw notExposedError(null, notExposed)
  return attributions
}

function notExposedError(guideTraceId: string | null, notExposed: readonly string[]): DomainError {
  const code = 'guide_trace_used_memory_not_exposed'
  const message = advised(ERRORS[code].message, notExposed, guideTraceId)
  return new DomainError(code, { guide_trace_id: guideTraceId, not_exposed_memory_ids: notExposed }, message)
}

function isBoundaryIgnored(command: FeedbackCommand, exposedOn: Surface): boolean {
  return command.usedSurface !== 'explicit_host_assertion' && command.usedSurface !== exposedOn
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}
