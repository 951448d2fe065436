import { TRACE_RULE } from '../../contract/decision-trace.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { DomainError } from '../../core/base/errors.ts'
import type { WireObject } from '../../core/measure/wire-object.ts'
import type { Viewer } from '../../core/report/viewer.ts'
import { consumerOf, isConsumerGiven, type SentConsumer, sentConsumerOf } from './identity.ts'

/** Which guide a trace is about, what was supplied of it, and who asks. */
export interface TraceAsk {
  /** Null: the one that the artifacts name. */
  readonly guideTraceId: string | null
  readonly productTrace: WireObject | null
  /** Null: an operator who names no consumer. */
  readonly viewer: Viewer
  readonly sent: SentConsumer
}

/** @throws DomainError `replay_artifact_required` when the request names no guide and supplies none */
export function traceAsk(request: RequestOf<'decisionTrace'>): TraceAsk {
  const guideTraceId = request.guide_trace_id ?? null
  const productTrace = request.product_trace ?? null
  if (guideTraceId === null && productTrace === null) {
    throw new DomainError('replay_artifact_required', {}, TRACE_RULE)
  }
  const viewer = isConsumerGiven(request) ? consumerOf(request) : null
  return { guideTraceId, productTrace, viewer, sent: sentConsumerOf(request) }
}
