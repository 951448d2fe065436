import { SURFACES } from '../base/closed-sets.ts'
import type { ExposedSet } from '../model/events.ts'
import type { FeedbackMark } from '../model/record.ts'
import type { Exposed, GuideSnapshot } from './guide-snapshot.ts'
import { isSameSet } from './wire-object.ts'

/** Parallel lists, which reach a worker in half the time that objects by id take. */
export interface ShownReasons {
  readonly memoryIds: readonly string[]
  readonly codes: readonly string[]
}

/** What the records of the runtime hold of one guide. */
export interface RecordedGuide
  extends Pick<ExposedSet, 'guideTraceId' | 'runId' | 'consumerAgentId' | 'consumerTeamId'> {
  /** Journal order. */
  readonly seq: number
  /** Null: the explanation of the guide is kept no longer. */
  readonly queryHash: string | null
  readonly promptHash: string | null
  readonly exposed: Exposed
  /** Why what was shown stood where it stood; null: the explanation of the guide is kept no longer. */
  readonly reasons: ShownReasons | null
}

/** One recorded outcome of one memory. */
export interface RecordedFeedback
  extends Pick<FeedbackMark, 'runId' | 'guideTraceId' | 'seq' | 'outcome' | 'verifierStatus'> {
  /** Null: a memory that is not shown to whom this is measured for. */
  readonly memoryId: string | null
  /** A positive that was credited to what the guide gave for direct use. */
  readonly isDirect: boolean
  /** A negative with failure evidence. */
  readonly isStrong: boolean
  /** A negative that changed the standing of the memory: a proven one keeps it, and so does one that had fallen before. */
  readonly isLowering: boolean
}

/** How the run of a guide ended after it, by the last outcome that it recorded. */
export interface RecordedEnd {
  readonly guideTraceId: string
  readonly isSuccess: boolean
}

/** What the caller says about one guide. Believed only as far as the records agree. */
export type SuppliedGuide = Pick<GuideSnapshot, 'guideTraceId' | 'exposed' | 'promptHash'>

export interface EvidenceInput {
  readonly source: 'manual_observations' | 'product_trace'
  readonly before: SuppliedGuide | null
  readonly after: SuppliedGuide | null
  /** What the actor holds of the guides named by `before` and `after`; a guide it does not hold is not in the list. */
  readonly guides: readonly RecordedGuide[]
  readonly feedback: readonly RecordedFeedback[]
  /** Runs as the caller names them. */
  readonly taskRunId: string | null
  readonly baselineRunId: string | null
  readonly guidedRunId: string | null
  /** A single run was measured, there is nothing to compare it with. */
  readonly isSingleRun: boolean
  /** False: neither a metric nor an end was observed on both sides. */
  readonly isComparable: boolean
  /** False: neither the end of the run of the guide before nor enough paired tasks are recorded. */
  readonly hasRecordedBaseline: boolean
  /** False: the direction rests on the caller's word for how a run ended, against the records. */
  readonly isSupportedByRecords: boolean
  readonly claims: { readonly sufficientEvidence: boolean | null; readonly evidenceIdCount: number }
}

export const PROVENANCES = ['runtime_verified', 'unverified_product_trace', 'manual_unverified'] as const
export type Provenance = (typeof PROVENANCES)[number]

export type EvidenceAssessment = ReturnType<typeof assessment>
type ArtifactMismatch = EvidenceAssessment['artifact_mismatch'][number]

/** Every reason for which evidence is insufficient, with its meaning. */
export const EVIDENCE_REASONS = {
  manual_observations_are_not_export_evidence: 'Both observations are the word of the caller.',
  caller_says_insufficient: 'The caller itself says that the evidence is not sufficient.',
  single_run_has_no_baseline: 'One run alone shows no difference.',
  no_shared_metrics: 'No metric was observed on both sides, and not how both runs ended.',
  before_guide_missing: 'There is no recorded guide to compare with.',
  before_guide_receipt_not_verified:
    'The guide before is not held here, or its artifacts differ from the record.',
  after_guide_receipt_not_verified:
    'The guide after is not held here, or its artifacts differ from the record.',
  guide_receipts_must_be_distinct: 'Both guides are the same one.',
  guide_receipt_run_mismatch:
    'A guide is of a run that the request does not name: send comparison.baseline_run_id.',
  guide_receipt_query_mismatch: 'The guides answer different queries, or a query is kept no longer.',
  guide_receipt_consumer_mismatch: 'The guides were made for different consumers.',
  guide_receipts_not_strictly_ordered: 'The guide before was not made before the guide after.',
  baseline_outcome_missing:
    'How the run of the guide before ended is not recorded, and too few paired tasks are.',
  after_guide_has_no_actionable_runtime_history: 'The guide after gave nothing for direct use.',
  outcome_feedback_missing: 'No outcome was attributed to memory of the guide after.',
  outcome_not_verified: 'No verifier or failure signal stands behind the outcome.',
  outcomes_contradict: 'The run of the guide after has positive and negative outcomes.',
  numbers_not_supported_by_records: 'The runs ended otherwise than the request says.',
} as const
export type EvidenceReason = keyof typeof EVIDENCE_REASONS

/**
 * Says whether the evidence supports a claim, from the records alone. What the caller claims is echoed; only its own
 * doubt counts. Symmetric in the outcome: harm needs the same evidence as help.
 */
export function assessEvidence(input: EvidenceInput): EvidenceAssessment {
  const reasons: EvidenceReason[] = []
  if (input.claims.sufficientEvidence === false) reasons.push('caller_says_insufficient')
  if (input.isSingleRun) reasons.push('single_run_has_no_baseline')
  if (!input.isComparable) reasons.push('no_shared_metrics')
  if (input.source === 'manual_observations') {
    reasons.push('manual_observations_are_not_export_evidence')
    return assessment(input, 'manual_unverified', reasons, [], [])
  }
  const before = verified(input.before, input.guides)
  const after = verified(input.after, input.guides)
  if (input.before === null) reasons.push('before_guide_missing')
  else if (before.guide === null) reasons.push('before_guide_receipt_not_verified')
  if (after.guide === null) reasons.push('after_guide_receipt_not_verified')
  if (before.guide !== null && after.guide !== null) {
    reasons.push(...compared(before.guide, after.guide, input))
    if (!input.hasRecordedBaseline) reasons.push('baseline_outcome_missing')
  }
  if (after.guide !== null) reasons.push(...afterReasons(after.guide, input))
  if (!input.isSupportedByRecords) reasons.push('numbers_not_supported_by_records')
  const held = [before.guide, after.guide].flatMap((guide) => guide?.guideTraceId ?? [])
  const isVerified = after.guide !== null && (input.before === null || before.guide !== null)
  const provenance = isVerified ? 'runtime_verified' : 'unverified_product_trace'
  return assessment(input, provenance, reasons, held, [...before.mismatch, ...after.mismatch])
}

/**
 * The outcomes that belong to a guide or its run, recorded after it. A positive of the run speaks for memory that the
 * guide exposed, unless it names another guide; a negative of the run counts whatever memory and guide it names.
 * @param nextSeq where the next guide of the comparison stands: from there on, outcomes of the run belong to that one
 */
export function feedbackOf(
  guide: RecordedGuide,
  feedback: readonly RecordedFeedback[],
  nextSeq: number | null,
): readonly RecordedFeedback[] {
  const exposed = new Set(SURFACES.flatMap((surface) => guide.exposed[surface]))
  return feedback.filter((row) => {
    if (row.seq <= guide.seq) return false
    const isNamed = row.guideTraceId === guide.guideTraceId
    const isOfRun = row.runId === guide.runId && (nextSeq === null || row.seq < nextSeq)
    if (row.outcome === 'negative') return isNamed || isOfRun
    const isExposed = row.memoryId !== null && exposed.has(row.memoryId)
    return isExposed && (isNamed || (row.guideTraceId === null && isOfRun))
  })
}

/** Null: no decisive outcome, or both kinds. A positive that was only observed decides nothing. */
export function outcomeOf(feedback: readonly RecordedFeedback[]): 'positive' | 'negative' | null {
  const isPositive = feedback.some((row) => row.outcome === 'positive' && row.isDirect)
  const isNegative = feedback.some((row) => row.outcome === 'negative')
  if (isPositive === isNegative) return null
  return isPositive ? 'positive' : 'negative'
}

function assessment(
  input: EvidenceInput,
  provenance: Provenance,
  reasons: readonly EvidenceReason[],
  held: readonly string[],
  mismatch: readonly { readonly guide_trace_id: string; readonly field: string }[],
) {
  return {
    status: reasons.length === 0 ? ('sufficient' as const) : ('insufficient' as const),
    provenance,
    reasons,
    // Guides whose artifacts agree with the records.
    runtime_evidence_ids: [...new Set(held)],
    artifact_mismatch: mismatch,
    client_claims_ignored: {
      sufficient_evidence: input.claims.sufficientEvidence,
      evidence_id_count: input.claims.evidenceIdCount,
    },
  }
}

/** The record of a supplied guide; null when there is none or when an artifact says something else. */
function verified(
  supplied: SuppliedGuide | null,
  guides: readonly RecordedGuide[],
): { readonly guide: RecordedGuide | null; readonly mismatch: readonly ArtifactMismatch[] } {
  const guide = guides.find(({ guideTraceId }) => guideTraceId === supplied?.guideTraceId)
  if (supplied === null || guide === undefined) return { guide: null, mismatch: [] }
  const mismatch = mismatchOf(supplied, guide)
  return { guide: mismatch.length === 0 ? guide : null, mismatch }
}

function mismatchOf(supplied: SuppliedGuide, guide: RecordedGuide): readonly ArtifactMismatch[] {
  const { exposed } = supplied
  // A trace id alone says nothing that could differ: the record speaks for it.
  const fields: string[] =
    exposed === null
      ? []
      : SURFACES.filter((surface) => !isSameSet(exposed[surface], guide.exposed[surface])).map(
          (surface) => `${surface}_memory_ids`,
        )
  const isPromptOther =
    supplied.promptHash !== null && guide.promptHash !== null && supplied.promptHash !== guide.promptHash
  if (isPromptOther) fields.push('prompt_text')
  return fields.map((field) => ({ guide_trace_id: guide.guideTraceId, field }))
}

function compared(
  before: RecordedGuide,
  after: RecordedGuide,
  input: EvidenceInput,
): readonly EvidenceReason[] {
  const reasons: EvidenceReason[] = []
  if (before.guideTraceId === after.guideTraceId) reasons.push('guide_receipts_must_be_distinct')
  else if (before.seq >= after.seq) reasons.push('guide_receipts_not_strictly_ordered')
  const guidedRun = input.guidedRunId ?? input.taskRunId ?? after.runId
  const baselineRun = input.baselineRunId ?? input.taskRunId ?? guidedRun
  if (isOtherRun(after.runId, guidedRun) || isOtherRun(before.runId, baselineRun)) {
    reasons.push('guide_receipt_run_mismatch')
  }
  if (before.queryHash === null || before.queryHash !== after.queryHash) {
    reasons.push('guide_receipt_query_mismatch')
  }
  const isSameConsumer =
    before.consumerAgentId === after.consumerAgentId && before.consumerTeamId === after.consumerTeamId
  if (!isSameConsumer) reasons.push('guide_receipt_consumer_mismatch')
  return reasons
}

function isOtherRun(recorded: string | null, named: string | null): boolean {
  return recorded !== null && named !== null && recorded !== named
}

function afterReasons(after: RecordedGuide, input: EvidenceInput): readonly EvidenceReason[] {
  const reasons: EvidenceReason[] = []
  if (after.exposed.use_now.length === 0) reasons.push('after_guide_has_no_actionable_runtime_history')
  const own = feedbackOf(after, input.feedback, null)
  const isPositive = own.some((row) => row.outcome === 'positive' && row.isDirect)
  const isNegative = own.some((row) => row.outcome === 'negative')
  if (!isPositive && !isNegative) reasons.push('outcome_feedback_missing')
  else if (isPositive && isNegative) reasons.push('outcomes_contradict')
  else if (!own.some(isVerifiedOutcome)) reasons.push('outcome_not_verified')
  return reasons
}

/** Whether something else than an opinion stands behind an outcome: a verifier, or failure evidence. */
function isVerifiedOutcome(row: RecordedFeedback): boolean {
  if (row.outcome === 'positive') return row.isDirect && row.verifierStatus === 'passed'
  return row.outcome === 'negative' && (row.isStrong || row.verifierStatus === 'failed')
}
