import type { FlightRecorderReport } from '../../contract/flight-recorder.ts'
import type { Answer } from '../../contract/vocabulary.ts'
import { bySurface, SURFACES } from '../../core/base/closed-sets.ts'
import type { GuideDecision, OmittedMemory } from '../../core/guide/decision.ts'
import { objectsOf, partOf, textOf, textsOf, type WireObject } from '../../core/measure/wire-object.ts'
import { type ExposureRecord, shownIn } from '../../core/model/events.ts'
import type { Explained } from '../../core/report/difference.ts'
import type { GuideRecord, MemoryOutcome } from '../../core/report/guide-record.ts'
import { seenCause } from '../../core/report/memory-state.ts'
import type { Attribution, EffectChange, GuideNow, HeldBack } from '../../core/report/replay.ts'
import type { MemoryView } from '../../core/report/viewer.ts'
import { maskSecrets } from '../../core/screening/secrets.ts'
import type { AuditNote } from '../../ports/store.ts'
import { isoOf } from '../parts.ts'
import type { UnnamedOutcome } from './guide-records.ts'
import { idLists, reported } from './rows.ts'

// Rows of a flight recorder report: wire names, UTC times, codes and reasons.

export type Report = Answer<typeof FlightRecorderReport>

/** Recall sources are told for as many memories. */
const SOURCES_MAX = 96
const CANDIDATES_MAX = 200

/** @param recalled memory whose recall sources are told */
export function agentView(
  guide: GuideRecord,
  recalled: readonly Pick<HeldBack, 'memoryId' | 'signals'>[],
): Report['agent_view'] {
  const isRecorded = guide.source === 'runtime_record'
  return {
    history_used: guide.isHistoryUsed,
    actionable_history_used: guide.isActionable,
    recommended_posture: guide.posture,
    authority: guide.authority,
    prompt_char_count: guide.promptChars,
    prompt_sha256: guide.promptHash,
    ...idLists(guide.exposedIds, guide.idsBySurface),
    prompt_text_included: false,
    query_sha256: guide.queryHash,
    query_char_count: guide.queryChars,
    target_files: guide.targetFiles,
    recall_sources_by_memory_id: recalled
      .slice(0, SOURCES_MAX)
      .map(({ memoryId, signals }) => ({ memory_id: memoryId, recall_sources: signals })),
    rules_by_memory_id: (isRecorded ? guide.shown : []).flatMap(({ memoryId, ruleId, reasonCodes }) =>
      ruleId === null ? [] : [{ memory_id: memoryId, rule_id: ruleId, reason_codes: reasonCodes }],
    ),
  }
}

export function heldBackRow(
  row: HeldBack,
  source: GuideRecord['source'],
): Report['blocked_or_suppressed'][number] {
  const title = { title: row.title }
  const isSupplied = source === 'supplied_artifacts'
  return {
    memory_id: row.memoryId,
    // Of a supplied guide the title has always stood here.
    ...(isSupplied ? title : {}),
    lifecycle_state: row.lifecycleState ?? 'unknown',
    authority: row.authority,
    agent_surface: row.surface,
    rule_id: row.ruleId,
    reason_codes: row.reasonCodes,
    reason: row.reason,
    recall_sources: row.signals,
    omitted: row.omitted,
    ...title,
  }
}

export function omittedRow(row: OmittedMemory): Report['omitted'][number] {
  return {
    memory_id: row.memoryId,
    agent_surface: row.surface,
    lifecycle_state: row.lifecycleState,
    rule_id: row.ruleId,
    reason_codes: row.reasonCodes,
    omitted: row.omitted,
    into: row.intoId,
  }
}

export function attributionRow({ outcome, reason, ...ids }: Attribution): Report['attribution'] {
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

export function guideRow(exposure: ExposureRecord): Report['other_guides'][number] {
  return {
    guide_trace_id: exposure.guideTraceId,
    run_id: exposure.runId,
    at: isoOf(exposure.atMs),
    exposed_memory_count: shownIn(exposure).ids.length,
    held_out: exposure.heldOut,
  }
}

type Effects = Report['effects']

export function outcomeRow(
  { memoryId, mark }: MemoryOutcome,
  guideTraceId: string,
): Effects['outcomes'][number] {
  return {
    memory_id: memoryId,
    run_id: mark.runId,
    ...reported(mark),
    direct: mark.direct,
    strong: mark.strong,
    names_guide: mark.guideTraceId === guideTraceId,
    at: isoOf(mark.atMs),
    seq: mark.seq,
  }
}

export function unnamedRow(
  report: UnnamedOutcome,
  guideTraceId: string,
): Effects['unnamed_outcomes'][number] {
  return {
    run_id: report.runId,
    outcome: report.outcome,
    used_surface: report.usedSurface,
    names_guide: report.guideTraceId === guideTraceId,
    at: isoOf(report.atMs),
    seq: report.seq,
  }
}

export function changeRow(view: MemoryView, change: EffectChange): Effects['facet_changes'][number] {
  return {
    memory_id: change.memoryId,
    facet: change.facet,
    from: change.from,
    to: change.to,
    cause: change.cause,
    reason: maskSecrets(change.reason),
    at: isoOf(change.atMs),
    seq: change.seq,
    by_memory_id: seenCause(view, change),
    by_this_guide: change.isOwn,
  }
}

export function nowView({ exposed, decision }: GuideNow, nowMs: number): NonNullable<Report['now']> {
  const { printed, omitted } = decision
  const idsOn = bySurface((surface) =>
    printed.filter((row) => row.surface === surface).map(({ memoryId }) => memoryId),
  )
  return {
    at: isoOf(nowMs),
    held_out: exposed.heldOut,
    actionable_history_used: decision.actionableHistoryUsed,
    recommended_posture: decision.posture,
    authority: decision.authority,
    prompt_char_count: decision.promptChars,
    prompt_sha256: decision.promptHash,
    ...idLists(
      printed.map(({ memoryId }) => memoryId),
      idsOn,
    ),
    omitted: omitted.map(omittedRow),
  }
}

type DifferenceRow = Report['differences'][number]

/** @param now null: there is no list of now to be in */
export function differenceRow(row: Explained, then: GuideDecision, now: GuideDecision | null): DifferenceRow {
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

function placeRow(place: Explained['before'], { printed }: GuideDecision): DifferenceRow['before'] {
  const shown = place === null ? undefined : printed[place.position]
  if (place === null || shown === undefined) return null
  return {
    position: place.position,
    agent_surface: place.surface,
    rule_id: shown.ruleId,
    reason_codes: shown.reasonCodes,
    lifecycle_state: shown.lifecycleState,
  }
}

function causeRow({
  sourceMemoryId,
  ...happening
}: Explained['causes'][number]): DifferenceRow['causes'][number] {
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
      const moved = { facet, from, to, cause, reason: maskSecrets(reason), by_memory_id: byMemoryId }
      return { kind, ...source, ...moved, at: isoOf(atMs), seq }
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

/** A govern request, as its note in history tells it. */
export function governRow({ atMs, runId, body }: AuditNote): Report['govern_decisions'][number] {
  const consumer = partOf(body, 'consumer')
  return {
    at: isoOf(atMs),
    run_id: runId,
    consumer_agent_id: textOf(consumer, 'agentId'),
    consumer_team_id: textOf(consumer, 'teamId'),
    mode: textOf(body, 'mode'),
    guide_trace_id: textOf(body, 'guideTraceId'),
    query_sha256: textOf(body, 'querySha256'),
    candidates: objectsOf(body, 'candidates').slice(0, CANDIDATES_MAX).flatMap(candidateRow),
  }
}

function candidateRow(row: WireObject): Report['govern_decisions'][number]['candidates'] {
  const externalId = textOf(row, 'externalId')
  const surface = SURFACES.find((each) => each === row['surface'])
  if (externalId === null || surface === undefined) return []
  return [
    {
      external_memory_id: externalId,
      admission_action: surface,
      rule_id: textOf(row, 'ruleId'),
      reason_codes: textsOf(row, 'reasonCodes'),
    },
  ]
}

type Claims = Report['claims']
type Claim = Claims[number]

/** What is known of a replay before its report is made. */
export interface ReplayFacts {
  readonly disputedCount: number
  readonly hasLists: boolean
  /** Memory that was held back and that the report gives a reason for. */
  readonly explainedBlockedCount: number
  readonly isHeldOut: boolean
  readonly comparedCount: number
  readonly seqBefore: number
  readonly seqAfter: number
}

/** What a replay knows of itself when its claims are made. */
export interface RecorderFacts extends ReplayFacts {
  readonly isRecorded: boolean
  /** Whether rules and reasons of that moment are still there. */
  readonly isExplained: boolean
  readonly exposedCount: number
  readonly blockedCount: number
  /** Claims of the ledger, whatever their status. */
  readonly claimCount: number
  readonly outcome: string | null
  readonly attributedCount: number
  /** Attributed ids that nothing says were shown. */
  readonly strayCount: number
  readonly mismatchCount: number
  /** Prompt lines and queries that were looked for in the report, and how many stand there. */
  readonly textsSought: number
  readonly textsFound: number
}

type Verdict = readonly [Claim['status'], string]

/** What a replay can be relied on for, or not, and the facts that say so. */
export function recorderClaims(facts: RecorderFacts): Claims {
  const claim = (name: Claim['claim'], [status, evidence]: Verdict): Claim => ({
    claim: name,
    status,
    evidence,
  })
  return [
    claim('agent_view_reconstructable', view(facts)),
    claim('prompt_payload_excluded', payload(facts)),
    claim('blocked_memory_visible', blocked(facts)),
    claim('claim_ledger_projection_replayable', ledger(facts)),
    claim('feedback_attribution_replayable', attribution(facts)),
    claim('supplied_artifacts_match_record', match(facts)),
    claim('runtime_read_only', readOnly(facts)),
  ]
}

function view(facts: RecorderFacts): Verdict {
  const shown = `${facts.exposedCount} memories`
  if (facts.isRecorded && facts.isExplained) {
    return ['pass', `The records hold ${shown} in order, with surface, rule and reason.`]
  }
  if (facts.isRecorded) {
    return ['warn', `The records hold ${shown} in order with their surfaces; the reasons are kept no longer.`]
  }
  if (!facts.hasLists) return ['fail', 'No supplied artifact says what was shown.']
  if (facts.disputedCount > 0) {
    return ['fail', `The supplied artifacts show ${facts.disputedCount} memories on more than one surface.`]
  }
  return ['warn', `Supplied artifacts name ${shown}; no record of this runtime confirms them.`]
}

function payload({ textsSought, textsFound }: RecorderFacts): Verdict {
  if (textsFound > 0) {
    return ['fail', `${textsFound} of ${textsSought} prompt lines and queries stand in this report.`]
  }
  if (textsSought === 0) return ['warn', 'No prompt or query was at hand to look for in this report.']
  return ['pass', `None of ${textsSought} prompt lines and queries stands in this report.`]
}

function blocked({ blockedCount, explainedBlockedCount }: RecorderFacts): Verdict {
  if (blockedCount === 0) return ['pass', 'No memory was held back.']
  const evidence = `${explainedBlockedCount} of ${blockedCount} memories that were held back have a reason.`
  if (explainedBlockedCount === blockedCount) return ['pass', evidence]
  return ['warn', evidence]
}

function ledger({ isRecorded, isHeldOut, claimCount }: RecorderFacts): Verdict {
  if (!isRecorded) {
    return ['warn', `Supplied artifacts tell ${claimCount} claims; no record of this runtime confirms them.`]
  }
  if (isHeldOut) return ['pass', 'The guide withheld memory and told no claim.']
  return ['pass', `The records hold ${claimCount} claims that the consumer sees and that were there by then.`]
}

function attribution({ outcome, attributedCount, strayCount, isRecorded }: RecorderFacts): Verdict {
  if (outcome === null) return ['warn', 'No outcome is known.']
  if (strayCount > 0) return ['fail', `${strayCount} attributed memories were not shown.`]
  const evidence = `Outcome ${outcome}, attributed to ${attributedCount} shown memories`
  return isRecorded ? ['pass', `${evidence} by the records.`] : ['warn', `${evidence} as supplied.`]
}

function match({ isRecorded, comparedCount, mismatchCount }: RecorderFacts): Verdict {
  // The request itself may say another run.
  if (mismatchCount > 0)
    return ['fail', `Request and artifacts say ${mismatchCount} things that the records contradict.`]
  if (comparedCount === 0) return ['pass', 'No artifact was supplied.']
  if (!isRecorded)
    return ['warn', `${comparedCount} artifacts were supplied and there is no record to compare.`]
  return ['pass', `${comparedCount} supplied artifacts say what the records say.`]
}

/** A replay is a read: a turn without events. */
function readOnly({ seqBefore, seqAfter }: RecorderFacts): Verdict {
  const evidence = `0 events were decided; the sequence stood at ${seqBefore} before and ${seqAfter} after.`
  return [seqBefore === seqAfter ? 'pass' : 'fail', evidence]
}
