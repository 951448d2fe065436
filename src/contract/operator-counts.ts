import { z } from 'zod'
import { SURFACES } from '../core/base/closed-sets.ts'
import { PAIRS_MIN } from '../core/measure/paired-outcomes.ts'
import { COUNTED_HOURS } from '../core/model/rule-counts.ts'
import { count, described, isoTime } from './envelope.ts'
import { id, optional, share } from './fields.ts'
import { pageOf, scopeReadFields } from './operator-page.ts'
import { nullableText } from './vocabulary.ts'

/** Guides whose outcomes are told by rule. */
export const OUTCOME_GUIDES = 200

export const CountRulesRequest = z
  .object({
    ...scopeReadFields,
    rule_id: optional(id, 'Only this rule.'),
    outcomes: optional(
      z.boolean(),
      `What runs reported about memory that a rule decided, in the newest ${OUTCOME_GUIDES} guides. Default false.`,
    ),
  })
  .meta({ description: 'Which rules to count. Query parameters; consumer fields are not read.' })

const RuleCount = z
  .strictObject({
    rule_id: z.string(),
    reason_code: nullableText.meta({ description: 'Null, as what follows: there is no such rule any more.' }),
    surface: z.enum(SURFACES).nullable(),
    law: nullableText,
    hours: z
      .array(z.strictObject({ from: isoTime, count }))
      .max(COUNTED_HOURS)
      .meta({ description: `The newest ${COUNTED_HOURS} hours in which it decided, the oldest first.` }),
    count: count.meta({ description: 'In all, those hours and every one before.' }),
    outcomes: z
      .strictObject({ positive: count, negative: count, neutral: count })
      .optional()
      .meta({ description: 'Only where asked for.' }),
  })
  .meta({ description: 'How often one surface rule decided about a memory in a guide, shown or left out.' })

export const CountRulesResponse = pageOf('svc_operator_rules_v1', RuleCount).meta({
  description: 'Surface rules in the order in which they are asked. Not for the agent.',
})

export const CompareEffectRequest = z
  .object({ ...scopeReadFields, task_signature: optional(id, 'Only this task.') })
  .meta({ description: 'Which tasks to compare. Query parameters.' })

const interval = z.strictObject({ low: z.number(), high: z.number() }).nullable()

const Arm = z.strictObject({
  runs: count,
  succeeded: count,
  share: share.nullable().meta({ description: 'Null without a run.' }),
  interval: interval.meta({ description: '95 %, by the score of Wilson.' }),
})

const Ends = z.strictObject({ runs: count, succeeded: count })

export const EFFECT_VERDICTS = ['positive', 'negative', 'neutral', 'not_enough_evidence'] as const

const TaskEffect = described('What memory changed for one task, as far as finished runs show it.', {
  task_signature: z.string(),
  with_memory: Arm.meta({ description: 'Runs whose guides gave memory for direct use.' }),
  without_memory: Arm.meta({
    description: 'Runs from which memory was withheld, and runs without a guide.',
  }),
  pairs: z.strictObject({
    count: count.meta({ description: 'Tasks (signature and task_id) with runs of both kinds.' }),
    needed: z.literal(PAIRS_MIN),
    difference: z.number().nullable().meta({ description: 'Mean over the pairs, with less without.' }),
    interval: interval.meta({
      description: '95 %, by resampling the pairs; null below the number needed.',
    }),
  }),
  verdict: z.enum(EFFECT_VERDICTS).meta({
    description: `not_enough_evidence: fewer than ${PAIRS_MIN} pairs, whatever the shares say.`,
  }),
  hours: z
    .array(z.strictObject({ from: isoTime, with_memory: Ends, without_memory: Ends }))
    .max(COUNTED_HOURS)
    .meta({
      description: `Those of the newest ${COUNTED_HOURS} hours in which a run ended, the oldest first.`,
    }),
  runs_cut: z.boolean().meta({ description: 'Only the newest runs or guides were looked at.' }),
})

export const CompareEffectResponse = pageOf('svc_operator_effect_v1', TaskEffect).meta({
  description: 'Tasks with finished runs in the order of their signatures, by code unit. Not for the agent.',
})
