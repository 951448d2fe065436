import {
  type BySurface,
  countBySurface,
  GUIDANCE_AUTHORITIES,
  type GuidanceAuthority,
  type RecommendedPosture,
  type Surface,
} from '../base/closed-sets.ts'
import type { Content } from '../model/record.ts'
import { maskSecrets } from '../screening/secrets.ts'
import { clip, foldText } from '../text/escape.ts'
import {
  foldedTargets,
  type GuideEntry,
  type GuideView,
  reasonText,
  type TargetEntry,
  targetsOf,
} from './entry.ts'
import { nounOf } from './line.ts'
import type { RenderedPrompt } from './render.ts'

export type RiskLevel = 'low' | 'medium' | 'high'

const REASONS_MAX = 8
const STALE_STATES: readonly string[] = ['superseded', 'expired', 'demoted', 'archived']

/** What the printed memories amount to: the same reading stands in context, receipt and packets. */
export interface Assessment {
  /** History took part: at least one memory was printed. */
  readonly historyUsed: boolean
  /** Something printed can change the next action: usable, to verify, to fetch, or a branch that failed. */
  readonly actionableHistoryUsed: boolean
  readonly recommendedPosture: RecommendedPosture
  /** The best authority among what was printed. */
  readonly authority: GuidanceAuthority
  readonly risk: {
    readonly negative_transfer_risk: RiskLevel
    readonly blocked_authority_count: number
    readonly stale_memory_count: number
    readonly reasons: readonly string[]
  }
  /** One sentence without memory text. */
  readonly summary: string
}

export function assess(rendered: RenderedPrompt): Assessment {
  const { printed } = rendered
  const counts = countBySurface(printed)
  const authorities = new Set<GuidanceAuthority>()
  for (const entry of printed) authorities.add(authorityOf(entry))
  return {
    historyUsed: printed.length > 0,
    actionableHistoryUsed: printed.some(
      (entry) => entry.surface !== 'do_not_use' || entry.record.domain === 'execution',
    ),
    recommendedPosture: postureFor(printed, counts),
    authority: GUIDANCE_AUTHORITIES.find((authority) => authorities.has(authority)) ?? 'none',
    risk: {
      negative_transfer_risk: riskLevel(printed, counts),
      blocked_authority_count: counts.do_not_use,
      stale_memory_count: printed.filter((entry) => STALE_STATES.includes(entry.lifecycleState)).length,
      reasons: riskReasons(printed),
    },
    summary: summarise(rendered, counts),
  }
}

/**
 * Blocked on do_not_use; candidate while it must be verified or fetched; trusted for a passed verifier or a trusted
 * claim; else advisory.
 */
export function authorityOf(
  entry: Pick<GuideEntry, 'surface' | 'record'>,
): Exclude<GuidanceAuthority, 'none'> {
  if (entry.surface === 'do_not_use') return 'blocked'
  if (entry.surface !== 'use_now') return 'candidate'
  const { content, claim } = entry.record
  const isVerified = content.verifier.some((verifier) => verifier.status === 'passed')
  return isVerified || claim?.authority === 'trusted' ? 'trusted' : 'advisory'
}

/** What contexts and receipts list of each surface. */
export function idLists(idsOn: (surface: Surface) => readonly string[]) {
  return {
    use_now_memory_ids: idsOn('use_now'),
    inspect_before_use_memory_ids: idsOn('inspect_before_use'),
    do_not_use_memory_ids: idsOn('do_not_use'),
    rehydrate_memory_ids: idsOn('rehydrate'),
  }
}

export function idsOf(printed: readonly GuideEntry[], surface: Surface): readonly string[] {
  const ids: string[] = []
  for (const entry of printed) if (entry.surface === surface) ids.push(entry.record.memoryId)
  return ids
}

function postureFor(printed: readonly GuideEntry[], counts: BySurface<number>): RecommendedPosture {
  const isSupported = (entry: GuideEntry): boolean =>
    entry.surface === 'use_now' &&
    (entry.record.domain === 'execution' ||
      entry.record.source === 'handoff' ||
      entry.record.counters.positive > 0)
  if (printed.some(isSupported)) return 'reuse_supported_history'
  if (counts.use_now > 0) return 'use_as_context'
  if (counts.inspect_before_use > 0) return 'inspect_before_use'
  return counts.rehydrate > 0 ? 'rehydrate_before_use' : 'ignore_history'
}

/** High: a warning touches what is asked and nothing may be used. Medium: any warning or anything to verify. */
function riskLevel(printed: readonly GuideEntry[], counts: BySurface<number>): RiskLevel {
  if (counts.use_now === 0 && printed.some((entry) => entry.relevantWarning)) return 'high'
  return counts.do_not_use > 0 || counts.inspect_before_use > 0 ? 'medium' : 'low'
}

export function riskReasons(shown: readonly Pick<GuideEntry, 'surface' | 'reasonCode'>[]): readonly string[] {
  const reasons = new Set<string>()
  for (const { surface, reasonCode } of shown) if (surface !== 'use_now') reasons.add(reasonCode)
  return [...reasons].slice(0, REASONS_MAX)
}

function summarise(rendered: RenderedPrompt, counts: BySurface<number>): string {
  const left = rendered.omitted.length
  const known = rendered.omitted.filter(({ reason }) => reason === 'shown_before').length
  const again = known === 0 ? '' : ` ${known} more were shown to this run before.`
  const cut = left === known ? again : `${again} ${left - known} more did not fit the character budget.`
  if (rendered.printed.length === 0) {
    return left === 0 ? 'No reusable memory was found.' : `No memory was shown.${cut}`
  }
  return (
    `Memory shown: ${counts.use_now} usable now, ${counts.inspect_before_use} to verify first, ` +
    `${counts.do_not_use} as warnings, ${counts.rehydrate} to rehydrate.${cut}`
  )
}

const COMMAND_ROWS_MAX = 14

export const POSTURE_OF = {
  do_not_use: 'must_not',
  use_now: 'should_continue',
  inspect_before_use: 'inspect_first',
  rehydrate: 'rehydrate_first',
} as const satisfies Record<Surface, string>

/** What to do with each of the first 14 printed memories, by rank. All texts are ours; a blocked memory shows no path. */
export function commandPostures(printed: readonly GuideEntry[]) {
  return printed.slice(0, COMMAND_ROWS_MAX).map((entry) => ({
    posture: POSTURE_OF[entry.surface],
    surface: entry.surface,
    memory_id: entry.record.memoryId,
    instruction: instructionOf(entry),
    reason: reasonText(entry),
    target_files: entry.surface === 'do_not_use' ? [] : foldedTargets(entry),
  }))
}

function instructionOf(entry: GuideEntry): string {
  const noun = nounOf(entry.record)
  switch (entry.surface) {
    case 'use_now':
      return `Continue from this ${noun}.`
    case 'inspect_before_use':
      return `Verify this ${noun} against the current state before use.`
    case 'do_not_use':
      return `Do not act on this ${noun}.`
    case 'rehydrate':
      return `Rehydrate this ${noun} before you rely on it.`
  }
}

const ROUTE_ROWS_MAX = 16
const REF_CHARS_MAX = 256

/** What of an entry tells where the work may go. */
export interface RouteEntry extends TargetEntry, Pick<GuideEntry, 'reason' | 'reasonCode'> {
  readonly record: {
    readonly memoryId: string
    readonly content: Pick<Content, 'targetFiles' | 'evidenceRefs'>
  }
}

/**
 * Which paths may lead the work: those of usable memory; those of memory to verify are for reference; those of blocked
 * memory are blocked, unless a usable memory names the same path. Every list has at most 16 rows.
 */
export function routeContract(printed: readonly RouteEntry[]) {
  const active = targetsOf(printed, 'use_now', ROUTE_ROWS_MAX)
  const activeTargets = new Set(active.map(({ target }) => target))
  const blocked = targetsOf(printed, 'do_not_use', ROUTE_ROWS_MAX)
  return {
    active_targets: active.map(({ target, entry }) => ({
      target,
      source_memory_id: entry.record.memoryId,
      source: 'should_continue' as const,
      artifact_status: 'unknown' as const,
      missing_policy: 'pending_work' as const,
    })),
    pending_artifacts: active.map(({ target, entry }) => ({
      target,
      source_memory_id: entry.record.memoryId,
      source: 'should_continue' as const,
      status: 'unknown' as const,
      when: 'target_missing' as const,
      allowed_actions: ['create', 'restore', 'rehydrate', 'report_conflict'] as const,
      terminal_inspect_allowed: false as const,
    })),
    reference_only_targets: targetsOf(printed, 'inspect_before_use', ROUTE_ROWS_MAX)
      .filter(({ target }) => !activeTargets.has(target))
      .map(({ target, entry }) => ({
        target,
        source_memory_id: entry.record.memoryId,
        source: 'inspect_first' as const,
        reason: reasonText(entry),
      })),
    blocked_direction_targets: blocked
      .filter(({ target }) => !activeTargets.has(target))
      .map(({ target, entry }) => ({
        target,
        source_memory_id: entry.record.memoryId,
        source: 'must_not' as const,
        reason: reasonText(entry),
      })),
    evidence_sources: evidenceSources(printed),
    blocked_routes: blocked.map(({ target, entry }) => ({
      target,
      source_memory_id: entry.record.memoryId,
      source: 'must_not' as const,
      reason: reasonText(entry),
      direction_policy: 'blocked_route' as const,
      evidence_use: 'counter_evidence_only' as const,
    })),
    conflict_policy: 'active_targets_win_over_reference; report_conflict_with_current_files',
    fallback_policy: 'missing_active_target_is_pending_work',
    action_policy: 'act_on_active_targets_only; verify_reference_first; never_follow_blocked_routes',
  }
}

function evidenceSources(printed: readonly RouteEntry[]) {
  const sources = new Map<string, RouteEntry>()
  for (const entry of printed) {
    if (entry.surface === 'do_not_use') continue
    for (const ref of entry.record.content.evidenceRefs) {
      const target = clip(foldText(maskSecrets(ref)), REF_CHARS_MAX)
      if (target !== '' && !sources.has(target)) sources.set(target, entry)
    }
    if (sources.size >= ROUTE_ROWS_MAX) break
  }
  return Array.from(sources, ([target, entry]) => ({
    target,
    source_memory_id: entry.record.memoryId,
    source: entry.surface === 'use_now' ? ('should_continue' as const) : ('inspect_first' as const),
    evidence_use: 'reference_only' as const,
    direction_policy: 'must_not_be_primary_route' as const,
  })).slice(0, ROUTE_ROWS_MAX)
}

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
    ...idLists((surface) => idsOf(printed, surface)),
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
export function targetFilesOf(printed: readonly TargetEntry[]): readonly string[] {
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
