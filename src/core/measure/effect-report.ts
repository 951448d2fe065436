import type { VerifierStatus } from '../base/closed-sets.ts'
import { EVIDENCE_REASONS, type EvidenceAssessment, type RecordedFeedback } from './evidence.ts'
import type { feedbackSignals } from './feedback-signals.ts'
import type { Contribution, GuideSnapshot } from './guide-snapshot.ts'
import type { ComparisonMode } from './job.ts'
import {
  difference,
  foundShare,
  type ImpactDirection,
  isImproved,
  isRegressed,
  type KernelReport,
  type KernelScore,
} from './kernel-report.ts'
import type { ConfidenceDecaySummary, NeighborhoodDriftSummary, SurfaceChange } from './memory-drift.ts'
import { METRIC_NAMES, snakeName } from './metrics.ts'
import { metricOf, type Observation } from './observation.ts'
import type { PairedOutcomes } from './paired-outcomes.ts'
import type { Sides } from './sides.ts'
import type { CandidateBasis, Candidates } from './training-candidates.ts'

const ACCURACY_GOOD = 0.7
const CHARS_PER_TOKEN = 4

/** Everything that a report is made of; nothing is decided here but how it is said. */
export interface EffectFacts
  extends Omit<Sides, 'ends' | 'isNewMemoryCredited' | 'records'>,
    Pick<CandidateBasis, 'task' | 'report' | 'runs' | 'evidenceIds'> {
  readonly mode: ComparisonMode
  readonly baselineRunId: string | null
  readonly guidedRunId: string | null
  readonly direction: ImpactDirection
  readonly evidence: EvidenceAssessment
  /** By the records, where they hold both guides. */
  readonly changes: readonly SurfaceChange[]
  readonly signals: ReturnType<typeof feedbackSignals>
  readonly drift: NeighborhoodDriftSummary
  readonly decay: ConfidenceDecaySummary
  readonly paired: PairedOutcomes | null
  readonly candidates: Candidates
}

/** The product-level report. Without sufficient evidence it claims no change, no accuracy and no success. */
export function effectReport(facts: EffectFacts) {
  const { task, direction, evidence, paired } = facts
  const isClaimed = direction !== 'insufficient_evidence'
  const changed = isClaimed ? changedFields(facts) : []
  return {
    contract_version: 'svc_effect_report_v1' as const,
    intended_use: 'effect_report' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    task: {
      task_id: task.taskId,
      run_id: task.runId,
      task_signature: task.taskSignature,
      task_family: task.taskFamily,
    },
    comparison: {
      mode: facts.mode,
      baseline_run_id: facts.baselineRunId,
      guided_run_id: facts.guidedRunId,
      sufficient_evidence: evidence.status === 'sufficient',
    },
    history_impact: {
      changed_future_behavior: changed.length > 0,
      impact_direction: direction,
      changed_fields: changed,
      explanation: explanationOf(facts),
    },
    efficiency: efficiency(facts),
    quality: quality(facts, isClaimed),
    history_contributions: contributions(facts.after),
    learning_effect: learningEffect(facts),
    forgetting_effect: forgettingEffect(facts),
    feedback_signal_summary: facts.signals,
    neighborhood_drift_summary: facts.drift,
    confidence_decay_summary: facts.decay,
    paired_outcomes: paired,
    training_candidates: facts.candidates.candidates,
    evidence: evidenceIds(facts),
  }
}

function changedFields({ baseline, guided }: EffectFacts): readonly string[] {
  return METRIC_NAMES.filter((name) => {
    const [before, after] = [metricOf(baseline, name), metricOf(guided, name)]
    return before !== null && after !== null && before !== after
  }).map(snakeName)
}

/** Guided less baseline; null where one of the two was not observed. */
function efficiency({ baseline, guided, before, after }: EffectFacts) {
  return {
    repeated_discovery_delta: difference(
      baseline.amounts.repeatedDiscoverySteps,
      guided.amounts.repeatedDiscoverySteps,
    ),
    useful_continuity_delta: difference(continuityFacts(baseline), continuityFacts(guided)),
    token_delta: difference(promptTokens(before), promptTokens(after)),
    context_size_delta: difference(baseline.amounts.contextItems, guided.amounts.contextItems),
    recovery_step_delta: difference(baseline.steps, guided.steps),
  }
}

function continuityFacts({ amounts }: Observation): number | null {
  const { recoveredStateFacts: recovered, verifiedFactsCarried: carried } = amounts
  return recovered === null && carried === null ? null : (recovered ?? 0) + (carried ?? 0)
}

/** Of the guide's prompt text only; what the agent itself used is not known here. */
function promptTokens(snapshot: GuideSnapshot | null): number | null {
  const chars = snapshot?.promptChars ?? null
  return chars === null ? null : Math.ceil(chars / CHARS_PER_TOKEN)
}

function quality(facts: EffectFacts, isClaimed: boolean) {
  return {
    verifier_outcome: verifierOutcome(facts.feedback),
    recovered_fact_accuracy: isClaimed ? factAccuracy(facts.guided) : ('unknown' as const),
    workflow_reuse_outcome: workflowOutcome(facts.guided, isClaimed),
    negative_transfer_detected: facts.direction === 'negative',
  }
}

function verifierOutcome(feedback: readonly RecordedFeedback[]): 'pass' | 'fail' | 'not_run' | 'unknown' {
  const has = (status: VerifierStatus): boolean =>
    feedback.some(({ verifierStatus }) => verifierStatus === status)
  if (has('failed')) return 'fail'
  if (has('passed')) return 'pass'
  return has('not_run') ? 'not_run' : 'unknown'
}

function factAccuracy({ amounts }: Observation): 'positive' | 'negative' | 'mixed' | 'unknown' {
  const shares: number[] = []
  if (amounts.recoveredStateFacts !== null) {
    shares.push(foundShare(amounts.recoveredStateFacts, amounts.expectedStateFacts))
  }
  if (amounts.verifiedFactsCarried !== null) {
    shares.push(foundShare(amounts.verifiedFactsCarried, amounts.verifiedFactsExpected))
  }
  if (shares.length === 0) return 'unknown'
  const good = shares.filter((share) => share >= ACCURACY_GOOD).length
  if (good === shares.length) return 'positive'
  return good === 0 ? 'negative' : 'mixed'
}

/** A reuse whose outcome is not known, or not proved, is neither a success nor a failure. */
function workflowOutcome(
  { flags, isSuccess }: Observation,
  isClaimed: boolean,
): 'success' | 'failure' | 'mixed' | 'not_used' {
  if (flags.workflowReused !== true && flags.stableWorkflowReused !== true) return 'not_used'
  if (!isClaimed || isSuccess === null) return 'mixed'
  return isSuccess ? 'success' : 'failure'
}

function contributions(after: GuideSnapshot | null) {
  const row = (contribution: Contribution | undefined) => ({
    used: contribution?.used ?? false,
    source_count: contribution?.sourceIds.length ?? 0,
    source_ids: contribution?.sourceIds ?? [],
  })
  return { handoff: row(after?.packets?.handoff), replay: row(after?.packets?.replay) }
}

function learningEffect({ after, evidence, feedback, candidates }: EffectFacts) {
  const workflows = after?.packets?.workflows ?? []
  const stable = workflows.filter(({ isStable }) => isStable).map(({ workflowId }) => workflowId)
  const known = after === null ? [] : [...after.workflowIds, ...workflows.map(({ workflowId }) => workflowId)]
  return {
    promoted_workflow_ids: stable,
    candidate_workflow_ids: [...new Set(known)].filter((id) => !stable.includes(id)),
    demoted_memory_ids: [
      ...new Set(feedback.flatMap(({ memoryId, isLowering }) => (isLowering && memoryId) || [])),
    ],
    blocked_authority_ids: after?.exposed?.do_not_use ?? [],
    promotion_denied_reasons: [...evidence.reasons, ...candidates.refusals],
  }
}

function forgettingEffect({ after, lifecycle, guided }: EffectFacts) {
  const affectedBy = (operation: string): readonly string[] =>
    lifecycle
      .filter((result) => result.operation === operation)
      .flatMap(({ affectedMemoryIds }) => affectedMemoryIds)
  return {
    suppressed_memory_ids: [
      ...new Set([...(after?.packets?.suppressedIds ?? []), ...affectedBy('suppress')]),
    ],
    archived_memory_ids: after?.packets?.archivedIds ?? [],
    rehydrated_memory_ids: [...new Set(affectedBy('rehydrate'))],
    stale_memory_filtered_count: guided.amounts.staleMemorySuppressed ?? 0,
  }
}

function evidenceIds({ evidence, evidenceIds: named, feedback, runs, candidates }: EffectFacts) {
  const positive = candidates.candidates.filter(({ label }) => label === 'positive')
  return {
    evidence_ids: [...new Set([...evidence.runtime_evidence_ids, ...named])],
    replay_run_ids: [...new Set(runs.map(({ runId }) => runId))],
    signal_summary_ids: [...new Set(feedback.map(({ runId }) => `feedback:${runId}`))],
    promotion_quality_summary_ids: [...new Set(positive.flatMap(({ source_ids }) => source_ids.slice(0, 1)))],
  }
}

const REASONS_MAX = 3
/** Memories named one by one in a sentence; the rest is counted. */
const NAMED_MAX = 3

/** What the numbers show, whether they may be believed, and what changed and why, in a few sentences. */
function explanationOf(facts: EffectFacts): string {
  const { direction, report, evidence, paired, changes, feedback } = facts
  if (direction === 'insufficient_evidence') {
    const reasons = evidence.reasons.slice(0, REASONS_MAX).map((reason) => EVIDENCE_REASONS[reason])
    return ['The evidence does not support a claim.', ...oneRunSentences(facts), ...reasons].join(' ')
  }
  return [
    scoreSentence(report),
    changeSentence(report),
    verdictOf(direction, facts),
    SOURCES[evidence.provenance],
    ...changeSentences(changes),
    ...outcomeSentences(feedback),
    ...(paired === null ? [] : [pairedSentence(paired)]),
  ].join(' ')
}

const VERDICTS = {
  positive: 'Memory helped.',
  negative: 'Memory did harm.',
  neutral: 'No effect is shown.',
} as const satisfies Record<Exclude<ImpactDirection, 'insufficient_evidence'>, string>

/** Numbers without the end of both runs are one run's, whatever they say. */
function verdictOf(direction: keyof typeof VERDICTS, { baseline, guided, paired }: EffectFacts): string {
  const isShown =
    (baseline.isSuccess !== null && guided.isSuccess !== null) || paired?.direction === direction
  return isShown || direction === 'neutral' ? VERDICTS[direction] : ONE_RUN[direction]
}

const ONE_RUN = {
  positive: 'This is consistent with help; one run cannot show it.',
  negative: 'This is consistent with harm; one run cannot show it.',
} as const

/** What a single run would speak for. */
function oneRunSentences({ baseline, guided, evidence }: EffectFacts): readonly string[] {
  const isAlone = baseline.isSuccess === null || evidence.reasons.includes('single_run_has_no_baseline')
  if (!isAlone || guided.isSuccess === null) return []
  return [guided.isSuccess ? ONE_RUN.positive : ONE_RUN.negative]
}

const SOURCES = {
  manual_unverified: 'Both observations are the word of the caller and were not verified.',
  unverified_product_trace: 'The guides were not verified.',
  runtime_verified: 'Guides and outcome agree with the records of this runtime.',
} as const satisfies Record<EvidenceAssessment['provenance'], string>

function scoreSentence({ baseline_score, guided_score, effect_delta }: KernelReport): string {
  return `The guided run scored ${guided_score}, the baseline ${baseline_score} (${signed(effect_delta)}).`
}

function changeSentence({ kernel_scores }: KernelReport): string {
  const list = (scores: readonly KernelScore[]): string =>
    scores.map(({ capability_id, delta }) => `${capability_id} ${signed(delta)}`).join(', ') || 'nothing'
  return `Better: ${list(kernel_scores.filter(isImproved))}. Worse: ${list(kernel_scores.filter(isRegressed))}.`
}

/** Memory by id and reason code, as the records of both guides have it. */
function changeSentences(changes: readonly SurfaceChange[]): readonly string[] {
  const gained = changes.filter(({ after }) => after === 'use_now')
  const lost = changes.filter(({ before }) => before === 'use_now')
  const warned = changes.filter(({ before, after }) => after === 'do_not_use' && before !== 'use_now')
  return [
    ...sentence('Only the guide after gave for direct use', gained, reasonWords),
    ...sentence('The guide after gave no longer for direct use', lost, (change) => {
      const now = change.after === null ? 'not shown' : `now ${change.after}`
      return change.after === null ? now : `${now}, ${reasonWords(change)}`
    }),
    ...sentence('Only the guide after warned of', warned, reasonWords),
  ]
}

function sentence(
  opening: string,
  changes: readonly SurfaceChange[],
  words: (change: SurfaceChange) => string,
): readonly string[] {
  if (changes.length === 0) return []
  const named = changes.slice(0, NAMED_MAX).map((change) => `${change.memoryId} (${words(change)})`)
  return [`${opening}: ${listed(named, changes.length)}.`]
}

function reasonWords({ reasonCode }: SurfaceChange): string {
  return reasonCode ?? 'the reason is kept no longer'
}

function outcomeSentences(feedback: readonly RecordedFeedback[]): readonly string[] {
  const decisive = feedback.filter((row) => row.outcome === 'negative' || row.isDirect)
  return (['positive', 'negative'] as const).flatMap((outcome) => {
    const rows = decisive.filter((row) => row.outcome === outcome)
    if (rows.length === 0) return []
    const ids = [...new Set(rows.flatMap(({ memoryId }) => memoryId ?? []))]
    const statuses = [...new Set(rows.flatMap(({ verifierStatus }) => verifierStatus ?? []))]
    const proof = statuses.length === 0 ? 'no verifier ran' : `verifier ${statuses.join(' and ')}`
    const whom = ids.length === 0 ? 'memory not shown here' : listed(ids.slice(0, NAMED_MAX), ids.length)
    return [`The outcome was ${outcome} (${proof}) and names ${whom}.`]
  })
}

function listed(named: readonly string[], count: number): string {
  const rest = count - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}

function pairedSentence(paired: PairedOutcomes): string {
  if (paired.interval === null || paired.difference === null) {
    return `Outcomes of ${paired.pair_count} paired tasks are recorded; a comparison needs ${paired.pairs_min}.`
  }
  const { low, high } = paired.interval
  return (
    `Over ${paired.pair_count} paired tasks the success rate changed by ${signed(paired.difference)} ` +
    `(95 % from ${signed(low)} to ${signed(high)}): ${paired.helped_pair_count} helped, ${paired.harmed_pair_count} harmed.`
  )
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}
