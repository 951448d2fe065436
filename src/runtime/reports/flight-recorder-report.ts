import type { RequestOf } from '../../contract/operations.ts'
import { type StoredGuide, viewerOf } from '../../core/guide/decision.ts'
import { textOf } from '../../core/measure/wire-object.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { Principal } from '../../core/model/principal.ts'
import type { ActorState } from '../../core/model/state.ts'
import {
  type ClaimReplay,
  claimCountOf,
  recordedClaims,
  suppliedClaims,
} from '../../core/report/claim-replay.ts'
import type { ArtifactMismatch } from '../../core/report/comparison.ts'
import { differencesOf, explained, type Span } from '../../core/report/difference.ts'
import {
  erasedSince,
  type GuideRecord,
  recordedGuide,
  withoutErased,
} from '../../core/report/guide-record.ts'
import { effectOf, type GuideNow, heldBackBy } from '../../core/report/replay.ts'
import { BLOCKED_WITHOUT_REASON, type SuppliedReplay } from '../../core/report/supplied-guide.ts'
import { type SuppliedArtifacts, suppliedArtifacts } from '../../core/report/supplied-objects.ts'
import { identityOf, sentConsumerOf, viewerIn } from '../normalise/identity.ts'
import { isoOf, sourceMap } from '../parts.ts'
import {
  agentView,
  attributionRow,
  changeRow,
  differenceRow,
  guideRow,
  heldBackRow,
  nowView,
  omittedRow,
  outcomeRow,
  type RecorderFacts,
  type ReplayFacts,
  type Report,
  recorderClaims,
  unnamedRow,
} from './flight-recorder-rows.ts'
import type { LaterTurns } from './guide-records.ts'
import { erasedRow, mismatchRow } from './rows.ts'

export type RecorderQuery = ReturnType<typeof recorderQuery>

/** What a request asks the flight recorder for; without a viewer by an operator, who sees the guides of every consumer. */
export function recorderQuery(request: RequestOf<'flightRecorder'>, principal: Principal | null = null) {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: viewerIn(request),
    sent: sentConsumerOf(request, principal),
    /** A moment of the journal, without which there is nothing to tell. */
    isFromJournal: request.replay_source === 'journal',
    guideTraceId: request.guide_trace_id ?? null,
    runId: request.run_id ?? null,
    decisionTimeMs: request.decision_time ?? null,
    includesNow: request.include_now ?? true,
    artifacts: suppliedArtifacts(request),
  }
}

/** The guide that a request means, as the records tell it. */
export interface FoundGuide {
  readonly stored: StoredGuide
  /** Earlier guides of the run that was asked for, the newest first. */
  readonly others: readonly ExposureRecord[]
  /** True: there may be more of them. */
  readonly isCut: boolean
}

/** What the turns before found out about a recorded guide. */
export interface Found {
  readonly query: RecorderQuery
  readonly found: FoundGuide
  readonly later: LaterTurns
  readonly governed: Report['govern_decisions']
  readonly mismatches: readonly ArtifactMismatch[]
  readonly comparedCount: number
  /** Null: the ask is kept no longer, or now was not asked for. */
  readonly now: GuideNow | null
  readonly seqBefore: number
}

/** What is the same for a recorded and for a supplied guide. */
interface Replay extends Pick<SuppliedReplay, 'guide' | 'attribution' | 'heldBack' | 'recalled'> {
  readonly decision: StoredGuide['decision']
  readonly claims: ClaimReplay | null
  /** What only a recorded guide has, as far as it has it. */
  readonly since: Pick<Report, keyof typeof NOTHING_SINCE>
  readonly mismatches: readonly ArtifactMismatch[]
  readonly facts: ReplayFacts
  /** The query of the guide, where it is known. */
  readonly queryText: string | null
  readonly surfacesUsed: readonly string[]
  /** One sentence without memory text. */
  readonly summary: string
}

const NOTHING_SINCE = {
  effects: { outcomes: [], facet_changes: [], unnamed_outcomes: [], later_guides: [], cut: false },
  now: null,
  now_missing: 'supplied' as const,
  differences: [],
  erased_memories: [],
  other_guides: [],
  guides_cut: false,
  govern_decisions: [],
}

/** The report of a guide that this actor does not hold: what the artifacts say, and that nothing confirms it. */
export function suppliedReport(
  query: RecorderQuery,
  supplied: SuppliedReplay,
  seq: number,
  nowMs: number,
): Report {
  const { attribution, heldBack, disputedIds } = supplied
  const guide = {
    ...supplied.guide,
    guideTraceId: query.guideTraceId ?? supplied.guide.guideTraceId,
    runId: query.runId ?? supplied.guide.runId,
  }
  const claims = suppliedClaims(query.artifacts.claimLedgers)
  const { exposedIds } = guide
  const isListed = Object.values(guide.idsBySurface).some((ids) => ids.length > 0)
  return reportOf(query, nowMs, {
    ...supplied,
    guide,
    decision: null,
    claims,
    since: NOTHING_SINCE,
    mismatches: [],
    facts: {
      disputedCount: disputedIds.length,
      hasLists: isListed || guide.isHistoryUsed === false,
      explainedBlockedCount: heldBack.filter(
        ({ reasonCodes }) => !reasonCodes.includes(BLOCKED_WITHOUT_REASON),
      ).length,
      isHeldOut: false,
      comparedCount: query.artifacts.all.length,
      seqBefore: seq,
      seqAfter: seq,
    },
    queryText: null,
    surfacesUsed: ['supplied_artifacts'],
    summary:
      `Replayed as supplied, confirmed by no record: ${exposedIds.length} memories shown, ` +
      `${heldBack.length} held back, outcome ${attribution.outcome ?? 'unknown'}.`,
  })
}

const RECORDS = ['exposure_ledger', 'journal', 'history']

/** The report of a guide that this actor holds: facts of its records, whatever was supplied. */
export function recordedReport(replay: Found, state: ActorState, nowMs: number): Report {
  const { query, found, mismatches, now, later } = replay
  const stored = withoutErased(found.stored, state)
  const { exposure, decision } = stored
  const erased = erasedSince(stored, state)
  const effect = effectOf(state, exposure)
  const guide = withNote(recordedGuide(stored), replay.governed)
  const heldBack = heldBackBy(stored, state, guide)
  const differences = differencesNow(stored, replay, state, nowMs)
  const changed = differences.filter(({ change }) => change !== 'same').length
  const viewer = viewerOf(stored)
  return reportOf(query, nowMs, {
    guide,
    decision,
    attribution: effect.attribution,
    heldBack,
    recalled: decision?.printed ?? [],
    claims: recordedClaims(state, stored, nowMs),
    since: {
      effects: {
        outcomes: effect.outcomes.map((one) => outcomeRow(one, exposure.guideTraceId)),
        facet_changes: effect.changes.map((change) => changeRow({ state, viewer }, change)),
        unnamed_outcomes: later.unnamed.map((one) => unnamedRow(one, exposure.guideTraceId)),
        later_guides: later.guides.map(guideRow),
        cut: effect.isCut || later.isCut,
      },
      now: now === null ? null : nowView(now, nowMs),
      now_missing: now === null ? missingBecause(query, stored) : null,
      differences,
      erased_memories: erased.map(erasedRow),
      other_guides: found.others.map(guideRow),
      guides_cut: found.isCut,
      govern_decisions: replay.governed,
    },
    mismatches,
    facts: {
      disputedCount: 0,
      hasLists: true,
      explainedBlockedCount: heldBack.filter(({ ruleId }) => ruleId !== null).length,
      isHeldOut: exposure.heldOut,
      comparedCount: replay.comparedCount,
      seqBefore: replay.seqBefore,
      seqAfter: state.seq,
    },
    queryText: decision?.ask.queryText ?? null,
    surfacesUsed: [...RECORDS, ...(now === null ? [] : ['lexical_recall', 'admission'])],
    summary:
      `${exposure.memoryIds.length} memories were shown, ${heldBack.length} were held back, ` +
      `outcome ${effect.attribution.outcome ?? 'unknown'}; ` +
      (erased.length === 0 ? '' : `${erased.length} were erased since; `) +
      (now === null ? 'not compared with now.' : `asked now, ${changed} would be shown otherwise.`),
  })
}

/** A recorded govern request with the rules and codes of its note; without one it is told as it is. */
function withNote(guide: GuideRecord, governed: Report['govern_decisions']): GuideRecord {
  const note = governed.find((each) => each.guide_trace_id === guide.guideTraceId)
  if (note === undefined) return guide
  const rows = new Map(note.candidates.map((row) => [row.external_memory_id, row]))
  return {
    ...guide,
    isExplained: true,
    queryHash: note.query_sha256,
    shown: guide.shown.map((memory) => {
      const row = rows.get(memory.memoryId)
      return row === undefined ? memory : { ...memory, ruleId: row.rule_id, reasonCodes: row.reason_codes }
    }),
  }
}

/** Why there is no now; the query of a guide that showed erased memory is gone with it. */
function missingBecause({ includesNow }: RecorderQuery, { decision }: StoredGuide): Report['now_missing'] {
  if (!includesNow) return 'not_asked'
  return decision === null ? 'expired' : 'erased'
}

function differencesNow(
  stored: StoredGuide,
  { query, now }: Found,
  state: ActorState,
  nowMs: number,
): Report['differences'] {
  const { exposure, decision } = stored
  if (decision === null) return []
  if (now === null) return query.includesNow ? erasedDifferences(stored, state) : []
  const { seq: fromSeq, atMs: fromMs } = exposure
  const span: Span = { state, viewer: viewerOf(stored), fromSeq, fromMs, toMs: nowMs }
  return differencesOf(decision.printed, now.decision.printed).map((difference) =>
    differenceRow(explained(difference, span, decision, now), decision, now.decision),
  )
}

/** What is certain without a now: what was erased is not shown any more. */
function erasedDifferences(stored: StoredGuide, state: ActorState): Report['differences'] {
  const { decision, exposure } = stored
  if (decision === null) return []
  return erasedSince(stored, state).flatMap(({ memoryId, atMs, seq }) => {
    const position = exposure.memoryIds.indexOf(memoryId)
    const surface = exposure.surfaces[position]
    if (surface === undefined) return []
    const before = { position, surface }
    const row = { memoryId, change: 'no_longer_shown' as const, isReordered: false, before, now: null }
    const causes = [{ kind: 'erased' as const, atMs, seq, sourceMemoryId: null }]
    return differenceRow({ ...row, causes, listCauses: [], isCut: false }, decision, null)
  })
}

const ROUTE = '/v1/audit/flight-recorder'
const OMITTED = ['agent_prompt_text', 'query_text', 'raw_memory_rows', 'raw_slots', 'raw_embedding_vectors']

/** The report with its claims, which are made last: one of them looks through all the rest. */
function reportOf(query: RecorderQuery, nowMs: number, replay: Replay): Report {
  const { guide, attribution, heldBack, claims, mismatches } = replay
  const isRecorded = guide.source === 'runtime_record'
  const report: Omit<Report, 'claims'> = {
    contract_version: 'svc_agent_flight_recorder_report_v1',
    tenant_id: query.tenantId,
    scope: query.scope,
    intended_use: 'incident_replay_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    record_source: isRecorded ? 'runtime' : 'supplied',
    explanation: !isRecorded ? 'supplied' : guide.isExplained ? 'recorded' : 'expired',
    guide_trace_id: guide.guideTraceId,
    run_id: guide.runId,
    task_signature: guide.taskSignature,
    consumer_agent_id: guide.consumerAgentId,
    consumer_team_id: guide.consumerTeamId,
    decision_time: isoOf(query.decisionTimeMs ?? guide.atMs ?? nowMs),
    guide_at: isoOf(guide.atMs),
    guide_seq: guide.seq,
    held_out: isRecorded ? guide.isHeldOut : null,
    agent_view: agentView(guide, replay.recalled),
    blocked_or_suppressed: heldBack.map((row) => heldBackRow(row, guide.source)),
    ...(claims === null ? {} : { claim_ledger_projection: claims }),
    omitted: (replay.decision?.omitted ?? []).map(omittedRow),
    attribution: attributionRow(attribution),
    ...replay.since,
    artifact_mismatch: mismatches.map(mismatchRow),
    replay_sources: replaySources(query.artifacts),
    source_map: sourceMap(ROUTE, replay.surfacesUsed, OMITTED),
    summary: replay.summary,
  }
  const shown = new Set(guide.exposedIds)
  const strays = attribution.attributedIds.filter((id) => !shown.has(id))
  const facts = {
    ...replay.facts,
    isRecorded,
    isExplained: isRecorded && guide.isExplained,
    exposedCount: shown.size,
    claimCount: claimCountOf(claims),
    blockedCount: heldBack.length,
    outcome: attribution.outcome,
    attributedCount: attribution.attributedIds.length,
    strayCount: shown.size === 0 ? 0 : strays.length,
    mismatchCount: mismatches.length,
    ...textsIn(JSON.stringify(report), query.artifacts, replay.queryText),
  }
  return { ...report, claims: recorderClaims(facts) }
}

function replaySources(artifacts: SuppliedArtifacts): Report['replay_sources'] {
  return {
    has_agent_context: artifacts.agentContext !== null,
    has_memory_decision_trace: artifacts.decisionTrace !== null,
    has_memory_use_receipt: artifacts.receipt !== null,
    has_memory_admission_record: artifacts.admissionRecord !== null,
    has_operator_snapshot: artifacts.snapshot !== null,
    has_feedback_result: artifacts.feedback !== null,
  }
}

/** Shorter lines and queries may stand in an id or a code by chance. */
const SOUGHT_CHARS_MIN = 24
const SOUGHT_MAX = 200

/** How many lines of prompts and queries, long enough to mean themselves, were looked for and stand in the report. */
function textsIn(
  report: string,
  { all, beforeGuide }: SuppliedArtifacts,
  queryText: string | null,
): Pick<RecorderFacts, 'textsSought' | 'textsFound'> {
  const prompts = [...all, ...beforeGuide].flatMap(({ value }) => textOf(value, 'prompt_text') ?? [])
  const lines = prompts.flatMap((prompt) => prompt.split('\n', SOUGHT_MAX))
  const texts = queryText === null ? lines : [queryText, ...lines]
  const sought = [...new Set(texts.filter((one) => one.length >= SOUGHT_CHARS_MIN))].slice(0, SOUGHT_MAX)
  const found = sought.filter((one) => report.includes(JSON.stringify(one).slice(1, -1)))
  return { textsSought: sought.length, textsFound: found.length }
}
