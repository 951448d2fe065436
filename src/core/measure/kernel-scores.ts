import type { Kernel } from './metrics.ts'
import type { Observation } from './observation.ts'
import { meanOf, rounded, shareOf } from './share.ts'

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
export interface KernelReading {
  /** The mean of the parts, unrounded, 0 to 1. */
  readonly score: number
  readonly status: KernelStatus
  /** Each from 0 to 1. */
  readonly parts: Readonly<Record<string, number>>
  readonly signals: readonly string[]
  readonly regressions: readonly string[]
}

interface Findings {
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
export function readKernel(kernel: Kernel, observation: Observation): KernelReading {
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
