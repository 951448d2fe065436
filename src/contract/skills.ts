import { z } from 'zod'
import { SKILL_REFUSALS } from '../core/measure/skill.ts'
import { SKILL_DECISIONS, SKILL_STATUSES } from '../core/model/skill-candidate.ts'
import { SUPPLIED_REFUSALS } from '../core/skills/derive.ts'
import { TraceDerivedSkill } from './effect-report.ts'
import { filled, id, isSent, jsonObject, optional, request } from './fields.ts'
import {
  count,
  described,
  envelope,
  isoTime,
  namesOf,
  nullableText,
  readOnly,
  rows,
  strings,
  writtenEnvelope,
} from './vocabulary.ts'

export const SKILL_RULES = {
  origin:
    'Send effect_report, measure_result, task_signature or workflow_signature: a candidate is derived from recorded runs.',
  supplied:
    'A skill in a supplied report is derived again from the records. One that differs is refused and named; nothing is stored as supplied.',
} as const

const CONTRACT = 'svc_trace_derived_skill_review_result_v1'
/** Characters of a reason. */
const REASON_CHARS_MAX = 2048
const REVIEWER_CHARS_MAX = 256
const LIMIT_DEFAULT = 50
const LIMIT_MAX = 500

const flag = z.boolean()
const limit = z.int().min(1).max(LIMIT_MAX)

export const ProposeSkillsRequest = request('Where candidates come from.', {
  effect_report: optional(
    jsonObject,
    'The effect_report of a measurement; its skills are compared with the records.',
  ),
  measure_result: optional(jsonObject, 'A whole answer of measure; its effect_report is read.'),
  include_markdown: optional(flag, 'Each candidate as a markdown file as well. Default false.'),
}).refine(
  (body) =>
    isSent(body.effect_report) ||
    isSent(body.measure_result) ||
    [body.task_signature, body.workflow_signature].some(isSent) ||
    [body.context?.task_signature, body.context?.workflow_signature].some(isSent),
  { path: ['task_signature'], error: SKILL_RULES.origin },
)

export const ListSkillsRequest = request('Which candidates to list. Query parameters.', {
  status: optional(z.enum([...SKILL_STATUSES, 'all']), 'Default `pending_review`.'),
  limit: optional(limit, `Candidates, the newest first, 1 to ${LIMIT_MAX}. Default ${LIMIT_DEFAULT}.`),
  include_markdown: optional(flag, 'Each candidate as a markdown file as well. Default false.'),
})

export const ReviewSkillRequest = request('A review of one candidate.', {
  candidate_id: id.describe('The candidate; over HTTP the id in the path.'),
  reviewer_id: filled.max(REVIEWER_CHARS_MAX).describe('Who reviewed it.'),
  reason: filled.max(REASON_CHARS_MAX).describe(`Why, at most ${REASON_CHARS_MAX} characters.`),
  include_markdown: optional(flag, 'The candidate as a markdown file as well. Default false.'),
})

export const SkillCandidateItem = described('A skill for review. It is no memory, and no agent sees it.', {
  candidate_id: z.string(),
  candidate_type: z.literal('trace_derived_skill'),
  status: z.enum(SKILL_STATUSES),
  task_signature: nullableText,
  workflow_signature: nullableText,
  source_memory_ids: strings.describe('Memory whose text stands in the skill.'),
  proposed_at: isoTime,
  review: z
    .strictObject({
      decision: z.enum(SKILL_DECISIONS),
      reviewer_id: z.string(),
      reason: z.string(),
      reviewed_at: isoTime,
    })
    .nullable()
    .describe('Null: nobody reviewed it.'),
  procedure_id: z.string().optional().describe('The memory that settling it as promoted wrote.'),
  trace_derived_skill: TraceDerivedSkill.nullable().describe(
    'Null: its text is withheld, see text_withheld.',
  ),
  text_withheld: z
    .boolean()
    .describe(
      'True: a source is private to somebody else, or suppressed. Send the consumer fields of somebody who sees it.',
    ),
  markdown: z.string().optional().describe('With include_markdown, unless the text is withheld.'),
})

const Safety = described('What a candidate never does. To have agents use one, settle it with promote.', {
  ...readOnly,
  authority_mutation: z.literal(false),
  required_gate: z.literal('admission_and_promotion_gate'),
})

const answer = { candidates: z.array(SkillCandidateItem), candidate_count: count, safety: Safety }

export const ProposeSkillsResponse = described('The candidates that the records give, as they are stored.', {
  ...writtenEnvelope(CONTRACT),
  ...answer,
  inserted_count: count,
  updated_count: count.describe('Pending candidates that were replaced.'),
  refused: rows({
    task_signature: nullableText,
    workflow_signature: nullableText,
    reason: z.enum([...namesOf(SKILL_REFUSALS), ...namesOf(SUPPLIED_REFUSALS)]),
    message: z.string(),
    differing_fields: strings,
  }).describe('What was asked for and is not stored.'),
})

export const ListSkillsResponse = described('Skill candidates, the newest first.', {
  ...envelope(CONTRACT),
  ...answer,
})

const reviewed = z.strictObject({ ...writtenEnvelope(CONTRACT), ...answer })
export const PromoteSkillResponse = reviewed.describe('The promoted candidate.')
export const RejectSkillResponse = reviewed.describe('The rejected candidate.')

/** Candidates of a list that names no limit. */
export const SKILLS_LISTED = LIMIT_DEFAULT
