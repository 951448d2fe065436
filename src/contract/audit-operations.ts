import { BLAST_RULE, BlastRadiusRequest, BlastRadiusResponse } from './blast-radius.ts'
import { DecisionReportRequest, DecisionReportResponse } from './decision-report.ts'
import { DecisionTraceRequest, DecisionTraceResponse, TRACE_RULE } from './decision-trace.ts'
import { FlightRecorderRequest, FlightRecorderResponse, RECORDER_RULES } from './flight-recorder.ts'

/** What tells why a memory was shown, and what came of it. Every one reads and changes nothing; `operations.ts` has them with all others. */
export const AUDIT_OPERATIONS = {
  blastRadius: {
    name: 'blastRadius',
    method: 'POST',
    path: '/v1/audit/blast-radius',
    request: BlastRadiusRequest,
    response: BlastRadiusResponse,
    contract_version: 'svc_blast_radius_result_v1',
    writes: false,
    access: 'consumer',
    summary: 'Trace what a memory, or everything from one source, has touched',
    description:
      'Who wrote it, what was derived from it, which guides showed it to whom, how those runs ended, and what suppressing it would have changed in the recorded guides. Reads and changes nothing; guides are not run again.',
    rules: [BLAST_RULE],
    errors: ['memory_not_found'],
  },
  decisionTrace: {
    name: 'decisionTrace',
    method: 'POST',
    path: '/v1/debug/memory-decision-trace',
    request: DecisionTraceRequest,
    response: DecisionTraceResponse,
    contract_version: 'svc_memory_decision_trace_result_v1',
    writes: false,
    access: 'consumer',
    summary: 'Tell why a guide showed what it showed, and what came of it',
    description:
      'For operators. A guide that is held here is told from its record; supplied artifacts are compared with it, and differences are listed in artifact_mismatch. What is not held is replayed as supplied and says so. Acts with the consumer of the guide.',
    rules: [TRACE_RULE],
    errors: ['guide_trace_not_found', 'replay_artifact_required'],
  },
  decisionReport: {
    name: 'decisionReport',
    method: 'POST',
    path: '/v1/audit/memory-decision-report',
    request: DecisionReportRequest,
    response: DecisionReportResponse,
    contract_version: 'svc_memory_decision_audit_result_v1',
    writes: false,
    access: 'consumer',
    summary: 'Report on the decisions of a guide',
    description: 'For operators. The decision trace of the same request, as claims, counters and reviews.',
    rules: [TRACE_RULE],
    errors: ['guide_trace_not_found', 'replay_artifact_required'],
  },
  flightRecorder: {
    name: 'flightRecorder',
    method: 'POST',
    path: '/v1/audit/flight-recorder',
    request: FlightRecorderRequest,
    response: FlightRecorderResponse,
    contract_version: 'svc_agent_flight_recorder_result_v1',
    writes: false,
    access: 'consumer',
    summary: 'Replay what an agent was shown, and what came of it',
    description:
      'Where this actor holds the guide, its record is replayed and supplied artifacts are compared with it; else they are replayed as supplied. With replay_source journal it replays what was true at a moment and compares it with now. Changes nothing.',
    rules: [RECORDER_RULES.artifact, RECORDER_RULES.moment],
    errors: ['replay_artifact_required', 'guide_trace_not_found'],
  },
} as const
