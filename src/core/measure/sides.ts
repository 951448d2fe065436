import { feedbackOf, outcomeOf, type RecordedFeedback, type RecordedGuide } from './evidence.ts'
import { type Exposed, type GuideSnapshot, type LifecycleResult, withRecord } from './guide-snapshot.ts'
import type { MeasureJob, RuntimeRecords } from './job.ts'
import { NO_OBSERVATION, type Observation, overlaid } from './observation.ts'

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
  const filled = snapshot.exposed === null ? withRecord(snapshot, exposed) : snapshot
  return { snapshot: filled, record, feedback: own, isSuccess: successOf(outcomeOf(own), end) }
}

/** A failure counts, whoever tells of it: the run itself, or feedback. */
function successOf(told: ReturnType<typeof outcomeOf>, end: boolean | null): boolean | null {
  if (told === 'negative' || end === false) return false
  return told === 'positive' ? true : end
}

interface PairView extends Pick<ProjectionView, 'usePackets' | 'lifecycle'> {
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
    demotedCount: idsOf((row) => row.isLowering),
    lifecycle: side === 'guided' ? view.lifecycle : [],
  })
}

/** Steps that a run without any history is taken to spend on finding things out again. */
const STEPS_WITHOUT_HISTORY = { baseline: 4, guided: 3 } as const
const STEPS_WITH_HISTORY = 1

export interface ProjectionView {
  readonly side: 'baseline' | 'guided'
  /** False where the other side has no packets: what only one side shows is not compared. */
  readonly usePackets: boolean
  /** How the run of the guide ended, by the records of the runtime; null: not known. */
  readonly isSuccess: boolean | null
  /** Memories that the records show as credited, or as lowered, by the run of the guide. */
  readonly promotedCount: number
  readonly demotedCount: number
  /** What was done to memory after the guide; counts on the guided side. */
  readonly lifecycle: readonly LifecycleResult[]
}

/**
 * The numbers that the caller wrote beside the guide and, where there are none, those that the guide's artifacts give.
 * Derived numbers fill a display; no direction follows from them.
 * How the run ended is taken from the records first.
 */
export function observationOf(snapshot: GuideSnapshot, view: ProjectionView): Observation {
  const observation = overlaid(snapshot.explicit, projected(snapshot, view))
  return { ...observation, isSuccess: view.isSuccess ?? observation.isSuccess }
}

function projected(snapshot: GuideSnapshot, view: ProjectionView): Observation {
  const exposed = snapshot.exposed
  if (exposed === null) return NO_OBSERVATION
  const packets = view.usePackets ? snapshot.packets : null
  const facts = packets?.provenFactCount ?? 0
  const usable = exposed.use_now.length + exposed.inspect_before_use.length
  const workflows = packets?.workflows ?? []
  const openWorkflows =
    packets === null ? snapshot.workflowIds.length : workflows.filter(({ isBlocked }) => !isBlocked).length
  const recovered =
    facts +
    (packets?.isResumable === true ? 1 : 0) +
    snapshot.targetFiles.length +
    (packets?.acceptanceCheckCount ?? 0) +
    usable
  const carried =
    facts +
    (packets?.evidenceTrailCount ?? snapshot.evidenceCount) +
    (packets?.handoff.sourceIds.length ?? 0) +
    (packets?.replay.sourceIds.length ?? 0)
  const items =
    Object.values(exposed).flat().length + (packets === null ? openWorkflows : workflows.length) + facts
  const isEmptyBaseline = view.side === 'baseline' && items === 0
  return {
    ...NO_OBSERVATION,
    amounts: {
      ...NO_OBSERVATION.amounts,
      repeatedDiscoverySteps: discoverySteps(snapshot, exposed, view),
      recoveredStateFacts: recovered,
      expectedStateFacts: Math.max(recovered, 1),
      verifiedFactsCarried: carried,
      verifiedFactsExpected: Math.max(carried, 1),
      trustedPromotions: view.promotedCount,
      counterEvidenceDemotions: view.demotedCount,
      contextItems: isEmptyBaseline ? 1 : items,
      usefulContextItems: usable + openWorkflows + facts,
      ...staleMemory(snapshot, exposed, view),
      weakEvidenceBlocked: exposed.do_not_use.length + exposed.inspect_before_use.length,
      unverifiedAuthorityApplied: packets?.unverifiedAppliedCount ?? 0,
    },
    flags: {
      // How the run ended decides; where that is not known, whether there was something to go on.
      continuityGuidanceCorrect:
        view.isSuccess ?? (snapshot.actionableHistoryUsed && exposed.use_now.length > 0),
      workflowReused: openWorkflows > 0,
      stableWorkflowReused: workflows.some(({ isStable }) => isStable),
      // A guide sorts by surface: nothing is used directly without evidence, and what is blocked is listed.
      authorityRequiresEvidence: true,
      blockedAuthorityVisible: true,
    },
  }
}

function discoverySteps(snapshot: GuideSnapshot, exposed: Exposed, view: ProjectionView): number {
  const packets = view.usePackets ? snapshot.packets : null
  const reduces = packets?.reducesDiscovery ?? exposed.use_now.length > 0
  if (snapshot.actionableHistoryUsed && reduces) return 0
  return snapshot.historyUsed ? STEPS_WITH_HISTORY : STEPS_WITHOUT_HISTORY[view.side]
}

/** The guide counts stale memory among its warnings too; what it shows as a warning has not reached the context. */
function staleMemory(snapshot: GuideSnapshot, exposed: Exposed, view: ProjectionView) {
  const heldBack = new Set(exposed.do_not_use)
  if (view.usePackets) for (const id of snapshot.packets?.suppressedIds ?? []) heldBack.add(id)
  return {
    staleMemorySurfaced: Math.max(0, snapshot.staleCount - exposed.do_not_use.length),
    staleMemorySuppressed: heldBack.size + changedBy(view, 'suppress'),
    archivedMemoryRehydratedOnDemand: changedBy(view, 'rehydrate'),
  }
}

function changedBy(view: ProjectionView, operation: string): number {
  return view.lifecycle
    .filter((result) => result.operation === operation)
    .reduce((sum, { changedCount }) => sum + changedCount, 0)
}
