import type { Surface } from '../core/base/closed-sets.ts'
import type { DecidedMemory, GuideDecision, OmittedMemory } from '../core/guide/decision.ts'
import type { ExposureRecord } from '../core/model/exposure.ts'
import type { Explained } from '../core/report/difference-cause.ts'
import type { Attribution, EffectChange, GuideEffect } from '../core/report/replay-effect.ts'
import type { GuideNow } from '../core/report/replay-now.ts'
import type { UnnamedOutcome } from './flight-recorder-guides.ts'
import { isoOf } from './iso-time.ts'

// Rows of a flight recorder report: wire names, UTC times, codes and reasons.

/** Recall sources are told for as many memories. */
const SOURCES_MAX = 96

export interface ListedRow {
  readonly memoryId: string
  readonly surface: Surface
}

export function idLists(rows: readonly ListedRow[]) {
  const on = (surface: Surface): readonly string[] =>
    rows.filter((row) => row.surface === surface).map(({ memoryId }) => memoryId)
  return {
    exposed_memory_ids: rows.map(({ memoryId }) => memoryId),
    use_now_memory_ids: on('use_now'),
    inspect_before_use_memory_ids: on('inspect_before_use'),
    do_not_use_memory_ids: on('do_not_use'),
    rehydrate_memory_ids: on('rehydrate'),
  }
}

export function promptFacts(decision: GuideDecision | null) {
  return {
    actionable_history_used: decision?.actionableHistoryUsed ?? null,
    recommended_posture: decision?.posture ?? null,
    authority: decision?.authority ?? null,
    prompt_char_count: decision?.promptChars ?? null,
    prompt_sha256: decision?.promptHash ?? null,
  }
}

export function recallSourceRows(memories: readonly Pick<DecidedMemory, 'memoryId' | 'signals'>[]) {
  return memories
    .slice(0, SOURCES_MAX)
    .map(({ memoryId, signals }) => ({ memory_id: memoryId, recall_sources: signals }))
}

export function ruleRow({ memoryId, ruleId, reasonCode }: DecidedMemory) {
  return { memory_id: memoryId, rule_id: ruleId, reason_codes: [reasonCode] }
}

export function omittedRow(row: OmittedMemory) {
  return {
    memory_id: row.memoryId,
    agent_surface: row.surface,
    lifecycle_state: row.lifecycleState,
    rule_id: row.ruleId,
    reason_codes: [row.reasonCode],
    omitted: row.omitted,
  }
}

export function attributionRow({ outcome, reason, ...ids }: Attribution) {
  return {
    present: outcome !== null,
    outcome,
    used_memory_ids: ids.usedIds,
    attributed_memory_ids: ids.attributedIds,
    unattributed_memory_ids: ids.unattributedIds,
    supported_memory_ids: ids.supportedIds,
    contradicted_memory_ids: ids.contradictedIds,
    reason,
  }
}

export function guideRow({ guideTraceId, runId, atMs, memoryIds, heldOut }: ExposureRecord) {
  return {
    guide_trace_id: guideTraceId,
    run_id: runId,
    at: isoOf(atMs),
    exposed_memory_count: memoryIds.length,
    held_out: heldOut,
  }
}

export function outcomeRows({ outcomes }: GuideEffect, guideTraceId: string) {
  return outcomes.map(({ memoryId, mark }) => ({
    memory_id: memoryId,
    run_id: mark.runId,
    outcome: mark.outcome,
    used_surface: mark.usedSurface,
    verifier_status: mark.verifierStatus,
    direct: mark.direct,
    strong: mark.strong,
    names_guide: mark.guideTraceId === guideTraceId,
    at: isoOf(mark.atMs),
    seq: mark.seq,
  }))
}

export function unnamedRow(report: UnnamedOutcome, guideTraceId: string) {
  return {
    run_id: report.runId,
    outcome: report.outcome,
    used_surface: report.usedSurface,
    names_guide: report.guideTraceId === guideTraceId,
    at: isoOf(report.atMs),
    seq: report.seq,
  }
}

/** @param isSeen whether the consumer may know of a memory that caused a change */
export function changeRow(change: EffectChange, isSeen: (memoryId: string) => boolean) {
  const { memoryId, isOwn, byMemoryId, atMs, facet, from, to, cause, reason, seq } = change
  return {
    memory_id: memoryId,
    facet,
    from,
    to,
    cause,
    reason,
    at: isoOf(atMs),
    seq,
    by_memory_id: byMemoryId !== null && isSeen(byMemoryId) ? byMemoryId : null,
    by_this_guide: isOwn,
  }
}

export function nowView({ exposed, decision }: GuideNow, nowMs: number) {
  return {
    at: isoOf(nowMs),
    held_out: exposed.heldOut,
    ...promptFacts(decision),
    ...idLists(decision.printed),
    omitted: decision.omitted.map(omittedRow),
  }
}

/** @param now null: there is no list of now to be in */
export function differenceRow(row: Explained, then: GuideDecision, now: GuideDecision | null) {
  return {
    memory_id: row.memoryId,
    change: row.change,
    order_changed: row.isReordered,
    before: placeRow(row.before, then),
    now: now === null ? null : placeRow(row.now, now),
    causes: [...row.causes.map(causeRow), ...row.listCauses.map((kind) => ({ kind }))],
    causes_cut: row.isCut,
  }
}

function placeRow(place: Explained['before'], { printed }: GuideDecision) {
  const shown = place === null ? undefined : printed[place.position]
  if (place === null || shown === undefined) return null
  return {
    position: place.position,
    agent_surface: place.surface,
    rule_id: shown.ruleId,
    reason_codes: [shown.reasonCode],
    lifecycle_state: shown.lifecycleState,
  }
}

function causeRow({ sourceMemoryId, ...happening }: Explained['causes'][number]) {
  const source = sourceMemoryId === null ? {} : { source_memory_id: sourceMemoryId }
  switch (happening.kind) {
    case 'written_after':
    case 'erased': {
      const { kind, atMs, seq } = happening
      return { kind, ...source, at: isoOf(atMs), seq }
    }
    case 'revised': {
      const { kind, atMs, seq, revision } = happening
      return { kind, ...source, revision, at: isoOf(atMs), seq }
    }
    case 'facet_changed': {
      const { kind, facet, from, to, cause, reason, byMemoryId, atMs, seq } = happening
      return {
        kind,
        ...source,
        facet,
        from,
        to,
        cause,
        reason,
        by_memory_id: byMemoryId,
        at: isoOf(atMs),
        seq,
      }
    }
    case 'derived_from_added': {
      const { kind, byMemoryId, seq } = happening
      return { kind, ...source, by_memory_id: byMemoryId, seq }
    }
    case 'suppression_ended':
    case 'expired':
      return { kind: happening.kind, ...source, at: isoOf(happening.atMs) }
  }
}
