import { z } from 'zod'
import { FACETS, LIFECYCLE_STATES } from '../core/base/closed-sets.ts'
import { CHANGES, LIST_CAUSES } from '../core/report/difference.ts'
import { id, instant, isSent, jsonObject, optional, request, words } from './fields.ts'
import {
  count,
  described,
  ErasedMemory,
  envelope,
  feedbackOutcome,
  guidanceAuthority,
  idList,
  idsBySurface,
  isoTime,
  lifecycleState,
  mismatches,
  nullableText,
  omittedReason,
  outcomeFields,
  ReplayedClaimLedger,
  readOnly,
  recallSource,
  recommendedPosture,
  rows,
  SourceMap,
  strings,
  surface,
  usedSurface,
} from './vocabulary.ts'

export const REPLAY_SOURCES = ['artifacts', 'journal'] as const

/** The rules of the flight recorder that a JSON Schema cannot carry. */
export const RECORDER_RULES = {
  artifact:
    'There is nothing to replay, whatever ids are given: send product_trace, agent_context, memory_decision_trace, memory_use_receipt, memory_admission_record, operator_snapshot or feedback_result; or replay_source journal.',
  moment: 'A replay from the journal needs a moment: send guide_trace_id, run_id or decision_time.',
} as const

export const RecorderTraceObject = described(
  'One loop of guides and feedback. Strict: a field that is not listed is refused.',
  {
    before_guide: optional(jsonObject, 'The guide before memory could help, as it was answered.'),
    after_guide: jsonObject.describe('The guide that is replayed, as it was answered.'),
    feedback_result: optional(jsonObject, 'The feedback answer.'),
    forget_result: optional(jsonObject, 'A forget, rehydrate or feedback answer.'),
    evidence_ids: optional(words, 'References to evidence. Not read here.'),
    sufficient_evidence: optional(z.boolean(), 'Not read here.'),
  },
)

const artifactFields = {
  product_trace: optional(RecorderTraceObject, 'Guide and feedback answers of one loop.'),
  agent_context: optional(jsonObject, 'The agent context of a guide.'),
  memory_decision_trace: optional(jsonObject, 'A decision trace.'),
  memory_use_receipt: optional(jsonObject, 'The receipt of a guide.'),
  memory_admission_record: optional(jsonObject, 'An admission record.'),
  operator_snapshot: optional(jsonObject, 'An operator snapshot.'),
  feedback_result: optional(jsonObject, 'A feedback answer.'),
}
const ARTIFACTS = Object.keys(artifactFields)

export const FlightRecorderRequest = request('Artifacts to replay, or a moment of the journal.', {
  replay_source: optional(
    z.enum(REPLAY_SOURCES),
    'artifacts (default) replays what is supplied, and the record where there is one. journal needs no artifact: it replays what was true at a moment.',
  ),
  guide_trace_id: optional(id, 'The guide to replay.'),
  decision_time: optional(
    instant,
    'Replay point. From the journal: the last guide at or before it, of the run if one is named. Else a label.',
  ),
  include_now: optional(
    z.boolean(),
    'Compare a recorded guide with what the same query would show now. Default true.',
  ),
  ...artifactFields,
  claim_ledger_projection: optional(
    jsonObject,
    'The claim ledger of the guide. It stands beside an artifact and is none itself.',
  ),
})
  .refine(
    (body) =>
      body.replay_source === 'journal' ||
      Object.entries(body).some((e) => ARTIFACTS.includes(e[0]) && isSent(e[1])),
    { path: ['product_trace'], error: RECORDER_RULES.artifact, params: { code: 'replay_artifact_required' } },
  )
  .refine(
    (body) =>
      body.replay_source !== 'journal' ||
      isSent(body.guide_trace_id) ||
      isSent(body.run_id) ||
      isSent(body.decision_time),
    { path: ['guide_trace_id'], error: RECORDER_RULES.moment },
  )

const stateOrUnknown = z.enum([...LIFECYCLE_STATES, 'unknown'])

const promptFacts = {
  actionable_history_used: z.boolean().nullable(),
  recommended_posture: recommendedPosture.nullable(),
  authority: guidanceAuthority.nullable(),
  prompt_char_count: count.nullable(),
  prompt_sha256: nullableText,
  exposed_memory_ids: idList('In the order of the prompt: rank order.'),
  ...idsBySurface,
}

const AgentView = described('What the agent could see then. Null: not known any more, or never supplied.', {
  history_used: z.boolean().nullable(),
  ...promptFacts,
  prompt_text_included: z.literal(false),
  query_sha256: nullableText,
  query_char_count: count.nullable(),
  target_files: strings,
  recall_sources_by_memory_id: rows({ memory_id: z.string(), recall_sources: z.array(recallSource) }),
  rules_by_memory_id: rows({ memory_id: z.string(), rule_id: z.string(), reason_codes: strings }).describe(
    'In rank order. Empty: not known any more, or never supplied.',
  ),
})

const HeldBack = z.strictObject({
  memory_id: z.string(),
  title: nullableText.describe('As the caller gave it before the guide.'),
  lifecycle_state: stateOrUnknown.describe('Of that moment.'),
  authority: guidanceAuthority,
  agent_surface: surface,
  rule_id: nullableText,
  reason_codes: strings,
  reason: nullableText,
  recall_sources: z.array(recallSource),
  omitted: omittedReason.nullable().describe('Why it had no line either; null: it had one.'),
})

const Omitted = z.strictObject({
  memory_id: z.string(),
  agent_surface: surface,
  lifecycle_state: lifecycleState,
  rule_id: z.string(),
  reason_codes: strings,
  omitted: omittedReason,
  into: nullableText.describe('The memory whose line stands for it.'),
})

const Attribution = z.strictObject({
  present: z.boolean(),
  outcome: feedbackOutcome.nullable().describe('Of the last outcome.'),
  used_memory_ids: strings,
  attributed_memory_ids: strings,
  unattributed_memory_ids: idList('Shown, and named by no outcome.'),
  supported_memory_ids: strings,
  contradicted_memory_ids: strings,
  reason: z.string(),
})

const facetChange = {
  facet: z.enum(FACETS),
  from: z.string(),
  to: z.string(),
  cause: z.string(),
  reason: z.string(),
  at: isoTime,
  seq: count,
  by_memory_id: nullableText,
}
const guideRow = z.strictObject({
  guide_trace_id: z.string(),
  run_id: nullableText,
  at: isoTime,
  exposed_memory_count: count,
  held_out: z.boolean(),
})

const Effects = described('What the guide led to, as far as records tell.', {
  outcomes: rows({
    memory_id: z.string(),
    run_id: z.string(),
    ...outcomeFields,
    direct: z.boolean(),
    strong: z.boolean(),
    names_guide: z.boolean().describe('False: it named the run only.'),
    at: isoTime,
    seq: count,
  }),
  facet_changes: rows({
    memory_id: z.string(),
    ...facetChange,
    by_this_guide: z.boolean().describe('False: feedback about another guide moved it.'),
  }),
  unnamed_outcomes: rows({
    run_id: z.string(),
    outcome: feedbackOutcome,
    used_surface: usedSurface,
    names_guide: z.boolean().describe('False: it named the run only.'),
    at: isoTime,
    seq: count,
  }).describe('Outcomes that name no memory, of the next 256 turns.'),
  later_guides: z.array(guideRow).describe('Of the same run and consumer, the first ones after this guide.'),
  cut: z.boolean().describe('True: there is or was more than is kept or listed.'),
})

const place = z
  .strictObject({
    position: count,
    agent_surface: surface,
    rule_id: z.string(),
    reason_codes: strings,
    lifecycle_state: lifecycleState,
  })
  .nullable()

const DifferenceCause = described('An event, the clock, or the place in the list.', {
  kind: z.enum([
    'written_after',
    'revised',
    'facet_changed',
    'derived_from_added',
    'erased',
    'suppression_ended',
    'expired',
    ...LIST_CAUSES,
  ]),
  source_memory_id: z
    .string()
    .optional()
    .describe('The memory that it was derived from and that this happened to.'),
  facet: z.enum(FACETS).optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  cause: z.string().optional(),
  reason: z.string().optional(),
  revision: count.optional(),
  by_memory_id: nullableText.optional(),
  at: isoTime.optional(),
  seq: count.optional(),
})

const DifferenceRow = z.strictObject({
  memory_id: z.string(),
  change: z.enum(CHANGES),
  order_changed: z.boolean().describe('Also where it moved to another surface.'),
  before: place,
  now: place,
  causes: z.array(DifferenceCause),
  causes_cut: z.boolean(),
})

const Now = described('What the same query would give its consumer now. Nothing is exposed by it.', {
  at: isoTime,
  held_out: z.boolean(),
  ...promptFacts,
  omitted: z.array(Omitted),
})

const GovernDecision = z.strictObject({
  at: isoTime,
  run_id: nullableText,
  consumer_agent_id: nullableText,
  consumer_team_id: nullableText,
  mode: nullableText,
  guide_trace_id: nullableText.describe('Null: it was not recorded.'),
  query_sha256: nullableText,
  candidates: rows({
    external_memory_id: z.string(),
    admission_action: surface,
    rule_id: nullableText,
    reason_codes: strings,
  }),
})

const RECORDER_CLAIMS = [
  'agent_view_reconstructable',
  'prompt_payload_excluded',
  'blocked_memory_visible',
  'claim_ledger_projection_replayable',
  'feedback_attribution_replayable',
  'supplied_artifacts_match_record',
  'runtime_read_only',
] as const

/** One replay of one guide. Ids, codes and reasons; never prompt, query or payload. */
export const FlightRecorderReport = described('A bounded replay of one guide. Not for the agent.', {
  contract_version: z.literal('svc_agent_flight_recorder_report_v1'),
  tenant_id: z.string(),
  scope: z.string(),
  intended_use: z.literal('incident_replay_audit'),
  ...readOnly,
  record_source: z
    .enum(['runtime', 'supplied'])
    .describe('supplied: this actor holds no such guide, and what was supplied proves nothing.'),
  explanation: z
    .enum(['recorded', 'expired', 'supplied'])
    .describe('expired: rules and reasons of that moment are kept no longer; ids and surfaces are.'),
  guide_trace_id: nullableText,
  run_id: nullableText,
  task_signature: nullableText,
  consumer_agent_id: nullableText,
  consumer_team_id: nullableText,
  decision_time: isoTime.describe('As asked, else of the guide, else now.'),
  guide_at: isoTime.nullable(),
  guide_seq: count.nullable().describe('Place of the guide in the journal of its actor.'),
  held_out: z.boolean().nullable(),
  agent_view: AgentView,
  blocked_or_suppressed: z.array(HeldBack),
  claim_ledger_projection: ReplayedClaimLedger.optional().describe(
    'Left out when there is no claim, and for a hold-out.',
  ),
  omitted: z.array(Omitted).describe('Decided about, and without a line.'),
  attribution: Attribution,
  effects: Effects,
  now: Now.nullable().describe('Null when the ask is kept no longer, or with include_now false.'),
  now_missing: z
    .enum(['not_asked', 'expired', 'erased', 'supplied'])
    .nullable()
    .describe(
      'Why there is no now. erased: the query went with memory that the guide had decided about; then differences name that memory alone.',
    ),
  differences: z
    .array(DifferenceRow)
    .describe('Every memory of either list: with `now.position` they are the list of now.'),
  erased_memories: z
    .array(ErasedMemory)
    .describe('Of what the guide decided about: erased since. Ids and surfaces of then are still told.'),
  other_guides: z.array(guideRow).describe('Earlier guides of the run that was named.'),
  guides_cut: z.boolean().describe('True: there may be more guides of the run.'),
  govern_decisions: z
    .array(GovernDecision)
    .describe('Of the same consumer and the same run or, without a run, about the same time.'),
  replay_sources: z.strictObject({
    has_agent_context: z.boolean(),
    has_memory_decision_trace: z.boolean(),
    has_memory_use_receipt: z.boolean(),
    has_memory_admission_record: z.boolean(),
    has_operator_snapshot: z.boolean(),
    has_feedback_result: z.boolean(),
  }),
  artifact_mismatch: mismatches,
  claims: rows({
    claim: z.enum(RECORDER_CLAIMS),
    status: z.enum(['pass', 'warn', 'fail']),
    evidence: z.string(),
  }),
  source_map: SourceMap,
  summary: z.string(),
})

export const FlightRecorderResponse = described(
  'What memory the agent could see, what was held back, what was used, and why. Not for the agent.',
  {
    ...envelope('svc_agent_flight_recorder_result_v1'),
    agent_flight_recorder: FlightRecorderReport,
  },
)
