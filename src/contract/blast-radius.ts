import { z } from 'zod'
import { LANES, MEMORY_SOURCES, ORIGINS, OUTCOMES, TRUSTS } from '../core/base/closed-sets.ts'
import { BLAST_SUBJECTS } from '../core/report/blast-radius.ts'
import { id, optional, request } from './fields.ts'
import { ExternalMemoryItem } from './operator-lists.ts'
import {
  count,
  described,
  envelope,
  isoTime,
  lifecycleState,
  memoryType,
  nullableText,
  outcomeFields,
  readOnly,
  rows,
  seenAs,
  strings,
  surface,
} from './vocabulary.ts'

/** Every origin that may be traced. */
export const ASKED_ORIGINS: readonly string[] = ORIGINS

export const BLAST_RULE = 'Send exactly one of memory_id, client_id, external_memory_id, source and origin.'

export const BlastRadiusRequest = request('What to trace. Nothing changes; a reason is not needed.', {
  memory_id: optional(id, 'One memory, or the claim or handoff that it holds.'),
  client_id: optional(id, 'Every memory of this client id.'),
  external_memory_id: optional(id, 'Memory of other stores with this id, as govern recorded it.'),
  source: optional(
    id,
    'Everything that came from there: a producer agent or team, an actor name, a raw or evidence reference, or a source memory id.',
  ),
  origin: optional(z.enum(ORIGINS), 'Every memory of this origin.'),
}).refine(
  (body) => BLAST_SUBJECTS.filter((name) => body[name] !== undefined && body[name] !== null).length === 1,
  { path: ['memory_id'], error: BLAST_RULE },
)

const recordedOutcome = z
  .enum(OUTCOMES)
  .nullable()
  .describe('What the run that it records ended with; null: it records none that tells.')

const stateFields = {
  outcome: recordedOutcome,
  lifecycle_state: lifecycleState,
  erased: z.boolean().describe('True: its text is gone for good; the state is the one it had.'),
  trust: z.enum(TRUSTS),
}

const TracedMemory = z.strictObject({
  memory_id: z.string(),
  client_id: nullableText,
  title: nullableText,
  memory_type: memoryType,
  memory_lane: z.enum(LANES),
  ...stateFields,
  written: z.strictObject({
    producer_agent_id: nullableText,
    producer_team_id: nullableText,
    actor: nullableText,
    origin: z.enum(ORIGINS),
    source: z.enum(MEMORY_SOURCES),
    run_id: nullableText,
    at: isoTime,
    revision: count,
    revised_at: isoTime.nullable(),
  }),
  derived_from: strings.describe('Memories that it was derived from.'),
})

const DerivedMemory = z.strictObject({
  memory_id: z.string(),
  title: nullableText,
  depth: z.int().min(1).describe('Steps from the nearest memory that was asked about.'),
  derived_from: strings.describe('Its sources among the memories of this report.'),
  ...stateFields,
  trust_if_suppressed: z
    .enum(TRUSTS)
    .describe('The same as `trust`: suppressing a source does not touch what was derived.'),
})

const TouchedGuide = z.strictObject({
  guide_trace_id: z.string(),
  consumer_agent_id: z.string(),
  consumer_team_id: nullableText,
  run_id: nullableText,
  task_signature: nullableText,
  at: isoTime,
  held_out: z.boolean(),
  exposed: rows({ memory_id: z.string(), surface, is_derivative: z.boolean() })
    .min(1)
    .describe('Lines of this report in rank order.'),
})

const TouchedRun = z.strictObject({
  run_id: z.string(),
  ended: z
    .enum(OUTCOMES)
    .nullable()
    .describe('What the last recorded step of the run says; null: none tells.'),
  outcomes: rows({
    memory_id: z.string(),
    ...outcomeFields,
    strong: z.boolean(),
    direct: z.boolean(),
    guide_trace_id: nullableText,
    at: isoTime,
  })
    .max(200)
    .describe('Feedback of this run about memories of this report, oldest first.'),
})

const DryRun = described('What suppressing the memories would have changed. Guides are not run again.', {
  operation: z.literal('suppress'),
  basis: z.literal('recorded_guides'),
  note: z.string().min(1),
  guides_considered: count.describe('The newest guides that showed a memory asked about.'),
  differing_count: count,
  changed_line_count: count,
  entries: rows({
    guide_trace_id: z.string(),
    consumer_agent_id: z.string(),
    run_id: nullableText,
    at: isoTime,
    lines: rows({
      memory_id: z.string(),
      surface,
      surface_if_suppressed: z.literal('do_not_use'),
    }).min(1),
    use_now_left: count,
    usable_left: count,
  }).max(200),
})

/** What a memory, or everything from one source, has touched. */
export const BlastRadius = described(
  'Who wrote the memories, what came of them, and who was shown it. Not for the agent.',
  {
    contract_version: z.literal('svc_blast_radius_report_v1'),
    intended_use: z.literal('blast_radius_audit'),
    ...readOnly,
    at: isoTime,
    asked: z.strictObject({ by: z.enum(BLAST_SUBJECTS), value: z.string() }),
    seen_as: seenAs,
    memory_count: count,
    memories: z.array(TracedMemory).max(200),
    external_memories: z
      .array(ExternalMemoryItem)
      .optional()
      .describe('Only with external_memory_id. Suppression does not reach them.'),
    derivative_count: count,
    derivatives: z.array(DerivedMemory).max(200),
    guides: z.strictObject({
      count,
      scanned_count: count,
      is_cut: z.boolean().describe('True: older guides were not looked at.'),
      entries: z.array(TouchedGuide).max(200).describe('The newest first.'),
    }),
    runs: z.strictObject({ count, entries: z.array(TouchedRun).max(200) }),
    dry_run: DryRun,
  },
)

export const BlastRadiusResponse = described('What a memory has touched. Not for the agent.', {
  ...envelope('svc_blast_radius_result_v1'),
  blast_radius: BlastRadius,
})
