import { z } from 'zod'
import { MEMORY_DOMAINS, MEMORY_TYPES } from '../core/base/closed-sets.ts'
import {
  EVIDENCE_REQUIREMENTS,
  GOVERN_MODES,
  HISTORY_STATES,
  LIFECYCLE_HINTS,
  SOURCE_TRUSTS,
} from '../core/external/govern.ts'
import { AgentContext, MemoryUseReceipt } from './agent-context.ts'
import { filled, id, jsonObject, optional, sharedFields, text, words } from './fields.ts'
import { ownerFields } from './memory-input.ts'
import {
  count,
  decisionKind,
  described,
  guidanceAuthority,
  nullableText,
  readOnly,
  recallSource,
  rows,
  strings,
  surface,
  writtenEnvelope,
} from './vocabulary.ts'

export const CANDIDATES_MAX = 200
export const CANDIDATE_TEXT_CHARS_MAX = 200_000

/** The rules of govern that a JSON Schema cannot carry. */
export const UNIQUE_CANDIDATES_RULE = 'Send each external_memory_id once per request.'
export const RECORD_RULE =
  'With record the lane says whose later requests the outcomes count for: everyone in the scope, or with memory_lane private the owner, by default the consumer.'

const CandidateAuthority = described(
  'What the source says of its own record: evidence, not authority over the gates.',
  {
    source_trust: optional(z.enum(SOURCE_TRUSTS), 'How far the source is trusted. Default unknown.'),
    scope: optional(text.max(256), 'How far the source says the memory reaches. Audit only.'),
    evidence_requirement: optional(
      z.enum(EVIDENCE_REQUIREMENTS),
      'What has to happen before use. Default inspect_before_use; only none allows direct use.',
    ),
  },
)

/** One element of `candidates`: strict, a field that is not listed is refused. */
export const CandidateObject = described(
  'Memory of an external backend. Strict: a field that is not listed is refused.',
  {
    external_memory_id: id.describe('Stable id from the source backend, once per request.'),
    source_backend: filled.describe('Backend the candidate comes from, for example `vector-db`.'),
    text: filled
      .max(CANDIDATE_TEXT_CHARS_MAX)
      .describe(`Candidate content, at most ${CANDIDATE_TEXT_CHARS_MAX} characters.`),
    lifecycle_hint: optional(
      z.enum(LIFECYCLE_HINTS),
      'Hint of the source. Default unknown; only current and procedure allow direct use.',
    ),
    authority: optional(CandidateAuthority, 'What the source says of its own record. Strict.'),
    metadata: optional(
      jsonObject,
      'Free object. Read from it: title or name, target_files, files or paths, scope, domain, memory_type or kind, observed_at, updated_at, valid_at, created_at.',
    ),
    evidence_refs: optional(words, 'References of the source, for example `vec://abc`.'),
  },
)

export const GovernRequest = z
  .object({
    query_text: filled.describe('What the agent is about to do.'),
    candidates: z
      .array(CandidateObject)
      .min(1)
      .max(CANDIDATES_MAX)
      .check((context) => {
        const seen = new Set<string>()
        for (const [at, { external_memory_id }] of context.value.entries()) {
          if (!seen.has(external_memory_id)) seen.add(external_memory_id)
          else {
            context.issues.push({
              code: 'custom',
              input: external_memory_id,
              path: [at, 'external_memory_id'],
              message: UNIQUE_CANDIDATES_RULE,
            })
          }
        }
      })
      .describe(`Memory to govern, 1 to ${CANDIDATES_MAX}. No text of it is stored.`),
    ...sharedFields,
    mode: optional(
      z.enum([...GOVERN_MODES, 'admission']),
      'firewall blocks what the others would have inspected. Default standard; admission is the same.',
    ),
    context_mode: optional(
      z.enum(['standard', 'compact_agent']),
      'standard gives longer lines. Default compact_agent.',
    ),
    include_records: optional(z.boolean(), 'Include per-candidate admission records. Default false.'),
    record: optional(
      z.boolean(),
      'Answer a guide_trace_id, so that feedback and finish can say what came of the candidates. Kept are backend, id, surface and a keyed hash of the text, never the text. Default false.',
    ),
    ...ownerFields,
  })
  .describe('Candidate memory, what the agent is about to do with it, and who asks.')

const ADMISSION_LIFECYCLES = [
  'active',
  'demoted',
  'archived',
  'rehydration_candidate',
  'unknown',
  ...HISTORY_STATES,
] as const

/** Why one candidate stands where it stands: ids, codes, a sentence, and the statements that it disputes. */
export const AdmissionRecord = described('Decision about one candidate. Not for the agent.', {
  memory_id: z.string().describe('External id of the candidate.'),
  title: nullableText.describe('Title that its metadata gave; null when blocked.'),
  memory_origin: z
    .enum(['external', 'runtime'])
    .describe('runtime: the id is also that of a memory which the consumer can see.'),
  source_backend: z.string(),
  domain: z.enum(MEMORY_DOMAINS),
  memory_type: z.enum([...MEMORY_TYPES, 'unknown']),
  lifecycle_state: z.enum(ADMISSION_LIFECYCLES),
  authority: guidanceAuthority,
  admission_action: surface,
  decision_kind: decisionKind,
  actionable: z.boolean().describe('True on use_now only.'),
  prompt_included: z.boolean().describe('It has a line in prompt_text; also true of a warning.'),
  prompt_surface: surface.nullable().describe('Section of its line.'),
  agent_used: z.literal(false),
  feedback_outcome: z.null(),
  attribution_strength: z.null(),
  rule_id: z.string().describe('The row of the table that decided.'),
  reason: z.string().min(1).describe('One sentence: why.'),
  reason_codes: strings.describe('Everything that was weighed.'),
  evidence_ids: strings,
  recall_sources: z.array(recallSource),
  screening_findings: rows({
    kind: z.string(),
    place: z.enum(['text', 'title']),
    start: count,
    end: count,
  }).describe('What content screening found, and where: the first 32.'),
  runtime_memory_id: nullableText.describe('Memory of this scope with the same content or id.'),
  contradicted_memory_ids: strings.describe('Candidates that cannot hold together with it.'),
  disputes: rows({
    external_memory_id: z.string(),
    kind: z.string(),
    statement: z.string(),
    other_statement: z.string(),
  }).describe('What it and another candidate say that cannot both hold: the first 8.'),
})

export const AdmissionRecordObject = described('The records as one object. Not for the agent.', {
  contract_version: z.literal('svc_memory_admission_record_v1'),
  intended_use: z.literal('memory_admission_audit_dataset'),
  source: z.literal('external_candidate_admission'),
  ...readOnly,
  tenant_id: z.string(),
  scope: z.string(),
  guide_trace_id: nullableText,
  prompt_char_count: count,
  history_used: z.boolean(),
  actionable_history_used: z.boolean(),
  candidate_memory_count: count,
  prompt_included_memory_count: count,
  agent_used_memory_count: count,
  entries: z.array(AdmissionRecord).describe('The same as memory_admission_records.'),
  summary: z.string().min(1),
})

export const FirewallSummary = described('Counts and risk of one pass. Not for the agent.', {
  contract_version: z.literal('svc_memory_firewall_summary_v1'),
  intended_use: z.literal('memory_firewall_audit'),
  mode: z.enum(GOVERN_MODES),
  candidate_count: count,
  direct_use_count: count,
  inspect_count: count,
  blocked_count: count,
  rehydrate_count: count,
  unsafe_candidate_count: count.describe('Candidates that something speaks against.'),
  unsafe_direct_use_count: count.describe('Of these on use_now: always 0.'),
  ...readOnly,
  risk_flags: strings,
  claims: rows({ claim: z.string(), status: z.enum(['pass', 'warn', 'fail']), evidence: z.string() }),
  summary: z.string().min(1),
})

const AdmissionSummary = described('Counts of one pass.', {
  contract_version: z.literal('svc_external_memory_admission_summary_v1'),
  candidate_count: count,
  use_now_count: count,
  inspect_before_use_count: count,
  do_not_use_count: count,
  rehydrate_count: count,
  source_backends: strings,
  ...readOnly,
  reason: z.string().min(1),
})

export const GovernResponse = described('Governed candidates and their audit.', {
  ...writtenEnvelope('svc_memory_admission_result_v1'),
  run_id: nullableText,
  guide_trace_id: z
    .string()
    .optional()
    .describe('Only with record: what feedback and finish name. used_memory_ids are external ids then.'),
  mode: z.enum(GOVERN_MODES).describe('The mode that decided; admission is standard.'),
  agent_context: AgentContext,
  memory_use_receipt: MemoryUseReceipt,
  memory_admission_records: z
    .array(AdmissionRecord)
    .optional()
    .describe('Only with include_records, in the order of the request.'),
  memory_admission_record: AdmissionRecordObject.optional().describe(
    'Only with include_records: the same records as `entries` of an object.',
  ),
  memory_firewall_summary: FirewallSummary,
  memory_firewall: FirewallSummary.describe('The same as memory_firewall_summary.'),
  admission_summary: AdmissionSummary,
})

export type WireCandidate = z.output<typeof CandidateObject>
