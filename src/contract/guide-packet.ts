import { z } from 'zod'
import { RehydrateHint } from './agent-context.ts'
import { count, strings } from './envelope.ts'
import { share } from './fields.ts'
import {
  guidanceAuthority,
  namedTask,
  nullableText,
  readOnly,
  recommendedPosture,
  riskLevel,
} from './vocabulary.ts'

const contribution = z.strictObject({
  used: z.boolean(),
  source_count: count,
  source_ids: strings,
  changed_fields: strings,
  reason: nullableText,
})

export const GuidePacket = z
  .strictObject({
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
      use_now: strings.meta({ description: 'Memory id and what it says, in short.' }),
      inspect_before_use: strings.meta({ description: 'Memory id and what it says, in short.' }),
      do_not_use: strings.meta({ description: 'Memory id and why it is blocked.' }),
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
    proven_facts: z.array(
      z.strictObject({
        fact: z.string(),
        source: z.enum(['execution_packet', 'handoff', 'replay', 'verifier', 'memory', 'delegation']),
        evidence_id: z.string().optional(),
        confidence: share,
      }),
    ),
    guidance: z.strictObject({
      workflow_candidates: z.array(
        z.strictObject({
          workflow_id: z.string(),
          title: z.string(),
          authority: z.enum(['trusted', 'advisory', 'candidate', 'blocked']),
          evidence_count: count,
          last_outcome: z.enum(['success', 'failure', 'mixed', 'unknown']).optional(),
          reuse_reason: z.string(),
        }),
      ),
      tool_preferences: z.array(
        z.strictObject({
          tool: z.string(),
          preference: z.enum(['prefer', 'avoid', 'inspect_first']),
          authority: guidanceAuthority,
          reason: z.string(),
        }),
      ),
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
  })
  .meta({ description: 'How the guide was compiled. Only with include_packets. Not for the agent.' })
