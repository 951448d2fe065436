import { FEEDBACK_OUTCOMES, type Surface, USED_SURFACES, VERIFIER_STATUSES } from '../base/closed-sets.ts'
import { isObject } from '../base/collections.ts'
import { fieldOf, isSameSet, partOf, textOf, textsOf, type WireObject } from '../measure/wire-object.ts'
import type { ActorEvent, ExposureRecord, Turn } from '../model/events.ts'
import type { FeedbackMark } from '../model/record.ts'
import { type ActorState, MARKS_MAX } from '../model/state.ts'
import { isDirectPositive, isVerifiedNegative } from '../write/feedback.ts'
import type { MemoryOutcome } from './guide-record.ts'

/** One report of an outcome: what a host said once, about one or more memories. */
export interface FeedbackReport
  extends Pick<FeedbackMark, 'seq' | 'runId' | 'outcome' | 'usedSurface' | 'guideTraceId'> {
  readonly memoryIds: readonly string[]
}

/** Reports about one guide as history holds them. */
export interface ReportHistory {
  /** False: some turns since the guide are kept no longer, or were too many to read. */
  readonly isComplete: boolean
  readonly reports: readonly FeedbackReport[]
}

/** What a feedback response that a caller hands back says, wherever it says it. */
export type SaidFeedback = ReturnType<typeof saidIn>

/** How a supplied feedback response stands to the record. */
export type FeedbackVerdict =
  | { readonly status: 'agrees' }
  | { readonly status: 'unknown' }
  | { readonly status: 'differs'; readonly field: string }

/** An answer that tells of an outcome; operator activations and other lifecycle answers do not. */
export function isFeedback(value: WireObject): boolean {
  return textOf(value, 'contract_version') === 'svc_feedback_result_v1' || saidIn(value).outcomes.length > 0
}

export function saidIn(value: WireObject) {
  const effect = partOf(value, 'forget_effect')
  const attribution = partOf(effect, 'attribution')
  const trace = partOf(effect, 'guide_trace')
  const nested = partOf(value, 'feedback_effect')
  const parts = [value, nested, attribution, trace]
  const texts = (name: string): readonly string[] => parts.flatMap((part) => textOf(part, name) ?? [])
  const lists = (part: WireObject, name: string): readonly (readonly string[])[] =>
    Array.isArray(fieldOf(part, name)) ? [textsOf(part, name)] : []
  return {
    guideTraceIds: texts('guide_trace_id'),
    runIds: texts('run_id'),
    outcomes: texts('outcome'),
    usedSurfaces: texts('used_surface'),
    verifierStatuses: texts('verifier_status'),
    idLists: [
      ...[value, nested].flatMap((part) => [
        ...lists(part, 'used_memory_ids'),
        ...lists(part, 'attributed_memory_ids'),
      ]),
      ...lists(trace, 'attributed_memory_ids'),
      ...(isObject(fieldOf(effect, 'attribution')) ? lists(effect, 'affected_memory_ids') : []),
    ],
    // Null: it names no exposure.
    exposedIds: lists(trace, 'exposed_memory_ids')[0] ?? null,
  }
}

/** Reports about a guide, as the outcomes on memories give them: what was repeated and what names nothing is not among them. */
export function reportsIn(outcomes: readonly MemoryOutcome[]): readonly FeedbackReport[] {
  const bySeq = new Map<number, FeedbackReport>()
  for (const { memoryId, mark } of outcomes) {
    const { seq, runId, outcome, usedSurface, guideTraceId } = mark
    const memoryIds = [...(bySeq.get(seq)?.memoryIds ?? []), memoryId]
    bySeq.set(seq, { seq, runId, outcome, usedSurface, guideTraceId, memoryIds })
  }
  return [...bySeq.values()]
}

/** Reports about a guide in one turn of its actor. */
export function reportsOfTurn(turn: Turn, exposure: ExposureRecord): readonly FeedbackReport[] {
  return turn.events.flatMap((event) => {
    if (event.type !== 'run_feedback_recorded') return []
    const { runId, outcome, usedSurface, guideTraceId } = event
    const memoryIds = namedIn(event, exposure)
    const isAbout =
      guideTraceId === null
        ? runId === exposure.runId && turn.seq > exposure.seq
        : guideTraceId === exposure.guideTraceId
    return isAbout ? [{ seq: turn.seq, runId, outcome, usedSurface, guideTraceId, memoryIds }] : []
  })
}

/** Memory that a report names; of other stores by the ids that the exposure has for it. */
function namedIn(
  { memoryIds, externalRefs }: Extract<ActorEvent, { type: 'run_feedback_recorded' }>,
  { external }: ExposureRecord,
): readonly string[] {
  if (externalRefs === undefined || external === undefined) return memoryIds
  return external.externalIds.filter((_, at) => externalRefs.includes(external.refs[at] ?? ''))
}

/**
 * Compares a supplied feedback response with what was recorded about the guide.
 * @param history null: not read; then only what the memories themselves hold is compared
 */
export function judgeFeedback(
  said: SaidFeedback,
  exposure: ExposureRecord,
  outcomes: readonly MemoryOutcome[],
  history: ReportHistory | null,
  memories: ActorState['memories'],
): FeedbackVerdict {
  if (said.guideTraceIds.some((id) => id !== exposure.guideTraceId)) {
    return { status: 'differs', field: 'guide_trace_id' }
  }
  if (said.exposedIds !== null && !isSameSet(said.exposedIds, exposure.memoryIds)) {
    return { status: 'differs', field: 'exposed_memory_ids' }
  }
  if (isAgreed(said, reportsIn(outcomes), outcomes)) return { status: 'agrees' }
  const reports = history?.reports ?? []
  if (isAgreed(said, reports, outcomes)) return { status: 'agrees' }
  const isCertain = history?.isComplete === true || isDenied(said, exposure, memories)
  return isCertain ? { status: 'differs', field: differingField(said, reports) } : { status: 'unknown' }
}

/** What a supplied report would have amounted to, for a guide that is not held here. */
export function suppliedOutcomes(
  said: SaidFeedback,
  guideTraceId: string | null,
  surfaceOf: ReadonlyMap<string, Surface>,
): readonly MemoryOutcome[] {
  const outcome = FEEDBACK_OUTCOMES.find((word) => word === said.outcomes[0])
  const usedSurface = USED_SURFACES.find((word) => word === said.usedSurfaces[0]) ?? 'use_now'
  const verifierStatus = VERIFIER_STATUSES.find((word) => word === said.verifierStatuses[0]) ?? null
  const named = (said.idLists[0] ?? []).filter((id) => surfaceOf.has(id))
  if (outcome === undefined) return []
  const evidence = { outcome, verifierStatus, toolStatus: null, runtimeSignalRefs: [] }
  return named.map((memoryId) => ({
    memoryId,
    mark: {
      runId: said.runIds[0] ?? '',
      outcome,
      strong: isVerifiedNegative(evidence) && named.length === 1,
      direct: isDirectPositive(
        { outcome, usedSurface, verifierStatus },
        surfaceOf.get(memoryId) ?? 'do_not_use',
      ),
      verifierStatus,
      usedSurface,
      guideTraceId,
      reason: '',
      atMs: 0,
      seq: 0,
    },
  }))
}

const all = (values: readonly string[], wanted: string): boolean => values.every((value) => value === wanted)

const CHECKS: readonly (readonly [string, (said: SaidFeedback, report: FeedbackReport) => boolean])[] = [
  ['run_id', (said, report) => all(said.runIds, report.runId)],
  ['outcome', (said, report) => all(said.outcomes, report.outcome)],
  ['used_surface', (said, report) => all(said.usedSurfaces, report.usedSurface)],
  ['used_memory_ids', (said, report) => said.idLists.every((ids) => isSameSet(ids, report.memoryIds))],
]

function isAgreed(
  said: SaidFeedback,
  reports: readonly FeedbackReport[],
  outcomes: readonly MemoryOutcome[],
): boolean {
  return reports.some((report) => {
    const own = outcomes.filter(({ mark }) => mark.seq === report.seq)
    const isVerified = own.every(({ mark }) => all(said.verifierStatuses, mark.verifierStatus ?? ''))
    return isVerified && CHECKS.every(([, holds]) => holds(said, report))
  })
}

/** A memory that still holds all its outcomes would hold this one, and a guide gets none for what it did not show. */
function isDenied(
  { guideTraceIds, runIds, outcomes, idLists }: SaidFeedback,
  exposure: ExposureRecord,
  memories: ActorState['memories'],
): boolean {
  const [runId, outcome] = [runIds[0], outcomes[0]]
  return idLists.flat().some((id) => {
    if (!exposure.memoryIds.includes(id)) return guideTraceIds.length > 0
    // What a run said of memory of another store is no mark of a memory.
    if (exposure.external !== undefined) return false
    const marks = memories.get(id)?.marks ?? []
    if (runId === undefined || outcome === undefined || marks.length >= MARKS_MAX) return false
    return !marks.some((mark) => mark.runId === runId && mark.outcome === outcome)
  })
}

/** The first field on which no report agrees that agrees on those before it. */
function differingField(said: SaidFeedback, reports: readonly FeedbackReport[]): string {
  let left = reports
  for (const [field, holds] of CHECKS) {
    const next = left.filter((report) => holds(said, report))
    if (next.length === 0 && isSaid(said, field)) return field
    if (next.length > 0) left = next
  }
  return 'verifier_status'
}

function isSaid(said: SaidFeedback, field: string): boolean {
  if (field === 'run_id') return said.runIds.length > 0
  if (field === 'outcome') return said.outcomes.length > 0
  return field === 'used_surface' ? said.usedSurfaces.length > 0 : said.idLists.length > 0
}
