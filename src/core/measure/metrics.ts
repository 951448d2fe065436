// Everything that an observation can measure. The table is closed: reading, validation, scoring and documents
// are derived from it.

/** The four kernels of the evaluation, in the order of every report. */
export const KERNELS = ['continuity', 'learning', 'forgetting', 'learning_control'] as const
export type Kernel = (typeof KERNELS)[number]

/** An amount is a number from 0 to this. */
export const AMOUNT_MAX = 1_000_000_000

interface MetricSpec {
  readonly kernel: Kernel
  /** The snake_case spelling; the key of the table is the camelCase one. Both are accepted. */
  readonly snakeName: string
  readonly type: 'amount' | 'flag'
  readonly meaning: string
}

export const METRICS = {
  repeatedDiscoverySteps: {
    kernel: 'continuity',
    snakeName: 'repeated_discovery_steps',
    type: 'amount',
    meaning: 'Steps spent on finding out again what was known.',
  },
  continuityGuidanceCorrect: {
    kernel: 'continuity',
    snakeName: 'continuity_guidance_correct',
    type: 'flag',
    meaning: 'The work went on where it had stopped.',
  },
  recoveredStateFacts: {
    kernel: 'continuity',
    snakeName: 'recovered_state_facts',
    type: 'amount',
    meaning: 'Facts about the state of the work that were recovered.',
  },
  expectedStateFacts: {
    kernel: 'continuity',
    snakeName: 'expected_state_facts',
    type: 'amount',
    meaning: 'Facts that should have been recovered. Absent or 0: what was recovered, at least 1.',
  },
  verifiedFactsCarried: {
    kernel: 'continuity',
    snakeName: 'verified_facts_carried',
    type: 'amount',
    meaning: 'Verified facts that were carried over.',
  },
  verifiedFactsExpected: {
    kernel: 'continuity',
    snakeName: 'verified_facts_expected',
    type: 'amount',
    meaning: 'Verified facts that should have been carried over. Absent or 0: what was carried, at least 1.',
  },
  workflowReused: {
    kernel: 'learning',
    snakeName: 'workflow_reused',
    type: 'flag',
    meaning: 'A known workflow was used again.',
  },
  stableWorkflowReused: {
    kernel: 'learning',
    snakeName: 'stable_workflow_reused',
    type: 'flag',
    meaning: 'The workflow that was used again had proved itself before.',
  },
  provisionalMemoriesWritten: {
    kernel: 'learning',
    snakeName: 'provisional_memories_written',
    type: 'amount',
    meaning: 'Memories written on trial.',
  },
  trustedPromotions: {
    kernel: 'learning',
    snakeName: 'trusted_promotions',
    type: 'amount',
    meaning: 'Memories that direct evidence raised.',
  },
  weakEvidencePromoted: {
    kernel: 'learning',
    snakeName: 'weak_evidence_promoted',
    type: 'amount',
    meaning: 'Memories that were raised without enough evidence. Any of them fails the kernel.',
  },
  counterEvidenceDemotions: {
    kernel: 'learning',
    snakeName: 'counter_evidence_demotions',
    type: 'amount',
    meaning: 'Memories that counter-evidence lowered.',
  },
  contextItems: {
    kernel: 'forgetting',
    snakeName: 'context_items',
    type: 'amount',
    meaning: 'Items in the context.',
  },
  usefulContextItems: {
    kernel: 'forgetting',
    snakeName: 'useful_context_items',
    type: 'amount',
    meaning: 'Items in the context that were of use.',
  },
  staleMemorySurfaced: {
    kernel: 'forgetting',
    snakeName: 'stale_memory_surfaced',
    type: 'amount',
    meaning: 'Stale memories that reached the context as usable.',
  },
  staleMemorySuppressed: {
    kernel: 'forgetting',
    snakeName: 'stale_memory_suppressed',
    type: 'amount',
    meaning: 'Stale memories that were held back.',
  },
  archivedMemoryRehydratedOnDemand: {
    kernel: 'forgetting',
    snakeName: 'archived_memory_rehydrated_on_demand',
    type: 'amount',
    meaning: 'Archived memories that were fetched when they were needed.',
  },
  unnecessaryRehydrations: {
    kernel: 'forgetting',
    snakeName: 'unnecessary_rehydrations',
    type: 'amount',
    meaning: 'Memories that were fetched without need.',
  },
  weakEvidenceBlocked: {
    kernel: 'learning_control',
    snakeName: 'weak_evidence_blocked',
    type: 'amount',
    meaning: 'Weakly supported memories that were kept from direct use.',
  },
  authorityRequiresEvidence: {
    kernel: 'learning_control',
    snakeName: 'authority_requires_evidence',
    type: 'flag',
    meaning: 'Nothing gains authority without evidence.',
  },
  blockedAuthorityVisible: {
    kernel: 'learning_control',
    snakeName: 'blocked_authority_visible',
    type: 'flag',
    meaning: 'What is blocked is shown as blocked.',
  },
  unverifiedAuthorityApplied: {
    kernel: 'learning_control',
    snakeName: 'unverified_authority_applied',
    type: 'amount',
    meaning: 'Unverified memories that directed the work. Any of them fails the kernel.',
  },
} as const satisfies Record<string, MetricSpec>

export type MetricName = keyof typeof METRICS
type NamesOf<Type extends MetricSpec['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never
}[MetricName]
export type AmountMetric = NamesOf<'amount'>
export type FlagMetric = NamesOf<'flag'>

export function isMetric(name: string): name is MetricName {
  return Object.hasOwn(METRICS, name)
}

export function isAmountMetric(name: MetricName): name is AmountMetric {
  return METRICS[name].type === 'amount'
}

export function isFlagMetric(name: MetricName): name is FlagMetric {
  return METRICS[name].type === 'flag'
}

/** In the order of the table. */
export const METRIC_NAMES: readonly MetricName[] = Object.keys(METRICS).filter(isMetric)
export const AMOUNT_METRICS: readonly AmountMetric[] = METRIC_NAMES.filter(isAmountMetric)
export const FLAG_METRICS: readonly FlagMetric[] = METRIC_NAMES.filter(isFlagMetric)
