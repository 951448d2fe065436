import type { Content } from '../model/record.ts'
import { clip, foldText } from '../text/escape.ts'
import type { GuideEntry } from './entry.ts'
import { reasonText } from './reason.ts'
import { type TargetEntry, targetsOf } from './targets.ts'

const ROWS_MAX = 16
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
  const active = targetsOf(printed, 'use_now', ROWS_MAX)
  const activeTargets = new Set(active.map(({ target }) => target))
  const blocked = targetsOf(printed, 'do_not_use', ROWS_MAX)
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
    reference_only_targets: targetsOf(printed, 'inspect_before_use', ROWS_MAX)
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
      const target = clip(foldText(ref), REF_CHARS_MAX)
      if (target !== '' && !sources.has(target)) sources.set(target, entry)
    }
    if (sources.size >= ROWS_MAX) break
  }
  return Array.from(sources, ([target, entry]) => ({
    target,
    source_memory_id: entry.record.memoryId,
    source: entry.surface === 'use_now' ? ('should_continue' as const) : ('inspect_first' as const),
    evidence_use: 'reference_only' as const,
    direction_policy: 'must_not_be_primary_route' as const,
  })).slice(0, ROWS_MAX)
}
