import { z } from 'zod'
import { CONTEXT_MODES, GUIDE_MODES, PROFILES, STANDINGS } from '../core/base/closed-sets.ts'
import { PROMPT_GAPS } from '../core/report/prompt-again.ts'
import { id, instant, optional, request } from './fields.ts'
import { pageOf, scopeReadFields } from './operator-lists.ts'
import {
  count,
  described,
  ErasedMemory,
  feedbackOutcome,
  isoTime,
  lifecycleState,
  nullableText,
  omittedReason,
  recallSource,
  recommendedPosture,
  rows,
  shownCounts,
  strings,
  surface,
  usedSurface,
} from './vocabulary.ts'

export const ListGuidesRequest = request('Which guides to list. Query parameters.', {
  ...scopeReadFields,
  guide_trace_id: optional(
    id,
    'One guide, whole: what was asked, why each memory was shown or left out, and its prompt, rendered again. Other filters are not read.',
  ),
  with_prompt: optional(
    z.boolean(),
    'With guide_trace_id: render its prompt again, which may go through the journal up to it. Default true.',
  ),
  as_now: optional(
    z.boolean(),
    'With guide_trace_id: also what the same ask would show now. Nothing is exposed by that. Default false.',
  ),
  run_id: optional(id, 'The run that asked.'),
  task_signature: optional(id, 'The task signature that was asked for.'),
  memory_id: optional(id, 'Guides that showed this memory.'),
  made_from: optional(instant, 'Made at this time or later.'),
  made_to: optional(instant, 'Made before this time.'),
})

const DecidedMemory = z.strictObject({
  memory_id: z.string(),
  handle: nullableText.describe('What its line opens with. Null: its id, or it has no line.'),
  surface,
  rule_id: nullableText.describe('Null, as what follows, where the explanation is kept no longer.'),
  reason_codes: strings,
  reason: nullableText,
  lifecycle_state: lifecycleState.nullable().describe('At that moment.'),
  recall_sources: z.array(recallSource),
  omitted: omittedReason.nullable().describe('Why it has no line. Null: it was shown.'),
  into: nullableText.describe('The memory whose line stands for it.'),
  erased: ErasedMemory.nullable().describe('What is left where the memory was erased since.'),
})

const GuideDetail = described('Only where one guide is asked for.', {
  is_explained: z.boolean().describe('False: the explanation is kept no longer.'),
  asked: z
    .strictObject({
      query_text: nullableText.describe('Null: it went with an erased memory.'),
      mode: z.enum(GUIDE_MODES),
      context_mode: z.enum(CONTEXT_MODES),
      profile: z.enum(PROFILES),
      agent_role: z.string(),
      limit: count,
      context_char_budget: count,
      workflow_signature: nullableText,
      task_id: nullableText,
      task_family: nullableText,
    })
    .nullable(),
  recommended_posture: recommendedPosture.nullable(),
  prompt: z.strictObject({
    reproduced: z.boolean().describe('The text below has the hash that the guide recorded.'),
    text: nullableText.describe('Rendered again from what was decided; no answer is kept for it.'),
    gap: z.enum(PROMPT_GAPS).nullable().describe('Why it is not reproduced. Null: it is.'),
    hash: nullableText,
    char_count: count.nullable(),
  }),
  memories: z.array(DecidedMemory).describe('In rank order: shown ones, then omitted ones.'),
  now: z
    .strictObject({
      text: z.string(),
      memories: rows({
        memory_id: z.string(),
        surface,
        rule_id: z.string(),
        reason_codes: strings,
        reason: z.string(),
        lifecycle_state: lifecycleState,
      }),
    })
    .nullable()
    .optional()
    .describe('With as_now, the lines in rank order. Null: what was asked is gone.'),
  outcomes: rows({
    at: isoTime,
    memory_id: z.string(),
    run_id: z.string(),
    outcome: feedbackOutcome,
    used_surface: usedSurface,
    reason: z.string(),
  }),
})

export const ListedGuide = described('One guide, for an operator.', {
  guide_trace_id: z.string(),
  at: isoTime,
  seq: count.describe('Its turn in the journal of the scope.'),
  consumer_agent_id: z.string(),
  consumer_team_id: nullableText,
  run_id: nullableText,
  task_signature: nullableText,
  held_out: z.boolean(),
  shown: shownCounts,
  external: rows({
    source_backend: z.string(),
    external_memory_id: z.string(),
    surface,
    standing: z.enum(STANDINGS).describe('What runs say of it now.'),
  })
    .optional()
    .describe('Only of a govern request that was recorded: its candidates.'),
  detail: GuideDetail.optional(),
})

export const ListGuidesResponse = pageOf('svc_operator_guides_v1', ListedGuide).describe(
  'Guides of a scope, the newest first. Not for the agent.',
)
