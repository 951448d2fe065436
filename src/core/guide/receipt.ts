import type { Surface } from '../base/closed-sets.ts'
import { type Assessment, assess, idsOf } from './assessment.ts'
import type { GuideEntry, Omission } from './entry.ts'
import type { RenderedPrompt } from './render.ts'

/** What each surface is called where a decision is told. */
export const DECISION_OF = {
  use_now: 'used',
  inspect_before_use: 'downgraded',
  do_not_use: 'blocked',
  rehydrate: 'rehydrate',
} as const satisfies Record<Surface, string>

/**
 * What a guide showed and why, for an operator: ids and reason codes, neither memory text nor prompt.
 * @param omitted what has no line, but for what a hold-out kept back
 * @param withheld what a hold-out kept back; null: it was none
 */
export function memoryUseReceipt(
  rendered: RenderedPrompt,
  guideTraceId: string | null,
  omitted: readonly Omission[] = rendered.omitted,
  withheld: readonly GuideEntry[] | null = null,
  assessment: Assessment = assess(rendered),
) {
  const { printed } = rendered
  const handles = handlesView(rendered)
  return {
    contract_version: 'svc_memory_use_receipt_v1' as const,
    intended_use: 'memory_use_audit' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    guide_trace_id: guideTraceId,
    history_used: assessment.historyUsed,
    actionable_history_used: assessment.actionableHistoryUsed,
    prompt_char_count: rendered.promptText.length,
    exposed_memory_ids: printed.map((entry) => entry.record.memoryId),
    use_now_memory_ids: idsOf(printed, 'use_now'),
    inspect_before_use_memory_ids: idsOf(printed, 'inspect_before_use'),
    do_not_use_memory_ids: idsOf(printed, 'do_not_use'),
    rehydrate_memory_ids: idsOf(printed, 'rehydrate'),
    // Attribution comes with feedback; a guide has none yet.
    attributed_memory_ids: [] as readonly string[],
    unattributed_recalled_memory_ids: [] as readonly string[],
    read_only_signal_memory_ids: [] as readonly string[],
    decision_summaries: printed.map(decisionSummary),
    omitted: omitted.flatMap(omissionRow),
    ...(handles === null ? {} : { handles }),
    ...(withheld === null
      ? {}
      : { hold_out: { withheld_memory_ids: withheld.map((entry) => entry.record.memoryId) } }),
    risk_flags: assessment.risk.reasons,
    summary: assessment.summary,
  }
}

/** What each handle of the prompt stands for; null: it names memories by ids. */
export function handlesView({ handles }: Pick<RenderedPrompt, 'handles'>) {
  if (handles === null) return null
  const rows = Array.from(
    handles,
    ([handle, { record, surface }]) => [handle, { memory_id: record.memoryId, surface }] as const,
  )
  return Object.fromEntries(rows)
}

/** What a hold-out kept back stands in a list of its own. */
function omissionRow({ entry, reason, intoId }: Omission) {
  if (reason === 'hold_out') return []
  return [
    {
      memory_id: entry.record.memoryId,
      surface: entry.surface,
      reason,
      ...(intoId === null ? {} : { into: intoId }),
    },
  ]
}

function decisionSummary(entry: GuideEntry) {
  return {
    memory_id: entry.record.memoryId,
    agent_surface: entry.surface,
    decision_kind: DECISION_OF[entry.surface],
    actionable: entry.surface === 'use_now',
    rule_id: entry.ruleId,
    reason_codes: [entry.reasonCode, ...entry.notes],
    recall_sources: entry.recallSources,
  }
}
