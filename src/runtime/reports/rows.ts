import type { Answer, ErasedMemory } from '../../contract/vocabulary.ts'
import type { BySurface } from '../../core/base/closed-sets.ts'
import type { Erasure, FeedbackMark } from '../../core/model/record.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import type { ArtifactMismatch } from '../../core/report/comparison.ts'
import type { RecallSource } from '../../core/rerank/signals.ts'
import { isoOf } from '../parts.ts'

// Rows that several reports about guides share, in wire names.

/** Who reads; both null for an operator. */
export function viewerRow(viewer: Viewer) {
  return { consumer_agent_id: viewer?.agentId ?? null, consumer_team_id: viewer?.teamId ?? null }
}

/** What is left of an erased memory. Why it was erased is told to whoever erases, not in reports. */
export function erasedRow({ memoryId, atMs, seq }: Erasure): Answer<typeof ErasedMemory> {
  return { memory_id: memoryId, erased_at: isoOf(atMs), seq }
}

/** What a run reported of a memory. */
export function reported({ outcome, usedSurface, verifierStatus }: FeedbackMark) {
  return { outcome, used_surface: usedSurface, verifier_status: verifierStatus }
}

/** Where a supplied object says something else than the record. */
export function mismatchRow({ artifact, field, guideTraceId }: ArtifactMismatch) {
  return { artifact, field, guide_trace_id: guideTraceId }
}

export function idLists(exposedIds: readonly string[], ids: BySurface<readonly string[]>) {
  return {
    exposed_memory_ids: exposedIds,
    use_now_memory_ids: ids.use_now,
    inspect_before_use_memory_ids: ids.inspect_before_use,
    do_not_use_memory_ids: ids.do_not_use,
    rehydrate_memory_ids: ids.rehydrate,
  }
}

export function signalRow({ kind, score, reason }: RecallSource) {
  return { kind, score, reason }
}
