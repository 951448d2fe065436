import type { MemoryDecision, OmittedDecision } from './decision-trace-memory.ts'

/** The head of a trace, as far as its admission record repeats it. */
interface TraceHead {
  readonly guideTraceId: string | null
  readonly promptChars: number | null
  readonly isActionable: boolean | null
}

/** The decisions of a guide as rows of a data set: what was admitted to which surface, and what became of it. */
export function admissionRecordOf(
  head: TraceHead,
  decisions: readonly MemoryDecision[],
  omitted: readonly OmittedDecision[],
) {
  const entries = [...decisions.map(shownEntry), ...omitted.map(omittedEntry)]
  const usedCount = entries.filter((entry) => entry.agent_used).length
  return {
    contract_version: 'svc_memory_admission_record_v1' as const,
    intended_use: 'memory_admission_audit_dataset' as const,
    source: 'memory_decision_trace' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    guide_trace_id: head.guideTraceId,
    prompt_char_count: head.promptChars,
    history_used: decisions.length > 0,
    actionable_history_used: head.isActionable,
    candidate_memory_count: entries.length,
    prompt_included_memory_count: decisions.length,
    agent_used_memory_count: usedCount,
    entries,
    summary: `${decisions.length} of ${entries.length} memories had a line; outcomes name ${usedCount}.`,
  }
}

// Each entry is one literal: a spread of common fields is ten times slower.
function shownEntry(row: MemoryDecision) {
  const feedback = row.feedback_detail
  return {
    memory_id: row.memory_id,
    title: row.title,
    memory_origin: 'runtime' as const,
    domain: row.domain,
    memory_type: row.memory_type,
    lifecycle_state: row.lifecycle_state,
    rule_id: row.rule_id,
    reason: row.reason,
    reason_codes: row.reason_codes,
    recall_sources: row.recall_sources,
    authority: row.authority,
    admission_action: row.agent_surface,
    decision_kind: row.decision_kind,
    actionable: row.agent_surface === 'use_now',
    prompt_included: true,
    prompt_surface: row.agent_surface,
    agent_used: feedback !== null,
    feedback_outcome: feedback?.outcome ?? null,
    attribution_strength: feedback?.attribution_strength ?? null,
    evidence_ids: row.evidence_ids,
  }
}

function omittedEntry(row: OmittedDecision) {
  return {
    memory_id: row.memory_id,
    title: row.title,
    memory_origin: 'runtime' as const,
    domain: row.domain,
    memory_type: row.memory_type,
    lifecycle_state: row.lifecycle_state,
    rule_id: row.rule_id,
    reason: row.reason,
    reason_codes: row.reason_codes,
    recall_sources: row.recall_sources,
    authority: 'none' as const,
    admission_action: row.withheld_surface,
    decision_kind: row.decision_kind,
    actionable: false,
    prompt_included: false,
    prompt_surface: null,
    agent_used: false,
    feedback_outcome: null,
    attribution_strength: null,
    evidence_ids: [] as readonly string[],
  }
}
