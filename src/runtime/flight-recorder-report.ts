import { textOf } from '../core/measure/wire-object.ts'
import type { SuppliedArtifacts } from '../core/report/recorder-artifacts.ts'
import { type RecorderFacts, recorderClaims } from '../core/report/recorder-claims.ts'
import type { RecorderQuery } from './normalise/flight-recorder.ts'
import { sourceMap } from './parts.ts'

const ROUTE = '/v1/audit/flight-recorder'
/** Shorter lines and queries may stand in an id or a code by chance. */
const SOUGHT_CHARS_MIN = 24
const SOUGHT_MAX = 200

/** Both kinds of replay say what they found in one shape; what is left is said of all of them alike. */
interface ReplayParts {
  readonly query: Pick<RecorderQuery, 'tenantId' | 'scope' | 'artifacts'>
  /** Wire fields of the report. */
  readonly found: object
  readonly facts: Omit<RecorderFacts, 'textsSought' | 'textsFound'>
  /** The query of the guide, where it is known. */
  readonly queryText: string | null
  readonly surfacesUsed: readonly string[]
  /** One sentence without memory text. */
  readonly summary: string
}

/** What follows the envelope of an answer. */
export interface RecorderReport {
  readonly agent_flight_recorder: object
  readonly source_map: object
}

/** The report with its claims, which are made last: one of them looks through all the rest. */
export function recorderReport(parts: ReplayParts): RecorderReport {
  const { query, found, facts, queryText, surfacesUsed, summary } = parts
  const { tenantId, scope, artifacts } = query
  const report = {
    contract_version: 'svc_agent_flight_recorder_report_v1',
    tenant_id: tenantId,
    scope,
    intended_use: 'incident_replay_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    ...found,
    replay_sources: replaySources(artifacts),
    source_map: sourceMap(ROUTE, surfacesUsed, OMITTED),
    summary,
  }
  const sought = soughtTexts(artifacts, queryText)
  const text = JSON.stringify(report)
  const textsFound = sought.filter((one) => text.includes(JSON.stringify(one).slice(1, -1))).length
  const claims = recorderClaims({ ...facts, textsSought: sought.length, textsFound })
  return { agent_flight_recorder: { ...report, claims }, source_map: report.source_map }
}

const OMITTED = ['agent_prompt_text', 'query_text', 'raw_memory_rows', 'raw_slots', 'raw_embedding_vectors']

function replaySources(artifacts: SuppliedArtifacts): object {
  return {
    has_agent_context: artifacts.agentContext !== null,
    has_memory_decision_trace: artifacts.decisionTrace !== null,
    has_memory_use_receipt: artifacts.receipt !== null,
    has_memory_admission_record: artifacts.admissionRecord !== null,
    has_operator_snapshot: artifacts.snapshot !== null,
    has_feedback_result: artifacts.feedback !== null,
  }
}

/** Lines of prompts and the query, as far as they are long enough to mean themselves. */
function soughtTexts({ all, beforeGuide }: SuppliedArtifacts, queryText: string | null): readonly string[] {
  const prompts = [...all, ...beforeGuide].flatMap(({ value }) => textOf(value, 'prompt_text') ?? [])
  const lines = prompts.flatMap((prompt) => prompt.split('\n', SOUGHT_MAX))
  const texts = queryText === null ? lines : [queryText, ...lines]
  return [...new Set(texts.filter((one) => one.length >= SOUGHT_CHARS_MIN))].slice(0, SOUGHT_MAX)
}
