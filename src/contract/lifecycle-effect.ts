import { z } from 'zod'
import {
  LIFECYCLE_OPERATIONS,
  LIFECYCLE_TARGETS,
  STANDINGS,
  TOOL_STATUSES,
} from '../core/base/closed-sets.ts'
import { count, described, strings } from './envelope.ts'
import {
  attributionStrength,
  feedbackOutcome,
  lifecycleState,
  nullableText,
  usedSurface,
  verifierStatus,
} from './vocabulary.ts'

const Attribution = z.strictObject({
  run_id: nullableText,
  outcome: feedbackOutcome,
  used_surface: usedSurface,
  verifier_status: verifierStatus.optional(),
  tool_status: z.enum(TOOL_STATUSES).optional(),
  runtime_signal_refs: strings.optional(),
  attribution_strength: attributionStrength.optional(),
})

const GuideTraceEffect = z.strictObject({
  guide_trace_id: z.string(),
  exposed_memory_ids: strings,
  exposed_memory_count: count,
  attributed_memory_ids: strings,
  attributed_memory_count: count,
  unattributed_recalled_memory_ids: strings,
  unattributed_recalled_memory_count: count,
  unattributed_use_now_memory_ids: strings,
  unattributed_inspect_before_use_memory_ids: strings,
  unattributed_do_not_use_memory_ids: strings,
  unattributed_rehydrate_memory_ids: strings,
  boundary_ignored_memory_ids: strings.meta({
    description: 'Memory that was used on another surface than the one that exposed it.',
  }),
})

export const ForgetEffect = described('Audit record and effect of the operation. Not for the agent.', {
  agent_prompt_included: z.literal(false),
  action: z.enum(LIFECYCLE_OPERATIONS),
  target: z.enum(LIFECYCLE_TARGETS),
  reason: z.string().meta({ description: 'Echo of the reason.' }),
  changed_count: count.meta({ description: 'Memories whose state changed.' }),
  reversible: z.boolean().meta({ description: 'False for activate.' }),
  affected_memory_ids: strings,
  affected_client_ids: strings,
  missing_memory_ids: strings.meta({ description: 'Ids that name nothing this consumer can see.' }),
  missing_client_ids: strings,
  anchor_id: nullableText,
  anchor_uri: nullableText,
  until: nullableText.optional().meta({ description: 'End of a temporary suppression.' }),
  memory_states: z
    .array(z.strictObject({ memory_id: z.string(), before: lifecycleState, after: lifecycleState }))
    .optional()
    .meta({ description: 'Reported lifecycle state before and after.' }),
  external_states: z
    .array(
      z.strictObject({
        source_backend: z.string(),
        external_memory_id: z.string(),
        before: z.enum(STANDINGS),
        after: z.enum(STANDINGS),
      }),
    )
    .optional()
    .meta({ description: 'Only with the trace of a govern request: memory_ids are external ids then.' }),
  attribution: Attribution.optional().meta({ description: 'Only for activate.' }),
  guide_trace: GuideTraceEffect.optional().meta({
    description: 'Only for activate with a guide_trace_id.',
  }),
})
