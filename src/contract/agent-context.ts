import { z } from 'zod'
import { AGENT_ROLES, PROFILES } from '../core/base/closed-sets.ts'
import { count, described, strings } from './envelope.ts'
import { guidanceAuthority, idList, recommendedPosture, riskLevel } from './vocabulary.ts'

export const RehydrateHint = z.strictObject({
  memory_id: z.string().meta({ description: 'Memory whose evidence can be expanded.' }),
  reason: z.string().min(1).meta({ description: 'Why it may be needed.' }),
  required: z.boolean().meta({ description: 'True when it must be expanded before use.' }),
})

const CommandPosture = z.strictObject({
  posture: z.enum(['must_not', 'should_continue', 'inspect_first', 'rehydrate_first', 'optional_context']),
  surface: z.enum([
    'current',
    'procedure',
    'use_now',
    'inspect_before_use',
    'do_not_use',
    'rehydrate',
    'context',
  ]),
  memory_id: z.string().min(1),
  instruction: z.string().min(1).meta({ description: 'What to do about this memory.' }),
  reason: z.string().min(1),
  target_files: strings,
  workflow_steps: strings.optional(),
  acceptance_checks: strings.optional(),
})

const targetRow = {
  target: z.string().min(1).meta({ description: 'Path.' }),
  source_memory_id: z.string().optional(),
  source: z.enum(['target_files', 'should_continue', 'inspect_first', 'must_not']),
  reason: z.string().optional(),
}

export const RouteContract = z
  .strictObject({
    active_targets: z.array(
      z.strictObject({
        ...targetRow,
        artifact_status: z.enum(['unknown', 'may_be_absent']),
        missing_policy: z.string(),
      }),
    ),
    pending_artifacts: z.array(
      z.strictObject({
        ...targetRow,
        status: z.string(),
        when: z.string(),
        allowed_actions: z.array(z.enum(['create', 'restore', 'rehydrate', 'report_conflict'])),
        terminal_inspect_allowed: z.literal(false),
      }),
    ),
    reference_only_targets: z.array(z.strictObject(targetRow)),
    blocked_direction_targets: z.array(z.strictObject(targetRow)),
    evidence_sources: z.array(
      z.strictObject({
        ...targetRow,
        evidence_use: z.literal('reference_only'),
        direction_policy: z.literal('must_not_be_primary_route'),
      }),
    ),
    blocked_routes: z.array(
      z.strictObject({
        ...targetRow,
        direction_policy: z.literal('blocked_route'),
        evidence_use: z.literal('counter_evidence_only'),
      }),
    ),
    conflict_policy: z.string().min(1),
    fallback_policy: z.string().min(1),
    action_policy: z.string().min(1),
  })
  .meta({ description: 'Which paths may direct the work, which are reference only, which are blocked.' })

export const promptText = z.string().min(1).meta({
  description: 'Prompt-ready governed context, never empty, never longer than the character budget.',
})

/** What the agent may read. `prompt_text` is the part that is meant for its prompt. */
export const AgentContext = described('Governed context for the agent.', {
  contract_version: z.literal('svc_agent_context_v1'),
  tenant_id: z.string(),
  scope: z.string(),
  agent_role: z.enum(AGENT_ROLES),
  agent_context_mode: z.enum(['standard', 'compact_agent']),
  task_context_profile: z.enum(PROFILES),
  prompt_text: promptText,
  summary: z.string().min(1),
  history_used: z.boolean().meta({ description: 'The history of the scope took part.' }),
  actionable_history_used: z
    .boolean()
    .meta({ description: 'Memory that can affect the next action was delivered.' }),
  recommended_posture: recommendedPosture,
  authority: guidanceAuthority,
  target_files: strings,
  use_now: idList('Printed lines that may guide the next action.'),
  inspect_before_use: idList('Printed lines to verify first.'),
  do_not_use: idList('Printed warnings.'),
  memory_ids: idList('All exposed memory in rank order: exactly what has a line in prompt_text.'),
  use_now_memory_ids: idList('Memory that may directly guide the next action.'),
  inspect_before_use_memory_ids: idList('Relevant memory to verify first.'),
  do_not_use_memory_ids: idList('Memory blocked from direct action.'),
  rehydrate_memory_ids: idList('Evidence pointers that may be expanded.'),
  rehydrate_hints: z.array(RehydrateHint),
  command_posture: z.array(CommandPosture),
  route_contract: RouteContract,
  risk: z.strictObject({
    negative_transfer_risk: riskLevel,
    blocked_authority_count: count,
    stale_memory_count: count,
    reasons: strings,
  }),
  evidence_refs: z.strictObject({ memory_ids: strings, workflow_ids: strings, evidence_count: count }),
})
