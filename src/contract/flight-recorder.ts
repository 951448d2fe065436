import { z } from 'zod'
import { envelope, type Frozen } from './envelope.ts'
import { id, instant, jsonObject, optional, required, words } from './fields.ts'
import { FlightRecorderReport } from './flight-recorder-report.ts'
import { sharedFields } from './shared-request.ts'

export const REPLAY_SOURCES = ['artifacts', 'journal'] as const

/** The rules of the flight recorder that a JSON Schema cannot carry. */
export const RECORDER_RULES = {
  artifact:
    'There is nothing to replay, whatever ids are given: send product_trace, agent_context, memory_decision_trace, memory_use_receipt, memory_admission_record, operator_snapshot or feedback_result; or replay_source journal.',
  moment: 'A replay from the journal needs a moment: send guide_trace_id, run_id or decision_time.',
} as const

export const RecorderTraceObject = z
  .strictObject({
    before_guide: optional(jsonObject, 'The guide before memory could help, as it was answered.'),
    after_guide: required(jsonObject, 'The guide that is replayed, as it was answered.'),
    feedback_result: optional(jsonObject, 'The feedback answer.'),
    forget_result: optional(jsonObject, 'A forget, rehydrate or feedback answer.'),
    evidence_ids: optional(words, 'References to evidence. Not read here.'),
    sufficient_evidence: optional(z.boolean(), 'Not read here.'),
  })
  .meta({ description: 'One loop of guides and feedback. Strict: a field that is not listed is refused.' })

const artifactFields = {
  product_trace: optional(RecorderTraceObject, 'Guide and feedback answers of one loop.'),
  agent_context: optional(jsonObject, 'The agent context of a guide.'),
  memory_decision_trace: optional(jsonObject, 'A decision trace.'),
  memory_use_receipt: optional(jsonObject, 'The receipt of a guide.'),
  memory_admission_record: optional(jsonObject, 'An admission record.'),
  operator_snapshot: optional(jsonObject, 'An operator snapshot.'),
  feedback_result: optional(jsonObject, 'A feedback answer.'),
}
const ARTIFACTS = Object.keys(artifactFields)

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

export const FlightRecorderRequest = z
  .object({
    ...sharedFields,
    replay_source: optional(
      z.enum(REPLAY_SOURCES),
      'artifacts (default) replays what is supplied, and the record where there is one. journal needs no artifact: it replays what was true at a moment.',
    ),
    guide_trace_id: optional(id, 'The guide to replay.'),
    decision_time: optional(
      instant,
      'Replay point. From the journal: the last guide at or before it, of the run if one is named. Else a label.',
    ),
    include_now: optional(
      z.boolean(),
      'Compare a recorded guide with what the same query would show now. Default true.',
    ),
    ...artifactFields,
    claim_ledger_projection: optional(
      jsonObject,
      'The claim ledger of the guide. It stands beside an artifact and is none itself.',
    ),
  })
  .refine(
    (body) =>
      body.replay_source === 'journal' ||
      Object.entries(body).some((e) => ARTIFACTS.includes(e[0]) && isGiven(e[1])),
    { path: ['product_trace'], error: RECORDER_RULES.artifact, params: { code: 'replay_artifact_required' } },
  )
  .refine(
    (body) =>
      body.replay_source !== 'journal' ||
      isGiven(body.guide_trace_id) ||
      isGiven(body.run_id) ||
      isGiven(body.decision_time),
    { path: ['guide_trace_id'], error: RECORDER_RULES.moment },
  )
  .meta({ description: 'Artifacts to replay, or a moment of the journal.' })

export const FlightRecorderResponse = z
  .strictObject({
    ...envelope('svc_agent_flight_recorder_result_v1'),
    agent_flight_recorder: FlightRecorderReport,
  })
  .meta({
    description:
      'What memory the agent could see, what was held back, what was used, and why. Not for the agent.',
  })

export type FlightRecorderRequest = z.output<typeof FlightRecorderRequest>
export type FlightRecorderResponse = Frozen<z.output<typeof FlightRecorderResponse>>
