import { z } from 'zod'
import { COMPACTIONS, CONTEXT_MODES, GUIDE_LINES, GUIDE_MODES } from '../core/base/closed-sets.ts'
import { EXPECTED_EFFECTS } from '../core/guide/memory-packet.ts'
import { AgentContext, Handles, MemoryUseReceipt, promptText, RehydrateHint } from './agent-context.ts'
import { anyJson, filled, GUIDE_LIMIT_MAX, id, optional, share, sharedFields, words } from './fields.ts'
import {
  ClaimLedgerProjection,
  count,
  described,
  type Frozen,
  guidanceAuthority,
  isoTime,
  lifecycleState,
  memoryDomain,
  memoryType,
  namedTask,
  nullableText,
  readOnly,
  recallSource,
  recommendedPosture,
  riskLevel,
  rows,
  strings,
  writtenEnvelope,
} from './vocabulary.ts'

const contribution = z.strictObject({
  used: z.boolean(),
  source_count: count,
  source_ids: strings,
  changed_fields: strings,
  reason: nullableText,
})

export const GuidePacket = described(
  'How the guide was compiled. Only with include_packets. Not for the agent.',
  {
    contract_version: z.literal('svc_guide_packet_v1'),
    ...readOnly,
    actor: z
      .strictObject({
        consumer_agent_id: z.string().optional(),
        consumer_team_id: z.string().optional(),
        agent_role: z.string().optional(),
      })
      .optional(),
    task: namedTask,
    guide_brief: z.strictObject({
      summary: z.string(),
      history_used: z.boolean(),
      actionable_history_used: z.boolean(),
      recommended_posture: recommendedPosture,
      authority: guidanceAuthority,
      use_now: strings.describe('Memory id and what it says, in short.'),
      inspect_before_use: strings.describe('Memory id and what it says, in short.'),
      do_not_use: strings.describe('Memory id and why it is blocked.'),
      rehydrate: z.array(RehydrateHint),
      expected_product_effects: z.strictObject({
        reduces_repeated_discovery: z.boolean(),
        reduces_context_replay: z.boolean(),
        controls_negative_transfer: z.boolean(),
        reason: z.string(),
      }),
    }),
    recovered_state: z.strictObject({
      state_summary: nullableText,
      resumable: z.boolean(),
      handoff_ids: strings,
      execution_state_revision: count.optional(),
      target_files: strings,
      acceptance_checks: strings,
    }),
    proven_facts: rows({
      fact: z.string(),
      source: z.enum(['execution_packet', 'handoff', 'replay', 'verifier', 'memory', 'delegation']),
      evidence_id: z.string().optional(),
      confidence: share,
    }),
    guidance: z.strictObject({
      workflow_candidates: rows({
        workflow_id: z.string(),
        title: z.string(),
        authority: z.enum(['trusted', 'advisory', 'candidate', 'blocked']),
        evidence_count: count,
        last_outcome: z.enum(['success', 'failure', 'mixed', 'unknown']).optional(),
        reuse_reason: z.string(),
      }),
      tool_preferences: rows({
        tool: z.string(),
        preference: z.enum(['prefer', 'avoid', 'inspect_first']),
        authority: guidanceAuthority,
        reason: z.string(),
      }),
    }),
    history_contributions: z.strictObject({ handoff: contribution, replay: contribution }),
    memory_lifecycle: z.strictObject({
      used_memory_ids: strings,
      suppressed_memory_ids: strings,
      archived_memory_ids: strings,
      rehydration_hints: z.array(RehydrateHint),
    }),
    risk: z.strictObject({
      negative_transfer_risk: riskLevel,
      blocked_authority_count: count,
      stale_memory_count: count,
      provider_or_protocol_quarantine: z.boolean().optional(),
      reasons: strings,
    }),
  },
)

const PacketHint = z.strictObject({
  memory_id: z.string(),
  mode: z.string(),
  reason: z.string(),
  required: z.boolean(),
})

const RelevantMemory = z.strictObject({
  memory_id: z.string(),
  title: nullableText,
  summary: z.string(),
  memory_type: memoryType,
  domain: memoryDomain,
  source_layer: nullableText,
  authority: guidanceAuthority,
  confidence: share,
  salience: share.nullable(),
  lifecycle_state: lifecycleState,
  evidence_ids: strings,
  observed_at: isoTime.nullable(),
  target_files: strings,
  recall_sources: z.array(recallSource),
  execution_state: z
    .strictObject({
      execution_kind: nullableText,
      task_signature: nullableText,
      task_family: nullableText,
      workflow_signature: nullableText,
      next_action_hint: nullableText,
      transition_kind: nullableText,
      actor_role: nullableText,
      handoff_target: nullableText,
      handoff_target_team: nullableText,
      source_agent_id: nullableText,
      source_team_id: nullableText,
    })
    .optional(),
  memory_contract: z.strictObject({
    source_trust: z.enum([
      'authoritative_runtime',
      'scoped_advisory',
      'external_or_unverified',
      'blocked_or_suppressed',
    ]),
    allowed_scope: z.enum(['current_scope', 'task_or_workflow_scope', 'supporting_evidence_only', 'none']),
    evidence_requirement: z.enum(['satisfied', 'node_evidence_only', 'requires_more_evidence']),
    use_policy: z.enum(['direct_use', 'inspect_before_use', 'do_not_use', 'evidence_only']),
    confirmation_required: z.boolean(),
    reasons: strings,
  }),
})

export const MemoryPacket = described('What recall found. Only with include_packets. Not for the agent.', {
  contract_version: z.literal('svc_memory_packet_v1'),
  ...readOnly,
  tenant_id: z.string(),
  scope: z.string(),
  actor: z
    .strictObject({
      consumer_agent_id: z.string().optional(),
      consumer_team_id: z.string().optional(),
      producer_agent_ids: strings,
    })
    .optional(),
  query: z.strictObject({
    source: z.enum(['embedding', 'text', 'unknown']),
    intent: z.string().optional(),
    embedding_dims: count.optional(),
  }),
  memory_family: z.enum(['general_cognitive', 'execution', 'mixed', 'empty']),
  relevant_memories: z.array(RelevantMemory).max(32),
  evidence_trail: rows({
    evidence_id: z.string(),
    memory_id: z.string(),
    source: z.enum(['node', 'edge', 'citation', 'context_item', 'action_packet']),
    relation: z.enum(['direct_match', 'derived_from', 'supports', 'contradicts', 'rehydrates']),
    reason: z.string(),
    lifecycle_relation: z.enum(['supersedes', 'contradicts', 'invalidates']).optional(),
  }).max(96),
  lifecycle: z.strictObject({
    used_memory_ids: strings,
    candidate_memory_ids: strings,
    suppressed_memory_ids: strings,
    archived_memory_ids: strings,
    rehydration_hints: z.array(PacketHint),
  }),
  contradiction_warnings: rows({
    memory_id: z.string(),
    severity: riskLevel,
    reason: z.string(),
    suggested_action: z.enum(['keep_candidate', 'inspect_before_use', 'suppress', 'rehydrate', 'none']),
  }).max(24),
  forgetting_state: z.strictObject({
    stale_memory_count: count,
    suppressed_count: count,
    archived_count: count,
    rehydration_candidate_count: count,
  }),
  behavior_impact: z.strictObject({
    will_shape_behavior: z.boolean(),
    changed_fields: strings,
    expected_effects: z.array(z.enum(EXPECTED_EFFECTS)),
    explanation: z.string(),
  }),
  risk: z.strictObject({
    negative_transfer_risk: riskLevel,
    contradiction_count: count,
    low_confidence_count: count,
    stale_memory_count: count,
    reasons: strings,
  }),
})

export const CHAR_BUDGET_MIN = 200
export const CHAR_BUDGET_MAX = 1_000_000

/** Answers that are less than the whole one. */
export const GUIDE_VIEWS = ['prompt'] as const

export const GuideRequest = z
  .object({
    query_text: filled.describe('What the agent is about to do.'),
    ...sharedFields,
    mode: optional(
      z.enum(GUIDE_MODES),
      'full_power merges execution context and structured execution memory. Default standard.',
    ),
    context_mode: optional(
      z.enum(CONTEXT_MODES),
      'compact_agent gives shorter lines; it and full_power also switch full power on.',
    ),
    limit: optional(
      z.int().min(1).max(GUIDE_LIMIT_MAX),
      `Bounds all exposed memory, 1 to ${GUIDE_LIMIT_MAX}. Default 30.`,
    ),
    context_char_budget: optional(
      z.int().min(CHAR_BUDGET_MIN).max(CHAR_BUDGET_MAX),
      'Bound of prompt_text in characters, 200 to 1 000 000. Default 8000.',
    ),
    context_token_budget: optional(
      z.int().min(1).max(256_000),
      'Counts as four characters a token when context_char_budget is absent.',
    ),
    context_compaction_profile: optional(z.enum(COMPACTIONS), 'aggressive shortens lines. Default balanced.'),
    context_optimization_profile: optional(z.enum(COMPACTIONS), 'Alias of `context_compaction_profile`.'),
    include_packets: optional(
      z.boolean(),
      'Include memory_packet and guide_packet for debugging. Default false.',
    ),
    handles: optional(
      z.boolean(),
      'Print `[m1]`, `[m2]` … in place of memory ids. feedback, finish, rehydrate and forget take them with the guide_trace_id of this guide. Default false.',
    ),
    view: optional(
      z.enum(GUIDE_VIEWS),
      'prompt: answer only guide_trace_id, prompt_text and its handles, which it sets. Default: the whole answer.',
    ),
    lines: optional(z.enum(GUIDE_LINES), 'brief: only use_now lines carry text of memory. Default full.'),
    omit_shown_in: optional(
      id,
      'A run: lines that its guides printed for this consumer are left out while they are the same. Also the run_id, unless one is sent.',
    ),
    restart: optional(z.boolean(), 'With omit_shown_in: print these lines again. Default false.'),
    tool_candidates: optional(words, 'Tools the agent may choose from. Accepted; it does not change recall.'),
    execution_tree_v1: optional(anyJson, 'Accepted; it does not change recall.'),
  })
  .describe('What the agent is about to do, and who asks.')

const guideTraceId = z
  .string()
  .startsWith('guide_trace:')
  .describe('Handle for feedback attribution: keep it.')

export const GuideResponse = described('Governed context and its audit.', {
  ...writtenEnvelope('svc_guide_result_v1'),
  consumer_agent_id: z.string().describe('Who asked; `local-agent` when nobody was named.'),
  consumer_team_id: z.string().optional().describe('Left out when no team was named.'),
  guide_trace_id: guideTraceId,
  agent_context: AgentContext,
  memory_use_receipt: MemoryUseReceipt,
  claim_ledger_projection: ClaimLedgerProjection.optional().describe(
    'Claims that the consumer can see; left out when there are none.',
  ),
  memory_packet: MemoryPacket.optional().describe('Only with include_packets.'),
  guide_packet: GuidePacket.optional().describe('Only with include_packets.'),
})

const { source_map: _parts, ...promptEnvelope } = writtenEnvelope('svc_guide_prompt_v1')

/** What `view: "prompt"` answers. */
export const GuidePromptResponse = described('The prompt of a guide, and what its handles stand for.', {
  ...promptEnvelope,
  guide_trace_id: guideTraceId,
  agent_context: z.strictObject({
    prompt_text: promptText,
    handles: Handles.describe('What each handle of prompt_text stands for: `{m1: {memory_id, surface}}`.'),
  }),
})

export type GuidePromptResponse = Frozen<z.output<typeof GuidePromptResponse>>
