import { maskSecrets } from '../screening/secrets.ts'
import { clip, foldText } from '../text/escape.ts'
import { assess, authorityOf, idsOf, rehydrateHints } from './agent-context.ts'
import { type GuideEntry, type GuideView, reasonText, targetsOf } from './entry.ts'
import { nounOf, told } from './line.ts'
import { shortText } from './memory-packet.ts'
import type { RenderedPrompt } from './render.ts'

const BRIEF_MAX = 8
const ROWS_MAX = 16
const CHECK_CHARS_MAX = 240

/** What a guide recovered for the task, for an operator: briefs of the exposed memories, never a line of the prompt. */
export function guidePacket(rendered: RenderedPrompt, view: GuideView) {
  const { printed } = rendered
  const assessment = assess(rendered)
  const useNow = printed.filter((entry) => entry.surface === 'use_now')
  const execution = printed.find((entry) => entry.record.domain === 'execution')?.record ?? null
  const idsInState = (state: string): readonly string[] =>
    printed.filter((entry) => entry.lifecycleState === state).map((entry) => entry.record.memoryId)
  return {
    contract_version: 'svc_guide_packet_v1' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    actor: {
      consumer_agent_id: view.consumer.agentId,
      ...(view.consumer.teamId === null ? {} : { consumer_team_id: view.consumer.teamId }),
      agent_role: view.role,
    },
    task: {
      task_id: execution?.taskId ?? null,
      run_id: view.runId,
      task_signature: view.taskSignature,
      task_family: execution?.taskFamily ?? null,
    },
    guide_brief: {
      summary: assessment.summary,
      history_used: assessment.historyUsed,
      actionable_history_used: assessment.actionableHistoryUsed,
      recommended_posture: assessment.recommendedPosture,
      authority: assessment.authority,
      use_now: briefs(printed, 'use_now'),
      inspect_before_use: briefs(printed, 'inspect_before_use'),
      do_not_use: briefs(printed, 'do_not_use'),
      rehydrate: rehydrateHints(printed),
      expected_product_effects: productEffects(printed),
    },
    recovered_state: recoveredState(useNow),
    proven_facts: provenFacts(useNow),
    guidance: {
      workflow_candidates: workflowCandidates(printed),
      tool_preferences: toolPreferences(printed),
    },
    history_contributions: contributions(printed),
    memory_lifecycle: {
      used_memory_ids: idsOf(printed, 'use_now'),
      suppressed_memory_ids: idsInState('suppressed'),
      archived_memory_ids: idsInState('archived'),
      rehydration_hints: rehydrateHints(printed),
    },
    risk: assessment.risk,
  }
}

function briefs(printed: readonly GuideEntry[], surface: GuideEntry['surface']): readonly string[] {
  return printed
    .filter((entry) => entry.surface === surface)
    .slice(0, BRIEF_MAX)
    .map(
      (entry) =>
        `${entry.record.memoryId}: ${surface === 'do_not_use' ? reasonText(entry) : shortText(entry)}`,
    )
}

function productEffects(printed: readonly GuideEntry[]) {
  const hasUsable = printed.some((entry) => entry.surface === 'use_now')
  return {
    reduces_repeated_discovery: hasUsable,
    reduces_context_replay: printed.some(
      (entry) =>
        entry.surface === 'use_now' && (entry.record.handoff !== null || entry.record.domain === 'execution'),
    ),
    controls_negative_transfer: printed.some((entry) => entry.surface !== 'use_now'),
    reason: hasUsable ? 'Usable memory was delivered.' : 'No usable memory was delivered.',
  }
}

function recoveredState(useNow: readonly GuideEntry[]) {
  const handoffs = useNow.filter((entry) => entry.record.handoff !== null)
  const current = handoffs[0] ?? useNow.find((entry) => entry.record.domain === 'execution')
  const checks = new Set<string>()
  for (const { record } of useNow) {
    for (const check of record.content.acceptanceChecks)
      checks.add(clip(foldText(told(record, check)), CHECK_CHARS_MAX))
  }
  return {
    state_summary: current === undefined ? null : shortText(current),
    resumable: current !== undefined,
    handoff_ids: handoffs.flatMap((entry) => entry.record.handoff?.handoffId ?? []),
    target_files: targetsOf(useNow, 'use_now', ROWS_MAX).map(({ target }) => target),
    acceptance_checks: [...checks].slice(0, ROWS_MAX),
  }
}

/** Usable memory of a handoff, or one that a verifier passed. */
function provenFacts(useNow: readonly GuideEntry[]) {
  return useNow
    .flatMap((entry) => {
      const { record } = entry
      const isVerified = record.content.verifier.some((verifier) => verifier.status === 'passed')
      if (!isVerified && record.handoff === null) return []
      const evidenceId = record.content.evidenceRefs[0]
      return {
        fact: shortText(entry),
        source: isVerified ? ('verifier' as const) : ('handoff' as const),
        ...(evidenceId === undefined ? {} : { evidence_id: told(record, evidenceId) }),
        confidence: record.content.confidence,
      }
    })
    .slice(0, ROWS_MAX)
}

function workflowCandidates(printed: readonly GuideEntry[]) {
  const best = new Map<string, { entry: GuideEntry; evidenceCount: number }>()
  for (const entry of printed) {
    const workflow = entry.record.workflowSignature
    if (workflow === null || entry.surface === 'do_not_use') continue
    const known = best.get(workflow)
    if (known === undefined) best.set(workflow, { entry, evidenceCount: 1 })
    else known.evidenceCount += 1
  }
  return Array.from(best, ([workflow, { entry, evidenceCount }]) => ({
    workflow_id: workflow,
    title: told(entry.record, entry.record.content.title ?? nounOf(entry.record)),
    authority: authorityOf(entry),
    evidence_count: evidenceCount,
    last_outcome: outcomeWord(entry),
    reuse_reason: reasonText(entry),
  })).slice(0, ROWS_MAX)
}

function outcomeWord(entry: GuideEntry): 'success' | 'failure' | 'unknown' {
  const { outcome } = entry.record.content
  if (outcome === 'succeeded') return 'success'
  return outcome === 'failed' || outcome === 'blocked' ? 'failure' : 'unknown'
}

function toolPreferences(printed: readonly GuideEntry[]) {
  const preferences = new Map<string, { preference: 'prefer' | 'inspect_first'; entry: GuideEntry }>()
  for (const entry of printed) {
    if (entry.surface !== 'use_now' && entry.surface !== 'inspect_before_use') continue
    const preference = entry.surface === 'use_now' ? 'prefer' : 'inspect_first'
    for (const tool of entry.record.content.tools) {
      if (!preferences.has(tool) || preference === 'prefer') preferences.set(tool, { preference, entry })
    }
  }
  return Array.from(preferences, ([tool, { preference, entry }]) => ({
    tool: maskSecrets(tool),
    preference,
    authority: authorityOf(entry),
    reason: reasonText(entry),
  })).slice(0, ROWS_MAX)
}

function contributions(printed: readonly GuideEntry[]) {
  const contribution = (entries: readonly GuideEntry[]) => ({
    used: entries.length > 0,
    source_count: entries.length,
    source_ids: entries.map((entry) => entry.record.memoryId),
    changed_fields: entries.length > 0 ? ['agent_context'] : [],
    reason: entries[0] === undefined ? null : reasonText(entries[0]),
  })
  const usable = printed.filter((entry) => entry.surface === 'use_now')
  return {
    handoff: contribution(usable.filter((entry) => entry.record.handoff !== null)),
    replay: contribution(
      usable.filter((entry) => entry.record.handoff === null && entry.record.domain === 'execution'),
    ),
  }
}
