import type { RequestOf } from '../../contract/operations.ts'
import { type SuppliedArtifacts, suppliedArtifacts } from '../../core/report/supplied-objects.ts'
import type { Viewer } from '../../core/report/viewer.ts'
import { identityOf, type SentConsumer, sentConsumerOf, viewerIn } from './identity.ts'

/** What a request asks the flight recorder for. */
export interface RecorderQuery {
  readonly tenantId: string
  readonly scope: string
  /** Null: an operator, who sees the guides of every consumer. */
  readonly viewer: Viewer
  readonly sent: SentConsumer
  /** True: a moment of the journal, without which there is nothing to tell. */
  readonly isFromJournal: boolean
  readonly guideTraceId: string | null
  readonly runId: string | null
  readonly decisionTimeMs: number | null
  readonly includesNow: boolean
  readonly artifacts: SuppliedArtifacts
}

export function recorderQuery(request: RequestOf<'flightRecorder'>): RecorderQuery {
  const { tenantId, scope } = identityOf(request)
  return {
    tenantId,
    scope,
    viewer: viewerIn(request),
    sent: sentConsumerOf(request),
    isFromJournal: request.replay_source === 'journal',
    guideTraceId: request.guide_trace_id ?? null,
    runId: request.run_id ?? null,
    decisionTimeMs: request.decision_time ?? null,
    includesNow: request.include_now ?? true,
    artifacts: suppliedArtifacts(request),
  }
}
