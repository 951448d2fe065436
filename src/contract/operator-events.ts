import { z } from 'zod'
import { SURFACES } from '../core/base/closed-sets.ts'
import { PAIRS_MIN } from '../core/measure/paired-outcomes.ts'
import { COUNTED_HOURS } from '../core/model/rule-counts.ts'
import { TURN_EVENTS } from '../core/report/turn-events.ts'
import { consumerFields, id, optional, request, scopeName, share, tenantId } from './fields.ts'
import { pageOf, scopeReadFields } from './operator-lists.ts'
import {
  count,
  described,
  type Frozen,
  facetChanges,
  isoTime,
  nullableText,
  rows,
  strings,
} from './vocabulary.ts'

/** Guides whose outcomes are told by rule. */
export const OUTCOME_GUIDES = 200

export const CountRulesRequest = request(
  'Which rules to count. Query parameters; consumer fields are not read.',
  {
    ...scopeReadFields,
    rule_id: optional(id, 'Only this rule.'),
    outcomes: optional(
      z.boolean(),
      `What runs reported about memory that a rule decided, in the newest ${OUTCOME_GUIDES} guides. Default false.`,
    ),
  },
)

const RuleCount = described(
  'How often one surface rule decided about a memory in a guide, shown or left out.',
  {
    rule_id: z.string(),
    reason_code: nullableText.describe('Null, as what follows: there is no such rule any more.'),
    surface: z.enum(SURFACES).nullable(),
    law: nullableText,
    hours: rows({ from: isoTime, count })
      .max(COUNTED_HOURS)
      .describe(`The newest ${COUNTED_HOURS} hours in which it decided, the oldest first.`),
    count: count.describe('In all, those hours and every one before.'),
    outcomes: z
      .strictObject({ positive: count, negative: count, neutral: count })
      .optional()
      .describe('Only where asked for.'),
  },
)

export const CountRulesResponse = pageOf('svc_operator_rules_v1', RuleCount).describe(
  'Surface rules in the order in which they are asked. Not for the agent.',
)

export const CompareEffectRequest = request('Which tasks to compare. Query parameters.', {
  ...scopeReadFields,
  task_signature: optional(id, 'Only this task.'),
})

const interval = z.strictObject({ low: z.number(), high: z.number() }).nullable()

const Arm = z.strictObject({
  runs: count,
  succeeded: count,
  share: share.nullable().describe('Null without a run.'),
  interval: interval.describe('95 %, by the score of Wilson.'),
})

const Ends = z.strictObject({ runs: count, succeeded: count })

export const EFFECT_VERDICTS = ['positive', 'negative', 'neutral', 'not_enough_evidence'] as const

const TaskEffect = described('What memory changed for one task, as far as finished runs show it.', {
  task_signature: z.string(),
  with_memory: Arm.describe('Runs whose guides gave memory for direct use.'),
  without_memory: Arm.describe('Runs from which memory was withheld, and runs without a guide.'),
  pairs: z.strictObject({
    count: count.describe('Tasks (signature and task_id) with runs of both kinds.'),
    needed: z.literal(PAIRS_MIN),
    difference: z.number().nullable().describe('Mean over the pairs, with less without.'),
    interval: interval.describe('95 %, by resampling the pairs; null below the number needed.'),
  }),
  verdict: z
    .enum(EFFECT_VERDICTS)
    .describe(`not_enough_evidence: fewer than ${PAIRS_MIN} pairs, whatever the shares say.`),
  hours: rows({ from: isoTime, with_memory: Ends, without_memory: Ends })
    .max(COUNTED_HOURS)
    .describe(`Those of the newest ${COUNTED_HOURS} hours in which a run ended, the oldest first.`),
  runs_cut: z.boolean().describe('Only the newest runs or guides were looked at.'),
})

export const CompareEffectResponse = pageOf('svc_operator_effect_v1', TaskEffect).describe(
  'Tasks with finished runs in the order of their signatures, by code unit. Not for the agent.',
)

/** Streams that may be open at once. */
export const LISTENERS_MAX = 16
/** Events that a reader who comes back is told anew. */
export const REPLAYED_MAX = 1000
/** Events that wait for a slow reader. */
export const QUEUED_MAX = 256

export const STREAM_RULES = {
  place: 'tenant_id and scope are both sent.',
  names: `The name of an event is one of ${TURN_EVENTS.join(', ')}; data is the object of this answer as JSON, in one line.`,
  back: `With the header Last-Event-ID, or last_event_id, what was missed is told first, at most ${REPLAYED_MAX} events and each once; with more, or where history does not reach, one event named gap with its reason, and then what is new.`,
  slow: `For a reader that does not keep up ${QUEUED_MAX} events wait: the oldest go, and an event named dropped says how many, as {"dropped": n}.`,
  end: 'An event named end says why the stream ends: {"reason": "shutting_down"}, {"reason": "unauthorized"}, or {"reason": "not_owner"}: another node has the scope now, ask again.',
  many: `At most ${LISTENERS_MAX} streams are open at once; one more is answered overloaded.`,
} as const

/** `<turn>.<place in the turn>` */
export const EVENT_ID = /^(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,5})$/

export const FollowEventsRequest = z
  .object({
    tenant_id: tenantId.describe('The tenant that is followed.'),
    scope: scopeName.describe('The scope that is followed.'),
    ...consumerFields,
    last_event_id: optional(
      z.string().regex(EVENT_ID, { error: 'Send the id of an event of this stream as it came, or none.' }),
      'The last event that came, as the header `Last-Event-ID`, which counts where both are sent.',
    ),
    include_text: optional(
      z.boolean(),
      'Also the texts of its memories, 400 characters each, as they are when the event is sent. Default false.',
    ),
  })
  .describe('What to follow. Query parameters.')

export const OperatorEvent = described('One event of a scope.', {
  contract_version: z.literal('svc_operator_events_v1'),
  tenant_id: z.string(),
  scope: z.string(),
  event: z.enum(TURN_EVENTS),
  at: isoTime,
  key_id: nullableText.describe('The key by which it was asked for; null: without keys.'),
  memory_ids: strings,
  guide_trace_ids: strings,
  run_id: nullableText,
  consumer_agent_id: nullableText,
  consumer_team_id: nullableText,
  what: nullableText.describe(
    'Outcome of a feedback, kind of a dispute, which side of it stands, verdict on a skill, operation of a forget.',
  ),
  skill_id: nullableText,
  shown: rows({ surface: z.enum(SURFACES), rule_id: z.string(), count: z.int().min(1) }).describe(
    'Lines of a guide in rank order: the surface and rule of the first `count` of memory_ids, then of the next ones.',
  ),
  screened: rows({ memory_id: z.string(), findings: strings }).describe(
    'What screening found in what was written.',
  ),
  changes: facetChanges.describe('What it did to memories, in the words of their facets.'),
  texts: rows({ memory_id: z.string(), text: nullableText })
    .optional()
    .describe('With include_text; null: it is erased.'),
})
export type OperatorEvent = Frozen<z.output<typeof OperatorEvent>>
