import { z } from 'zod'
import { EXPECTED_EFFECTS } from '../core/guide/memory-packet.ts'
import { count, isoTime, strings } from './envelope.ts'
import { share } from './fields.ts'
import {
  guidanceAuthority,
  lifecycleState,
  memoryDomain,
  memoryType,
  nullableText,
  readOnly,
  recallSource,
  riskLevel,
} from './vocabulary.ts'

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

export const MemoryPacket = z
  .strictObject({
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
    evidence_trail: z
      .array(
        z.strictObject({
          evidence_id: z.string(),
          memory_id: z.string(),
          source: z.enum(['node', 'edge', 'citation', 'context_item', 'action_packet']),
          relation: z.enum(['direct_match', 'derived_from', 'supports', 'contradicts', 'rehydrates']),
          reason: z.string(),
          lifecycle_relation: z.enum(['supersedes', 'contradicts', 'invalidates']).optional(),
        }),
      )
      .max(96),
    lifecycle: z.strictObject({
      used_memory_ids: strings,
      candidate_memory_ids: strings,
      suppressed_memory_ids: strings,
      archived_memory_ids: strings,
      rehydration_hints: z.array(PacketHint),
    }),
    contradiction_warnings: z
      .array(
        z.strictObject({
          memory_id: z.string(),
          severity: riskLevel,
          reason: z.string(),
          suggested_action: z.enum(['keep_candidate', 'inspect_before_use', 'suppress', 'rehydrate', 'none']),
        }),
      )
      .max(24),
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
  .meta({ description: 'What recall found. Only with include_packets. Not for the agent.' })
