import { z } from 'zod'
import {
  CLAIM_AUTHORITIES,
  CLAIM_KINDS,
  COMPACTIONS,
  CONFLICT_POLICIES,
  CONTEXT_MODES,
  GUIDE_MODES,
  SURFACES,
} from '../domain/closed-sets.ts'
import { AgentContext } from './agent-context.ts'
import { count, strings, writtenEnvelope } from './envelope.ts'
import { anyJson, filled, GUIDE_LIMIT_MAX, optional, required, share, words } from './fields.ts'
import { GuidePacket } from './guide-packet.ts'
import { MemoryPacket } from './memory-packet.ts'
import { MemoryUseReceipt } from './memory-use-receipt.ts'
import { sharedFields } from './shared-request.ts'

export const CHAR_BUDGET_MIN = 200
export const CHAR_BUDGET_MAX = 1_000_000

export const GuideRequest = z
  .object({
    query_text: required(filled, 'What the agent is about to do.'),
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
    tool_candidates: optional(words, 'Tools the agent may choose from. Accepted; it does not change recall.'),
    execution_tree_v1: optional(anyJson, 'Accepted; it does not change recall.'),
  })
  .meta({ description: 'What the agent is about to do, and who asks.' })

const ClaimRow = z.strictObject({
  claim_id: z.string(),
  memory_id: z.string(),
  subject_key: z.string(),
  predicate: z.string(),
  slot_key: z.string().nullable(),
  claim_kind: z.enum(CLAIM_KINDS),
  conflict_policy: z.enum(CONFLICT_POLICIES),
  authority: z.enum(CLAIM_AUTHORITIES),
  confidence: share,
  status: z.enum(['active', 'contested', 'superseded', 'retired', 'redacted']),
  agent_surface: z
    .enum([...SURFACES, 'audit_only'])
    .meta({ description: 'audit_only when the claim is evidence only.' }),
  reason_codes: strings,
  value_text: z
    .string()
    .nullable()
    .meta({ description: 'The value, shortened; null when it may not be shown.' }),
})

const ClaimLedgerProjection = z
  .strictObject({
    contract_version: z.literal('svc_claim_ledger_projection_v1'),
    agent_prompt_included: z.literal(false),
    runtime_mutation: z.literal(false),
    live_claims: z.array(ClaimRow).max(12).meta({ description: 'The newest first.' }),
    superseded_slots: z
      .array(z.strictObject({ slot_key: z.string(), claims: z.array(ClaimRow).max(4) }))
      .max(8),
    counts: z.strictObject({
      active: count,
      contested: count,
      superseded: count,
      retired: count,
      redacted: count,
    }),
  })
  .meta({ description: 'Claims that the consumer can see. Not for the agent.' })

export const GuideResponse = z
  .strictObject({
    ...writtenEnvelope('svc_guide_result_v1'),
    consumer_agent_id: z.string().meta({ description: 'Who asked; `local-agent` when nobody was named.' }),
    consumer_team_id: z.string().optional().meta({ description: 'Left out when no team was named.' }),
    guide_trace_id: z
      .string()
      .startsWith('guide_trace:')
      .meta({ description: 'Handle for feedback attribution: keep it.' }),
    agent_context: AgentContext,
    memory_use_receipt: MemoryUseReceipt,
    claim_ledger_projection: ClaimLedgerProjection.optional().meta({
      description: 'Claims that the consumer can see; left out when there are none.',
    }),
    memory_packet: MemoryPacket.nullable().optional(),
    guide_packet: GuidePacket.nullable().optional(),
  })
  .meta({ description: 'Governed context and its audit.' })

export type GuideRequest = z.output<typeof GuideRequest>
export type GuideResponse = z.output<typeof GuideResponse>
