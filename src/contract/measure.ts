import { z } from 'zod'
import { COMPARISON_MODES } from '../core/measure/job.ts'
import { EFFECT_DELTA_MIN, GUIDED_SCORE_MIN } from '../core/measure/kernel-report.ts'
import {
  AMOUNT_MAX,
  KERNELS,
  type Kernel,
  METRIC_NAMES,
  METRICS,
  snakeName,
} from '../core/measure/metrics.ts'
import { GROUPS, RUN_FIELDS } from '../core/measure/observation.ts'
import { guideArtifactFields, MemoryDecisionAudit, MemoryDecisionTrace } from './decision-trace.ts'
import { EffectReport, EvidenceAssessment, KernelReport } from './effect-report.ts'
import { id, isSent, jsonObject, optional, share, sharedFields, text, words } from './fields.ts'
import { described, envelope, namesOf, nullableText } from './vocabulary.ts'

/** The rules of measure that a JSON Schema cannot carry. */
export const MEASURE_RULES = {
  shape:
    'Send a manual pair, baseline and guided, or product_trace with after_guide. The second observation is named guided, the minimum score minGuidedScore.',
  pair: 'A manual pair is baseline and guided: send both. The second observation is named guided, the minimum score minGuidedScore.',
  comparison:
    'A product trace needs something to compare with: send before_guide or baseline beside after_guide.',
  score: 'The minimum score is named minGuidedScore and the second observation guided: send those names.',
} as const

const amount = z.number().min(0).max(AMOUNT_MAX)

function metricFields(kernels: readonly Kernel[]): Record<string, z.ZodType> {
  const own = METRIC_NAMES.filter((name) => kernels.includes(METRICS[name].kernel))
  return Object.fromEntries(
    own.flatMap((name) => {
      const { type, meaning } = METRICS[name]
      const schema = type === 'flag' ? z.boolean() : amount
      return [
        [name, optional(schema, meaning)],
        [snakeName(name), optional(schema, `As \`${name}\`.`)],
      ]
    }),
  )
}

const groupFields = Object.fromEntries(
  KERNELS.flatMap((kernel) =>
    GROUPS[kernel].map((group) => [
      group,
      optional(z.looseObject(metricFields([kernel])), `Metrics of the kernel ${kernel}.`),
    ]),
  ),
)

const RUN_SCHEMAS: Readonly<Record<keyof typeof RUN_FIELDS, z.ZodType>> = {
  label: optional(text, 'Your name for the run.'),
  runId: optional(id, 'The run that was observed.'),
  outcome: optional(text, 'How it ended.'),
  success: optional(z.boolean(), 'The task was done.'),
  steps: optional(amount, 'Steps of the run.'),
  toolCalls: optional(amount, 'Tool calls of the run.'),
}
const runFields = Object.fromEntries(
  namesOf(RUN_SCHEMAS).flatMap((field) => RUN_FIELDS[field].map((name) => [name, RUN_SCHEMAS[field]])),
)

/** What one run was like. Open: what is not known is ignored and named in the warnings. */
export const ObservationObject = z
  .looseObject({ ...runFields, ...groupFields, ...metricFields(KERNELS) })
  .describe('What one run was like, metrics flat or grouped by kernel, in either spelling.')

/** A guide response, whole or in part; numbers written beside it win over what is derived from it. */
export const GuideSnapshotObject = z
  .looseObject({
    ...guideArtifactFields,
    ...groupFields,
    ...metricFields(KERNELS),
  })
  .describe('A guide response, whole or in part.')

const sufficientEvidence = optional(
  z.boolean(),
  'Your own doubt counts, your confidence is echoed: the runtime decides.',
)

const ProductTraceObject = described(
  'One loop of guides and feedback. Strict: a field that is not listed is refused.',
  {
    baseline: optional(
      ObservationObject,
      'The run without memory; its numbers win over those of before_guide.',
    ),
    before_guide: optional(GuideSnapshotObject, 'The guide before memory could help.'),
    after_guide: GuideSnapshotObject.describe('The guide whose effect is measured.'),
    feedback_result: optional(jsonObject, 'The feedback response. Outcome and ids come from the records.'),
    forget_result: optional(
      jsonObject,
      'A forget, rehydrate or feedback response. Outcome and ids come from the records.',
    ),
    evidence_ids: optional(words, 'References to evidence. Echoed, not believed.'),
    sufficient_evidence: sufficientEvidence,
  },
)

const TaskObject = described('Which work is measured. Strict: a field that is not listed is refused.', {
  task_id: optional(id, 'Task.'),
  run_id: optional(id, 'Run that was guided.'),
  task_signature: optional(text, 'Task identity.'),
  task_family: optional(text, 'Family of the task.'),
  workflow_signature: optional(text, 'Workflow identity.'),
})

const ComparisonObject = described('What is compared. Strict: a field that is not listed is refused.', {
  mode: optional(
    z.enum(COMPARISON_MODES),
    'Default observe_only_vs_active for a product trace, else baseline_vs_guided. single_run_history_impact compares nothing and shows no effect.',
  ),
  baseline_run_id: optional(id, 'Run without memory.'),
  guided_run_id: optional(id, 'Run with memory.'),
  sufficient_evidence: sufficientEvidence,
})

const measureFields = {
  ...sharedFields,
  task: optional(TaskObject, 'Which work is measured.'),
  baseline: optional(ObservationObject, 'The run without memory; with `guided`.'),
  guided: optional(ObservationObject, 'The run with memory; with `baseline`.'),
  product_trace: optional(ProductTraceObject, 'Guides and feedback; counts before a manual pair.'),
  comparison: optional(ComparisonObject, 'What is compared.'),
  minEffectDelta: optional(share, `The gain that a pass needs, 0 to 1. Default ${EFFECT_DELTA_MIN}.`),
  minGuidedScore: optional(share, `The guided score that a pass needs, 0 to 1. Default ${GUIDED_SCORE_MIN}.`),
  evidence_ids: optional(words, 'References to evidence. Echoed, not believed.'),
}

// An older client sends the minimum score under another name. It would be ignored like any unknown field, and the
// report would use a threshold that the caller did not ask for.
function namesAnotherScore(body: object): boolean {
  return Object.keys(body).some((name) => /score$/i.test(name) && !Object.hasOwn(measureFields, name))
}

/** The object is open only to see that name. */
function onlyKnown<Body extends object>(body: Body): Body {
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(measureFields, name))
  return Object.fromEntries(known) as Body
}

export const MeasureRequest = z
  .looseObject(measureFields)
  .refine((body) => !namesAnotherScore(body), { path: ['minGuidedScore'], error: MEASURE_RULES.score })
  .refine((body) => isSent(body.product_trace) || isSent(body.baseline) || isSent(body.guided), {
    path: ['product_trace'],
    error: MEASURE_RULES.shape,
  })
  .refine((body) => isSent(body.product_trace) || isSent(body.guided) || !isSent(body.baseline), {
    path: ['guided'],
    error: MEASURE_RULES.pair,
  })
  .refine((body) => isSent(body.product_trace) || isSent(body.baseline) || !isSent(body.guided), {
    path: ['baseline'],
    error: MEASURE_RULES.pair,
  })
  .refine(
    ({ product_trace: trace }) => !isSent(trace) || isSent(trace?.baseline) || isSent(trace?.before_guide),
    { path: ['product_trace', 'before_guide'], error: MEASURE_RULES.comparison },
  )
  .overwrite(onlyKnown)
  .describe('A manual pair of observations, or a product trace.')

const metricGroup = z.record(z.string(), z.union([z.number(), z.boolean()]))
const NormalisedObservation = z.strictObject({
  label: nullableText,
  run_id: nullableText,
  outcome: nullableText,
  success: z.boolean().nullable(),
  steps: z.number().nullable(),
  tool_calls: z.number().nullable(),
  continuity: metricGroup,
  learning: metricGroup,
  forgetting: metricGroup,
  learning_control: metricGroup,
})

export const MeasureResponse = described(
  'What memory changed, as far as the evidence shows it. Not for the agent.',
  {
    ...envelope('svc_measure_result_v1'),
    measurement_input: described(
      'What was scored: the metrics that were observed, under their camelCase names.',
      {
        source: z.enum(['manual_observations', 'product_trace']),
        baseline: NormalisedObservation,
        guided: NormalisedObservation,
      },
    ),
    effect_report: EffectReport,
    evidence_assessment: EvidenceAssessment,
    kernel_report: KernelReport,
    memory_decision_trace: MemoryDecisionTrace.optional().describe('Only for a product trace.'),
    memory_decision_audit: MemoryDecisionAudit.optional().describe('Only for a product trace.'),
  },
)
