import type { Standing, Surface, UsedSurface } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import { DomainError, ERRORS, invalidRequest } from '../base/errors.ts'
import { advised } from '../guide/handles.ts'
import type { FeedbackCommand } from '../model/commands.ts'
import type { ActorEvent, ExposureRecord } from '../model/events.ts'
import { kindOfMark } from '../model/evidence.ts'
import { EVERYONE, namesIn } from '../model/external-memory.ts'
import type { Audience, Consumer, ExternalShown, NewMark } from '../model/record.ts'
import { resolveReferences } from '../model/references.ts'
import type { ActorState } from '../model/state.ts'
import { consumerKey, isVisibleTo } from '../model/visibility.ts'
import type { Decided } from './decision.ts'
import {
  isDirectPositive,
  isVerifiedNegative,
  positiveAdvice,
  shownTo,
  standingMove,
  taskSuccesses,
  weighedReport,
} from './feedback.ts'
import { externalSubject, memorySubject, type Subject } from './subject.ts'

export interface FeedbackEffect {
  /** With the trace of a govern request these, as all that follow, are external ids. */
  readonly memoryIds: readonly string[]
  /** Client ids of those that have one. */
  readonly clientIds: readonly string[]
  /** Of a govern request's candidates what the consumer's later requests judge by; null: a guide showed it. */
  readonly externalStates: readonly ExternalState[] | null
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
  /** Positives that were only observed, with what to send instead. */
  readonly warnings: readonly string[]
  /** At least one memory was credited directly by a positive outcome. */
  readonly isDirect: boolean
}

/** What the reports of an audience say of a memory of another store, before this one and after it. */
export interface ExternalState {
  readonly sourceBackend: string
  readonly externalId: string
  readonly before: Standing
  readonly after: Standing
}

interface Exposed {
  readonly subject: Subject
  /** Null: never shown; only a host assertion may name it, and it changes nothing. */
  readonly exposedOn: Surface | null
}

interface Attribution extends Exposed {
  readonly usedSurface: UsedSurface
}

/**
 * Attributes an outcome to memory that a guide really exposed. All ids or none.
 * @throws guide_trace_used_memory_not_exposed, invalid_request
 */
export function decideFeedback(
  state: ActorState,
  command: FeedbackCommand,
  exposure: ExposureRecord | null,
): Decided<FeedbackEffect> {
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
): Decided<FeedbackEffect> & { readonly command: FeedbackCommand } {
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
): Decided<FeedbackEffect> {
  const events: ActorEvent[] = []
  const affected: string[] = []
  const slots = attributions.map(({ subject }) => subject.slot)
  for (const attribution of attributions) {
    const reported = report(state, command, attribution, slots)
    events.push(...reported.events)
    if (reported.hasChanged) affected.push(attribution.subject.id)
  }
  events.push(...liftedByTask(state, command, exposure, attributions))
  const boundaryIgnored = ignored.map(({ subject }) => subject.id)
  const memoryIds = attributions.map(({ subject }) => subject.id)
  const isExternal = exposure?.external !== undefined
  const refs = [...attributions, ...ignored].flatMap(({ subject }) => subject.external?.ref ?? [])
  const { runId, outcome, usedSurface, guideTraceId, reason, actorName } = command
  events.push({
    type: 'run_feedback_recorded',
    runId,
    outcome,
    usedSurface,
    guideTraceId,
    memoryIds: isExternal ? [] : memoryIds,
    boundaryIgnoredMemoryIds: isExternal ? [] : boundaryIgnored,
    reason,
    actorName,
    ...(isExternal ? { externalRefs: refs } : {}),
  })
  return {
    events,
    effect: {
      memoryIds,
      clientIds: attributions.flatMap(({ subject }) => subject.clientId ?? []),
      externalStates: isExternal ? externalStates(attributions, events) : null,
      attributions: attributions.map(({ subject, exposedOn, usedSurface: on }) => ({
        memoryId: subject.id,
        exposedOn,
        usedSurface: on,
      })),
      affectedMemoryIds: affected,
      boundaryIgnoredMemoryIds: boundaryIgnored,
      warnings: [...positiveWarnings(command, attributions), ...contradictions(command, attributions)],
      isDirect: events.some(
        (event) =>
          (event.type === 'feedback_recorded' || event.type === 'external_feedback_recorded') &&
          event.mark.direct,
      ),
    },
  }
}

/** The events of one report about one memory. */
function report(
  state: ActorState,
  command: FeedbackCommand,
  { subject, exposedOn, usedSurface }: Attribution,
  slots: readonly number[],
): { readonly events: readonly ActorEvent[]; readonly hasChanged: boolean } {
  const isVerified = isVerifiedNegative(command)
  const mark: NewMark = {
    runId: command.runId,
    outcome: command.outcome,
    strong: isVerified && slots.length === 1,
    direct: exposedOn !== null && isDirectPositive({ ...command, usedSurface }, exposedOn),
    verifierStatus: command.verifierStatus,
    usedSurface,
    guideTraceId: command.printedEarlier?.get(subject.id)?.guideTraceId ?? command.guideTraceId,
    reason: command.reason,
  }
  if (exposedOn === null) {
    const events = [subject.recorded({ mark, attributed: false, counts: {}, evidence: null })]
    return { events, hasChanged: false }
  }
  const kind = kindOfMark(mark, isVerified)
  const said = kind === null ? null : { kind, named: slots }
  const weighed = weighedReport(subject, mark, said, state.seq + 1)
  if (weighed === null) return { events: [], hasChanged: false }
  const { counts, evidence, ledger } = weighed
  const { runId, reason } = command
  const isNegative = command.outcome === 'negative'
  const move = evidence === null ? null : standingMove(subject, ledger, { runId, isNegative, reason })
  return {
    events: [
      subject.recorded({ mark, attributed: true, counts, evidence }),
      ...(move === null ? [] : [move]),
    ],
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
  const named = new Set(attributions.map(({ subject }) => subject.slot))
  const shown = shownTo(state, command.runId, exposure)
  const eyes =
    exposure === null
      ? command.viewpoint
      : { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId }
  const success = {
    runId: command.runId,
    taskSignature: exposure?.taskSignature ?? null,
    named: [...named],
    // What is said of those that it names is not told of others, which other people see.
    reason: 'it succeeded and was verified',
  }
  return taskSuccesses(state, success, shown, { eyes, audience: audienceOf(command, exposure) })
    .filter(({ subject }) => !named.has(subject.slot))
    .flatMap(({ events }) => events)
}

/** Ids that this list of a warning names; the rest is counted. */
const WARNED_IDS_MAX = 5

/** One sentence for each way in which a positive did not count. */
function positiveWarnings(command: FeedbackCommand, attributions: readonly Attribution[]): readonly string[] {
  const byAdvice = new Map<string, string[]>()
  for (const { subject, exposedOn, usedSurface } of attributions) {
    const advice = positiveAdvice({ ...command, usedSurface }, exposedOn)
    if (advice !== null) listAt(byAdvice, advice).push(subject.id)
  }
  return [...byAdvice].map(([advice, ids]) => `positive only observed for ${listed(ids)}: ${advice}`)
}

/** What counts is the outcome as it was sent; who sent it is told that a status beside it says otherwise. */
function contradictions(
  { outcome, verifierStatus, toolStatus }: FeedbackCommand,
  attributions: readonly Attribution[],
): readonly string[] {
  if (outcome !== 'positive' || attributions.length === 0) return []
  const failed = [
    ...(verifierStatus === 'failed' ? ['verifier_status'] : []),
    ...(toolStatus === 'failed' ? ['tool_status'] : []),
  ]
  return failed.map(
    (status) =>
      `outcome positive is what counts, though ${status} is failed: send negative for memory that the failure speaks against`,
  )
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
  if (exposure.external !== undefined) return byGovern(state, command, exposure, exposure.external)
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
  return records.map((record) => ({
    subject: memorySubject(state, record),
    exposedOn: surfaceOf.get(record.memoryId) ?? null,
  }))
}

/** With a govern request: every id must be that of one of its candidates. A memory of the actor with such an id is not meant. */
function byGovern(
  state: ActorState,
  command: Omit<FeedbackCommand, 'usedSurface'>,
  exposure: ExposureRecord,
  shown: ExternalShown,
): readonly Exposed[] {
  const audience = audienceOf(command, exposure)
  const byId = new Map(namesIn(shown).map((name) => [name.externalId, name]))
  const ids = unique(command.memoryIds)
  const notExposed = [...ids.filter((id) => !byId.has(id)), ...command.clientIds]
  if (notExposed.length > 0) throw notExposedError(command.guideTraceId, notExposed)
  return ids.flatMap((id) => {
    const name = byId.get(id)
    if (name === undefined) return []
    const known = state.external.get(name.sourceBackend, id)
    return { subject: externalSubject(name, known, audience), exposedOn: name.surface }
  })
}

/** Whose later govern requests a report counts for: its own word, else what the govern request said. */
function audienceOf(
  { audience }: Pick<FeedbackCommand, 'audience'>,
  exposure: ExposureRecord | null,
): Audience {
  return audience ?? exposure?.external?.audience ?? EVERYONE
}

function externalStates(
  attributions: readonly Attribution[],
  events: readonly ActorEvent[],
): readonly ExternalState[] {
  const movedTo = new Map<string, Standing>()
  for (const event of events)
    if (event.type === 'external_standing_changed') movedTo.set(event.memory.ref, event.to)
  return attributions.flatMap(({ subject: { external, standing } }) => {
    if (external === null) return []
    const { sourceBackend, externalId, ref } = external
    return { sourceBackend, externalId, before: standing, after: movedTo.get(ref) ?? standing }
  })
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
    else if (isVisibleTo(record.audience, eyes))
      attributions.push({ subject: memorySubject(state, record), exposedOn })
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
