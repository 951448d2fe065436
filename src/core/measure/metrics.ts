/** Three decimals, halves away from zero: the rounded opposite is the opposite of the rounded. */
export function rounded(value: number): number {
  // Adding 0 turns -0, which a small negative number leaves behind, into 0.
  return (Math.sign(value) * Math.round(Math.abs(value) * 1000)) / 1000 + 0
}

/** From 0 to 1; `otherwise` when there is nothing to divide by. */
export function shareOf(part: number, whole: number, otherwise: number): number {
  return whole > 0 ? Math.min(part / whole, 1) : otherwise
}

/** The mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of a 95 % interval: the normal quantile at 97.5 %. */
const Z = 1.959964

export type SuccessShare = ReturnType<typeof successShare>

/** Runs of one arm that ended, and how sure their share is: 95 % by Wilson's score, which holds for few runs too. */
export function successShare(succeeded: number, runs: number) {
  if (runs === 0) return { runs, succeeded, share: null, interval: null }
  const share = succeeded / runs
  const width = 1 + (Z * Z) / runs
  const centre = (share + (Z * Z) / (2 * runs)) / width
  const spread = (Z / width) * Math.sqrt((share * (1 - share)) / runs + (Z * Z) / (4 * runs * runs))
  return {
    runs,
    succeeded,
    share: rounded(share),
    interval: { low: rounded(Math.max(0, centre - spread)), high: rounded(Math.min(1, centre + spread)) },
  }
}

// Everything that an observation can measure. The table is closed: reading, validation, scoring and documents
// are derived from it.

/** The four kernels of the evaluation, in the order of every report. */
export const KERNELS = ['continuity', 'learning', 'forgetting', 'learning_control'] as const
export type Kernel = (typeof KERNELS)[number]

/** An amount is a number from 0 to this. */
export const AMOUNT_MAX = 1_000_000_000

interface MetricSpec {
  readonly kernel: Kernel
  readonly type: 'amount' | 'flag'
  readonly meaning: string
}

const amount = (kernel: Kernel, meaning: string) => ({ kernel, type: 'amount', meaning }) as const
const flag = (kernel: Kernel, meaning: string) => ({ kernel, type: 'flag', meaning }) as const

/** By camelCase name; see `snakeName` for the other spelling. */
export const METRICS = {
  repeatedDiscoverySteps: amount('continuity', 'Steps spent on finding out again what was known.'),
  continuityGuidanceCorrect: flag('continuity', 'The work went on where it had stopped.'),
  recoveredStateFacts: amount('continuity', 'Facts about the state of the work that were recovered.'),
  expectedStateFacts: amount(
    'continuity',
    'Facts that should have been recovered. Absent or 0: what was recovered, at least 1.',
  ),
  verifiedFactsCarried: amount('continuity', 'Verified facts that were carried over.'),
  verifiedFactsExpected: amount(
    'continuity',
    'Verified facts that should have been carried over. Absent or 0: what was carried, at least 1.',
  ),
  workflowReused: flag('learning', 'A known workflow was used again.'),
  stableWorkflowReused: flag('learning', 'The workflow that was used again had proved itself before.'),
  provisionalMemoriesWritten: amount('learning', 'Memories written on trial.'),
  trustedPromotions: amount('learning', 'Memories that direct evidence raised.'),
  weakEvidencePromoted: amount(
    'learning',
    'Memories that were raised without enough evidence. Any of them fails the kernel.',
  ),
  counterEvidenceDemotions: amount('learning', 'Memories that counter-evidence lowered.'),
  contextItems: amount('forgetting', 'Items in the context.'),
  usefulContextItems: amount('forgetting', 'Items in the context that were of use.'),
  staleMemorySurfaced: amount('forgetting', 'Stale memories that reached the context as usable.'),
  staleMemorySuppressed: amount('forgetting', 'Stale memories that were held back.'),
  archivedMemoryRehydratedOnDemand: amount(
    'forgetting',
    'Archived memories that were fetched when they were needed.',
  ),
  unnecessaryRehydrations: amount('forgetting', 'Memories that were fetched without need.'),
  weakEvidenceBlocked: amount(
    'learning_control',
    'Weakly supported memories that were kept from direct use.',
  ),
  authorityRequiresEvidence: flag('learning_control', 'Nothing gains authority without evidence.'),
  blockedAuthorityVisible: flag('learning_control', 'What is blocked is shown as blocked.'),
  unverifiedAuthorityApplied: amount(
    'learning_control',
    'Unverified memories that directed the work. Any of them fails the kernel.',
  ),
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

/** The snake_case spelling. Both are accepted. */
export function snakeName(name: MetricName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** In the order of the table. */
export const METRIC_NAMES: readonly MetricName[] = Object.keys(METRICS).filter(isMetric)
export const AMOUNT_METRICS: readonly AmountMetric[] = METRIC_NAMES.filter(isAmountMetric)
export const FLAG_METRICS: readonly FlagMetric[] = METRIC_NAMES.filter(isFlagMetric)
