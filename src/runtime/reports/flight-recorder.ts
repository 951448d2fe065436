import type { Actor } from '../../actor/actor.ts'
import { DomainError } from '../../core/base/errors.ts'
import { isMadeFor, type StoredGuide, viewerOf } from '../../core/guide/decision.ts'
import type { GuideCommand } from '../../core/guide/entry.ts'
import { partOf, textOf } from '../../core/measure/wire-object.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { ActorState } from '../../core/model/state.ts'
import { ledgerMismatches } from '../../core/report/claim-replay.ts'
import { mismatches, recordMismatches } from '../../core/report/comparison.ts'
import { erasedSince, outcomesOf } from '../../core/report/guide-record.ts'
import { commandAgain, guideNow } from '../../core/report/replay.ts'
import { type SuppliedReplay, suppliedReplay } from '../../core/report/supplied-guide.ts'
import { readArtifact } from '../../core/report/supplied-objects.ts'
import type { AuditNote, History } from '../../ports/store.ts'
import { recallFor } from '../guide.ts'
import { envelopeOf, type Handler, isHeldOut, isoOf, type RuntimeParts, warningsOf } from '../parts.ts'
import { missWarning, type SemanticMiss } from '../semantic.ts'
import {
  type Found,
  type FoundGuide,
  type RecorderQuery,
  recordedReport,
  recorderQuery,
  suppliedReport,
} from './flight-recorder-report.ts'
import { governRow, type Report } from './flight-recorder-rows.ts'
import {
  GUIDES_SCANNED_MAX,
  guideCount,
  guidesNewestFirst,
  laterTurns,
  OTHER_GUIDES_MAX,
  orNotFound,
  type Records,
  storedGuide,
  withDecision,
} from './guide-records.ts'

/**
 * Replays a guide: from the records where this actor holds it, else as it was supplied. Reads only.
 * @throws guide_trace_not_found when a moment of the journal is not there
 */
export const flightRecorder: Handler<'flightRecorder'> = async (parts, { request, principal }) => {
  const query = recorderQuery(request, principal)
  const supplied = suppliedReplay(query.artifacts, (text) => parts.codec.sha256(text))
  const { report, notes } = await parts.registry.look(query.tenantId, query.scope, (actor) =>
    replayed(parts, actor, query, supplied),
  )
  return {
    ...envelopeOf('svc_agent_flight_recorder_result_v1', query),
    agent_flight_recorder: report,
    source_map: report.source_map,
    ...warningsOf(notes),
  }
}

async function replayed(parts: RuntimeParts, actor: Actor, query: RecorderQuery, supplied: SuppliedReplay) {
  const hashOf = (text: string): string => parts.codec.sha256(text)
  const found = await findGuide(parts, actor, query, supplied.guide.guideTraceId)
  if (found === null) {
    return actor.read((state, nowMs) => ({
      report: suppliedReport(query, supplied, state.seq, nowMs),
      notes: [],
    }))
  }
  const { stored } = found
  const before = await guideBefore(parts, actor, query, hashOf)
  const later = await laterTurns(parts, actor, stored.exposure)
  const governed = await governDecisions(parts.history, actor.key, stored.exposure)
  const { decision, exposure } = stored
  const isAskKept = decision !== null && decision.ask.queryText !== ''
  // What its run had seen then says nothing of now.
  const command =
    isAskKept && query.includesNow ? { ...commandAgain(decision, exposure), omitShownIn: null } : null
  const recall = command === null ? null : recallFor(parts, actor, command)
  const early = recall?.early == null ? null : await recall.early
  return actor.read((state, nowMs) => {
    const seqBefore = state.seq
    const recalled = recall?.recalled(early) ?? null
    const now =
      command === null || recalled === null || decision === null || erasedSince(stored, state).length > 0
        ? null
        : guideNow(
            state,
            command,
            recalled,
            { ...occasionNow(parts, query, command, stored, nowMs), queryHash: decision.queryHash },
            { isoTime: isoOf, sha256: hashOf },
          )
    const comparison = compared(query, stored, before, state, hashOf)
    const facts: Found = { query, found, later, governed, now, seqBefore, ...comparison }
    const isSemantic = parts.semantic !== null && recalled?.miss === null
    const notes = now === null ? [] : recallNotes(stored, isSemantic, recalled?.miss ?? null)
    return { report: recordedReport(facts, state, nowMs), notes }
  })
}

/**
 * The guide of a request, null when this actor does not hold it for whoever asks and the request brings artifacts.
 * @param suppliedId the guide that the artifacts name
 * @throws guide_trace_not_found when a moment of the journal was asked for, with `expired` when it is kept no longer
 */
async function findGuide(
  parts: Records,
  actor: Actor,
  query: RecorderQuery,
  suppliedId: string | null,
): Promise<FoundGuide | null> {
  const { sent, isFromJournal } = query
  const named = query.guideTraceId ?? (isFromJournal ? null : suppliedId)
  if (named === null) return isFromJournal ? foundByMoment(parts, actor, query) : null
  const finding = storedGuide(parts, actor, named, sent)
  const stored = await (isFromJournal ? finding : orNotFound(finding))
  return stored === null ? null : { stored, others: [], isCut: false }
}

/** The last guide at or before the decision time, of the run and consumer if they are named. */
async function foundByMoment(parts: Records, actor: Actor, query: RecorderQuery): Promise<FoundGuide> {
  const { runId, decisionTimeMs, viewer } = query
  const found: ExposureRecord[] = []
  let scanned = 0
  for await (const exposure of guidesNewestFirst(parts, actor, decisionTimeMs ?? undefined)) {
    scanned += 1
    if (isMadeFor(exposure, viewer) && (runId === null || exposure.runId === runId)) found.push(exposure)
    if (found.length > (runId === null ? 0 : 1 + OTHER_GUIDES_MAX) || scanned === GUIDES_SCANNED_MAX) break
  }
  const [guide, ...others] = found
  if (guide === undefined) throw await notFoundAt(parts, actor, query)
  const isCut = others.length > OTHER_GUIDES_MAX || scanned === GUIDES_SCANNED_MAX
  const stored = await withDecision(parts, actor, guide)
  return { stored, others: others.slice(0, OTHER_GUIDES_MAX), isCut: runId !== null && isCut }
}

async function notFoundAt(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  { runId, decisionTimeMs, viewer }: RecorderQuery,
): Promise<DomainError> {
  let kept = 0
  for await (const _exposure of guidesNewestFirst(parts, actor)) {
    kept += 1
    if (kept === GUIDES_SCANNED_MAX) break
  }
  const isScanCut = kept === GUIDES_SCANNED_MAX
  // Whether a run was ever there is told to an operator only: it may be another consumer's.
  const isKnown = runId === null || (viewer === null && actor.state.exposedByRun.has(runId))
  // The oldest go first, so what is gone may have been of this moment.
  const isExpired = isKnown && !isScanCut && kept < guideCount(actor)
  return new DomainError(
    'guide_trace_not_found',
    {
      ...(runId === null ? {} : { run_id: runId }),
      ...(decisionTimeMs === null ? {} : { decision_time: isoOf(decisionTimeMs) }),
      ...(isExpired ? { expired: true } : {}),
      ...(isScanCut ? { guides_scanned: kept } : {}),
    },
    isExpired
      ? 'The guides of this moment are kept no longer: send a later decision_time, or the artifacts of the guide.'
      : 'No guide was made at or before this moment: send a later decision_time, or the run_id of a guide.',
  )
}

/** The record of the guide before, which a product trace may hold too; null: none, or not held here. */
async function guideBefore(
  parts: Records,
  actor: Actor,
  { artifacts, sent }: RecorderQuery,
  hashOf: (text: string) => string,
): Promise<StoredGuide | null> {
  const ids = artifacts.beforeGuide.map(({ name, value }) => readArtifact(name, value, hashOf).guideTraceId)
  const named = ids.find((id) => id !== null) ?? null
  return named === null ? null : orNotFound(storedGuide(parts, actor, named, sent))
}

/** Notes looked through, and govern decisions listed, the newest first. */
const NOTES_MAX = 200
const GOVERNED_MAX = 20
/** A govern request without a run belongs to a guide that was made about the same time. */
const NEAR_MS = 60_000

/**
 * What was governed for the consumer of a guide in its run or, without a run, within a minute of it. What another
 * consumer had governed is no part of what this one could see, whoever asks.
 */
export async function governDecisions(
  history: Pick<History, 'notes'>,
  actorKey: string,
  exposure: ExposureRecord,
): Promise<Report['govern_decisions']> {
  const notes = await history.notes(actorKey, NOTES_MAX)
  return notes
    .filter((note) => note.body['kind'] === 'govern' && isOfGuide(note, exposure))
    .slice(0, GOVERNED_MAX)
    .map(governRow)
}

function isOfGuide({ atMs, runId, body }: AuditNote, exposure: ExposureRecord): boolean {
  const consumer = partOf(body, 'consumer')
  const { agentId, teamId } = viewerOf({ exposure })
  const isOwn = textOf(consumer, 'agentId') === agentId && textOf(consumer, 'teamId') === teamId
  if (!isOwn) return false
  return runId === null ? Math.abs(atMs - exposure.atMs) <= NEAR_MS : runId === exposure.runId
}

function compared(
  { artifacts, runId }: RecorderQuery,
  stored: StoredGuide,
  before: StoredGuide | null,
  state: ActorState,
  hashOf: (text: string) => string,
): Pick<Found, 'mismatches' | 'comparedCount'> {
  const beforeGuide = before === null ? [] : artifacts.beforeGuide
  const isOtherRun =
    runId !== null &&
    runId !== stored.exposure.runId &&
    !outcomesOf(state, stored.exposure).some(({ mark }) => mark.runId === runId)
  return {
    mismatches: [
      ...mismatches('request', isOtherRun ? ['run_id'] : [], stored),
      ...ledgerMismatches(artifacts.claimLedgers, stored, state),
      ...artifacts.all.flatMap((one) => recordMismatches(one, stored, state, hashOf)),
      ...beforeGuide.flatMap((one) => (before === null ? [] : recordMismatches(one, before, state, hashOf))),
    ],
    comparedCount: artifacts.all.length + artifacts.claimLedgers.length + beforeGuide.length,
  }
}

/** Says where the ask of now recalls otherwise than the recorded guide may have done. */
function recallNotes(
  { decision }: StoredGuide,
  isSemantic: boolean,
  miss: SemanticMiss | null,
): readonly string[] {
  const warning = miss === null ? null : missWarning(miss)
  if (warning !== null) return [warning]
  const memories = decision === null ? [] : [...decision.printed, ...decision.omitted]
  const wasSemantic = memories.some(({ signals }) => signals.some(({ kind }) => kind === 'semantic'))
  if (isSemantic || !wasSemantic) return []
  return ['The recorded guide recalled by embeddings too; asked now it recalls by words alone.']
}

/** A guide asked now would be held out like all of its run; one without a run stays as it was drawn. */
function occasionNow(
  { holdOut }: Pick<RuntimeParts, 'holdOut'>,
  query: RecorderQuery,
  { runId }: GuideCommand,
  { exposure }: StoredGuide,
  nowMs: number,
) {
  const { guideTraceId } = exposure
  const heldOut = runId === null ? exposure.heldOut : isHeldOut(holdOut, query, runId, guideTraceId)
  return { nowMs, guideTraceId, heldOut }
}
