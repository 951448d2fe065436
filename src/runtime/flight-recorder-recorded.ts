import type { DecidedMemory, OmittedMemory } from '../core/guide/decision.ts'
import { eyesOf, type GuideStory } from '../core/guide/story.ts'
import type { MemoryRecord } from '../core/model/record.ts'
import type { ActorState } from '../core/model/state.ts'
import { isVisibleTo } from '../core/model/visibility.ts'
import type { ArtifactMismatch } from '../core/report/artifact.ts'
import { claimCountOf, recordedClaims } from '../core/report/claim-replay.ts'
import { differencesOf } from '../core/report/difference.ts'
import { explained, type Span } from '../core/report/difference-cause.ts'
import { erasedRow, erasedSince, withoutErased } from '../core/report/erased-guide.ts'
import { effectOf, type GuideEffect } from '../core/report/replay-effect.ts'
import type { GuideNow } from '../core/report/replay-now.ts'
import type { FoundGuide, LaterTurns } from './flight-recorder-guides.ts'
import { type RecorderReport, recorderReport } from './flight-recorder-report.ts'
import {
  attributionRow,
  changeRow,
  differenceRow,
  guideRow,
  idLists,
  type ListedRow,
  nowView,
  omittedRow,
  outcomeRows,
  promptFacts,
  recallSourceRows,
  ruleRow,
  unnamedRow,
} from './flight-recorder-rows.ts'
import { isoOf } from './iso-time.ts'
import type { RecorderQuery } from './normalise/flight-recorder.ts'

/** What the turns before found out about a recorded guide. */
export interface RecordedReplay {
  readonly query: RecorderQuery
  readonly found: FoundGuide
  readonly later: LaterTurns
  readonly governed: readonly object[]
  readonly mismatches: readonly ArtifactMismatch[]
  readonly comparedCount: number
  /** Null: the ask is kept no longer, or now was not asked for. */
  readonly now: GuideNow | null
  readonly eventsDecided: number
  readonly seqBefore: number
}

/** The report of a guide that this actor holds: facts of its records, whatever was supplied. */
export function recordedReport(replay: RecordedReplay, state: ActorState, nowMs: number): RecorderReport {
  const { query, found, governed, mismatches, now } = replay
  const story = withoutErased(found.story, state)
  const { exposure, decision } = story
  const erased = erasedSince(story, state)
  const effect = effectOf(state, exposure)
  const { attribution } = effect
  const held = heldBackRows(story, state)
  const claims = recordedClaims(state, story, nowMs)
  const differences =
    now === null
      ? query.includesNow
        ? erasedDifferences(story, state)
        : []
      : differenceRows(story, now, state, nowMs)
  const changed = differences.filter(({ change }) => change !== 'same').length
  const shown = new Set(exposure.memoryIds)
  return recorderReport({
    query,
    found: {
      ...identityRow(story, query),
      agent_view: viewRow(story),
      blocked_or_suppressed: held,
      ...(claims === null ? {} : { claim_ledger_projection: claims }),
      omitted: (decision?.omitted ?? []).map(omittedRow),
      attribution: attributionRow(attribution),
      effects: effectsRow(effect, replay, state),
      now: now === null ? null : nowView(now, nowMs),
      now_missing: now === null ? missingBecause(query, story) : null,
      differences,
      erased_memories: erased.map((row) => erasedRow(row, isoOf)),
      other_guides: found.others.map(guideRow),
      guides_cut: found.isCut,
      govern_decisions: governed,
      artifact_mismatch: mismatches,
    },
    facts: {
      isRecorded: true,
      isExplained: decision !== null,
      exposedCount: shown.size,
      disputedCount: 0,
      hasLists: true,
      claimCount: claimCountOf(claims),
      isHeldOut: exposure.heldOut,
      blockedCount: held.length,
      explainedBlockedCount: held.filter(({ rule_id }) => rule_id !== null).length,
      outcome: attribution.outcome,
      attributedCount: attribution.attributedIds.length,
      strayCount: attribution.attributedIds.filter((id) => !shown.has(id)).length,
      comparedCount: replay.comparedCount,
      mismatchCount: mismatches.length,
      eventsDecided: replay.eventsDecided,
      seqBefore: replay.seqBefore,
      seqAfter: state.seq,
    },
    queryText: decision?.ask.queryText ?? null,
    surfacesUsed: [...RECORDS, ...(now === null ? [] : ['lexical_recall', 'admission'])],
    summary:
      `${shown.size} memories were shown, ${held.length} were held back, ` +
      `outcome ${attribution.outcome ?? 'unknown'}; ` +
      (erased.length === 0 ? '' : `${erased.length} were erased since; `) +
      (now === null ? 'not compared with now.' : `asked now, ${changed} would be shown otherwise.`),
  })
}

const RECORDS = ['exposure_ledger', 'journal', 'history']

function identityRow({ exposure, decision }: GuideStory, query: RecorderQuery) {
  return {
    record_source: 'runtime',
    explanation: decision === null ? 'expired' : 'recorded',
    guide_trace_id: exposure.guideTraceId,
    run_id: exposure.runId,
    task_signature: exposure.taskSignature,
    consumer_agent_id: exposure.consumerAgentId,
    consumer_team_id: exposure.consumerTeamId,
    decision_time: isoOf(query.decisionTimeMs ?? exposure.atMs),
    guide_at: isoOf(exposure.atMs),
    guide_seq: exposure.seq,
    held_out: exposure.heldOut,
  }
}

function viewRow(story: GuideStory) {
  const { decision } = story
  const listed = listedRows(story)
  return {
    history_used: listed.length > 0,
    ...promptFacts(decision),
    ...idLists(listed),
    prompt_text_included: false,
    query_sha256: decision?.queryHash ?? null,
    query_char_count: decision?.ask.queryText.length || null,
    target_files: decision?.targetFiles ?? [],
    recall_sources_by_memory_id: recallSourceRows(decision?.printed ?? []),
    rules_by_memory_id: (decision?.printed ?? []).map(ruleRow),
  }
}

/** Why there is no now; the query of a guide that showed erased memory is gone with it. */
function missingBecause({ includesNow }: RecorderQuery, { decision }: GuideStory) {
  if (!includesNow) return 'not_asked'
  return decision === null ? 'expired' : 'erased'
}

/** What is certain without a now: what was erased is not shown any more. */
function erasedDifferences(story: GuideStory, state: ActorState) {
  const { decision, exposure } = story
  if (decision === null) return []
  return erasedSince(story, state).flatMap(({ memoryId, atMs, seq }) => {
    const position = exposure.memoryIds.indexOf(memoryId)
    const surface = exposure.surfaces[position]
    if (surface === undefined) return []
    const before = { position, surface }
    const row = { memoryId, change: 'no_longer_shown' as const, isReordered: false, before, now: null }
    const causes = [{ kind: 'erased' as const, atMs, seq, sourceMemoryId: null }]
    return differenceRow({ ...row, causes, listCauses: [], isCut: false }, decision, null)
  })
}

function effectsRow(effect: GuideEffect, { found, later }: RecordedReplay, state: ActorState) {
  const eyes = eyesOf(found.story)
  const isSeen = (memoryId: string): boolean => {
    const record = state.memories.get(memoryId)
    return record !== undefined && isVisibleTo(record.audience, eyes)
  }
  return {
    outcomes: outcomeRows(effect, found.story.exposure.guideTraceId),
    facet_changes: effect.changes.map((change) => changeRow(change, isSeen)),
    unnamed_outcomes: later.unnamed.map((report) => unnamedRow(report, found.story.exposure.guideTraceId)),
    later_guides: later.guides.map(guideRow),
    cut: effect.isCut || later.isCut,
  }
}

function listedRows({ exposure }: GuideStory): readonly ListedRow[] {
  return exposure.memoryIds.map((memoryId, at) => ({
    memoryId,
    surface: exposure.surfaces[at] ?? 'do_not_use',
  }))
}

const HELD_BACK_STATES: readonly string[] = ['suppressed', 'archived']

function heldBackRows(story: GuideStory, state: ActorState) {
  const { exposure, decision } = story
  const rows =
    decision === null
      ? listedRows(story).map((row) => ({ row, why: null }))
      : [...decision.printed, ...decision.omitted].map((why) => ({ row: why, why }))
  return rows
    .filter(
      ({ row, why }) => row.surface === 'do_not_use' || HELD_BACK_STATES.includes(why?.lifecycleState ?? ''),
    )
    .map(({ row, why }) => ({
      ...heldBackRow(row, why),
      title: titleThen(state.memories.get(row.memoryId), exposure.seq),
    }))
}

function heldBackRow({ memoryId, surface }: ListedRow, why: DecidedMemory | OmittedMemory | null) {
  return {
    memory_id: memoryId,
    lifecycle_state: why?.lifecycleState ?? 'unknown',
    authority: surface === 'do_not_use' ? 'blocked' : 'candidate',
    agent_surface: surface,
    rule_id: why?.ruleId ?? null,
    reason_codes: why === null ? [] : [why.reasonCode],
    // Of an erased memory no sentence is left.
    reason: why?.reason || null,
    recall_sources: why?.signals ?? [],
    omitted: why !== null && 'omitted' in why ? why.omitted : null,
  }
}

/** The title that a caller had given it by then. One that was derived is text of the memory. */
function titleThen(record: MemoryRecord | undefined, seq: number): string | null {
  if (record === undefined) return null
  const content =
    record.seq <= seq ? record.content : record.revisions.findLast((one) => one.seq <= seq)?.content
  return content?.titleIsCallers === true ? content.title : null
}

function differenceRows({ exposure, decision }: GuideStory, now: GuideNow, state: ActorState, nowMs: number) {
  if (decision === null) return []
  const span: Span = {
    state,
    eyes: { agentId: exposure.consumerAgentId, teamId: exposure.consumerTeamId },
    fromSeq: exposure.seq,
    fromMs: exposure.atMs,
    toMs: nowMs,
  }
  return differencesOf(decision.printed, now.decision.printed).map((difference) =>
    differenceRow(explained(difference, span, decision, now), decision, now.decision),
  )
}
