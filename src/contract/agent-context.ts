import { z } from 'zod'
import { AGENT_ROLES, PROFILES } from '../core/base/closed-sets.ts'
import {
  count,
  decisionKind,
  decisionSurface,
  described,
  guidanceAuthority,
  idList,
  idsBySurface,
  nullableText,
  omittedReason,
  readOnly,
  recallSource,
  recommendedPosture,
  riskLevel,
  rows,
  strings,
  surface,
} from './vocabulary.ts'

/** What a handle of a prompt stands for, by handle, in the order of the lines. */
export const Handles = z.record(z.string(), z.strictObject({ memory_id: z.string(), surface }))

/** Ids and reason codes of one guide, for an operator: never memory text or prompt. */
export const MemoryUseReceipt = described('Compact audit of use and suppress decisions. Not for the agent.', {
  contract_version: z.literal('svc_memory_use_receipt_v1'),
  intended_use: z.literal('memory_use_audit'),
  ...readOnly,
  guide_trace_id: nullableText,
  history_used: z.boolean(),
  actionable_history_used: z.boolean(),
  prompt_char_count: count,
  exposed_memory_ids: idList('Memory with a line in prompt_text, in rank order.'),
  ...idsBySurface,
  attributed_memory_ids: idList('Memory to which an outcome was attributed; empty at guide time.'),
  unattributed_recalled_memory_ids: strings,
  read_only_signal_memory_ids: strings,
  decision_summaries: rows({
    memory_id: z.string(),
    agent_surface: decisionSurface,
    decision_kind: decisionKind,
    actionable: z.boolean(),
    rule_id: z.string().describe('Rule of the surface table that decided.'),
    reason_codes: strings,
    recall_sources: z.array(recallSource),
  }),
  omitted: rows({
    memory_id: z.string(),
    surface,
    reason: omittedReason
      .exclude(['hold_out'])
      .describe(
        'budget: the budget was used up; folded: another line stands for it and for runs like it; successor: what replaced it is a candidate too; same_text: a memory of the same audience says the same, and stands on a better surface, has more authority or is newer; not_related: it warns of nothing that is asked or may be used; shown_before: omit_shown_in named a run that was shown the same line.',
      ),
    into: z
      .string()
      .optional()
      .describe('The memory whose line stands for it: of folded, successor and same_text.'),
  }).describe('Memory that was admitted but has no line of its own.'),
  handles: Handles.optional().describe(
    'Only with handles: what each handle of prompt_text stands for, `{m1: {memory_id, surface}}`. A request that names the guide takes it in place of the memory id.',
  ),
  hold_out: z
    .strictObject({ withheld_memory_ids: strings })
    .optional()
    .describe(
      'Present when this guide withheld memory, so that its run can be compared with guided ones: what it would have shown. Warnings are never withheld. The agent is not told.',
    ),
  risk_flags: strings,
  summary: z.string().min(1),
})

export const RehydrateHint = z.strictObject({
  memory_id: z.string().describe('Memory whose evidence can be expanded.'),
  reason: z.string().min(1).describe('Why it may be needed.'),
  required: z.boolean().describe('True when it must be expanded before use.'),
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
  instruction: z.string().min(1).describe('What to do about this memory.'),
  reason: z.string().min(1),
  target_files: strings,
  workflow_steps: strings.optional(),
  acceptance_checks: strings.optional(),
})

const targetRow = {
  target: z.string().min(1).describe('Path.'),
  source_memory_id: z.string().optional(),
  source: z.enum(['target_files', 'should_continue', 'inspect_first', 'must_not']),
  reason: z.string().optional(),
}

export const RouteContract = described(
  'Which paths may direct the work, which are reference only, which are blocked.',
  {
    active_targets: rows({
      ...targetRow,
      artifact_status: z.enum(['unknown', 'may_be_absent']),
      missing_policy: z.string(),
    }),
    pending_artifacts: rows({
      ...targetRow,
      status: z.string(),
      when: z.string(),
      allowed_actions: z.array(z.enum(['create', 'restore', 'rehydrate', 'report_conflict'])),
      terminal_inspect_allowed: z.literal(false),
    }),
    reference_only_targets: rows(targetRow),
    blocked_direction_targets: rows(targetRow),
    evidence_sources: rows({
      ...targetRow,
      evidence_use: z.literal('reference_only'),
      direction_policy: z.literal('must_not_be_primary_route'),
    }),
    blocked_routes: rows({
      ...targetRow,
      direction_policy: z.literal('blocked_route'),
      evidence_use: z.literal('counter_evidence_only'),
    }),
    conflict_policy: z.string().min(1),
    fallback_policy: z.string().min(1),
    action_policy: z.string().min(1),
  },
)

export const promptText = z
  .string()
  .min(1)
  .describe('Prompt-ready governed context, never empty, never longer than the character budget.')

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
  history_used: z.boolean().describe('The history of the scope took part.'),
  actionable_history_used: z.boolean().describe('Memory that can affect the next action was delivered.'),
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
