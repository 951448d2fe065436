import { SURFACES } from '../core/base/closed-sets.ts'
import type { ActorState } from '../core/model/state.ts'
import { claimCountOf, suppliedClaims } from '../core/report/claim-replay.ts'
import type { SuppliedMemory, SuppliedReplay } from '../core/report/replay-supplied.ts'
import { type RecorderReport, recorderReport } from './flight-recorder-report.ts'
import { attributionRow, recallSourceRows } from './flight-recorder-rows.ts'
import { isoOf } from './iso-time.ts'
import type { RecorderQuery } from './normalise/flight-recorder.ts'

const NO_EFFECTS = { outcomes: [], facet_changes: [], unnamed_outcomes: [], later_guides: [], cut: false }

/** The report of a guide that this actor does not hold: what the artifacts say, and that nothing confirms it. */
export function suppliedReport(
  query: RecorderQuery,
  replay: SuppliedReplay,
  state: Pick<ActorState, 'seq'>,
  nowMs: number,
  eventsDecided: number,
): RecorderReport {
  const seqBefore = state.seq
  const { attribution, exposedIds, idsBySurface } = replay
  const held = heldBackRows(replay)
  const claims = suppliedClaims(query.artifacts.claimLedgers)
  const shown = new Set(exposedIds)
  return recorderReport({
    query,
    found: {
      record_source: 'supplied',
      explanation: 'supplied',
      guide_trace_id: query.guideTraceId ?? replay.guideTraceId,
      run_id: query.runId ?? replay.runId,
      task_signature: null,
      consumer_agent_id: null,
      consumer_team_id: null,
      decision_time: isoOf(query.decisionTimeMs ?? nowMs),
      guide_at: null,
      guide_seq: null,
      held_out: null,
      agent_view: viewRow(replay),
      blocked_or_suppressed: held,
      ...(claims === null ? {} : { claim_ledger_projection: claims }),
      omitted: [],
      attribution: attributionRow(attribution),
      effects: NO_EFFECTS,
      now: null,
      now_missing: 'supplied',
      differences: [],
      erased_memories: [],
      other_guides: [],
      guides_cut: false,
      govern_decisions: [],
      artifact_mismatch: [],
    },
    facts: {
      isRecorded: false,
      isExplained: false,
      exposedCount: exposedIds.length,
      disputedCount: replay.disputedIds.length,
      hasLists: SURFACES.some((surface) => idsBySurface[surface].length > 0) || replay.historyUsed === false,
      claimCount: claimCountOf(claims),
      isHeldOut: false,
      blockedCount: held.length,
      explainedBlockedCount: held.filter(({ reason_codes }) => !reason_codes.includes(BARE)).length,
      outcome: attribution.outcome,
      attributedCount: attribution.attributedIds.length,
      strayCount:
        exposedIds.length === 0 ? 0 : attribution.attributedIds.filter((id) => !shown.has(id)).length,
      comparedCount: query.artifacts.all.length,
      mismatchCount: 0,
      eventsDecided,
      seqBefore,
      seqAfter: state.seq,
    },
    queryText: null,
    surfacesUsed: ['supplied_artifacts'],
    summary:
      `Replayed as supplied, confirmed by no record: ${exposedIds.length} memories shown, ` +
      `${held.length} held back, outcome ${attribution.outcome ?? 'unknown'}.`,
  })
}

function viewRow(replay: SuppliedReplay) {
  const { idsBySurface } = replay
  return {
    history_used: replay.historyUsed,
    actionable_history_used: replay.actionableHistoryUsed,
    recommended_posture: replay.posture,
    authority: replay.authority,
    prompt_char_count: replay.promptChars,
    prompt_sha256: replay.promptHash,
    exposed_memory_ids: replay.exposedIds,
    use_now_memory_ids: idsBySurface.use_now,
    inspect_before_use_memory_ids: idsBySurface.inspect_before_use,
    do_not_use_memory_ids: idsBySurface.do_not_use,
    rehydrate_memory_ids: idsBySurface.rehydrate,
    prompt_text_included: false,
    query_sha256: null,
    query_char_count: null,
    target_files: replay.targetFiles,
    recall_sources_by_memory_id: recallSourceRows(
      replay.memories.filter(({ signals }) => signals.length > 0),
    ),
    rules_by_memory_id: [],
  }
}

/** An agent context names it as blocked; nothing says why. */
const BARE = 'agent_context_do_not_use'
const HELD_BACK_STATES: readonly (string | null)[] = ['suppressed', 'archived']

/** Rows that say so, and ids that an agent context lists as blocked without saying why. Titles are not repeated. */
function heldBackRows({ memories, idsBySurface }: SuppliedReplay) {
  const said = memories.filter(
    (row) =>
      row.surface === 'do_not_use' ||
      row.authority === 'blocked' ||
      HELD_BACK_STATES.includes(row.lifecycleState) ||
      idsBySurface.do_not_use.includes(row.memoryId),
  )
  const known = new Set(said.map(({ memoryId }) => memoryId))
  const bare = idsBySurface.do_not_use.filter((id) => !known.has(id))
  return [...said.map(saidRow), ...bare.map(bareRow)]
}

function saidRow(row: SuppliedMemory) {
  return {
    memory_id: row.memoryId,
    title: null,
    lifecycle_state: row.lifecycleState ?? 'unknown',
    authority: row.authority ?? 'blocked',
    agent_surface: row.surface ?? 'do_not_use',
    rule_id: null,
    reason_codes: row.reasonCodes.length === 0 ? [BARE] : row.reasonCodes,
    reason: null,
    recall_sources: row.signals,
    omitted: null,
  }
}

function bareRow(memoryId: string) {
  return {
    memory_id: memoryId,
    title: null,
    lifecycle_state: 'unknown',
    authority: 'blocked',
    agent_surface: 'do_not_use',
    rule_id: null,
    reason_codes: [BARE],
    reason: null,
    recall_sources: [],
    omitted: null,
  }
}
