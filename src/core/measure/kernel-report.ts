import { KERNELS, type Kernel, meanOf, rounded, shareOf } from './metrics.ts'
import type { Observation } from './observation.ts'

/** From here on a share is good. */
const GOOD = 0.7
const PRECISION_LOW = 0.6
const DISCOVERY_STEPS_HIGH = 2
/** So many repeated steps and nothing was carried over. */
const DISCOVERY_STEPS_WORST = 5
export const KERNEL_PASS = 0.7
export const KERNEL_WARN = 0.45

export type KernelStatus = 'pass' | 'warn' | 'fail'

/** One kernel of one observation, and how its score came about. */
type KernelReading = ReturnType<typeof readKernel>

interface Findings {
  /** Each from 0 to 1; the score is their mean, unrounded. */
  readonly parts: Readonly<Record<string, number>>
  /** Name and whether it holds. */
  readonly signals: readonly (readonly [string, boolean])[]
  readonly regressions: readonly (readonly [string, boolean])[]
  /** Fails the kernel whatever its score. */
  readonly isForbidden: boolean
}

/**
 * Scores one kernel. A metric that was not observed counts as 0 or false in the score; signals and regressions name
 * only what was observed.
 */
export function readKernel(kernel: Kernel, observation: Observation) {
  const { parts, signals, regressions, isForbidden } = FINDERS[kernel](observation)
  const score = meanOf(Object.values(parts))
  return {
    score,
    status: statusOf(score, isForbidden),
    parts,
    signals: signals.flatMap(([name, holds]) => (holds ? [name] : [])),
    regressions: regressions.flatMap(([name, holds]) => (holds ? [name] : [])),
  }
}

const FINDERS: Readonly<Record<Kernel, (observation: Observation) => Findings>> = {
  continuity,
  learning,
  forgetting,
  learning_control: learningControl,
}

function statusOf(score: number, isForbidden: boolean): KernelStatus {
  if (isForbidden) return 'fail'
  const seen = rounded(score)
  if (seen >= KERNEL_PASS) return 'pass'
  return seen >= KERNEL_WARN ? 'warn' : 'fail'
}

function continuity({ amounts, flags }: Observation): Findings {
  const steps = amounts.repeatedDiscoverySteps ?? 0
  const recovered = foundShare(amounts.recoveredStateFacts, amounts.expectedStateFacts)
  const carried = foundShare(amounts.verifiedFactsCarried, amounts.verifiedFactsExpected)
  const isRecoverySeen = amounts.recoveredStateFacts !== null || amounts.expectedStateFacts !== null
  const isCarryingSeen = amounts.verifiedFactsCarried !== null || amounts.verifiedFactsExpected !== null
  return {
    parts: {
      guidance_correct: oneIf(flags.continuityGuidanceCorrect === true),
      recovered_state: recovered,
      verified_facts_carried: carried,
      discovery_saved: 1 - Math.min(steps / DISCOVERY_STEPS_WORST, 1),
    },
    signals: [
      ['continuity_guidance_matches_expected', flags.continuityGuidanceCorrect === true],
      ['execution_state_recovered', isRecoverySeen && recovered >= GOOD],
      ['verified_facts_carried', isCarryingSeen && carried >= GOOD],
    ],
    regressions: [
      ['continuity_guidance_wrong', flags.continuityGuidanceCorrect === false],
      ['repeated_discovery_too_high', steps > DISCOVERY_STEPS_HIGH],
      ['recovered_state_fact_gap', isRecoverySeen && recovered < GOOD],
    ],
    isForbidden: false,
  }
}

function learning({ amounts, flags }: Observation): Findings {
  const isStable = flags.stableWorkflowReused === true
  const isReused = isStable || flags.workflowReused === true
  const isReuseSeen = flags.stableWorkflowReused !== null || flags.workflowReused !== null
  const weak = amounts.weakEvidencePromoted ?? 0
  const demotions = amounts.counterEvidenceDemotions ?? 0
  return {
    parts: {
      workflow_reuse: isStable ? 1 : isReused ? 0.75 : 0,
      promotion: promotionPart(amounts),
      demotion: demotions > 0 ? 1 : 0.65,
    },
    signals: [
      ['workflow_reused', isReused],
      ['stable_workflow_reused', isStable],
      ['trusted_memory_promoted', (amounts.trustedPromotions ?? 0) > 0],
      ['counter_evidence_demoted_memory', demotions > 0],
    ],
    regressions: [
      ['weak_evidence_promoted', weak > 0],
      ['workflow_not_reused', isReuseSeen && !isReused],
    ],
    isForbidden: weak > 0,
  }
}

function promotionPart(amounts: Observation['amounts']): number {
  if ((amounts.weakEvidencePromoted ?? 0) > 0) return 0
  if ((amounts.trustedPromotions ?? 0) > 0) return 1
  return (amounts.provisionalMemoriesWritten ?? 0) > 0 ? 0.55 : 0
}

function forgetting({ amounts }: Observation): Findings {
  const precision = contextPrecision(amounts)
  const surfaced = amounts.staleMemorySurfaced ?? 0
  const suppressed = amounts.staleMemorySuppressed ?? 0
  const unnecessary = amounts.unnecessaryRehydrations ?? 0
  const onDemand = amounts.archivedMemoryRehydratedOnDemand ?? 0
  return {
    parts: {
      context_precision: precision,
      stale_memory_held_back: shareOf(suppressed, suppressed + surfaced, 1),
      rehydration: unnecessary > 0 ? 0 : onDemand > 0 ? 1 : 0.7,
    },
    signals: [
      ['context_precision_good', amounts.contextItems !== null && precision >= GOOD],
      ['stale_memory_suppressed', suppressed > 0],
      ['archive_rehydrated_on_demand', onDemand > 0],
    ],
    regressions: [
      ['stale_memory_reached_context', surfaced > 0],
      ['unnecessary_rehydration', unnecessary > 0],
      ['context_precision_low', amounts.contextItems !== null && precision < PRECISION_LOW],
    ],
    isForbidden: false,
  }
}

function learningControl({ amounts, flags }: Observation): Findings {
  const blocked = amounts.weakEvidenceBlocked ?? 0
  const applied = amounts.unverifiedAuthorityApplied ?? 0
  return {
    parts: {
      weak_evidence_blocked: blocked > 0 ? 1 : 0.55,
      authority_requires_evidence: oneIf(flags.authorityRequiresEvidence === true),
      blocked_authority_visible: oneIf(flags.blockedAuthorityVisible === true),
      unverified_authority_kept_out: oneIf(applied === 0),
    },
    signals: [
      ['weak_evidence_blocked', blocked > 0],
      ['authority_requires_evidence', flags.authorityRequiresEvidence === true],
      ['blocked_authority_visible', flags.blockedAuthorityVisible === true],
    ],
    regressions: [
      ['unverified_authority_applied', applied > 0],
      ['authority_does_not_require_evidence', flags.authorityRequiresEvidence === false],
      ['blocked_authority_not_visible', flags.blockedAuthorityVisible === false],
    ],
    isForbidden: applied > 0,
  }
}

/** The useful share of the context; 1 when the context is empty. */
export function contextPrecision(amounts: Observation['amounts']): number {
  return shareOf(amounts.usefulContextItems ?? 0, amounts.contextItems ?? 0, 1)
}

/** What was found of what was expected; nothing expected means what was found, at least 1. */
export function foundShare(found: number | null, expected: number | null): number {
  const seen = found ?? 0
  return shareOf(seen, (expected ?? 0) > 0 ? (expected ?? 0) : Math.max(seen, 1), 0)
}

function oneIf(holds: boolean): number {
  return holds ? 1 : 0
}

/** A change of a score by more than this is a change. */
export const DELTA_SEEN = 0.05
/** An overall score from here on is worth a warning rather than a failure. */
const SCORE_WARN = 0.55
export const EFFECT_DELTA_MIN = 0.1
export const GUIDED_SCORE_MIN = 0.7

export interface Thresholds {
  /** The gain that a pass needs, 0 to 1. Default 0.1. */
  readonly minEffectDelta: number
  /** The guided score that a pass needs, 0 to 1. Default 0.7. */
  readonly minGuidedScore: number
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  minEffectDelta: EFFECT_DELTA_MIN,
  minGuidedScore: GUIDED_SCORE_MIN,
}

/** What to do about a regression. */
const ACTIONS: Readonly<Record<string, string>> = {
  continuity_guidance_wrong:
    'Check where the guided run went on: it did not go on where the work had stopped.',
  repeated_discovery_too_high: 'Record what was found out, so that the next run need not find it again.',
  recovered_state_fact_gap: 'Hand over the state facts that the guided run did not recover.',
  weak_evidence_promoted: 'Take back what was promoted without enough evidence.',
  workflow_not_reused: 'Give runs of the same work the same workflow_signature, so that it can be reused.',
  stale_memory_reached_context: 'Supersede or suppress the stale memory that reached the context.',
  unnecessary_rehydration: 'Rehydrate only what the next action needs.',
  context_precision_low: 'Narrow the query or lower the limit: much of the context was of no use.',
  unverified_authority_applied: 'Find the memory that directed the work without evidence, and suppress it.',
  authority_does_not_require_evidence: 'Let nothing gain authority without evidence.',
  blocked_authority_not_visible: 'Show blocked memory as a warning, so that it is not tried again.',
  kernel_score_regressed: 'Compare the two runs: this kernel scored less with memory than without.',
}

export type KernelReport = ReturnType<typeof kernelReport>
export type KernelScore = ReturnType<typeof kernelScore>

/** Scores both observations by the four kernels and says whether the guided one passes. Numbers have three decimals. */
export function kernelReport(
  baseline: Observation,
  guided: Observation,
  thresholds: Thresholds = DEFAULT_THRESHOLDS,
) {
  const readings = KERNELS.map((kernel) => ({
    kernel,
    before: readKernel(kernel, baseline),
    after: readKernel(kernel, guided),
  }))
  const scores = readings.map(({ kernel, before, after }) => kernelScore(kernel, before, after))
  const baselineMean = meanOf(readings.map(({ before }) => before.score))
  const guidedMean = meanOf(readings.map(({ after }) => after.score))
  const overall = {
    baseline_score: rounded(baselineMean),
    guided_score: rounded(guidedMean),
    effect_delta: rounded(guidedMean - baselineMean),
  }
  const status = overallStatus(scores, overall, thresholds)
  return {
    report_version: 'svc_effect_evaluator_v1' as const,
    status,
    ...overall,
    kernel_scores: scores,
    proof_summary: proofSummary(scores, baseline, guided),
    next_actions: nextActions(scores, status),
  }
}

export function isImproved({ delta }: { readonly delta: number }): boolean {
  return delta > DELTA_SEEN
}

export function isRegressed({ delta }: { readonly delta: number }): boolean {
  return delta < -DELTA_SEEN
}

function kernelScore(kernel: Kernel, before: KernelReading, after: KernelReading) {
  const delta = rounded(after.score - before.score)
  return {
    capability_id: kernel,
    score: rounded(after.score),
    status: after.status,
    // The parts whose mean is the score.
    metrics: Object.fromEntries(Object.entries(after.parts).map(([name, part]) => [name, rounded(part)])),
    signals: after.signals,
    regressions: isRegressed({ delta })
      ? [...after.regressions, 'kernel_score_regressed']
      : after.regressions,
    baseline_score: rounded(before.score),
    delta,
  }
}

function overallStatus(
  scores: readonly KernelScore[],
  overall: { readonly guided_score: number; readonly effect_delta: number },
  { minEffectDelta, minGuidedScore }: Thresholds,
): KernelStatus {
  const { guided_score: score, effect_delta: delta } = overall
  if (scores.some(({ status }) => status === 'fail')) return 'fail'
  if (scores.some(isRegressed)) return 'warn'
  const isAllPassed = scores.every(({ status }) => status === 'pass')
  if (isAllPassed && score >= minGuidedScore && delta >= minEffectDelta) return 'pass'
  return score >= SCORE_WARN && delta >= 0 ? 'warn' : 'fail'
}

/** Of a difference of which one side was not observed it says null. */
function proofSummary(scores: readonly KernelScore[], baseline: Observation, guided: Observation) {
  const isPrecisionSeen = baseline.amounts.contextItems !== null && guided.amounts.contextItems !== null
  return {
    improved_kernel_count: scores.filter(isImproved).length,
    regressed_kernel_count: scores.filter(isRegressed).length,
    failed_kernel_count: scores.filter(({ status }) => status === 'fail').length,
    repeated_discovery_delta: difference(
      baseline.amounts.repeatedDiscoverySteps,
      guided.amounts.repeatedDiscoverySteps,
    ),
    continuity_guidance_improved:
      guided.flags.continuityGuidanceCorrect === true && baseline.flags.continuityGuidanceCorrect !== true,
    workflow_reuse_improved: reuseLevel(guided) > reuseLevel(baseline),
    context_precision_delta: isPrecisionSeen
      ? rounded(contextPrecision(guided.amounts) - contextPrecision(baseline.amounts))
      : null,
    stale_memory_delta: difference(baseline.amounts.staleMemorySurfaced, guided.amounts.staleMemorySurfaced),
    weak_authority_blocked: (guided.amounts.weakEvidenceBlocked ?? 0) > 0,
  }
}

function reuseLevel({ flags }: Observation): number {
  if (flags.stableWorkflowReused === true) return 2
  return flags.workflowReused === true ? 1 : 0
}

/** Guided less baseline; null when one of them was not observed. */
export function difference(baseline: number | null, guided: number | null): number | null {
  return baseline === null || guided === null ? null : rounded(guided - baseline)
}

function nextActions(scores: readonly KernelScore[], status: KernelStatus): readonly string[] {
  const regressions = new Set(scores.flatMap((score) => score.regressions))
  const actions = [...regressions].flatMap((name) => ACTIONS[name] ?? [])
  for (const { capability_id, status: kernelStatus, regressions: own } of scores) {
    if (kernelStatus === 'fail' && own.length === 0) {
      actions.push(`Observe more of ${capability_id}: what was observed of it scores too low to pass.`)
    }
  }
  if (actions.length > 0) return actions
  return status === 'pass'
    ? ['Keep recording outcomes, so that the effect can be shown over several runs.']
    : ['Repeat the comparison on further runs: the gain is below what a pass needs.']
}

/** Which way memory changed the work, as far as two observations show it. */
export type Direction = 'positive' | 'negative' | 'neutral'
export type ImpactDirection = Direction | 'insufficient_evidence'

/** By how the two runs ended, true for a success; null where the end of one is not known. */
export function outcomeDirection(baseline: boolean | null, guided: boolean | null): Direction | null {
  if (baseline === null || guided === null) return null
  if (baseline === guided) return 'neutral'
  return guided ? 'positive' : 'negative'
}

/**
 * Of a manual pair, whose numbers somebody observed. Where both ends are told they decide, but for a kernel that lost:
 * harm is seen sooner than help. Where one is not, help takes a kernel that gained, a gain over all, no kernel that lost
 * and a guided run that did not fail.
 */
export function statedDirection(report: KernelReport, baseline: Observation, guided: Observation): Direction {
  const ended = outcomeDirection(baseline.isSuccess, guided.isSuccess)
  const isHarm = report.kernel_scores.some(isRegressed) || report.effect_delta < -DELTA_SEEN
  if (isHarm || ended === 'negative') return 'negative'
  if (ended !== null) return ended
  const isHelp = report.kernel_scores.some(isImproved) && report.effect_delta > DELTA_SEEN
  return isHelp && guided.isSuccess !== false ? 'positive' : 'neutral'
}
