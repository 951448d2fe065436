import { OPERATIONS } from '../contract/operations.ts'
import { parseRequest } from '../contract/parse.ts'
import { type Answered, callOf } from './call.ts'
import { measure } from './measure.ts'
import type { RuntimeParts } from './parts.ts'
import { blastRadius } from './reports/blast-radius.ts'
import { memoryDecisionReport, memoryDecisionTrace } from './reports/decision-trace.ts'
import { flightRecorder } from './reports/flight-recorder.ts'
import { operatorSnapshot } from './reports/operator-snapshot.ts'
import type { CallContext } from './runtime.ts'
import { listSkills, proposeSkills, reviewSkill } from './skills.ts'

type ReportName =
  | 'measure'
  | 'proposeSkills'
  | 'listSkills'
  | 'promoteSkill'
  | 'rejectSkill'
  | 'operatorSnapshot'
  | 'blastRadius'
  | 'decisionTrace'
  | 'decisionReport'
  | 'flightRecorder'

/** What operators ask: reports, and the review of skill candidates. */
export async function runReport(
  parts: RuntimeParts,
  operation: ReportName,
  body: unknown,
  context: CallContext,
): Promise<Answered> {
  switch (operation) {
    case 'measure': {
      const { request, warnings } = parseRequest(OPERATIONS.measure, body)
      return { reply: await measure(parts, request), warnings }
    }
    case 'proposeSkills': {
      const { request, warnings } = parseRequest(OPERATIONS.proposeSkills, body)
      return { reply: await proposeSkills(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'listSkills': {
      const { request, warnings } = parseRequest(OPERATIONS.listSkills, body)
      return { reply: await listSkills(parts, request), warnings }
    }
    case 'promoteSkill':
    case 'rejectSkill': {
      const { request, warnings } = parseRequest(OPERATIONS[operation], body)
      const call = callOf(parts, operation, request, body, context)
      const decision = operation === 'promoteSkill' ? 'promoted' : 'rejected'
      return { reply: await reviewSkill(parts, call, decision), warnings }
    }
    case 'operatorSnapshot': {
      const { request, warnings } = parseRequest(OPERATIONS.operatorSnapshot, body)
      return { reply: await operatorSnapshot(parts, request), warnings }
    }
    case 'blastRadius': {
      const { request, warnings } = parseRequest(OPERATIONS.blastRadius, body)
      return { reply: await blastRadius(parts, request), warnings }
    }
    case 'decisionTrace': {
      const { request, warnings } = parseRequest(OPERATIONS.decisionTrace, body)
      return { reply: await memoryDecisionTrace(parts, request), warnings }
    }
    case 'decisionReport': {
      const { request, warnings } = parseRequest(OPERATIONS.decisionReport, body)
      return { reply: await memoryDecisionReport(parts, request), warnings }
    }
    case 'flightRecorder': {
      const { request, warnings } = parseRequest(OPERATIONS.flightRecorder, body)
      return { reply: await flightRecorder(parts, request), warnings }
    }
  }
}
