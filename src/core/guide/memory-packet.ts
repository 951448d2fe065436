import type { MemoryRecord } from '../model/record.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { clip, foldText } from '../text/escape.ts'
import { assess, authorityOf, idsOf, rehydrateHints } from './agent-context.ts'
import { foldedTargets, type GuideEntry, type GuideView, reasonText } from './entry.ts'
import { callersTitle, told } from './line.ts'
import type { RenderedPrompt } from './render.ts'

const MEMORIES_MAX = 32
const TRAIL_MAX = 96
const WARNINGS_MAX = 24
const SUMMARY_CHARS_MAX = 300
/** Read of a text for a summary; folding may drop characters, so more than is shown. */
const READ_CHARS_MAX = 1200
const LOW_CONFIDENCE = 0.6

/** What shown memory is for. */
export const EXPECTED_EFFECTS = [
  'answer_style',
  'fact_recall',
  'project_context',
  'tool_or_workflow_guidance',
  'avoid_stale_memory',
  'requires_rehydration',
] as const

/** Writes an instant, in milliseconds since the epoch, as ISO 8601. */
export type IsoTime = (atMs: number) => string

/** The exposed memories (at most 32) with authority, contract and evidence, for an operator. A blocked one shows no text. */
export function memoryPacket(rendered: RenderedPrompt, view: GuideView, isoTime: IsoTime) {
  const { printed } = rendered
  const assessment = assess(rendered)
  const inState = (...states: readonly string[]): readonly GuideEntry[] =>
    printed.filter((entry) => states.includes(entry.lifecycleState))
  return {
    contract_version: 'svc_memory_packet_v1' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    tenant_id: view.tenantId,
    scope: view.scope,
    actor: actorOf(printed, view),
    query: { source: 'text' as const },
    memory_family: familyOf(printed),
    relevant_memories: printed.slice(0, MEMORIES_MAX).map((entry) => memoryRow(entry, isoTime)),
    evidence_trail: evidenceTrail(printed),
    lifecycle: {
      used_memory_ids: idsOf(printed, 'use_now'),
      candidate_memory_ids: idsOf(printed, 'inspect_before_use'),
      suppressed_memory_ids: inState('suppressed').map((entry) => entry.record.memoryId),
      archived_memory_ids: inState('archived').map((entry) => entry.record.memoryId),
      rehydration_hints: rehydrateHints(printed).map((hint) => ({ ...hint, mode: 'partial' as const })),
    },
    contradiction_warnings: inState('contested')
      .slice(0, WARNINGS_MAX)
      .map((entry) => ({
        memory_id: entry.record.memoryId,
        severity: 'medium' as const,
        reason: reasonText(entry),
        suggested_action: 'inspect_before_use' as const,
      })),
    forgetting_state: {
      stale_memory_count: assessment.risk.stale_memory_count,
      suppressed_count: inState('suppressed').length,
      archived_count: inState('archived').length,
      rehydration_candidate_count: idsOf(printed, 'rehydrate').length,
    },
    behavior_impact: behaviorImpact(printed, assessment.actionableHistoryUsed, assessment.summary),
    risk: {
      negative_transfer_risk: assessment.risk.negative_transfer_risk,
      contradiction_count: inState('contested').length,
      low_confidence_count: printed.filter((entry) => entry.record.content.confidence < LOW_CONFIDENCE)
        .length,
      stale_memory_count: assessment.risk.stale_memory_count,
      reasons: assessment.risk.reasons,
    },
  }
}

function actorOf(printed: readonly GuideEntry[], view: GuideView) {
  const producers = new Set<string>()
  for (const { record } of printed) if (record.producerAgentId !== null) producers.add(record.producerAgentId)
  return {
    consumer_agent_id: view.consumer.agentId,
    ...(view.consumer.teamId === null ? {} : { consumer_team_id: view.consumer.teamId }),
    producer_agent_ids: [...producers],
  }
}

function familyOf(printed: readonly GuideEntry[]): 'general_cognitive' | 'execution' | 'mixed' | 'empty' {
  if (printed.length === 0) return 'empty'
  const execution = printed.filter((entry) => entry.record.domain === 'execution').length
  if (execution === 0) return 'general_cognitive'
  return execution === printed.length ? 'execution' : 'mixed'
}

function memoryRow(entry: GuideEntry, isoTime: IsoTime) {
  const { record } = entry
  const isBlocked = entry.surface === 'do_not_use'
  return {
    memory_id: record.memoryId,
    title: isBlocked ? callersTitle(record) : toldOrNull(record, record.content.title),
    summary: isBlocked ? reasonText(entry) : shortText(entry),
    memory_type: record.memoryType,
    domain: record.domain,
    source_layer: null,
    authority: authorityOf(entry),
    confidence: record.content.confidence,
    salience: salienceOf(record),
    lifecycle_state: entry.lifecycleState,
    // Only the first was screened.
    evidence_ids: record.content.evidenceRefs.map(maskSecrets),
    observed_at: isoTime(record.observedAtMs),
    target_files: isBlocked ? [] : foldedTargets(entry),
    recall_sources: entry.recallSources,
    ...(record.domain === 'execution' ? { execution_state: executionState(entry) } : {}),
    memory_contract: memoryContract(entry),
  }
}

/** What the caller gave, when it is a share; it is kept as payload and decides nothing. */
function salienceOf(record: MemoryRecord): number | null {
  const salience = record.content.payload?.['salience']
  return typeof salience === 'number' && salience >= 0 && salience <= 1 ? salience : null
}

function toldOrNull(record: MemoryRecord, text: string | null): string | null {
  return text === null ? null : told(record, text)
}

/** The summary, or the beginning of the text, folded. */
export function shortText(entry: GuideEntry): string {
  const { content, handoff } = entry.record
  const text = content.summary || content.text || handoff?.handoffText || content.title || ''
  return clip(foldText(told(entry.record, text).slice(0, READ_CHARS_MAX)), SUMMARY_CHARS_MAX)
}

function executionState(entry: GuideEntry) {
  const { record } = entry
  const next = entry.surface === 'do_not_use' ? null : toldOrNull(record, record.content.nextAction)
  return {
    execution_kind: record.kind,
    task_signature: record.taskSignature,
    task_family: record.taskFamily,
    workflow_signature: record.workflowSignature,
    next_action_hint: next === null ? null : clip(foldText(next), SUMMARY_CHARS_MAX),
    transition_kind: transitionOf(entry),
    actor_role: toldOrNull(record, record.handoff?.targetRole ?? null),
    handoff_target: record.handoff?.targetAgentId ?? null,
    handoff_target_team: record.handoff?.targetTeamId ?? null,
    source_agent_id: record.producerAgentId,
    source_team_id: record.producerTeamId,
  }
}

function transitionOf(entry: GuideEntry): string | null {
  if (entry.surface === 'do_not_use') return 'avoid_failed_branch'
  if (entry.surface === 'rehydrate') return 'request_rehydrate'
  if (entry.record.handoff !== null) return 'handoff_to_actor'
  if (entry.surface === 'inspect_before_use') return 'inspect_before_use'
  return entry.record.content.nextAction === null ? null : 'resume_current_state'
}

function memoryContract(entry: GuideEntry) {
  const authority = authorityOf(entry)
  const isSigned = entry.record.taskSignature !== null || entry.record.workflowSignature !== null
  const base = {
    confirmation_required: entry.surface !== 'use_now',
    reasons: [entry.reasonCode, ...entry.notes],
  }
  switch (entry.surface) {
    case 'use_now':
      return {
        source_trust:
          authority === 'trusted' ? ('authoritative_runtime' as const) : ('scoped_advisory' as const),
        allowed_scope: isSigned ? ('task_or_workflow_scope' as const) : ('current_scope' as const),
        evidence_requirement: 'satisfied' as const,
        use_policy: 'direct_use' as const,
        ...base,
      }
    case 'do_not_use':
      return {
        source_trust: 'blocked_or_suppressed' as const,
        allowed_scope: 'none' as const,
        evidence_requirement: 'requires_more_evidence' as const,
        use_policy: 'do_not_use' as const,
        ...base,
      }
    default:
      return {
        source_trust:
          entry.record.facets.trust === 'candidate'
            ? ('external_or_unverified' as const)
            : ('scoped_advisory' as const),
        allowed_scope: 'supporting_evidence_only' as const,
        evidence_requirement: 'requires_more_evidence' as const,
        use_policy:
          entry.surface === 'rehydrate' ? ('evidence_only' as const) : ('inspect_before_use' as const),
        ...base,
      }
  }
}

function evidenceTrail(printed: readonly GuideEntry[]) {
  // Who sees a memory may not see what it was derived from: only sources that are shown here are named.
  const shown = new Set(printed.map((entry) => entry.record.memoryId))
  return printed
    .flatMap(({ record, surface }) => [
      ...record.content.evidenceRefs.map((evidenceId) => ({
        evidence_id: maskSecrets(evidenceId),
        memory_id: record.memoryId,
        source: 'citation' as const,
        relation: surface === 'rehydrate' ? ('rehydrates' as const) : ('supports' as const),
        reason: 'The memory names this evidence.',
      })),
      ...record.derivedFrom
        .filter((id) => shown.has(id))
        .map((sourceId) => ({
          evidence_id: sourceId,
          memory_id: record.memoryId,
          source: 'edge' as const,
          relation: 'derived_from' as const,
          reason: 'The memory is derived from this one.',
        })),
    ])
    .slice(0, TRAIL_MAX)
}

function behaviorImpact(printed: readonly GuideEntry[], isActionable: boolean, explanation: string) {
  const effects = new Set<(typeof EXPECTED_EFFECTS)[number]>()
  for (const { surface, record } of printed) {
    if (surface === 'do_not_use') effects.add('avoid_stale_memory')
    else if (surface === 'rehydrate') effects.add('requires_rehydration')
    else if (record.domain === 'execution') effects.add('tool_or_workflow_guidance')
    else if (record.memoryType === 'preference') effects.add('answer_style')
    else effects.add(record.memoryType === 'project_context' ? 'project_context' : 'fact_recall')
  }
  return {
    will_shape_behavior: isActionable,
    changed_fields: isActionable ? ['agent_context'] : [],
    expected_effects: [...effects],
    explanation,
  }
}
