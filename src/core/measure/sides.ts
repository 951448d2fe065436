import {
  feedbackOf,
  isVerifiedOutcome,
  outcomeOf,
  type RecordedFeedback,
  type RecordedGuide,
} from './evidence.ts'
import { type GuideSnapshot, type LifecycleResult, snapshotOfRecord } from './guide-snapshot.ts'
import type { MeasureJob, RuntimeRecords } from './job.ts'
import { NO_OBSERVATION, type Observation, overlaid } from './observation.ts'
import { observationOf } from './projection.ts'

/** Both observations of a job, as the caller's artifacts give them and as the records alone do. */
export interface Sides {
  readonly baseline: Observation
  readonly guided: Observation
  /** Null: the records do not hold both guides. */
  readonly recorded: { readonly baseline: Observation; readonly guided: Observation } | null
  readonly before: GuideSnapshot | null
  readonly after: GuideSnapshot | null
  readonly lifecycle: readonly LifecycleResult[]
  /** Outcomes of the guide after. */
  readonly feedback: readonly RecordedFeedback[]
  /** A verified negative outcome names memory that only the guide after gave for direct use. */
  readonly isMemoryBlamed: boolean
  /** Null: the records do not hold both guides. */
  readonly records: { readonly before: RecordedGuide; readonly after: RecordedGuide } | null
}

export function sidesOf({ input, records }: MeasureJob): Sides {
  if (input.source === 'manual_observations') {
    const { baseline, guided } = input
    return {
      baseline,
      guided,
      recorded: null,
      before: null,
      after: null,
      lifecycle: [],
      feedback: [],
      isMemoryBlamed: false,
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
    recorded: recordedSides(before, after),
    before: before?.snapshot ?? null,
    after: after.snapshot,
    lifecycle: input.lifecycle,
    feedback: after.feedback,
    isMemoryBlamed: isBlamed(after, shared),
    records: bothRecords(before, after),
  }
}

function bothRecords(before: HeldGuide | null, after: HeldGuide): Sides['records'] {
  if (before === null || before.record === null || after.record === null) return null
  return { before: before.record, after: after.record }
}

function isBlamed({ record, feedback }: HeldGuide, shared: ReadonlySet<string>): boolean {
  const given = new Set(record?.exposed.use_now.filter((id) => !shared.has(id)))
  return feedback.some(
    (row) =>
      row.outcome === 'negative' &&
      isVerifiedOutcome(row) &&
      row.memoryId !== null &&
      given.has(row.memoryId),
  )
}

/** A supplied guide, the record of it if there is one, and the outcomes of that record. */
interface HeldGuide {
  readonly snapshot: GuideSnapshot
  readonly record: RecordedGuide | null
  readonly feedback: readonly RecordedFeedback[]
}

function held(
  snapshot: GuideSnapshot,
  { guides, feedback }: RuntimeRecords,
  nextSeq: number | null,
): HeldGuide {
  const record = guides.find(({ guideTraceId }) => guideTraceId === snapshot.guideTraceId) ?? null
  if (record === null) return { snapshot, record, feedback: [] }
  const own = feedbackOf(record, feedback, nextSeq)
  if (snapshot.exposed !== null) return { snapshot, record, feedback: own }
  const { guideTraceId, exposed } = record
  const filled = { ...snapshotOfRecord(guideTraceId, exposed), explicit: snapshot.explicit }
  return { snapshot: filled, record, feedback: own }
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

function sideOf({ feedback, snapshot }: HeldGuide, side: 'baseline' | 'guided', view: PairView): Observation {
  const own = feedback.filter(({ memoryId }) => memoryId === null || !view.sharedIds.has(memoryId))
  const idsOf = (holds: (row: RecordedFeedback) => boolean): number =>
    new Set(own.filter(holds).map(({ memoryId }) => memoryId)).size
  return observationOf(snapshot, {
    side,
    usePackets: view.usePackets,
    outcome: outcomeOf(feedback),
    promotedCount: idsOf((row) => row.outcome === 'positive' && row.isDirect),
    demotedCount: idsOf((row) => row.outcome === 'negative'),
    lifecycle: side === 'guided' ? view.lifecycle : [],
  })
}

function recordedSides(before: HeldGuide | null, after: HeldGuide): Sides['recorded'] {
  const records = bothRecords(before, after)
  if (before === null || records === null) return null
  const alone = (guide: HeldGuide, { guideTraceId, exposed }: RecordedGuide): HeldGuide => ({
    ...guide,
    snapshot: snapshotOfRecord(guideTraceId, exposed),
  })
  const [first, second] = [alone(before, records.before), alone(after, records.after)]
  const view = { usePackets: false, lifecycle: [], sharedIds: sharedIds(first, second) }
  return { baseline: sideOf(first, 'baseline', view), guided: sideOf(second, 'guided', view) }
}
