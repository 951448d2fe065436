import type { ImpactDirection } from './direction.ts'
import { EVIDENCE_REASONS, type EvidenceAssessment, type RecordedFeedback } from './evidence.ts'
import { isImproved, isRegressed, type KernelReport, type KernelScore } from './kernel-report.ts'
import type { PairedOutcomes } from './paired-outcomes.ts'
import type { SurfaceChange } from './surface-changes.ts'

const REASONS_MAX = 3
/** Memories named one by one in a sentence; the rest is counted. */
const NAMED_MAX = 3

export interface ExplainedFacts {
  readonly direction: ImpactDirection
  readonly report: KernelReport
  readonly evidence: EvidenceAssessment
  readonly paired: PairedOutcomes | null
  readonly changes: readonly SurfaceChange[]
  /** Outcomes of the guide after. */
  readonly feedback: readonly RecordedFeedback[]
}

/** What the numbers show, whether they may be believed, and what changed and why, in a few sentences. */
export function explanationOf({
  direction,
  report,
  evidence,
  paired,
  changes,
  feedback,
}: ExplainedFacts): string {
  if (direction === 'insufficient_evidence') {
    const reasons = evidence.reasons.slice(0, REASONS_MAX).map((reason) => EVIDENCE_REASONS[reason])
    return ['The evidence does not support a claim.', ...reasons].join(' ')
  }
  return [
    scoreSentence(report),
    changeSentence(report),
    VERDICTS[direction],
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
