import { z } from 'zod'
import { count, described, strings } from './envelope.ts'
import {
  decisionKind,
  decisionSurface,
  idList,
  idsBySurface,
  nullableText,
  omittedReason,
  readOnly,
  recallSource,
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
  decision_summaries: z.array(
    z.strictObject({
      memory_id: z.string(),
      agent_surface: decisionSurface,
      decision_kind: decisionKind,
      actionable: z.boolean(),
      rule_id: z.string().meta({ description: 'Rule of the surface table that decided.' }),
      reason_codes: strings,
      recall_sources: z.array(recallSource),
    }),
  ),
  omitted: z
    .array(
      z.strictObject({
        memory_id: z.string(),
        surface,
        reason: omittedReason.exclude(['hold_out']).meta({
          description:
            'budget: the budget was used up; folded: another line stands for it and for runs like it; successor: what replaced it is a candidate too; same_text: a memory of the same audience says the same, and stands on a better surface, has more authority or is newer; not_related: it warns of nothing that is asked or may be used; shown_before: omit_shown_in named a run that was shown the same line.',
        }),
        into: z.string().optional().meta({
          description: 'The memory whose line stands for it: of folded, successor and same_text.',
        }),
      }),
    )
    .meta({ description: 'Memory that was admitted but has no line of its own.' }),
  handles: Handles.optional().meta({
    description:
      'Only with handles: what each handle of prompt_text stands for, `{m1: {memory_id, surface}}`. A request that names the guide takes it in place of the memory id.',
  }),
  hold_out: z.strictObject({ withheld_memory_ids: strings }).optional().meta({
    description:
      'Present when this guide withheld memory, so that its run can be compared with guided ones: what it would have shown. Warnings are never withheld. The agent is not told.',
  }),
  risk_flags: strings,
  summary: z.string().min(1),
})
