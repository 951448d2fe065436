import { SURFACES } from '../core/base/closed-sets.ts'
import { objectsOf, partOf, textOf, textsOf, type WireObject } from '../core/measure/wire-object.ts'
import type { ExposureRecord } from '../core/model/exposure.ts'
import type { AuditNote, History } from '../ports/history.ts'
import { isoOf } from './iso-time.ts'

/** Notes looked through, and govern decisions listed, the newest first. */
const NOTES_MAX = 200
const DECISIONS_MAX = 20
const CANDIDATES_MAX = 200
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
): Promise<readonly object[]> {
  const notes = await history.notes(actorKey, NOTES_MAX)
  return notes
    .filter((note) => note.body['kind'] === 'govern' && isOfGuide(note, exposure))
    .slice(0, DECISIONS_MAX)
    .map(decisionRow)
}

function isOfGuide({ atMs, runId, body }: AuditNote, exposure: ExposureRecord): boolean {
  const consumer = partOf(body, 'consumer')
  const isOwn =
    textOf(consumer, 'agentId') === exposure.consumerAgentId &&
    textOf(consumer, 'teamId') === exposure.consumerTeamId
  if (!isOwn) return false
  return runId === null ? Math.abs(atMs - exposure.atMs) <= NEAR_MS : runId === exposure.runId
}

function decisionRow({ atMs, runId, body }: AuditNote): object {
  const consumer = partOf(body, 'consumer')
  return {
    at: isoOf(atMs),
    run_id: runId,
    consumer_agent_id: textOf(consumer, 'agentId'),
    consumer_team_id: textOf(consumer, 'teamId'),
    mode: textOf(body, 'mode'),
    query_sha256: textOf(body, 'querySha256'),
    candidates: objectsOf(body, 'candidates').slice(0, CANDIDATES_MAX).flatMap(candidateRow),
  }
}

function candidateRow(row: WireObject): readonly object[] {
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
