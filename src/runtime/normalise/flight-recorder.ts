import type { RequestOf } from '../../contract/operations.ts'
import { suppliedArtifacts } from '../../core/report/supplied-objects.ts'
import { identityOf, sentConsumerOf, viewerIn } from './identity.ts'

export type RecorderQuery = ReturnType<typeof recorderQuery>

/** What a request asks the flight recorder for; without a viewer by an operator, who sees the guides of every consumer. */
export function recorderQuery(request: RequestOf<'flightRecorder'>) {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: viewerIn(request),
    sent: sentConsumerOf(request),
    /** A moment of the journal, without which there is nothing to tell. */
    isFromJournal: request.replay_source === 'journal',
    guideTraceId: request.guide_trace_id ?? null,
    runId: request.run_id ?? null,
    decisionTimeMs: request.decision_time ?? null,
    includesNow: request.include_now ?? true,
    artifacts: suppliedArtifacts(request),
  }
}
