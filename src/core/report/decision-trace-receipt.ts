import { SURFACES, type Surface } from '../base/closed-sets.ts'
import { DECISION_OF } from '../guide/receipt.ts'
import type { FeedbackAttribution } from './decision-trace-attribution.ts'
import type { TracedGuide } from './decision-trace-guide.ts'

const FLAGS_MAX = 8

/** The receipt of a recorded guide with what was attributed since; null when why it showed what it showed is not kept. */
export function tracedReceipt(guide: TracedGuide, attribution: FeedbackAttribution, contestedCount: number) {
  if (guide.source !== 'runtime_record' || !guide.isExplained) return null
  const { shown, omitted } = guide
  const on = (surface: Surface): readonly string[] =>
    shown.filter((row) => row.surface === surface).map(({ memoryId }) => memoryId)
  const flags = new Set(
    shown.filter(({ surface }) => surface !== 'use_now').flatMap((row) => row.reasonCodes),
  )
  return {
    contract_version: 'svc_memory_use_receipt_v1' as const,
    intended_use: 'memory_use_audit' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    guide_trace_id: guide.guideTraceId,
    history_used: shown.length > 0,
    actionable_history_used: guide.isActionable ?? false,
    prompt_char_count: guide.promptChars ?? 0,
    exposed_memory_ids: shown.map(({ memoryId }) => memoryId),
    use_now_memory_ids: on('use_now'),
    inspect_before_use_memory_ids: on('inspect_before_use'),
    do_not_use_memory_ids: on('do_not_use'),
    rehydrate_memory_ids: on('rehydrate'),
    attributed_memory_ids: attribution.attributed_memory_ids,
    unattributed_recalled_memory_ids: attribution.unattributed_recalled_memory_ids,
    read_only_signal_memory_ids: attribution.sparse_feedback_signal_summary.read_only_signal_memory_ids,
    decision_summaries: shown.map((memory) => ({
      memory_id: memory.memoryId,
      agent_surface: memory.surface,
      decision_kind: DECISION_OF[memory.surface],
      actionable: memory.surface === 'use_now',
      rule_id: memory.ruleId ?? '',
      reason_codes: memory.reasonCodes,
      recall_sources: memory.signals.map(({ kind, score, reason }) => ({ kind, score, reason })),
    })),
    omitted: omitted
      .filter((memory) => memory.omitted === 'budget')
      .map(({ memoryId, surface }) => ({ memory_id: memoryId, surface, reason: 'budget' as const })),
    ...(guide.isHeldOut
      ? {
          hold_out: {
            withheld_memory_ids: omitted
              .filter((memory) => memory.omitted === 'hold_out')
              .map(({ memoryId }) => memoryId),
          },
        }
      : {}),
    risk_flags: [...flags].slice(0, FLAGS_MAX),
    summary: summaryOf(guide, contestedCount),
  }
}

function summaryOf({ shown, omitted }: TracedGuide, contestedCount: number): string {
  if (shown.length === 0) return 'No memory was shown.'
  const counted = SURFACES.map(
    (surface) => `${shown.filter((row) => row.surface === surface).length} ${surface}`,
  )
  const contested = contestedCount === 0 ? '' : ` ${contestedCount} were contested.`
  return `Memory shown: ${counted.join(', ')}; ${omitted.length} without a line.${contested}`
}
