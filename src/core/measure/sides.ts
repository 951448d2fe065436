import { feedbackOf, outcomeOf, type RecordedFeedback, type RecordedGuide } from './evidence.ts'
import { type GuideSnapshot, type LifecycleResult, snapshotOfRecord } from './guide-snapshot.ts'
import type { MeasureJob, RuntimeRecords } from './job.ts'
import { NO_OBSERVATION, type Observation, overlaid } from './observation.ts'
import { observationOf } from './projection.ts'

/** Both observations of a job, and what the records alone say of how the runs ended. */
export interface Sides {
  readonly baseline: Observation
  readonly guided: Observation
  /** By the records; null: not known. */
  readonly ends: { readonly baseline: boolean | null; readonly guided: boolean | null }
  readonly before: GuideSnapshot | null
  readonly after: GuideSnapshot | null
  readonly lifecycle: readonly LifecycleResult[]
  /** Outcomes of the guide after. */
  readonly feedback: readonly RecordedFeedback[]
  /** A direct positive names memory that the guide before did not give for direct use. */
  readonly isNewMemoryCredited: boolean
  /** Null: the records do not hold both guides. */
  readonly records: { readonly before: RecordedGuide; readonly after: RecordedGuide } | null
}

export function sidesOf({ input, records }: MeasureJob): Sides {
  if (input.source === 'manual_observations') {
    const { baseline, guided } = input
    return {
      baseline,
      guided,
      ends: { baseline: null, guided: null },
      before: null,
      after: null,
      lifecycle: [],
      feedback: [],
      isNewMemoryCredited: false,
      records: null,
    }
  }
  const after = held(input.after, records, null)
  const before = input.before === null ? null : held(input.before, records, after.record?.seq ?? null)
  const usePackets = after.snapshot.packets !== null && (before === null || before.snapshot.packets !== null)
  const shared = sharedIds(before, after)
  const view = { usePackets, lifecycle: input.lifecycle, sharedIds: shared }
  const projectedBefore = before === null ? NO_OBSERVATION : sideOf(before, 'baseline', view)
  return {
    baseline: input.baseline === null ? projectedBefore : overlaid(input.baseline, projectedBefore),
    guided: sideOf(after, 'guided', view),
    ends: { baseline: before?.isSuccess ?? null, guided: after.isSuccess },
    before: before?.snapshot ?? null,
    after: after.snapshot,
    lifecycle: input.lifecycle,
    feedback: after.feedback,
    isNewMemoryCredited: after.feedback.some(
      ({ memoryId, isDirect }) => isDirect && memoryId !== null && !shared.has(memoryId),
    ),
    records: bothRecords(before, after),
  }
}

function bothRecords(before: HeldGuide | null, after: HeldGuide): Sides['records'] {
  if (before === null || before.record === null || after.record === null) return null
  return { before: before.record, after: after.record }
}

/** A supplied guide, the record of it if there is one, and the outcomes of that record. */
interface HeldGuide {
  readonly snapshot: GuideSnapshot
  readonly record: RecordedGuide | null
  readonly feedback: readonly RecordedFeedback[]
  /** How its run ended, by the records; null: not known. */
  readonly isSuccess: boolean | null
}

function held(
  snapshot: GuideSnapshot,
  { guides, feedback, ends }: RuntimeRecords,
  nextSeq: number | null,
): HeldGuide {
  const record = guides.find(({ guideTraceId }) => guideTraceId === snapshot.guideTraceId) ?? null
  if (record === null) return { snapshot, record, feedback: [], isSuccess: null }
  const { guideTraceId, exposed } = record
  const own = feedbackOf(record, feedback, nextSeq)
  const end = ends.find((one) => one.guideTraceId === guideTraceId)?.isSuccess ?? null
  const filled =
    snapshot.exposed === null
      ? { ...snapshotOfRecord(guideTraceId, exposed), explicit: snapshot.explicit }
      : snapshot
  return { snapshot: filled, record, feedback: own, isSuccess: successOf(outcomeOf(own), end) }
}

/** A failure counts, whoever tells of it: the run itself, or feedback. */
function successOf(told: ReturnType<typeof outcomeOf>, end: boolean | null): boolean | null {
  if (told === 'negative' || end === false) return false
  return told === 'positive' ? true : end
}

interface PairView {
  readonly usePackets: boolean
  readonly lifecycle: readonly LifecycleResult[]
  readonly sharedIds: ReadonlySet<string>
}

/** Given for direct use by both guides: what became of it is no difference between them. */
function sharedIds(before: HeldGuide | null, after: HeldGuide): ReadonlySet<string> {
  const earlier = new Set(before?.snapshot.exposed?.use_now)
  return new Set(after.snapshot.exposed?.use_now.filter((id) => earlier.has(id)))
}

function sideOf(
  { feedback, snapshot, isSuccess }: HeldGuide,
  side: 'baseline' | 'guided',
  view: PairView,
): Observation {
  const own = feedback.filter(({ memoryId }) => memoryId === null || !view.sharedIds.has(memoryId))
  const idsOf = (holds: (row: RecordedFeedback) => boolean): number =>
    new Set(own.filter(holds).map(({ memoryId }) => memoryId)).size
  return observationOf(snapshot, {
    side,
    usePackets: view.usePackets,
    isSuccess,
    promotedCount: idsOf((row) => row.outcome === 'positive' && row.isDirect),
    demotedCount: idsOf((row) => row.outcome === 'negative'),
    lifecycle: side === 'guided' ? view.lifecycle : [],
  })
}
