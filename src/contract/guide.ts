import { z } from 'zod'
import { COMPACTIONS, CONTEXT_MODES, GUIDE_LINES, GUIDE_MODES } from '../core/base/closed-sets.ts'
import { AgentContext, promptText } from './agent-context.ts'
import { ClaimLedgerProjection } from './claim-ledger.ts'
import { described, type Frozen, writtenEnvelope } from './envelope.ts'
import { anyJson, filled, GUIDE_LIMIT_MAX, id, optional, required, words } from './fields.ts'
import { GuidePacket } from './guide-packet.ts'
import { MemoryPacket } from './memory-packet.ts'
import { Handles, MemoryUseReceipt } from './memory-use-receipt.ts'
import { sharedFields } from './shared-request.ts'

export const CHAR_BUDGET_MIN = 200
export const CHAR_BUDGET_MAX = 1_000_000

/** Answers that are less than the whole one. */
export const GUIDE_VIEWS = ['prompt'] as const

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
  .meta({ description: 'What the agent is about to do, and who asks.' })

const guideTraceId = z
  .string()
  .startsWith('guide_trace:')
  .meta({ description: 'Handle for feedback attribution: keep it.' })

export const GuideResponse = described('Governed context and its audit.', {
  ...writtenEnvelope('svc_guide_result_v1'),
  consumer_agent_id: z.string().meta({ description: 'Who asked; `local-agent` when nobody was named.' }),
  consumer_team_id: z.string().optional().meta({ description: 'Left out when no team was named.' }),
  guide_trace_id: guideTraceId,
  agent_context: AgentContext,
  memory_use_receipt: MemoryUseReceipt,
  claim_ledger_projection: ClaimLedgerProjection.optional().meta({
    description: 'Claims that the consumer can see; left out when there are none.',
  }),
  memory_packet: MemoryPacket.optional().meta({ description: 'Only with include_packets.' }),
  guide_packet: GuidePacket.optional().meta({ description: 'Only with include_packets.' }),
})

const { source_map: _parts, ...promptEnvelope } = writtenEnvelope('svc_guide_prompt_v1')

/** What `view: "prompt"` answers. */
export const GuidePromptResponse = described('The prompt of a guide, and what its handles stand for.', {
  ...promptEnvelope,
  guide_trace_id: guideTraceId,
  agent_context: z.strictObject({
    prompt_text: promptText,
    handles: Handles.meta({
      description: 'What each handle of prompt_text stands for: `{m1: {memory_id, surface}}`.',
    }),
  }),
})

export type GuidePromptResponse = Frozen<z.output<typeof GuidePromptResponse>>
