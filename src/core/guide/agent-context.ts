import { type Assessment, assess, idsOf } from './assessment.ts'
import { commandPostures } from './command-posture.ts'
import type { GuideEntry, GuideView } from './entry.ts'
import { reasonText } from './reason.ts'
import type { RenderedPrompt } from './render.ts'
import { routeContract } from './route-contract.ts'
import { targetsOf } from './targets.ts'

const TARGET_FILES_MAX = 8

/** The object an agent receives. Its id lists hold exactly what the prompt text prints, in rank order, and are disjoint. */
export function agentContext(
  rendered: RenderedPrompt,
  view: GuideView,
  assessment: Assessment = assess(rendered),
  targetFiles: readonly string[] = targetFilesOf(rendered.printed),
) {
  const { printed, lines } = rendered
  const memoryIds = printed.map((entry) => entry.record.memoryId)
  return {
    contract_version: 'svc_agent_context_v1' as const,
    tenant_id: view.tenantId,
    scope: view.scope,
    agent_role: view.role,
    agent_context_mode:
      view.contextMode === 'compact_agent' ? ('compact_agent' as const) : ('standard' as const),
    task_context_profile: view.profile,
    prompt_text: rendered.promptText,
    summary: assessment.summary,
    history_used: assessment.historyUsed,
    actionable_history_used: assessment.actionableHistoryUsed,
    recommended_posture: assessment.recommendedPosture,
    authority: assessment.authority,
    target_files: targetFiles,
    use_now: lines.use_now,
    inspect_before_use: lines.inspect_before_use,
    do_not_use: lines.do_not_use,
    memory_ids: memoryIds,
    use_now_memory_ids: idsOf(printed, 'use_now'),
    inspect_before_use_memory_ids: idsOf(printed, 'inspect_before_use'),
    do_not_use_memory_ids: idsOf(printed, 'do_not_use'),
    rehydrate_memory_ids: idsOf(printed, 'rehydrate'),
    rehydrate_hints: rehydrateHints(printed),
    command_posture: commandPostures(printed),
    route_contract: routeContract(printed),
    risk: assessment.risk,
    evidence_refs: evidenceRefs(printed, memoryIds),
  }
}

/** Pointers that must be fetched before use, and usable memories of which only a compact text was printed. */
export function rehydrateHints(printed: readonly GuideEntry[]) {
  const hints: { readonly memory_id: string; readonly reason: string; readonly required: boolean }[] = []
  for (const entry of printed) {
    const memory_id = entry.record.memoryId
    if (entry.surface === 'rehydrate') {
      hints.push({ memory_id, reason: reasonText(entry), required: true })
    } else if (entry.surface !== 'do_not_use' && entry.record.content.fullTextChars !== null) {
      hints.push({
        memory_id,
        reason: 'Only a compact text is shown; the full text is kept.',
        required: false,
      })
    }
  }
  return hints
}

/** Paths of usable memory, then of memory to verify; never of blocked memory. */
export function targetFilesOf(printed: readonly GuideEntry[]): readonly string[] {
  const usable = targetsOf(printed, 'use_now', TARGET_FILES_MAX)
  const toVerify = targetsOf(printed, 'inspect_before_use', TARGET_FILES_MAX)
  return [...new Set([...usable, ...toVerify].map(({ target }) => target))].slice(0, TARGET_FILES_MAX)
}

function evidenceRefs(printed: readonly GuideEntry[], memoryIds: readonly string[]) {
  const workflows = new Set<string>()
  let evidenceCount = 0
  for (const { surface, record } of printed) {
    if (surface === 'do_not_use') continue
    if (record.workflowSignature !== null) workflows.add(record.workflowSignature)
    evidenceCount += record.content.evidenceRefs.length
  }
  return { memory_ids: memoryIds, workflow_ids: [...workflows], evidence_count: evidenceCount }
}
