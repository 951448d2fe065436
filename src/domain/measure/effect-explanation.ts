import type { ImpactDirection } from './direction.ts'
import { EVIDENCE_REASONS, type EvidenceAssessment } from './evidence.ts'
import { isImproved, isRegressed, type KernelReport, type KernelScore } from './kernel-report.ts'
import type { PairedOutcomes } from './paired-outcomes.ts'

const REASONS_MAX = 3

/** What the numbers show and whether they may be believed, in a few sentences. */
export function explanationOf(
  direction: ImpactDirection,
  report: KernelReport,
  evidence: EvidenceAssessment,
  paired: PairedOutcomes | null,
): string {
  if (direction === 'insufficient_evidence') {
    const reasons = evidence.reasons.slice(0, REASONS_MAX).map((reason) => EVIDENCE_REASONS[reason])
    return ['The evidence does not support a claim.', ...reasons].join(' ')
  }
  return [
    scoreSentence(report),
    changeSentence(report),
    VERDICTS[direction],
    SOURCES[evidence.provenance],
    ...(paired === null ? [] : [pairedSentence(paired)]),
  ].join(' ')
}

const VERDICTS = {
  positive: 'Memory helped.',
  negative: 'Memory did harm.',
  neutral: 'No effect is shown.',
} as const satisfies Record<Exclude<ImpactDirection, 'insufficient_evidence'>, string>

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
